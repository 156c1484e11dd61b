/*
 * Which of the stored units a report says: for each part those that speak
 * most of it and add what the others do not say, within its share of the
 * words. Inside this room only.
 */
#ifndef CITED_RESEARCH_CHOOSE_H
#define CITED_RESEARCH_CHOOSE_H

#include "research/choices.h"

/* Weigh all units and choose words of them in all; rows: the evidence.
 * ERR_NOMEM, ERR_DB. */
MUST_CHECK enum err choose_units(const struct run *r, size_t words,
                                 struct candidate *rows, struct arena *a,
                                 struct choices *out, struct errctx *ec);

#endif
