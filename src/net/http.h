/*
 * HTTP client; the only home of libcurl. One request or many in parallel,
 * always under a deadline, a byte cap and the address guard.
 *
 * The guard runs in CURLOPT_OPENSOCKETFUNCTION on the address that is really
 * connected to, on every hop: only global unicast addresses, unless the
 * host asked for is named in net.allow_hosts. No proxy is ever used.
 */
#ifndef CITED_NET_HTTP_H
#define CITED_NET_HTTP_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum { HTTP_HEADERS_MAX = 16 };

struct http_request {
    const char *method;                    /* NULL = GET */
    const char *url;                       /* canonical, from url_parse */
    const char *headers[HTTP_HEADERS_MAX]; /* "Name: value", NULL-terminated */
    const char *body;                      /* NULL = none */
    size_t body_len;
    size_t response_max; /* bytes after decompression */
    int redirects_max;   /* 0 = do not follow */
    bool same_host;      /* refuse redirects to another host */
    void *user;          /* untouched */
};

/* What came back. err tells how the exchange ended:
 * ERR_OK a response was read whole (whatever its status) · ERR_TIMEOUT ·
 * ERR_TOO_LARGE (body holds the first response_max bytes) · ERR_FORBIDDEN the
 * guard refused an address, a scheme or a redirect to another host ·
 * ERR_UPSTREAM no connection, reset, broken transfer, too many redirects ·
 * ERR_INVALID the request itself: no http(s) URL, a control character in a
 * header · ERR_NOMEM; msg says which. Strings are never NULL.
 *
 * Redirects are followed hop by hop: each target is parsed, checked and
 * guarded like a first request. Towards another origin only Accept*, If-*
 * and Content-* headers go along, so that no key leaves its host. A header
 * value with control characters counts as absent. */
struct http_response {
    enum err err;
    char msg[160];
    long status;
    char *url;          /* final, after redirects */
    char *content_type; /* as sent, "" if none */
    char *etag, *last_modified, *location, *retry_after; /* "" if none */
    char *robots_tag;    /* all X-Robots-Tag values, one per line, "" */
    char *language;      /* Content-Language, "" */
    char *cache_control; /* "" */
    char *date;          /* "" */
    struct buf body;
    bool redirected;
};

void http_response_fini(struct http_response *r);

struct http; /* a client: connection cache, guard; one thread at a time */

/* The first one loads libcurl; ERR_INTERNAL when that fails (logged). */
MUST_CHECK enum err http_new(const struct conf *c, struct http **out);
void http_free(struct http *h);

/* One request; blocks at most until the deadline. *res is always filled and
 * given back by the caller with http_response_fini. */
void http_run(struct http *h, const struct http_request *rq, struct deadline d,
              struct http_response *res);

/* count requests in parallel under one deadline; res[i] answers rq[i]. */
void http_run_many(struct http *h, const struct http_request *rq, size_t count,
                   struct deadline d, struct http_response *res);

/*
 * A running pool for the crawler: add requests at any time, take what is
 * done. http_poll waits at most timeout_ms and returns how many are done;
 * http_take hands one out (the caller owns *res) with the request's user.
 */
MUST_CHECK enum err http_add(struct http *h, const struct http_request *rq,
                             int64_t timeout_ms);
size_t http_poll(struct http *h, int timeout_ms);
bool http_take(struct http *h, struct http_response *res, void **user);
size_t http_in_flight(const struct http *h);
/* Drop what http_add brought and nobody took. */
void http_abort(struct http *h);
/* End a running or the next http_poll early; the only call that another
 * thread may make. */
void http_wake(struct http *h);

/* Once at the end of main, when no client is left. */
void http_global_fini(void);

struct sockaddr;
/* The guard's rule by itself: may this address be connected to without the
 * operator naming it? False for loopback, private, link-local, shared,
 * multicast, reserved, mapped, NAT64 and 6to4 ranges. */
bool http_address_is_public(const struct sockaddr *sa);

#endif
