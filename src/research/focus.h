/*
 * What a question is about first: its words but for those that only say where,
 * with what or for whom ("security pitfalls | in the standard library | for a
 * code review"). Inside this room only.
 */
#ifndef CITED_RESEARCH_FOCUS_H
#define CITED_RESEARCH_FOCUS_H

#include "research/about.h"
#include "research/plan.h"

/* The terms of q that the text, a part of what is asked, names first, and in
 * *aside those that it names behind them: a bit each. */
uint64_t focus_mask(const struct query *q, const char *text, uint64_t *aside);

/* The terms of q that no part names but aside. */
uint64_t focus_aside(const struct query *q, const struct plan *p);

/* The terms of q that the part asks about, besides its side and other names
 * that hosts are about. */
uint64_t focus_own(const struct query *q, const struct about *x,
                   const struct plan *p, size_t sub);

#endif
