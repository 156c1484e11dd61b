/* Private to index/: what is told about the passages a query found. Called
 * by query.c. */
#ifndef CITED_INDEX_CANDIDATE_H
#define CITED_INDEX_CANDIDATE_H

#include "index/page.h"

struct found {
    int64_t passage;
    double score;
};

/* The n passages found, in their order and with their scores, in a, without
 * those that are gone: *count of them. */
MUST_CHECK enum err candidates_read(struct db *db, const struct found *found,
                                    size_t n, struct arena *a,
                                    struct candidate **out, size_t *count,
                                    struct errctx *ec);

#endif
