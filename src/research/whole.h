/*
 * What is chosen, said as whole thoughts: with what its unit was kept with
 * (run_unit.ahead, behind), unless its part says that anyway. Inside this room
 * only.
 */
#ifndef CITED_RESEARCH_WHOLE_H
#define CITED_RESEARCH_WHOLE_H

#include "research/choices.h"

/* Add to the blocks of what is chosen. ERR_NOMEM. */
MUST_CHECK enum err whole_make(struct choices *x);

#endif
