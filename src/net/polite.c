/* How other people's servers are asked; see polite.h. */
#include "net/polite.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROBOTS_BYTES = 500 * 1024,
    ORIGINS_MAX = 128,
    ORIGIN_BYTES_MAX = 512 * 1024,
    PAGES_MAX = 4096, /* a power of two */
    RULES_MS = 3600000,
    CLOSED_MS = 60000 /* a server that could not say is asked again soon */
};

size_t polite_origin_len(const char *href)
{
    const char *p = strstr(href, "://");

    return p == NULL ? 0 : (size_t)(p - href) + 3 + strcspn(p + 3, "/");
}

const char *polite_path(const char *href)
{
    const char *p = href + polite_origin_len(href);

    return *p == '\0' ? "/" : p;
}

/* --- robots.txt ---------------------------------------------------------- */

void polite_robots_request(const char *origin, struct arena *a,
                           struct http_request *out)
{
    *out =
        (struct http_request){.url = arena_printf(a, "%s/robots.txt", origin),
                              .response_max = ROBOTS_BYTES,
                              .redirects_max = POLITE_REDIRECTS_MAX};
}

enum err polite_robots_read(const struct http_response *r, const char *product,
                            struct arena *a, struct polite_rules *out)
{
    bool got = r->err == ERR_OK || r->err == ERR_TOO_LARGE;
    enum err e = ERR_OK;

    *out = (struct polite_rules){.robots = {.crawl_delay = -1}};
    if (got && r->status >= 200 && r->status < 300)
        e = robots_parse(buf_str(&r->body), r->body.len, product, a,
                         &out->robots);
    else if (r->err == ERR_FORBIDDEN)
        out->closed = "forbidden address";
    else if (!(r->err == ERR_UPSTREAM && r->status >= 300 &&
               r->status < 400) && /* redirects without an end */
             !(got && r->status >= 400 && r->status < 500 && r->status != 429))
        out->closed = "robots.txt unreachable";
    if (e != ERR_OK)
        *out = (struct polite_rules){.closed = "robots.txt unreachable",
                                     .robots = {.crawl_delay = -1}};
    return e;
}

bool polite_allows(const struct polite_rules *r, const char *href)
{
    return r->closed == NULL && robots_allows(&r->robots, polite_path(href));
}

/* --- pages --------------------------------------------------------------- */

bool polite_if_changed(struct http_request *rq, const char *etag,
                       const char *last_modified, struct arena *a)
{
    int n = 0;

    if (*etag != '\0')
        rq->headers[n++] = arena_printf(a, "If-None-Match: %s", etag);
    if (*last_modified != '\0')
        rq->headers[n++] =
            arena_printf(a, "If-Modified-Since: %s", last_modified);
    return n > 0;
}

bool polite_is_redirect(const struct http_response *r)
{
    return r->status >= 300 && r->status < 400 && r->status != 304 &&
           *r->location != '\0';
}

bool polite_is_busy(const struct http_response *r)
{
    return r->status == 429 || r->status >= 500;
}

/* --- memory -------------------------------------------------------------- */

struct origin {
    struct arena arena; /* origin and rules; not begun while name is NULL */
    const char *name;
    struct polite_rules rules;
    int64_t until_ms, next_ms; /* monotonic */
};

struct fresh {
    uint64_t hash; /* of the URL; 0 = nothing */
    int64_t until_ms;
};

struct polite_memory {
    pthread_mutex_t mutex;
    struct origin origin[ORIGINS_MAX]; /* all under the mutex */
    struct fresh fresh[PAGES_MAX];
};

enum err polite_memory_new(struct polite_memory **out)
{
    struct polite_memory *m = calloc(1, sizeof *m);

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

void polite_memory_free(struct polite_memory *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < ORIGINS_MAX; i++)
        origin_forget(&m->origin[i]);
    pthread_mutex_destroy(&m->mutex);
    free(m);
}

/* The place of the URL's origin, or NULL; *oldest: the one to forget. */
static struct origin *place_of(struct polite_memory *m, const char *href,
                               struct origin **oldest)
{
    size_t n = polite_origin_len(href);

    *oldest = &m->origin[0];
    for (size_t i = 0; i < ORIGINS_MAX; i++) {
        struct origin *o = &m->origin[i];

        if (o->name != NULL && strncmp(o->name, href, n) == 0 &&
            o->name[n] == '\0')
            return o;
        if (o->until_ms < (*oldest)->until_ms)
            *oldest = o;
    }
    return NULL;
}

enum permission polite_ask(struct polite_memory *m, const char *href)
{
    enum permission p = PERMISSION_UNKNOWN;
    struct origin *oldest;
    const struct origin *o;

    pthread_mutex_lock(&m->mutex);
    o = place_of(m, href, &oldest);
    if (o != NULL && o->until_ms > clock_mono_ms())
        p = polite_allows(&o->rules, href) ? PERMISSION_YES : PERMISSION_NO;
    pthread_mutex_unlock(&m->mutex);
    return p;
}

bool polite_take_turn(struct polite_memory *m, const char *href,
                      int64_t *pause_ms)
{
    int64_t now = clock_mono_ms();
    struct origin *o, *oldest;
    bool free;

    *pause_ms = 0;
    pthread_mutex_lock(&m->mutex);
    o = place_of(m, href, &oldest);
    free = o == NULL || o->next_ms <= now;
    if (o != NULL && o->rules.robots.crawl_delay > 0)
        *pause_ms = (int64_t)(o->rules.robots.crawl_delay * 1000);
    if (free && *pause_ms > 0)
        o->next_ms = now + *pause_ms;
    pthread_mutex_unlock(&m->mutex);
    return free;
}

void polite_remember(struct polite_memory *m, const char *origin,
                     const struct http_response *r, const char *product)
{
    struct origin *o, *oldest;
    int64_t next = 0;

    pthread_mutex_lock(&m->mutex);
    o = place_of(m, origin, &oldest);
    if (o == NULL)
        o = oldest;
    else
        next = o->next_ms;
    origin_forget(o);
    arena_init(&o->arena, ORIGIN_BYTES_MAX);
    o->name = arena_strdup(&o->arena, origin);
    /* Without memory it is closed. */
    (void)polite_robots_read(r, product, &o->arena, &o->rules);
    o->until_ms =
        clock_mono_ms() + (o->rules.closed != NULL ? CLOSED_MS : RULES_MS);
    o->next_ms = next;
    if (o->name == NULL) {
        arena_fini(&o->arena);
        memset(o, 0, sizeof *o);
    }
    pthread_mutex_unlock(&m->mutex);
}

/* FNV-1a. Two pages of one hash only cost a request, or save one, for the
 * time the other is fresh. */
static uint64_t hash_of(const char *z)
{
    uint64_t h = UINT64_C(14695981039346656037);

    for (; *z != '\0'; z++)
        h = (h ^ (unsigned char)*z) * UINT64_C(1099511628211);
    return h == 0 ? 1 : h;
}

int64_t polite_fresh(struct polite_memory *m, const char *href)
{
    uint64_t h = hash_of(href);
    int64_t until;

    pthread_mutex_lock(&m->mutex);
    until = m->fresh[h % PAGES_MAX].hash == h ? m->fresh[h % PAGES_MAX].until_ms
                                              : -1;
    pthread_mutex_unlock(&m->mutex);
    return until;
}

void polite_set_fresh(struct polite_memory *m, const char *href,
                      int64_t until_ms)
{
    uint64_t h = hash_of(href);

    pthread_mutex_lock(&m->mutex);
    m->fresh[h % PAGES_MAX] = (struct fresh){h, until_ms};
    pthread_mutex_unlock(&m->mutex);
}
