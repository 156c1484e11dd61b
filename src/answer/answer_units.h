/*
 * An answer out of whole pages: the unit that answers best, and another one
 * for what it leaves open. Composes nothing; says when it is only close.
 */
#ifndef CITED_ANSWER_ANSWER_UNITS_H
#define CITED_ANSWER_ANSWER_UNITS_H

#include "answer/answer_render.h"
#include "answer/units.h"

enum directness {
    ANSWER_DIRECT,
    ANSWER_RELATED /* on the subject; it does not answer */
};

struct units_answer {
    const char *text;
    struct source *sources;
    size_t source_count;
    enum directness directness;
    struct ranked *used; /* the passages it quotes */
    size_t used_count;
    struct verify_tally verified;
    struct answer_evidence *evidence;
    size_t evidence_count;
};

/* The passages in which the best units begin, each once, at most max, best
 * first: what a model reads. ERR_NOMEM. */
MUST_CHECK enum err units_passages(const struct units *u, size_t max,
                                   struct arena *a, struct ranked **out,
                                   size_t *count);

/* Put units into the order of their passages, as a model gave it. */
void units_follow(struct units *u, const struct ranked *passages, size_t count);

/* The answer of what units_cut made of the pages. ERR_NO_RESULT: nothing on
 * the subject stands on any. ERR_NOMEM. */
MUST_CHECK enum err answer_units(const struct query *q,
                                 const struct found_page *pages,
                                 const struct units *u, bool markers,
                                 struct arena *a, struct units_answer *out);

#endif
