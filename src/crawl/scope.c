/* Which URLs belong to a crawl; see state.h. */
#include "crawl/state.h"

#include "base/str.h"

#include <string.h>

enum { SEGMENT_REPEATS_MAX = 3, SEGMENTS_MAX = 64 };

enum err scope_init(struct scope *s, const struct crawl_params *p,
                    struct arena *a, struct errctx *ec)
{
    memset(s, 0, sizeof *s);
    s->p = p;
    s->count = p->seed_count;
    if (p->seed_count == 0)
        return err_set(ec, ERR_INVALID, "no URL to begin with");
    s->seeds = arena_array(a, p->seed_count, sizeof *s->seeds);
    if (s->seeds == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < p->seed_count; i++) {
        struct errctx why = {ERR_OK, ""};
        enum err e = url_parse(p->seeds[i], strlen(p->seeds[i]), NULL, a,
                               &s->seeds[i], &why);

        if (e != ERR_OK)
            return err_set(ec, e, "%.100s: %s", p->seeds[i], why.msg);
    }
    return ERR_OK;
}

static const char *without_www(const char *host)
{
    return strncmp(host, "www.", 4) == 0 ? host + 4 : host;
}

static bool is_default_port(const struct url *u)
{
    return u->port == (strcmp(u->scheme, "https") == 0 ? 443 : 80);
}

bool scope_has_host(const struct scope *s, const struct url *u)
{
    const char *host = without_www(u->host);

    for (size_t i = 0; i < s->count; i++) {
        const struct url *seed = &s->seeds[i];
        const char *own = without_www(seed->host);

        if (seed->port != u->port &&
            !(is_default_port(seed) && is_default_port(u)))
            continue;
        if (strcmp(host, own) == 0 ||
            (s->p->subdomains && host_within(host, own)))
            return true;
    }
    return false;
}

/* Place each star as early as it can be; only the last one is ever moved. */
static bool glob(const char *p, const char *z)
{
    const char *star = NULL, *retry = NULL;

    while (*z != '\0') {
        if (*p == '*') {
            star = p++;
            retry = z;
        } else if (*p == *z) {
            p++;
            z++;
        } else if (star != NULL) {
            p = star + 1;
            z = ++retry;
        } else {
            return false;
        }
    }
    while (*p == '*')
        p++;
    return *p == '\0';
}

/* href from its path on */
static const char *path_and_query(const struct url *u)
{
    const char *p = strstr(u->href, "://");

    p = p == NULL ? NULL : strchr(p + 3, '/');
    return p == NULL ? u->path : p;
}

bool scope_glob(const char *pattern, const struct url *u)
{
    return glob(pattern, pattern[0] == '/' ? path_and_query(u) : u->href);
}

static bool any_glob(const char *const *patterns, size_t count,
                     const struct url *u)
{
    for (size_t i = 0; i < count; i++)
        if (scope_glob(patterns[i], u))
            return true;
    return false;
}

/* Relative links gone wrong make endless paths: /a/b/a/b/a/b/… */
static bool repeats_itself(const char *path)
{
    struct str seg[SEGMENTS_MAX];
    size_t n = 0;

    while (*path == '/' && n < SEGMENTS_MAX) {
        size_t len = strcspn(++path, "/");
        int same = 0;

        seg[n] = (struct str){path, len};
        for (size_t i = 0; i <= n; i++)
            same += seg[i].n == len && memcmp(seg[i].p, path, len) == 0;
        if (len > 0 && same > SEGMENT_REPEATS_MAX)
            return true;
        n++;
        path += len;
    }
    return n == SEGMENTS_MAX;
}

const char *scope_refuses(const struct scope *s, const struct url *u,
                          bool is_seed)
{
    if (!scope_has_host(s, u))
        return "other host";
    if (any_glob(s->p->exclude, s->p->exclude_count, u))
        return "excluded by pattern";
    if (!is_seed && s->p->include_count > 0 &&
        !any_glob(s->p->include, s->p->include_count, u))
        return "not included by pattern";
    if (repeats_itself(u->path))
        return "repeating path";
    return NULL;
}
