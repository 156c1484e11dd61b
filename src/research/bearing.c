/*
 * Bearing; see bearing.h. Told by how much of the request the chosen units
 * speak of, by the names in it that hosts are about or none is, and by how well
 * the best of them and the sections do.
 */
#include "research/bearing.h"

#include "question/overlap.h"
#include "research/worth.h"

#include <math.h>
#include <string.h>

enum {
    COVERED,  /* how much of the request they speak of, by weight, 0-1 */
    HOSTED,   /* share of them that speak of a name that hosts are about; the
                 name with the most */
    UNHOSTED, /* names that no host is about */
    WANTED,   /* the worth of the best BEST, on average */
    NEAR,     /* how near the nearest BEST are, on average, 0-1 */
    ANSWERED, /* how sure the sections answer, on average */
    FEATURES
};

enum { BEST = 5 };

/* The logarithm of the odds that the index holds what is asked about, fitted to
 * 440 reports, 217 of them over sites on it: among them requests without the
 * name of their product, and the same requests asked of another site alone. */
static const double CONSTANT = -1.96;
static const double WEIGHTS[FEATURES] = {
    [COVERED] = 2.51, [HOSTED] = 2.35, [UNHOSTED] = -0.3,
    [WANTED] = 1.79,  [NEAR] = 0.46,   [ANSWERED] = 0.16,
};
/* Below the first a report is refused, below the second it says that the pages
 * may not be on it: 4 and 30 of the 217 were, most of them without the name,
 * and 85 and 164 of the 223 others. */
static const double REFUSED = -2.5, DOUBTED = -0.5;
static const double ANSWERED_MOST = 6;

/* The request's terms that the unit speaks of, under its headings and address.
 */
static uint64_t spoken_mask(const struct choices *x, const struct choice *c)
{
    const struct query *q = &x->r->query;
    const struct evidence *ev = &x->r->evidence[c->blocks->row];
    const char *const over[] = {ev->url, ev->title, ev->heading};
    uint64_t held = 0;

    for (size_t i = 0; i < sizeof(over) / sizeof(*over); i++)
        held |= overlap_mask(q, over[i], strlen(over[i]));
    for (size_t i = 0; i < c->count; i++)
        held |= overlap_mask(
            q, x->r->evidence[c->blocks[i].row].text + c->blocks[i].start,
            c->blocks[i].len);
    return held;
}

static double mean_best(double *v, size_t n)
{
    double sum = 0;
    size_t k = 0;

    for (; k < n && k < BEST; k++) {
        for (size_t i = k + 1; i < n; i++)
            if (v[i] > v[k]) {
                double t = v[i];

                v[i] = v[k];
                v[k] = t;
            }
        sum += v[k];
    }
    return k > 0 ? sum / (double)k : 0;
}

/* What the n chosen units, whose masks are held, say of the request. */
static void words_read(const struct choices *x, const uint64_t *held, size_t n,
                       double *v)
{
    const struct query *q = &x->r->query;
    uint64_t unhosted = about_unhosted(&x->r->about, q), all = 0;

    for (size_t i = 0; i < q->term_count; i++) {
        size_t speak = 0;

        for (size_t k = 0; k < n; k++) {
            speak += held[k] >> i & 1;
            all |= held[k];
        }
        if (about_hosted(&x->r->about, q->terms[i].text))
            v[HOSTED] = fmax(v[HOSTED], (double)speak / (double)n);
        v[UNHOSTED] += (double)(unhosted >> i & 1);
    }
    v[COVERED] = overlap_share(q, all);
}

static double answered_of(const struct choices *x)
{
    const struct plan *p = &x->r->plan;
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0, end; i < p->count; i = end, n++) {
        end = plan_section_end(p, i);
        sum +=
            fmin(fmax(worth_answers(x, i, end), -ANSWERED_MOST), ANSWERED_MOST);
    }
    return n > 0 ? sum / (double)n : 0;
}

/* Are others asked than the index? Which hosts are about what they find is not
 * known. */
static bool is_asked_elsewhere(const struct run *r)
{
    return provider_set_count(r->env->providers) > 0;
}

enum err bearing_read(const struct choices *x, enum bearing *out)
{
    uint64_t *held = arena_array(x->a, x->count + 1, sizeof(*held));
    double *worth = arena_array(x->a, x->count + 1, sizeof(*worth));
    double *near = arena_array(x->a, x->count + 1, sizeof(*near));
    double v[FEATURES] = {0}, sum = CONSTANT;
    size_t n = 0;

    if (held == NULL || worth == NULL || near == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < x->count; i++) {
        const struct choice *c = &x->v[i];

        if (!c->chosen)
            continue;
        held[n] = spoken_mask(x, c);
        worth[n] = c->worth;
        near[n++] = fmax(c->whole_met, c->closely);
    }
    if (n > 0)
        words_read(x, held, n, v);
    v[WANTED] = mean_best(worth, n);
    v[NEAR] = mean_best(near, n);
    v[ANSWERED] = answered_of(x);
    for (size_t i = 0; i < FEATURES; i++)
        sum += WEIGHTS[i] * v[i];
    *out = !x->is_meant || is_asked_elsewhere(x->r) ? BEARS
           : n == 0 || sum < REFUSED                ? BEARS_NOT
           : sum < DOUBTED                          ? BEARS_PERHAPS
                                                    : BEARS;
    return ERR_OK;
}
