/*
 * The helper of one crawl started over the API: `cited-worker --crawl ID`.
 * Crawls, and keeps the crawl's row (store/crawl_job.h) up to date. It is
 * started by whoever sees a crawl that nobody is at: the responder, or a helper
 * of tasks, of any machine.
 */
#ifndef CITED_RUN_CRAWLER_H
#define CITED_RUN_CRAWLER_H

#include "base/conf.h"
#include "base/meter.h"
#include "page/document.h"
#include "store/db.h"

#include <signal.h>

/* What it works with; all the caller's. */
struct crawler {
    const struct conf *conf;
    struct store_files *files;
    const struct pdf_reader *pdf;
    struct meter *meter; /* or NULL; counts cited_crawl_pages_total */
};

/*
 * Work on the crawl until it ends, or one of the signals in stop (blocked by
 * the caller in every thread) asks to leave, which gives it back: another
 * helper continues it. ERR_NOT_FOUND: no such crawl, or another helper is at
 * it. ERR_LEASE_LOST: it was stopped meanwhile, or another helper took it. A
 * crawl that fails is ERR_OK: its row says why.
 */
MUST_CHECK enum err crawler_run(const struct crawler *c, const char *id,
                                const sigset_t *stop, struct errctx *ec);

/* Start helpers of the crawls that nobody is at. How many are not over, so that
 * they are looked at again. What fails is a warning. */
int64_t crawler_start_free(const struct conf *c, struct db *state);

#endif
