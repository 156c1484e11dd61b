/*
 * An HTTP request as plain data, whatever brought it (FastCGI, CGI, a test),
 * and the response as plain data. Bounded: a value that exceeds its cap is
 * refused before a handler sees it.
 */
#ifndef CITED_WEB_REQUEST_H
#define CITED_WEB_REQUEST_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/id.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    RESPONSE_HEADERS_MAX = 12,
    URI_MAX = 16384 /* path and query; a page's URL, escaped, fits in */
};

struct request {
    const char *method;
    const char *path;  /* decoded, base prefix removed, begins with '/' */
    const char *query; /* raw, without '?', or "" */
    const char *authorization; /* header value or NULL */
    const char *key;           /* of a header of key_headers, or NULL */
    const char *path_key;      /* of /key/KEY/…, or NULL */
    const char *content_type;  /* or NULL */
    const char *encoding;      /* Content-Encoding, or NULL */
    const char *origin;        /* or NULL */
    const char *idempotency;   /* Idempotency-Key, or NULL */
    const char *mcp_version;   /* MCP-Protocol-Version, or NULL */
    const char *last_event;    /* Last-Event-ID, or NULL */
    const char *remote_addr;   /* or "" */
    bool has_length;           /* CONTENT_LENGTH was given */
    int64_t content_length;
    const char *body; /* never NULL */
    size_t body_len;
    bool body_too_large; /* more came than body_max; the rest was dropped */
    char id[17];         /* X-Request-Id: 16 hex digits */
    struct deadline deadline; /* for the whole request */
    struct arena *arena;
};

struct response {
    int status;
    const char *type; /* Content-Type; NULL with no body */
    const char *name[RESPONSE_HEADERS_MAX], *value[RESPONSE_HEADERS_MAX];
    size_t header_count;
    struct buf body;
    const char *fault; /* of a status of 500 and more: for the operator */
    bool kick;         /* a helper should be started after the reply */
    bool no_memory;    /* that is the fault */
    bool head;         /* answer to HEAD: body stays empty, its length unsaid */
};

void response_init(struct response *r);
void response_fini(struct response *r);
/* name and value must outlive the response (literals or arena). */
void response_header(struct response *r, const char *name, const char *value);

/*
 * PATH of the request from what a server gives (rules measured per server):
 * PATH_INFO when it begins with "/v1/" or names a known top path; else
 * SCRIPT_NAME + PATH_INFO with the base path removed; else from the last
 * "<base>/v1/" on. Doubled "/v1/v1" and trailing slashes are forgiven.
 */
const char *request_path(const char *script_name, const char *path_info,
                         const char *base_path, struct arena *a);

/*
 * Everything but the body, from CGI variables ("NAME=value", NULL-terminated;
 * the first of equal names counts). Values point into envp; the path and the
 * fresh id are new. A Content-Length that is no number counts as absent.
 * body is "" until the transport sets it. key_headers: names between commas,
 * or "". ERR_NOMEM.
 */
MUST_CHECK enum err request_from_env(struct request *rq, char *const envp[],
                                     const char *base_path,
                                     const char *key_headers, struct deadline d,
                                     struct arena *a);

/* A fresh X-Request-Id; zeros when the kernel gives no randomness. */
void request_new_id(char out[17]);

/* The CGI header block of r ("Status: 200 OK\r\n" … empty line) onto out.
 * Values are our own or from the configuration; a line break in one of them
 * is dropped with its header. */
MUST_CHECK enum err response_head(const struct response *r, struct buf *out);

#endif
