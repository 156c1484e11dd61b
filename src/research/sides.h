/*
 * Which of the compared sides a unit names: what names only others is beside
 * its part. Inside this room only.
 */
#ifndef CITED_RESEARCH_SIDES_H
#define CITED_RESEARCH_SIDES_H

#include "research/choices.h"

/* Set choice.beside of all units. ERR_NOMEM. */
MUST_CHECK enum err sides_weigh(struct choices *w);

#endif
