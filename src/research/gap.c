/* Gaps and what is read next; see gap.h. */
#include "research/gap.h"

#include "research/topic.h"

#include <string.h>

enum { PASSAGES_ENOUGH = 2 };

/* Whose pages tell with which words the part is asked again: at first, where
 * several names stand together, those of the part of another one, as its own
 * may not have the question's word for what theirs speak of. */
static size_t taught_by(const struct run *r, size_t sub)
{
    const struct plan *p = &r->plan;

    for (size_t i = 0; p->is_named && r->round == 1 && i < p->count; i++)
        if (i != sub && p->subs[sub].side < p->side_count &&
            p->subs[i].side < p->side_count &&
            strcmp(p->subs[i].title, p->subs[sub].title) == 0)
            return i;
    return sub;
}

enum err gap_find(const struct run *r, bool want_queries, struct arena *a,
                  struct gap *out, struct errctx *ec)
{
    size_t room = (size_t)r->budget.queries;
    bool again = want_queries && r->plan.mode != MODE_ANSWER;

    memset(out, 0, sizeof *out);
    room = room > r->queue_count ? room - r->queue_count : 0;
    for (size_t i = 0; i < r->plan.count; i++) {
        struct gap_query *q = &out->query[out->count];
        enum err e;

        out->open[i] = run_passages(r, i) < PASSAGES_ENOUGH;
        out->open_count += out->open[i];
        if (!again || out->count >= room || run_passages(r, i) == 0)
            continue;
        q->sub = i;
        e = topic_question(r, i, taught_by(r, i), a, &q->text, ec);
        if (e != ERR_OK)
            return e;
        out->count += !run_has_query(r, i, q->text);
    }
    return ERR_OK;
}
