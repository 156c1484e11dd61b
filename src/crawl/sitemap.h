/*
 * Sitemaps (sitemaps.org protocol 0.9): urlset, sitemapindex, plain lists of
 * lines, each also gzipped. Pure: bytes in, locations out.
 */
#ifndef CITED_CRAWL_SITEMAP_H
#define CITED_CRAWL_SITEMAP_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SITEMAP_URLS_MAX = 50000,             /* of one file; the rest is cut */
    SITEMAP_BYTES_MAX = 50 * 1024 * 1024, /* after gunzip */
};

struct sitemap {
    bool is_index;     /* the locations are sitemaps */
    const char **locs; /* as written, trimmed; at most 2,048 bytes each */
    size_t count;
};

/*
 * ERR_MALFORMED for what is no sitemap, is broken before its first location,
 * or has a document type declaration (no entity is ever expanded);
 * ERR_TOO_LARGE above SITEMAP_BYTES_MAX. Broken later on: the locations
 * before it count.
 */
MUST_CHECK enum err sitemap_parse(const char *p, size_t n, struct arena *a,
                                  struct sitemap *out);

#endif
