/* Gaps and what is read next; see gap.h. */
#include "research/gap.h"

#include "research/topic.h"

#include <string.h>

enum { PASSAGES_ENOUGH = 2 };

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
        e = topic_question(r, i, a, &q->text, ec);
        if (e != ERR_OK)
            return e;
        out->count += !run_has_query(r, i, q->text);
    }
    return ERR_OK;
}
