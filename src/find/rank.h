/*
 * Candidates of all providers to ranked passages: canonical URLs, hard
 * filters once more, one passage a page unless its neighbours add something,
 * near-duplicates once, reciprocal-rank fusion between providers, a host's
 * third and later ones behind what others have that is nearly as good, priority
 * domains first when they are relevant.
 */
#ifndef CITED_FIND_RANK_H
#define CITED_FIND_RANK_H

#include "find/provider.h"

struct ranked {
    struct candidate c;
    double score;    /* final; comparable within one query */
    double coverage; /* weight share of the query's terms it holds, 0-1 */
    bool priority;   /* its URL matches the priority list */
};

/* Do domains and dates of the filter let a page through? */
bool rank_allows(const struct index_filter *f, const struct url *u,
                 int32_t day);

/* The relevant candidates, best first, at most max. Candidates below the
 * relevance threshold are dropped, so *count may be 0 (never a guess).
 * per_page: most passages of one page. */
MUST_CHECK enum err
rank_candidates(const struct query *q, const struct index_filter *f,
                const struct provider_answer *answers, size_t answer_count,
                struct db *index, size_t max, size_t per_page, struct arena *a,
                struct ranked **out, size_t *count, struct errctx *ec);

/* All of them that are relevant, in no order: what pages are ranked by. None,
 * unless one of them holds enough to answer from; `known`: that pages are about
 * what is asked is known without, and what holds little of it is relevant. */
MUST_CHECK enum err rank_all(const struct query *q,
                             const struct index_filter *f,
                             const struct provider_answer *answers,
                             size_t answer_count, bool known, struct db *index,
                             struct arena *a, struct ranked **out,
                             size_t *count, struct errctx *ec);

/* The same for a list of results: the best passage of each page. As soon as
 * one page is clearly about the question, pages that are less so follow it;
 * without one, nothing is listed. */
MUST_CHECK enum err
rank_results(const struct query *q, const struct index_filter *f,
             const struct provider_answer *answers, size_t answer_count,
             struct db *index, size_t max, struct arena *a, struct ranked **out,
             size_t *count, struct errctx *ec);

/* Adds candidates behind its own, in the arena; of a passage that is there the
 * better score counts. ERR_NOMEM. */
MUST_CHECK enum err provider_answer_add(struct provider_answer *to,
                                        const struct candidate *more,
                                        size_t count, struct arena *a);

#endif
