/* Term sets of a question, and other words for its terms; see overlap.h. Pure
 * but for overlap_weigh. */
#include "question/overlap.h"
#include "question/others.h"
#include "question/sign.h"

#include "base/str.h"
#include "text/terms.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

static const double LOWERED = 0.6;
static const double RARITY_MIN = 0.12; /* also a common word counts a little */

/* At least five letters in common, and little else. Pairs of characters of an
 * unspaced script have no family. */
static bool is_family(const char *x, const char *y)
{
    size_t letter = (unsigned char)x[0] < 0x80 ? 1 : 2; /* its bytes */
    size_t n = 0, nx, ny, least;

    if (x[0] != y[0] || strncmp(x, y, FAMILY_BYTES) != 0 ||
        (unsigned char)x[0] >= 0xE0)
        return false;
    nx = strlen(x);
    ny = strlen(y);
    least = nx < ny ? nx : ny;
    while (n < least && x[n] == y[n])
        n++;
    return n >= 5 * letter && n + 2 * letter >= least &&
           (nx > ny ? nx : ny) <= n + 4 * letter;
}

static bool is_equal(const char *x, const char *y)
{
    return x[0] == y[0] && strcmp(x, y) == 0;
}

static uint64_t term_mask(const struct query *q, const char *term, bool loose)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < q->term_count; i++)
        if (is_equal(q->terms[i].text, term) ||
            (loose && !(q->signs >> i & 1) &&
             is_family(q->terms[i].text, term)))
            mask |= (uint64_t)1 << i;
    return mask;
}

/* Where a text holds the sign that is term i; NULL: nowhere, or it is none. */
static const char *sign_at(const struct query *q, size_t i, const char *p,
                           size_t n)
{
    return q->signs >> i & 1 ? sign_find(str_of(q->terms[i].text), p, n) : NULL;
}

static uint64_t signs_mask(const struct query *q, const char *p, size_t n)
{
    uint64_t mask = 0;

    for (size_t i = 0; q->signs != 0 && i < q->term_count; i++)
        mask |= sign_at(q, i, p, n) != NULL ? (uint64_t)1 << i : 0;
    return mask;
}

/* Which of the others are the word of a compound, as bits of others. */
static uint64_t parts_mask(const struct query *q, const char *term)
{
    uint64_t seen = 0;

    for (size_t i = 0; i < q->other_count; i++)
        if (q->others[i].part && is_equal(q->others[i].text, term))
            seen |= (uint64_t)1 << i;
    return seen;
}

/* The compounds of which both words were seen. */
static uint64_t compounds_mask(const struct query *q, uint64_t seen)
{
    uint64_t mask = 0;

    for (size_t i = 0; seen != 0 && i + 1 < q->other_count; i++)
        if ((seen >> i & 3) == 3 && q->others[i].term == q->others[i + 1].term)
            mask |= (uint64_t)1 << q->others[i].term;
    return mask;
}

/* *loose, unless it is NULL: those it holds a word of the family of, too;
 * *tokens, unless that is NULL: how many it has. */
static uint64_t mask_of(const struct query *q, const char *p, size_t n,
                        uint64_t *loose, size_t *tokens)
{
    struct term_iter it;
    struct term t;
    uint64_t mask = signs_mask(q, p, n), all = overlap_all(q), seen = 0;
    size_t count = 0;

    if (loose != NULL)
        *loose |= mask;
    terms_init_with(&it, q->stem, p, n);
    for (; mask != all || tokens != NULL; count++) {
        count += tokens_skip(&it, &q->starts);
        if (!tokens_next(&it, &t))
            break;
        if (!term_starts_may(&q->starts, &t))
            continue;
        token_stem(&it, &t);
        mask |= term_mask(q, t.text, false);
        seen |= parts_mask(q, t.text);
        if (loose != NULL)
            *loose |= term_mask(q, t.text, true);
    }
    if (tokens != NULL)
        *tokens = count;
    mask |= compounds_mask(q, seen);
    if (loose != NULL)
        *loose |= mask;
    return mask;
}

/* The term a stemmed token is; a word of its family or kin when it is none. */
static bool hit_find(const struct query *q, const char *term,
                     struct overlap_hit *h)
{
    h->loose = false;
    for (size_t i = 0; i < q->term_count; i++)
        if (is_equal(q->terms[i].text, term)) {
            h->term = (unsigned char)i;
            return true;
        }
    h->loose = true;
    for (size_t i = 0; i < q->term_count; i++)
        if (!(q->signs >> i & 1) && is_family(q->terms[i].text, term)) {
            h->term = (unsigned char)i;
            return true;
        }
    for (size_t i = 0; i < q->other_count; i++)
        if (other_is_kin(&q->others[i]) && is_equal(q->others[i].text, term)) {
            h->term = (unsigned char)q->others[i].term;
            return true;
        }
    return false;
}

static bool ascii_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Each sign once, where it stands first. */
static size_t sign_hits(const struct query *q, const char *p, size_t n,
                        struct overlap_hit *out)
{
    const char *z;
    size_t count = 0, at;

    for (size_t i = 0; q->signs != 0 && i < q->term_count; i++) {
        if ((z = sign_at(q, i, p, n)) == NULL)
            continue;
        at = tokens_count(p, (size_t)(z - p));
        out[count++] = (struct overlap_hit){
            .term = (unsigned char)i,
            .at = (unsigned short)(at < USHRT_MAX ? at : USHRT_MAX)};
    }
    return count;
}

size_t overlap_hits(const struct query *q, const char *p, size_t n,
                    struct overlap_hit *out, size_t max, size_t *tokens)
{
    struct term_iter it;
    struct term t;
    size_t count = max >= QUERY_TERMS_MAX ? sign_hits(q, p, n, out) : 0, at = 0;

    terms_init_with(&it, q->stem, p, n);
    for (;; at++) {
        at += tokens_skip(&it, &q->kin);
        if (!tokens_next(&it, &t))
            break;
        if (count == max || at >= USHRT_MAX || !term_starts_may(&q->kin, &t))
            continue;
        token_stem(&it, &t);
        if (hit_find(q, t.text, &out[count]))
            out[count++].at = (unsigned short)at;
    }
    *tokens = at;
    return count;
}

uint64_t overlap_mask(const struct query *q, const char *p, size_t n)
{
    return mask_of(q, p, n, NULL, NULL);
}

uint64_t overlap_mask_loose(const struct query *q, const char *p, size_t n)
{
    uint64_t loose = 0;

    (void)mask_of(q, p, n, &loose, NULL);
    return loose;
}

uint64_t overlap_masks(const struct query *q, const char *p, size_t n,
                       uint64_t *loose, size_t *tokens)
{
    *loose = 0;
    return mask_of(q, p, n, loose, tokens);
}

double overlap_weight(const struct query *q, uint64_t mask)
{
    double sum = 0;

    for (size_t i = 0; i < q->term_count; i++)
        if (mask >> i & 1)
            sum += q->terms[i].weight * q->rarity[i];
    return sum;
}

/* Do words of a label begin with the letters of an acronym that the question
 * is about? Of "WAL", "Write-Ahead Log". */
static bool is_spelled_out(const struct query *q, const char *p, size_t n)
{
    struct token_run words;

    for (size_t i = 0; i < q->term_count; i++) {
        const char *z = q->terms[i].word;
        size_t letters = z == NULL ? 0 : strspn(z, CAPITALS), k = 0;

        if (!(q->about >> i & 1) || letters < 3 || z[letters] != '\0')
            continue;
        token_run_read(&words, p, n, TOKEN_RUN_MAX);
        while (k < letters && k < words.n &&
               words.t[k].text[0] == ascii_lower(z[k]))
            k++;
        if (k == letters && words.n == letters)
            return true;
    }
    return false;
}

/* Part of an identifier, an option or a placeholder: "pg_foreign_table",
 * "--cherry-pick", "<stash>". */
static bool is_part(const struct query *q, const char *p, size_t n,
                    size_t start, size_t end)
{
    if (strpbrk(q->subject, "_.") != NULL)
        return false;
    if (end + 1 < n && (p[end] == '_' || (p[end] == '.' && p[end + 1] != ' ')))
        return true;
    return start > 0 &&
           (strchr("_<$@%", p[start - 1]) != NULL ||
            (p[start - 1] == '-' && (start == 1 || p[start - 2] == '-')));
}

/* Does the label write an acronym of the question small? The option "vfs" is
 * not what VFS is. */
static bool is_lowered(const struct query *q, uint64_t mask, char first)
{
    const char *z = q->terms[__builtin_ctzll(mask)].word;

    return z != NULL && strlen(z) > 1 && z[strspn(z, CAPITALS)] == '\0' &&
           ascii_is_lower(first);
}

double overlap_topic(const struct query *q, const char *p, size_t n)
{
    const char *introducing = phrase(q->lang, PHRASE_INTRODUCING);
    struct term_iter it, again;
    struct term t;
    double all = overlap_weight(q, q->about), share;
    uint64_t held = 0;
    size_t words = 0, own = 0, start, end;
    bool lower = false;

    if (q->about == 0 || all <= 0)
        return 0;
    terms_init_with(&it, q->stem, p, n);
    for (again = it; tokens_next(&it, &t); again = it) {
        uint64_t mask;

        if (ascii_is_digit(t.text[0]) || word_in(t.text, introducing) ||
            lang_is_stop(q->lang, t.text, t.len))
            continue;
        start = t.start;
        end = t.end;
        if (!terms_next(&again, &t))
            continue;
        mask = is_part(q, p, n, start, end)
                   ? 0
                   : term_mask(q, t.text, false) & q->about;
        words++;
        own += mask != 0;
        lower = lower || (mask != 0 && is_lowered(q, mask, p[start]));
        held |= mask;
    }
    if (held != q->about && is_spelled_out(q, p, n))
        return 1;
    share = overlap_weight(q, held) / all * (lower ? LOWERED : 1);
    return words == 0 ? -1 : share * share * (double)own / (double)words;
}

uint64_t overlap_all(const struct query *q)
{
    if (q->term_count >= QUERY_TERMS_MAX)
        return UINT64_MAX;
    return ((uint64_t)1 << q->term_count) - 1;
}

double overlap_share(const struct query *q, uint64_t mask)
{
    double all = overlap_weight(q, overlap_all(q));

    return all > 0 ? overlap_weight(q, mask) / all : 0;
}

/* The probabilistic inverse document frequency (Robertson and Sparck Jones,
 * 1976, in the form that is never negative), relative to that of a term
 * nobody holds. */
double overlap_rarity(int64_t df, int64_t total)
{
    double n = (double)(total > 0 ? total : 1);
    double d = (double)(df < 0 ? 0 : df > total ? total : df);
    double top = log(1.0 + (n + 0.5) / 0.5);
    double r = log(1.0 + (n - d + 0.5) / (d + 0.5)) / top;

    return r < RARITY_MIN ? RARITY_MIN : r;
}

/* What a small index does not know of a word, the language does: that no page
 * of it writes "avoid" does not make this the question's most telling word. So
 * a word is no rarer than in so many passages of any text. */
static double rarity_in_any(const struct query *q, size_t i)
{
    static const int64_t PASSAGES = 50000;
    double share = word_commonness(q->lang, q->terms[i].text);

    return overlap_rarity((int64_t)(share * (double)PASSAGES), PASSAGES);
}

/* Of unspaced text every two neighbours make a term, also the last character
 * of one word and the first of the next. Such a pair is not missing where
 * the pairs around it, the words themselves, are there. */
static bool is_between_words(const struct query *q, const int64_t *df, size_t i)
{
    bool before = q->unspaced >> i & 1;
    bool after = i + 1 < q->term_count && (q->unspaced >> (i + 1) & 1);

    return df[i] <= 0 && (before || after) && (!before || df[i - 1] > 0) &&
           (!after || df[i + 1] > 0);
}

void overlap_set_rarity(struct query *q, const int64_t *df, int64_t total)
{
    for (size_t i = 0; i < q->term_count; i++)
        /* A spelling nobody uses is not a thing that is missing. */
        q->rarity[i] =
            ((q->pairs >> i & 1) && df[i] <= 0) || is_between_words(q, df, i)
                ? 0
                : fmin(overlap_rarity(df[i], total), rarity_in_any(q, i));
    q->weighed = true;
    q->passages = total;
}

/* Keywords and short questions may be of any language: of the one that the
 * index knows them in. */
static enum err settle_language(struct query *q, struct db *index,
                                struct errctx *ec)
{
    enum lang l = q->lang;
    enum err e;

    if (q->lang_clear)
        return ERR_OK;
    e = index_language(index, q->terms, q->term_count, &l, ec);
    if (e == ERR_OK && l != q->lang)
        e = query_read_as(q, l);
    return e;
}

enum err overlap_weigh(struct query *q, struct db *index, struct errctx *ec)
{
    int64_t df[QUERY_TERMS_MAX], total = 0;
    enum err e;

    if (q->term_count == 0)
        return ERR_OK;
    e = settle_language(q, index, ec);
    if (e != ERR_OK)
        return e;
    e = index_df(index, q->terms, q->term_count, df, &total, ec);
    if (e == ERR_OK)
        overlap_set_rarity(q, df, total);
    return e == ERR_OK ? others_read(q, index, ec) : e;
}
