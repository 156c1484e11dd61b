/* Other words for a question's terms; see others.h. */
#include "question/others.h"
#include "question/overlap.h"

#include "base/str.h"

#include <string.h>

static bool is_term(const struct query *q, const char *stem)
{
    for (size_t i = 0; i < q->term_count; i++)
        if (strcmp(q->terms[i].text, stem) == 0)
            return true;
    return false;
}

/* The words near terms[i], the nearest first: "deactiv3 prevent2". A long
 * question has fewer of each. */
static enum err others_of(struct query *q, size_t i)
{
    const char *z = word_near(q->lang, q->terms[i].text);
    size_t share = QUERY_OTHERS_MAX / q->term_count + 1;
    size_t room = QUERY_OTHERS_MAX - q->other_count;
    size_t end = q->other_count + (room < share ? room : share);

    while (z != NULL && *z != '\0' && q->other_count < end) {
        size_t n = strcspn(z, "0123456789");
        const char *stem = arena_strndup(q->arena, z, n);

        if (stem == NULL)
            return ERR_NOMEM;
        if (!is_term(q, stem))
            q->others[q->other_count++] =
                (struct query_other){stem, i, (z[n] - '0') / 10.0};
        z += n + 1;
        z += strspn(z, " ");
    }
    return ERR_OK;
}

/* What is commoner than the term itself is worth less; what no page holds,
 * nothing. */
static enum err others_weigh(struct query *q, struct db *index,
                             struct errctx *ec)
{
    struct index_term terms[QUERY_OTHERS_MAX];
    int64_t df[QUERY_OTHERS_MAX], total = 0;
    size_t kept = 0;
    enum err e;

    for (size_t i = 0; i < q->other_count; i++)
        terms[i] = (struct index_term){.text = q->others[i].text};
    e = index_df(index, terms, q->other_count, df, &total, ec);
    for (size_t i = 0; e == ERR_OK && i < q->other_count; i++) {
        struct query_other o = q->others[i];
        double own = q->rarity[o.term], rarity = overlap_rarity(df[i], total);

        if (df[i] == 0)
            continue;
        if (rarity < own)
            o.worth *= rarity / own;
        q->others[kept++] = o;
    }
    q->other_count = kept;
    return e;
}

enum err others_read(struct query *q, struct db *index, struct errctx *ec)
{
    enum err e = ERR_OK;

    q->other_count = 0;
    q->others = arena_array(q->arena, QUERY_OTHERS_MAX, sizeof(*q->others));
    if (q->others == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; e == ERR_OK && i < q->term_count; i++)
        if (!(q->names >> i & 1))
            e = others_of(q, i);
    if (e == ERR_OK && q->other_count > 0)
        e = others_weigh(q, index, ec);
    q->kin = q->starts;
    for (size_t i = 0; i < q->other_count; i++)
        if (other_is_kin(&q->others[i]))
            term_starts_add(&q->kin, q->others[i].text);
    return e;
}
