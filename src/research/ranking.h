/*
 * Stored evidence as candidates and as the ranked passages of a query, so
 * that a report is written from what is stored and nothing else.
 */
#ifndef CITED_RESEARCH_RANKING_H
#define CITED_RESEARCH_RANKING_H

#include "research/run.h"

/* Row n of the evidence as a candidate, for each; *out has evidence_count
 * entries. ERR_NOMEM, ERR_MALFORMED. */
MUST_CHECK enum err ranking_candidates(const struct run *r, struct arena *a,
                                       struct candidate **out,
                                       struct errctx *ec);

/* The evidence of a sub-question (all of it with sub < 0), ranked the way a
 * search ranks candidates. Best first; *count may be 0. */
MUST_CHECK enum err ranking_of_evidence(const struct run *r, int64_t sub,
                                        const struct query *q, struct arena *a,
                                        struct ranked **out, size_t *count,
                                        struct errctx *ec);

#endif
