/*
 * Private to index/: pages where they are true, for an index that follows them
 * (follow.h): the tables of state_pg_2.sql. Called by page.c; each call is a
 * transaction, or part of the one that db_batch_begin began.
 */
#ifndef CITED_INDEX_SOURCE_H
#define CITED_INDEX_SOURCE_H

#include "index/stored.h"

/* Where each transaction that changed pages is told of, db_wait. */
#define SOURCE_CHANNEL "cited_page"

/* Add or replace the page with p->url; sets p->id and p->first. */
MUST_CHECK enum err source_put(struct db *source, struct stored_page *p,
                               struct errctx *ec);
/* ERR_NOT_FOUND. */
MUST_CHECK enum err source_touch(struct db *source, int64_t id, int64_t now_ms,
                                 struct errctx *ec);
/* By address or domain. *removed counts; none is no error. */
MUST_CHECK enum err source_remove(struct db *source,
                                  const struct page_choice *which,
                                  int64_t *removed, struct errctx *ec);
/* The last change that this connection committed, 0: none. */
int64_t source_last(const struct db *source);
/* Forget removals older than that. */
MUST_CHECK enum err source_cut(struct db *source, int64_t before_ms,
                               struct errctx *ec);

/* The passages of a page, joined as page_text has them. ERR_NOT_FOUND. */
MUST_CHECK enum err source_text(struct db *source, int64_t id, struct arena *a,
                                const char **out, struct errctx *ec);
/* Column i as bytes in the arena. */
const char *source_bytes(struct stmt *q, int i, struct arena *a, size_t *len);

#endif
