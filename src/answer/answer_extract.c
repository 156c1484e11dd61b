/*
 * The writer that needs no model: the one to five sentences of the ranked
 * passages that answer best, verbatim. Composes nothing. Called by search.c
 * and the research room.
 */
#include "answer/answer.h"
#include "answer/answer_agree.h"
#include "answer/answer_forms.h"
#include "answer/answer_items.h"
#include "answer/answer_score.h"
#include "answer/sufficient.h"

#include "base/str.h"
#include "text/passage.h"
#include "text/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SENTENCES_TAKEN_MAX = 32,
    WORDS_LEAST = 2,  /* what reading any sentence takes */
    WORDS_USUAL = 60, /* of a whole answer */
    WORDS_MAX = 160
};

/* The least probability that a further sentence holds the answer, for each
 * of its words, in an answer that has WORDS_USUAL with it; in a longer one
 * more, in a shorter one less. Where the lead is certain the answer stays
 * short, where two are as likely both are told. Set so that answers have 45 to
 * 60 words on average. */
static const double WORD_WORTH = 0.0016;
static const double WORD_WORTH_STEPS = 0.0003; /* steps need not repeat it */
static const double REFUSED = -1e9;
static const double PROSE_MIN = 0.35; /* of evidence_prose */
static const double PROSE_MIN_PERSON = 0.65;
static const double SAME_WORDS = 0.7; /* share from which two say the same */

/* --- choosing ------------------------------------------------------------ */

/* Share of the shorter sentence's words that the other has too. */
static double same_words(const struct sentence *a, const struct sentence *b)
{
    size_t i = 0, k = 0, same = 0, least;

    while (i < a->print_count && k < b->print_count) {
        if (a->prints[i] == b->prints[k]) {
            same++;
            i++;
            k++;
        } else if (a->prints[i] < b->prints[k]) {
            i++;
        } else {
            k++;
        }
    }
    least = a->print_count < b->print_count ? a->print_count : b->print_count;
    return least == 0 ? 1.0 : (double)same / (double)least;
}

static bool repeats_taken(const struct pool *pool, const struct sentence *s)
{
    for (size_t i = 0; i < pool->count; i++)
        if (pool->s[i].taken && same_words(&pool->s[i], s) >= SAME_WORDS)
            return true;
    return false;
}

static struct sentence *best_left(struct pool *pool)
{
    struct sentence *best = NULL;

    for (size_t i = 0; i < pool->count; i++) {
        struct sentence *s = &pool->s[i];

        if (!s->taken && (best == NULL || s->score > best->score))
            best = s;
    }
    return best;
}

/* Commands, menus and identifiers hold a question's words and say nothing; a
 * line that breaks off names nobody. */
static void refuse_odd(struct pool *pool)
{
    double least =
        pool->q->type == ANSWER_PERSON ? PROSE_MIN_PERSON : PROSE_MIN;

    for (size_t i = 0; i < pool->count; i++)
        if (pool->s[i].sign[SIGN_PROSE] < least)
            pool->s[i].score = REFUSED;
}

/* What the probabilities are shares of; scores are logarithms of odds. */
static double odds_sum(const struct pool *pool, double top)
{
    double sum = 0;

    for (size_t i = 0; i < pool->count; i++)
        if (pool->s[i].score > REFUSED)
            sum += exp(pool->s[i].score - top);
    return sum;
}

/* Take the lead and what may as well be the answer and says something else.
 * Taken sentences and refused ones leave the pool. */
static size_t pool_choose(struct pool *pool, size_t max)
{
    double worth =
        pool->q->type == ANSWER_HOWTO ? WORD_WORTH_STEPS : WORD_WORTH;
    struct sentence *lead, *s;
    size_t words, count = 1;
    double sum;

    refuse_odd(pool);
    lead = best_left(pool);
    if (lead == NULL || lead->score <= REFUSED ||
        sufficient_confidence(pool->q, &pool->passages[lead->passage].c,
                              lead) <= 0)
        return 0;
    lead->taken = true;
    words = lead->words + forms_take_lead(pool, lead);
    sum = odds_sum(pool, lead->score);
    while (count < max && (s = best_left(pool)) != NULL && s->score > REFUSED) {
        double p = exp(s->score - lead->score) / sum;
        double length = (double)(words + s->words) / WORDS_USUAL;

        if (p < worth * WORDS_LEAST * (double)words / WORDS_USUAL)
            break;
        if (p < worth * (double)(s->words + WORDS_LEAST) * length ||
            words + s->words > WORDS_MAX || repeats_taken(pool, s)) {
            s->score = REFUSED;
            continue;
        }
        s->taken = true;
        words += s->words + forms_take_items(pool, s);
        count++;
    }
    if ((s = forms_missing_side(pool)) != NULL) {
        s->taken = true;
        count++;
    }
    return count;
}

/* --- delivering ---------------------------------------------------------- */

/* What the sentence introduces goes with it. */
static enum err items_deliver(const struct pool *pool, const struct sentence *s,
                              struct arena *a, struct answer_draft *d)
{
    struct item items[ITEMS_MAX];
    size_t n = items_read(pool, s, items);
    bool alone = n > 0 && items_is_entry(pool, s);

    for (size_t i = 0; i < n; i++) {
        struct cited_sentence *out = &d->sentences[d->count++];

        out->text = arena_strndup(
            a, pool->passages[items[i].passage].c.text + items[i].start,
            items[i].len);
        out->passage = items[i].passage;
        out->start = items[i].start;
        out->len = items[i].len;
        out->score = s->score;
        out->form = items[i].form;
        out->item = !alone || i > 0;
        if (out->text == NULL)
            return ERR_NOMEM;
    }
    return ERR_OK;
}

static enum err sentence_deliver(const struct pool *pool,
                                 const struct sentence *s, struct arena *a,
                                 struct answer_draft *d)
{
    struct cited_sentence *out = &d->sentences[d->count];

    if (items_is_entry(pool, s))
        return items_deliver(pool, s, a, d);
    out->text = arena_strndup(
        a, pool->passages[s->passage].c.text + s->span.start, s->span.len);
    out->passage = s->passage;
    out->start = s->span.start;
    out->len = s->span.len;
    out->score = s->score;
    out->form = SAID_SENTENCE;
    out->item = false;
    d->count++;
    return out->text == NULL ? ERR_NOMEM : items_deliver(pool, s, a, d);
}

/* The best sentence leads; what is behind it in its passage follows in
 * reading order, then the others by passage. */
static int by_place(const void *x, const void *y)
{
    const struct sentence *a = *(const struct sentence *const *)x;
    const struct sentence *b = *(const struct sentence *const *)y;

    if (a->passage != b->passage)
        return a->passage < b->passage ? -1 : 1;
    return a->span.start < b->span.start ? -1 : a->span.start > b->span.start;
}

static enum err pool_deliver(const struct pool *pool, struct arena *a,
                             struct answer_draft *d)
{
    const struct sentence *v[SENTENCES_TAKEN_MAX], *lead;
    size_t n = 0, first = 0;
    enum err e = ERR_OK;

    for (size_t i = 0; i < pool->count && n < SENTENCES_TAKEN_MAX; i++)
        if (pool->s[i].taken)
            v[n++] = &pool->s[i];
    qsort(v, n, sizeof(v[0]), by_place);
    for (size_t i = 1; i < n; i++)
        if (v[i]->score > v[first]->score)
            first = i;
    lead = v[first];
    e = sentence_deliver(pool, lead, a, d);
    for (size_t k = 0; e == ERR_OK && k < 2; k++)
        for (size_t i = 0; e == ERR_OK && i < n; i++)
            if (v[i] != lead && (v[i]->passage == lead->passage) == (k == 0))
                e = sentence_deliver(pool, v[i], a, d);
    return e == ERR_OK ? agree_find(pool, lead, a, d) : e;
}

/* The max best ones, whatever they repeat. */
static size_t pool_top(struct pool *pool, size_t max)
{
    size_t count = 0;
    struct sentence *s;

    while (count < max && (s = best_left(pool)) != NULL && s->score > REFUSED) {
        s->taken = true;
        count++;
    }
    return count;
}

static enum err draft_make(const struct query *q, const struct ranked *passages,
                           size_t count, size_t max,
                           size_t (*choose)(struct pool *pool, size_t max),
                           struct arena *a, struct answer_draft *out)
{
    struct pool pool;
    struct answer_draft draft = {.sentences = NULL};
    size_t chosen = 0;
    enum err e;

    if (count == 0 || q->term_count == 0)
        return ERR_NO_RESULT;
    e = pool_read(&pool, q, passages, count, a);
    if (e == ERR_OK)
        chosen = choose(&pool, max);
    if (e == ERR_OK && chosen == 0)
        e = ERR_NO_RESULT;
    if (e == ERR_OK) {
        draft.sentences =
            arena_array(a, chosen * (ITEMS_MAX + 1), sizeof(*draft.sentences));
        e = draft.sentences == NULL ? ERR_NOMEM
                                    : pool_deliver(&pool, a, &draft);
    }
    free(pool.s);
    if (e == ERR_OK)
        *out = draft;
    return e;
}

enum err answer_extract(const struct query *q, const struct ranked *passages,
                        size_t count, size_t max_sentences, struct arena *a,
                        struct answer_draft *out)
{
    return draft_make(q, passages, count, max_sentences, pool_choose, a, out);
}

enum err answer_candidates(const struct query *q, const struct ranked *passages,
                           size_t count, size_t max, struct arena *a,
                           struct answer_draft *out)
{
    return draft_make(q, passages, count, max < 32 ? max : 32, pool_top, a,
                      out);
}
