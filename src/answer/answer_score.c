/*
 * Sentences read and weighed; see answer_score.h. Pure. Called by
 * answer_extract.
 */
#include "answer/answer_score.h"
#include "answer/answer_agree.h"
#include "answer/answer_forms.h"
#include "answer/answer_sign.h"
#include "question/evidence.h"
#include "question/overlap.h"
#include "question/question.h"

#include "base/str.h"
#include "text/terms.h"

#include <stdlib.h>
#include <string.h>

enum {
    PASSAGES_MAX_READ = 20, /* the best ones; the rest adds noise */
    SENTENCES_MAX = 512,
    SENTENCE_BYTES_MAX = 1200,
    HITS_MAX = 128,
    LEAD_LINE_WORDS = 8,
    LEAD_LINE_REACH = 8, /* sentences */
    NEIGHBOURS = 3,      /* tokens apart at most */
    OPENING_BYTES = 300,
    OPENING_WORDS = 5
};

/* What each sign is worth: a conditional logit over the sentences of questions
 * with known answers (which of a pool's sentences holds it), so that scores
 * are logarithms of odds; rounded. Fitted on any two of three collections it
 * finds as many answers in the third as fitted on all. bench/quality.mjs
 * measures it. Prose, opening and opposed are set by hand: the questions
 * fitted on saw no menus. */
static const double worth[SIGN_COUNT] = {
    [SIGN_OWN] = 4.1,     [SIGN_LOOSE] = 2.7,  [SIGN_BEFORE] = 4.8,
    [SIGN_CONTEXT] = 4.5, [SIGN_PAIRS] = 0.9,  [SIGN_RANK] = 4.8,
    [SIGN_TYPE] = 2.6,    [SIGN_FORM] = 1.8,   [SIGN_FOCUS] = 0.7,
    [SIGN_OPENING] = 2.0, [SIGN_FIRST] = 0.4,  [SIGN_SUPPORT] = 0.4,
    [SIGN_OPPOSED] = -1,  [SIGN_PROSE] = 3.0,  [SIGN_REFERS] = 1.5,
    [SIGN_TERMS] = 1.5,   [SIGN_LOCAL] = 2.4,  [SIGN_PLAIN] = 1.2,
    [SIGN_EARLIER] = 2.8, [SIGN_AFTER] = 1.9,  [SIGN_PHRASE] = 1.9,
    [SIGN_PLACE] = 2.8,   [SIGN_NAMING] = 1.0, [SIGN_DATED] = -0.4};

/* Definitions and steps show best. */
static const double FORM_CLEAR = 1.25;

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

static void prints_read(struct sentence *s, enum lang l, const char *p)
{
    struct term_iter it;
    struct term t;
    size_t n = 0, half = 0;

    terms_init(&it, p + s->span.start, s->span.len);
    while (tokens_next(&it, &t)) {
        /* Two pairs of unspaced characters are about a word. */
        half += (unsigned char)t.text[0] >= 0xE0 ? 1 : 2;
        if (s->print_count < PRINTS_MAX && !lang_is_stop(l, t.text, t.len))
            s->prints[s->print_count++] = hash_of(t.text);
    }
    s->words = (half + 1) / 2;
    qsort(s->prints, s->print_count, sizeof(s->prints[0]), by_number);
    for (size_t i = 0; i < s->print_count; i++)
        if (n == 0 || s->prints[i] != s->prints[n - 1])
            s->prints[n++] = s->prints[i];
    s->print_count = n;
}

/* Weight of the question's neighbouring terms that are neighbours here too,
 * as a share of all such pairs. */
static double pairs_of(const struct query *q, const struct overlap_hit *h,
                       size_t n)
{
    double all = 0, have = 0;

    for (size_t i = 0; i + 1 < q->term_count; i++) {
        double x = q->terms[i].weight * q->rarity[i];
        double y = q->terms[i + 1].weight * q->rarity[i + 1];
        bool found = false;

        for (size_t a = 0; !found && a < n; a++)
            for (size_t b = a + 1;
                 !found && b < n && h[b].at <= h[a].at + NEIGHBOURS; b++)
                found = (h[a].term == i && h[b].term == i + 1) ||
                        (h[a].term == i + 1 && h[b].term == i);
        all += x < y ? x : y;
        have += found ? x < y ? x : y : 0;
    }
    return all > 0 ? have / all : 0;
}

/* The noun the question asks for: the word behind "what", "which", "how
 * many", unless that is a verb of being or doing. */
static double focus_of(const struct query *q, uint64_t mask)
{
    return q->focus < q->term_count ? (double)(mask >> q->focus & 1) : 0;
}

static void sentence_add(struct pool *pool, size_t passage, struct span span)
{
    const char *p = pool->passages[passage].c.text;
    struct overlap_hit hits[HITS_MAX];
    struct sentence *s;
    size_t n, tokens;

    if (pool->count == SENTENCES_MAX || span.len == 0 ||
        span.len > SENTENCE_BYTES_MAX)
        return;
    s = &pool->s[pool->count++];
    s->span = span;
    s->passage = passage;
    n = overlap_hits(pool->q, &pool->kin, p + span.start, span.len, hits,
                     HITS_MAX, &tokens);
    for (size_t i = 0; i < n; i++) {
        s->loose |= (uint64_t)1 << hits[i].term;
        if (!hits[i].loose)
            s->mask |= (uint64_t)1 << hits[i].term;
    }
    s->sign[SIGN_PAIRS] = pairs_of(pool->q, hits, n);
    prints_read(s, pool->q->lang, p);
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

/* --- signs --------------------------------------------------------------- */

static uint64_t mask_of(const struct query *q, const char *z)
{
    return z == NULL ? 0 : overlap_mask_loose(q, z, strlen(z));
}

/* A short line that is no sentence, or ends in a colon: what follows it in
 * the passage stands under it, as under a heading. */
static bool is_lead_line(const struct pool *pool, const struct sentence *s)
{
    const char *p = pool->passages[s->passage].c.text + s->span.start;
    char last = p[s->span.len - 1];

    return last == ':' ||
           (s->words <= LEAD_LINE_WORDS && strchr(".!?;,", last) == NULL &&
            !sentence_is_closed(p, s->span.len));
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
static void cover_signs(const struct pool *pool, size_t i)
{
    struct sentence *s = &pool->s[i];
    const struct candidate *c = &pool->passages[s->passage].c;
    const struct query *q = pool->q;
    uint64_t seen = 0;
    struct {
        enum sign sign;
        uint64_t mask;
    } places[] = {
        {SIGN_OWN, s->mask},
        {SIGN_LOOSE, s->loose},
        {SIGN_BEFORE, i > 0 && signs_is_with(pool, i, i - 1) ? s[-1].loose : 0},
        {SIGN_CONTEXT, mask_of(q, c->heading) | mask_of(q, c->title) |
                           lead_line_mask(pool, i)}};

    for (size_t k = 0; k < sizeof(places) / sizeof(places[0]); k++) {
        s->sign[places[k].sign] = overlap_share(q, places[k].mask & ~seen);
        seen |= places[k].mask;
    }
    s->reach = seen;
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
    return (double)(others < 3 ? others : 3) / 3;
}

/* What a question word asks for is found by chance in many sentences; the
 * forms of definitions, reasons and steps are not. */
static enum sign evidence_sign(enum answer_type t)
{
    return t == ANSWER_DEFINITION || t == ANSWER_HOWTO || t == ANSWER_REASON ||
                   t == ANSWER_LIST || t == ANSWER_COMPARE
               ? SIGN_FORM
               : SIGN_TYPE;
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
    return c->seq == 0 && s->span.start < OPENING_BYTES ? 1.0 : 0.33;
}

/* Is one of the sentence's first words one that stands for something said
 * before ("Today, this is …")? */
static bool is_referring(enum lang l, const char *p, size_t n)
{
    static const char words[] = " he she it they him them this that these "
                                "those his her its their such both another ";
    struct term_iter it;
    struct term t;
    char padded[TERM_MAX + 3];

    terms_init(&it, p, n);
    for (size_t i = 0; i < OPENING_WORDS && tokens_next(&it, &t); i++) {
        if (l != LANG_EN)
            return question_refers(l, p, t.text);
        padded[0] = ' ';
        memcpy(padded + 1, t.text, t.len);
        memcpy(padded + 1 + t.len, " ", 2);
        if (strstr(words, padded) != NULL)
            return true;
    }
    return false;
}

static size_t bits_of(uint64_t mask)
{
    size_t n = 0;

    for (; mask != 0; mask &= mask - 1)
        n++;
    return n;
}

static void signs_read(const struct pool *pool, size_t i)
{
    struct sentence *s = &pool->s[i];
    const char *p = pool->passages[s->passage].c.text + s->span.start;
    double evidence = evidence_of(pool->q, p, s->span.len);

    cover_signs(pool, i);
    if (pool->q->type == ANSWER_DEFINITION || pool->q->type == ANSWER_HOWTO)
        evidence *= FORM_CLEAR;
    s->sign[evidence_sign(pool->q->type)] = evidence;
    s->sign[SIGN_RANK] = rank_of(pool, s->passage);
    s->sign[SIGN_FOCUS] = focus_of(pool->q, s->loose);
    s->sign[SIGN_OPENING] = opening_of(pool, s);
    s->sign[SIGN_FIRST] = i == 0 || !signs_is_with(pool, i, i - 1) ? 1 : 0;
    s->sign[SIGN_SUPPORT] = support_of(pool, s->passage);
    s->sign[SIGN_OPPOSED] = evidence_opposes(pool->q, p, s->span.len) ? 1 : 0;
    s->sign[SIGN_REFERS] =
        is_referring(pool->q->lang, p, s->span.len) ? s->sign[SIGN_BEFORE] : 0;
    s->sign[SIGN_TERMS] =
        (double)bits_of(s->loose) / (double)pool->q->term_count;
    s->sign[SIGN_PROSE] = evidence_prose(p, s->span.len);
}

static void pool_score(struct pool *pool)
{
    for (size_t i = 0; i < pool->count; i++)
        signs_read(pool, i);
    signs_compare(pool);
    for (size_t i = 0; i < pool->count; i++) {
        struct sentence *s = &pool->s[i];

        s->score = 0;
        for (size_t k = 0; k < SIGN_COUNT; k++)
            s->score += worth[k] * s->sign[k];
    }
}

enum err pool_read(struct pool *pool, const struct query *q,
                   const struct ranked *passages, size_t count, struct arena *a)
{
    enum err e = ERR_OK;

    *pool = (struct pool){.q = q, .passages = passages, .given = count};
    pool->passage_count =
        count < PASSAGES_MAX_READ ? count : (size_t)PASSAGES_MAX_READ;
    overlap_kin_read(q, &pool->kin);
    pool->s = calloc(SENTENCES_MAX, sizeof(*pool->s));
    if (pool->s == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; e == ERR_OK && i < pool->passage_count; i++)
        e = passage_add(pool, i, a);
    if (e == ERR_OK) {
        pool_score(pool);
        forms_weigh(pool);
        agree_weigh(pool);
        for (size_t i = 0; i < pool->count; i++)
            pool->s[i].weighed = pool->s[i].score;
    }
    return e;
}
