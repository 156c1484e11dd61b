/*
 * The route table and its gates. A route is a row: methods, pattern,
 * requirements, handler. The gates run in the contract's order — length of the
 * address 414, path 404, method 405, key 401/403, rate and requests in flight
 * 429, type and encoding 415, length 411 and size 413, then the body's JSON 400
 * — so that handlers hold no guards.
 */
#ifndef CITED_WEB_ROUTE_H
#define CITED_WEB_ROUTE_H

#include "base/str.h"
#include "web/app.h"
#include "web/problem.h"
#include "json/json.h"

enum { METHOD_GET = 1, METHOD_POST = 2, METHOD_DELETE = 4 };
enum {
    NEED_KEY = 1,      /* a valid key; call.account is set */
    NEED_BODY = 2,     /* application/json whose root is an object; call.body */
    NEED_SIGN_IN = 4,  /* besides NEED_KEY: a sign-in token, no API key */
    NEED_OPERATOR = 8, /* besides NEED_KEY: an operator's */
    NEED_ARRAY = 128,  /* with NEED_BODY: the root is an array instead */
    OR_ARRAY = 256,    /* with NEED_BODY: the root may be an array, too */
    OR_FORM = 512,     /* with NEED_BODY: or multipart/form-data, not parsed;
                          then call.body is NULL */
    OR_QUERY = 1024,   /* with NEED_BODY: or a query string and no body; then
                          call.body is NULL */
    OR_WATCHER = 16,   /* or, instead of all these, an address of
                          metrics.allow */
    NEED_TEXT = 32,    /* application/json, not parsed; rq->body */
    NO_STORE = 64,     /* w->store may be of NULLs: no database is open */
};

/* What a handler gets, and what it says when it has no answer. */
struct call {
    struct worker_ctx *w;
    const struct request *rq;
    struct response *res;
    int64_t account;
    struct bearer who;       /* with NEED_KEY: whose key or token it is */
    const char *token;       /* the same, as it was sent */
    const char *id;          /* of "{id}" in the pattern, or NULL */
    const struct json *body; /* or NULL */
    struct errctx ec;        /* of the step that failed */
    struct problem problem;  /* with the request's fields */
    struct json_out out;     /* call_object's */
};

/* ERR_OK: res is the whole answer; its status was 200 before the call. So it is
 * with ERR_TOLD, a problem (call_refuse). Else c->problem, when it holds any,
 * or the error with c->ec becomes it. */
typedef enum err call_handler(struct call *c);

/* Run a handler and make res whole, whatever it returns. */
void call_run(struct call *c, call_handler *handle);

/* Make res the problem; returns ERR_TOLD, for the handler to return. */
MUST_CHECK enum err call_refuse(struct call *c, enum problem_kind kind,
                                const char *message);

/* Fields of the request were not valid? Then the handler returns it. */
MUST_CHECK enum err call_checked(const struct call *c);

/* The JSON object that is the answer, begun; the handler ends it. */
struct json_out *call_object(struct call *c);

enum { BODY_PAGES = -1 };

struct route {
    unsigned methods;
    const char *pattern; /* literal segments with at most one "{id}" */
    unsigned needs;
    int64_t body_max; /* 0: limits.body_bytes; BODY_PAGES: pages_bytes */
    call_handler *handle;
};

/* The service's routes. */
extern const struct route route_table[];
extern const size_t route_table_count;

/*
 * How much of rq's body a transport reads; the rest it drops. More than
 * limits.body_bytes only on a route that takes more, and from whoever may use
 * it: nobody else shall fill the memory.
 */
int64_t route_body_max(struct worker_ctx *w, const struct request *rq);
/* The most that it can be. */
size_t route_body_cap(const struct conf *c);

/* Does server.cors_origins name this origin? */
bool route_origin_allowed(const struct conf *c, const char *origin);

/* Does path match pattern? *id gets the place and length of the segment
 * under "{id}" (not empty). */
bool route_matches(const char *pattern, const char *path, struct str *id);

/*
 * Answer rq from the table: gates, then the handler. res is complete but for
 * the headers every answer carries. Returns the pattern that matched, for
 * the log, or "-".
 */
const char *route_dispatch(const struct route *table, size_t count,
                           struct worker_ctx *w, const struct request *rq,
                           struct response *res);

#endif
