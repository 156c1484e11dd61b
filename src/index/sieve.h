/*
 * Private to index/: which pages of a segment a question may find: those that
 * are not removed, of the hosts, addresses and days that the filter lets
 * through. Called by walk.c.
 */
#ifndef CITED_INDEX_SIEVE_H
#define CITED_INDEX_SIEVE_H

#include "base/arena.h"
#include "index/page.h"
#include "index/segment.h"

struct page_run {
    uint32_t from, to; /* to: behind the last */
};

struct sieve {
    const struct segment *s;
    const uint64_t *removed; /* a bit for each page, or NULL */
    const struct index_filter *f;
    struct page_run *spans; /* pages of hosts let through, ascending */
    size_t count, at;
    bool days, addresses; /* these are looked at, too */
    int32_t day_from;
    uint32_t day_span; /* days after the first that are let through */
    uint32_t from, to; /* no page of them is in from..to - 1 */
    uint32_t sampled;  /* up to here few are */
    uint32_t last;        /* page whose address was looked at last … */
    bool last_allowed;
    bool failed; /* no memory: what it said cannot be trusted */
    struct arena scratch;
};

/* removed and f (or NULL) must stay; a holds the spans. */
MUST_CHECK enum err sieve_init(struct sieve *x, const struct segment *s,
                               const uint64_t *removed,
                               const struct index_filter *f, struct arena *a,
                               struct errctx *ec);
void sieve_fini(struct sieve *x);

enum { SIEVE_APART = 256 };

/* The next pages in a row, from page on, whose hosts are let through, and of
 * whose days so many that between them lie at most SIEVE_APART passages, or one
 * in some; false: there are none. page never falls from call to call. */
bool sieve_run(struct sieve *x, uint32_t page, struct page_run *out);

/* Are many pages let through? */
bool sieve_is_wide(const struct sieve *x);

/* May this one be found? */
bool sieve_allows(struct sieve *x, uint32_t page);

#endif
