/*
 * One request over libfcgi; see fcgi.h. The only file that includes it.
 *
 * libfcgi is kept from accepting and closing: it is handed a descriptor as if
 * that were a kept connection, and is left no descriptor at the end. Its own
 * accept cannot be stopped from outside, and its close waits up to two
 * seconds for the peer.
 */
#include "web/fcgi.h"

#include "base/log.h"
#include "web/problem.h"
#include "web/route.h"

#include <fcgiapp.h>
#include <string.h>
#include <sys/socket.h>

enum {
    READ_MS = 30000,             /* for a whole body, however it trickles */
    DRAIN_MAX = 8 * 1024 * 1024, /* read and dropped beyond body_max */
    BODY_KEEP = 64 * 1024,       /* memory a thread keeps for bodies */
    RECORD_BYTES = 16,           /* header and body of BEGIN_REQUEST */
    TYPE_BEGIN = 1,
    TYPE_END = 3,
    TYPE_STDOUT = 6
};

enum err fcgi_init(struct errctx *ec)
{
    int rc = FCGX_Init();

    if (rc != 0)
        return err_set(ec, ERR_INTERNAL, "libfcgi cannot start: %d", rc);
    return ERR_OK;
}

/* The bytes libfcgi has at hand, at least one; 0 at the end or after an
 * error. Unlike FCGX_GetStr it returns when some have come. */
static size_t take_some(FCGX_Stream *in, const char **p)
{
    int c = FCGX_GetChar(in);
    size_t n;

    if (c < 0)
        return 0;
    FCGX_UnGetChar(c, in);
    n = (size_t)(in->stop - in->rdNext);
    *p = (const char *)in->rdNext;
    in->rdNext = in->stop;
    return n;
}

/* Read the body to its end. ERR_GONE: the peer failed or is not done. */
static enum err read_body(FCGX_Stream *in, int64_t max, struct buf *body,
                          struct request *rq)
{
    struct deadline d = deadline_in(READ_MS);
    const char *p = NULL;
    size_t n, dropped = 0;

    while ((n = take_some(in, &p)) > 0) {
        if (body->len + n > (uint64_t)max)
            rq->body_too_large = true;
        if (rq->body_too_large)
            dropped += n;
        else if (buf_add(body, p, n) != ERR_OK)
            return ERR_NOMEM;
        if (dropped > DRAIN_MAX || deadline_passed(&d))
            return ERR_GONE;
    }
    rq->body = buf_str(body);
    rq->body_len = body->len;
    return FCGX_GetError(in) == 0 ? ERR_OK : ERR_GONE;
}

static bool send_response(FCGX_Request *r, const struct response *res)
{
    struct buf head;
    bool ok;

    buf_init(&head, 16 * 1024);
    ok = response_head(res, &head) == ERR_OK &&
         FCGX_PutStr(head.data, (int)head.len, r->out) >= 0 &&
         (res->body.len == 0 ||
          FCGX_PutStr(res->body.data, (int)res->body.len, r->out) >= 0);
    buf_fini(&head);
    return ok;
}

/* Did the peer stop before the end of what it announced? */
static bool is_cut(const struct request *rq, const FCGX_Request *r)
{
    return FCGX_GetError(r->in) != 0 ||
           (rq->has_length && !rq->body_too_large &&
            (int64_t)rq->body_len < rq->content_length);
}

static void refuse_cut(const struct request *rq, struct response *res)
{
    log_warn(rq->id, "a request did not arrive whole");
    problem_write(res, PROBLEM_VALIDATION, "The request did not arrive whole.",
                  NULL);
    app_headers(res, rq->id);
}

static void refuse_full(const struct request *rq, struct response *res)
{
    log_error(rq->id, "no memory for a request's body");
    problem_write(res, PROBLEM_MEMORY, NULL, NULL);
    app_headers(res, rq->id);
}

static bool answer(struct worker_ctx *w, FCGX_Request *r, struct deadline d,
                   struct buf *body, bool *kick, bool *complete)
{
    struct request rq;
    struct response res;
    enum err e;
    bool ok;

    response_init(&res);
    *complete = false;
    e = request_from_env(&rq, r->envp, w->app->conf->base_path,
                         w->app->conf->key_headers, d, &w->arena);
    if (e != ERR_OK) {
        problem_write(&res, PROBLEM_MEMORY, NULL, NULL);
        app_headers(&res, rq.id);
    } else {
        e = read_body(r->in, route_body_max(w, &rq), body, &rq);
        *complete = e == ERR_OK;
        if (e == ERR_NOMEM)
            refuse_full(&rq, &res);
        else if (is_cut(&rq, r))
            refuse_cut(&rq, &res);
        else
            app_handle(w, &rq, &res);
    }
    ok = send_response(r, &res);
    *kick = res.kick;
    response_fini(&res);
    return ok;
}

enum fcgi_end fcgi_request(struct worker_ctx *w, int fd, struct deadline d,
                           struct buf *body, bool *kick)
{
    FCGX_Request r;
    bool keep, ok, complete = true;

    *kick = false;
    FCGX_InitRequest(&r, -1, 0);
    r.ipcFd = fd;
    r.keepConnection = 1;
    r.detached = 1;
    if (FCGX_Accept_r(&r) != 0)
        return FCGI_END_GONE;
    keep = r.keepConnection != 0;
    ok = answer(w, &r, d, body, kick, &complete);
    ok = FCGX_FClose(r.err) == 0 && ok;
    ok = FCGX_FClose(r.out) == 0 && ok;
    FCGX_Free(&r, 0);
    arena_reset(&w->arena);
    if (body->size > BODY_KEEP)
        buf_fini(body);
    buf_reset(body);
    if (!complete)
        return FCGI_END_DRAIN;
    return ok && keep ? FCGI_END_KEEP : FCGI_END_CLOSE;
}

/* --- refusing ----------------------------------------------------------- */

static enum err add_record(struct buf *out, int type, unsigned id,
                           const char *p, size_t n)
{
    unsigned char head[8] = {1,
                             (unsigned char)type,
                             (unsigned char)(id >> 8),
                             (unsigned char)id,
                             (unsigned char)(n >> 8),
                             (unsigned char)n,
                             0,
                             0};

    buf_add(out, head, sizeof head);
    return buf_add(out, p, n);
}

/* The id of the request whose first record is waiting on fd; 1, which every
 * server uses, when it cannot be seen. */
static unsigned request_id(int fd)
{
    unsigned char b[RECORD_BYTES];
    ssize_t n = recv(fd, b, sizeof b, MSG_PEEK | MSG_DONTWAIT);

    if (n < 4 || b[0] != 1 || b[1] != TYPE_BEGIN)
        return 1;
    return (unsigned)b[2] << 8 | b[3];
}

void fcgi_refuse(int fd)
{
    static const char end[8] = {0};
    unsigned id = request_id(fd);
    struct response res;
    struct buf head, out;
    char name[17];

    response_init(&res);
    buf_init(&head, 4096);
    buf_init(&out, 8192);
    problem_write(&res, PROBLEM_UNAVAILABLE, NULL, NULL);
    request_new_id(name);
    app_headers(&res, name);
    log_warn(name, "refused: the queue is full");
    if (response_head(&res, &head) == ERR_OK &&
        buf_add(&head, res.body.data, res.body.len) == ERR_OK &&
        add_record(&out, TYPE_STDOUT, id, head.data, head.len) == ERR_OK &&
        add_record(&out, TYPE_STDOUT, id, "", 0) == ERR_OK &&
        add_record(&out, TYPE_END, id, end, sizeof end) == ERR_OK &&
        send(fd, out.data, out.len, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
        log_debug(NULL, "the peer left before it could be refused");
    shutdown(fd, SHUT_WR);
    buf_fini(&out);
    buf_fini(&head);
    response_fini(&res);
}
