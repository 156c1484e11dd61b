/*
 * The writer that needs no model: the one to five sentences of the ranked
 * passages that answer best, verbatim. Composes nothing. Called by search.c
 * and the research room.
 */
#include "search/answer.h"
#include "search/evidence.h"
#include "search/overlap.h"

#include "base/str.h"
#include "text/passage.h"
#include "text/terms.h"

#include <stdlib.h>
#include <string.h>

enum {
    PASSAGES_MAX_READ = 12, /* the best ones; the rest adds noise */
    SENTENCES_MAX = 512,
    PRINTS_MAX = 96, /* distinct words of a sentence compared */
    SENTENCE_BYTES_MAX = 1200,
    LEAD_LINE_WORDS = 8,
    LEAD_LINE_REACH = 8, /* sentences */
    WORDS_FACT = 75,     /* of a whole answer to a question of fact */
    WORDS_LONG = 130     /* of any other */
};

/* Shares of a score; settled by measuring on collections of questions with
 * known answers (bench/). */
static const double CONTEXT_SHARE = 0.6;    /* a term in heading or title */
static const double NEIGHBOUR_SHARE = 0.65; /* in the sentence before */
static const double PASSAGE_SHARE = 0.2;    /* elsewhere in the passage */
static const double EVIDENCE_SHARE = 0.25;
static const double EVIDENCE_SHARE_FORM = 0.6;
static const double OPENING = 0.3;
static const double SUPPORT = 0.04; /* for each other passage of the page */
static const double OPPOSED = 0.6;
static const double STEP = 0.9;
static const double RANK_SHARE = 0.4;
static const double LEAD_MIN = 0.25;
static const double FOLLOW_FACT = 0.74; /* of the lead's score */
static const double FOLLOW_LONG = 0.78;
static const double SAME_WORDS = 0.7; /* share from which two say the same */

struct sentence {
    struct span span;
    size_t passage;
    size_t words;
    uint64_t mask; /* its own terms */
    double cover;  /* share of the question's weight, context included */
    double evidence;
    double score;
    uint32_t prints[PRINTS_MAX]; /* hashes of its content words, sorted */
    size_t print_count;
    bool taken;
};

struct pool {
    const struct query *q;
    const struct ranked *passages;
    size_t passage_count;
    struct sentence *s;
    size_t count;
};

/* --- reading ------------------------------------------------------------- */

static uint32_t hash_of(const char *z)
{
    uint32_t h = 2166136261u; /* FNV-1a */

    for (; *z != '\0'; z++)
        h = (h ^ (unsigned char)*z) * 16777619u;
    return h;
}

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    return a < b ? -1 : a > b;
}

static void prints_read(struct sentence *s, const char *p)
{
    struct term_iter it;
    struct term t;
    size_t n = 0;

    terms_init(&it, p + s->span.start, s->span.len);
    while (tokens_next(&it, &t)) {
        s->words++;
        if (s->print_count < PRINTS_MAX && !term_is_stop(t.text, t.len))
            s->prints[s->print_count++] = hash_of(t.text);
    }
    qsort(s->prints, s->print_count, sizeof(s->prints[0]), by_number);
    for (size_t i = 0; i < s->print_count; i++)
        if (n == 0 || s->prints[i] != s->prints[n - 1])
            s->prints[n++] = s->prints[i];
    s->print_count = n;
}

static void sentence_add(struct pool *pool, size_t passage, struct span span)
{
    const char *p = pool->passages[passage].c.text;
    struct sentence *s;

    if (pool->count == SENTENCES_MAX || span.len == 0 ||
        span.len > SENTENCE_BYTES_MAX)
        return;
    s = &pool->s[pool->count++];
    s->span = span;
    s->passage = passage;
    s->mask = overlap_mask(pool->q, p + span.start, span.len);
    s->evidence = evidence_of(pool->q, p + span.start, span.len);
    prints_read(s, p);
}

static enum err passage_add(struct pool *pool, size_t i, struct arena *a)
{
    const char *text = pool->passages[i].c.text;
    struct span *spans = NULL;
    size_t n = 0;
    enum err e = sentences_split(text, strlen(text), a, &spans, &n);

    for (size_t k = 0; e == ERR_OK && k < n; k++)
        sentence_add(pool, i, spans[k]);
    return e;
}

/* --- scoring ------------------------------------------------------------- */

static uint64_t mask_of(const struct query *q, const char *z)
{
    return z == NULL ? 0 : overlap_mask(q, z, strlen(z));
}

/* A short line that is no sentence, or ends in a colon: what follows it in
 * the passage stands under it, as under a heading. */
static bool is_lead_line(const struct pool *pool, const struct sentence *s)
{
    const char *p = pool->passages[s->passage].c.text + s->span.start;
    char last = p[s->span.len - 1];

    return last == ':' ||
           (s->words <= LEAD_LINE_WORDS && strchr(".!?;,", last) == NULL);
}

static uint64_t lead_line_mask(const struct pool *pool, size_t i)
{
    for (size_t k = i; k > 0 && i - k < LEAD_LINE_REACH; k--) {
        const struct sentence *s = &pool->s[k - 1];

        if (s->passage != pool->s[i].passage)
            break;
        if (is_lead_line(pool, s))
            return s->mask;
    }
    return 0;
}

/* The terms a sentence stands under or near, each counted once, at the
 * dearest of its places. */
static double cover_of(const struct pool *pool, size_t i)
{
    const struct sentence *s = &pool->s[i];
    const struct candidate *c = &pool->passages[s->passage].c;
    uint64_t context = mask_of(pool->q, c->heading) |
                       mask_of(pool->q, c->title) | lead_line_mask(pool, i);
    uint64_t before = 0, around = 0, seen = s->mask;
    double sum = overlap_weight(pool->q, seen);

    if (i > 0 && pool->s[i - 1].passage == s->passage)
        before = pool->s[i - 1].mask;
    for (size_t k = i; k > 0 && pool->s[k - 1].passage == s->passage; k--)
        around |= pool->s[k - 1].mask;
    for (size_t k = i + 1; k < pool->count && pool->s[k].passage == s->passage;
         k++)
        around |= pool->s[k].mask;
    sum += NEIGHBOUR_SHARE * overlap_weight(pool->q, before & ~seen);
    seen |= before;
    sum += CONTEXT_SHARE * overlap_weight(pool->q, context & ~seen);
    seen |= context;
    sum += PASSAGE_SHARE * overlap_weight(pool->q, around & ~seen);
    return sum / overlap_weight(pool->q, overlap_all(pool->q));
}

/* How far from the best the sentence's passage is ranked: 1 for the best. */
static double rank_of(const struct pool *pool, size_t passage)
{
    double top = pool->passages[0].score;

    if (top <= 0)
        return 1.0 / (1.0 + (double)passage);
    return pool->passages[passage].score / top;
}

/* A page of which several passages were found is about the question. */
static double support_of(const struct pool *pool, size_t passage)
{
    size_t others = 0;

    for (size_t i = 0; i < pool->passage_count; i++)
        others += i != passage && strcmp(pool->passages[i].c.url,
                                         pool->passages[passage].c.url) == 0;
    return SUPPORT * (double)(others < 3 ? others : 3);
}

/* What a question word asks for is found by chance in many sentences; the
 * forms of definitions, reasons and steps are not. */
static double evidence_share(enum answer_type t)
{
    return t == ANSWER_DEFINITION || t == ANSWER_HOWTO || t == ANSWER_REASON
               ? EVIDENCE_SHARE_FORM
               : EVIDENCE_SHARE;
}

/* A page defines what its title names, and does so where it begins. */
static double opening_of(const struct pool *pool, const struct sentence *s)
{
    const struct query *q = pool->q;
    const struct candidate *c = &pool->passages[s->passage].c;
    uint64_t subject = mask_of(q, q->subject);

    if (q->type != ANSWER_DEFINITION || subject == 0 ||
        (mask_of(q, c->title) & subject) == 0)
        return 0;
    return c->seq == 0 && s->span.start < 300 ? OPENING : OPENING / 3;
}

/* A step of a how-to need not repeat its question's words. */
static double step_of(const struct pool *pool, const struct sentence *s)
{
    bool step = pool->q->type == ANSWER_HOWTO && s->evidence >= 0.9;

    return step ? STEP * pool->passages[s->passage].coverage : 0;
}

static void pool_score(struct pool *pool)
{
    double share = evidence_share(pool->q->type);

    for (size_t i = 0; i < pool->count; i++) {
        struct sentence *s = &pool->s[i];
        const char *p = pool->passages[s->passage].c.text + s->span.start;

        s->cover = cover_of(pool, i);
        if (s->cover < step_of(pool, s))
            s->cover = step_of(pool, s);
        s->score =
            s->cover *
            (1 + share * s->evidence + RANK_SHARE * rank_of(pool, s->passage) +
             opening_of(pool, s) + support_of(pool, s->passage));
        if (evidence_opposes(pool->q, p, s->span.len))
            s->score *= OPPOSED;
        s->score *= evidence_prose(p, s->span.len);
    }
}

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

static bool is_fact(enum answer_type t)
{
    return t == ANSWER_PERSON || t == ANSWER_DATE || t == ANSWER_PLACE ||
           t == ANSWER_NUMBER || t == ANSWER_ANY || t == ANSWER_YESNO;
}

/* Take the lead and what is nearly as good and says something else. Taken
 * sentences and refused ones leave the pool. */
static size_t pool_choose(struct pool *pool, size_t max)
{
    bool fact = is_fact(pool->q->type);
    size_t words_max = fact ? WORDS_FACT : WORDS_LONG;
    double share = fact ? FOLLOW_FACT : FOLLOW_LONG;
    struct sentence *lead = best_left(pool), *s;
    size_t words, count = 1;

    if (lead == NULL || lead->cover < LEAD_MIN)
        return 0;
    lead->taken = true;
    words = lead->words;
    while (count < max && (s = best_left(pool)) != NULL &&
           s->score >= share * lead->score) {
        if (words + s->words > words_max || repeats_taken(pool, s)) {
            s->score = 0;
            continue;
        }
        s->taken = true;
        words += s->words;
        count++;
    }
    return count;
}

/* --- delivering ---------------------------------------------------------- */

static enum err sentence_deliver(const struct pool *pool,
                                 const struct sentence *s, struct arena *a,
                                 struct answer_draft *d)
{
    struct cited_sentence *out = &d->sentences[d->count];

    out->text = arena_strndup(
        a, pool->passages[s->passage].c.text + s->span.start, s->span.len);
    out->passage = s->passage;
    out->start = s->span.start;
    out->len = s->span.len;
    out->score = s->score;
    d->count++;
    return out->text == NULL ? ERR_NOMEM : ERR_OK;
}

/* The passage of the lead first, then the others by rank; the sentences of
 * one passage in reading order. */
static enum err pool_deliver(const struct pool *pool, size_t lead,
                             struct arena *a, struct answer_draft *d)
{
    for (size_t k = 0; k <= pool->passage_count; k++) {
        size_t passage = k == 0 ? lead : k - 1;

        if (k > 0 && passage == lead)
            continue;
        for (size_t i = 0; i < pool->count; i++) {
            enum err e;

            if (!pool->s[i].taken || pool->s[i].passage != passage)
                continue;
            e = sentence_deliver(pool, &pool->s[i], a, d);
            if (e != ERR_OK)
                return e;
        }
    }
    return ERR_OK;
}

static size_t lead_passage(const struct pool *pool)
{
    const struct sentence *best = NULL;

    for (size_t i = 0; i < pool->count; i++)
        if (pool->s[i].taken &&
            (best == NULL || pool->s[i].score > best->score))
            best = &pool->s[i];
    return best == NULL ? 0 : best->passage;
}

/* The max best ones, whatever they repeat. */
static size_t pool_top(struct pool *pool, size_t max)
{
    size_t count = 0;
    struct sentence *s;

    while (count < max && (s = best_left(pool)) != NULL && s->score > 0) {
        s->taken = true;
        count++;
    }
    return count;
}

static enum err pool_read(struct pool *pool, struct arena *a)
{
    enum err e = ERR_OK;

    pool->s = calloc(SENTENCES_MAX, sizeof(*pool->s));
    if (pool->s == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; e == ERR_OK && i < pool->passage_count; i++)
        e = passage_add(pool, i, a);
    if (e == ERR_OK)
        pool_score(pool);
    return e;
}

static enum err draft_make(const struct query *q, const struct ranked *passages,
                           size_t count, size_t max,
                           size_t (*choose)(struct pool *pool, size_t max),
                           struct arena *a, struct answer_draft *out)
{
    struct pool pool = {.q = q, .passages = passages};
    struct answer_draft draft = {NULL, 0};
    size_t chosen = 0;
    enum err e;

    if (count == 0 || q->term_count == 0)
        return ERR_NO_RESULT;
    pool.passage_count =
        count < PASSAGES_MAX_READ ? count : (size_t)PASSAGES_MAX_READ;
    e = pool_read(&pool, a);
    if (e == ERR_OK)
        chosen = choose(&pool, max);
    if (e == ERR_OK && chosen == 0)
        e = ERR_NO_RESULT;
    if (e == ERR_OK) {
        draft.sentences = arena_array(a, chosen, sizeof(*draft.sentences));
        e = draft.sentences == NULL
                ? ERR_NOMEM
                : pool_deliver(&pool, lead_passage(&pool), a, &draft);
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
