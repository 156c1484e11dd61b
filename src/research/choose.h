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

/* Choose words of them in all, nothing that is said already. ERR_NOMEM. */
MUST_CHECK enum err choose_units(struct choices *x, size_t words,
                                 struct errctx *ec);

#endif
