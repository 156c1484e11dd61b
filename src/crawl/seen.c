/* Hash set of URLs; see state.h. Open addressing, linear probing. */
#include "crawl/state.h"

#include "base/id.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE_FIRST = 4096, COUNT_MAX = 4 * 1024 * 1024 };

static enum err allocate(struct seen *s, size_t size)
{
    s->keys = calloc(size, sizeof *s->keys);
    s->flags = calloc(size, sizeof *s->flags);
    s->size = size;
    if (s->keys != NULL && s->flags != NULL)
        return ERR_OK;
    seen_fini(s);
    return ERR_NOMEM;
}

enum err seen_init(struct seen *s)
{
    enum err e;

    memset(s, 0, sizeof *s);
    e = id_random(&s->seed, sizeof s->seed);
    return e != ERR_OK ? e : allocate(s, SIZE_FIRST);
}

void seen_fini(struct seen *s)
{
    free(s->keys);
    free(s->flags);
    s->keys = NULL;
    s->flags = NULL;
    s->size = s->count = 0;
}

/* FNV-1a over the bytes, finished with the mixer of MurmurHash3. */
static uint64_t key_of(const struct seen *s, const char *text)
{
    uint64_t h = UINT64_C(14695981039346656037) ^ s->seed;

    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
    h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    h ^= h >> 33;
    return h == 0 ? 1 : h;
}

static size_t slot_of(const struct seen *s, uint64_t key)
{
    size_t i = (size_t)key & (s->size - 1);

    while (s->keys[i] != 0 && s->keys[i] != key)
        i = (i + 1) & (s->size - 1);
    return i;
}

static enum err grow(struct seen *s)
{
    struct seen bigger = *s;

    if (allocate(&bigger, s->size * 2) != ERR_OK)
        return ERR_NOMEM;
    bigger.count = s->count;
    for (size_t i = 0; i < s->size; i++) {
        size_t k;

        if (s->keys[i] == 0)
            continue;
        k = slot_of(&bigger, s->keys[i]);
        bigger.keys[k] = s->keys[i];
        bigger.flags[k] = s->flags[i];
    }
    free(s->keys);
    free(s->flags);
    *s = bigger;
    return ERR_OK;
}

uint16_t *seen_get(struct seen *s, const char *text)
{
    uint64_t key = key_of(s, text);
    size_t i = slot_of(s, key);

    if (s->keys[i] == key)
        return &s->flags[i];
    if (s->count >= COUNT_MAX)
        return NULL;
    if (s->count + 1 > s->size / 2) {
        if (grow(s) != ERR_OK)
            return NULL;
        i = slot_of(s, key);
    }
    s->keys[i] = key;
    s->count++;
    return &s->flags[i];
}

int seen_hops(uint16_t flags)
{
    return flags / SEEN_HOP;
}

uint16_t seen_with_hops(uint16_t flags, int hops)
{
    return (uint16_t)(flags % SEEN_HOP + hops * SEEN_HOP);
}
