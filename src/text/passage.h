/*
 * A page's blocks cut into passages: about 100 words, never inside a sentence
 * unless one sentence alone is longer, never across a heading.
 *
 * The page's text is defined as its passages' texts joined by "\n\n"; start
 * is the byte offset of a passage in it. A snippet is a byte range of one
 * passage, or of several that follow each other, so it is verbatim text of its
 * page by construction.
 */
#ifndef CITED_TEXT_PASSAGE_H
#define CITED_TEXT_PASSAGE_H

#include "base/str.h"
#include "text/html.h"
#include "text/lang.h"

enum {
    PASSAGE_WORDS = 100,     /* aimed at */
    PASSAGE_WORDS_MAX = 160, /* never more, even if a sentence is cut */
    PASSAGE_BYTES_MAX = 4096,
    PASSAGES_MAX = 20000, /* of one page; what follows is not indexed */
    LIST_LEVELS = 4       /* told apart; what is deeper is of the last */
};

struct passage_text {
    /* Path of headings above it: "A > B"; "" if none. Of one that goes on with
     * an entry of a definition list: "A > B › its term". */
    const char *heading;
    const char *text;
    size_t start; /* byte offset in the page's text */
    /* Where its blocks begin and what they are: "p0 i120 i155 c190", each a
     * letter (p paragraph, i list item, j to l nested ones by how deep they
     * are, r table row, c code, q quotation; a capital where a list begins,
     * and of a paragraph in an entry of a definition list)
     * with a byte offset in text, "+" behind the first when it goes
     * on from the passage before, "~" last where more than half of it is the
     * text of links, "#3" behind it all where the list gives the item a number.
     * As stored: with "de " in front where the passage is in
     * another language than its page. */
    const char *parts;
    const char *lang; /* its language's code, where its own words tell it; "" */
};

struct passage_part {
    char kind;         /* of every nested item j */
    size_t level;      /* of an item from 1 on */
    size_t number;     /* of an item of a numbered list; 0: it has none */
    size_t start, len; /* of the passage's text, white space behind it too */
    bool goes_on, links, begins, inside;
};

/* The next of the parts at *z, which goes behind it, of a text of n bytes;
 * false at the end, or where they are not what is written above. */
bool passage_part_next(const char **z, size_t n, struct passage_part *out);

/* The bytes of the term that an entry begins with, "term: …", 0: it has none of
 * at most so many bytes. What stands in brackets is part of it and does not
 * count: "add(name: str): …". */
size_t passage_term(const char *text, size_t n, size_t max);

/* … or what stands ahead of the only dash of a sentence, "term -- …", of a text
 * that may tell what a term means. */
size_t passage_told(const char *text, size_t n, size_t max);

MUST_CHECK enum err passages_cut(const struct page_doc *doc, struct arena *a,
                                 struct passage_text **out, size_t *count);

/* The path of what stands in the entry, below the section of a path; NULL: the
 * arena is full. */
const char *heading_within(const char *path, const char *entry, size_t n,
                           struct arena *a);

/* The bytes of a path of headings without the entry behind it. */
size_t heading_section(const char *path);

/* Are those of two passages of one section? */
bool heading_same_section(const char *path, const char *other);

/* Its last part: the entry, else the deepest heading; "" if there is none. */
const char *heading_last(const char *path);

/* The part before the last one; its n is 0 where there is none. */
struct str heading_above(const char *path);

/* The language of a passage with these parts, as stored, of such a page. */
enum lang passage_language(const char *parts, enum lang page);

/* A sentence as a byte range of its text. */
struct span {
    size_t start, len;
};

/*
 * Sentence borders of text (UAX #29 in spirit, with abbreviations, initials,
 * decimals, versions, file names and ellipses kept whole; CJK full stops end
 * one). A line break between list items or table rows ends a sentence too.
 */
MUST_CHECK enum err sentences_split(const char *text, size_t n, struct arena *a,
                                    struct span **out, size_t *count);

/* Does the text end as a sentence does, in any script: with a full stop, an
 * exclamation or question mark, closing marks behind it allowed? */
bool sentence_is_closed(const char *p, size_t n);

/* May a sentence begin at the byte: behind the end of one or a colon? */
bool sentence_begins(const char *text, size_t at);

/* The title without the site's name behind it: "tomllib — Python 3.11.2". */
struct str page_title(const char *title);

#endif
