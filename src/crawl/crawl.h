/*
 * Crawl sites into the index: robots.txt, sitemaps, canonical links, per-host
 * delay and parallelism, bounds on depth, pages and bytes, patterns,
 * conditional re-crawl. Interrupted at any point it continues where it was.
 *
 * robots.txt is asked once a host and run: 4xx allows all, 5xx, 429 and no
 * answer after three tries forbid all. A redirect is a URL of its own, checked
 * and stored as such. A page with a canonical URL in scope is stored under
 * that, until the canonical page itself is read; both are queued. Pages that
 * answer 404 or 410, redirect, or say noindex leave the index.
 *
 * A page is asked for conditionally only when the links of the version in
 * the index are on record from the same seeds: everything met before is then
 * queued from the start, so "not modified" never hides a page behind it.
 */
#ifndef CITED_CRAWL_CRAWL_H
#define CITED_CRAWL_CRAWL_H

#include "base/conf.h"
#include "net/http.h"
#include "page/document.h"
#include "store/db.h"

#include <signal.h>
#include <stdint.h>

struct crawl_params {
    const char *const *seeds; /* URLs */
    size_t seed_count;
    const char *const *include; /* glob patterns on the URL; none = all */
    size_t include_count;
    const char *const *exclude;
    size_t exclude_count;
    int depth;        /* links away from a seed */
    int64_t pages;    /* most pages stored */
    int64_t delay_ms; /* between requests to one host; robots may ask more */
    int parallel, per_host;
    bool subdomains;    /* follow links to subdomains of a seed's host */
    bool sitemaps;      /* read sitemaps named by robots.txt and /sitemap.xml */
    bool ignore_robots; /* only for the operator's own hosts */
    const struct pdf_reader *pdf; /* NULL: PDF files are not read */
    bool fresh; /* forget an interrupted crawl of the same seeds */
};

struct crawl_progress {
    int64_t stored, unchanged, skipped, failed, queued, bytes;
    int64_t elapsed_ms;
    bool resumed;
};

struct crawl_reason {
    const char *reason;
    int64_t count;
    const char *example; /* a URL, or "" */
};

struct crawl_summary {
    struct crawl_progress progress;
    struct crawl_reason *reasons; /* why pages were skipped or failed */
    size_t reason_count;
    bool interrupted;
};

/* The defaults of the configuration. */
void crawl_params_init(struct crawl_params *p, const struct conf *c);

/*
 * Crawl until the frontier is empty, a bound is reached or *stop is set.
 * progress is called at most ten times a second. ERR_INVALID for a seed that
 * is no URL; ERR_UPSTREAM when no seed could be fetched (the message says
 * why); a page's own failure is part of the summary, not an error.
 */
MUST_CHECK enum err
crawl_run(const struct conf *c, struct db *index, struct http *http,
          const struct crawl_params *p, const volatile sig_atomic_t *stop,
          void (*progress)(void *user, const struct crawl_progress *),
          void *user, struct arena *a, struct crawl_summary *out,
          struct errctx *ec);

#endif
