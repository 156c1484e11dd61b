/* Passages in a model's order; see rerank.h. */
#include "find/rerank.h"

#include <stdlib.h>
#include <string.h>

/* Of the reciprocal ranks. */
static const double K = 5.0;

struct entry {
    struct ranked r;
    double given;
    size_t place; /* as it was ranked */
};

static int by_given(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;

    if (a->given != b->given)
        return a->given > b->given ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static int by_score(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;

    if (a->r.priority != b->r.priority)
        return a->r.priority ? -1 : 1;
    if (a->r.score != b->r.score)
        return a->r.score > b->r.score ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static void fuse(struct entry *e, size_t n)
{
    qsort(e, n, sizeof(*e), by_given);
    for (size_t i = 0; i < n; i++)
        e[i].r.score = ((K + 1) / (K + 1 + (double)i) +
                        (K + 1) / (K + 1 + (double)e[i].place)) /
                       2;
    qsort(e, n, sizeof(*e), by_score);
}

enum err rerank_passages(struct relevance *r, const struct query *q, size_t max,
                         struct deadline d, const char *id, struct arena *a,
                         struct ranked *v, size_t *count)
{
    size_t all = *count, n = all < RERANK_MANY ? all : RERANK_MANY;
    const char *texts[RERANK_MANY];
    double score[RERANK_MANY];
    struct entry *e;

    *count = all < max ? all : max;
    if (r == NULL || n < 2)
        return ERR_OK;
    e = arena_array(a, n, sizeof(*e));
    if (e == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < n; i++)
        texts[i] = v[i].c.text;
    if (relevance_score(r, q->text, texts, n, d, id, a, score, NULL) != ERR_OK)
        return ERR_OK;
    for (size_t i = 0; i < n; i++)
        e[i] = (struct entry){v[i], score[i], i};
    fuse(e, n);
    for (size_t i = 0; i < *count && i < n; i++)
        v[i] = e[i].r;
    return ERR_OK;
}
