/*
 * Single sentences out of the stored units, for the cells of a report's
 * table. None twice, and none that leans on the sentence
 * before it; the first one of a chosen unit is then left out there. Inside
 * this room only.
 */
#ifndef CITED_RESEARCH_PICK_H
#define CITED_RESEARCH_PICK_H

#include "research/choose.h"

struct pick {
    size_t row; /* of the evidence */
    size_t start, len;
};

enum { PICK_WORDS = 28 /* of a sentence, at most */ };

/* The sentence that best speaks for a sub-question; false: none does. What is
 * picked counts as said. ERR_NOMEM. */
MUST_CHECK enum err pick_sentence(const struct run *r, struct choices *x,
                                  size_t sub, struct arena *a, struct pick *out,
                                  bool *found, struct errctx *ec);

#endif
