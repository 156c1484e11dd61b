/* Agreement and disagreement between hosts; see answer_agree.h. Pure. Called
 * by answer_score.c and answer_extract.c. */
#include "answer/answer_agree.h"
#include "answer/agree.h"

#include "base/url.h"

#include <string.h>

enum { CLAIMS_MAX = 8, PASSAGES_COUNTED = 12, VOUCHERS_MAX = 2 };

/* What each host that vouches is worth, and how far below the answer's score
 * a sentence may be and still answer the question; set by hand. */
static const double VOUCHER = 0.8;
static const double ANSWERS = 6.0;

static struct saying saying_of(const struct pool *pool,
                               const struct sentence *s)
{
    return (struct saying){&pool->passages[s->passage].c, s->span.start,
                           s->span.len};
}

/* Are there two registrable domains at all? */
static bool has_hosts(const struct pool *pool)
{
    for (size_t i = 1; i < pool->passage_count; i++)
        if (strcmp(host_registrable(pool->passages[0].c.host),
                   host_registrable(pool->passages[i].c.host)) != 0)
            return true;
    return false;
}

static bool gives(const struct pool *pool, const struct sentence *s,
                  const struct claim *want)
{
    struct claim claims[CLAIMS_MAX];
    struct saying y = saying_of(pool, s);
    size_t n = agree_claims(pool->q, y.from->text + y.start, y.len, claims,
                            CLAIMS_MAX);

    for (size_t i = 0; i < n; i++)
        if (agree_is_same(&claims[i], want))
            return true;
    return false;
}

/* Does the host of one of the chosen vouchers stand behind passage p too? */
static bool is_counted(const struct pool *pool, const size_t *by, size_t n,
                       size_t p)
{
    for (size_t i = 0; i < n; i++)
        if (!agree_is_independent(&pool->passages[by[i]].c,
                                  &pool->passages[p].c))
            return true;
    return false;
}

/* How many independent hosts give the value, apart from the sentence's. */
static size_t vouchers(const struct pool *pool, const struct sentence *s,
                       double least, const struct claim *c)
{
    size_t by[VOUCHERS_MAX + 1] = {s->passage}, n = 1;

    for (size_t i = 0; i < pool->count && n <= VOUCHERS_MAX; i++) {
        const struct sentence *o = &pool->s[i];

        if (o->passage != s->passage && o->score >= least &&
            gives(pool, o, c) && !is_counted(pool, by, n, o->passage))
            by[n++] = o->passage;
    }
    return n - 1;
}

static double best_score(const struct pool *pool)
{
    double best = 0;

    for (size_t i = 0; i < pool->count; i++)
        if (i == 0 || pool->s[i].score > best)
            best = pool->s[i].score;
    return best;
}

void agree_weigh(struct pool *pool)
{
    double least = best_score(pool) - ANSWERS;

    if (!has_hosts(pool))
        return;
    for (size_t i = 0; i < pool->count; i++) {
        struct sentence *s = &pool->s[i];
        struct saying y = saying_of(pool, s);
        struct claim claims[CLAIMS_MAX];
        size_t n, most = 0;

        if (s->score < least)
            continue;
        n = agree_claims(pool->q, y.from->text + y.start, y.len, claims,
                         CLAIMS_MAX);
        for (size_t k = 0; k < n; k++) {
            size_t v = vouchers(pool, s, least, &claims[k]);

            most = v > most ? v : most;
        }
        s->agreed = VOUCHER * (double)most;
    }
    for (size_t i = 0; i < pool->count; i++)
        pool->s[i].score += pool->s[i].agreed;
}

/* --- dissent ------------------------------------------------------------- */

static enum err said(struct cited_sentence *out, const struct pool *pool,
                     const struct sentence *s, struct arena *a)
{
    struct saying y = saying_of(pool, s);

    *out = (struct cited_sentence){.passage = s->passage,
                                   .start = y.start,
                                   .len = y.len,
                                   .score = s->score};
    out->text = arena_strndup(a, y.from->text + y.start, y.len);
    return out->text == NULL ? ERR_NOMEM : ERR_OK;
}

enum err agree_find(const struct pool *pool, const struct sentence *lead,
                    struct arena *a, struct answer_draft *out)
{
    struct saying own = saying_of(pool, lead);
    const struct sentence *best = NULL;
    struct claim x, y, mine = {0}, other = {0};
    struct dissent d = {.found = true};
    enum err e;

    for (size_t i = 0; i < pool->count; i++) {
        const struct sentence *s = &pool->s[i];
        struct saying theirs = saying_of(pool, s);

        if (s->weighed < lead->weighed - ANSWERS ||
            (best != NULL && s->weighed <= best->weighed) ||
            !agree_is_dissent(pool->q, &own, &theirs, &x, &y))
            continue;
        best = s;
        mine = x;
        other = y;
    }
    if (best == NULL)
        return ERR_OK;
    e = said(&d.said[0], pool, lead, a);
    if (e == ERR_OK)
        e = said(&d.said[1], pool, best, a);
    if (e != ERR_OK)
        return e;
    d.value_start[0] = mine.start;
    d.value_len[0] = mine.len;
    d.value_start[1] = other.start;
    d.value_len[1] = other.len;
    out->dissent = d;
    return ERR_OK;
}
