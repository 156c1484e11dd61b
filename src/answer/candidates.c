/* Sentences a value is looked for in; see answer.h. Called by the object
 * room. */
#include "answer/answer.h"
#include "answer/units.h"

#include <string.h>

/* Which of the passages c is a copy of. */
static size_t passage_of(const struct ranked *v, size_t count,
                         const struct candidate *c)
{
    size_t i = 0;

    while (i + 1 < count &&
           (v[i].c.text != c->text || strcmp(v[i].c.url, c->url) != 0))
        i++;
    return i;
}

enum err answer_candidates(const struct query *q, const struct ranked *passages,
                           size_t count, size_t max, struct arena *a,
                           struct answer_draft *out)
{
    struct answer_draft d = {.sentences = NULL};
    struct found_page *pages = NULL;
    struct units u = {.v = NULL};
    size_t n = 0;
    enum err e;

    if (count == 0 || q->term_count == 0)
        return ERR_NO_RESULT;
    e = pages_rank(q, passages, count, count, 0, a, &pages, &n);
    if (e == ERR_OK)
        e = units_cut(q, pages, n, UNIT_SENTENCES, NULL, a, &u);
    if (e == ERR_OK && u.count == 0)
        e = ERR_NO_RESULT;
    if (e != ERR_OK)
        return e;
    d.sentences = arena_array(a, u.count, sizeof(*d.sentences));
    if (d.sentences == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < u.count && d.count < max; i++) {
        const struct unit *x = &u.v[i];
        const struct candidate *c = u.parts[x->page][x->from].c;
        const char *text = arena_strndup(a, c->text + x->start, x->len);

        if (text == NULL)
            return ERR_NOMEM;
        d.sentences[d.count++] =
            (struct cited_sentence){.text = text,
                                    .passage = passage_of(passages, count, c),
                                    .start = x->start,
                                    .len = x->len,
                                    .score = x->score};
    }
    *out = d;
    return ERR_OK;
}
