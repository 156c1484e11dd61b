/*
 * What is still missing after a round, and the queries that may find it:
 * after the first one each sub-question is asked again, with the words that
 * its best passages speak of besides.
 * Decides from the run's stored evidence alone.
 */
#ifndef CITED_RESEARCH_GAP_H
#define CITED_RESEARCH_GAP_H

#include "research/run.h"

struct gap_query {
    size_t sub;
    const char *text;
};

struct gap {
    bool open[PLAN_SUBS_MAX]; /* sub-questions with a gap */
    size_t open_count;
    struct gap_query query[PLAN_SUBS_MAX + ABOUT_NAMES_MAX];
    size_t count;
};

/*
 * A sub-question has a gap with fewer than two passages, or when each of its
 * pages serves another sub-question too. With want_queries also what is asked
 * next, bounded by what the budget leaves: after the first round what the names
 * are that hosts bear, too. ERR_NOMEM, ERR_DB.
 */
MUST_CHECK enum err gap_find(const struct run *r, bool want_queries,
                             struct arena *a, struct gap *out,
                             struct errctx *ec);

#endif
