/* Token buckets; see rate.h. A set-associative table: a key has WAYS places,
 * the one used longest ago gives way. Tokens are counted in thousandths, so
 * that a bucket fills by per_second of them each millisecond. */
#include "web/rate.h"

#include "base/id.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 1024, WAYS = 4, TOKEN = 1000 };

struct bucket {
    uint64_t key; /* 0 = free */
    int64_t at_ms;
    int64_t tokens;
};

struct rate_table {
    pthread_mutex_t lock;
    int64_t per_second;
    struct bucket bucket[SETS][WAYS];
};

enum err rate_new(int64_t per_second, struct rate_table **out)
{
    struct rate_table *t;

    if (per_second <= 0) {
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
    t->per_second = per_second;
    *out = t;
    return ERR_OK;
}

void rate_free(struct rate_table *t)
{
    if (t == NULL)
        return;
    pthread_mutex_destroy(&t->lock);
    free(t);
}

/* Unguessable order of keys: nobody can aim at another key's set. */
static uint64_t key_hash(const char *key)
{
    unsigned char digest[SHA256_BYTES];
    uint64_t h;

    id_sha256(key, strlen(key), digest);
    memcpy(&h, digest, sizeof h);
    return h == 0 ? 1 : h;
}

static struct bucket *find(struct rate_table *t, uint64_t h, int64_t now_ms)
{
    struct bucket *set = t->bucket[h % SETS];
    struct bucket *oldest = &set[0];

    for (int i = 0; i < WAYS; i++) {
        if (set[i].key == h)
            return &set[i];
        if (set[i].key == 0 ||
            (oldest->key != 0 && set[i].at_ms < oldest->at_ms))
            oldest = &set[i];
    }
    oldest->key = h;
    oldest->at_ms = now_ms;
    oldest->tokens = t->per_second * TOKEN;
    return oldest;
}

static void fill(struct bucket *b, int64_t per_second, int64_t now_ms)
{
    int64_t full = per_second * TOKEN;
    int64_t gone = now_ms - b->at_ms;

    if (gone >= 1000)
        b->tokens = full;
    else if (gone > 0)
        b->tokens += gone * per_second;
    if (b->tokens > full)
        b->tokens = full;
    if (gone > 0)
        b->at_ms = now_ms;
}

int64_t rate_take(struct rate_table *t, const char *key, int64_t now_ms)
{
    int64_t wait = 0;
    struct bucket *b;

    if (t == NULL)
        return 0;
    pthread_mutex_lock(&t->lock);
    b = find(t, key_hash(key), now_ms);
    fill(b, t->per_second, now_ms);
    if (b->tokens >= TOKEN)
        b->tokens -= TOKEN;
    else
        wait = (TOKEN - b->tokens + t->per_second - 1) / t->per_second;
    pthread_mutex_unlock(&t->lock);
    return wait;
}
