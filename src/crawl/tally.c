/* Reasons and their counts; see state.h. */
#include "crawl/state.h"

#include <stdlib.h>
#include <string.h>

void tally_init(struct tally *t, struct arena *a)
{
    memset(t, 0, sizeof *t);
    t->arena = a;
}

static struct crawl_reason *row_of(struct tally *t, const char *reason)
{
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->row[i].reason, reason) == 0)
            return &t->row[i];
    if (t->count == TALLY_MAX - 1)
        reason = "other";
    if (t->count == TALLY_MAX)
        return &t->row[TALLY_MAX - 1];
    reason = arena_strdup(t->arena, reason);
    if (reason == NULL)
        return NULL;
    t->row[t->count].reason = reason;
    t->row[t->count].example = "";
    return &t->row[t->count++];
}

void tally_add_many(struct tally *t, const char *reason, const char *url,
                    int64_t n)
{
    struct crawl_reason *r = row_of(t, reason);

    if (r == NULL)
        return;
    if (r->count == 0) {
        const char *copy = arena_strdup(t->arena, url);

        r->example = copy == NULL ? "" : copy;
    }
    r->count += n;
}

void tally_add(struct tally *t, const char *reason, const char *url)
{
    tally_add_many(t, reason, url, 1);
}

void tally_merge(struct tally *t, const struct frontier_count *counts,
                 size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct crawl_reason *r;

        if (counts[i].state != FRONTIER_SKIPPED &&
            counts[i].state != FRONTIER_FAILED)
            continue;
        r = row_of(t, counts[i].reason);
        if (r != NULL && r->count < counts[i].count)
            r->count = counts[i].count;
    }
}

static int by_count(const void *a, const void *b)
{
    const struct crawl_reason *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->reason, y->reason);
}

void tally_sort(struct tally *t)
{
    qsort(t->row, t->count, sizeof *t->row, by_count);
}
