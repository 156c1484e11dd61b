/* Requests in flight; see flight.h. As many places as there can be threads,
 * so that a free one is always found. Called by web/route. */
#include "web/flight.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 256 };

struct place {
    unsigned char key[SHA256_BYTES];
    int64_t count; /* 0 = free */
};

struct flight_table {
    pthread_mutex_t lock;
    int64_t most;
    struct place place[PLACES];
};

enum err flight_new(int64_t most, struct flight_table **out)
{
    struct flight_table *t;

    if (most <= 0) {
        *out = NULL;
        return ERR_OK;
    }
    t = calloc(1, sizeof *t);
    if (t == NULL)
        return ERR_NOMEM;
    if (pthread_mutex_init(&t->lock, NULL) != 0) {
        free(t);
        return ERR_NOMEM;
    }
    t->most = most;
    *out = t;
    return ERR_OK;
}

void flight_free(struct flight_table *t)
{
    if (t == NULL)
        return;
    pthread_mutex_destroy(&t->lock);
    free(t);
}

/* The key's place, else a free one; NULL when there is neither. */
static struct place *find(struct flight_table *t, const unsigned char *key)
{
    struct place *empty = NULL;

    for (int i = 0; i < PLACES; i++) {
        struct place *p = &t->place[i];

        if (p->count > 0 && memcmp(p->key, key, SHA256_BYTES) == 0)
            return p;
        if (p->count == 0 && empty == NULL)
            empty = p;
    }
    return empty;
}

bool flight_enter(struct flight_table *t, const unsigned char key[SHA256_BYTES])
{
    struct place *p;
    bool in;

    if (t == NULL)
        return true;
    pthread_mutex_lock(&t->lock);
    p = find(t, key);
    in = p != NULL && p->count < t->most;
    if (in) {
        memcpy(p->key, key, SHA256_BYTES);
        p->count++;
    }
    pthread_mutex_unlock(&t->lock);
    return in;
}

void flight_leave(struct flight_table *t, const unsigned char key[SHA256_BYTES])
{
    struct place *p;

    if (t == NULL)
        return;
    pthread_mutex_lock(&t->lock);
    p = find(t, key);
    if (p != NULL && p->count > 0)
        p->count--;
    pthread_mutex_unlock(&t->lock);
}
