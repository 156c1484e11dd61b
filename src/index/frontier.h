/*
 * The crawl frontier on disk: which URLs a crawl has seen, which are due, and
 * what became of them. Lives beside the pages, in index.db or in the PostgreSQL
 * that several machines share, so that a killed crawl continues where it was,
 * on any of them. A crawl is named by the hash of its seeds and options.
 */
#ifndef CITED_INDEX_FRONTIER_H
#define CITED_INDEX_FRONTIER_H

#include "base/arena.h"
#include "store/db.h"

#include <stdint.h>

enum frontier_state {
    FRONTIER_DUE,
    FRONTIER_DONE,
    FRONTIER_SKIPPED,
    FRONTIER_FAILED
};

struct frontier_item {
    const char *url;
    int depth;
    int tries;
    int64_t seq; /* in the order of discovery; of one that is due */
};

/* Find the crawl with this name or begin it. *resumed tells which. */
MUST_CHECK enum err crawl_begin(struct db *index, const char *name,
                                int64_t now_ms, int64_t *crawl, bool *resumed,
                                struct errctx *ec);
/* Finished: the frontier rows of the crawl are dropped. */
MUST_CHECK enum err crawl_end(struct db *index, int64_t crawl,
                              struct errctx *ec);

/*
 * Where machines share it, one at a time is at a crawl: for 15 seconds from the
 * last call on. ERR_BUSY: another one is; or the crawl is gone. For a file
 * nothing is asked.
 */
MUST_CHECK enum err crawl_hold(struct db *index, int64_t crawl,
                               struct errctx *ec);
/* At once free for others. */
MUST_CHECK enum err crawl_release(struct db *index, int64_t crawl,
                                  struct errctx *ec);

/* Add URLs not seen in this crawl; *added counts the new ones. */
MUST_CHECK enum err frontier_add(struct db *index, int64_t crawl,
                                 const struct frontier_item *items,
                                 size_t count, int64_t *added,
                                 struct errctx *ec);
/* Due URLs in order of discovery (breadth first, when URLs are fetched in
 * that order) after the cursor (*after starts at 0). URLs added later always
 * come after it; one marked due again is met when the cursor starts anew. */
MUST_CHECK enum err frontier_due(struct db *index, int64_t crawl,
                                 int64_t *after, size_t limit, struct arena *a,
                                 struct frontier_item **out, size_t *count,
                                 struct errctx *ec);
/* What became of a URL; tries grows by one. ERR_NOT_FOUND when it is not in
 * the frontier. reason is a short fixed word for the summary
 * ("robots", "noindex", "http 404", "too large", "timeout"…). */
MUST_CHECK enum err frontier_mark(struct db *index, int64_t crawl,
                                  const char *url, enum frontier_state state,
                                  const char *reason, struct errctx *ec);

struct frontier_count {
    enum frontier_state state;
    const char *reason;
    int64_t count;
};
/* Counts by state and reason. */
MUST_CHECK enum err frontier_summary(struct db *index, int64_t crawl,
                                     struct arena *a,
                                     struct frontier_count **out, size_t *count,
                                     struct errctx *ec);

/* The calls above may stand inside page_batch_begin/commit. */

#endif
