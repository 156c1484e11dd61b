/*
 * An HTTP client that asks nobody: what the input says is what came back.
 * Stands in for net/http.c, whose place the linker gives it. Included by
 * fuzzers alone.
 *
 * Replies are parted by form feeds and the last one is repeated: a line with
 * the status (0: no connection, 1: out of time), lines "Name: value", an empty
 * line, the body.
 */
#ifndef CITED_TESTS_HTTP_REPLY_H
#define CITED_TESTS_HTTP_REPLY_H

#include "fuzz.h"

#include "net/exchange.h"

enum { REPLIES_MAX = 64 };

STANDS_IN struct {
    struct str left, now;
    void *users[REPLIES_MAX];
    size_t caps[REPLIES_MAX], waiting;
} replies;

static inline void replies_are(struct str in)
{
    memset(&replies, 0, sizeof replies);
    replies.left = in;
}

static inline char **reply_slot(struct http_response *res, struct str name)
{
    const struct {
        const char *name;
        char **slot;
    } slots[] = {{"content-type", &res->content_type},
                 {"etag", &res->etag},
                 {"last-modified", &res->last_modified},
                 {"location", &res->location},
                 {"retry-after", &res->retry_after},
                 {"x-robots-tag", &res->robots_tag},
                 {"content-language", &res->language},
                 {"cache-control", &res->cache_control},
                 {"date", &res->date}};

    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        if (str_ieq(name, slots[i].name))
            return slots[i].slot;
    return NULL;
}

/* As the client promises: a value with control characters is absent. */
static inline void reply_header(struct http_response *res, struct str line)
{
    struct str name = fuzz_take_until(&line, ':');
    char **slot = reply_slot(res, str_trim(name));

    line = str_trim(line);
    for (size_t i = 0; i < line.n; i++)
        if (((unsigned char)line.p[i] < ' ' && line.p[i] != '\t') ||
            line.p[i] == 0x7F)
            return;
    if (slot == &res->robots_tag)
        HOLDS(http_response_join(slot, line) == ERR_OK);
    else if (slot != NULL)
        HOLDS(http_response_set(slot, line) == ERR_OK);
}

static inline void reply_read(struct http_response *res, const char *url,
                              size_t cap)
{
    struct str in, line;
    int64_t status = 200;
    char *z;

    if (replies.left.n > 0)
        replies.now = fuzz_take_until(&replies.left, '\f');
    in = replies.now;
    http_response_init(res, cap);
    HOLDS(http_response_set(&res->url, str_of(url)) == ERR_OK);
    z = fuzz_copy(str_trim(fuzz_take_until(&in, '\n')));
    (void)parse_int(z, 0, 999, &status);
    free(z);
    res->status = (long)status;
    if (status < 2) {
        http_response_fail(res, status == 0 ? ERR_UPSTREAM : ERR_TIMEOUT,
                           "no reply");
        return;
    }
    while (in.n > 0 && (line = fuzz_take_until(&in, '\n')).n > 0)
        reply_header(res, line);
    if (buf_add(&res->body, in.p == NULL ? "" : in.p, in.n) != ERR_OK)
        http_response_fail(res, ERR_TOO_LARGE, "too much");
}

STANDS_IN enum err http_new(const struct conf *c, struct http **out)
{
    (void)c;
    *out = calloc(1, sizeof **out);
    return *out == NULL ? ERR_NOMEM : ERR_OK;
}

STANDS_IN void http_free(struct http *h)
{
    free(h);
}

STANDS_IN void http_run(struct http *h, const struct http_request *rq,
                        struct deadline d, struct http_response *res)
{
    (void)h;
    (void)d;
    reply_read(res, rq->url, rq->response_max);
}

STANDS_IN void http_run_many(struct http *h, const struct http_request *rq,
                             size_t count, struct deadline d,
                             struct http_response *res)
{
    for (size_t i = 0; i < count; i++)
        http_run(h, &rq[i], d, &res[i]);
}

STANDS_IN enum err http_add(struct http *h, const struct http_request *rq,
                            int64_t timeout_ms)
{
    (void)h;
    (void)timeout_ms;
    HOLDS(replies.waiting < REPLIES_MAX);
    replies.users[replies.waiting] = rq->user;
    replies.caps[replies.waiting++] = rq->response_max;
    return ERR_OK;
}

STANDS_IN size_t http_poll(struct http *h, int timeout_ms)
{
    (void)h;
    (void)timeout_ms;
    return replies.waiting;
}

STANDS_IN bool http_take(struct http *h, struct http_response *res, void **user)
{
    (void)h;
    if (replies.waiting == 0)
        return false;
    *user = replies.users[--replies.waiting];
    reply_read(res, "http://host0.example/", replies.caps[replies.waiting]);
    return true;
}

STANDS_IN size_t http_in_flight(const struct http *h)
{
    (void)h;
    return replies.waiting;
}

STANDS_IN void http_abort(struct http *h)
{
    (void)h;
    replies.waiting = 0;
}

STANDS_IN void http_wake(struct http *h)
{
    (void)h;
}

STANDS_IN void http_global_fini(void)
{
}

#endif
