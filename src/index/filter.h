/*
 * Private to store/: an index_filter as part of the full-text query, and what
 * of it can only be checked against a page's address. Called by query.c.
 */
#ifndef CITED_INDEX_FILTER_H
#define CITED_INDEX_FILTER_H

#include "base/buf.h"
#include "index/page.h"

/*
 * The filter (or NULL) behind the terms of a full-text query. Rules with a
 * path are checked later; here their host selects, and they exclude nothing.
 * With inclusions, these decide alone. ERR_NO_RESULT: no page has such a day.
 */
MUST_CHECK enum err filter_match(struct db *db, const struct index_filter *f,
                                 struct buf *b, struct errctx *ec);

/* Must what matches go through filter_allows, too? */
bool filter_needs_urls(const struct index_filter *f);

/* Do the rules let through the page of a passage? a is for its address. */
MUST_CHECK enum err filter_allows(struct db *db, const struct index_filter *f,
                                  int64_t passage, struct arena *a,
                                  bool *allowed, struct errctx *ec);

#endif
