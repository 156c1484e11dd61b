/*
 * The claim laid over each sentence of the passage, word by word; see
 * support.h. Finds an order-preserving match of the words (support_words.c) by
 * dynamic programming, then looks at what the match leaves out.
 */
#include "verify/support.h"

#include "base/str.h"
#include "text/passage.h"

#include <string.h>

enum {
    WORDS_MAX = 256, /* of a sentence; a longer one supports nothing */
    CLAIM_MAX = 96,
    PREPOSITION_REACH = 4,
    ANTECEDENT_REACH = 4, /* sentences a pronoun may point back */
    SUBJECT_MAX = 8       /* words of a subject */
};

/* --- a match ------------------------------------------------------------- */

/* A claim's content words over a sentence. */
struct match {
    const struct support_words *claim, *place;
    size_t c[CLAIM_MAX]; /* indexes into claim */
    size_t n;
    bool has_number;          /* the claim */
    size_t at[CLAIM_MAX];     /* found: index into place */
    bool in_claim[WORDS_MAX]; /* place's word is one of the claim's */
};

static bool is_content(const struct support_word *w)
{
    return (w->bits & CONTENT) != 0;
}

static bool is_boundary(const struct support_word *w)
{
    return (w->bits & (BREAK | CLAUSE | COORDINATOR)) != 0;
}

static bool says_it(const struct support_words *ws, const char *z)
{
    for (size_t i = 0; i < ws->n; i++)
        if (ws->w[i].bits & (CONTENT | HEDGE) && strcmp(ws->w[i].z, z) == 0)
            return true;
    return false;
}

/* The class of the preposition word i hangs on, or NULL. In the place words
 * that the claim leaves out are looked past. */
static const char *preposition_at(const struct support_words *ws, size_t i,
                                  const bool *in_claim)
{
    if (ws->w[i].bits & (BREAK | CLAUSE))
        return NULL;
    for (size_t k = 0; k < PREPOSITION_REACH && i-- > 0; k++) {
        const struct support_word *w = &ws->w[i];

        if (w->preposition != NULL)
            return w->preposition;
        if (w->bits & COORDINATOR ||
            (is_content(w) && (in_claim == NULL || in_claim[i])) ||
            w->bits & (BREAK | CLAUSE))
            return NULL;
    }
    return NULL;
}

static bool prepositions_agree(const struct match *m, size_t c, size_t j)
{
    const char *x = preposition_at(m->claim, c, NULL);
    const char *y = preposition_at(m->place, j, m->in_claim);

    if (x == y || (x != NULL && y != NULL && strcmp(x, y) == 0))
        return true;
    /* "in March 1889", "March 1889" */
    return m->place->w[j].bits & (DATE | NUMBER) &&
           (x == NULL || strcmp(x, "of") == 0) &&
           (y == NULL || strcmp(y, "of") == 0);
}

/* The word before a number and the one right behind it must be claimed. */
static bool company_is_kept(const struct match *m, size_t j)
{
    const struct support_words *p = m->place;
    size_t i = j;

    while (i > 0 && !is_boundary(&p->w[i])) {
        i--;
        if (!is_content(&p->w[i]))
            continue;
        if (!m->in_claim[i] && !(p->w[i].bits & LIGHT) &&
            !(p->w[j].bits & p->w[i].bits & DATE))
            return false;
        break;
    }
    return j + 1 >= p->n || is_boundary(&p->w[j + 1]) ||
           !is_content(&p->w[j + 1]) || m->in_claim[j + 1];
}

static bool word_matches(const struct match *m, size_t c, size_t j)
{
    const struct support_word *x = &m->claim->w[c], *y = &m->place->w[j];

    if (!is_content(y) || strcmp(x->z, y->z) != 0)
        return false;
    if ((x->bits & (OWNER | DENIED | NUMBER)) !=
        (y->bits & (OWNER | DENIED | NUMBER)))
        return false;
    if (x->bits & y->bits & PARTICIPLE &&
        (x->bits & PASSIVE) != (y->bits & PASSIVE))
        return false;
    if (!prepositions_agree(m, c, j))
        return false;
    return !(y->bits & NUMBER) || company_is_kept(m, j);
}

/* A number that the claim leaves out, and not as part of a date of which it
 * keeps the rest. */
static bool is_lost_number(const struct match *m, size_t j)
{
    const struct support_words *p = m->place;

    if (!(p->w[j].bits & NUMBER) || m->in_claim[j] || p->w[j].bits & BRACKETED)
        return false;
    for (size_t i = j; i < p->n && p->w[i].bits & DATE; i++)
        if (m->in_claim[i])
            return false;
    for (size_t i = j + 1; i-- > 0 && p->w[i].bits & DATE;)
        if (m->in_claim[i])
            return false;
    return true;
}

/* May the claim go on from the place's word p to its word q, leaving out what
 * is between? comma: the claim has one there. */
static bool may_skip(const struct match *m, size_t p, size_t q, bool comma)
{
    const struct support_words *ws = m->place;
    size_t last_mark = 0, last_join = 0, marks = 0;
    bool lost = false, before = false;

    for (size_t i = p + 1; i <= q; i++) {
        if (ws->w[i].bits & (COORDINATOR | CLAUSE))
            last_join = i;
        if (is_boundary(&ws->w[i])) {
            last_mark = i;
            marks++;
        }
        if (i < q)
            lost = lost || is_lost_number(m, i);
    }
    if (lost && last_join == 0 && m->has_number)
        return false;
    if (marks == 0)
        return true;
    for (size_t i = last_mark; i < q; i++)
        if (is_content(&ws->w[i]))
            return false;
    for (size_t i = last_join; last_join > 0 && i < q; i++)
        if (is_content(&ws->w[i]))
            return false;
    /* Out of an insertion into the clause around it? */
    for (size_t i = 1; i <= p; i++)
        before = before || is_boundary(&ws->w[i]);
    return last_join > 0 || marks >= 2 || !before || comma;
}

static bool has_comma(const struct match *m, size_t k)
{
    for (size_t i = m->c[k - 1] + 1; i <= m->c[k]; i++)
        if (is_boundary(&m->claim->w[i]))
            return true;
    return false;
}

/* Lay claim words from..m->n over the place in order. best[k][j]: the word
 * before, plus one, of a match of words from..k that ends at j. */
static bool lay(struct match *m, size_t from, struct arena *a)
{
    size_t width = m->place->n, n = m->n;
    unsigned short *prev;

    if (from >= n)
        return true;
    prev = arena_array(a, n * width + 1, sizeof(*prev));
    if (prev == NULL)
        return false;
    for (size_t k = from; k < n; k++) {
        bool any = false;

        for (size_t j = 0; j < width; j++) {
            if (!word_matches(m, m->c[k], j))
                continue;
            if (k == from) {
                prev[k * width + j] = 1;
                any = true;
                continue;
            }
            for (size_t i = j; i-- > 0 && prev[k * width + j] == 0;)
                if (prev[(k - 1) * width + i] != 0 &&
                    may_skip(m, i, j, has_comma(m, k)))
                    prev[k * width + j] = (unsigned short)(i + 1);
            any = any || prev[k * width + j] != 0;
        }
        if (!any)
            return false;
    }
    for (size_t j = 0; j < width; j++) {
        if (prev[(n - 1) * width + j] == 0)
            continue;
        m->at[n - 1] = j;
        for (size_t k = n - 1; k > from; k--)
            m->at[k - 1] = prev[k * width + m->at[k]] - 1u;
        return true;
    }
    return false;
}

/* --- what is left out ---------------------------------------------------- */

static bool is_used(const struct match *m, size_t from, size_t j)
{
    for (size_t k = from; k < m->n; k++)
        if (m->at[k] == j)
            return true;
    return false;
}

/* No denied word and no denier is left out of the clauses used. */
static bool denials_are_kept(const struct match *m, size_t from)
{
    const struct support_words *p = m->place;
    size_t lo = p->n, hi = 0;

    for (size_t k = from; k < m->n; k++) {
        lo = m->at[k] < lo ? m->at[k] : lo;
        hi = m->at[k] > hi ? m->at[k] : hi;
    }
    if (hi < lo)
        return true;
    while (lo > 0 && !(p->w[lo].bits & (COORDINATOR | CLAUSE)))
        lo--;
    while (hi + 1 < p->n && !(p->w[hi + 1].bits & (COORDINATOR | CLAUSE)))
        hi++;
    for (size_t j = lo; j <= hi; j++) {
        size_t next = j + 1;

        if (p->w[j].bits & DENIED && !is_used(m, from, j))
            return false;
        if (!(p->w[j].bits & DENIER))
            continue;
        while (next < p->n && !is_content(&p->w[next]))
            next++;
        if (next >= p->n || next > hi)
            return false;
    }
    return true;
}

/* Does the claim end where something ends: not before a quotation or a word
 * that belongs to its last one? */
static bool ends_whole(const struct match *m)
{
    const struct support_words *p = m->place;
    size_t next = m->at[m->n - 1] + 1;

    if (next >= p->n)
        return true;
    if (p->w[next].bits & (QUOTED | UNQUOTED))
        return (p->w[next].bits & UNQUOTED) != 0;
    return is_boundary(&p->w[next]) || !is_content(&p->w[next]) ||
           p->w[next].bits & FUNCTION || m->in_claim[next];
}

static bool hedges_are_kept(const struct match *m)
{
    for (size_t j = 0; j < m->place->n; j++)
        if (m->place->w[j].bits & HEDGE && !says_it(m->claim, m->place->w[j].z))
            return false;
    for (size_t i = 0; i < m->claim->n; i++)
        if (m->claim->w[i].bits & HEDGE && !says_it(m->place, m->claim->w[i].z))
            return false;
    return true;
}

/* --- dates that moved ---------------------------------------------------- */

static bool date_stands(const struct match *m, size_t c)
{
    for (size_t j = 0; j < m->place->n; j++)
        if (word_matches(m, c, j))
            return true;
    return false;
}

/* Take the dates out of the claim's words; false when the place has another
 * number or more than one clause, so that they might belong elsewhere. */
static bool dates_take(struct match *m)
{
    size_t kept = 0;

    for (size_t j = 0; j < m->place->n; j++)
        if ((m->place->w[j].bits & NUMBER && !m->in_claim[j]) ||
            m->place->w[j].bits & (COORDINATOR | CLAUSE))
            return false;
    for (size_t k = 0; k < m->n; k++) {
        if (!(m->claim->w[m->c[k]].bits & DATE))
            m->c[kept++] = m->c[k];
        else if (!date_stands(m, m->c[k]))
            return false;
    }
    if (kept == m->n || kept == 0)
        return false;
    m->n = kept;
    return true;
}

/* --- places -------------------------------------------------------------- */

static void match_begin(struct match *m, const struct support_words *claim,
                        const struct support_words *place)
{
    m->claim = claim;
    m->place = place;
    m->n = 0;
    for (size_t i = 0; i < claim->n; i++)
        m->has_number = m->has_number || claim->w[i].bits & NUMBER;
    for (size_t i = 0; i < claim->n && m->n < CLAIM_MAX; i++)
        if (is_content(&claim->w[i]) &&
            !(claim->w[i].bits & LIGHT && !says_it(place, claim->w[i].z)))
            m->c[m->n++] = i;
    for (size_t j = 0; j < place->n; j++)
        m->in_claim[j] =
            is_content(&place->w[j]) && says_it(claim, place->w[j].z);
}

/* Do claim words 0..count make up (part of) the subject of the sentence: do
 * they stand in order at its beginning, before its verb? */
static bool is_subject(const struct match *m, size_t count,
                       const struct support_words *ws, bool person)
{
    size_t end = 0, k = 0;

    while (end < ws->n && end < SUBJECT_MAX && !(ws->w[end].bits & BE) &&
           !(ws->w[end].bits & (BREAK | COORDINATOR) && end > 0))
        end++;
    if (end == ws->n || !(ws->w[end].bits & BE)) {
        for (end = 0; end < ws->n &&
                      (!is_content(&ws->w[end]) || ws->w[end].bits & CAPITAL);)
            end++;
    }
    for (size_t i = 0; i < end && k < count; i++)
        if (is_content(&ws->w[i]) &&
            strcmp(ws->w[i].z, m->claim->w[m->c[k]].z) == 0 &&
            (ws->w[i].bits & (OWNER | DENIED)) ==
                (m->claim->w[m->c[k]].bits & (OWNER | DENIED)) &&
            preposition_at(ws, i, NULL) ==
                preposition_at(m->claim, m->c[k], NULL))
            k++;
    /* Another name behind the verb may be what the pronoun means: any for a
     * person, for a thing those that no preposition leads in. */
    for (size_t i = end; i < ws->n; i++)
        if (ws->w[i].bits & CAPITAL && is_content(&ws->w[i]) &&
            !(ws->w[i].bits & DATE) &&
            (person || (preposition_at(ws, i, NULL) == NULL &&
                        !(i > 0 && ws->w[i - 1].bits & CAPITAL))))
            return false;
    return k == count;
}

enum pronoun { PRONOUN_NONE, PRONOUN_THING, PRONOUN_PERSON };

static enum pronoun pronoun_of(const struct support_words *ws)
{
    static const char things[] = "it its";
    static const char persons[] = "he she they his her their";

    if (ws->n == 0)
        return PRONOUN_NONE;
    return word_in(ws->w[0].z, things)    ? PRONOUN_THING
           : word_in(ws->w[0].z, persons) ? PRONOUN_PERSON
                                          : PRONOUN_NONE;
}

/* With the subject taken from a sentence before. */
static bool holds_with_antecedent(struct match *m,
                                  const struct support_words *all, size_t i,
                                  struct arena *a)
{
    enum pronoun kind = pronoun_of(m->place);
    size_t back = i;

    if (kind == PRONOUN_NONE)
        return false;
    for (size_t k = 0; k < ANTECEDENT_REACH && back > 0; k++) {
        back--;
        if (pronoun_of(&all[back]) == PRONOUN_NONE)
            break;
        if (pronoun_of(&all[back]) != kind)
            return false;
    }
    if (back == i || pronoun_of(&all[back]) != PRONOUN_NONE)
        return false;
    for (size_t count = 1; count < m->n && count <= SUBJECT_MAX; count++)
        if (is_subject(m, count, &all[back], kind == PRONOUN_PERSON) &&
            lay(m, count, a) && denials_are_kept(m, count) && ends_whole(m))
            return true;
    return false;
}

static bool place_holds(const struct support_words *claim,
                        const struct support_words *all, size_t i,
                        struct arena *a)
{
    struct match *m = arena_alloc(a, sizeof(*m));

    if (m == NULL || all[i].n == 0)
        return false;
    match_begin(m, claim, &all[i]);
    if (m->n == 0 || !hedges_are_kept(m))
        return false;
    if (lay(m, 0, a) && denials_are_kept(m, 0) && ends_whole(m))
        return true;
    if (holds_with_antecedent(m, all, i, a))
        return true;
    return dates_take(m) &&
           ((lay(m, 0, a) && denials_are_kept(m, 0) && ends_whole(m)) ||
            holds_with_antecedent(m, all, i, a));
}

static bool has_content(const struct support_words *ws)
{
    for (size_t i = 0; i < ws->n; i++)
        if (is_content(&ws->w[i]))
            return true;
    return false;
}

bool support_find(const char *claim, const char *passage, struct span *where,
                  struct arena *a)
{
    struct support_words c, *all;
    struct span *spans = NULL;
    size_t count = 0, pn = strlen(passage), cn = strlen(claim);
    bool there = verify_is_continental(passage, pn, false);
    bool here = verify_is_continental(claim, cn, there);

    if (!support_words_read(claim, cn, here, CLAIM_MAX, a, &c) ||
        sentences_split(passage, pn, a, &spans, &count) != ERR_OK)
        return false;
    if (!has_content(&c))
        return true;
    all = arena_array(a, count + 1, sizeof(*all));
    if (all == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!support_words_read(passage + spans[i].start, spans[i].len, there,
                                WORDS_MAX, a, &all[i]))
            all[i].n = 0;
    for (size_t i = 0; i < count; i++)
        if (place_holds(&c, all, i, a)) {
            *where = spans[i];
            return true;
        }
    return false;
}
