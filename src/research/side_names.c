/* Whose hosts tell of a side; see side_names.h. */
#include "research/side_names.h"

#include <string.h>

enum err side_names_read(const struct plan *p, const struct about *x,
                         size_t sub, struct arena *a, struct side_names *out)
{
    size_t side = p->subs[sub].side;
    unsigned own = 0, other = 0;
    enum err e = ERR_OK;

    memset(out, 0, sizeof *out);
    if (side >= p->side_count || p->is_named)
        return ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < p->side_count; i++) {
        struct query q;

        e = query_parse(p->sides[i], a, &q);
        if (e != ERR_OK)
            return e;
        *(i == side ? &own : &other) |= about_borne(x, &q);
        if (i == side)
            out->side = q;
    }
    /* What two sides are both called tells neither. */
    out->own = own & ~other;
    out->other = other & ~own;
    return about_bearers(x, out->own, a, &out->hosts);
}

size_t side_names_keep(const struct side_names *s, const struct about *x,
                       bool own, struct candidate *v, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        bool is_own = about_bears(x, s->own, v[i].host);
        struct candidate c = v[i];

        if (own ? !is_own : !is_own && about_bears(x, s->other, c.host))
            continue;
        memmove(&v[kept + 1], &v[kept], (i - kept) * sizeof *v);
        v[kept++] = c;
    }
    return kept;
}

bool side_names_is_own(const struct side_names *s, const struct about *x,
                       const char *url)
{
    return about_bears_page(x, s->own, url);
}

uint64_t side_names_asked(const struct side_names *s, const struct query *q,
                          uint64_t terms)
{
    uint64_t asked = terms;

    for (size_t i = 0; i < q->term_count; i++)
        for (size_t k = 0; k < s->side.term_count; k++)
            if (strcmp(q->terms[i].text, s->side.terms[k].text) == 0)
                asked &= ~((uint64_t)1 << i);
    return asked == 0 ? terms : asked;
}
