/* Address, clients and breaker of an endpoint; see endpoint.h. */
#include "net/endpoint.h"

#include "base/clock.h"
#include "base/str.h"
#include "base/url.h"

#include <stdio.h>
#include <string.h>

enum {
    FAILURES_MAX = 3,
    PAUSE_FIRST_MS = 1000,
    PAUSE_MAX_MS = 60000,
    SHORT_MS = 2000 /* a time limit below this blames nobody */
};

/* --- address and key ----------------------------------------------------- */

/* The address of the call from the base address: as it is when it ends
 * in the call's own path, with /v1 when it has no path. */
static enum err url_set(struct endpoint *ep, const char *section,
                        const char *base, const char *call, struct errctx *ec)
{
    size_t call_len = strlen(call);
    struct url u;
    size_t n;
    const char *host, *path;
    enum err e = url_parse(base, strlen(base), NULL, &ep->arena, &u, NULL);

    if (e == ERR_NOMEM)
        return err_set(ec, e, "no memory for an endpoint");
    if (e != ERR_OK || strchr(u.href, '?') != NULL)
        return err_set(ec, ERR_INVALID,
                       "%s.url must be a http or https address without a "
                       "query, not \"%.80s\"",
                       section, base);
    n = strlen(u.href);
    host = strstr(u.href, "://") + 3;
    path = strchr(host, '/');
    while (n > 0 && u.href[n - 1] == '/')
        n--;
    if (n > call_len && strncmp(u.href + n - (call_len), call, call_len) == 0)
        ep->url = arena_strndup(&ep->arena, u.href, n);
    else
        ep->url =
            arena_printf(&ep->arena, "%.*s%s/%s", (int)n, u.href,
                         path == NULL || path[1] == '\0' ? "/v1" : "", call);
    ep->client_conf.allow_hosts =
        arena_printf(&ep->arena, "%s:%d", u.host, u.port);
    return arena_failed(&ep->arena) ? err_set(ec, ERR_NOMEM, "no memory")
                                    : ERR_OK;
}

static enum err key_set(struct endpoint *ep, const char *section,
                        const char *key, struct errctx *ec)
{
    if (*key == '\0')
        return ERR_OK;
    for (const char *p = key; *p != '\0'; p++)
        if (*p <= ' ' || *p > '~')
            return err_set(ec, ERR_INVALID,
                           "%s.key must be printable ASCII without spaces",
                           section);
    ep->authorization =
        arena_printf(&ep->arena, "Authorization: Bearer %s", key);
    return ep->authorization == NULL ? err_set(ec, ERR_NOMEM, "no memory")
                                     : ERR_OK;
}

enum err endpoint_init(struct endpoint *ep, const struct conf *c,
                       const char *section, const char *base, const char *call,
                       const char *key, struct errctx *ec)
{
    enum err e;

    memset(ep, 0, sizeof(*ep));
    arena_init(&ep->arena, 64 * 1024);
    if (pthread_mutex_init(&ep->mutex, NULL) != 0)
        return err_set(ec, ERR_NOMEM, "no mutex for an endpoint");
    ep->client_conf = *c;
    ep->section = section;
    e = url_set(ep, section, base, call, ec);
    if (e == ERR_OK)
        e = key_set(ep, section, key, ec);
    if (e != ERR_OK)
        endpoint_fini(ep);
    return e;
}

void endpoint_fini(struct endpoint *ep)
{
    while (ep->idle_count > 0)
        http_free(ep->idle[--ep->idle_count]);
    pthread_mutex_destroy(&ep->mutex);
    arena_fini(&ep->arena);
}

/* --- clients ------------------------------------------------------------- */

/* A client nobody uses, or a new one. */
enum err endpoint_take(struct endpoint *ep, struct http **out)
{
    struct http *h = NULL;

    pthread_mutex_lock(&ep->mutex);
    if (ep->idle_count > 0)
        h = ep->idle[--ep->idle_count];
    pthread_mutex_unlock(&ep->mutex);
    if (h == NULL)
        return http_new(&ep->client_conf, out);
    *out = h;
    return ERR_OK;
}

void endpoint_give(struct endpoint *ep, struct http *h)
{
    pthread_mutex_lock(&ep->mutex);
    if (ep->idle_count < ENDPOINT_CLIENTS_MAX) {
        ep->idle[ep->idle_count++] = h;
        h = NULL;
    }
    pthread_mutex_unlock(&ep->mutex);
    http_free(h);
}

/* --- the breaker --------------------------------------------------------- */

bool endpoint_is_open(struct endpoint *ep, char why[ENDPOINT_WHY_MAX])
{
    bool open;

    pthread_mutex_lock(&ep->mutex);
    open = ep->open_again_ms <= clock_mono_ms();
    memcpy(why, ep->why, sizeof(ep->why));
    pthread_mutex_unlock(&ep->mutex);
    return open;
}

static bool is_its_fault(enum err e)
{
    return e == ERR_UPSTREAM || e == ERR_LIMIT || e == ERR_MALFORMED ||
           e == ERR_TIMEOUT;
}

/* Twice as long as the last time. */
static void failure_count(struct endpoint *ep, const char *why)
{
    snprintf(ep->why, sizeof(ep->why), "%.*s",
             (int)utf8_cut(why, strlen(why), sizeof(ep->why) - 1), why);
    if (++ep->failures < FAILURES_MAX)
        return;
    ep->pause_ms = ep->pause_ms == 0 ? PAUSE_FIRST_MS : ep->pause_ms * 2;
    if (ep->pause_ms > PAUSE_MAX_MS)
        ep->pause_ms = PAUSE_MAX_MS;
    ep->open_again_ms = clock_mono_ms() + ep->pause_ms;
}

static void count_call(const struct endpoint *ep, enum err e)
{
    char name[METER_NAME_MAX];

    snprintf(name, sizeof(name),
             "cited_model_requests_total{endpoint=\"%s\",outcome=\"%s\"}",
             ep->section, e == ERR_OK ? "ok" : err_name(e));
    meter_add(ep->meter, name, 1);
}

void endpoint_tell(struct endpoint *ep, enum err e, int64_t had_ms,
                   const char *why)
{
    count_call(ep, e);
    pthread_mutex_lock(&ep->mutex);
    if (e == ERR_OK) {
        ep->failures = 0;
        ep->pause_ms = 0;
        ep->open_again_ms = 0;
        ep->why[0] = '\0';
    } else if (is_its_fault(e) && (e != ERR_TIMEOUT || had_ms >= SHORT_MS)) {
        failure_count(ep, why);
    }
    pthread_mutex_unlock(&ep->mutex);
}

void endpoint_health(struct endpoint *ep, int *failures, int64_t *resume_ms,
                     char why[ENDPOINT_WHY_MAX])
{
    int64_t left;

    pthread_mutex_lock(&ep->mutex);
    left = ep->open_again_ms - clock_mono_ms();
    *failures = ep->failures;
    memcpy(why, ep->why, sizeof(ep->why));
    pthread_mutex_unlock(&ep->mutex);
    *resume_ms = left > 0 ? clock_now_ms() + left : 0;
}
