/* Topics; see topic.h. */
#include "research/topic.h"

#include <string.h>

static bool add_term(struct topic *t, const struct term *x)
{
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->term[i], x->text) == 0)
            return true;
    if (t->count == TOPIC_TERMS_MAX)
        return false;
    memcpy(t->term[t->count++], x->text, x->len + 1);
    return true;
}

void topic_read(struct topic *t, const char *text)
{
    struct term_iter it;
    struct term x;

    t->count = 0;
    terms_init(&it, text, strlen(text));
    while (tokens_next(&it, &x)) {
        if (term_is_stop(x.text, x.len))
            continue;
        x.len = term_stem(x.text, x.len);
        x.text[x.len] = '\0';
        if (!add_term(t, &x))
            return;
    }
}

/* Bits of the terms the text holds. */
static unsigned held_by(const struct topic *t, const char *text)
{
    struct term_iter it;
    struct term x;
    unsigned held = 0;

    if (text == NULL)
        return 0;
    terms_init(&it, text, strlen(text));
    while (terms_next(&it, &x))
        for (size_t i = 0; i < t->count; i++)
            if (strcmp(t->term[i], x.text) == 0)
                held |= 1u << i;
    return held;
}

bool topic_is_of(const struct topic *t, const struct candidate *c)
{
    unsigned held =
        held_by(t, c->text) | held_by(t, c->heading) | held_by(t, c->title);
    size_t n = 0;

    for (size_t i = 0; i < t->count; i++)
        n += held >> i & 1u;
    return t->count == 0 || 2 * n > t->count;
}

bool topic_touches(const struct topic *t, const char *sentence,
                   const struct candidate *c)
{
    return t->count == 0 || held_by(t, sentence) != 0 ||
           held_by(t, c->heading) != 0 || held_by(t, c->title) != 0;
}
