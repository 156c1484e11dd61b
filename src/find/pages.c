/*
 * Pages out of ranked passages; see pages.h. Asks the index only for what
 * stands on a page. Called by search.c and the research room.
 */
#include "find/pages.h"
#include "find/meaning_find.h"
#include "find/rank_choose.h"
#include "question/evidence.h"
#include "question/overlap.h"
#include "reading/repeat.h"

#include "base/date.h"
#include "base/str.h"
#include "text/page_class.h"

#include <stdlib.h>
#include <string.h>

enum { POOLED = 3, GROUPS_MAX = 400, COPY_PASSAGES = 8 };

/* A page's score: its best passage's, and part of the next ones', as a page
 * that speaks of the question in several places is about it; and what its
 * title names. */
static const double NEXT = 0.3;
static const double TITLE = 0.25;
static const double DEFINES = 1.0, DEFINES_SOME = 0.3;
/* Shared by a copy, of the words of its best passage. */
static const double COPY = 0.8, COPY_NAMED = 0.3;

struct group {
    struct found_page page;
    double top[POOLED]; /* scores of its best passages */
    const struct ranked **list;
    size_t count, size;
};

struct source source_of(const struct candidate *c)
{
    return (struct source){.name = c->title[0] != '\0' ? c->title : c->host,
                           .url = c->url,
                           .favicon = c->favicon,
                           .day = c->day,
                           .page = c->page,
                           .passage = c->passage};
}

struct groups {
    struct group *v;
    size_t count;
    size_t opened; /* passages of each page, or 0 */
    struct arena *a;
};

static struct group *group_of(struct groups *x, const struct ranked *r)
{
    const struct candidate *c = &r->c;

    for (size_t i = 0; i < x->count; i++) {
        const struct candidate *o = x->v[i].page.c;

        if (c->page != 0 ? o->page == c->page
                         : o->page == 0 && strcmp(o->url, c->url) == 0)
            return &x->v[i];
    }
    if (x->count == GROUPS_MAX)
        return NULL;
    x->v[x->count] = (struct group){.page = {.c = c}};
    return &x->v[x->count++];
}

static enum err group_add(struct groups *x, struct group *g,
                          const struct ranked *r)
{
    double s = r->c.score;

    if (g->count == 0 || s > g->top[0])
        g->page.c = &r->c;
    for (size_t i = 0; i < POOLED; i++)
        if (s > g->top[i]) {
            double lower = g->top[i];

            g->top[i] = s;
            s = lower;
        }
    if (!arena_grow(x->a, &g->list, g->count, 1, &g->size, sizeof(*g->list)))
        return ERR_NOMEM;
    g->list[g->count++] = r;
    return ERR_OK;
}

static int by_score(const void *x, const void *y)
{
    const struct group *a = x, *b = y;

    if (a->page.score != b->page.score)
        return a->page.score > b->page.score ? -1 : 1;
    return strcmp(a->page.c->url, b->page.c->url);
}

static int by_seq(const void *x, const void *y)
{
    const struct ranked *const *a = x, *const *b = y;

    return (*a)->c.seq < (*b)->c.seq ? -1 : (*a)->c.seq > (*b)->c.seq;
}

/* The passage that defines the subject is the page's best, unless the page
 * only leads to text or lists changes. */
static void group_define(const struct query *q, struct group *g)
{
    struct found_page *p = &g->page;
    const struct candidate *best = p->c;
    struct page_shape shape = {0};

    p->topic = evidence_title(q, p->c->title);
    for (size_t i = 0; i < g->count; i++) {
        double e = evidence_introduces(q, &g->list[i]->c);

        if (e <= p->defines)
            continue;
        p->defines = e;
        best = &g->list[i]->c;
    }
    for (size_t i = 0; p->defines > DEFINES_SOME && i < g->count; i++) {
        const struct candidate *c = &g->list[i]->c;

        page_shape_add(&shape, c->heading, c->text, c->parts);
    }
    if (page_shape_class(&shape, p->c->title) == PAGE_TEXT)
        p->c = best;
    else
        p->defines = 0;
}

static void group_score(const struct query *q, struct group *g, double top)
{
    struct found_page *p = &g->page;

    p->title = overlap_mask_loose(q, p->c->title, strlen(p->c->title));
    p->host = overlap_mask(q, p->c->host, strlen(p->c->host));
    p->all = p->title;
    p->hits = g->count;
    if (q->type == ANSWER_DEFINITION)
        group_define(q, g);
    p->best = top > 0 ? g->top[0] / top : 1;
    p->three = top > 0 ? (g->top[0] + g->top[1] + g->top[2]) / (3 * top) : 1;
    p->score =
        p->best + TITLE * overlap_share(q, p->title) + DEFINES * p->defines;
    for (size_t i = 1; i < POOLED && top > 0; i++)
        p->score += NEXT * g->top[i] / top;
}

/* "contextlib" of ".../library/contextlib.rst.txt": the last part of an
 * address up to its first dot. */
static struct str name_of(const char *url)
{
    const char *at = strrchr(url, '/');

    at = at == NULL ? url : at + 1;
    return (struct str){at, strcspn(at, ".?#")};
}

/* The same document in another form: its source, a page for printing. */
static bool is_named_alike(const struct candidate *a, const struct candidate *b)
{
    struct str x = name_of(a->url), y = name_of(b->url);

    return x.n > 0 && x.n == y.n && memcmp(x.p, y.p, x.n) == 0 &&
           strcmp(a->host, b->host) == 0;
}

/* What of a page that was chosen is compared with others, read for the first of
 * them: of a manual in one page only a part is read, and a chapter of it that
 * stands in a page of its own may be another. */
struct prints {
    struct shingles v[COPY_PASSAGES];
    size_t count; /* 0: not yet */
};

/* The first of the passages that are opened around a page's best. */
static int64_t opened_from(const struct candidate *best, size_t passages)
{
    int64_t from = best->seq - (int64_t)passages / 3;

    return from > 0 ? from : 0;
}

/* Is it among those that will be known of its page? */
static bool is_known(const struct groups *x, const struct candidate *c,
                     const struct candidate *best)
{
    int64_t from = opened_from(best, x->opened);

    return x->opened == 0 || best->page == 0 ||
           (c->seq >= from && c->seq < from + (int64_t)x->opened);
}

static void prints_read(struct prints *out, const struct groups *x,
                        const struct group *g)
{
    if (out->count > 0)
        return;
    for (size_t i = 0; i < g->count && out->count < COPY_PASSAGES; i++)
        if (is_known(x, &g->list[i]->c, g->page.c))
            shingles_read(&out->v[out->count++], g->list[i]->c.text);
}

/* A page that says what a better one says: its best passage stands there. */
static bool is_copy(const struct groups *x, const struct group *g,
                    const struct shingles *own, const struct group *kept,
                    struct prints *of)
{
    double least = is_named_alike(g->page.c, kept->page.c) ? COPY_NAMED : COPY;

    prints_read(of, x, kept);
    for (size_t i = 0; i < of->count; i++)
        if (shingles_share(own, &of->v[i]) >= least)
            return true;
    return false;
}

/* The max best that are no copies, in front. */
static enum err groups_choose(struct groups *x, size_t max)
{
    struct prints *of = arena_array(x->a, max + 1, sizeof(*of));
    size_t kept = 0;

    if (of == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < x->count && kept < max; i++) {
        struct group g = x->v[i];
        struct shingles own;
        size_t k = 0;

        shingles_read(&own, g.page.c->text);
        while (k < kept && !is_copy(x, &g, &own, &x->v[k], &of[k]))
            k++;
        if (k == kept) {
            x->v[kept++] = g;
        } else if ((rank_is_source(x->v[k].page.c) &&
                    !rank_is_source(g.page.c)) ||
                   (rank_is_own_page(x->v[k].page.c, g.page.c) &&
                    shingles_share(&own, &of[k].v[0]) >= COPY)) {
            g.page.score = x->v[k].page.score;
            x->v[k] = g;
        }
    }
    x->count = kept;
    return ERR_OK;
}

static enum err groups_deliver(struct groups *x, const struct query *q,
                               size_t max, struct found_page **out,
                               size_t *out_count)
{
    size_t n = x->count < max ? x->count : max;
    struct found_page *list = arena_array(x->a, n + 1, sizeof(*list));

    if (list == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < n; i++) {
        struct group *g = &x->v[i];
        struct candidate *own = arena_array(x->a, g->count, sizeof(*own));

        if (own == NULL)
            return ERR_NOMEM;
        qsort(g->list, g->count, sizeof(*g->list), by_seq);
        for (size_t k = 0; k < g->count; k++) {
            own[k] = g->list[k]->c;
            if (g->page.all != overlap_all(q))
                g->page.all |=
                    overlap_mask_loose(q, own[k].text, strlen(own[k].text));
        }
        list[i] = g->page;
        list[i].passages = own;
        list[i].count = g->count;
    }
    *out = list;
    *out_count = n;
    return ERR_OK;
}

enum err pages_rank(const struct query *q, const struct ranked *found,
                    size_t count, size_t max, size_t opened, struct arena *a,
                    struct found_page **out, size_t *out_count)
{
    struct groups x = {.opened = opened, .a = a};
    double top = 0;
    enum err e = ERR_OK;

    x.v = arena_array(a, GROUPS_MAX, sizeof(*x.v));
    if (x.v == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const struct ranked *r = &found[i];
        struct group *g = group_of(&x, r);

        if (g == NULL)
            continue;
        e = group_add(&x, g, r);
        top = r->c.score > top ? r->c.score : top;
    }
    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < x.count; i++)
        group_score(q, &x.v[i], top);
    if (x.count > 1)
        qsort(x.v, x.count, sizeof(*x.v), by_score);
    e = groups_choose(&x, max);
    if (e != ERR_OK)
        return e;
    return groups_deliver(&x, q, max, out, out_count);
}

enum err pages_open(struct db *index, const struct meaning *m,
                    const struct query *q, struct found_page *pages,
                    size_t count, size_t passages, struct arena *a,
                    struct errctx *ec)
{
    size_t bytes = 0;
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct found_page *p = &pages[i];
        struct candidate *list = NULL;
        int64_t from = opened_from(p->c, passages);
        size_t n = 0;

        if (index == NULL || p->c->page == 0 || bytes > PAGES_BYTES_MAX)
            continue;
        e = index_passages(index, p->c->page, from, passages, a, &list, &n, ec);
        /* It may have been replaced since it was found. */
        if (e == ERR_NO_RESULT || e == ERR_NOT_FOUND) {
            e = ERR_OK;
            continue;
        }
        for (size_t k = 0; e == ERR_OK && k < n; k++) {
            /* Which a provider told of a page that does not. */
            if (list[k].day == DAY_NONE)
                list[k].day = p->c->day;
            if (list[k].title[0] == '\0')
                list[k].title = p->c->title;
            bytes += strlen(list[k].text);
        }
        if (e == ERR_OK && n > 0) {
            meaning_measure(m, q, list, n);
            p->passages = list;
            p->count = n;
        }
    }
    return e;
}
