/*
 * Which URLs belong to a crawl: hosts of the seeds, patterns, traps. Pure.
 */
#ifndef CITED_CRAWL_SCOPE_H
#define CITED_CRAWL_SCOPE_H

#include "base/url.h"
#include "crawl/crawl.h"

struct scope {
    const struct crawl_params *p;
    struct url *seeds;
    size_t count;
};

/* ERR_INVALID names the seed that is no URL, or says there is none. */
MUST_CHECK enum err scope_init(struct scope *s, const struct crawl_params *p,
                               struct arena *a, struct errctx *ec);

/* On the host of a seed (its port, or both the scheme's own; "www." does not
 * count), or on a subdomain of one when the crawl follows those? */
bool scope_has_host(const struct scope *s, const struct url *u);

/* NULL when u may be fetched, else the short reason why not. A seed need not
 * match the include patterns. */
const char *scope_refuses(const struct scope *s, const struct url *u,
                          bool is_seed);

/* '*' stands for any run of characters, everything else for itself. A
 * pattern that begins with '/' is held against path and query, another one
 * against the whole URL; all of it must match. */
bool scope_glob(const char *pattern, const struct url *u);

#endif
