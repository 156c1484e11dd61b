/*
 * Choosing by what is covered; see choose.h. A word is worth the more, the
 * more of the pages read speak of it and the rarer it is in the index; the
 * next unit is the one that adds most of that a word (Gillick and Favre 2009,
 * greedily), weighed by how much of the question it speaks of and how much a
 * reader wants it.
 */
#include "research/choose.h"

#include "research/topic.h"
#include "research/whole.h"
#include "research/worth.h"

#include <math.h>
#include <string.h>

/* By searches over judged tasks. */
static const double COVER_POWER = 3, STANDING_POWER = 3;
static const double OWN = 2;    /* how much its part counts by itself */
static const double HEADED = 1; /* … how much what it stands under names it */
static const double RARE_POWER = 0.7, PAGES_POWER = 0.5;
static const double NEAR = 8;         /* how near it is to its part's meaning */
static const double LEANS = 0.3;      /* of what leans on words before it */
static const double GOES_ON = 3;      /* of what goes on where one has ended */
static const double PART_LEAST = 0.6; /* … of what another part says of it */
static const double PART_ENOUGH = 0.75; /* … that stays where it is anyway */
static const double WORTH = 5;          /* how much a reader wants it */
static const double BREADTH = 0.5;      /* of how much its page says already */
/* How sure it must be that a section answers; … where none is. */
static const double ANSWERS_LEAST = 0.5, ANSWERS_ALONE = -0.5;

static bool is_repeated(const struct choices *x, const struct choice *c)
{
    for (size_t i = 0; i < c->line_count; i++)
        if (choices_is_said(x, c->lines[i]))
            return true;
    return false;
}

/* Is what stands before it in its unit chosen? */
static bool goes_on(const struct choices *x, const struct choice *c)
{
    return c > x->v && c[-1].unit == c->unit && c[-1].chosen;
}

/* How much it speaks of what is asked. */
static double speaks_of(const struct choice *c)
{
    return pow(c->cover, COVER_POWER) * (1 + OWN * c->own) *
           (1 + HEADED * c->headed) * c->topic * exp(NEAR * c->near) *
           pow(c->unit->standing, STANDING_POWER);
}

double choose_merit(const struct choice *c)
{
    return speaks_of(c) * exp(WORTH * c->worth);
}

/* How much each part's pages speak of what it asks: a report follows few pages.
 */
static enum err pages_weigh(struct choices *x)
{
    double *sum = arena_array(x->a, x->pages + 1, sizeof(*sum));

    for (size_t sub = 0; sum != NULL && sub < x->r->plan.count; sub++) {
        double most = 0;

        memset(sum, 0, (x->pages + 1) * sizeof(*sum));
        for (size_t i = 0; i < x->count; i++) {
            const struct choice *c = &x->v[i];

            if (c->unit->sub != sub || choices_is_short(c))
                continue;
            sum[c->page] += speaks_of(c);
            most = fmax(most, sum[c->page]);
        }
        for (size_t i = 0; i < x->count; i++)
            if (x->v[i].unit->sub == sub && most > 0)
                x->v[i].about = sum[x->v[i].page] / most;
    }
    return sum == NULL ? ERR_NOMEM : ERR_OK;
}

/* What the unit adds, a word. */
static double value_of(const struct choices *x, const struct choice *c)
{
    double sum = 0;

    for (size_t k = 0; k < c->concept_count; k++) {
        const struct concept *o = &x->c[c->concepts[k]];

        if (!o->said)
            sum +=
                pow(o->rare, RARE_POWER) * pow((double)o->pages, PAGES_POWER);
    }
    if (goes_on(x, c))
        sum *= GOES_ON;
    else if (c->leans)
        sum *= LEANS;
    return sum * exp(WORTH * c->worth) * speaks_of(c) * c->about /
           (pow((double)(1 + x->taken[c->page]), BREADTH) * (double)c->words);
}

static enum err take(struct choices *x, struct choice *c)
{
    enum err e = ERR_OK;

    c->chosen = true;
    x->taken[c->page]++;
    for (size_t k = 0; k < c->concept_count; k++)
        x->c[c->concepts[k]].said = true;
    for (size_t k = 0; e == ERR_OK && k < c->line_count; k++)
        e = choices_say(x, c->lines[k]);
    return e;
}

/* Choose over all parts at once what has most value, 0: none, each part within
 * what it has left of its words, so that a unit goes to the part that it has
 * most for. */
static enum err choose_by(struct choices *x, size_t *left,
                          double (*value)(const struct choices *,
                                          const struct choice *))
{
    for (;;) {
        struct choice *best = NULL;
        double most = 0;
        enum err e;

        for (size_t i = 0; i < x->count; i++) {
            struct choice *c = &x->v[i];
            double v;

            if (c->chosen || c->words > left[c->unit->sub] || c->twice ||
                c->beside || is_repeated(x, c))
                continue;
            v = value(x, c);
            if (v > most) {
                most = v;
                best = c;
            }
        }
        if (best == NULL)
            return ERR_OK;
        left[best->unit->sub] -= best->words;
        best->weak = false;
        e = take(x, best);
        if (e != ERR_OK)
            return e;
    }
}

static double any_value(const struct choices *x, const struct choice *c)
{
    return c->weak || choices_is_short(c) || choices_is_contents(c)
               ? 0
               : value_of(x, c);
}

enum err choose_weigh(const struct run *r, struct candidate *rows,
                      struct arena *a, struct choices *out, struct errctx *ec)
{
    enum err e = choices_read(r, a, out);

    if (e == ERR_OK)
        e = topic_weigh(out, rows, ec);
    if (e == ERR_OK)
        e = worth_weigh(out);
    if (e == ERR_OK)
        e = pages_weigh(out);
    if (e == ERR_OK)
        e = worth_touch(out);
    if (e != ERR_OK)
        return e;
    out->taken = arena_array(a, out->pages + 1, sizeof(*out->taken));
    if (out->taken == NULL)
        return ERR_NOMEM;
    memset(out->taken, 0, (out->pages + 1) * sizeof(*out->taken));
    return ERR_OK;
}

/* Forget what is chosen of the parts from `from` up to `to`. */
static void section_drop(struct choices *x, size_t from, size_t to)
{
    for (size_t i = 0; i < x->count; i++) {
        struct choice *c = &x->v[i];

        if (c->unit->sub < from || c->unit->sub >= to)
            continue;
        c->chosen = false;
        c->weak = true;
    }
}

/* Sections that do not answer what they are to, as told by what is chosen for
 * them, go: nothing is better than that. Where none does, the bar is lower.
 * What they had room for is in *rest; of what is said, `said` was before. */
static enum err sections_judge(struct choices *x, size_t said, size_t words,
                               size_t *rest)
{
    const struct plan *p = &x->r->plan;
    double odds[PLAN_SUBS_MAX], most = -INFINITY;
    enum err e = ERR_OK;

    for (size_t i = 0, end; i < p->count; i = end) {
        end = plan_section_end(p, i);
        odds[i] = worth_answers(x, i, end);
        most = fmax(most, odds[i]);
    }
    for (size_t i = 0, end; i < p->count; i = end) {
        end = plan_section_end(p, i);
        if (odds[i] < (most < ANSWERS_LEAST ? ANSWERS_ALONE : ANSWERS_LEAST))
            section_drop(x, i, end);
    }
    /* What is left says what is said. */
    x->said_count = said;
    for (size_t i = 0; i < CONCEPTS_MAX; i++)
        x->c[i].said = false;
    memset(x->taken, 0, (x->pages + 1) * sizeof(*x->taken));
    *rest = words;
    for (size_t i = 0; e == ERR_OK && i < x->count; i++) {
        struct choice *c = &x->v[i];

        if (!c->chosen)
            continue;
        *rest -= c->words < *rest ? c->words : *rest;
        e = take(x, c);
    }
    return e;
}

/* What one part has no use for is the others'. */
static enum err rest_choose(struct choices *x, size_t rest)
{
    size_t left[PLAN_SUBS_MAX];
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < x->r->plan.count; i++) {
        memset(left, 0, sizeof(left));
        left[i] = rest;
        e = choose_by(x, left, any_value);
        rest = left[i];
    }
    return e;
}

/* What leans on what is not worth its words goes along with it, and leaves its
 * place empty: what would have come next is worth less. */
static void weak_drop(struct choices *x)
{
    for (size_t i = 0; i < x->count; i++) {
        struct choice *c = &x->v[i];
        bool goes_on = i > 0 && c[-1].unit == c->unit;

        c->weak = c->weak || (goes_on && c[-1].weak && c->leans);
        c->chosen = c->chosen && !c->weak;
    }
}

/* What answers its part, worth its words or not; of several parts, that of
 * which it speaks most. */
static double answer_value(const struct choices *x, const struct choice *c)
{
    (void)x;
    return c->answers && !c->foreign ? 1 + c->own : 0;
}

/* The part of the same side that asks most of what the unit says, or the
 * unit's own: fits are those of topic_fit. */
static size_t part_of(const struct choices *x, const struct choice *c,
                      const double *fits)
{
    const struct plan *p = &x->r->plan;
    size_t own = c->unit->sub, best = own;

    for (size_t i = 0; i < p->count; i++)
        if (p->subs[i].side == p->subs[own].side && fits[i] > fits[best])
            best = i;
    return fits[own] < PART_ENOUGH && fits[own] < PART_LEAST * fits[best] ? best
                                                                          : own;
}

/* How much the page is about the part. */
static double about_of(const struct choices *x, size_t page, size_t sub)
{
    for (size_t i = 0; i < x->count; i++)
        if (x->v[i].page == page && x->v[i].unit->sub == sub)
            return x->v[i].about;
    return 0;
}

/* Of the chosen units that may leave their part the one that another part asks
 * most more of; where it goes in *to. NULL: none does. */
static struct choice *leaving(const struct choices *x, const double *fits,
                              const size_t *left, size_t *to)
{
    size_t parts = x->r->plan.count;
    struct choice *best = NULL;
    double most = 0;

    for (size_t i = 0; i < x->count; i++) {
        struct choice *c = &x->v[i];
        const double *fit = fits + i * parts;
        size_t from = c->unit->sub, part;

        if (!c->chosen || c->answers || left[from] < c->words)
            continue;
        part = part_of(x, c, fit);
        if (part != from && fit[part] - fit[from] > most) {
            most = fit[part] - fit[from];
            best = c;
            *to = part;
        }
    }
    return best;
}

static enum err part_change(const struct choices *x, struct choice *c,
                            size_t to)
{
    struct run_unit *moved = arena_alloc(x->a, sizeof(*moved));

    if (moved == NULL)
        return ERR_NOMEM;
    *moved = *c->unit;
    moved->sub = to;
    c->unit = moved;
    c->about = about_of(x, c->page, to);
    return ERR_OK;
}

/* What a part had room for goes to the part that asks most of it, with what
 * leans on it. No part loses all, and one that asks one word only ("how do I
 * tune it") not more than half: what answers it need not say that. */
static enum err parts_settle(struct choices *x, struct errctx *ec)
{
    size_t parts = x->r->plan.count, to = 0;
    size_t left[PLAN_SUBS_MAX] = {0}, terms[PLAN_SUBS_MAX] = {0};
    double *fits = arena_array(x->a, x->count * parts + 1, sizeof(*fits));
    enum err e = fits == NULL ? ERR_NOMEM : topic_fit(x, fits, terms, ec);
    struct choice *c;

    for (size_t i = 0; i < x->count; i++)
        left[x->v[i].unit->sub] += x->v[i].chosen ? x->v[i].words : 0;
    for (size_t i = 0; i < parts; i++)
        left[i] = terms[i] > 1 && left[i] > 0 ? left[i] - 1 : left[i] / 2;
    while (e == ERR_OK && (c = leaving(x, fits, left, &to)) != NULL) {
        const struct run_unit *unit = c->unit;

        for (struct choice *o = c; e == ERR_OK && o < x->v + x->count; o++) {
            if (o->unit != unit || (o != c && !o->leans))
                break;
            if (!o->chosen || o->answers)
                continue;
            left[unit->sub] -=
                o->words < left[unit->sub] ? o->words : left[unit->sub];
            e = part_change(x, o, to);
        }
    }
    return e;
}

enum err choose_units(struct choices *x, size_t words, struct errctx *ec)
{
    size_t left[PLAN_SUBS_MAX] = {0}, rest = 0, parts = x->r->plan.count;
    size_t said = x->said_count; /* by the table */
    enum err e;

    for (size_t i = 0; i < parts; i++)
        left[i] = words / parts;
    e = choose_by(x, left, answer_value);
    if (e == ERR_OK)
        e = choose_by(x, left, any_value);
    for (size_t i = 0; i < parts; i++)
        rest += left[i];
    if (e == ERR_OK)
        e = rest_choose(x, rest);
    weak_drop(x);
    if (e == ERR_OK)
        e = parts_settle(x, ec);
    if (e == ERR_OK)
        e = sections_judge(x, said, words, &rest);
    if (e == ERR_OK)
        e = rest_choose(x, rest);
    weak_drop(x);
    return e == ERR_OK ? whole_make(x) : e;
}
