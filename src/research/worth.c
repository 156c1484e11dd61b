/*
 * Is a unit worth its words? See worth.h. Told by five things, of which three
 * are beside the best there is, so that a question in other words than the
 * pages' loses nothing: whether its page speaks of the question throughout, how
 * much of what was read stands on that page, how near the unit is to its part
 * in meaning, whether it begins its page or a section, and whether what it
 * stands under names what the part asks about.
 */
#include "research/worth.h"

#include "find/meaning_find.h"

#include <math.h>
#include <string.h>

enum { MET_BYTES = 4000 };

/* The logarithm of the odds, fitted to 480 passages of 20 reports, each marked
 * as one that a reader wants or not. */
static const double SPREAD = 2.1, EXTENT = 0.36, MET = 1.8, LEADS = 0.64,
                    HEADED = 0.97, CONSTANT = -1.17;
/* What is below it is left out: as high as the facts that matter allow. */
static const double LEAST = -0.7;

/* What is told of a page. */
struct sheet {
    double spread; /* how much of the question its units speak of, on average */
    double extent; /* how many there are */
};

static size_t text_of(const struct choices *x, const struct choice *c,
                      char *out, size_t size)
{
    size_t n = 0;

    for (size_t i = 0; i < c->count && n < size; i++) {
        const struct run_block *b = &c->blocks[i];
        size_t len = b->len < size - n ? b->len : size - n;

        memcpy(out + n, x->r->evidence[b->row].text + b->start, len);
        n += len;
        if (n < size)
            out[n++] = '\n';
    }
    return n;
}

/* How near the units of a part are to it by the vectors of words; what an
 * encoder read has its measure already. */
static enum err met_read(struct choices *x, size_t sub)
{
    const struct plan_sub *part = &x->r->plan.subs[sub];
    const char *text =
        arena_printf(x->a, "%s %s", part->question, part->context);
    struct query q;
    enum err e = text == NULL ? ERR_NOMEM : query_parse(text, x->a, &q);

    if (e == ERR_OK)
        e = meaning_read(x->r->env->meaning, x->r->env->index, &q);
    for (size_t i = 0; e == ERR_OK && i < x->count; i++) {
        struct choice *c = &x->v[i];
        char said[MET_BYTES];
        struct met met;

        if (c->unit->sub != sub)
            continue;
        c->met = c->near;
        if (q.meant_by != MEANT_BY_WORDS)
            continue;
        e = meaning_meet(&q, said, text_of(x, c, said, sizeof(said)), &met);
        c->met = met.whole;
    }
    return e;
}

/* The best there is: of the parts of each side, whose pages use words of their
 * own, and of those of none. */
struct best {
    double spread, extent, met;
};

static struct best *best_of(const struct choices *x, struct best *v,
                            const struct choice *c)
{
    size_t side = x->r->plan.subs[c->unit->sub].side;

    return &v[side < PLAN_SIDES_MAX ? side : PLAN_SIDES_MAX];
}

static enum err sheets_read(const struct choices *x, struct sheet **out)
{
    struct sheet *v = arena_array(x->a, x->pages + 1, sizeof(*v));

    *out = v;
    if (v == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < x->count; i++) {
        struct sheet *s = &v[x->v[i].page];

        s->extent++;
        s->spread += (x->v[i].says - s->spread) / s->extent;
    }
    return ERR_OK;
}

enum err worth_weigh(struct choices *x)
{
    struct best best[PLAN_SIDES_MAX + 1] = {{0, 0, 0}};
    struct sheet *pages = NULL;
    enum err e = sheets_read(x, &pages);

    for (size_t i = 0; e == ERR_OK && i < x->r->plan.count; i++)
        e = met_read(x, i);
    for (size_t i = 0; e == ERR_OK && i < x->count; i++) {
        const struct choice *c = &x->v[i];
        struct best *b = best_of(x, best, c);

        b->spread = fmax(b->spread, pages[c->page].spread);
        b->extent = fmax(b->extent, pages[c->page].extent);
        if (!choices_is_short(c))
            b->met = fmax(b->met, c->met);
    }
    for (size_t i = 0; e == ERR_OK && i < x->count; i++) {
        struct choice *c = &x->v[i];
        const struct best *b = best_of(x, best, c);
        const struct sheet *s = &pages[c->page];
        double spread = b->spread > 0 ? s->spread / b->spread : 0;

        c->weak = CONSTANT + SPREAD * spread + EXTENT * s->extent / b->extent +
                      MET * (c->met - b->met) + LEADS * (c->leads > 0) +
                      HEADED * c->headed <
                  LEAST;
    }
    return e;
}
