/*
 * What a serving thread holds, and the one entry from any transport into the
 * application: app_handle.
 */
#ifndef CITED_WEB_APP_H
#define CITED_WEB_APP_H

#include "base/conf.h"
#include "search/search.h"
#include "store/db.h"
#include "web/auth.h"
#include "web/request.h"

struct rate_table;   /* web/rate.h: token buckets by key, one per process */
struct flight_table; /* web/flight.h: requests in flight by key */
struct meter;        /* base/meter.h: figures, shared by all processes */
struct usage;        /* web/usage.h: requests by key, not yet written */

/* Shared by all threads of the process; read-only but for what locks
 * itself. */
struct app {
    const struct conf *conf;
    struct store_files *files;
    struct provider_set *providers;
    struct model *model;          /* NULL: none */
    struct relevance *relevance;  /* NULL: none */
    const struct pdf_reader *pdf; /* given by prog; NULL: none is read */
    struct rate_table *rates;
    struct flight_table *flights; /* NULL: no limit */
    struct usage *usage;          /* NULL: not counted */
    struct meter *meter;          /* NULL: nothing is counted */
    /* Start a helper if one is needed; called after the reply was sent.
     * NULL when research.workers is 0. Given by prog. */
    void (*kick)(struct app *app, struct db *state);
    /* Start the helper of one crawl (store/crawl_job.h); NULL as kick. */
    enum err (*crawl)(struct app *app, const char *id, struct errctx *ec);
    int64_t (*helpers)(struct app *app); /* at work now; NULL as kick */
    void *prog;                          /* prog's own, for these */
    /* The IPv4 addresses that may connect over TCP, comma-separated (FastCGI
     * specification, section 3.2); NULL = all. */
    const char *web_servers;
};

/* One per thread. */
struct worker_ctx {
    struct app *app;
    struct store store;
    struct http *http; /* NULL until worker_ctx_http */
    struct auth_memory keys;
    struct arena arena;
};

MUST_CHECK enum err worker_ctx_init(struct worker_ctx *w, struct app *app,
                                    struct errctx *ec);
void worker_ctx_fini(struct worker_ctx *w);
/* The thread's HTTP client, made when first asked for: most requests need
 * none. */
MUST_CHECK enum err worker_ctx_http(struct worker_ctx *w, struct http **out);

/* Route, gate, handle; res is always a complete answer afterwards, the error
 * envelope included. Never fails, never blocks past rq->deadline. */
void app_handle(struct worker_ctx *w, const struct request *rq,
                struct response *res);

/* The headers every answer carries, for a transport that answers by itself. id
 * must outlive res. */
void app_headers(struct response *res, const char *id);

/* Transports. fcgi_serve returns when a stop was asked for (ERR_OK) or the
 * listening socket failed. stop_fd becomes readable when it shall stop.
 * ERR_TIMEOUT: stopped, but requests in flight did not end in time; their
 * threads still use app, so the process must end without giving it back. */
MUST_CHECK enum err fcgi_serve(struct app *app, int listen_fd, int stop_fd,
                               struct errctx *ec);
/* One request of plain CGI: envp, body from in_fd, answer to out_fd. */
MUST_CHECK enum err cgi_serve(struct app *app, char *const envp[], int in_fd,
                              int out_fd, struct errctx *ec);
/* The program cannot serve at all: answer out_fd with 500 in the envelope. */
void cgi_refuse(int out_fd);

#endif
