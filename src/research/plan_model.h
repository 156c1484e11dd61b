/*
 * A plan by a model: what the question is to be taken apart into, in words
 * that its pages may use. A part is taken only where it speaks of the
 * question, all of them only where they leave nothing of it out.
 */
#ifndef CITED_RESEARCH_PLAN_MODEL_H
#define CITED_RESEARCH_PLAN_MODEL_H

#include "model/model.h"
#include "research/plan.h"

/* Ask m (NULL: nobody) for the parts of io, a plan by rules, of a request as it
 * was made, with wishes, within d; io stays as it is where the model gives none
 * that hold, by q. max: parts. id is for log lines. Strings are in the arena.
 * ERR_NOMEM only. */
MUST_CHECK enum err plan_by_model(struct model *m, const char *request,
                                  const struct query *q, size_t max,
                                  struct deadline d, const char *id,
                                  struct arena *a, struct plan *io);

/* The same of a reply: {"parts":[{"title":…,"question":…}, …]}, or lines
 * "title: question". false: it gives no plan that holds. Pure. */
bool plan_model_read(const char *reply, const struct query *q, size_t max,
                     struct arena *a, struct plan *io);

#endif
