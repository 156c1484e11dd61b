/* Fuzzing URLs and domain rules: a canonical URL is its own canonical form,
 * alone and relative to a base. The first line is the base. */
#include "base/url.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(const struct url *u, struct arena *a)
{
    struct url again;

    if (url_parse(u->href, strlen(u->href), NULL, a, &again, NULL) != ERR_OK ||
        strcmp(again.href, u->href) != 0 || strcmp(again.host, u->host) != 0 ||
        strcmp(again.path, u->path) != 0 ||
        strcmp(again.query, u->query) != 0 || again.port != u->port)
        abort();
    if (u->path[0] != '/' || u->port < 1 || u->port > 65535 ||
        strlen(u->href) > URL_MAX || !host_within(u->host, u->host))
        abort();
    if (strstr(u->host, host_registrable(u->host)) == NULL)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const char *p = (const char *)data;
    const char *line = n == 0 ? NULL : memchr(p, '\n', n);
    size_t base_n = line == NULL ? 0 : (size_t)(line - p);
    struct arena a;
    struct url base, u;
    struct domain_rule r;
    bool has_base;

    arena_init(&a, 1 << 20);
    has_base =
        line != NULL && url_parse(p, base_n, NULL, &a, &base, NULL) == ERR_OK;
    if (has_base)
        check(&base, &a);
    if (line != NULL) {
        p = line + 1;
        n -= base_n + 1;
    }
    if (url_parse(p, n, has_base ? &base : NULL, &a, &u, NULL) == ERR_OK)
        check(&u, &a);
    if (domain_rule_parse(p, n, &a, &r) == ERR_OK && has_base)
        (void)domain_rule_matches(&r, &base);
    arena_fini(&a);
    return 0;
}
