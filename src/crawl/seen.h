/*
 * The URLs a crawl has met in this run, as a hash set with flags
 * each: a filter in front of the frontier on disk, which knows them for good.
 * Keyed by 64 bits with a random seed, so that no site can aim at a
 * collision.
 */
#ifndef CITED_CRAWL_SEEN_H
#define CITED_CRAWL_SEEN_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum {
    SEEN_QUEUED = 1,     /* in the frontier */
    SEEN_TOO_DEEP = 2,   /* met, but only beyond the depth limit */
    SEEN_REFUSED = 4,    /* outside the scope */
    SEEN_STORED = 8,     /* its own content is in the index */
    SEEN_STORED_AS = 16, /* another page's content is, as its canonical URL */
    SEEN_HOP = 256,      /* redirects that led here count from here up */
    SEEN_HOPS_MAX = 10
};

struct seen {
    uint64_t *keys; /* 0 = free */
    uint16_t *flags;
    size_t size, count; /* size is a power of two */
    uint64_t seed;
};

MUST_CHECK enum err seen_init(struct seen *s);
void seen_fini(struct seen *s);

/* The flags of a text, added with flags 0 when it is new; the pointer is
 * good until the next call. NULL when the set is full (4 million) or out of
 * memory: the caller then asks the frontier on disk. */
uint16_t *seen_get(struct seen *s, const char *text);

/* Redirects that led to a URL, kept in its flags. */
int seen_hops(uint16_t flags);
uint16_t seen_with_hops(uint16_t flags, int hops);

#endif
