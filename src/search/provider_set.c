/*
 * The configured providers and their circuit breakers, shared by all threads
 * behind one mutex. Asks nobody. Called by provider_ask.c.
 */
#include "search/provider_json.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { FAILURES_MAX = 3, PAUSE_FIRST_MS = 1000, PAUSE_MAX_MS = 60000 };

struct breaker {
    int failures;          /* in a row */
    int64_t pause_ms;      /* of the last suspension; 0 = none yet */
    int64_t open_again_ms; /* monotonic; 0 = not suspended */
};

struct provider_set {
    struct arena arena;
    struct provider_def def[CONF_PROVIDERS_MAX];
    size_t count;
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
    for (size_t i = 0; e == ERR_OK && i < c->provider_count; i++) {
        e = provider_def_read(&c->provider[i], c->provider_timeout_ms,
                              &s->arena, &s->def[i], ec);
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
    free(s);
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

bool provider_set_open(struct provider_set *s, size_t i)
{
    bool open;

    pthread_mutex_lock(&s->mutex);
    open = s->breaker[i].open_again_ms <= clock_mono_ms();
    pthread_mutex_unlock(&s->mutex);
    return open;
}

/* Twice as long as the last time, or as long as the provider says. */
static void suspend(struct breaker *b, int64_t asked_ms)
{
    int64_t ms = b->pause_ms == 0 ? PAUSE_FIRST_MS : b->pause_ms * 2;

    if (ms > PAUSE_MAX_MS)
        ms = PAUSE_MAX_MS;
    b->pause_ms = ms;
    if (asked_ms > ms)
        ms = asked_ms > PAUSE_MAX_MS ? PAUSE_MAX_MS : asked_ms;
    b->open_again_ms = clock_mono_ms() + ms;
}

void provider_set_tell(struct provider_set *s, size_t i, enum outcome o,
                       int64_t retry_after_ms)
{
    struct breaker *b = &s->breaker[i];

    if (o == OUTCOME_SUSPENDED)
        return;
    pthread_mutex_lock(&s->mutex);
    if (o == OUTCOME_OK || o == OUTCOME_EMPTY || o == OUTCOME_BAD_REQUEST) {
        memset(b, 0, sizeof(*b));
    } else {
        b->failures++;
        if (b->failures >= FAILURES_MAX || retry_after_ms >= 0)
            suspend(b, retry_after_ms);
    }
    pthread_mutex_unlock(&s->mutex);
}
