/*
 * Choosing by what is covered; see choose.h. A word is worth the more, the
 * more of the pages read speak of it and the rarer it is in the index; the
 * next unit is the one that adds most of that a word (Gillick and Favre 2009,
 * greedily), weighed by how much of the question it speaks of.
 */
#include "research/choose.h"

#include "research/topic.h"

#include <math.h>
#include <string.h>

/* By searches over judged tasks. */
static const double COVER_POWER = 2, RARE_POWER = 0.7, PAGES_POWER = 0.5;
static const double SAME_PAGE = 0.85; /* for each unit it has already */
static const double NEAR = 11;        /* how near it is to its part's meaning */
static const double LEANS = 0.6;      /* of what leans on words before it */
static const double TOPIC_LEAST = 0.2; /* of what is nearest to the topic */

static bool is_repeated(const struct choices *x, const struct choice *c)
{
    for (size_t i = 0; i < c->line_count; i++)
        if (choices_is_said(x, c->lines[i]))
            return true;
    return false;
}

static size_t chosen_of_page(const struct choices *x, size_t page)
{
    size_t n = 0;

    for (size_t i = 0; i < x->count; i++)
        n += x->v[i].chosen && x->v[i].page == page;
    return n;
}

/* Is what stands before it in its unit chosen? */
static bool goes_on(const struct choices *x, const struct choice *c)
{
    return c > x->v && c[-1].unit == c->unit && c[-1].chosen;
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
    if (c->leans && !goes_on(x, c))
        sum *= LEANS;
    return sum * pow(c->cover, COVER_POWER) *
           pow(SAME_PAGE, (double)chosen_of_page(x, c->page)) * (1 + c->own) *
           c->topic * exp(NEAR * c->near) / (double)c->words;
}

static enum err take(struct choices *x, struct choice *c, size_t order)
{
    enum err e = ERR_OK;

    c->chosen = true;
    c->order = order;
    for (size_t k = 0; k < c->concept_count; k++)
        x->c[c->concepts[k]].said = true;
    for (size_t k = 0; e == ERR_OK && k < c->line_count; k++)
        e = choices_say(x, c->lines[k]);
    return e;
}

/* The order of the page within the part: that of its first unit. */
static size_t order_of(const struct choices *x, const struct choice *c,
                       size_t next)
{
    for (size_t i = 0; i < x->count; i++) {
        const struct choice *o = &x->v[i];

        if (o->chosen && o->unit->sub == c->unit->sub && o->page == c->page)
            return o->order;
    }
    return next;
}

/* Choose over all parts at once, each within what it has left of its words, so
 * that a unit goes to the part it speaks most of. */
static enum err all_choose(struct choices *x, size_t *left)
{
    size_t next = 0;

    for (;;) {
        struct choice *best = NULL;
        double most = 0;
        enum err e;

        for (size_t i = 0; i < x->count; i++) {
            struct choice *c = &x->v[i];
            double v;

            if (c->chosen || c->words > left[c->unit->sub] || c->twice ||
                c->topic < TOPIC_LEAST || choices_is_short(c) ||
                is_repeated(x, c))
                continue;
            v = value_of(x, c);
            if (v > most) {
                most = v;
                best = c;
            }
        }
        if (best == NULL)
            return ERR_OK;
        left[best->unit->sub] -= best->words;
        e = take(x, best, order_of(x, best, next++));
        if (e != ERR_OK)
            return e;
    }
}

enum err choose_units(const struct run *r, size_t words, struct candidate *rows,
                      struct arena *a, struct choices *out, struct errctx *ec)
{
    size_t left[PLAN_SUBS_MAX] = {0}, rest = 0;
    enum err e = choices_read(r, a, out);

    if (e == ERR_OK)
        e = topic_weigh(out, rows, ec);
    for (size_t i = 0; i < r->plan.count; i++)
        left[i] = words / r->plan.count;
    if (e == ERR_OK)
        e = all_choose(out, left);
    /* What one part has no use for is the others'. */
    for (size_t i = 0; i < r->plan.count; i++)
        rest += left[i];
    for (size_t i = 0; e == ERR_OK && i < r->plan.count; i++) {
        memset(left, 0, sizeof(left));
        left[i] = rest;
        e = all_choose(out, left);
        rest = left[i];
    }
    return e;
}
