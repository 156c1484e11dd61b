/*
 * What is said to the reader, and the gate in front of it: cited sentences,
 * lists and listings as Markdown, each checked in the very bytes that are
 * sent. The one renderer: of answers (search.c, by answer_render) and of
 * reports (research/write.c).
 *
 *   A sentence as it stands. [1] Another one. [2]
 *
 *   These are its parts:
 *
 *   - one
 *   - two [1]
 *
 *   | Name | Default |
 *   |---|---|
 *   | port | 80 |
 *   | host | any [2] |
 *
 * The page's words stand unchanged; what is added stands between them: a
 * blank, a line, the sign of a list or a cell, a fence, and behind the whole the number
 * of its source. A number in brackets of the page's own that could be taken
 * for one has backslashes, as Markdown has it ("returns \[1\]."), and so has a
 * sign that would make a heading, item or fence of a line ("\# include").
 */
#ifndef CITED_SEARCH_ANSWER_RENDER_H
#define CITED_SEARCH_ANSWER_RENDER_H

#include "base/buf.h"
#include "find/rank.h"
#include "verify/verify.h"

enum said_form {
    SAID_SENTENCE,
    SAID_BLOCK, /* a paragraph, or a contiguous part of one, as it stands */
    SAID_ITEM,
    SAID_ROW, /* of a table; with others beside it a table of Markdown */
    SAID_CODE,
    SAID_POINT /* a sentence as an item of a list; it has its own number */
};

/* Of a part of a passage (passage.h). */
enum said_form said_form_of(char kind);

/* One thing said and the passage it rests on. */
struct said {
    const struct candidate *from;
    const char *heading; /* that it stands under; NULL: that of its passage */
    const char *text;  /* of an item or a listing: the range as it is */
    size_t start, len; /* byte range in from->text that bears it out */
    enum said_form form;
    size_t number;  /* of an item; 0: it has none */
    bool goes_with; /* the one before, which introduces it */
    bool apart;     /* begins a paragraph */
    enum verdict verdict; /* what a writer's sentence was, before it was said */
    bool judged;          /* a model says that start and len bear it out */
};

struct dissent_part;

struct render {
    struct buf text; /* what was said so far; only ever added to */
    struct source *sources;
    size_t source_count;
    struct verify_tally verified; /* held and dropped; sentences only */

    /* private */
    struct arena *a;
    bool markers, open, pointed; /* the last thing was a point */
    size_t number;               /* … a numbered item: its number */
    size_t max, kept_count;
    const struct said **kept;
    const struct candidate *shown_of;
    const char *shown;
};

/* max: the most things that will be said, those of dissents (two each)
 * included. To be ended with render_fini, also behind an error. */
MUST_CHECK enum err render_init(struct render *r, bool markers, size_t max,
                                struct arena *a);
void render_fini(struct render *r);

/* Say v[0..n); *held (may be NULL) is how many of them were: those whose
 * passage, orders to machines left out, bears them out as they now stand.
 * v lives as long as r. ERR_NOMEM, ERR_TOO_LARGE. */
MUST_CHECK enum err render_said(struct render *r, const struct said *v,
                                size_t n, size_t *held);

/* The program's own words: a heading; that two sources disagree (agree_say),
 * by what each of the two says and the part that is its value, unless the
 * first of them was not said. */
void render_heading(struct render *r, const char *title);
void render_words(struct render *r, const char *words);
/* What the next thing stands under in its page (label.h), in italics.
 * ERR_NOMEM. */
MUST_CHECK enum err render_label(struct render *r, const char *label);
/* What comes next begins a paragraph. */
void render_break(struct render *r);
MUST_CHECK enum err render_dissent(struct render *r, const struct said *said,
                                   struct dissent_part *part);

/* Length of a number in brackets at z[i] of n bytes, which would read like a
 * citation; 0 when there is none. */
size_t mark_length(const char *z, size_t n, size_t i);

/* Does the bracket at z[i], or the row of brackets it ends, hang on a word,
 * as in "argv[1]"? Then it may be code. */
bool mark_hangs(const char *z, size_t i);

/* Text as above for a terminal, at the end of b: listings set in by four
 * blanks, headings without their signs, brackets without backslashes. */
void render_plain(const char *text, struct buf *b);

/* What each thing that was said rests on. ERR_NOMEM. */
MUST_CHECK enum err render_evidence(struct render *r, struct answer_evidence **out,
                                    size_t *count);

/* Sources with their snippets, and the text in the arena. */
MUST_CHECK enum err render_end(struct render *r, const char **text,
                               struct source **sources, size_t *count);

#endif
