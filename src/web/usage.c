/* Requests by key; see usage.h. A set-associative table: a key has WAYS
 * places, the one used longest ago gives way and is written first. Called by
 * web/route, the handler that lists keys, and the responder's end. */
#include "web/usage.h"

#include "base/clock.h"
#include "store/account.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 256, WAYS = 4, EVERY_MS = 60000 };

struct count {
    unsigned char key[SHA256_BYTES];
    bool taken;
    int64_t requests;   /* not written yet */
    int64_t used_ms;    /* wall clock */
    int64_t written_ms; /* monotonic; 0 never */
};

struct usage {
    pthread_mutex_t lock;
    struct count count[SETS][WAYS];
};

enum err usage_new(struct usage **out)
{
    struct usage *u = calloc(1, sizeof *u);

    if (u == NULL)
        return ERR_NOMEM;
    if (pthread_mutex_init(&u->lock, NULL) != 0) {
        free(u);
        return ERR_NOMEM;
    }
    *out = u;
    return ERR_OK;
}

/* Is anything not written yet? Of a process's last moments, without lock. */
static bool has_more(const struct usage *u)
{
    for (int i = 0; i < SETS * WAYS; i++)
        if (u->count[i / WAYS][i % WAYS].requests > 0)
            return true;
    return false;
}

void usage_free(struct usage *u, struct db_file *state)
{
    struct db *db = NULL;
    struct errctx ec;

    if (u == NULL)
        return;
    if (state != NULL && has_more(u) && db_open(state, &db, &ec) == ERR_OK)
        usage_flush(u, db);
    db_close(db);
    pthread_mutex_destroy(&u->lock);
    free(u);
}

static struct count *set_of(struct usage *u, const unsigned char *key)
{
    size_t at;

    memcpy(&at, key, sizeof at);
    return u->count[at % SETS];
}

/* The key's place; *due gets what has to be written because of it. */
static struct count *take_place(struct usage *u, const unsigned char *key,
                                struct count *due)
{
    struct count *set = set_of(u, key), *oldest = &set[0];

    for (int i = 0; i < WAYS; i++) {
        if (set[i].taken && memcmp(set[i].key, key, SHA256_BYTES) == 0)
            return &set[i];
        if (!set[i].taken ||
            (oldest->taken && set[i].used_ms < oldest->used_ms))
            oldest = &set[i];
    }
    *due = *oldest;
    *oldest = (struct count){.taken = true};
    memcpy(oldest->key, key, SHA256_BYTES);
    return oldest;
}

/* What could not be written waits on. */
static void give_back(struct usage *u, const struct count *due)
{
    struct count *set = set_of(u, due->key);

    pthread_mutex_lock(&u->lock);
    for (int i = 0; i < WAYS; i++)
        if (set[i].taken && memcmp(set[i].key, due->key, SHA256_BYTES) == 0)
            set[i].requests += due->requests;
    pthread_mutex_unlock(&u->lock);
}

static void write_due(struct usage *u, struct db *state,
                      const struct count *due)
{
    struct errctx ec;

    if (due->requests > 0 &&
        key_used(state, due->key, due->requests, due->used_ms, &ec) != ERR_OK)
        give_back(u, due);
}

void usage_note(struct usage *u, struct db *state,
                const unsigned char key[SHA256_BYTES])
{
    struct count due = {.requests = 0}, *c;
    int64_t mono = clock_mono_ms();

    if (u == NULL)
        return;
    pthread_mutex_lock(&u->lock);
    c = take_place(u, key, &due);
    c->requests++;
    c->used_ms = clock_now_ms();
    if (due.requests == 0 &&
        (c->written_ms == 0 || mono - c->written_ms >= EVERY_MS)) {
        c->written_ms = mono;
        due = *c;
        c->requests = 0;
    }
    pthread_mutex_unlock(&u->lock);
    write_due(u, state, &due);
}

void usage_flush(struct usage *u, struct db *state)
{
    if (u == NULL)
        return;
    for (int i = 0; i < SETS * WAYS; i++) {
        struct count *c = &u->count[i / WAYS][i % WAYS], due;

        pthread_mutex_lock(&u->lock);
        due = *c;
        c->requests = 0;
        pthread_mutex_unlock(&u->lock);
        write_due(u, state, &due);
    }
}
