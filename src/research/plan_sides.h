/*
 * The sides of a comparison or choice in a request. Inside this room only.
 */
#ifndef CITED_RESEARCH_PLAN_SIDES_H
#define CITED_RESEARCH_PLAN_SIDES_H

#include "research/plan_request.h"

/* Those that the sentence compares or lets choose from, into the plan and
 * p->sides_at, unless there are some already. */
void plan_sides_find(struct planner *p, struct range r);

#endif
