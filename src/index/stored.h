/*
 * Private to index/: a page as it is stored, here (page.c) or where it is true
 * (source.c), and its passages as the one value that they are there.
 */
#ifndef CITED_INDEX_STORED_H
#define CITED_INDEX_STORED_H

#include "base/arena.h"
#include "store/sql.h"

#include <stdint.h>

struct stored_passage {
    int64_t start;
    const char *heading, *text, *parts;
};

/* Columns of table page; no string is NULL. */
struct stored_page {
    int64_t id, first; /* 0: not numbered yet */
    const char *url, *host, *rhost, *title, *lang, *favicon, *images;
    int32_t day;
    int64_t fetched;
    const char *etag, *last_modified;
    int64_t text_bytes;
    const struct stored_passage *passages;
    size_t count;
};

/* Bind them from parameter 1 on: url, host, rhost, title, lang, favicon,
 * images, day, fetched, etag, last_modified, text_bytes, first, passages, id;
 * of which id is NULL while it is 0. */
#define STORED_COLUMNS                                                         \
    "url, host, rhost, title, lang, favicon, images, day, fetched, etag,"      \
    " last_modified, text_bytes, first, passages, id"
enum { STORED_WIDTH = 15 };
void stored_bind(struct stmt *q, const struct stored_page *p);
/* Read these columns from 0 on into a struct stored_page; without passages
 * themselves. */
void stored_read(struct stmt *q, struct arena *a, void *element);
/* What becomes of a row that is there when its page is put anew. */
#define STORED_UPDATE                                                          \
    " ON CONFLICT(url) DO UPDATE SET host = excluded.host,"                    \
    " rhost = excluded.rhost, title = excluded.title,"                         \
    " lang = excluded.lang, favicon = excluded.favicon,"                       \
    " images = excluded.images, day = excluded.day,"                           \
    " fetched = excluded.fetched, etag = excluded.etag,"                       \
    " last_modified = excluded.last_modified,"                                 \
    " text_bytes = excluded.text_bytes, first = excluded.first,"               \
    " passages = excluded.passages"

/* The passages as one value: start, heading, text and parts of each, a NUL
 * behind each of these. NULL: no memory. */
const char *stored_pack(const struct stored_page *p, struct arena *a,
                        size_t *len);
/* The reverse, p->count of them, which refer to body. ERR_DB: it is damaged. */
MUST_CHECK enum err stored_unpack(const char *body, size_t len,
                                  struct stored_page *p, struct arena *a,
                                  struct errctx *ec);

/* --- here (page.c) ------------------------------------------------------- */

/* Add or replace; a page that has no numbers gets its own. */
MUST_CHECK enum err page_here_put(struct db *index, const struct stored_page *p,
                                  int64_t *id, struct errctx *ec);
MUST_CHECK enum err page_here_touch(struct db *index, int64_t id,
                                    int64_t fetched, struct errctx *ec);

/* One of the three: a page, a page, all of a domain. */
struct page_choice {
    int64_t id;        /* or 0 */
    const char *url;   /* or NULL */
    const char *rhost; /* or NULL */
};
/* *removed counts; none is no error. */
MUST_CHECK enum err page_here_remove(struct db *index,
                                     const struct page_choice *which,
                                     int64_t *removed, struct errctx *ec);
/* Merge a little, after a change of its own transaction. */
void page_here_settle(struct db *index);
/* page_batch_begin and so on for these. */
MUST_CHECK enum err page_here_begin(struct db *index, struct errctx *ec);
MUST_CHECK enum err page_here_commit(struct db *index, struct errctx *ec);
void page_here_abort(struct db *index);

#endif
