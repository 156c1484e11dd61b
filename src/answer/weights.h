/*
 * What is known about a unit (features.def) is weighed by these, which `make
 * weights` writes: one set for each way a question is compared with pages.
 */
#ifndef CITED_ANSWER_WEIGHTS_H
#define CITED_ANSWER_WEIGHTS_H

#include "answer/units.h"

struct weights {
    double answers[FEATURE_COUNT]; /* that it is the one that answers */
    double defines[FEATURE_COUNT]; /* added where a definition is asked for */
    /* Logistic regressions over the best unit, the last number for itself:
     * whether it is on the subject at all, and whether it answers, as far as it
     * and the others say; 0 is the operating point. */
    double subject[FEATURE_COUNT + 1], direct[FEATURE_COUNT + 1];
};

const struct weights *weights_of(enum meant_by by);

#endif
