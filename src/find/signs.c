/* Signs of a question in passages; see signs.h. Pure. */
#include "find/signs.h"
#include "question/overlap.h"

#include <string.h>

/* How much more a passage counts that holds them all. */
static const double RAISED = 1.0;

static bool is_held(struct str sign, const struct candidate *c)
{
    return sign_find(sign, c->text, strlen(c->text)) != NULL ||
           sign_find(sign, c->heading, strlen(c->heading)) != NULL;
}

size_t signs_held(const struct signs *s, const struct candidate *c)
{
    size_t held = 0;

    for (size_t i = 0; i < s->count; i++)
        held += is_held(s->v[i], c);
    return held;
}

enum err signs_meet(struct signs *s, struct query *q, struct candidate *v,
                    size_t n)
{
    size_t left = 0;
    enum err e = ERR_OK;

    for (size_t k = 0; e == ERR_OK && k < s->count; k++) {
        int64_t df = 0;

        for (size_t i = 0; i < n; i++)
            df += is_held(s->v[k], &v[i]);
        if (df == 0)
            continue;
        s->v[left++] = s->v[k];
        e = query_sign_add(q, s->v[k], overlap_rarity(df, q->passages));
    }
    s->count = left;
    for (size_t i = 0; left > 0 && i < n; i++)
        v[i].score *= 1 + RAISED * (double)signs_held(s, &v[i]) / (double)left;
    return e;
}
