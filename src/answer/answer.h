/*
 * The extractive writer and the verifier. The extractive writer chooses
 * sentences from ranked passages and composes none; every sentence of a draft
 * names the passage it rests on.
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
    bool item; /* belongs to the one before: the sentence that introduces it,
                  or the list's first item */
};

/* Two sources that give different values, each by its sentence; the values'
 * start from the sentence's. The answer's own comes first. */
struct dissent {
    bool found;
    struct cited_sentence said[2];
    size_t value_start[2], value_len[2];
};

struct answer_draft {
    struct cited_sentence *sentences; /* extractive: the best one leads, then
                                         the rest of its passage in reading
                                         order, then the other passages */
    size_t count;
    struct dissent dissent; /* said behind them */
    struct verify_tally verified;
    struct answer_evidence *evidence; /* by answer_render, of what it said */
    size_t evidence_count;
};

/* Choose the sentences that answer q. ERR_NO_RESULT when none is good
 * enough. max_sentences 1-8. */
MUST_CHECK enum err answer_extract(const struct query *q,
                                   const struct ranked *passages, size_t count,
                                   size_t max_sentences, struct arena *a,
                                   struct answer_draft *out);

/* The best single sentences for q, repetitions and weak ones included: what
 * a value is looked for in. Ordered as above; scores tell the best. max at
 * most 32. */
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

/* The verbatim range of a passage that best shows why it matters for q: whole
 * sentences, at most max bytes. Points into a copy in the arena. */
const char *snippet_of(const struct query *q, const char *passage, size_t max,
                       struct arena *a);

#endif
