/*
 * Drafts of single sentences, each with the passage it rests on: what a model
 * wrote, and what a value is looked for in. Answers of whole units are
 * answer_units.h's.
 */
#ifndef CITED_ANSWER_ANSWER_H
#define CITED_ANSWER_ANSWER_H

#include "base/clock.h"
#include "answer/answer_render.h"
#include "find/rank.h"
#include "verify/verify.h"
#include "text/passage.h"

/* One sentence of an answer. */
struct cited_sentence {
    const char *text;
    size_t passage;    /* index into the passages given to the writer */
    size_t start, len; /* byte range in that passage's text: the sentence
                          itself, or the one that bears it out */
    double score;
    enum said_form form;
    bool apart;           /* begins a paragraph */
    enum verdict verdict; /* QUOTED, SUPPORTED or REPAIRED */
    bool judged;          /* SUPPORTED by what a model says of it */
    bool far;             /* REPAIRED by words that are hardly its own */
    bool item; /* belongs to the one before: the sentence that introduces it,
                  or the list's first item */
};

struct answer_draft {
    struct cited_sentence *sentences;
    size_t count;
    struct verify_tally verified;
    struct answer_evidence *evidence; /* by answer_render, of what it said */
    size_t evidence_count;
};

/* The best sentences, entries and rows of the passages for q: what a value is
 * looked for in. Best first, at most max. ERR_NO_RESULT when they say nothing;
 * ERR_NOMEM. */
MUST_CHECK enum err answer_candidates(const struct query *q,
                                      const struct ranked *passages,
                                      size_t count, size_t max, struct arena *a,
                                      struct answer_draft *out);

/*
 * The draft as Markdown, by answer_render.h: what its passages do not bear out
 * is left out, and draft->verified told of it. sources in the order they are
 * cited, one for each page. ERR_NO_RESULT when nothing is left.
 */
MUST_CHECK enum err answer_render(struct answer_draft *draft,
                                  const struct ranked *passages, size_t count,
                                  bool markers, struct arena *a,
                                  const char **text, struct source **sources,
                                  size_t *source_count);

/* The draft in front of what else r will say. ERR_NOMEM, ERR_TOO_LARGE. */
MUST_CHECK enum err render_draft(struct render *r,
                                 const struct answer_draft *draft,
                                 const struct ranked *passages, size_t *held);

/* The verbatim range of a passage that best shows why it matters for q: whole
 * sentences, at most max bytes. Points into a copy in the arena. */
const char *snippet_of(const struct query *q, const char *passage, size_t max,
                       struct arena *a);

#endif
