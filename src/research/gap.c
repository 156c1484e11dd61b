/*
 * Gaps and the queries that follow them; see gap.h. New words come from the
 * best passages (pseudo-relevance feedback): frequent there, rare elsewhere.
 */
#include "research/gap.h"

#include "base/str.h"
#include "text/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BEST_OWN = 3,     /* passages whose words are looked at */
    BEST_ALL = 5,     /* when the sub-question has none */
    WORDS_MAX = 256,  /* distinct words looked at */
    WEIGHED_MAX = 64, /* of them, weighed by the index */
    WORDS_ADDED = 3,  /* to a query */
    WINDOWS = 3,      /* tries to make a query that is new */
    WORD_MIN = 3,
    WORD_MAX = 30,
    PASSAGES_ENOUGH = 2
};

struct word {
    char text[TERM_MAX + 1]; /* folded, as a reader would type it */
    char term[TERM_MAX + 1]; /* stemmed */
    size_t passages;         /* of those looked at that hold it */
    size_t last;             /* the last of them, + 1 */
    double weight;
};

struct words {
    struct word v[WORDS_MAX];
    size_t n;
};

/* --- gaps -------------------------------------------------------------- */

static bool has_own_page(const struct run *r, size_t sub)
{
    for (size_t i = 0; i < r->evidence_count; i++) {
        bool shared = false;

        if (r->evidence[i].sub != (int64_t)sub)
            continue;
        for (size_t j = 0; j < r->evidence_count && !shared; j++)
            shared = r->evidence[j].sub != (int64_t)sub &&
                     strcmp(r->evidence[j].url, r->evidence[i].url) == 0;
        if (!shared)
            return true;
    }
    return false;
}

static bool has_gap(const struct run *r, size_t sub)
{
    return run_passages(r, sub) < PASSAGES_ENOUGH || !has_own_page(r, sub);
}

/* --- words ------------------------------------------------------------- */

static bool is_useful(const char *folded, size_t n)
{
    size_t letters = 0;

    for (size_t i = 0; i < n; i++)
        letters += !ascii_is_digit((unsigned char)folded[i]);
    return n >= WORD_MIN && n <= WORD_MAX && letters == n &&
           !term_is_stop(folded, n);
}

static struct word *find_word(struct words *ws, const char *term)
{
    for (size_t i = 0; i < ws->n; i++)
        if (strcmp(ws->v[i].term, term) == 0)
            return &ws->v[i];
    return NULL;
}

static bool is_asked(const struct query *q, const char *term)
{
    for (size_t i = 0; i < q->term_count; i++)
        if (strcmp(q->terms[i].text, term) == 0)
            return true;
    return false;
}

static void count_words(struct words *ws, const struct query *q,
                        const char *text, size_t passage)
{
    struct term_iter it;
    struct term t;

    terms_init(&it, text, strlen(text));
    while (tokens_next(&it, &t)) {
        char term[TERM_MAX + 1];
        struct word *w;

        if (!is_useful(t.text, t.len))
            continue;
        memcpy(term, t.text, t.len + 1);
        term[term_stem(term, t.len)] = '\0';
        if (is_asked(q, term))
            continue;
        w = find_word(ws, term);
        if (w == NULL) {
            if (ws->n == WORDS_MAX)
                continue;
            w = &ws->v[ws->n++];
            memset(w, 0, sizeof *w);
            memcpy(w->text, t.text, t.len + 1);
            memcpy(w->term, term, sizeof term);
        }
        if (w->last != passage + 1) {
            w->passages++;
            w->last = passage + 1;
        }
    }
}

static int by_passages(const void *a, const void *b)
{
    const struct word *x = a, *y = b;

    if (x->passages != y->passages)
        return x->passages > y->passages ? -1 : 1;
    return strcmp(x->term, y->term);
}

static int by_weight(const void *a, const void *b)
{
    const struct word *x = a, *y = b;

    if (x->weight < y->weight || x->weight > y->weight)
        return x->weight > y->weight ? -1 : 1;
    return strcmp(x->term, y->term);
}

/* Rare in the index, frequent in the best passages. */
static enum err weigh_words(const struct run *r, struct words *ws,
                            struct errctx *ec)
{
    struct index_term terms[WEIGHED_MAX];
    int64_t df[WEIGHED_MAX], total = 0;
    enum err e;

    qsort(ws->v, ws->n, sizeof ws->v[0], by_passages);
    if (ws->n > WEIGHED_MAX)
        ws->n = WEIGHED_MAX;
    if (ws->n == 0)
        return ERR_OK;
    for (size_t i = 0; i < ws->n; i++) {
        terms[i] = (struct index_term){.text = ws->v[i].term, .weight = 1.0};
    }
    e = index_df(r->env->index, terms, ws->n, df, &total, ec);
    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < ws->n; i++)
        ws->v[i].weight = (double)ws->v[i].passages *
                          log(1.0 + (double)total / (1.0 + (double)df[i]));
    qsort(ws->v, ws->n, sizeof ws->v[0], by_weight);
    return ERR_OK;
}

/* The next best row after the ones taken; equal scores in stored order. */
static const struct evidence *next_best(const struct run *r, int64_t sub,
                                        const struct evidence *after)
{
    const struct evidence *best = NULL;

    for (size_t i = 0; i < r->evidence_count; i++) {
        const struct evidence *e = &r->evidence[i];

        if (sub >= 0 && e->sub != sub)
            continue;
        if (after != NULL && (e->score > after->score ||
                              (!(e->score < after->score) && e->n <= after->n)))
            continue;
        if (best == NULL || e->score > best->score)
            best = e;
    }
    return best;
}

static enum err find_words(const struct run *r, size_t sub,
                           const struct query *q, struct words *ws,
                           struct errctx *ec)
{
    bool own = run_passages(r, sub) > 0;
    size_t most = own ? BEST_OWN : BEST_ALL;
    const struct evidence *e = NULL;

    ws->n = 0;
    for (size_t i = 0; i < most; i++) {
        e = next_best(r, own ? (int64_t)sub : -1, e);
        if (e == NULL)
            break;
        count_words(ws, q, e->text, i);
    }
    return weigh_words(r, ws, ec);
}

/* --- queries ----------------------------------------------------------- */

static const char *own_words(const struct query *q, struct arena *a)
{
    const char *z = "";

    for (size_t i = 0; i < q->term_count && z != NULL; i++)
        z = arena_printf(a, "%s%s%s", z, *z == '\0' ? "" : " ", q->words[i]);
    return z;
}

/* The sub-question's words with the next window of new ones; NULL when there
 * is none that was not tried. */
static enum err new_query(const struct run *r, size_t sub, struct arena *a,
                          const char **out, struct errctx *ec)
{
    struct words *ws = arena_alloc(a, sizeof *ws);
    struct query q;
    const char *own, *z;
    enum err e = query_parse(r->plan.subs[sub].question, a, &q);

    *out = NULL;
    if (e != ERR_OK || ws == NULL)
        return ERR_NOMEM;
    e = find_words(r, sub, &q, ws, ec);
    own = own_words(&q, a);
    if (e != ERR_OK || own == NULL)
        return e != ERR_OK ? e : ERR_NOMEM;
    for (size_t w = 0; w < WINDOWS; w++) {
        size_t from = w * WORDS_ADDED;

        z = own;
        for (size_t i = from; i < from + WORDS_ADDED && i < ws->n; i++)
            if ((z = arena_printf(a, "%s %s", z, ws->v[i].text)) == NULL)
                return ERR_NOMEM;
        if (z != own && !run_has_query(r, sub, z)) {
            *out = z;
            return ERR_OK;
        }
    }
    if (*r->plan.subject != '\0' && run_passages(r, sub) == 0 &&
        !run_has_query(r, sub, r->plan.subject))
        *out = r->plan.subject;
    return ERR_OK;
}

enum err gap_find(const struct run *r, bool want_queries, struct arena *a,
                  struct gap *out, struct errctx *ec)
{
    size_t room = (size_t)r->budget.queries;

    memset(out, 0, sizeof *out);
    room = room > r->queue_count ? room - r->queue_count : 0;
    for (size_t i = 0; i < r->plan.count; i++) {
        struct gap_query *q = &out->query[out->count];
        enum err e;

        out->open[i] = has_gap(r, i);
        out->open_count += out->open[i];
        if (!want_queries || out->count >= room ||
            (!out->open[i] && r->plan.mode != MODE_INVESTIGATE))
            continue;
        e = new_query(r, i, a, &q->text, ec);
        if (e != ERR_OK)
            return e;
        q->sub = i;
        out->count += q->text != NULL;
    }
    return ERR_OK;
}
