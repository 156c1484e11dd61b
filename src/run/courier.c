/* Sending what ended tasks owe; see courier.h. No transaction is open while
 * the network is used: a try is counted before it is made, so that whoever is
 * killed at it has used it up. */
#include "run/courier.h"

#include "base/log.h"
#include "web/render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BODY_MAX = 64 << 20,
    ANSWER_MAX = 4096,     /* of which nothing is read */
    ARENA_MAX = 640 << 20, /* inputs and outputs of a batch */
    HOLD_SPARE_MS = 5000,  /* beyond the timeout, before another may try */
    HEADER_MAX = 128
};

struct parcel {
    const struct callback_job *job;
    struct buf body;
    char id[HEADER_MAX], time[HEADER_MAX], signature[HEADER_MAX];
};

int64_t courier_pause_ms(int64_t tries)
{
    static const int64_t seconds[COURIER_TRIES] = {2,    10,   60,    300,
                                                   1800, 7200, 21600, 0};

    return tries < 1 || tries > COURIER_TRIES ? 0 : seconds[tries - 1] * 1000;
}

int64_t courier_hold_ms(const struct conf *c)
{
    return c->callback_ms + HOLD_SPARE_MS;
}

enum err courier_sign(const unsigned char secret[SHA256_BYTES], const char *id,
                      int64_t seconds, const char *body, size_t n,
                      char out[COURIER_SIGNATURE_MAX])
{
    unsigned char mac[SHA256_BYTES];
    char base64[SHA256_BASE64_LEN + 1];
    struct buf b;
    enum err e;

    buf_init(&b, BODY_MAX);
    buf_addf(&b, "%s.%lld.", id, (long long)seconds);
    e = buf_add(&b, body, n);
    if (e == ERR_OK)
        e = id_hmac_sha256(secret, SHA256_BYTES, b.data, b.len, mac);
    buf_fini(&b);
    if (e != ERR_OK)
        return e;
    id_base64(mac, base64);
    snprintf(out, COURIER_SIGNATURE_MAX, "v1,%s", base64);
    return ERR_OK;
}

/* --- one parcel -------------------------------------------------------- */

static enum err pack(struct parcel *p, const struct callback_job *j,
                     int64_t now_ms, struct http_request *rq)
{
    char signature[COURIER_SIGNATURE_MAX];
    enum err e;

    p->job = j;
    buf_init(&p->body, BODY_MAX);
    render_task(&j->task, &p->body);
    e = buf_err(&p->body);
    if (e == ERR_OK)
        e = courier_sign(j->secret, j->task.id, now_ms / 1000, p->body.data,
                         p->body.len, signature);
    if (e != ERR_OK)
        return e;
    snprintf(p->id, sizeof p->id, "webhook-id: %s", j->task.id);
    snprintf(p->time, sizeof p->time, "webhook-timestamp: %lld",
             (long long)(now_ms / 1000));
    snprintf(p->signature, sizeof p->signature, "webhook-signature: %s",
             signature);
    *rq = (struct http_request){.method = "POST",
                                .url = j->url,
                                .headers = {"Content-Type: application/json",
                                            p->id, p->time, p->signature},
                                .body = p->body.data,
                                .body_len = p->body.len,
                                .response_max = ANSWER_MAX};
    return ERR_OK;
}

/* Was it accepted? A body longer than we read does not matter. */
static bool is_accepted(const struct http_response *r)
{
    return (r->err == ERR_OK || r->err == ERR_TOO_LARGE) && r->status >= 200 &&
           r->status < 300;
}

static const char *failure_of(const struct http_response *r, char out[200])
{
    if (r->err != ERR_OK && r->err != ERR_TOO_LARGE)
        snprintf(out, 200, "%s", r->msg[0] == '\0' ? err_name(r->err) : r->msg);
    else if (r->status >= 300 && r->status < 400)
        snprintf(out, 200, "HTTP status %ld: redirects are not followed",
                 r->status);
    else
        snprintf(out, 200, "HTTP status %ld", r->status);
    return out;
}

static enum err settle(struct db *state, const struct callback_job *j,
                       const struct http_response *r, int64_t now_ms,
                       struct errctx *ec)
{
    int64_t pause = courier_pause_ms(j->tries);
    char why[200];

    if (is_accepted(r)) {
        log_info(j->task.id, "record sent, try %lld", (long long)j->tries);
        return callback_settle(state, j, CALLBACK_DELIVERED, 0, NULL, ec);
    }
    failure_of(r, why);
    log_warn(j->task.id, "record not sent, try %lld%s", (long long)j->tries,
             pause == 0 || r->status == 410 ? ", given up" : "");
    if (pause == 0 || r->status == 410)
        return callback_settle(state, j, CALLBACK_GIVEN_UP, 0, why, ec);
    return callback_settle(state, j, CALLBACK_DUE, now_ms + pause, why, ec);
}

/* --- a batch ----------------------------------------------------------- */

static enum err send_all(const struct conf *c, struct db *state,
                         struct http *http, const struct callback_job *jobs,
                         size_t count, int64_t now_ms, struct errctx *ec)
{
    struct parcel *p = calloc(count, sizeof *p);
    struct http_request rq[COURIER_BATCH];
    struct http_response res[COURIER_BATCH];
    enum err e = p == NULL ? ERR_NOMEM : ERR_OK;

    for (size_t i = 0; i < count && e == ERR_OK; i++)
        e = pack(&p[i], &jobs[i], now_ms, &rq[i]);
    if (e != ERR_OK) {
        err_set(ec, e, "no memory for the records to be sent");
        goto out;
    }
    http_run_many(http, rq, count, deadline_in(c->callback_ms), res);
    for (size_t i = 0; i < count; i++) {
        enum err one = settle(state, &jobs[i], &res[i], clock_now_ms(), ec);

        if (e == ERR_OK)
            e = one;
        http_response_fini(&res[i]);
    }
out:
    for (size_t i = 0; p != NULL && i < count; i++)
        buf_fini(&p[i].body);
    free(p);
    return e;
}

enum err courier_run(const struct conf *c, struct db *state, struct http *http,
                     int64_t now_ms, size_t *sent, struct errctx *ec)
{
    struct callback_job *jobs = NULL;
    struct arena a;
    size_t count = 0;
    enum err e;

    arena_init(&a, ARENA_MAX);
    e = callback_take(state, now_ms, courier_hold_ms(c), COURIER_BATCH, &a,
                      &jobs, &count, ec);
    if (e == ERR_OK && count > 0)
        e = send_all(c, state, http, jobs, count, now_ms, ec);
    arena_fini(&a);
    if (e == ERR_OK)
        *sent = count;
    return e;
}
