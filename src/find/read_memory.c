/* What is remembered of other servers; see read_memory.h. */
#include "find/read_memory.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    ORIGINS_MAX = 128,
    ORIGIN_BYTES_MAX = 512 * 1024,
    PAGES_MAX = 4096, /* a power of two */
    RULES_MS = 3600000,
    CLOSED_MS = 60000 /* a server that could not say is asked again soon */
};

struct origin {
    struct arena arena; /* origin and rules; not begun while name is NULL */
    const char *name;
    struct robots robots;
    enum robots_answer said;
    int64_t until_ms; /* monotonic */
};

struct fresh {
    uint64_t hash; /* of the URL; 0 = nothing */
    int64_t until_ms;
};

struct read_memory {
    pthread_mutex_t mutex;
    struct origin origin[ORIGINS_MAX]; /* all under the mutex */
    struct fresh fresh[PAGES_MAX];
};

enum err read_memory_new(struct read_memory **out)
{
    struct read_memory *m = calloc(1, sizeof *m);

    if (m == NULL)
        return ERR_NOMEM;
    if (pthread_mutex_init(&m->mutex, NULL) != 0) {
        free(m);
        return ERR_NOMEM;
    }
    *out = m;
    return ERR_OK;
}

static void origin_forget(struct origin *o)
{
    if (o->name != NULL)
        arena_fini(&o->arena);
    memset(o, 0, sizeof *o);
}

void read_memory_free(struct read_memory *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < ORIGINS_MAX; i++)
        origin_forget(&m->origin[i]);
    pthread_mutex_destroy(&m->mutex);
    free(m);
}

/* --- robots.txt ---------------------------------------------------------- */

/* The origin's place; else that of the one to forget. */
static struct origin *place_of(struct read_memory *m, const char *name)
{
    struct origin *oldest = &m->origin[0];

    for (size_t i = 0; i < ORIGINS_MAX; i++) {
        struct origin *o = &m->origin[i];

        if (o->name != NULL && strcmp(o->name, name) == 0)
            return o;
        if (o->until_ms < oldest->until_ms)
            oldest = o;
    }
    return oldest;
}

static enum permission permission_of(const struct origin *o, const char *path)
{
    if (o->said == ROBOTS_ALL)
        return PERMISSION_YES;
    return o->said == ROBOTS_RULES && robots_allows(&o->robots, path)
               ? PERMISSION_YES
               : PERMISSION_NO;
}

enum permission read_memory_ask(struct read_memory *m, const char *origin,
                                const char *path, bool *slow)
{
    enum permission p = PERMISSION_UNKNOWN;
    const struct origin *o;

    pthread_mutex_lock(&m->mutex);
    o = place_of(m, origin);
    if (o->name != NULL && strcmp(o->name, origin) == 0 &&
        o->until_ms > clock_mono_ms()) {
        p = permission_of(o, path);
        *slow = o->said == ROBOTS_RULES && o->robots.crawl_delay > 0;
    }
    pthread_mutex_unlock(&m->mutex);
    return p;
}

void read_memory_put(struct read_memory *m, const char *origin,
                     enum robots_answer said, const char *body, size_t n,
                     const char *product)
{
    struct origin *o;

    pthread_mutex_lock(&m->mutex);
    o = place_of(m, origin);
    origin_forget(o);
    arena_init(&o->arena, ORIGIN_BYTES_MAX);
    o->name = arena_strdup(&o->arena, origin);
    o->said = said;
    if (o->name != NULL && said == ROBOTS_RULES &&
        robots_parse(body, n, product, &o->arena, &o->robots) != ERR_OK)
        o->said = ROBOTS_NONE;
    o->until_ms =
        clock_mono_ms() + (o->said == ROBOTS_NONE ? CLOSED_MS : RULES_MS);
    if (o->name == NULL) {
        arena_fini(&o->arena);
        memset(o, 0, sizeof *o);
    }
    pthread_mutex_unlock(&m->mutex);
}

/* --- pages --------------------------------------------------------------- */

/* FNV-1a. Two pages of one hash only cost a request, or save one, for the
 * time the other is fresh. */
static uint64_t hash_of(const char *z)
{
    uint64_t h = UINT64_C(14695981039346656037);

    for (; *z != '\0'; z++)
        h = (h ^ (unsigned char)*z) * UINT64_C(1099511628211);
    return h == 0 ? 1 : h;
}

int64_t read_memory_fresh(struct read_memory *m, const char *url)
{
    uint64_t h = hash_of(url);
    int64_t until;

    pthread_mutex_lock(&m->mutex);
    until = m->fresh[h % PAGES_MAX].hash == h ? m->fresh[h % PAGES_MAX].until_ms
                                              : -1;
    pthread_mutex_unlock(&m->mutex);
    return until;
}

void read_memory_set_fresh(struct read_memory *m, const char *url,
                           int64_t until_ms)
{
    uint64_t h = hash_of(url);

    pthread_mutex_lock(&m->mutex);
    m->fresh[h % PAGES_MAX] = (struct fresh){h, until_ms};
    pthread_mutex_unlock(&m->mutex);
}
