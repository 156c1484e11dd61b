/*
 * Crawls started over the API: who asked for what, and how far the helper
 * that works on it is. The frontier itself is in index/frontier.h. A helper
 * that shows no sign of life counts as dead, and its crawl as interrupted.
 */
#ifndef CITED_STORE_CRAWL_JOB_H
#define CITED_STORE_CRAWL_JOB_H

#include "base/arena.h"
#include "base/id.h"
#include "store/db.h"

#include <stdint.h>

enum crawl_state { CRAWL_RUNNING, CRAWL_DONE, CRAWL_FAILED, CRAWL_INTERRUPTED };

/* A helper writes at least this often; after that long a silence it is dead.
 * The rows of the last crawls are kept. */
enum { CRAWL_BEAT_MS = 2000, CRAWL_SILENT_MS = 15000, CRAWL_ROWS_MAX = 200 };

struct crawl_count {
    int64_t stored, skipped, failed, queued; /* pages; unchanged are stored */
};

/* What is asked for. */
struct crawl_order {
    const char *url;
    int64_t pages;    /* most to store */
    int64_t delay_ms; /* between two requests to a host; < 0: as configured */
};

struct crawl_job {
    const char *id;
    struct crawl_order order;
    enum crawl_state state;
    struct crawl_count count;
    int64_t beat_ms;              /* its last sign of life */
    int64_t started_ms, ended_ms; /* 0: not yet */
    const char *error;            /* or NULL */
};

/* "running", "done", "failed", "interrupted". */
const char *crawl_state_name(enum crawl_state s);

/*
 * A new crawl, running from now on. One of the same URL that runs already is
 * given back instead, with *fresh false. ERR_LIMIT: running_max of them run.
 */
MUST_CHECK enum err crawl_job_create(struct db *state, int64_t account,
                                     const struct crawl_order *order,
                                     int64_t running_max, int64_t now_ms,
                                     struct arena *a, struct crawl_job *out,
                                     bool *fresh, struct errctx *ec);
/* state as of now_ms. ERR_NOT_FOUND. */
MUST_CHECK enum err crawl_job_get(struct db *state, const char *id,
                                  int64_t now_ms, struct arena *a,
                                  struct crawl_job *out, struct errctx *ec);
/* The last ones, the newest first. */
MUST_CHECK enum err crawl_job_list(struct db *state, size_t limit,
                                   int64_t now_ms, struct arena *a,
                                   struct crawl_job **out, size_t *count,
                                   struct errctx *ec);

/* A sign of life of the helper, and how far it is. ERR_NOT_FOUND: it is over,
 * so nobody waits for this helper. */
MUST_CHECK enum err crawl_job_beat(struct db *state, const char *id,
                                   const struct crawl_count *n, int64_t now_ms,
                                   struct errctx *ec);
/* The end; n NULL leaves the figures. ERR_NOT_FOUND: it was over. */
MUST_CHECK enum err crawl_job_end(struct db *state, const char *id,
                                  enum crawl_state s,
                                  const struct crawl_count *n,
                                  const char *error, int64_t now_ms,
                                  struct errctx *ec);

#endif
