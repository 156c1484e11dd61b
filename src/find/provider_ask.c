/*
 * Asking the configured providers in parallel: requests out, answers in, one
 * retry, circuit breakers told. Called by search.c.
 */
#include "find/provider_json.h"

#include "base/date.h"
#include "base/str.h"

#include <stdio.h>
#include <string.h>

enum {
    RETRY_LEFT_MS = 200,
    POLL_MS = 50,
    PARTS_MAX = 4, /* requests to one provider for a long list of domains */
    SLOTS_EACH = PARTS_MAX + 1, /* and one for the priority domains */
    WORDS_LEAST = 2             /* that dropping leaves of more words */
};

enum slot_state { SLOT_DONE, SLOT_WAITS, SLOT_OPEN };

/* One request, and those that follow it: a retry, or fewer words. */
struct slot {
    enum slot_state state;
    size_t provider;
    struct provider_ask ask;
    struct index_filter priority; /* the filter of ask, for those domains */
    struct deadline until;
    struct http_request rq;
    struct provider_answer answer;
    bool retried;
    int step; /* how often words were dropped */
};

struct provider_round {
    const struct search_env *env;
    struct deadline deadline;
    struct arena *a;
    struct slot *slots;
    struct provider_answer *answers;
    size_t slot_count, count; /* slots; providers */
    size_t open;              /* requests on their way */
};

const char *outcome_name(enum outcome o)
{
    static const char *const names[] = {
        "ok",          "empty",       "partial",   "rate limited", "denied",
        "bad request", "unavailable", "timed out", "malformed",    "suspended"};

    return names[o];
}

bool outcome_is_failure(enum outcome o)
{
    return o != OUTCOME_OK && o != OUTCOME_EMPTY && o != OUTCOME_PARTIAL;
}

static const struct provider_def *def_of(const struct provider_round *r,
                                         const struct slot *s)
{
    return provider_set_at(r->env->providers, s->provider);
}

static void slot_say(struct slot *s, enum outcome o, const char *msg)
{
    s->answer.outcome = o;
    snprintf(s->answer.msg, sizeof(s->answer.msg), "%s", msg);
}

/* The slot's last request is over: what it learnt goes to the breaker. */
static void slot_tell(struct provider_round *r, struct slot *s,
                      int64_t retry_after_ms)
{
    s->state = SLOT_DONE;
    provider_set_tell(r->env->providers, s->provider, &s->answer,
                      retry_after_ms);
}

/* Put a slot's request on its way; it holds a place at the provider. */
static enum err slot_send(struct provider_round *r, struct slot *s)
{
    int64_t left = deadline_left(&s->until);
    enum err e = provider_request(def_of(r, s), &s->ask, r->a, &s->rq);

    s->rq.user = s;
    if (e == ERR_OK && left > 0)
        e = http_add(r->env->http, &s->rq, left);
    if (e == ERR_OK && left > 0) {
        s->state = SLOT_OPEN;
        r->open++;
        return ERR_OK;
    }
    if (left <= 0)
        slot_say(s, OUTCOME_TIMEOUT, "");
    else
        slot_say(s, OUTCOME_BAD_REQUEST, "its templates make no request");
    s->state = SLOT_DONE;
    provider_set_leave(r->env->providers, s->provider);
    return e == ERR_NOMEM ? e : ERR_OK;
}

/* Ask for a place; without one the slot waits, or is over. */
static enum err slot_enter(struct provider_round *r, struct slot *s)
{
    struct provider_state st;

    s->state = SLOT_DONE;
    switch (provider_set_enter(r->env->providers, s->provider)) {
    case ADMIT_YES:
        return slot_send(r, s);
    case ADMIT_SUSPENDED:
        provider_set_state(r->env->providers, s->provider, &st);
        slot_say(s, OUTCOME_SUSPENDED, outcome_name(st.outcome));
        break;
    case ADMIT_FULL:
        slot_say(s, OUTCOME_LIMITED, "as many requests as `parallel` allows");
        if (deadline_left(&s->until) > 0)
            s->state = SLOT_WAITS;
        break;
    }
    return ERR_OK;
}

/* Can anything it finds pass the filter of domains? */
static bool is_in_reach(const struct provider_def *def,
                        const struct index_filter *f)
{
    static const struct domain_rules none = {NULL, 0};
    const struct domain_rules *in = f->include == NULL ? &none : f->include;

    if (!def->one_host)
        return true;
    for (size_t i = 0; i < in->count; i++)
        if (host_within(def->place.host, in->rules[i].host))
            return true;
    return in->count == 0 && (f->exclude == NULL ||
                              domains_allow(&none, f->exclude, &def->place));
}

static struct slot *slot_add(struct provider_round *r, size_t provider,
                             const struct provider_ask *ask)
{
    const struct provider_def *def =
        provider_set_at(r->env->providers, provider);
    struct slot *s = &r->slots[r->slot_count++];

    *s = (struct slot){.provider = provider, .ask = *ask};
    s->answer = (struct provider_answer){.provider = def->name};
    s->until = deadline_min(deadline_in(def->timeout_ms), r->deadline);
    return s;
}

static enum err slot_start(struct provider_round *r, struct slot *s)
{
    const struct provider_def *def = def_of(r, s);

    if (def->lack != NULL)
        slot_say(s, OUTCOME_DENIED, def->lack);
    else if (!is_in_reach(def, s->ask.f))
        slot_say(s, OUTCOME_EMPTY, "the domains asked for leave it out");
    else
        return slot_enter(r, s);
    return ERR_OK;
}

/* What a provider that can look into given domains has on those of the
 * priority list, however far down. */
static enum err priority_start(struct provider_round *r, size_t i,
                               const struct provider_ask *ask)
{
    struct slot *s;

    if (ask->q->priority.count == 0 ||
        provider_set_at(r->env->providers, i)->include.all[0] == '\0' ||
        (ask->f->include != NULL && ask->f->include->count > 0))
        return ERR_OK;
    s = slot_add(r, i, ask);
    s->priority = *ask->f;
    s->priority.include = &ask->q->priority;
    s->ask.f = &s->priority;
    return slot_start(r, s);
}

/* The slots of a provider: one, or several for a long list of domains. */
static enum err provider_start(struct provider_round *r, size_t i,
                               const struct provider_ask *ask)
{
    const struct provider_def *def = provider_set_at(r->env->providers, i);
    const struct domain_rules *in = ask->f->include;
    size_t each = (size_t)def->include.max, parts = 1;
    enum err e = ERR_OK;

    if (in != NULL && in->count > each && def->include.all[0] != '\0')
        parts = (in->count + each - 1) / each;
    for (size_t k = 0; e == ERR_OK && k < parts && k < PARTS_MAX; k++) {
        struct slot *s = slot_add(r, i, ask);

        s->ask.site = k * each;
        e = slot_start(r, s);
    }
    return e == ERR_OK ? priority_start(r, i, ask) : e;
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
            struct slot *s = user;

            provider_set_leave(r->env->providers, s->provider);
            http_response_fini(&res);
            r->open--;
        }
    }
}

enum err providers_start(const struct search_env *env, const struct query *q,
                         const struct index_filter *f, size_t want, bool images,
                         struct deadline d, struct arena *a,
                         struct provider_round **out)
{
    struct provider_round *r = arena_alloc(a, sizeof(*r));
    struct provider_ask ask = {.q = q, .f = f, .want = want, .images = images};
    size_t n = provider_set_count(env->providers);
    enum err e = ERR_OK;

    if (r == NULL)
        return ERR_NOMEM;
    *r = (struct provider_round){.env = env, .deadline = d, .a = a, .count = n};
    r->slots = arena_array(a, n * SLOTS_EACH + 1, sizeof(*r->slots));
    r->answers = arena_array(a, n + 1, sizeof(*r->answers));
    if (r->slots == NULL || r->answers == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; e == ERR_OK && i < n; i++)
        e = provider_start(r, i, &ask);
    if (e != ERR_OK) {
        round_drain(r);
        return e;
    }
    if (r->open > 0)
        http_poll(env->http, 0);
    *out = r;
    return ERR_OK;
}

/* Retry-After in milliseconds, of seconds or a date; -1 when there is none.
 * What is neither counts for half a minute. */
static int64_t retry_after_ms(const struct http_response *res)
{
    int64_t v;

    if (res->retry_after == NULL || res->retry_after[0] == '\0')
        return -1;
    if (parse_int(res->retry_after, 0, INT64_MAX / 1000, &v))
        return v * 1000;
    if (!date_parse_http(res->retry_after, &v))
        return 30000;
    v -= clock_now_ms();
    return v > 0 ? v : 0;
}

/* How many words are left out at a step of drop_terms. */
static int dropped_at(const struct provider_def *def, const struct query *q,
                      int step)
{
    int words = (int)provider_keywords(def, q), most = words - WORDS_LEAST;
    int steps = (int)def->drop_terms;

    if (words < 2 || step > steps)
        return 0;
    return most <= 0 ? 1 : (step * most + steps - 1) / steps;
}

/* Ask again for fewer words, if the question has some to spare? */
static bool drop_words(const struct provider_round *r, struct slot *s)
{
    int dropped = dropped_at(def_of(r, s), s->ask.q, s->step + 1);

    if (s->answer.outcome != OUTCOME_EMPTY || dropped <= s->ask.dropped ||
        deadline_left(&s->until) <= RETRY_LEFT_MS)
        return false;
    s->step++;
    s->ask.dropped = dropped;
    return true;
}

/* Once more when the provider itself was away; not when it says that those
 * it asks were: a meta search engine forgets that until it asks them again. */
static bool try_again(struct slot *s, const struct http_response *res)
{
    bool away = res->err != ERR_OK || res->status != 200;

    if (s->answer.outcome != OUTCOME_UNAVAILABLE || s->retried || !away ||
        deadline_left(&s->until) <= RETRY_LEFT_MS)
        return false;
    s->retried = true;
    return true;
}

static enum err slot_take(struct provider_round *r, struct slot *s,
                          const struct http_response *res)
{
    enum err e = provider_read(def_of(r, s), res, r->a, &s->answer);

    if (e != ERR_OK) {
        s->state = SLOT_DONE;
        provider_set_leave(r->env->providers, s->provider);
        return e;
    }
    if (drop_words(r, s) || try_again(s, res))
        return slot_send(r, s);
    slot_tell(r, s, retry_after_ms(res));
    return ERR_OK;
}

static bool is_slot_of(const struct provider_round *r, const void *user)
{
    for (size_t i = 0; i < r->slot_count; i++)
        if (user == &r->slots[i])
            return true;
    return false;
}

/* --- what a provider said in all its requests ---------------------------- */

/* The outcome of two requests to one provider: results of either count, and
 * a failure is not forgotten. */
static void outcome_join(struct provider_answer *to,
                         const struct provider_answer *more)
{
    bool failed =
        outcome_is_failure(to->outcome) || outcome_is_failure(more->outcome);
    bool found = to->count > 0 || more->count > 0;

    if (failed && found) {
        to->outcome = OUTCOME_PARTIAL;
    } else if (outcome_is_failure(more->outcome) ||
               (!failed && to->outcome == OUTCOME_EMPTY)) {
        to->outcome = more->outcome;
        memcpy(to->msg, more->msg, sizeof(to->msg));
    } else if (more->outcome == OUTCOME_PARTIAL) {
        to->outcome = OUTCOME_PARTIAL;
    }
}

/* Results of both, by their place. */
static enum err answer_join(struct provider_answer *to,
                            const struct provider_answer *more, struct arena *a)
{
    struct candidate *all =
        arena_array(a, to->count + more->count + 1, sizeof(*all));
    struct provider_image *images = arena_array(
        a, to->image_count + more->image_count + 1, sizeof(*images));
    size_t n = 0, i = 0, k = 0;

    if (all == NULL || images == NULL)
        return ERR_NOMEM;
    outcome_join(to, more);
    while (i < to->count || k < more->count)
        all[n++] =
            k == more->count || (i < to->count &&
                                 to->found[i].score >= more->found[k].score)
                ? to->found[i++]
                : more->found[k++];
    if (to->image_count > 0)
        memcpy(images, to->images, to->image_count * sizeof(*images));
    if (more->image_count > 0)
        memcpy(images + to->image_count, more->images,
               more->image_count * sizeof(*images));
    to->found = all;
    to->count = n;
    to->images = images;
    to->image_count += more->image_count;
    return ERR_OK;
}

static enum err answers_join(struct provider_round *r)
{
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < r->slot_count; i++) {
        const struct slot *s = &r->slots[i];

        if (i > 0 && r->slots[i - 1].provider == s->provider)
            e = answer_join(&r->answers[s->provider], &s->answer, r->a);
        else
            r->answers[s->provider] = s->answer;
    }
    return e;
}

/* Those without a place try again. Returns whether any still waits. */
static bool waiting_enter(struct provider_round *r, enum err *e)
{
    bool waits = false;

    for (size_t i = 0; i < r->slot_count; i++) {
        struct slot *s = &r->slots[i];

        if (s->state == SLOT_WAITS && *e == ERR_OK)
            *e = slot_enter(r, s);
        waits = waits || s->state == SLOT_WAITS;
    }
    return waits && *e == ERR_OK;
}

enum err providers_finish(struct provider_round *r,
                          struct provider_answer **out, size_t *count)
{
    enum err e = ERR_OK;

    /* Ends: every request, and every wait for one, has its time limit. */
    while (waiting_enter(r, &e) || r->open > 0) {
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
    if (e == ERR_OK)
        e = answers_join(r);
    if (e != ERR_OK)
        return e;
    *out = r->answers;
    *count = r->count;
    return ERR_OK;
}

enum err providers_ask(const struct search_env *env, const struct query *q,
                       const struct index_filter *f, size_t want, bool images,
                       struct deadline d, struct arena *a,
                       struct provider_answer **out, size_t *count)
{
    struct provider_round *r = NULL;
    enum err e = providers_start(env, q, f, want, images, d, a, &r);

    return e == ERR_OK ? providers_finish(r, out, count) : e;
}
