/* Plain CGI (RFC 3875): one request, one process; see app.h. */
#include "web/app.h"

#include "web/problem.h"
#include "web/route.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { REQUEST_MS = 38000, DRAIN_MAX = 8 * 1024 * 1024 };

/* Read up to n bytes; 0 at the end or on failure. */
static size_t read_some(int fd, char *p, size_t n)
{
    ssize_t got;

    do
        got = read(fd, p, n);
    while (got < 0 && errno == EINTR);
    return got > 0 ? (size_t)got : 0;
}

/* At most Content-Length bytes when there is one (RFC 3875, section 4.2);
 * else to the end, which servers that pass chunked bodies on rely on. */
static enum err read_body(struct request *rq, int fd, int64_t max,
                          struct buf *body)
{
    int64_t left = rq->has_length ? rq->content_length : max + DRAIN_MAX;
    char chunk[16 * 1024];
    size_t n, want;

    if (left > max + DRAIN_MAX)
        left = max + DRAIN_MAX;
    while (left > 0) {
        want = left < (int64_t)sizeof chunk ? (size_t)left : sizeof chunk;
        n = read_some(fd, chunk, want);
        if (n == 0)
            break;
        left -= (int64_t)n;
        if (body->len + n > (uint64_t)max)
            rq->body_too_large = true;
        if (!rq->body_too_large && buf_add(body, chunk, n) != ERR_OK)
            return ERR_NOMEM;
    }
    rq->body = buf_str(body);
    rq->body_len = body->len;
    return ERR_OK;
}

static enum err write_all(int fd, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t put = write(fd, p, n);

        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return ERR_GONE;
        p += put;
        n -= (size_t)put;
    }
    return ERR_OK;
}

static enum err send_response(int fd, const struct response *res)
{
    struct buf head;
    enum err e;

    buf_init(&head, 16 * 1024);
    e = response_head(res, &head);
    if (e == ERR_OK)
        e = write_all(fd, head.data, head.len);
    if (e == ERR_OK)
        e = write_all(fd, buf_str(&res->body), res->body.len);
    buf_fini(&head);
    return e;
}

void cgi_refuse(int out_fd, enum err e)
{
    enum problem_kind kind = problem_kind_of(e);
    struct response res;
    char id[17];

    response_init(&res);
    problem_write(&res, problem_status(kind) < 500 ? PROBLEM_INTERNAL : kind,
                  "The service cannot start; its log says why.", NULL);
    request_new_id(id);
    app_headers(&res, id);
    /* When this fails too there is nobody left to tell. */
    if (send_response(out_fd, &res) != ERR_OK)
        res.status = 0;
    response_fini(&res);
}

static enum err serve(struct worker_ctx *w, char *const envp[], int in_fd,
                      int out_fd, bool *kick)
{
    const struct conf *conf = w->app->conf;
    struct request rq;
    struct response res;
    struct buf body;
    enum err e = request_from_env(&rq, envp, conf->base_path, conf->key_headers,
                                  deadline_in(REQUEST_MS), &w->arena);

    if (e != ERR_OK)
        return e;
    buf_init(&body, route_body_cap(conf));
    response_init(&res);
    if (rq.has_length || strcmp(rq.method, "POST") == 0)
        e = read_body(&rq, in_fd, route_body_max(w, &rq), &body);
    if (e == ERR_OK)
        app_handle(w, &rq, &res);
    else
        problem_write(&res, PROBLEM_MEMORY, NULL, NULL);
    e = send_response(out_fd, &res);
    *kick = res.kick;
    response_fini(&res);
    buf_fini(&body);
    return e;
}

enum err cgi_serve(struct app *app, char *const envp[], int in_fd, int out_fd,
                   struct errctx *ec)
{
    struct worker_ctx w;
    bool kick = false;
    enum err e;

    worker_ctx_init(&w, app);
    e = serve(&w, envp, in_fd, out_fd, &kick);
    if (e == ERR_GONE)
        err_set(ec, e, "the server stopped listening");
    else if (e != ERR_OK)
        cgi_refuse(out_fd, e);
    if (kick && app->kick != NULL)
        app->kick(app, w.store.state);
    worker_ctx_fini(&w);
    return e;
}
