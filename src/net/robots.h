/*
 * robots.txt after RFC 9309: groups by user agent, longest match wins, allow
 * wins a tie, '*' and '$' in patterns; plus Crawl-delay and Sitemap lines.
 * Pure functions on text.
 */
#ifndef CITED_NET_ROBOTS_H
#define CITED_NET_ROBOTS_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct robots_rule {
    bool allow;
    const char *pattern;
};

struct robots {
    struct robots_rule *rules; /* of the group that applies to us */
    size_t rule_count;
    double crawl_delay; /* seconds, < 0 when not given; at most 60 */
    const char **sitemaps;
    size_t sitemap_count;
};

/* Parse n bytes (only the first 500 KiB count, RFC 9309 section 2.5) for the
 * product token, e.g. "cited". Never fails on content; ERR_NOMEM only. */
MUST_CHECK enum err robots_parse(const char *p, size_t n, const char *product,
                                 struct arena *a, struct robots *out);

enum { ROBOTS_PRODUCT_SIZE = 32 };

/* The product token of a user agent: its name up to the version. */
void robots_product(const char *agent, char out[ROBOTS_PRODUCT_SIZE]);

/* Do the directives of X-Robots-Tag (one header value a line) that are for
 * everybody or for product forbid indexing, or following links? Sets what
 * they forbid, leaves the rest. */
void robots_tag_read(const char *tags, const char *product, bool *noindex,
                     bool *nofollow);

/* May path_and_query ("/a?b", as in the request line) be fetched? */
bool robots_allows(const struct robots *r, const char *path_and_query);

#endif
