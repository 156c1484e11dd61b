/*
 * Searching for a run: the first queries, rounds, the gap test. Every query
 * is one stored step with the passages it brought.
 */
#ifndef CITED_RESEARCH_GATHER_H
#define CITED_RESEARCH_GATHER_H

#include "research/run.h"

/*
 * The best passages for one query under the task's filters, from the index
 * and every provider; best first, at most max. *count 0 is an honest
 * nothing if nobody failed: *failed lists those who did ("name: why; …", "" if
 * none); what that means is for run_make_do. Everything is in the arena.
 */
MUST_CHECK enum err gather_ask(const struct run *r, const char *text,
                               size_t max, struct arena *a, struct ranked **out,
                               size_t *count, const char **failed,
                               struct errctx *ec);

/* Make the plan and store it as a step; a stored plan is left alone. */
MUST_CHECK enum err gather_plan(struct run *r, struct errctx *ec);

/* Search the queue round by round until covered, stale or at 85 % of any
 * budget, then once more what an earlier run got no full answer to. ERR_BUSY
 * when the helper shall leave, ERR_UPSTREAM as run_make_do. */
MUST_CHECK enum err gather_run(struct run *r, struct errctx *ec);

#endif
