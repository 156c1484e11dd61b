/*
 * The chat endpoint behind model.h: its clients, the ladder of forms, retries
 * and the breaker that leaves a failing endpoint alone. What goes over the
 * wire is written and read in model_message.c.
 *
 * The endpoint has HTTP clients of its own, whose allow list is its host
 * alone: the operator named it, so it may be private, and a page that leads
 * there must not get a connection that stands open.
 */
#include "net/model.h"

#include "base/id.h"
#include "base/log.h"
#include "base/str.h"
#include "base/url.h"
#include "net/http.h"
#include "net/model_message.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CLIENTS_MAX = 64,           /* kept for the next call */
    RESPONSE_MAX = 1 << 20,     /* bytes of an answer */
    REQUEST_MAX = 4 << 20,      /* bytes of a request */
    RETRIES = 2,                /* on passing faults */
    STEPS_MAX = RUNG_COUNT + 2, /* each rung, and two other fields */
    RETRY_FIRST_MS = 500,
    RETRY_LEFT_MS = 200, /* less time than this is none */
    FAILURES_MAX = 3,
    PAUSE_FIRST_MS = 1000,
    PAUSE_MAX_MS = 60000,
    SHORT_MS = 2000 /* a time limit below this blames nobody */
};

struct model {
    struct arena arena;
    const char *url, *name;
    const char *authorization; /* a header line, or NULL */
    struct conf client_conf;   /* what its clients are made of */
    int64_t timeout_ms, context, answer;

    pthread_mutex_t mutex; /* guards what follows */
    struct http *idle[CLIENTS_MAX];
    size_t idle_count;
    struct model_dialect dialect;
    int failures;
    int64_t pause_ms, open_again_ms; /* monotonic */
    char why[160];
};

/* One question on its way. */
struct talk {
    struct model *m;
    const struct model_ask *ask;
    struct http *http;
    struct deadline deadline;
    struct model_dialect dialect;
    int retries;
    const char *id;
    struct arena *a;
    struct errctx *ec;
};

/* --- the endpoint -------------------------------------------------------- */

/* The address of the chat call from the base address: as it is when it ends
 * in the call's own path, with /v1 when it has no path. */
static enum err url_set(struct model *m, const char *base, struct errctx *ec)
{
    static const char call[] = "chat/completions";
    struct url u;
    size_t n;
    const char *host, *path;
    enum err e = url_parse(base, strlen(base), NULL, &m->arena, &u, NULL);

    if (e == ERR_NOMEM)
        return err_set(ec, e, "no memory for the model");
    if (e != ERR_OK || strchr(u.href, '?') != NULL)
        return err_set(ec, ERR_INVALID,
                       "model.url must be a http or https address without a "
                       "query, not \"%.80s\"",
                       base);
    n = strlen(u.href);
    host = strstr(u.href, "://") + 3;
    path = strchr(host, '/');
    while (n > 0 && u.href[n - 1] == '/')
        n--;
    if (n > sizeof(call) - 1 &&
        strncmp(u.href + n - (sizeof(call) - 1), call, sizeof(call) - 1) == 0)
        m->url = arena_strndup(&m->arena, u.href, n);
    else
        m->url =
            arena_printf(&m->arena, "%.*s%s/%s", (int)n, u.href,
                         path == NULL || path[1] == '\0' ? "/v1" : "", call);
    m->client_conf.allow_hosts =
        arena_printf(&m->arena, "%s:%d", u.host, u.port);
    return arena_failed(&m->arena) ? err_set(ec, ERR_NOMEM, "no memory")
                                   : ERR_OK;
}

static enum err key_set(struct model *m, const char *key, struct errctx *ec)
{
    if (*key == '\0')
        return ERR_OK;
    for (const char *p = key; *p != '\0'; p++)
        if (*p <= ' ' || *p > '~')
            return err_set(ec, ERR_INVALID,
                           "model.key must be printable ASCII without spaces");
    m->authorization = arena_printf(&m->arena, "Authorization: Bearer %s", key);
    return m->authorization == NULL ? err_set(ec, ERR_NOMEM, "no memory")
                                    : ERR_OK;
}

enum err model_new(const struct conf *c, struct model **out, struct errctx *ec)
{
    struct model *m;
    enum err e;

    *out = NULL;
    if (c->model_url == NULL || c->model_url[0] == '\0')
        return ERR_OK;
    m = calloc(1, sizeof(*m));
    if (m == NULL)
        return err_set(ec, ERR_NOMEM, "no memory for the model");
    arena_init(&m->arena, 64 * 1024);
    if (pthread_mutex_init(&m->mutex, NULL) != 0) {
        free(m);
        return err_set(ec, ERR_NOMEM, "no mutex for the model");
    }
    m->client_conf = *c;
    m->name = c->model_name;
    m->timeout_ms = c->model_timeout_ms;
    m->context = c->model_context;
    m->answer = c->model_answer;
    e = url_set(m, c->model_url, ec);
    if (e == ERR_OK)
        e = key_set(m, c->model_key, ec);
    if (e != ERR_OK)
        model_free(m);
    else
        *out = m;
    return e;
}

void model_free(struct model *m)
{
    if (m == NULL)
        return;
    while (m->idle_count > 0)
        http_free(m->idle[--m->idle_count]);
    pthread_mutex_destroy(&m->mutex);
    arena_fini(&m->arena);
    free(m);
}

/* A client nobody uses, or a new one. */
static enum err client_take(struct model *m, struct http **out)
{
    struct http *h = NULL;

    pthread_mutex_lock(&m->mutex);
    if (m->idle_count > 0)
        h = m->idle[--m->idle_count];
    pthread_mutex_unlock(&m->mutex);
    if (h == NULL)
        return http_new(&m->client_conf, out);
    *out = h;
    return ERR_OK;
}

static void client_give(struct model *m, struct http *h)
{
    pthread_mutex_lock(&m->mutex);
    if (m->idle_count < CLIENTS_MAX) {
        m->idle[m->idle_count++] = h;
        h = NULL;
    }
    pthread_mutex_unlock(&m->mutex);
    http_free(h);
}

/* --- the breaker --------------------------------------------------------- */

static bool is_open(struct model *m, char why[160])
{
    bool open;

    pthread_mutex_lock(&m->mutex);
    open = m->open_again_ms <= clock_mono_ms();
    memcpy(why, m->why, sizeof(m->why));
    pthread_mutex_unlock(&m->mutex);
    return open;
}

static bool is_its_fault(enum err e)
{
    return e == ERR_UPSTREAM || e == ERR_LIMIT || e == ERR_MALFORMED ||
           e == ERR_TIMEOUT;
}

/* Twice as long as the last time. */
static void failure_count(struct model *m, const char *why)
{
    snprintf(m->why, sizeof(m->why), "%.*s",
             (int)utf8_cut(why, strlen(why), sizeof(m->why) - 1), why);
    if (++m->failures < FAILURES_MAX)
        return;
    m->pause_ms = m->pause_ms == 0 ? PAUSE_FIRST_MS : m->pause_ms * 2;
    if (m->pause_ms > PAUSE_MAX_MS)
        m->pause_ms = PAUSE_MAX_MS;
    m->open_again_ms = clock_mono_ms() + m->pause_ms;
}

/* What a call taught about the endpoint. */
static void tell(struct talk *t, enum err e, int64_t had_ms)
{
    struct model *m = t->m;

    pthread_mutex_lock(&m->mutex);
    if (e == ERR_OK) {
        m->failures = 0;
        m->pause_ms = 0;
        m->open_again_ms = 0;
        m->why[0] = '\0';
        if (t->ask->schema == NULL || !t->ask->plain_schema)
            t->dialect.rung = m->dialect.rung;
        m->dialect = t->dialect;
    } else if (is_its_fault(e) && (e != ERR_TIMEOUT || had_ms >= SHORT_MS)) {
        failure_count(m, t->ec->msg);
    }
    pthread_mutex_unlock(&m->mutex);
}

void model_health_get(struct model *m, struct model_health *out)
{
    int64_t left;

    memset(out, 0, sizeof(*out));
    out->name = m->name;
    pthread_mutex_lock(&m->mutex);
    left = m->open_again_ms - clock_mono_ms();
    out->failures = m->failures;
    memcpy(out->why, m->why, sizeof(out->why));
    pthread_mutex_unlock(&m->mutex);
    out->suspended = left > 0;
    out->resume_ms = left > 0 ? clock_now_ms() + left : 0;
}

/* --- one request --------------------------------------------------------- */

static bool is_passing(const struct http_response *res)
{
    if (res->err == ERR_UPSTREAM)
        return true;
    return res->err == ERR_OK &&
           (res->status == 408 || res->status == 409 || res->status == 429 ||
            res->status >= 500) &&
           res->status != 501;
}

/* How long to wait before asking again: what the endpoint says, else twice
 * as long each time, a quarter more or less so that not all come at once. */
static int64_t wait_for(const struct talk *t, const struct http_response *res)
{
    int64_t s, ms = (int64_t)RETRY_FIRST_MS << t->retries;
    unsigned char dice = 128;

    if (res->retry_after != NULL && parse_int(res->retry_after, 0, 86400, &s))
        return s * 1000;
    if (id_random(&dice, 1) != ERR_OK)
        dice = 128;
    return ms * (192 + dice / 2) / 256;
}

/* Wait, unless the deadline comes before. */
static bool wait_again(struct talk *t, int64_t ms)
{
    struct deadline until = deadline_in(ms);
    int64_t left;

    if (deadline_left(&t->deadline) < ms + RETRY_LEFT_MS)
        return false;
    while ((left = deadline_left(&until)) > 0)
        http_poll(t->http, (int)left);
    return true;
}

/* May the request be sent once more after this response? Waits for it. */
static bool retry(struct talk *t, const struct http_response *res)
{
    char msg[160];

    if (!is_passing(res) || t->retries >= RETRIES)
        return false;
    if (res->err == ERR_OK &&
        model_refusal_read(res, msg, sizeof(msg)) == REFUSAL_QUOTA)
        return false;
    if (!wait_again(t, wait_for(t, res)))
        return false;
    t->retries++;
    return true;
}

/* Send the body until it is answered; *res is the caller's to give back. */
static void send_body(struct talk *t, const struct buf *body,
                      struct http_response *res)
{
    struct http_request rq = {.method = "POST",
                              .url = t->m->url,
                              .headers = {"Content-Type: application/json",
                                          "Accept: application/json",
                                          t->m->authorization},
                              .body = buf_str(body),
                              .body_len = body->len,
                              .response_max = RESPONSE_MAX};

    for (;;) {
        http_run(t->http, &rq, t->deadline, res);
        if (!retry(t, res))
            return;
        http_response_fini(res);
    }
}

/* --- the ladder ---------------------------------------------------------- */

static bool is_refused(const struct http_response *res)
{
    return res->err == ERR_OK &&
           (res->status == 400 || res->status == 422 || res->status >= 500);
}

/* Say it another way? True changes the dialect. */
static bool adapt(struct talk *t, const struct http_response *res)
{
    char msg[160];
    enum model_refusal why;

    if (!is_refused(res))
        return false;
    why = model_refusal_read(res, msg, sizeof(msg));
    if (why == REFUSAL_CONTEXT || why == REFUSAL_QUOTA)
        return false;
    if (why == REFUSAL_TOKENS && !t->dialect.completion_tokens) {
        t->dialect.completion_tokens = true;
        return true;
    }
    if (why == REFUSAL_TEMPERATURE && !t->dialect.no_temperature) {
        t->dialect.no_temperature = true;
        return true;
    }
    /* llama.cpp says 500 to an answer that does not fit json_object. */
    if (res->status >= 500 && why != REFUSAL_FORM)
        return false;
    if (t->ask->schema == NULL || t->dialect.rung + 1 >= RUNG_COUNT)
        return false;
    t->dialect.rung++;
    return true;
}

/* A response that is final to an answer or an error. */
static enum err conclude(struct talk *t, const struct http_response *res,
                         struct model_answer *out)
{
    char msg[160];
    enum model_refusal why;

    if (res->err == ERR_TOO_LARGE)
        return err_set(t->ec, ERR_MALFORMED, "an answer of more than 1 MiB");
    if (res->err == ERR_NOMEM || res->err == ERR_TIMEOUT)
        return err_set(t->ec, res->err, "%s", res->msg);
    if (res->err != ERR_OK)
        return err_set(t->ec, ERR_UPSTREAM, "%s", res->msg);
    if (res->status == 200)
        return model_answer_read(res, t->a, out, t->ec);
    why = model_refusal_read(res, msg, sizeof(msg));
    if (why == REFUSAL_CONTEXT || res->status == 413)
        return err_set(t->ec, ERR_TOO_LARGE, "%s", msg);
    if (why == REFUSAL_QUOTA || res->status == 429)
        return err_set(t->ec, ERR_LIMIT, "%s", msg);
    return err_set(t->ec, ERR_UPSTREAM, "%s", msg);
}

static enum err talk_run(struct talk *t, struct model_answer *out)
{
    int64_t tokens = t->ask->tokens_max > 0 ? t->ask->tokens_max : t->m->answer;
    enum err e = ERR_INTERNAL;
    bool again = true;

    for (int step = 0; again && step <= STEPS_MAX; step++) {
        struct http_response res;
        struct buf body;

        buf_init(&body, REQUEST_MAX);
        e = model_request_write(t->m->name, t->ask, &t->dialect, tokens, &body);
        if (e != ERR_OK) {
            buf_fini(&body);
            return err_set(t->ec, e, "the question cannot be written");
        }
        send_body(t, &body, &res);
        buf_fini(&body);
        again = adapt(t, &res);
        if (!again || step == STEPS_MAX)
            e = conclude(t, &res, out);
        http_response_fini(&res);
    }
    return e;
}

enum err model_chat(struct model *m, const struct model_ask *ask,
                    struct deadline d, const char *id, struct arena *a,
                    struct model_answer *out, struct errctx *ec)
{
    struct errctx own;
    struct talk t = {.m = m, .ask = ask, .id = id, .a = a};
    struct model_answer answer = {"", false};
    char why[160];
    int64_t had_ms;
    enum err e;

    t.ec = ec == NULL ? &own : ec;
    t.deadline = deadline_min(d, deadline_in(m->timeout_ms));
    had_ms = deadline_left(&t.deadline);
    if (!is_open(m, why))
        return err_set(ec, ERR_BUSY, "the model is left alone for now: %s",
                       why);
    if (had_ms < RETRY_LEFT_MS)
        return err_set(ec, ERR_TIMEOUT, "no time is left for the model");
    pthread_mutex_lock(&m->mutex);
    t.dialect = m->dialect;
    pthread_mutex_unlock(&m->mutex);
    e = client_take(m, &t.http);
    if (e != ERR_OK)
        return err_set(ec, e, "no HTTP client for the model");
    e = talk_run(&t, &answer);
    client_give(m, t.http);
    tell(&t, e, had_ms);
    if (e == ERR_OK)
        *out = answer;
    else
        log_warn(id, "model: %s: %s", err_name(e), t.ec->msg);
    return e;
}

/* --- tokens -------------------------------------------------------------- */

int64_t model_tokens_of(const char *p, size_t n)
{
    int64_t ascii = 0, others = 0;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)p[i];

        ascii += c < 0x80;
        others += c >= 0xE0 ? 2 : c >= 0xC0;
    }
    return (ascii + 2) / 3 + others;
}

int64_t model_room(const struct model *m, int64_t tokens_max)
{
    int64_t room = m->context - (tokens_max > 0 ? tokens_max : m->answer);

    return room > 0 ? room : 0;
}
