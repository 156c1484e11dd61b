/*
 * Ranked passages put in a better order by a model's scores, when one is
 * configured; as they were when it fails. Called by search.c.
 */
#ifndef CITED_FIND_RERANK_H
#define CITED_FIND_RERANK_H

#include "base/clock.h"
#include "model/relevance.h"
#include "find/rank.h"

/* Passages worth asking about, of which the best are kept. */
enum { RERANK_MANY = 40 };

/*
 * Fuse the passages' order with that of the scores (reciprocal ranks; the
 * constant is small because the lists are short) and keep the best max; score
 * becomes the fused one, in 0-1. Passages of priority domains stay in front.
 * r NULL, or a failure (logged): the first max stay as they are. ERR_NOMEM
 * only.
 */
MUST_CHECK enum err rerank_passages(struct relevance *r, const struct query *q,
                                    size_t max, struct deadline d,
                                    const char *id, struct arena *a,
                                    struct ranked *v, size_t *count);

#endif
