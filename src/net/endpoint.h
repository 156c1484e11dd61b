/*
 * An endpoint the operator named for a model: its address and key, HTTP
 * clients of its own, and the breaker that leaves it alone when it fails.
 * Shared by all threads. Called by model.c and relevance.c.
 *
 * The clients' allow list is the endpoint's host alone: it may be private,
 * and a page that leads there must not get a connection that stands open.
 */
#ifndef CITED_NET_ENDPOINT_H
#define CITED_NET_ENDPOINT_H

#include "base/arena.h"
#include "base/conf.h"
#include "base/meter.h"
#include "net/http.h"

#include <pthread.h>

enum { ENDPOINT_CLIENTS_MAX = 64, ENDPOINT_WHY_MAX = 160 };

struct endpoint {
    struct arena arena;
    const char *url;           /* of the call */
    const char *authorization; /* a header line, or NULL */
    const char *section;       /* of the configuration */
    struct meter *meter;       /* where calls are counted, or NULL */
    struct conf client_conf;   /* what its clients are made of */

    pthread_mutex_t mutex; /* guards what follows, and its owner's notes */
    struct http *idle[ENDPOINT_CLIENTS_MAX];
    size_t idle_count;
    int failures;                    /* in a row */
    int64_t pause_ms, open_again_ms; /* monotonic */
    char why[ENDPOINT_WHY_MAX];
};

/* Ready *ep for the call ("chat/completions") below a base address, which
 * gets /v1 when it has no path and is the call's own when it ends in it.
 * section is a literal. ERR_INVALID names section.url or section.key; then
 * nothing is to be given back. */
MUST_CHECK enum err endpoint_init(struct endpoint *ep, const struct conf *c,
                                  const char *section, const char *base,
                                  const char *call, const char *key,
                                  struct errctx *ec);
void endpoint_fini(struct endpoint *ep);

/* A client for one call, to be given back. */
MUST_CHECK enum err endpoint_take(struct endpoint *ep, struct http **out);
void endpoint_give(struct endpoint *ep, struct http *h);

/* May it be asked? why: what failed last. */
bool endpoint_is_open(struct endpoint *ep, char why[ENDPOINT_WHY_MAX]);

/* How a call ended that had had_ms; counted in cited_model_requests_total.
 * After three failures in a row it is left alone for 1, 2, 4 … 60 s; running
 * out of less than 2 s blames nobody. */
void endpoint_tell(struct endpoint *ep, enum err e, int64_t had_ms,
                   const char *why);

/* *resume_ms: until when it is left alone (UTC), 0 if it is not. */
void endpoint_health(struct endpoint *ep, int *failures, int64_t *resume_ms,
                     char why[ENDPOINT_WHY_MAX]);

#endif
