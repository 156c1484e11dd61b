/*
 * A second opinion of the model: does a quote bear out a statement? One call
 * for all of an answer's, where model.entail is set. What it says yes to is
 * still the caller's to veto. Called by answer_model.c.
 */
#ifndef CITED_MODEL_ENTAIL_H
#define CITED_MODEL_ENTAIL_H

#include "base/str.h"
#include "model/model.h"

enum entailed { ENTAIL_UNTOLD, ENTAIL_YES, ENTAIL_NO };

struct entail_pair {
    const char *statement;
    struct str quote;
    enum entailed told; /* out */
};

/* Ask about v[0..n) within d; what the model does not tell of stays UNTOLD.
 * Errors as model_chat. */
MUST_CHECK enum err entail_ask(struct model *m, struct entail_pair *v, size_t n,
                               struct deadline d, const char *id,
                               struct arena *a);

/* Read what it said. Exported for the tests. */
void entail_read(const char *text, struct entail_pair *v, size_t n);

#endif
