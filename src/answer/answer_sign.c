/*
 * Signs of a sentence beside others; see answer_sign.h. Pure. Called by
 * answer_score.c.
 */
#include "answer/answer_sign.h"
#include "question/evidence.h"
#include "question/overlap.h"

#include "base/str.h"
#include "text/terms.h"

#include <math.h>
#include <string.h>

enum { WORDS_MAX = 64 }; /* of a question: one bit for each pair */

bool signs_is_with(const struct pool *pool, size_t i, size_t k)
{
    return k < pool->count && pool->s[k].passage == pool->s[i].passage;
}

static const char *text_of(const struct pool *pool, const struct sentence *s)
{
    return pool->passages[s->passage].c.text + s->span.start;
}

/* --- rare among what was found ------------------------------------------- */

/* How rare each term is among the sentences of the pool: the inverse
 * document frequency of overlap.c, with sentences for documents. In an
 * article on glaciers "glacier" tells no sentence from another. */
static void local_weights(const struct pool *pool, double *w)
{
    const struct query *q = pool->q;
    double n = (double)pool->count;

    for (size_t k = 0; k < q->term_count; k++) {
        double df = 0;

        for (size_t i = 0; i < pool->count; i++)
            df += (double)(pool->s[i].loose >> k & 1);
        w[k] = q->terms[k].weight * log(1 + (n - df + 0.5) / (df + 0.5));
    }
}

static double local_share(const struct query *q, const double *w, uint64_t mask)
{
    double all = 0, have = 0;

    for (size_t k = 0; k < q->term_count; k++) {
        all += w[k];
        have += mask >> k & 1 ? w[k] : 0;
    }
    return all > 0 ? have / all : 0;
}

/* The share of the words that are neither names nor the noun asked for: what
 * is said of them, mostly its verbs. */
static double plain_share(const struct query *q, uint64_t mask)
{
    uint64_t plain = overlap_all(q) & ~q->names;
    double all;

    if (q->focus < q->term_count)
        plain &= ~((uint64_t)1 << q->focus);
    all = overlap_weight(q, plain);
    return all > 0 ? overlap_weight(q, mask & plain) / all : 0;
}

/* --- word pairs ----------------------------------------------------------- */

/* The question's words in its order, stop words included. */
struct wording {
    struct stemmer *stem;
    struct term w[WORDS_MAX];
    size_t n;
    bool first[256]; /* a word of it begins so */
};

static void wording_read(struct wording *x, const struct query *q)
{
    struct term_iter it;

    memset(x, 0, sizeof(*x));
    x->stem = q->stem;
    terms_init_with(&it, q->stem, q->text, strlen(q->text));
    while (x->n < WORDS_MAX && terms_next(&it, &x->w[x->n])) {
        x->first[(unsigned char)x->w[x->n].text[0]] = true;
        x->n++;
    }
}

static uint64_t words_like(const struct wording *x, const char *stem)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < x->n; i++)
        if (strcmp(x->w[i].text, stem) == 0)
            mask |= (uint64_t)1 << i;
    return mask;
}

/* Bit i: words i and i + 1 of the question stand side by side here too. Only
 * tokens that begin like a word of it are stemmed. */
static uint64_t pairs_mask(const struct wording *x, const char *p, size_t n)
{
    struct term_iter it, again;
    struct term t;
    uint64_t pairs = 0, last = 0;

    terms_init_with(&it, x->stem, p, n);
    for (again = it; tokens_next(&it, &t); again = it) {
        uint64_t here = 0;

        if (x->first[(unsigned char)t.text[0]] && terms_next(&again, &t))
            here = words_like(x, t.text);
        pairs |= last & here >> 1;
        last = here;
    }
    return pairs;
}

static double pairs_share(const struct wording *x, uint64_t pairs)
{
    size_t n = 0;

    for (; pairs != 0; pairs &= pairs - 1)
        n++;
    return x->n > 1 ? (double)n / (double)(x->n - 1) : 0;
}

/* The sentence's own pairs, and those of its whole passage: the passage that
 * speaks in the question's words is the right one. */
static void pair_signs(struct pool *pool)
{
    struct wording x;

    wording_read(&x, pool->q);
    for (size_t i = 0, next; i < pool->count; i = next) {
        uint64_t all = 0;

        for (next = i; signs_is_with(pool, i, next); next++) {
            struct sentence *s = &pool->s[next];
            uint64_t own = pairs_mask(&x, text_of(pool, s), s->span.len);

            s->sign[SIGN_PHRASE] = pairs_share(&x, own);
            all |= own;
        }
        for (size_t k = i; k < next; k++)
            pool->s[k].sign[SIGN_PLACE] = pairs_share(&x, all);
    }
}

/* --- the kind of statement ------------------------------------------------ */

static bool holds_one(const char *p, size_t n, const char *const *list)
{
    for (; *list != NULL; list++)
        if (mem_find_i(p, n, *list) != NULL)
            return true;
    return false;
}

/* What is it called? */
static bool asks_name(const struct query *q)
{
    static const char *const asks[] = {"called", "known", " name",
                                       "term",   "title", NULL};

    return holds_one(q->text, strlen(q->text), asks);
}

static bool gives_name(const char *p, size_t n)
{
    static const char *const gives[] = {
        "called",    "known as", "named", "termed",       "referred to",
        "so-called", "the term", "\"",    "\xE2\x80\x9C", NULL};

    return holds_one(p, n, gives);
}

/* A date nobody asked for: the sentence tells what happened. */
static double dated(const struct query *q, const char *p, size_t n)
{
    struct query when = *q;

    when.type = ANSWER_DATE;
    return q->type == ANSWER_DATE ? 0 : evidence_of(&when, p, n);
}

void signs_compare(struct pool *pool)
{
    const struct query *q = pool->q;
    bool naming = asks_name(q);
    double w[QUERY_TERMS_MAX];

    local_weights(pool, w);
    pair_signs(pool);
    for (size_t i = 0; i < pool->count; i++) {
        struct sentence *s = &pool->s[i];
        const char *p = text_of(pool, s);

        s->sign[SIGN_LOCAL] = local_share(q, w, s->loose);
        s->sign[SIGN_PLAIN] = plain_share(q, s->loose);
        if (i >= 2 && signs_is_with(pool, i, i - 2))
            s->sign[SIGN_EARLIER] =
                overlap_share(q, s[-2].loose & ~(s->loose | s[-1].loose));
        if (signs_is_with(pool, i, i + 1))
            s->sign[SIGN_AFTER] = overlap_share(q, s[1].loose & ~s->loose);
        s->sign[SIGN_NAMING] = naming && gives_name(p, s->span.len) ? 1 : 0;
        s->sign[SIGN_DATED] = dated(q, p, s->span.len);
    }
}
