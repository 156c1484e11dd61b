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

static size_t held_of(const struct signs *s, const struct candidate *c,
                      int64_t *df)
{
    size_t held = 0;

    for (size_t i = 0; i < s->count; i++)
        if (is_held(s->v[i], c)) {
            held++;
            if (df != NULL)
                df[i]++;
        }
    return held;
}

static void raise_by(const struct signs *s, size_t held, struct candidate *c)
{
    c->score *= 1 + RAISED * (double)held / (double)s->count;
}

enum err signs_meet(struct signs *s, struct query *q, struct candidate *v,
                    size_t n, size_t *kept)
{
    int64_t df[SIGNS_MAX] = {0};
    size_t left = 0;
    enum err e = ERR_OK;

    *kept = 0;
    for (size_t i = 0; i < n; i++)
        if (held_of(s, &v[i], df) > 0)
            v[(*kept)++] = v[i];
    for (size_t i = 0; e == ERR_OK && i < s->count; i++) {
        if (df[i] == 0)
            continue;
        s->v[left++] = s->v[i];
        e = query_sign_add(q, s->v[i], overlap_rarity(df[i], q->passages));
    }
    s->count = left;
    for (size_t i = 0; i < *kept; i++)
        raise_by(s, held_of(s, &v[i], NULL), &v[i]);
    return e;
}

void signs_raise(const struct signs *s, struct candidate *c)
{
    if (s->count > 0)
        raise_by(s, held_of(s, c, NULL), c);
}
