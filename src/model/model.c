/*
 * The chat endpoint behind model.h: the ladder of forms and retries. What
 * goes over the wire is written and read in model_message.c; clients and the
 * breaker are endpoint.c's.
 */
#include "model/model.h"

#include "base/id.h"
#include "base/log.h"
#include "base/str.h"
#include "model/pace.h"
#include "net/endpoint.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RESPONSE_MAX = 1 << 20,     /* bytes of an answer */
    REQUEST_MAX = 4 << 20,      /* bytes of a request */
    RETRIES = 2,                /* on passing faults */
    STEPS_MAX = RUNG_COUNT + 2, /* each rung, and two other fields */
    RETRY_FIRST_MS = 500,
    RETRY_LEFT_MS = 200, /* less time than this is none */
    ROOM_FIRST = 2000,   /* tokens of the first question of all */
    ROOM_LEAST = 700,    /* the rules and a passage */
    ROOM_USUAL = 1500,
    ANSWER_LEAST = 48,
    TIME_PERCENT = 85, /* of what is left is planned with */
    SKIPS_MAX = 7      /* questions in a row not asked for want of time */
};

struct model {
    struct endpoint endpoint;
    const char *name;
    int64_t timeout_ms, context, answer;
    bool entail;
    /* The endpoint's mutex guards these. */
    struct model_dialect dialect;
    struct pace pace;
    int skips;
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

/* --- the model ----------------------------------------------------------- */

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
    m->name = c->model_name;
    m->timeout_ms = c->model_timeout_ms;
    m->context = c->model_context;
    m->answer = c->model_answer;
    m->entail = c->model_entail;
    e = endpoint_init(&m->endpoint, c, "model", c->model_url,
                      "chat/completions", c->model_key, ec);
    if (e != ERR_OK)
        free(m);
    else
        *out = m;
    return e;
}

void model_free(struct model *m)
{
    if (m == NULL)
        return;
    endpoint_fini(&m->endpoint);
    free(m);
}

static struct model_dialect dialect_get(struct model *m)
{
    struct model_dialect d;

    pthread_mutex_lock(&m->endpoint.mutex);
    d = m->dialect;
    pthread_mutex_unlock(&m->endpoint.mutex);
    return d;
}

/* What an answer taught about the endpoint; a rung that a schema is to blame
 * for is forgotten. */
static void dialect_keep(struct talk *t)
{
    struct model *m = t->m;

    pthread_mutex_lock(&m->endpoint.mutex);
    if (t->ask->schema == NULL || !t->ask->plain_schema)
        t->dialect.rung = m->dialect.rung;
    m->dialect = t->dialect;
    pthread_mutex_unlock(&m->endpoint.mutex);
}

void model_count_in(struct model *m, struct meter *meter)
{
    if (m != NULL)
        m->endpoint.meter = meter;
}

void model_health_get(struct model *m, struct model_health *out)
{
    memset(out, 0, sizeof(*out));
    out->name = m->name;
    endpoint_health(&m->endpoint, &out->failures, &out->resume_ms, out->why);
    out->suspended = out->resume_ms > 0;
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
                              .url = t->m->endpoint.url,
                              .headers = {"Content-Type: application/json",
                                          "Accept: application/json",
                                          t->m->endpoint.authorization},
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

static enum err talk_run(struct talk *t, int64_t tokens,
                         struct model_answer *out)
{
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

/* --- time ---------------------------------------------------------------- */

static struct pace pace_get(struct model *m)
{
    struct pace p;

    pthread_mutex_lock(&m->endpoint.mutex);
    p = m->pace;
    pthread_mutex_unlock(&m->endpoint.mutex);
    return p;
}

int64_t model_reads(struct model *m, const struct model_ask *ask)
{
    bool plain = ask->plain != NULL;
    int rung = ask->schema == NULL ? 0 : dialect_get(m).rung;
    const char *const texts[] = {
        ask->system, ask->user,
        plain && rung == RUNG_PROMPT ? ask->plain : ask->json,
        rung < RUNG_OBJECT || (plain && rung == RUNG_PROMPT) ? NULL
                                                             : ask->schema};
    int64_t n = 0;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i] != NULL)
            n += model_tokens_of(texts[i], strlen(texts[i]));
    return n;
}

static int64_t planned(int64_t ms)
{
    return ms * TIME_PERCENT / 100;
}

/* How many tokens the answer may have, of most; 0: there is no time to ask. */
static int64_t answer_room(struct model *m, int64_t read, int64_t ms,
                           int64_t most)
{
    int64_t room;

    pthread_mutex_lock(&m->endpoint.mutex);
    room = pace_write_room(&m->pace, read, planned(ms));
    if (room >= ANSWER_LEAST || m->skips >= SKIPS_MAX)
        m->skips = 0;
    else
        m->skips++;
    if (room < ANSWER_LEAST)
        room = m->skips > 0 ? 0 : ANSWER_LEAST;
    pthread_mutex_unlock(&m->endpoint.mutex);
    return room < most ? room : most;
}

static void pace_tell(struct model *m, enum err e, int64_t read, int64_t ms,
                      const struct model_answer *answer)
{
    int64_t said = model_tokens_of(answer->text, strlen(answer->text)) * 3 / 4;

    said = said < answer->written ? answer->written : said;
    pthread_mutex_lock(&m->endpoint.mutex);
    if (e == ERR_OK)
        pace_add(&m->pace, read, said, ms);
    else if (e == ERR_TIMEOUT)
        pace_late(&m->pace, read, ms);
    pthread_mutex_unlock(&m->endpoint.mutex);
}

int64_t model_room(struct model *m, struct deadline d)
{
    struct pace p = pace_get(m);
    int64_t ms = deadline_left(&d), room = m->context - m->answer, timely;

    ms = planned(ms < m->timeout_ms ? ms : m->timeout_ms);
    timely = p.token_ms == 0
                 ? ROOM_FIRST
                 : pace_read_room(&p, pace_answer(&p), ms);
    if (timely < ROOM_LEAST)
        timely = ROOM_LEAST;
    room = timely < room ? timely : room;
    return room > 0 ? room : 0;
}

bool model_entails(const struct model *m)
{
    return m->entail;
}

int64_t model_usual_ms(struct model *m)
{
    struct pace p = {0};

    if (m != NULL)
        p = pace_get(m);
    return pace_ms(&p, ROOM_USUAL, pace_answer(&p)) * 100 / TIME_PERCENT;
}

/* --- the whole ----------------------------------------------------------- */

enum err model_chat(struct model *m, const struct model_ask *ask,
                    struct deadline d, const char *id, struct arena *a,
                    struct model_answer *out, struct errctx *ec)
{
    struct errctx own;
    struct talk t = {.m = m, .ask = ask, .id = id, .a = a};
    struct model_answer answer = {.text = ""};
    char why[ENDPOINT_WHY_MAX];
    int64_t had_ms, took_ms, read = model_reads(m, ask), tokens;
    enum err e;

    t.ec = ec == NULL ? &own : ec;
    t.deadline = deadline_min(d, deadline_in(m->timeout_ms));
    had_ms = deadline_left(&t.deadline);
    if (!endpoint_is_open(&m->endpoint, why))
        return err_set(ec, ERR_BUSY, "the model is left alone for now: %s",
                       why);
    tokens = answer_room(m, read, had_ms,
                         ask->tokens_max > 0 ? ask->tokens_max : m->answer);
    if (had_ms < RETRY_LEFT_MS || tokens == 0) {
        log_info(id, "model: not asked, %lld ms are too short for it",
                 (long long)had_ms);
        return err_set(ec, ERR_TIMEOUT, "no time is left for the model");
    }
    t.dialect = dialect_get(m);
    e = endpoint_take(&m->endpoint, &t.http);
    if (e != ERR_OK)
        return err_set(ec, e, "no HTTP client for the model");
    e = talk_run(&t, tokens, &answer);
    took_ms = had_ms - deadline_left(&t.deadline);
    endpoint_give(&m->endpoint, t.http);
    endpoint_tell(&m->endpoint, e, had_ms, t.ec->msg);
    pace_tell(m, e, read, took_ms, &answer);
    if (e == ERR_OK)
        dialect_keep(&t);
    if (e == ERR_OK)
        *out = answer;
    else
        log_warn(id, "model: %s: %s", err_name(e), t.ec->msg);
    log_debug(id, "model: %lld tokens read, %lld may be written, %lld ms",
              (long long)read, (long long)tokens, (long long)took_ms);
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
