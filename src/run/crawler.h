/*
 * The helper of one crawl started over the API: `cited-worker --crawl ID`.
 * Crawls, and keeps the crawl's row (store/crawl_job.h) up to date.
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
 * the caller in every thread) asks to leave, which makes it interrupted: the
 * same URL asked for again continues it. ERR_NOT_FOUND: no such crawl is
 * running. A crawl that fails is ERR_OK: its row says why.
 */
MUST_CHECK enum err crawler_run(const struct crawler *c, const char *id,
                                const sigset_t *stop, struct errctx *ec);

#endif
