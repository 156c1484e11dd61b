/*
 * Private to index/: shared by the files about pages. A row of
 * table page as the columns PAGE_COLUMNS of alias p, in that order.
 */
#ifndef CITED_INDEX_PAGE_SQL_H
#define CITED_INDEX_PAGE_SQL_H

#include "index/page.h"
#include "store/sql.h"

#define PAGE_COLUMNS                                                           \
    "p.id, p.url, p.host, p.title, p.lang, p.favicon, p.images, p.day,"        \
    " p.fetched, p.etag, p.last_modified, p.text_bytes, p.passages, p.first"

/* Hosts by their labels reversed, each with a dot behind it, so that a
 * domain and its subdomains are one range: "com.example.www.". Addresses
 * stay as they are. NULL: no memory. */
const char *page_rhost(const char *host, struct arena *a);

/* Tell what gathers for db count passages from first on, as they are stored,
 * of a page in that language. */
MUST_CHECK enum err page_gather_passages(struct db *db, int64_t first,
                                         int64_t count, enum lang page,
                                         struct errctx *ec);

/* A day column that may be NULL. */
int32_t page_col_day(struct stmt *q, int i);

#endif
