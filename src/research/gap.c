/* Gaps and what is read next; see gap.h. */
#include "research/gap.h"

#include "research/topic.h"

#include <string.h>

enum { PASSAGES_ENOUGH = 2 };

/* The part that tells of a name: its side's first one, else the first. */
static size_t part_of(const struct run *r, const struct query *q, size_t name)
{
    for (size_t i = 0; i < r->plan.count; i++) {
        size_t side = r->plan.subs[i].side;

        if (side < r->plan.side_count &&
            (about_borne(&r->about, &q[side]) >> name & 1) != 0)
            return i;
    }
    return 0;
}

/* Is the part the first one of its side? */
static bool is_first(const struct run *r, size_t sub)
{
    for (size_t i = 0; i < sub; i++)
        if (r->plan.subs[i].side == r->plan.subs[sub].side)
            return false;
    return r->plan.subs[sub].side < r->plan.side_count;
}

/* What the names and sides are, asked once. */
static enum err names_ask(const struct run *r, size_t room, struct arena *a,
                          struct gap *out)
{
    unsigned borne = about_borne(&r->about, &r->query);
    struct query sides[PLAN_SIDES_MAX];

    for (size_t i = 0; i < r->plan.side_count; i++) {
        enum err e = query_parse(r->plan.sides[i], a, &sides[i]);

        if (e != ERR_OK)
            return e;
    }
    for (size_t i = 0; i < r->plan.count && out->count < room; i++) {
        size_t side = r->plan.subs[i].side;
        struct gap_query q = {
            i, r->plan.sides[side < r->plan.side_count ? side : 0]};

        /* A name that hosts bear is asked below. */
        if (!r->plan.is_named && is_first(r, i) &&
            about_borne(&r->about, &sides[side]) == 0 &&
            !run_has_query(r, i, q.text))
            out->query[out->count++] = q;
    }
    for (size_t i = 0; i < r->about.count && out->count < room; i++) {
        struct gap_query q = {part_of(r, sides, i), r->about.names[i].word};

        if ((borne >> i & 1) != 0 && q.text != NULL &&
            !run_has_query(r, q.sub, q.text))
            out->query[out->count++] = q;
    }
    return ERR_OK;
}

/* What pages of a side say of the others, asked once. */
static enum err sides_ask(const struct run *r, size_t room, struct arena *a,
                          struct gap *out)
{
    const struct plan *p = &r->plan;

    for (size_t i = 0; i < p->count && !p->is_named && out->count < room; i++) {
        const char *z = p->subs[i].question;
        bool first = is_first(r, i);

        for (size_t k = 0; k < p->side_count && first && z != NULL; k++)
            if (k != p->subs[i].side)
                z = arena_printf(a, "%s %s", z, p->sides[k]);
        if (z == NULL)
            return ERR_NOMEM;
        if (first && !run_has_query(r, i, z))
            out->query[out->count++] = (struct gap_query){i, z};
    }
    return ERR_OK;
}

enum err gap_find(const struct run *r, bool want_queries, struct arena *a,
                  struct gap *out, struct errctx *ec)
{
    size_t room = (size_t)r->budget.queries;
    bool again = want_queries && r->plan.mode != MODE_ANSWER;
    struct choices x;
    enum err e = again ? topic_read_parts(r, a, &x, ec) : ERR_OK;

    memset(out, 0, sizeof *out);
    room = room > r->queue_count ? room - r->queue_count : 0;
    for (size_t i = 0; e == ERR_OK && i < r->plan.count; i++) {
        struct gap_query *q = &out->query[out->count];

        out->open[i] = run_passages(r, i) < PASSAGES_ENOUGH;
        out->open_count += out->open[i];
        if (!again || out->count >= room || run_passages(r, i) == 0)
            continue;
        q->sub = i;
        e = topic_question(&x, i, &q->text, ec);
        out->count += e == ERR_OK && !run_has_query(r, i, q->text);
    }
    if (e != ERR_OK || !again || r->round > 1)
        return e;
    e = sides_ask(r, room, a, out);
    return e == ERR_OK ? names_ask(r, room, a, out) : e;
}
