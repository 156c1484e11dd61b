/*
 * The claim laid over each place of the passage, word by word; see support.h.
 * Finds a match of the words (support_words.c) in their order, but for whole
 * clauses, by dynamic programming; veto.c looks at what the match leaves out.
 */
#include "verify/support.h"

#include "base/str.h"
#include "lang/words.h"
#include "text/passage.h"

#include <string.h>

enum {
    SENTENCE_MAX = 256, /* words of a sentence; a longer one says nothing */
    WORDS_MIN = 2,      /* that a claim must have in common with its place */
    PREPOSITION_REACH = 6,
    ANTECEDENT_REACH = 4, /* sentences a pronoun may point back */
    SUBJECT_MAX = 8,      /* words of a subject */
    LABEL_WORDS_MAX = 16,
    NEVER = 0xFFFF, /* no way leads here */
    DROP = 0x10,    /* what a word left out of a clause costs */
    MOVE = 0x400,   /* … and a clause out of its order */
    MOVES_MAX = 2,
    DROPPED_MAX = 1
};

/* --- a match ------------------------------------------------------------- */

bool support_is_content(const struct support_word *w)
{
    return (w->bits & CONTENT) != 0;
}

bool support_says(const struct support_words *ws, const char *z)
{
    for (size_t i = 0; i < ws->n; i++)
        if (ws->w[i].bits & (CONTENT | HEDGE) && strcmp(ws->w[i].z, z) == 0)
            return true;
    return false;
}

static bool is_boundary(const struct support_word *w)
{
    return (w->bits & (BREAK | CLAUSE | COORDINATOR)) != 0;
}

/* The preposition word i hangs on, or NULL. In the place words that the claim
 * leaves out are looked past. */
static const struct support_word *preposition_at(const struct support_words *ws,
                                                 size_t i, const bool *in_claim)
{
    if (ws->w[i].bits & (BREAK | CLAUSE))
        return NULL;
    for (size_t k = 0; k < PREPOSITION_REACH && i-- > 0; k++) {
        const struct support_word *w = &ws->w[i];

        if (w->preposition != NULL)
            return w;
        if (w->bits & COORDINATOR ||
            (support_is_content(w) && (in_claim == NULL || in_claim[i])) ||
            w->bits & (BREAK | CLAUSE))
            return NULL;
    }
    return NULL;
}

static const char *class_at(const struct support_words *ws, size_t i,
                            const bool *in_claim)
{
    const struct support_word *w = preposition_at(ws, i, in_claim);

    return w == NULL ? NULL : w->preposition;
}

static const struct support_word *content_before(const struct support_words *ws,
                                                 size_t i)
{
    while (i-- > 0)
        if (support_is_content(&ws->w[i]))
            return &ws->w[i];
    return NULL;
}

/* Is what word j of the place is a part of claimed with it ("mother of …")? */
static bool owner_is_claimed(const struct match *m, size_t c, size_t j)
{
    const struct support_word *x = content_before(m->claim, c);
    const struct support_word *y = content_before(m->place, j);

    return y == NULL || (x != NULL && strcmp(x->z, y->z) == 0);
}

/* Does a class of what begins a clause leave what it says as it is? */
static bool begins_fact(const char *class)
{
    char z[TERM_MAX + 1];
    size_t n = strcspn(class, " ");

    memcpy(z, class, n < TERM_MAX ? n : TERM_MAX);
    z[n < TERM_MAX ? n : TERM_MAX] = '\0';
    return class != check_words.loose && word_in(z, check_words.fact);
}

static bool prepositions_agree(const struct match *m, size_t c, size_t j)
{
    const struct support_word *with = preposition_at(m->claim, c, NULL);
    const char *x = with == NULL ? NULL : with->preposition;
    const char *y = class_at(m->place, j, m->in_claim);

    /* "with a limit": "if a limit is given" */
    if (x == check_words.loose && y != NULL && strcmp(with->z, "with") == 0 &&
        strncmp(y, "if ", 3) == 0)
        return true;
    if (x == y || (x == check_words.loose && y == NULL))
        return true;
    /* "while X is so": "X is so" */
    if (x == NULL && y != NULL && begins_fact(y))
        return true;
    if (x == NULL && y == check_words.loose)
        return owner_is_claimed(m, c, j) ||
               m->place->w[j].bits & (DATE | NUMBER);
    return false;
}

/* The word before a number and the one right behind it must be claimed. */
static bool company_is_kept(const struct match *m, size_t j)
{
    const struct support_words *p = m->place;
    size_t i = j;

    while (i > 0 && !is_boundary(&p->w[i])) {
        i--;
        if (!support_is_content(&p->w[i]))
            continue;
        if (!m->in_claim[i] && !(p->w[i].bits & LIGHT) &&
            !(p->w[j].bits & p->w[i].bits & DATE))
            return false;
        break;
    }
    return j + 1 >= p->n || is_boundary(&p->w[j + 1]) ||
           !support_is_content(&p->w[j + 1]) || m->in_claim[j + 1];
}

/* Do two words say the same, or against each other: another number, or what is
 * the opposite? */
static bool says_same(const struct support_word *x,
                      const struct support_word *y, bool against)
{
    return strcmp(x->z, y->z) == 0 ||
           (against &&
            ((x->bits & y->bits & NUMBER && !((x->bits ^ y->bits) & DATE)) ||
             (x->opposite != 0 && x->opposite == -y->opposite)));
}

static bool word_matches(const struct match *m, size_t c, size_t j)
{
    const struct support_word *x = &m->claim->w[c], *y = &m->place->w[j];

    if (!support_is_content(y) || !says_same(x, y, m->against))
        return false;
    if ((x->bits ^ y->bits) & (m->against ? OWNER : OWNER | DENIED))
        return false;
    if ((x->bits ^ y->bits) & NUMBER && !((x->bits | y->bits) & ROLE))
        return false;
    /* "if it is set", "if set" */
    if (x->bits & y->bits & PARTICIPLE && (x->bits ^ y->bits) & PASSIVE &&
        !(j > 0 && (y - 1)->bits & MARK) && !(c > 0 && (x - 1)->bits & MARK))
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
        if (support_is_content(&ws->w[i]))
            return false;
    for (size_t i = last_join; last_join > 0 && i < q; i++)
        if (support_is_content(&ws->w[i]))
            return false;
    if (ws->w[p].bits & BRACKETED && !(ws->w[q].bits & BRACKETED))
        return true;
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

static bool is_pronoun(const char *z)
{
    return word_in(z, check_words.thing) || word_in(z, check_words.person) ||
           word_in(z, check_words.this);
}

static bool has_pronoun(const struct support_words *ws, size_t lo, size_t hi)
{
    for (size_t i = lo; i < hi; i++)
        if (is_pronoun(ws->w[i].z))
            return true;
    return false;
}

/* May the claim go on in the next sentence, at its word q? */
static bool may_cross(const struct match *m, size_t k, size_t q)
{
    size_t from = q;

    while (from > 0 &&
           m->place->w[from - 1].sentence == m->place->w[q].sentence)
        from--;
    for (size_t i = from; i < q; i++)
        if (support_is_content(&m->place->w[i]) &&
            !(m->place->w[i].bits & (LIGHT | ROLE | NARROW)))
            return false;
    return has_comma(m, k) && (!has_pronoun(m->place, from, q) ||
                               has_pronoun(m->claim, m->c[k - 1], m->c[k]));
}

/* Does word i begin a clause, or stand behind nothing but light words that do?
 * A preposition will do where loose says so. */
static bool begins_clause(const struct support_words *ws, size_t i, bool loose)
{
    for (;; i--) {
        if (i == 0 || is_boundary(&ws->w[i]) || ws->w[i].bits & MARK ||
            ws->w[i].sentence != ws->w[i - 1].sentence ||
            (loose && ws->w[i].preposition != NULL))
            return true;
        if (support_is_content(&ws->w[i - 1]) && !(ws->w[i - 1].bits & LIGHT))
            return false;
    }
}

/* Does one end behind word i? */
static bool ends_clause(const struct support_words *ws, size_t i)
{
    for (i++; i < ws->n; i++) {
        if (is_boundary(&ws->w[i]) || ws->w[i].bits & MARK ||
            ws->w[i].preposition != NULL)
            return true;
        if (support_is_content(&ws->w[i]))
            return false;
    }
    return true;
}

/* May the claim's word k stand for the place's word q although it is ahead of
 * p, or not next to it: does a clause that moved begin here? */
static bool may_move(const struct match *m, size_t k, size_t p, size_t q)
{
    const struct support_word *x = preposition_at(m->claim, m->c[k], NULL);
    const struct support_word *y = preposition_at(m->place, q, m->in_claim);
    size_t lo = p < q ? p : q, hi = p < q ? q : p;
    bool between = false;

    for (size_t i = p + 1; i < q; i++)
        if (support_is_content(&m->place->w[i]) && !m->in_claim[i])
            return false;
    /* To another clause; and a preposition goes with it as it is. */
    for (size_t i = lo + 1; i <= hi; i++)
        between = between || is_boundary(&m->place->w[i]) ||
                  m->place->w[i].bits & MARK;
    if (!between || (x == NULL) != (y == NULL) ||
        (x != NULL && !(x->bits & MARK) && strcmp(x->z, y->z) != 0))
        return false;
    return !m->no_moves && m->place->w[p].sentence == m->place->w[q].sentence &&
           begins_clause(m->claim, m->c[k], true) &&
           begins_clause(m->place, q, false) && ends_clause(m->place, p);
}

/* Is next to nothing left out of the sentence up to word q, and no name, number
 * or denial? Then the claim may go on there whatever stands between. */
static bool may_drop(const struct match *m, size_t q)
{
    size_t lost = 0;

    for (size_t i = 0; i < q; i++) {
        const struct support_word *w = &m->place->w[i];

        if (!support_is_content(w) || w->bits & (LIGHT | ROLE) ||
            m->in_claim[i] || w->sentence != m->place->w[q].sentence)
            continue;
        if (w->bits & (NUMBER | CAPITAL | NAMED | DENIED))
            return false;
        lost++;
    }
    return lost <= DROPPED_MAX;
}

/* The least that it costs to come to word j by claim word k; *back gets from
 * where. */
static unsigned short cost_at(const struct match *m, size_t k, size_t j,
                              const unsigned short *cost, unsigned short *back)
{
    unsigned short least = NEVER;

    for (size_t i = 0; i < m->place->n; i++) {
        size_t c = cost[i];

        if (c == NEVER || i == j)
            continue;
        if (i < j && m->place->w[i].sentence != m->place->w[j].sentence) {
            if (!may_cross(m, k, j))
                continue;
        } else if (i < j && may_skip(m, i, j, has_comma(m, k))) {
            c += j - i > 1;
        } else if (may_move(m, k, i, j)) {
            c += j < i ? MOVE : 1;
        } else if (i < j && may_drop(m, j)) {
            c += DROP;
        } else {
            continue;
        }
        if (c >= least || c >= (MOVES_MAX + 1) * MOVE)
            continue;
        least = (unsigned short)c;
        *back = (unsigned short)i;
    }
    return least;
}

/* Read the way back from the cheapest end; false when it uses a word twice. */
static bool way_read(struct match *m, size_t from, const unsigned short *cost,
                     const unsigned short *back)
{
    size_t width = m->place->n, j = width;
    const unsigned short *last = cost + (m->n - 1) * width;

    for (size_t i = 0; i < width; i++)
        if (last[i] != NEVER && (j == width || last[i] < last[j]))
            j = i;
    if (j == width)
        return false;
    memset(m->used, 0, sizeof(m->used));
    for (size_t k = m->n; k-- > from; j = back[k * width + j]) {
        if (m->used[j])
            return false;
        m->used[j] = true;
        m->at[k] = j;
    }
    m->from = from;
    return true;
}

/* Has the place all of the claim's words from..m->n? */
static bool has_words(const struct match *m, size_t from)
{
    for (size_t k = from; k < m->n; k++) {
        size_t j = 0;

        while (j < m->place->n && !word_matches(m, m->c[k], j))
            j++;
        if (j == m->place->n)
            return false;
    }
    return true;
}

/* Lay claim words from..m->n over the place. */
static bool lay(struct match *m, size_t from, struct arena *a)
{
    size_t width = m->place->n, n = m->n;
    unsigned short *cost, *back;

    if (from >= n) {
        memset(m->used, 0, sizeof(m->used));
        return true;
    }
    if (!has_words(m, from))
        return false;
    cost = arena_array(a, n * width + 1, sizeof(*cost));
    back = arena_array(a, n * width + 1, sizeof(*back));
    if (cost == NULL || back == NULL)
        return false;
    for (size_t k = from; k < n; k++) {
        bool any = false;

        for (size_t j = 0; j < width; j++) {
            cost[k * width + j] = NEVER;
            if (!word_matches(m, m->c[k], j))
                continue;
            cost[k * width + j] = k == from
                                      ? 0
                                      : cost_at(m, k, j, cost + (k - 1) * width,
                                                &back[k * width + j]);
            any = any || cost[k * width + j] != NEVER;
        }
        if (!any)
            return false;
    }
    return way_read(m, from, cost, back);
}

/* --- what is left out ---------------------------------------------------- */

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
    return is_boundary(&p->w[next]) || !support_is_content(&p->w[next]) ||
           p->w[next].bits & FUNCTION || m->in_claim[next];
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

/* "usually", "currently": stand anywhere in their clause. */
static bool is_adverb(const struct support_word *w)
{
    return (w->bits & (NARROW | FUNCTION | DENIED)) == NARROW;
}

static void match_begin(struct match *m, const struct support_words *claim,
                        const struct support_words *place)
{
    bool against = m->against;

    memset(m, 0, sizeof(*m));
    m->against = against;
    m->claim = claim;
    m->place = place;
    for (size_t i = 0; i < claim->n; i++) {
        m->has_number = m->has_number || claim->w[i].bits & NUMBER;
        m->no_moves = m->no_moves || claim->w[i].bits & SEQUENCE;
    }
    for (size_t i = 0; i < claim->n && m->n < CLAIM_MAX; i++)
        if (support_is_content(&claim->w[i]) &&
            !(claim->w[i].bits & (LIGHT | ROLE) &&
              !support_says(place, claim->w[i].z)) &&
            !(is_adverb(&claim->w[i]) && support_says(place, claim->w[i].z)))
            m->c[m->n++] = i;
    for (size_t j = 0; j < place->n; j++)
        m->in_claim[j] = support_is_content(&place->w[j]) &&
                         support_says(claim, place->w[j].z);
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
        for (end = 0; end < ws->n && (!support_is_content(&ws->w[end]) ||
                                      ws->w[end].bits & CAPITAL);)
            end++;
    }
    for (size_t i = 0; i < end && k < count; i++)
        if (support_is_content(&ws->w[i]) &&
            strcmp(ws->w[i].z, m->claim->w[m->c[k]].z) == 0 &&
            (ws->w[i].bits & (OWNER | DENIED)) ==
                (m->claim->w[m->c[k]].bits & (OWNER | DENIED)) &&
            class_at(ws, i, NULL) == class_at(m->claim, m->c[k], NULL))
            k++;
    /* Another name behind the verb may be what the pronoun means: any for a
     * person, for a thing those that no preposition leads in. */
    for (size_t i = end; i < ws->n; i++)
        if (ws->w[i].bits & CAPITAL && support_is_content(&ws->w[i]) &&
            !(ws->w[i].bits & DATE) &&
            (person || (class_at(ws, i, NULL) == NULL &&
                        !(i > 0 && ws->w[i - 1].bits & CAPITAL))))
            return false;
    return k == count;
}

enum pronoun { PRONOUN_NONE, PRONOUN_THING, PRONOUN_PERSON };

static enum pronoun pronoun_of(const struct support_words *ws)
{
    if (ws->n == 0)
        return PRONOUN_NONE;
    return word_in(ws->w[0].z, check_words.thing)    ? PRONOUN_THING
           : word_in(ws->w[0].z, check_words.person) ? PRONOUN_PERSON
                                                     : PRONOUN_NONE;
}

/* Where clauses change places nothing may be left out between them. */
static bool moves_whole(const struct match *m)
{
    size_t lo = m->place->n, hi = 0, lost = 0;
    bool moved = false;

    for (size_t k = m->from; k < m->n; k++) {
        lo = m->at[k] < lo ? m->at[k] : lo;
        hi = m->at[k] > hi ? m->at[k] : hi;
        moved = moved || (k > m->from && m->at[k] < m->at[k - 1]);
    }
    for (size_t j = lo; moved && j < hi; j++)
        if (support_is_content(&m->place->w[j]) && !m->used[j] &&
            !(m->place->w[j].bits & LIGHT))
            lost += m->place->w[j].bits & NUMBER ? 2 : 1;
    return lost < 2;
}

/* Does the match that was just laid hold? */
static bool passes(const struct match *m, const char **why)
{
    const char *veto;

    if (m->n < WORDS_MIN || !ends_whole(m) || !moves_whole(m))
        return false;
    veto = m->against ? NULL : support_veto(m);
    if (veto != NULL)
        *why = veto;
    return veto == NULL;
}

/* With the subject taken from a sentence before. */
static bool holds_with_antecedent(struct match *m,
                                  const struct support_text *ps, size_t i,
                                  const char **why, struct arena *a)
{
    enum pronoun kind = pronoun_of(m->place);
    size_t back = i;

    if (kind == PRONOUN_NONE)
        return false;
    for (size_t k = 0; k < ANTECEDENT_REACH && back > 0; k++) {
        back--;
        if (pronoun_of(&ps->all[back]) == PRONOUN_NONE)
            break;
        if (pronoun_of(&ps->all[back]) != kind)
            return false;
    }
    if (back == i || pronoun_of(&ps->all[back]) != PRONOUN_NONE)
        return false;
    for (size_t count = 1; count < m->n && count <= SUBJECT_MAX; count++)
        if (is_subject(m, count, &ps->all[back], kind == PRONOUN_PERSON) &&
            lay(m, count, a) && passes(m, why))
            return true;
    return false;
}

/* A claim without the words that its label stands for, and the roles behind
 * them; false when it has none of them. */
static bool without_label(const struct support_words *claim,
                          const struct support_words *label, struct arena *a,
                          struct support_words *out)
{
    bool any = false;

    *out = *claim;
    out->w = arena_array(a, claim->n + 1, sizeof(*out->w));
    if (out->w == NULL)
        return false;
    memcpy(out->w, claim->w, claim->n * sizeof(*out->w));
    for (size_t i = 0; i < out->n; i++) {
        struct support_word *w = &out->w[i];

        if (!support_is_content(w) || !support_says(label, w->z) ||
            w->bits & (DENIED | OWNER | NUMBER))
            continue;
        any = true;
        w->bits &= ~(unsigned)CONTENT;
        while (i + 1 < out->n && w[1].bits & ROLE) {
            w[1].bits &= ~(unsigned)CONTENT;
            w++;
            i++;
        }
        if (i + 1 < out->n && w[1].bits & DEFINE)
            w[1].bits |= LIGHT;
    }
    return any;
}

/* Does the match begin where the sentence does? */
static bool begins_whole(const struct match *m)
{
    size_t first = m->place->n;

    for (size_t j = m->place->n; j-- > 0;)
        if (m->used[j])
            first = j;
    for (size_t j = 0; j < first; j++)
        if (support_is_content(&m->place->w[j]) &&
            !(m->place->w[j].bits & (LIGHT | ROLE)))
            return false;
    return true;
}

static bool holds_with_label(struct match *m, const struct support_words *claim,
                             const struct support_words *place,
                             const struct support_words *label,
                             const char **why, struct arena *a)
{
    struct support_words bare;

    if (!without_label(claim, label, a, &bare))
        return false;
    match_begin(m, &bare, place);
    return m->n > 0 && lay(m, 0, a) && begins_whole(m) && passes(m, why);
}

/* The word ahead of who does what the verb at v says: "by" anywhere in its
 * clause, or its like right behind; *end gets where that ends. v: none. */
static size_t agent_at(const struct support_words *in, size_t v, size_t *end)
{
    size_t by = v;

    *end = v + 1;
    for (size_t i = v + 1; i < in->n && !is_boundary(&in->w[i]); i++)
        if (word_in(in->w[i].z, check_words.by)) {
            by = i;
            break;
        }
    if (by == v && v + 1 < in->n && word_in(in->w[v + 1].z, check_words.agent))
        by = v + 1;
    if (by == v || by + 1 >= in->n || in->w[by + 1].bits & GERUND)
        return v;
    for (*end = by + 1; *end < in->n && !is_boundary(&in->w[*end]) &&
                        in->w[*end].preposition == NULL;)
        ++*end;
    return by;
}

/* In active voice: "X is done by Y" as "Y done X". False when it has none. */
static bool active_read(const struct support_words *in, struct arena *a,
                        struct support_words *out)
{
    size_t v = 0, lo, by, end, n = 0;

    while (v < in->n && (in->w[v].bits & (PASSIVE | PARTICIPLE | CONTENT)) !=
                            (PASSIVE | PARTICIPLE | CONTENT))
        v++;
    if (v == in->n)
        return false;
    for (lo = v; lo > 0 && !(in->w[lo].bits & (BREAK | CLAUSE | MARK)) &&
                 in->w[lo].sentence == in->w[v].sentence;)
        lo--;
    if (in->w[lo].bits & (MARK | COORDINATOR))
        lo++;
    by = agent_at(in, v, &end);
    out->w = arena_array(a, in->n + 1, sizeof(*out->w));
    if (out->w == NULL)
        return false;
    out->max = in->max;
    for (size_t i = 0; i < lo; i++)
        out->w[n++] = in->w[i];
    for (size_t i = by + 1; i < end; i++)
        out->w[n++] = in->w[i];
    for (size_t i = lo; i < v; i++)
        if (in->w[i].bits & (HEDGE | DENIER))
            out->w[n++] = in->w[i];
    out->w[n] = in->w[v];
    out->w[n++].bits &= ~(unsigned)PASSIVE;
    for (size_t i = lo; i < v; i++)
        if (!(in->w[i].bits & (BE | HEDGE | DENIER)))
            out->w[n++] = in->w[i];
    for (size_t i = v + 1; i < in->n; i++)
        if (i < by || i >= end)
            out->w[n++] = in->w[i];
    out->n = n;
    return true;
}

/* Does the claim hold as it is, or with its dates elsewhere? */
static bool holds_alone(struct match *m, const char **why, struct arena *a)
{
    return lay(m, 0, a) && passes(m, why);
}

static bool holds_in_voice(struct match *m, const struct support_words *claim,
                           const struct support_words *place, const char **why,
                           struct arena *a)
{
    struct support_words c, p;
    bool passive_claim = active_read(claim, a, &c);
    bool passive_place = active_read(place, a, &p);

    if (passive_claim) {
        match_begin(m, &c, place);
        if (m->n > 0 && holds_alone(m, why, a))
            return true;
    }
    if (!passive_place)
        return false;
    match_begin(m, claim, &p);
    return m->n > 0 && holds_alone(m, why, a);
}

/* Sentence i, and the next one too when two; *place is the caller's. */
static bool place_read(const struct support_text *ps, size_t i, bool two,
                       struct support_words *place, struct arena *a)
{
    const struct support_words *x = &ps->all[i], *y = x + 1;

    *place = *x;
    if (!two || x->n == 0)
        return x->n > 0;
    if (y->n == 0 || x->n + y->n > WORDS_MAX)
        return false;
    place->n = x->n + y->n;
    place->w = arena_array(a, place->n, sizeof(*place->w));
    if (place->w == NULL)
        return false;
    memcpy(place->w, x->w, x->n * sizeof(*x->w));
    memcpy(place->w + x->n, y->w, y->n * sizeof(*y->w));
    place->w[x->n].bits |= CLAUSE | PART;
    for (size_t k = x->n; k < place->n; k++)
        place->w[k].sentence = 1;
    return true;
}

/* Does a sentence speak of something that was named before it: "this option",
 * "its default"? */
static bool points_back(const struct support_words *ws)
{
    size_t i = 0;

    while (i < ws->n && ws->w[i].bits & (MARK | LIGHT))
        i++;
    return i < ws->n && is_pronoun(ws->w[i].z);
}

/* What sentence i is about that stands above it: the label of its paragraph,
 * or what a sentence begins with that names something; NULL if none. */
static const struct support_words *topic_of(const struct support_text *ps,
                                            size_t i, struct arena *a)
{
    bool back = points_back(&ps->all[i]);

    while (i-- > 0) {
        const struct support_words *ws = &ps->all[i];
        struct support_words *one;

        if (ps->label[i])
            return ws;
        if (!back || ws->n == 0 || !(ws->w[0].bits & NAMED))
            continue;
        one = arena_alloc(a, sizeof(*one));
        if (one != NULL)
            *one = (struct support_words){.w = ws->w, .n = 1, .max = 1};
        return one;
    }
    return NULL;
}

/* Does sentence i, or two from there on, say it? m->against is the caller's. */
static bool place_holds(struct match *m, const struct support_words *claim,
                        const struct support_text *ps, size_t i, bool two,
                        const char **why, struct arena *a)
{
    const struct support_words *label = topic_of(ps, i, a);
    struct support_words place;

    if (!place_read(ps, i, two, &place, a))
        return false;
    match_begin(m, claim, &place);
    if (m->n > 0 && holds_alone(m, why, a))
        return true;
    if (m->n > 0 &&
        (holds_with_antecedent(m, ps, i, why, a) ||
         (dates_take(m) &&
          (holds_alone(m, why, a) || holds_with_antecedent(m, ps, i, why, a)))))
        return true;
    if (holds_in_voice(m, claim, &place, why, a))
        return true;
    return label != NULL && holds_with_label(m, claim, &place, label, why, a);
}

/* --- texts --------------------------------------------------------------- */

/* A line of few words that is no sentence: what stands below is about it. */
static bool is_label(const char *text, struct span s, size_t words)
{
    size_t n = strlen(text), end = s.start + s.len;

    return words > 0 && words <= LABEL_WORDS_MAX &&
           (s.start == 0 || text[s.start - 1] == '\n') && end < n &&
           text[end] == '\n' && !sentence_is_closed(text + s.start, s.len);
}

/* Does span b go on with a, broken where the line was full? Not a label. */
static bool goes_on(const char *text, struct span a, struct span b)
{
    size_t end = a.start + a.len, words = 0;

    if (b.start != end + 1 || text[end] != '\n' ||
        sentence_is_closed(text + a.start, a.len) ||
        !(text[b.start] >= 'a' && text[b.start] <= 'z'))
        return false;
    for (size_t i = 1; i < b.len; i++)
        words += text[b.start + i] == ' ' || text[b.start + i] == '\n';
    return words >= 3 || sentence_is_closed(text + b.start, b.len);
}

/* Sentences whose lines were broken are one. */
static void spans_join(struct support_text *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++) {
        struct span s = t->spans[i];

        if (n > 0 && goes_on(t->text, t->spans[n - 1], s))
            t->spans[n - 1].len = s.start + s.len - t->spans[n - 1].start;
        else
            t->spans[n++] = s;
    }
    t->n = n;
}

bool support_text_read(const char *text, struct arena *a,
                       struct support_text *out)
{
    size_t n = strlen(text);

    *out = (struct support_text){
        .text = text, .continental = verify_is_continental(text, n, false)};
    if (sentences_split(text, n, a, &out->spans, &out->n) != ERR_OK)
        return false;
    spans_join(out);
    out->all = arena_array(a, out->n + 1, sizeof(*out->all));
    out->label = arena_array(a, out->n + 1, sizeof(*out->label));
    if (out->all == NULL || out->label == NULL)
        return false;
    for (size_t i = 0; i < out->n; i++) {
        struct span s = out->spans[i];

        if (!support_words_read(text + s.start, s.len, out->continental,
                                SENTENCE_MAX, a, &out->all[i]))
            out->all[i].n = 0;
        out->label[i] = is_label(text, s, out->all[i].n);
    }
    return !arena_failed(a);
}

/* How many words stand ahead of a statement: "Yes,", "According to the
 * manual,"; what they say otherwise is part of it. */
static size_t opening_of(const struct support_words *ws)
{
    bool speaks = false;
    size_t i = 1;

    if (ws->n == 0 || !(ws->w[0].bits & OPENING || ws->w[0].ascribes))
        return 0;
    for (; ws->w[0].ascribes && i < ws->n && !(ws->w[i].bits & BREAK); i++) {
        speaks = speaks || ws->w[i].speaks;
        if (ws->w[i].bits & NUMBER)
            return 0;
    }
    return i < ws->n && ws->w[i].bits & BREAK && (speaks || !ws->w[0].ascribes)
               ? i
               : 0;
}

bool support_claim_read(const char *claim, bool continental, struct arena *a,
                        struct support_words *out)
{
    size_t n = strlen(claim), skip;
    bool said = false;

    if (!support_words_read(claim, n,
                            verify_is_continental(claim, n, continental),
                            CLAIM_MAX, a, out))
        return false;
    skip = opening_of(out);
    out->w += skip;
    out->n -= skip;
    for (size_t i = 0; i < out->n; i++)
        said = said || support_is_content(&out->w[i]);
    if (!said)
        out->n = 0;
    return true;
}

/* --- what is missing ------------------------------------------------------ */

static bool is_last(const struct support_words *ws, size_t i)
{
    return i + 1 >= ws->n;
}

/* Is the number there, with its unit? */
static bool says_number(const struct support_words *ws,
                        const struct support_words *claim, size_t c)
{
    const struct support_word *w = &claim->w[c];
    bool unit = !is_last(claim, c) && w[1].bits & UNIT;

    for (size_t k = 0; k < ws->n; k++)
        if (ws->w[k].bits & NUMBER && strcmp(ws->w[k].z, w->z) == 0 &&
            (!unit || (!is_last(ws, k) && ws->w[k + 1].bits & UNIT &&
                       strcmp(ws->w[k + 1].z, w[1].z) == 0)))
            return true;
    return false;
}

const char *support_missing(const struct support_words *claim,
                            const struct support_text *t, size_t lo, size_t hi,
                            struct arena *a)
{
    for (size_t i = 0; i < claim->n; i++) {
        const struct support_word *w = &claim->w[i];
        bool unit = !is_last(claim, i) && w[1].bits & UNIT, said = false;

        if (!support_is_content(w) || w->bits & (LIGHT | ROLE | UNIT))
            continue;
        for (size_t k = lo; k < hi && !said; k++)
            said = w->bits & NUMBER && !(w->bits & DATE)
                       ? says_number(&t->all[k], claim, i)
                       : support_says(&t->all[k], w->z);
        if (said)
            continue;
        if (w->bits & DATE && !(w->bits & NUMBER))
            return arena_printf(a, "the date with %.*s",
                                (int)(w->end - w->start),
                                claim->text + w->start);
        if (w->bits & NUMBER)
            return arena_printf(a, "the number %s%s%s", w->z, unit ? " " : "",
                                unit ? w[1].z : "");
        return arena_printf(a, "the %s %.*s",
                            w->bits & CAPITAL && w->start > 0 ? "name" : "word",
                            (int)(w->end - w->start), claim->text + w->start);
    }
    return "one place that says all of it, in this order and with the same "
           "denial";
}

bool support_points_back(const struct support_text *t, size_t i)
{
    return i > 0 && (points_back(&t->all[i]) || t->label[i - 1]);
}

/* --- the whole ----------------------------------------------------------- */

static struct span span_of(const struct support_text *t, size_t i, size_t last)
{
    size_t start = t->spans[i].start;

    return (struct span){start,
                         t->spans[last].start + t->spans[last].len - start};
}

bool support_find(const struct support_words *claim,
                  const struct support_text *t, size_t lo, size_t hi,
                  bool against, struct span *where, const char **why,
                  struct arena *a)
{
    struct match *m = arena_alloc(a, sizeof(*m));

    for (size_t two = 0; m != NULL && two < 2; two++)
        for (size_t i = lo; i + two < hi; i++) {
            m->against = against;
            if (!place_holds(m, claim, t, i, two == 1, why, a))
                continue;
            *where = span_of(t, i, i + two);
            return true;
        }
    return false;
}

double support_share(const struct support_words *claim,
                     const struct support_text *t, size_t lo, size_t hi)
{
    size_t all = 0, said = 0;

    for (size_t c = 0; c < claim->n; c++) {
        const struct support_word *w = &claim->w[c];
        size_t k = lo;

        if (!support_is_content(w) || w->bits & (LIGHT | ROLE))
            continue;
        while (k < hi && !support_says(&t->all[k], w->z))
            k++;
        all++;
        said += k < hi;
    }
    return all == 0 ? 0 : (double)said / (double)all;
}

double support_nearest(const struct support_words *claim,
                       const struct support_text *t, size_t lo, size_t hi,
                       struct span *where)
{
    double best = -1;

    for (size_t two = 0; two < 2; two++)
        for (size_t i = lo; i + two < hi; i++) {
            /* Two must say clearly more than one. */
            double share = support_share(claim, t, i, i + two + 1) -
                           (two == 1 ? 0.15 : 0);

            if (share <= best)
                continue;
            best = share;
            *where = span_of(t, i, i + two);
        }
    return best < 0 ? 0 : best;
}
