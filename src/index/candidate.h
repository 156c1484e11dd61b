/* Private to store/: what is told about the passages a query found. Called
 * by query.c. */
#ifndef CITED_INDEX_CANDIDATE_H
#define CITED_INDEX_CANDIDATE_H

#include "store/fts.h"
#include "index/page.h"

/* The n passages of hits, in their order and with their scores, in a. */
MUST_CHECK enum err candidates_read(struct db *db, const struct hit *hits,
                                    size_t n, struct arena *a,
                                    struct candidate **out, struct errctx *ec);

#endif
