/*
 * Domain rules: entries of includeDomains, excludeDomains and priority
 * lists, and whether a URL matches them. The declarations are in url.h.
 */
#include "base/url.h"

#include "base/host.h"
#include "base/str.h"

#include <string.h>

/* Length of "scheme://" or "//" at the beginning, 0 for none. */
static size_t scheme_prefix(struct str s)
{
    size_t i = 0;

    while (i < s.n && (ascii_is_alnum(s.p[i]) || s.p[i] == '+' ||
                       s.p[i] == '-' || s.p[i] == '.'))
        i++;
    if (i < s.n && i > 0 && s.p[i] == ':')
        i++;
    else if (i > 0)
        return 0;
    return s.n - i >= 2 && s.p[i] == '/' && s.p[i + 1] == '/' ? i + 2 : 0;
}

/* Can what stands before the path be a host of an entry without a scheme?
 * "bob@example.com" is an address, not a domain. */
static bool is_bare_host(struct str s)
{
    for (size_t i = 0; i < s.n && s.p[i] != '/' && s.p[i] != '?'; i++)
        if (s.p[i] == '@')
            return false;
    return true;
}

enum err domain_rule_parse(const char *entry, size_t n, struct arena *a,
                           struct domain_rule *out)
{
    struct str s = str_trim((struct str){entry, n});
    size_t skip = scheme_prefix(s), path_n;
    char text[7 + URL_MAX + 1] = "http://";
    struct url u;
    char *path;
    enum err err;

    s.p += skip;
    s.n -= skip;
    if (skip == 0 && !is_bare_host(s))
        return ERR_INVALID;
    if (s.n > 2 && s.p[0] == '*' && s.p[1] == '.') {
        s.p += 2;
        s.n -= 2;
    }
    /* The URL parser skips slashes here, which would make a path a host. */
    if (s.n == 0 || s.n > URL_MAX || s.p[0] == '/' || s.p[0] == '\\')
        return ERR_INVALID;
    memcpy(text + 7, s.p, s.n);
    err = url_parse(text, 7 + s.n, NULL, a, &u, NULL);
    if (err != ERR_OK)
        return err;
    path_n = strlen(u.path);
    while (path_n > 0 && u.path[path_n - 1] == '/')
        path_n--;
    path = arena_strndup(a, u.path, path_n);
    if (path == NULL)
        return ERR_NOMEM;
    out->host = host_without_www(u.host);
    out->path = path;
    return ERR_OK;
}

bool domain_rule_matches(const struct domain_rule *r, const struct url *u)
{
    size_t n = strlen(r->path);

    if (!host_within(u->host, r->host) || strncmp(u->path, r->path, n) != 0)
        return false;
    return n == 0 || u->path[n] == '\0' || u->path[n] == '/';
}

bool domain_rules_match(const struct domain_rules *rs, const struct url *u)
{
    for (size_t i = 0; i < rs->count; i++)
        if (domain_rule_matches(&rs->rules[i], u))
            return true;
    return false;
}

bool domains_allow(const struct domain_rules *include,
                   const struct domain_rules *exclude, const struct url *u)
{
    if (include != NULL && include->count > 0)
        return domain_rules_match(include, u);
    return exclude == NULL || !domain_rules_match(exclude, u);
}
