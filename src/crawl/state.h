/*
 * A running crawl as its files see it. One thread owns all of it; only the
 * parser's threads exist beside, and they hold nothing but jobs.
 *
 * crawl.c begins, loops and ends · fetch.c starts requests and takes
 * responses · settle.c decides what becomes of a page · batch.c writes.
 */
#ifndef CITED_CRAWL_STATE_H
#define CITED_CRAWL_STATE_H

#include "base/err.h"
#include "base/url.h"
#include "crawl/crawl.h"
#include "crawl/sitemap.h"
#include "index/frontier.h"
#include "net/polite.h"

#include <stddef.h>
#include <stdint.h>

/* --- one URL on its way, and one host ---------------------------------------
 */

enum job_kind { JOB_PAGE, JOB_ROBOTS, JOB_SITEMAP };

struct host;

struct job {
    struct job *next;
    struct host *host;
    enum job_kind kind;
    int depth; /* of a page: links away from a seed */
    int level; /* of a sitemap: nesting */
    int tries;
    int64_t not_before_ms; /* monotonic, of a retry */
    bool conditional;
    bool open; /* counted in crawl.pages_open */

    struct http_response res;
    struct arena arena; /* of what follows */
    struct index_input input;
    struct document doc;
    struct sitemap map;
    enum err err; /* of parsing */
    struct errctx ec;

    /* settled */
    enum frontier_state state;
    const char *reason;
    const char *target; /* URL to store under */
    const char *queue;  /* redirect's or canonical URL to go to, or NULL */
    int hops;           /* redirects up to queue */
    bool put, touch, remove, links;
    bool counts;  /* as one more page stored */
    int64_t page; /* id, when touch */
    size_t settled_bytes;

    char url[];
};

/* A list of jobs. */
struct jobs {
    struct job *first, **last;
    size_t count;
};

struct host {
    const char *origin; /* scheme://host[:port] */
    bool asking;        /* for its robots.txt */
    bool has_turn;      /* among all machines, at next_ms */
    struct polite_rules rules;
    struct jobs waiting;
    int in_flight;
    int64_t delay_ms, next_ms; /* monotonic */
};

/* A job with its URL, everything else zero; NULL out of memory. */
struct job *job_new(enum job_kind kind, const char *url);
void job_free(struct job *j);

void jobs_init(struct jobs *l);
void jobs_add(struct jobs *l, struct job *j);
struct job *jobs_take(struct jobs *l); /* the first, or NULL */
void jobs_remove(struct jobs *l, struct job *j);
void jobs_free(struct jobs *l);

/* --- which URLs belong to a crawl -------------------------------------------
 */

struct scope {
    const struct crawl_params *p;
    struct url *seeds;
    size_t count;
};

/* ERR_INVALID names the seed that is no URL, or says there is none. */
MUST_CHECK enum err scope_init(struct scope *s, const struct crawl_params *p,
                               struct arena *a, struct errctx *ec);

/* On the host of a seed (its port, or both the scheme's own; "www." does not
 * count), or on a subdomain of one when the crawl follows those? */
bool scope_has_host(const struct scope *s, const struct url *u);

/* NULL when u may be fetched, else the short reason why not. A seed need not
 * match the include patterns. */
const char *scope_refuses(const struct scope *s, const struct url *u,
                          bool is_seed);

/* '*' stands for any run of characters, everything else for itself. A
 * pattern that begins with '/' is held against path and query, another one
 * against the whole URL; all of it must match. */
bool scope_glob(const char *pattern, const struct url *u);

/* --- the URLs met in this run -----------------------------------------------
 */

enum {
    SEEN_QUEUED = 1,     /* in the frontier */
    SEEN_TOO_DEEP = 2,   /* met, but only beyond the depth limit */
    SEEN_REFUSED = 4,    /* outside the scope */
    SEEN_STORED = 8,     /* its own content is in the index */
    SEEN_STORED_AS = 16, /* another page's content is, as its canonical URL */
    SEEN_HOP = 256,      /* redirects that led here count from here up */
    SEEN_HOPS_MAX = 10
};

struct seen {
    uint64_t *keys; /* 0 = free */
    uint16_t *flags;
    size_t size, count; /* size is a power of two */
    uint64_t seed;
};

MUST_CHECK enum err seen_init(struct seen *s);
void seen_fini(struct seen *s);

/* The flags of a text, added with flags 0 when it is new; the pointer is
 * good until the next call. NULL when the set is full (4 million) or out of
 * memory: the caller then asks the frontier on disk. */
uint16_t *seen_get(struct seen *s, const char *text);

/* Redirects that led to a URL, kept in its flags. */
int seen_hops(uint16_t flags);
uint16_t seen_with_hops(uint16_t flags, int hops);

/* --- why pages were skipped or failed ---------------------------------------
 */

enum { TALLY_MAX = 64 };

struct tally {
    struct crawl_reason row[TALLY_MAX];
    size_t count;
    struct arena *arena;
};

void tally_init(struct tally *t, struct arena *a);

/* Count reason once more; the first URL is its example. Reasons beyond the
 * table are counted as "other". */
void tally_add(struct tally *t, const char *reason, const char *url);
void tally_add_many(struct tally *t, const char *reason, const char *url,
                    int64_t n);

/* The frontier's counts, which hold also earlier runs of the same crawl,
 * take the place of ours where they are larger. */
void tally_merge(struct tally *t, const struct frontier_count *counts,
                 size_t count);

/* Largest count first. */
void tally_sort(struct tally *t);

/* --- threads that parse -----------------------------------------------------
 */

struct parser;

/* http is woken (http_wake) whenever a job is done. */
MUST_CHECK enum err parser_new(int threads, struct http *http,
                               struct parser **out);
/* Ends the threads after the job each is at; the rest is freed. */
void parser_free(struct parser *p);

/* Hand a job over; its response must be whole. */
void parser_add(struct parser *p, struct job *j);
/* A job that is done, or NULL. */
struct job *parser_take(struct parser *p);
/* Jobs handed over and not taken back. */
size_t parser_busy(const struct parser *p);

/* --- the crawl --------------------------------------------------------------
 */

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
    int64_t hold_ms; /* when crawl_hold is due again */
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
    int64_t vectors_ms; /* when vectors of words were made last */
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
