/*
 * What is still missing after a round, and the queries that may find it:
 * pages that those read name and do not explain, and the sub-question's own
 * words with what its best passages speak of besides.
 * Decides from the run's stored evidence alone.
 */
#ifndef CITED_RESEARCH_GAP_H
#define CITED_RESEARCH_GAP_H

#include "research/run.h"

struct gap_query {
    size_t sub;
    const char *text;
    const char *const *pages; /* to be read, instead of a search */
    size_t page_count;
};

struct gap {
    bool open[PLAN_SUBS_MAX]; /* sub-questions with a gap */
    size_t open_count;
    struct gap_query query[PLAN_SUBS_MAX];
    size_t count;
};

/*
 * A sub-question has a gap with fewer than two passages, or when each of its
 * pages serves another sub-question too. With want_queries, the pages named
 * by what was read for each sub-question, none twice; bounded by what the
 * budget leaves.
 */
MUST_CHECK enum err gap_find(const struct run *r, bool want_queries,
                             struct arena *a, struct gap *out);

#endif
