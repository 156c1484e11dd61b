/*
 * Why pages were skipped or failed: reasons with a count and an example.
 */
#ifndef CITED_CRAWL_TALLY_H
#define CITED_CRAWL_TALLY_H

#include "crawl/crawl.h"
#include "index/frontier.h"

enum { TALLY_MAX = 64 };

struct tally {
    struct crawl_reason row[TALLY_MAX];
    size_t count;
    struct arena *arena;
};

void tally_init(struct tally *t, struct arena *a);

/* Count reason once more; the first URL is its example. Reasons beyond the
 * table are counted as "other". */
void tally_add(struct tally *t, const char *reason, const char *url);
void tally_add_many(struct tally *t, const char *reason, const char *url,
                    int64_t n);

/* The frontier's counts, which hold also earlier runs of the same crawl,
 * take the place of ours where they are larger. */
void tally_merge(struct tally *t, const struct frontier_count *counts,
                 size_t count);

/* Largest count first. */
void tally_sort(struct tally *t);

#endif
