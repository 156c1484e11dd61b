/*
 * How much a reader would want a unit, whatever room there is: a report is
 * shorter where the pages have no more to say. Inside this room only.
 */
#ifndef CITED_RESEARCH_WORTH_H
#define CITED_RESEARCH_WORTH_H

#include "research/choices.h"

/* Set worth and weak of all units, which topic_weigh has weighed; what hardly
 * any reader wants answers no part any more. ERR_NOMEM. */
MUST_CHECK enum err worth_weigh(struct choices *x);

/* The logarithm of the odds that what is chosen of the parts from `from` up to
 * `to` says something on what they ask; -INFINITY: nothing is chosen. */
double worth_answers(const struct choices *x, size_t from, size_t to);

#endif
