/*
 * What units speak of: how much of the question, how much of what their
 * part's pages do, how near in meaning. Inside this room only.
 */
#ifndef CITED_RESEARCH_TOPIC_H
#define CITED_RESEARCH_TOPIC_H

#include "research/choices.h"

/* Weigh all that was read; rows: the evidence. ERR_NOMEM, ERR_DB. */
MUST_CHECK enum err topic_weigh(struct choices *x, struct candidate *rows,
                                struct errctx *ec);

/* All that was read, for the questions of parts. ERR_NOMEM, ERR_DB. */
MUST_CHECK enum err topic_read_parts(const struct run *r, struct arena *a,
                                     struct choices *out, struct errctx *ec);

/* How much the chosen units say of what each part itself asks, and stand under:
 * out[i * parts + sub], 0 to 2; 0 of those not chosen. terms: how many words of
 * its own each part asks about. ERR_NOMEM, ERR_DB. */
MUST_CHECK enum err topic_fit(const struct choices *x, double *out,
                              size_t *terms, struct errctx *ec);

/* The question of a part with the words that its pages speak of most and that
 * the task does not say. ERR_NOMEM, ERR_DB. */
MUST_CHECK enum err topic_question(const struct choices *x, size_t sub,
                                   const char **out, struct errctx *ec);

#endif
