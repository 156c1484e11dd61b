/*
 * What a sentence may not leave out of the place it rests on: a condition, a
 * "not", an "only", a "may", who says so. Called by support.c when all of a
 * claim's words are found in a place; see support.h. The words themselves are
 * the lists "check.…" of lang/CODE.words.
 */
#include "verify/support.h"

#include "base/str.h"
#include "lang/words.h"

#include <string.h>

static bool parts(const struct support_word *w)
{
    return (w->bits & (PART | CLAUSE)) != 0;
}

/* ", and": another statement, though under the same leading condition. */
static bool parts_loosely(const struct support_words *p, size_t i)
{
    return parts(&p->w[i]) ||
           (p->w[i].bits & COORDINATOR && p->w[i].bits & BREAK);
}

static bool is_used(const struct match *m, size_t lo, size_t hi)
{
    for (size_t i = lo; i < hi; i++)
        if (m->used[i])
            return true;
    return false;
}

static bool has_content(const struct support_words *p, size_t lo, size_t hi)
{
    for (size_t i = lo; i < hi; i++)
        if (support_is_content(&p->w[i]))
            return true;
    return false;
}

static bool has_word(const struct support_words *ws, const char *z)
{
    for (size_t i = 0; i < ws->n; i++)
        if (strcmp(ws->w[i].z, z) == 0)
            return true;
    return false;
}

/* No denied word and no denier is left out of the clauses used. */
static bool loses_denial(const struct match *m)
{
    const struct support_words *p = m->place;
    size_t lo = p->n, hi = 0;

    for (size_t j = 0; j < p->n; j++)
        if (m->used[j]) {
            lo = j < lo ? j : lo;
            hi = j;
        }
    if (hi < lo)
        return false;
    while (lo > 0 && !(p->w[lo].bits & (COORDINATOR | CLAUSE | PART)))
        lo--;
    while (hi + 1 < p->n &&
           !(p->w[hi + 1].bits & (COORDINATOR | CLAUSE | PART)))
        hi++;
    for (size_t j = lo; j <= hi; j++) {
        size_t next = j + 1;

        if (p->w[j].bits & DENIED && support_is_content(&p->w[j]) &&
            !m->used[j])
            return true;
        if (!(p->w[j].bits & DENIER) || p->w[j].bits & BRACKETED)
            continue;
        while (next < p->n && !support_is_content(&p->w[next]))
            next++;
        if (next >= p->n || next > hi)
            return true;
    }
    return false;
}

/* A clause with "if", "unless" … of which nothing is said, while what it is a
 * condition of is. A leading one reaches to the end of its part, another one
 * back to the beginning of its statement. */
static bool loses_condition(const struct match *m)
{
    const struct support_words *p = m->place;

    for (size_t i = 0; i < p->n; i++) {
        size_t end = i + 1, from = i, to = i;

        if (!(p->w[i].bits & CONDITION))
            continue;
        while (end < p->n && !(p->w[end].bits & (BREAK | CLAUSE | PART | MARK)))
            end++;
        if (is_used(m, i, end))
            continue;
        while (from > 0 && !parts_loosely(p, from))
            from--;
        if (has_content(p, from, i)) {
            to = i;
        } else {
            from = end;
            for (to = end; to < p->n && !parts(&p->w[to]);)
                to++;
        }
        if (is_used(m, from, to))
            return true;
    }
    return false;
}

/* An "only", a "usually", a "may" that the place has where the claim is. */
static const char *loses_word(const struct match *m, unsigned bit,
                              const char *what)
{
    const struct support_words *p = m->place;

    for (size_t i = 0; i < p->n; i++) {
        size_t from = i, to = i + 1;

        if (!(p->w[i].bits & bit) || m->used[i] ||
            (!(p->w[i].bits & FUNCTION) && support_says(m->claim, p->w[i].z)))
            continue;
        while (from > 0 && !parts_loosely(p, from))
            from--;
        while (to < p->n && !parts_loosely(p, to))
            to++;
        if (is_used(m, from, to))
            return what;
    }
    return NULL;
}

/* "database" of what the place calls "read-only". */
static bool loses_half(const struct match *m)
{
    const struct support_words *p = m->place;

    for (size_t i = 1; i < p->n; i++)
        if (p->w[i].glued && m->used[i] != m->used[i - 1] &&
            support_is_content(&p->w[i]) && support_is_content(&p->w[i - 1]) &&
            !support_says(m->claim, p->w[m->used[i] ? i - 1 : i].z))
            return true;
    return false;
}

/* "There is", where the place says what there is of. */
static bool loses_subject(const struct match *m)
{
    if (m->claim->n == 0 || !word_in(m->claim->w[0].z, check_words.there))
        return false;
    return !has_word(m->place, m->claim->w[0].z);
}

/* The word, denied or not as it is. */
static bool has_like(const struct support_words *ws,
                     const struct support_word *w)
{
    for (size_t i = 0; i < ws->n; i++)
        if (strcmp(ws->w[i].z, w->z) == 0 &&
            !((ws->w[i].bits ^ w->bits) & DENIED))
            return true;
    return false;
}

/* "may" or "before" that only the claim has. */
static bool adds_word(const struct match *m, unsigned bit)
{
    for (size_t i = 0; i < m->claim->n; i++)
        if (m->claim->w[i].bits & bit && !has_like(m->place, &m->claim->w[i]))
            return true;
    return false;
}

/* "Nobody says that …": what stands behind "that" alone. */
static bool loses_speaker(const struct match *m)
{
    const struct support_words *p = m->place;

    for (size_t i = 1; i < p->n; i++) {
        size_t from = i, to = i;
        bool said = false;

        if (strcmp(p->w[i].z, "that") != 0)
            continue;
        while (from > 0 && !parts(&p->w[from]))
            from--;
        while (to < p->n && !parts(&p->w[to]))
            to++;
        for (size_t k = from; k < i; k++)
            said = said ||
                   (support_is_content(&p->w[k]) && !(p->w[k].bits & LIGHT));
        if (said && !is_used(m, from, i) && is_used(m, i, to))
            return true;
    }
    return false;
}

/* --- claims that are not laid over a place ------------------------------- */

static unsigned bits_of(const struct support_words *ws)
{
    unsigned bits = 0;

    for (size_t i = 0; i < ws->n; i++)
        bits |= ws->w[i].bits;
    return bits;
}

/* Does one of the sentences have the word? A name may stand in a heading above,
 * or in the sentence that the first one points back to. */
static bool text_has(const struct support_text *t, size_t lo, size_t hi,
                     const struct support_word *w, bool name)
{
    bool back = lo < hi && support_points_back(t, lo);

    for (size_t k = name ? 0 : lo; k < hi; k++)
        if ((k >= lo || t->label[k] || (back && k + 1 == lo)) &&
            has_word(&t->all[k], w->z))
            return true;
    return false;
}

static bool is_operator(const struct support_word *w)
{
    return w->z[0] != '\0' && strchr("<>=!~+*", w->z[0]) != NULL &&
           !ascii_is_digit(w->z[1]);
}

/* Has the claim each kind of condition that the sentences have: "if", "unless"? */
static bool keeps_conditions(const struct support_words *claim,
                             const struct support_text *t, size_t lo, size_t hi)
{
    for (size_t k = lo; k < hi; k++)
        for (size_t i = 0; i < t->all[k].n; i++) {
            const struct support_word *w = &t->all[k].w[i];
            bool kept = !(w->bits & CONDITION);

            for (size_t c = 0; c < claim->n && !kept; c++)
                kept = claim->w[c].bits & CONDITION &&
                       claim->w[c].preposition == w->preposition;
            if (!kept)
                return false;
        }
    return true;
}

/* What the clause hangs on: "because", "if", "before". */
static bool text_hangs(const struct support_text *t, size_t lo, size_t hi,
                       const char *preposition)
{
    for (size_t k = lo; k < hi; k++)
        for (size_t i = 0; i < t->all[k].n; i++)
            if (t->all[k].w[i].preposition == preposition)
                return true;
    return false;
}

static bool text_opposes(const struct support_text *t, size_t lo, size_t hi,
                         const struct support_word *w)
{
    bool opposes = false;

    for (size_t k = lo; k < hi; k++)
        for (size_t i = 0; i < t->all[k].n; i++) {
            if (t->all[k].w[i].opposite == w->opposite)
                return false;
            opposes = opposes || t->all[k].w[i].opposite == -w->opposite;
        }
    return w->opposite != 0 && opposes;
}

const char *support_bars(const struct support_words *claim,
                         const struct support_text *t, size_t lo, size_t hi)
{
    static const struct {
        unsigned bit;
        const char *what;
    } kinds[] = {{DENIER, "the same denial"},
                 {HEDGE, "the same reservation"},
                 {NARROW, "the same restriction"}};
    unsigned theirs = 0, mine = bits_of(claim);

    for (size_t k = lo; k < hi; k++)
        theirs |= bits_of(&t->all[k]);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if ((mine ^ theirs) & kinds[i].bit)
            return kinds[i].what;
    if (!keeps_conditions(claim, t, lo, hi) ||
        (mine & CONDITION && !(theirs & CONDITION)))
        return "the same condition";
    for (size_t i = 0; i < claim->n; i++) {
        const struct support_word *w = &claim->w[i];
        bool name = w->bits & NAMED || (w->bits & CAPITAL && i > 0);

        if (w->bits & (NUMBER | DATE | UNIT) || name || is_operator(w)
                ? !text_has(t, lo, hi, w, name)
                : w->bits & FUNCTION && !text_has(t, lo, hi, w, false))
            return "the same numbers, names and extent";
        if (w->bits & (STRICT | MARK) && w->preposition != NULL &&
            !word_in(w->z, check_words.by) &&
            !text_hangs(t, lo, hi, w->preposition))
            return "the same order or cause";
        if (text_opposes(t, lo, hi, w))
            return "the opposite word";
    }
    return NULL;
}

/* --- the veto ------------------------------------------------------------ */

const char *support_veto(const struct match *m)
{
    const char *why = loses_word(m, HEDGE, "a reservation of the passage");

    if (why == NULL)
        why = loses_word(m, NARROW, "what the passage restricts it to");
    if (loses_denial(m))
        return "the same denial";
    if (loses_condition(m))
        return "the condition that the passage has";
    if (loses_speaker(m))
        return "who says so";
    if (loses_half(m))
        return "the other half of a word";
    if (loses_subject(m))
        return "what it is said of";
    if (adds_word(m, STRICT))
        return "the same order or extent";
    return adds_word(m, HEDGE) ? "a reservation that the passage has" : why;
}
