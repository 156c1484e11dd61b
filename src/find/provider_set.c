/*
 * The configured providers and their circuit breakers, shared by all threads
 * behind one mutex. Asks nobody. Called by provider_ask.c.
 */
#include "find/provider_json.h"
#include "net/polite.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FAILURES_MAX = 3,
    PAUSE_FIRST_MS = 1000,
    PAUSE_MAX_MS = 60000,
    ASKED_MAX_MS = 86400000 /* of a Retry-After */
};

struct breaker {
    int failures;          /* in a row */
    int64_t pause_ms;      /* of the last suspension; 0 = none yet */
    int64_t open_again_ms; /* monotonic; 0 = not suspended */
    bool trying;           /* one request finds out whether it is back */
    int64_t in_flight;
    enum outcome outcome; /* of the last failure */
    char msg[160];
};

struct provider_set {
    struct arena arena;
    struct provider_def def[CONF_PROVIDERS_MAX];
    size_t count;
    struct polite_memory *memory; /* locks itself */
    struct meter *meter;        /* or NULL */
    pthread_mutex_t mutex;
    struct breaker breaker[CONF_PROVIDERS_MAX]; /* guarded by the mutex */
};

enum err provider_set_new(const struct conf *c, struct provider_set **out,
                          struct errctx *ec)
{
    struct provider_set *s = calloc(1, sizeof(*s));
    enum err e = ERR_OK;

    if (s == NULL)
        return err_set(ec, ERR_NOMEM, "no memory for the providers");
    arena_init(&s->arena, 1 << 20);
    if (pthread_mutex_init(&s->mutex, NULL) != 0) {
        free(s);
        return err_set(ec, ERR_NOMEM, "no mutex for the providers");
    }
    if (polite_memory_new(&s->memory) != ERR_OK)
        e = err_set(ec, ERR_NOMEM, "no memory for the providers");
    for (size_t i = 0; e == ERR_OK && i < c->provider_count; i++) {
        e = provider_def_read(&c->provider[i], c, &s->arena, &s->def[i], ec);
        s->count = i + 1;
    }
    if (e != ERR_OK) {
        provider_set_free(s);
        return e;
    }
    *out = s;
    return ERR_OK;
}

void provider_set_free(struct provider_set *s)
{
    if (s == NULL)
        return;
    pthread_mutex_destroy(&s->mutex);
    arena_fini(&s->arena);
    polite_memory_free(s->memory);
    free(s);
}

struct polite_memory *provider_set_memory(struct provider_set *s)
{
    return s->memory;
}

size_t provider_set_count(const struct provider_set *s)
{
    return s == NULL ? 0 : s->count;
}

const struct provider_def *provider_set_at(const struct provider_set *s,
                                           size_t i)
{
    return &s->def[i];
}

enum admission provider_set_enter(struct provider_set *s, size_t i)
{
    struct breaker *b = &s->breaker[i];
    enum admission how = ADMIT_YES;

    pthread_mutex_lock(&s->mutex);
    if (b->trying || b->open_again_ms > clock_mono_ms())
        how = ADMIT_SUSPENDED;
    else if (b->in_flight >= s->def[i].parallel)
        how = ADMIT_FULL;
    else
        b->in_flight++;
    b->trying = b->trying || (how == ADMIT_YES && b->open_again_ms != 0);
    pthread_mutex_unlock(&s->mutex);
    return how;
}

/* Twice as long as the last time, or as long as the provider says. */
static void suspend(struct breaker *b, int64_t asked_ms)
{
    int64_t ms = b->pause_ms == 0 ? PAUSE_FIRST_MS : b->pause_ms * 2;

    if (ms > PAUSE_MAX_MS)
        ms = PAUSE_MAX_MS;
    b->pause_ms = ms;
    if (asked_ms > ms)
        ms = asked_ms > ASKED_MAX_MS ? ASKED_MAX_MS : asked_ms;
    b->open_again_ms = clock_mono_ms() + ms;
}

void provider_set_leave(struct provider_set *s, size_t i)
{
    struct breaker *b = &s->breaker[i];

    pthread_mutex_lock(&s->mutex);
    b->in_flight--;
    b->trying = false;
    pthread_mutex_unlock(&s->mutex);
}

static void failure_note(struct breaker *b, const struct provider_answer *pa,
                         int64_t retry_after_ms)
{
    b->outcome = pa->outcome;
    snprintf(b->msg, sizeof(b->msg), "%s", pa->msg);
    b->failures++;
    if (b->failures >= FAILURES_MAX || retry_after_ms >= 0)
        suspend(b, retry_after_ms);
}

void provider_set_count_in(struct provider_set *s, struct meter *meter)
{
    if (s != NULL)
        s->meter = meter;
}

static void count_outcome(const struct provider_set *s, size_t i,
                          enum outcome o)
{
    char name[METER_NAME_MAX];

    snprintf(name, sizeof(name),
             "cited_provider_requests_total{provider=\"%s\",outcome=\"%s\"}",
             s->def[i].name, outcome_name(o));
    meter_add(s->meter, name, 1);
}

void provider_set_tell(struct provider_set *s, size_t i,
                       const struct provider_answer *pa, int64_t retry_after_ms)
{
    struct breaker *b = &s->breaker[i];
    int64_t others;

    count_outcome(s, i, pa->outcome);
    pthread_mutex_lock(&s->mutex);
    others = --b->in_flight;
    b->trying = false;
    if (!outcome_is_failure(pa->outcome) ||
        pa->outcome == OUTCOME_BAD_REQUEST) {
        memset(b, 0, sizeof(*b));
        b->in_flight = others;
    } else {
        failure_note(b, pa, retry_after_ms);
    }
    pthread_mutex_unlock(&s->mutex);
}

void provider_set_state(struct provider_set *s, size_t i,
                        struct provider_state *out)
{
    const struct breaker *b = &s->breaker[i];
    int64_t left;

    pthread_mutex_lock(&s->mutex);
    left = b->open_again_ms == 0 ? 0 : b->open_again_ms - clock_mono_ms();
    *out = (struct provider_state){.name = s->def[i].name,
                                   .at = s->def[i].place.href,
                                   .lack = s->def[i].lack,
                                   .outcome = b->outcome};
    snprintf(out->msg, sizeof(out->msg), "%s", b->msg);
    pthread_mutex_unlock(&s->mutex);
    if (left > 0)
        out->until_ms = clock_now_ms() + left;
}
