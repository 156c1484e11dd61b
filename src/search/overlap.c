/* Term sets of a question; see overlap.h. Pure but for overlap_weigh. */
#include "search/overlap.h"

#include "text/terms.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const double RARITY_MIN = 0.12; /* also a common word counts a little */

/* At least five bytes in common, and little else. */
static bool is_family(const char *x, const char *y)
{
    size_t n = 0, nx = strlen(x), ny = strlen(y);
    size_t least = nx < ny ? nx : ny;

    while (n < least && x[n] == y[n])
        n++;
    return n >= 5 && n + 2 >= least && (nx > ny ? nx : ny) <= n + 4;
}

static uint64_t term_mask(const struct query *q, const char *term, bool loose)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < q->term_count; i++)
        if (strcmp(q->terms[i].text, term) == 0 ||
            (loose && is_family(q->terms[i].text, term)))
            mask |= (uint64_t)1 << i;
    return mask;
}

/* Stemming is what costs, and it never changes a word's first byte: only
 * tokens that begin like a term are stemmed. */
static uint64_t mask_of(const struct query *q, const char *p, size_t n,
                        bool loose)
{
    struct term_iter it, again;
    struct term t;
    uint64_t mask = 0, all = overlap_all(q);
    bool first[256] = {false};

    for (size_t i = 0; i < q->term_count; i++)
        first[(unsigned char)q->terms[i].text[0]] = true;
    terms_init(&it, p, n);
    again = it;
    while (mask != all && tokens_next(&it, &t)) {
        if (first[(unsigned char)t.text[0]] && terms_next(&again, &t))
            mask |= term_mask(q, t.text, loose);
        again = it;
    }
    return mask;
}

/* The term a stemmed token is; families when no term is that word. */
static bool hit_find(const struct query *q, const char *term,
                     struct overlap_hit *h)
{
    for (size_t i = 0; i < q->term_count; i++)
        if (strcmp(q->terms[i].text, term) == 0) {
            h->term = (unsigned char)i;
            h->loose = false;
            return true;
        }
    for (size_t i = 0; i < q->term_count; i++)
        if (is_family(q->terms[i].text, term)) {
            h->term = (unsigned char)i;
            h->loose = true;
            return true;
        }
    return false;
}

size_t overlap_hits(const struct query *q, const char *p, size_t n,
                    struct overlap_hit *out, size_t max, size_t *tokens)
{
    struct term_iter it, again;
    struct term t;
    size_t count = 0, at = 0;
    bool first[256] = {false};

    for (size_t i = 0; i < q->term_count; i++)
        first[(unsigned char)q->terms[i].text[0]] = true;
    terms_init(&it, p, n);
    again = it;
    for (; tokens_next(&it, &t); at++, again = it)
        if (count < max && at < USHRT_MAX &&
            first[(unsigned char)t.text[0]] && terms_next(&again, &t) &&
            hit_find(q, t.text, &out[count]))
            out[count++].at = (unsigned short)at;
    *tokens = at;
    return count;
}

uint64_t overlap_mask(const struct query *q, const char *p, size_t n)
{
    return mask_of(q, p, n, false);
}

uint64_t overlap_mask_loose(const struct query *q, const char *p, size_t n)
{
    return mask_of(q, p, n, true);
}

double overlap_weight(const struct query *q, uint64_t mask)
{
    double sum = 0;

    for (size_t i = 0; i < q->term_count; i++)
        if (mask >> i & 1)
            sum += q->terms[i].weight * q->rarity[i];
    return sum;
}

uint64_t overlap_all(const struct query *q)
{
    if (q->term_count >= QUERY_TERMS_MAX)
        return UINT64_MAX;
    return ((uint64_t)1 << q->term_count) - 1;
}

double overlap_share(const struct query *q, uint64_t mask)
{
    double all = overlap_weight(q, overlap_all(q));

    return all > 0 ? overlap_weight(q, mask) / all : 0;
}

/* The probabilistic inverse document frequency (Robertson and Sparck Jones,
 * 1976, in the form that is never negative), relative to that of a term
 * nobody holds. */
static double rarity_of(int64_t df, int64_t total)
{
    double n = (double)(total > 0 ? total : 1);
    double d = (double)(df < 0 ? 0 : df > total ? total : df);
    double top = log(1.0 + (n + 0.5) / 0.5);
    double r = log(1.0 + (n - d + 0.5) / (d + 0.5)) / top;

    return r < RARITY_MIN ? RARITY_MIN : r;
}

void overlap_set_rarity(struct query *q, const int64_t *df, int64_t total)
{
    for (size_t i = 0; i < q->term_count; i++)
        /* A spelling nobody uses is not a thing that is missing. */
        q->rarity[i] =
            (q->pairs >> i & 1) && df[i] <= 0 ? 0 : rarity_of(df[i], total);
    q->weighed = true;
}

enum err overlap_weigh(struct query *q, struct db *index, struct errctx *ec)
{
    int64_t df[QUERY_TERMS_MAX], total = 0;
    enum err e;

    if (q->term_count == 0)
        return ERR_OK;
    e = index_df(index, q->terms, q->term_count, df, &total, ec);
    if (e == ERR_OK)
        overlap_set_rarity(q, df, total);
    return e;
}
