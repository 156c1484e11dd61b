/* What units say of compared sides; see sides.h. */
#include "research/sides.h"

#include "lang/words.h"
#include "question/overlap.h"

#include <string.h>

/* A side, and which of its terms no other one has. */
struct side {
    struct query q;
    uint64_t own;
};

static enum err side_read(const struct choices *w, size_t i, struct side *out)
{
    const struct plan *p = &w->r->plan;
    enum err e = query_parse(p->sides[i], w->a, &out->q);

    if (e != ERR_OK)
        return e;
    out->own = overlap_all(&out->q);
    for (size_t k = 0; k < p->side_count; k++)
        if (k != i)
            out->own &=
                ~overlap_mask(&out->q, p->sides[k], strlen(p->sides[k]));
    return ERR_OK;
}

/* Which of the sides the text names: a bit each. */
static unsigned sides_in(const struct choices *w, const struct side *sides,
                         const char *z)
{
    unsigned named = 0;

    for (size_t i = 0; z != NULL && i < w->r->plan.side_count; i++) {
        uint64_t held = overlap_mask_loose(&sides[i].q, z, strlen(z));

        named |= (held & sides[i].own) != 0 ? 1u << i : 0;
    }
    return named;
}

/* … and the unit, itself or in what it stands under. */
static unsigned sides_named(const struct choices *w, const struct choice *c,
                            const struct side *sides)
{
    const struct evidence *ev = &w->r->evidence[c->blocks->row];
    const char *z = arena_printf(w->a, "%s %s", ev->title, ev->heading);

    for (size_t k = 0; z != NULL && k < c->count; k++) {
        const struct run_block *b = &c->blocks[k];

        z = arena_printf(w->a, "%s %.*s", z, (int)b->len,
                         w->r->evidence[b->row].text + b->start);
    }
    return sides_in(w, sides, z);
}

/* Does it stand under a heading of other sides, or name these only? */
static bool is_beside(const struct choices *w, const struct choice *c,
                      const struct side *sides, unsigned named, size_t side)
{
    unsigned above = sides_in(w, sides, w->r->evidence[c->blocks->row].heading);

    return (named != 0 && (named >> side & 1) == 0) ||
           (above != 0 && (above >> side & 1) == 0);
}

/* Does its host bear the names of other sides only, where this one has a host
 * of its own? "Nova cells and aggregates" are of one. */
static bool is_of_others(const struct choices *w, const struct choice *c,
                         const struct side *sides, size_t side)
{
    const struct about *x = &w->r->about;
    bool other = false;

    if (about_borne(x, &sides[side].q) == 0)
        return false;
    for (size_t i = 0; i < w->r->plan.side_count; i++) {
        unsigned names = about_borne(x, &sides[i].q);

        if (names == 0 || !about_bears_page(x, names, c->url))
            continue;
        if (i == side)
            return false;
        other = true;
    }
    return other;
}

/* What is said of the sides together names at least two; what is said of one
 * names that one, or none. */
enum err sides_weigh(struct choices *w)
{
    const struct plan *p = &w->r->plan;
    const char *together = phrase(w->r->query.lang, PHRASE_COMPARED);
    struct side sides[PLAN_SIDES_MAX];
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < p->side_count; i++)
        e = side_read(w, i, &sides[i]);
    for (size_t i = 0; e == ERR_OK && i < w->count; i++) {
        const struct plan_sub *part = &p->subs[w->v[i].unit->sub];
        unsigned named = sides_named(w, &w->v[i], sides);

        if (part->side < p->side_count)
            w->v[i].beside = is_beside(w, &w->v[i], sides, named, part->side) ||
                             is_of_others(w, &w->v[i], sides, part->side);
        else
            w->v[i].beside = strcmp(part->title, together) == 0 &&
                             (named & (named - 1)) == 0;
    }
    return e == ERR_OK && arena_failed(w->a) ? ERR_NOMEM : e;
}
