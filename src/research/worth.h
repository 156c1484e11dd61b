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

/* What pages that only touch on a part, as their `about` tells beside the
 * others', have for it is mostly its words said of something else: weak, and no
 * answer, unless it is worth more. Of parts that ask on what others are about,
 * where units are met. After worth_weigh. ERR_NOMEM. */
MUST_CHECK enum err worth_touch(struct choices *x);

/* The logarithm of the odds that what is chosen of the parts from `from` up to
 * `to` says something on what they ask; -INFINITY: nothing is chosen. */
double worth_answers(const struct choices *x, size_t from, size_t to);

#endif
