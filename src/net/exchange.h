/*
 * What the files of the HTTP client share: the client, one exchange over all
 * its hops, its response. Nobody outside net/ includes this.
 *
 * http.c owns clients, the pool and the loop · exchange.c a hop: request,
 * callbacks, redirect · http_response.c the response's memory.
 */
#ifndef CITED_NET_EXCHANGE_H
#define CITED_NET_EXCHANGE_H

#include "base/str.h"
#include "base/url.h"
#include "net/http.h"

#include <curl/curl.h>

enum { HTTP_IDLE_HANDLES_MAX = 64 };

struct allow {
    const char *host; /* as url_parse spells it */
    int port;         /* 0 = any */
};

/* One request from its start to its response, over all hops. */
struct exchange {
    struct exchange *next; /* in http.active, or in http.done */
    struct http *http;
    CURL *easy;
    struct curl_slist *headers;
    struct arena arena; /* the request's strings, URLs of the hops */
    struct url url;     /* of the current hop */
    const char *method;
    const char *header[HTTP_HEADERS_MAX];
    const char *body;
    size_t body_len;
    int redirects_left;
    bool follow, same_host;
    bool allowed; /* the hop's host is named by the operator */
    bool refused; /* the guard said no on this hop */
    bool headers_done;
    bool nomem;
    size_t header_bytes, header_lines;
    char curl_msg[CURL_ERROR_SIZE];
    struct deadline deadline;
    struct http_response res;
    struct http_response *out; /* of http_run_many; NULL = pool */
    void *user;
};

struct http {
    CURLM *multi;
    struct arena arena; /* allow list, user agent */
    const char *user_agent;
    struct allow *allow;
    size_t allow_count;
    struct exchange *active;
    struct exchange *done, **done_tail; /* of the pool */
    size_t in_flight, done_count;       /* of the pool */
    size_t waiting;                     /* of http_run_many */
    CURL *idle[HTTP_IDLE_HANDLES_MAX];
    size_t idle_count;
};

/* --- http.c ------------------------------------------------------------ */

/* Is the host, with this port, named in net.allow_hosts? */
bool http_host_is_allowed(const struct http *h, const struct url *u);
bool http_has_control(const char *p, size_t n);
/* The exchange ended so: hand the response to whom it belongs. x may be
 * gone afterwards. */
void exchange_finish(struct exchange *x, enum err e, const char *msg);

/* --- curl_load.c ------------------------------------------------------- */

/* Load and start libcurl, once per process; before its first call. */
MUST_CHECK enum err curl_load(void);

/* --- exchange.c -------------------------------------------------------- */

/* Put the exchange on the wire for its current hop. */
void exchange_start(struct exchange *x);
/* A hop ended: its transfer failed, leads on, or was the last. */
void exchange_hop_done(struct exchange *x, CURLcode code);
/* Does text begin with a scheme other than http and https? */
bool exchange_is_foreign(const char *text);

/* --- http_response.c --------------------------------------------------- */

void http_response_init(struct http_response *r, size_t cap);
void http_response_fail(struct http_response *r, enum err e, const char *msg);
/* Headers of an earlier hop, or of an interim response. */
void http_response_forget(struct http_response *r);
/* Replace a string of the response by a copy; ERR_NOMEM. */
enum err http_response_set(char **slot, struct str v);
/* Append a line to it; ERR_NOMEM. */
enum err http_response_join(char **slot, struct str v);

#endif
