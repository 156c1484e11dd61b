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

struct limits; /* web/limit.h: rates and requests in flight, as the meter */
struct meter;  /* base/meter.h: figures, shared by all processes */
struct usage;  /* web/usage.h: requests by key, not yet written */

/* Research helpers of the data folder. */
struct helpers {
    int64_t live;
    int64_t silent; /* they hold a place but give no sign of life */
};

/* Shared by all threads of the process; read-only but for what locks
 * itself. */
struct app {
    const struct conf *conf;
    struct store_files *files;
    struct provider_set *providers;
    struct model *model;          /* NULL: none */
    struct relevance *relevance;  /* NULL: none */
    const struct pdf_reader *pdf; /* given by prog; NULL: none is read */
    struct limits *limits;        /* NULL: none */
    _Atomic int nodes;            /* that share the limits; 0: this one */
    struct usage *usage;          /* NULL: not counted */
    struct meter *meter;          /* NULL: nothing is counted */
    struct auth_away keys_away;
    /* When memory was short last (monotonic), 0 never. */
    _Atomic int64_t no_memory_ms;
    /* Start a helper if one is needed; called after the reply was sent.
     * NULL when research.workers is 0. Given by prog, as what follows. */
    void (*kick)(struct app *app, struct db *state);
    /* Who is at work now; NULL: it cannot be told. */
    void (*helpers)(struct app *app, struct helpers *out);
    void *prog; /* prog's own, for these */
    /* The IPv4 addresses that may connect over TCP, comma-separated (FastCGI
     * specification, section 3.2); NULL = all. */
    const char *web_servers;
};

/* One per thread. */
struct worker_ctx {
    struct app *app;
    struct store store;      /* of NULLs until worker_ctx_store */
    struct http *http;       /* NULL until worker_ctx_http */
    struct meaning *meaning; /* NULL until worker_ctx_meaning, and where no
                                encoder is configured */
    bool has_meaning;        /* it was looked for */
    struct auth_memory keys;
    struct arena arena;
};

void worker_ctx_init(struct worker_ctx *w, struct app *app);
void worker_ctx_fini(struct worker_ctx *w);
/* Open the databases, unless they are open: a service whose disk is full or
 * whose database is damaged says so, and goes on when that is mended. Errors as
 * db_open; ERR_DB also where it has ERR_IO. */
MUST_CHECK enum err worker_ctx_store(struct worker_ctx *w, struct errctx *ec);
/* The thread's HTTP client, made when first asked for: most requests need
 * none. */
MUST_CHECK enum err worker_ctx_http(struct worker_ctx *w, struct http **out);

/* The thread's encoder with its vectors, opened when first asked for. NULL:
 * words only. */
struct meaning *worker_ctx_meaning(struct worker_ctx *w);

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
/* The program cannot serve at all, because of e: answer out_fd with that in
 * the envelope. */
void cgi_refuse(int out_fd, enum err e);

#endif
