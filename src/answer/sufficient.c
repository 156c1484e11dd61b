/*
 * When the best sentence is enough to answer with; see sufficient.h. Pure.
 * Called by answer_extract. What the words are held against is in opposed.c.
 */
#include "answer/sufficient.h"
#include "question/evidence.h"
#include "answer/opposed.h"
#include "question/overlap.h"

#include "base/str.h"
#include "text/terms.h"

#include <math.h>
#include <string.h>

enum {
    FEW_TERMS = 3,
    HITS_MAX = 512,
    NEAR_LEN = 5,  /* letters of a word that may be misspelled */
    NEAR_LONG = 8, /* … in two places */
    ACRONYM_MAX = 6
};

static const double MASS_FULL = 3.0;
static const double MASS_MOST = 1.5;
static const double LITTLE = 1.0;
static const double HALF_GAP = 0.6;
static const double EVIDENCE_MIN = 0.3;

/* What each sign is worth. EXACT to UNTYPED: a logistic regression of right
 * answers against what was said to questions of other collections, in folds
 * by article, rounded; its base is set where nine in ten of the latter get no
 * answer, which costs three right answers in a hundred. DENIED, OPPOSITE and
 * NUMBER are vetoes: of the sentences they strike, nine in ten answer a
 * question that has no answer. HALF, ODD and NOBODY are set by hand for
 * questions of few words, of which the collections have few.
 */
static const double BASE = -4.95;
static const double worth[SUFFICIENT_COUNT] = {
    [SUFFICIENT_EXACT] = 3.8,    [SUFFICIENT_MASS] = 2.5,
    [SUFFICIENT_LITTLE] = -0.4,  [SUFFICIENT_OFTEN] = 5.8,
    [SUFFICIENT_ABSENT] = -0.8,  [SUFFICIENT_MISSING] = -0.7,
    [SUFFICIENT_NAMES] = -0.7,   [SUFFICIENT_TERMS] = 0.8,
    [SUFFICIENT_TYPE] = 0.75,    [SUFFICIENT_UNTYPED] = -0.9,
    [SUFFICIENT_HALF] = -1.0,    [SUFFICIENT_ODD] = -4.0,
    [SUFFICIENT_NOBODY] = -9.0,  [SUFFICIENT_DENIED] = -20,
    [SUFFICIENT_OPPOSITE] = -20, [SUFFICIENT_NUMBER] = -20};

/* --- the passage --------------------------------------------------------- */

/* What the passage holds of the question. */
struct holding {
    uint64_t all;                    /* terms, families and context included */
    uint64_t near;                   /* … and those nearly spelled so */
    unsigned times[QUERY_TERMS_MAX]; /* exact ones */
};

/* Letters to change, add, drop or swap between two words; more than 2 is 3. */
static size_t distance(const char *x, size_t nx, const char *y, size_t ny)
{
    unsigned char row[3][TERM_MAX + 2];

    if (nx > ny + 2 || ny > nx + 2)
        return 3;
    for (size_t k = 0; k <= ny; k++)
        row[0][k] = (unsigned char)k;
    for (size_t i = 1; i <= nx; i++) {
        unsigned char *now = row[i % 3], *last = row[(i + 2) % 3];

        now[0] = (unsigned char)i;
        for (size_t k = 1; k <= ny; k++) {
            unsigned v = last[k - 1] + (x[i - 1] != y[k - 1] ? 1u : 0u);

            v = v < last[k] + 1u ? v : last[k] + 1u;
            v = v < now[k - 1] + 1u ? v : now[k - 1] + 1u;
            if (i > 1 && k > 1 && x[i - 1] == y[k - 2] && x[i - 2] == y[k - 1])
                v = v < row[(i + 1) % 3][k - 2] + 1u
                        ? v
                        : row[(i + 1) % 3][k - 2] + 1u;
            now[k] = (unsigned char)v;
        }
    }
    return row[nx % 3][ny] < 3 ? row[nx % 3][ny] : 3;
}

/* A misspelling, or another spelling of a foreign name. */
static bool is_near(const char *word, const struct term *t)
{
    size_t n = strlen(word);

    return n >= NEAR_LEN && t->text[0] == word[0] &&
           strcspn(word, "0123456789") == n &&
           distance(word, n, t->text, t->len) <= (n < NEAR_LONG ? 1u : 2u);
}

/* Does the token go on with the words an acronym stands for? *at counts them.
 */
static bool acronym_next(const char *word, const char *p, const struct term *t,
                         size_t *at)
{
    bool capital = p[t->start] >= 'A' && p[t->start] <= 'Z';

    if (!capital || t->text[0] != word[*at])
        *at = 0;
    if (capital && t->text[0] == word[*at])
        ++*at;
    return *at > 1 && word[*at] == '\0';
}

static bool may_be_acronym(const struct query *q, size_t i)
{
    size_t n = strlen(q->words[i]);

    return (q->names >> i & 1) && n >= 2 && n <= ACRONYM_MAX &&
           strspn(q->words[i], "abcdefghijklmnopqrstuvwxyz") == n;
}

static void near_read(const struct query *q, const char *p, struct holding *h)
{
    size_t at[QUERY_TERMS_MAX] = {0};
    struct term_iter it;
    struct term t;

    terms_init(&it, p, strlen(p));
    while (h->near != overlap_all(q) && tokens_next(&it, &t))
        for (size_t i = 0; i < q->term_count; i++)
            if (!(h->near >> i & 1) &&
                (is_near(q->words[i], &t) ||
                 (may_be_acronym(q, i) &&
                  acronym_next(q->words[i], p, &t, &at[i]))))
                h->near |= (uint64_t)1 << i;
}

static void passage_read(const struct query *q, const char *p,
                         const struct sentence *s, struct holding *h)
{
    struct overlap_hit hits[HITS_MAX];
    struct overlap_kin kin;
    size_t tokens, n;

    overlap_kin_read(q, &kin);
    n = overlap_hits(q, &kin, p, strlen(p), hits, HITS_MAX, &tokens);
    memset(h, 0, sizeof(*h));
    h->all = s->reach;
    for (size_t i = 0; i < n; i++) {
        h->all |= (uint64_t)1 << hits[i].term;
        h->times[hits[i].term] += !hits[i].loose;
    }
    /* Families, and what stands above the passage, count once. */
    for (size_t i = 0; i < q->term_count; i++)
        if (h->times[i] == 0 && (h->all >> i & 1))
            h->times[i] = 1;
    h->near = h->all;
    near_read(q, p, h);
}

/* --- signs --------------------------------------------------------------- */

static double term_weight(const struct query *q, size_t i)
{
    return q->terms[i].weight * q->rarity[i];
}

static size_t bits_of(uint64_t mask)
{
    size_t n = 0;

    for (; mask != 0; mask &= mask - 1)
        n++;
    return n;
}

/* The weight of the heaviest of a set of terms. */
static double heaviest(const struct query *q, uint64_t mask)
{
    double most = 0;

    for (size_t i = 0; i < q->term_count; i++)
        if (mask >> i & 1)
            most = fmax(most, term_weight(q, i));
    return most;
}

/* Terms that stand in the text in the question's own form. */
static uint64_t exact_of(const struct query *q, const char *p, size_t n)
{
    struct term_iter it;
    struct term t;
    uint64_t mask = 0;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        for (size_t i = 0; i < q->term_count; i++)
            if (strcmp(q->words[i], t.text) == 0)
                mask |= (uint64_t)1 << i;
    return mask;
}

/* A term counts by half at its first place, and more with each other. */
static double often_of(const struct query *q, const struct holding *h)
{
    double sum = 0, all = overlap_weight(q, overlap_all(q));

    for (size_t i = 0; i < q->term_count; i++)
        sum += term_weight(q, i) * h->times[i] / (h->times[i] + 1.0);
    return all > 0 ? sum / all : 0;
}

static bool is_fact(enum answer_type t)
{
    return t == ANSWER_PERSON || t == ANSWER_DATE || t == ANSWER_PLACE ||
           t == ANSWER_NUMBER;
}

static void topic_signs(const struct query *q, const struct candidate *c,
                        const struct sentence *s, const struct holding *h,
                        double *v)
{
    const char *p = c->text + s->span.start;
    uint64_t absent = overlap_all(q) & ~h->near;

    v[SUFFICIENT_EXACT] = overlap_share(q, exact_of(q, p, s->span.len));
    v[SUFFICIENT_MASS] =
        fmin(overlap_weight(q, s->reach) / MASS_FULL, MASS_MOST);
    v[SUFFICIENT_LITTLE] = overlap_weight(q, s->loose) < LITTLE;
    v[SUFFICIENT_OFTEN] = often_of(q, h);
    v[SUFFICIENT_ABSENT] = overlap_weight(q, absent);
    v[SUFFICIENT_MISSING] = (double)bits_of(absent);
    v[SUFFICIENT_NAMES] = overlap_weight(q, absent & q->names);
    v[SUFFICIENT_TERMS] = (double)q->term_count;
}

static void kind_signs(const struct query *q, const struct candidate *c,
                       const struct sentence *s, double *v)
{
    const char *p = c->text + s->span.start;
    bool few = q->term_count <= FEW_TERMS;
    double gap = heaviest(q, overlap_all(q) & ~s->reach);
    double evidence = is_fact(q->type) ? evidence_of(q, p, s->span.len) : 0;

    v[SUFFICIENT_TYPE] = evidence;
    v[SUFFICIENT_UNTYPED] = is_fact(q->type) && evidence < EVIDENCE_MIN;
    v[SUFFICIENT_HALF] =
        few && gap >= HALF_GAP * heaviest(q, overlap_all(q)) && gap > 0;
    v[SUFFICIENT_ODD] = 1 - evidence_prose(p, s->span.len);
    if (few && q->type == ANSWER_PERSON)
        v[SUFFICIENT_NOBODY] = evidence < 0.15 ? 1 : evidence < 0.5 ? 0.33 : 0;
}

/* "Why does it not …", "how to do it without …" and keywords are answered by
 * what affirms; of "who did not …" that speaks of others. */
static bool asks_what_is(const struct query *q)
{
    return q->type != ANSWER_REASON && q->type != ANSWER_HOWTO &&
           q->type != ANSWER_YESNO && opposed_asks(q->text);
}

void sufficient_read(const struct query *q, const struct candidate *c,
                     const struct sentence *s, double v[SUFFICIENT_COUNT])
{
    struct holding h;
    const char *p = c->text + s->span.start;

    memset(v, 0, SUFFICIENT_COUNT * sizeof(*v));
    passage_read(q, c->text, s, &h);
    topic_signs(q, c, s, &h, v);
    kind_signs(q, c, s, v);
    if (asks_what_is(q)) {
        v[SUFFICIENT_DENIED] = opposed_denies(q->text, p, s->span.len);
        v[SUFFICIENT_OPPOSITE] = opposed_words(q->text, p, s->span.len);
    }
    v[SUFFICIENT_NUMBER] = opposed_number(q, s->reach, p, s->span.len);
}

double sufficient_confidence(const struct query *q, const struct candidate *c,
                             const struct sentence *s)
{
    double v[SUFFICIENT_COUNT], sum = BASE;

    sufficient_read(q, c, s, v);
    for (size_t i = 0; i < SUFFICIENT_COUNT; i++)
        sum += worth[i] * v[i];
    return sum;
}
