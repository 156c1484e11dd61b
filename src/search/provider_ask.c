/*
 * Asking the configured providers in parallel: requests out, answers in, one
 * retry, circuit breakers told. Called by search.c.
 */
#include "search/provider_json.h"

#include "base/str.h"

#include <string.h>

enum { RETRY_LEFT_MS = 200, POLL_MS = 50 };

struct slot {
    size_t provider;
    struct http_request rq;
    bool retried;
};

struct provider_round {
    const struct search_env *env;
    struct deadline deadline;
    struct arena *a;
    struct slot *slots;
    struct provider_answer *answers;
    size_t count, open; /* open: requests on their way */
};

const char *outcome_name(enum outcome o)
{
    static const char *const names[] = {
        "ok",          "empty",     "rate limited", "denied",   "bad request",
        "unavailable", "timed out", "malformed",    "suspended"};

    return names[o];
}

bool outcome_is_failure(enum outcome o)
{
    return o != OUTCOME_OK && o != OUTCOME_EMPTY;
}

static int64_t time_for(const struct provider_round *r, size_t i)
{
    int64_t left = deadline_left(&r->deadline);
    int64_t own = provider_set_at(r->env->providers, i)->timeout_ms;

    return own < left ? own : left;
}

/* Put a slot's request on its way; what fails here is the outcome. */
static void slot_send(struct provider_round *r, struct slot *s)
{
    struct provider_answer *pa = &r->answers[s->provider];
    int64_t ms = time_for(r, s->provider);

    s->rq.user = s;
    pa->outcome = OUTCOME_TIMEOUT;
    if (ms <= 0)
        return;
    if (http_add(r->env->http, &s->rq, ms) != ERR_OK) {
        pa->outcome = OUTCOME_UNAVAILABLE;
        return;
    }
    r->open++;
}

static enum err slot_start(struct provider_round *r, size_t i,
                           const struct query *q, const struct index_filter *f,
                           size_t want)
{
    const struct provider_def *def = provider_set_at(r->env->providers, i);
    struct slot *s = &r->slots[i];
    enum err e;

    s->provider = i;
    r->answers[i].provider = def->name;
    if (!provider_set_open(r->env->providers, i)) {
        r->answers[i].outcome = OUTCOME_SUSPENDED;
        return ERR_OK;
    }
    e = provider_request(def, q, f, want, r->a, &s->rq);
    if (e == ERR_NOMEM)
        return e;
    if (e != ERR_OK)
        r->answers[i].outcome = OUTCOME_BAD_REQUEST;
    else
        slot_send(r, s);
    return ERR_OK;
}

/* Wait for what is on its way and forget it: the client would hand it out to
 * whoever asks next. Ends: every request has its own time limit. */
static void round_drain(struct provider_round *r)
{
    struct http_response res;
    void *user = NULL;

    while (r->open > 0) {
        http_poll(r->env->http, POLL_MS);
        while (r->open > 0 && http_take(r->env->http, &res, &user)) {
            http_response_fini(&res);
            r->open--;
        }
    }
}

enum err providers_start(const struct search_env *env, const struct query *q,
                         const struct index_filter *f, size_t want,
                         struct deadline d, struct arena *a,
                         struct provider_round **out)
{
    struct provider_round *r = arena_alloc(a, sizeof(*r));
    size_t n = provider_set_count(env->providers);

    if (r == NULL)
        return ERR_NOMEM;
    *r = (struct provider_round){.env = env, .deadline = d, .a = a};
    r->slots = arena_array(a, n, sizeof(*r->slots));
    r->answers = arena_array(a, n, sizeof(*r->answers));
    if (r->slots == NULL || r->answers == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < n; i++) {
        enum err e = slot_start(r, i, q, f, want);

        r->count = i + 1;
        if (e != ERR_OK) {
            round_drain(r);
            return e;
        }
    }
    if (r->open > 0)
        http_poll(env->http, 0);
    *out = r;
    return ERR_OK;
}

/* Retry-After in milliseconds: seconds, or -1 when absent. A date is taken
 * for half a minute; clocks differ anyway. */
static int64_t retry_after_ms(const struct http_response *res)
{
    int64_t s;

    if (res->retry_after == NULL || res->retry_after[0] == '\0')
        return -1;
    if (parse_int(res->retry_after, 0, 86400, &s))
        return s * 1000;
    return 30000;
}

static enum err slot_take(struct provider_round *r, struct slot *s,
                          const struct http_response *res)
{
    struct provider_answer *pa = &r->answers[s->provider];
    enum err e = provider_read(provider_set_at(r->env->providers, s->provider),
                               res, r->a, pa);

    if (e != ERR_OK)
        return e;
    if (pa->outcome == OUTCOME_UNAVAILABLE && !s->retried &&
        time_for(r, s->provider) > RETRY_LEFT_MS) {
        s->retried = true;
        slot_send(r, s);
        return ERR_OK;
    }
    provider_set_tell(r->env->providers, s->provider, pa->outcome,
                      retry_after_ms(res));
    return ERR_OK;
}

static bool is_slot_of(const struct provider_round *r, const void *user)
{
    for (size_t i = 0; i < r->count; i++)
        if (user == &r->slots[i])
            return true;
    return false;
}

enum err providers_finish(struct provider_round *r,
                          struct provider_answer **out, size_t *count)
{
    enum err e = ERR_OK;

    /* Ends: every request has its own time limit. */
    while (r->open > 0) {
        struct http_response res;
        void *user = NULL;
        enum err one;

        http_poll(r->env->http, POLL_MS);
        while (r->open > 0 && http_take(r->env->http, &res, &user)) {
            if (is_slot_of(r, user)) {
                r->open--;
                one = slot_take(r, user, &res);
                e = e == ERR_OK ? one : e;
            }
            http_response_fini(&res);
        }
    }
    if (e != ERR_OK)
        return e;
    *out = r->answers;
    *count = r->count;
    return ERR_OK;
}

enum err providers_ask(const struct search_env *env, const struct query *q,
                       const struct index_filter *f, size_t want,
                       struct deadline d, struct arena *a,
                       struct provider_answer **out, size_t *count)
{
    struct provider_round *r = NULL;
    enum err e = providers_start(env, q, f, want, d, a, &r);

    return e == ERR_OK ? providers_finish(r, out, count) : e;
}
