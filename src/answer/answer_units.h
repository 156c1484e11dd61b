/*
 * An answer out of whole pages: the unit that answers best, and another one
 * for what it leaves open. Composes nothing; says when it is only close.
 */
#ifndef CITED_ANSWER_ANSWER_UNITS_H
#define CITED_ANSWER_ANSWER_UNITS_H

#include "answer/answer_render.h"
#include "find/pages.h"

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

/*
 * The answer of pages that have an outline: of one that is a few paragraphs
 * the sentence is the place (answer_extract). ERR_NO_RESULT: the best page is
 * such a one. ERR_NOT_FOUND: nothing on the subject stands on any. ERR_NOMEM.
 */
MUST_CHECK enum err answer_units(const struct query *q,
                                 const struct found_page *pages, size_t count,
                                 bool markers, struct arena *a,
                                 struct units_answer *out);

#endif
