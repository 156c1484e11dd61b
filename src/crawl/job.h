/*
 * One URL on its way through a crawl, and one host's state. Shared by the
 * files of crawl/ only.
 *
 * queued at its host → fetched → parsed (another thread) → settled: it is
 * decided what becomes of it → written with its batch, and freed.
 */
#ifndef CITED_CRAWL_JOB_H
#define CITED_CRAWL_JOB_H

#include "crawl/crawl.h"
#include "crawl/sitemap.h"
#include "net/http.h"
#include "net/robots.h"
#include "index/frontier.h"

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

enum robots_state { ROBOTS_FETCHING, ROBOTS_READY, ROBOTS_CLOSED };

struct host {
    const char *origin; /* scheme://host[:port] */
    enum robots_state state;
    struct robots robots;
    const char *closed; /* reason, when ROBOTS_CLOSED */
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

#endif
