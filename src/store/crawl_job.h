/*
 * Crawls started over the API: who asked for what, and how far the helper
 * that works on it is. The frontier itself is in index/frontier.h. As with
 * tasks (store/task.h) a helper holds one under a lease that its signs of life
 * prolong; a crawl whose helper shows none is free again, for whichever machine
 * sees it first.
 */
#ifndef CITED_STORE_CRAWL_JOB_H
#define CITED_STORE_CRAWL_JOB_H

#include "base/arena.h"
#include "base/id.h"
#include "store/db.h"

#include <stdint.h>

enum crawl_state { CRAWL_RUNNING, CRAWL_DONE, CRAWL_FAILED, CRAWL_INTERRUPTED };

/* A helper writes at least this often; after that long a silence it is dead,
 * and no longer holds the frontier either (index/frontier.h). The rows of the
 * last crawls are kept. */
enum { CRAWL_BEAT_MS = 2000, CRAWL_SILENT_MS = 20000, CRAWL_ROWS_MAX = 200 };

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
    int64_t started_ms, ended_ms; /* 0: not yet */
    const char *error;            /* why it failed, or NULL */
};

/* What its helper holds. */
struct crawl_lease {
    struct crawl_job job;
    char token[UUID_LEN + 1]; /* proves that it does */
};

/* "running", "done", "failed", "interrupted". */
const char *crawl_state_name(enum crawl_state s);

/*
 * A new crawl, free for whoever takes it first. One of the same URL that is not
 * over is given back instead. ERR_LIMIT: running_max are not over.
 */
MUST_CHECK enum err crawl_job_create(struct db *state, int64_t account,
                                     const struct crawl_order *order,
                                     int64_t running_max, int64_t now_ms,
                                     struct arena *a, struct crawl_job *out,
                                     struct errctx *ec);
/* ERR_NOT_FOUND. */
MUST_CHECK enum err crawl_job_get(struct db *state, const char *id,
                                  struct arena *a, struct crawl_job *out,
                                  struct errctx *ec);
/* The last ones, the newest first. */
MUST_CHECK enum err crawl_job_list(struct db *state, size_t limit,
                                   struct arena *a, struct crawl_job **out,
                                   size_t *count, struct errctx *ec);

struct crawl_work {
    int64_t free; /* for whoever takes them */
    int64_t open; /* not over, the free ones included */
};

/* Is there work, and is anybody at it? Cheap: few are not over. */
MUST_CHECK enum err crawl_job_work(struct db *state, int64_t now_ms,
                                   struct crawl_work *out, struct errctx *ec);

/*
 * Take one that is free: new, given back, or left by a helper that died. For
 * CRAWL_SILENT_MS it then waits for the helper of its id, which the caller
 * starts. One whose attempts are used up fails instead ("gave up after N
 * attempts: …"); they count from the last time that anything was done.
 * ERR_NOT_FOUND: none is free.
 */
MUST_CHECK enum err crawl_job_take(struct db *state, int64_t attempts_max,
                                   int64_t now_ms, struct arena *a,
                                   struct crawl_job *out, struct errctx *ec);

/* The helper's: hold a crawl that was taken for it, or is free. ERR_NOT_FOUND:
 * there is no such crawl, it is over, or another helper is at it. */
MUST_CHECK enum err crawl_job_claim(struct db *state, const char *id,
                                    int64_t now_ms, struct arena *a,
                                    struct crawl_lease *out, struct errctx *ec);
/* A sign of life, and how far it is. ERR_LEASE_LOST: it is over, or another
 * helper's, so nobody waits for this one. */
MUST_CHECK enum err crawl_job_beat(struct db *state,
                                   const struct crawl_lease *l,
                                   const struct crawl_count *n, int64_t now_ms,
                                   struct errctx *ec);
/* Give it back because the helper leaves: as if it had not been taken. */
MUST_CHECK enum err crawl_job_put_back(struct db *state,
                                       const struct crawl_lease *l,
                                       const struct crawl_count *n,
                                       struct errctx *ec);
/* Give it back after a passing fault: free again when its last sign of life is
 * CRAWL_SILENT_MS old. */
MUST_CHECK enum err crawl_job_release(struct db *state,
                                      const struct crawl_lease *l,
                                      const char *error, struct errctx *ec);
/* The end; n NULL leaves the figures. ERR_LEASE_LOST. */
MUST_CHECK enum err crawl_job_end(struct db *state, const struct crawl_lease *l,
                                  enum crawl_state s,
                                  const struct crawl_count *n,
                                  const char *error, int64_t now_ms,
                                  struct errctx *ec);
/* The end for whoever is at it: interrupted. ERR_NOT_FOUND: no such crawl, or
 * it is over. */
MUST_CHECK enum err crawl_job_stop(struct db *state, const char *id,
                                   int64_t now_ms, struct errctx *ec);

#endif
