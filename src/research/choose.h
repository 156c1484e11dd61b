/*
 * Which of the stored units a report says: for each part those that speak
 * most of it and add what the others do not say, within its share of the
 * words. Inside this room only.
 */
#ifndef CITED_RESEARCH_CHOOSE_H
#define CITED_RESEARCH_CHOOSE_H

#include "research/choices.h"

/* Weigh all units; rows: the evidence. ERR_NOMEM, ERR_DB. */
MUST_CHECK enum err choose_weigh(const struct run *r, struct candidate *rows,
                                 struct arena *a, struct choices *out,
                                 struct errctx *ec);

/* How much a unit speaks of what is asked and a reader wants it, > 0, by
 * itself: whatever else is said. */
double choose_merit(const struct choice *c);

/* Choose words of them in all, nothing that is said already. ERR_NOMEM. */
MUST_CHECK enum err choose_units(struct choices *x, size_t words,
                                 struct errctx *ec);

#endif
