/*
 * A running crawl as its files see it. One thread owns all of it; only the
 * parser's threads exist beside, and they hold nothing but jobs.
 *
 * crawl.c begins, loops and ends · fetch.c starts requests and takes
 * responses · settle.c decides what becomes of a page · batch.c writes.
 */
#ifndef CITED_CRAWL_STATE_H
#define CITED_CRAWL_STATE_H

#include "crawl/crawl.h"
#include "crawl/job.h"
#include "crawl/parser.h"
#include "crawl/scope.h"
#include "crawl/seen.h"
#include "crawl/tally.h"

enum {
    CRAWL_HOSTS_MAX = 1000,
    CRAWL_WINDOW = 2000,       /* URLs taken from the frontier ahead */
    CRAWL_TRIES_MAX = 3,       /* the first and two more */
    CRAWL_SITEMAPS_MAX = 1000, /* files in a run */
    CRAWL_SITEMAP_LEVELS = 3,
    CRAWL_QUEUE_MAX = 2000000, /* URLs due */
};

struct crawl {
    const struct conf *conf;
    const struct crawl_params *p;
    struct db *index;
    struct http *http;
    char product[ROBOTS_PRODUCT_SIZE]; /* of robots.txt lines: "cited" */

    struct arena keep;    /* hosts, reasons */
    struct arena scratch; /* of one step */
    struct scope scope;
    struct seen seen;
    struct seen read; /* page versions whose links are all recorded */
    struct tally tally;
    struct parser *parser;

    struct host *hosts[CRAWL_HOSTS_MAX];
    size_t host_count, turn;

    struct jobs flying;  /* requested */
    struct jobs retry;   /* waiting for another try */
    struct jobs settled; /* waiting to be written */
    int64_t settled_since_ms;
    size_t settled_bytes; /* held by them */
    size_t waiting;       /* at their hosts, all together */
    size_t pages_open;    /* pages between start and write */
    size_t sitemaps;

    int64_t id, links_id, read_id; /* in the frontier, see crawl.c */
    int64_t cursor;
    bool dry; /* the frontier had no more */

    struct crawl_progress now;
    int64_t started_ms, shown_ms;
    bool reached;      /* something was fetched */
    char trouble[224]; /* the first failure, in words */
    struct errctx *ec;
};

/* --- fetch.c ----------------------------------------------------------- */

/* Put a job into the queue of its URL's host; a new host is first asked for
 * its robots.txt. Takes the job. */
MUST_CHECK enum err fetch_queue(struct crawl *c, struct job *j);
/* Start what may start now. */
MUST_CHECK enum err fetch_start(struct crawl *c);
/* Take the responses that have come. */
MUST_CHECK enum err fetch_take(struct crawl *c);
/* Queue a sitemap unless this run has met it. */
MUST_CHECK enum err fetch_sitemap(struct crawl *c, const char *url,
                                  const struct url *base, int level);
/* Milliseconds until something waiting may start, at most max. */
int64_t fetch_wait(const struct crawl *c, int64_t max);
/* Have as many pages been stored as were asked for? */
bool fetch_is_full(const struct crawl *c);

/* --- settle.c ---------------------------------------------------------- */

/* A parsed page or sitemap: decide. */
void settle_parsed(struct crawl *c, struct job *j);
/* A page that ends here: not stored, reason for the summary. */
void settle_end(struct crawl *c, struct job *j, enum frontier_state state,
                const char *reason);
/* Still what the index holds. */
void settle_unchanged(struct crawl *c, struct job *j, int64_t page);
/* A redirect answered it. */
void settle_redirect(struct crawl *c, struct job *j);
enum { BATCH_DEEP_MARK = '+' };

/* --- batch.c ----------------------------------------------------------- */

/* Is it time to write what is settled? */
bool batch_is_due(const struct crawl *c);
/* Write it in one transaction; everything of a job is in it, or nothing. */
MUST_CHECK enum err batch_write(struct crawl *c);
/* The key under which a page's version is recorded as read. */
const char *batch_version_key(const char *url, const char *etag,
                              const char *last_modified, struct arena *a);

#endif
