/*
 * Porter's suffix stripping (M. F. Porter, "An algorithm for suffix
 * stripping", Program 14(3), 1980), as published: no later departures.
 * Called by the tokenizer for folded ASCII words only; works in place.
 *
 * The word is z[0..n); a "stem" is z[0..k) with k < n. Measure, vowel and
 * consonant are the paper's terms.
 */
#include "text/terms.h"

#include <stdint.h>
#include <string.h>

/* A suffix and what takes its place, both with their lengths, which the
 * compiler counts: stemming is a tenth of the cost of a query. */
struct rule {
    const char *from, *to;
    unsigned char from_len, to_len;
};

#define RULE(from, to)                                                         \
    {                                                                          \
        from, to, sizeof from - 1, sizeof to - 1                               \
    }

#define LETTER(c) (1u << ((c) - 'a'))

static bool is_one_of(char c, uint32_t letters)
{
    return (letters >> ((unsigned)(c - 'a') & 31) & 1) != 0;
}

static bool is_vowel_letter(char c)
{
    return is_one_of(c, LETTER('a') | LETTER('e') | LETTER('i') | LETTER('o') |
                            LETTER('u'));
}

/* Is z[i] a consonant? A y is one at the start and after a vowel. */
static bool is_consonant(const char *z, size_t i)
{
    size_t first = i;
    bool consonant;

    if (z[i] != 'y')
        return !is_vowel_letter(z[i]);
    /* A run of y alternates, beginning with what precedes it. */
    while (first > 0 && z[first - 1] == 'y')
        first--;
    consonant = first == 0 || is_vowel_letter(z[first - 1]);
    return ((i - first) & 1) == 0 ? consonant : !consonant;
}

/* The number of vowel-consonant sequences in z[0..k), counted to most. */
static int measure(const char *z, size_t k, int most)
{
    bool vowel = false;
    int m = 0;

    for (size_t i = 0; i < k && m < most; i++) {
        bool now = z[i] == 'y' ? i > 0 && !vowel : is_vowel_letter(z[i]);

        m += vowel && !now;
        vowel = now;
    }
    return m;
}

static bool has_vowel(const char *z, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (!is_consonant(z, i))
            return true;
    return false;
}

static bool ends_double(const char *z, size_t k)
{
    return k >= 2 && z[k - 1] == z[k - 2] && is_consonant(z, k - 1);
}

/* Consonant, vowel, consonant other than w, x, y: the paper's *o. */
static bool ends_short(const char *z, size_t k)
{
    char c = k >= 3 ? z[k - 1] : 'w';

    return c != 'w' && c != 'x' && c != 'y' && is_consonant(z, k - 1) &&
           !is_consonant(z, k - 2) && is_consonant(z, k - 3);
}

static bool ends(const char *z, size_t n, const char *suffix, size_t len)
{
    return n >= len && z[n - 1] == suffix[len - 1] &&
           memcmp(z + n - len, suffix, len) == 0;
}

static size_t step_1a(const char *z, size_t n)
{
    if (z[n - 1] != 's')
        return n;
    if (ends(z, n, "sses", 4) || ends(z, n, "ies", 3))
        return n - 2;
    return ends(z, n, "ss", 2) ? n : n - 1;
}

/* After "ed" or "ing" went: give back what they had swallowed. */
static size_t restore_e(char *z, size_t n)
{
    if (ends(z, n, "at", 2) || ends(z, n, "bl", 2) || ends(z, n, "iz", 2)) {
        z[n] = 'e';
        return n + 1;
    }
    if (ends_double(z, n))
        return z[n - 1] == 'l' || z[n - 1] == 's' || z[n - 1] == 'z' ? n
                                                                     : n - 1;
    if (measure(z, n, 2) == 1 && ends_short(z, n)) {
        z[n] = 'e';
        return n + 1;
    }
    return n;
}

static size_t step_1b(char *z, size_t n)
{
    if (ends(z, n, "eed", 3))
        return measure(z, n - 3, 1) > 0 ? n - 1 : n;
    if (ends(z, n, "ed", 2))
        return has_vowel(z, n - 2) ? restore_e(z, n - 2) : n;
    if (ends(z, n, "ing", 3))
        return has_vowel(z, n - 3) ? restore_e(z, n - 3) : n;
    return n;
}

/* The rules of a step, longer suffixes first, and by the last letter of their
 * suffixes those last but one: most words end otherwise. */
struct step {
    const struct rule *rules;
    size_t count;
    uint32_t before_last[32];
};

static const struct rule rules_2[] = {
    RULE("ational", "ate"), RULE("ization", "ize"), RULE("iveness", "ive"),
    RULE("fulness", "ful"), RULE("ousness", "ous"), RULE("tional", "tion"),
    RULE("biliti", "ble"),  RULE("entli", "ent"),   RULE("ousli", "ous"),
    RULE("ation", "ate"),   RULE("alism", "al"),    RULE("aliti", "al"),
    RULE("iviti", "ive"),   RULE("enci", "ence"),   RULE("anci", "ance"),
    RULE("izer", "ize"),    RULE("abli", "able"),   RULE("alli", "al"),
    RULE("ator", "ate"),    RULE("eli", "e"),
};
static const struct step step_2 = {
    rules_2,
    sizeof rules_2 / sizeof rules_2[0],
    {['i' & 31] = LETTER('c') | LETTER('l') | LETTER('t'),
     ['l' & 31] = LETTER('a'),
     ['m' & 31] = LETTER('s'),
     ['n' & 31] = LETTER('o'),
     ['r' & 31] = LETTER('e') | LETTER('o'),
     ['s' & 31] = LETTER('s')}};

static const struct rule rules_3[] = {
    RULE("icate", "ic"), RULE("ative", ""),  RULE("alize", "al"),
    RULE("iciti", "ic"), RULE("ical", "ic"), RULE("ness", ""),
    RULE("ful", ""),
};
static const struct step step_3 = {
    rules_3,
    sizeof rules_3 / sizeof rules_3[0],
    {['e' & 31] = LETTER('t') | LETTER('v') | LETTER('z'),
     ['i' & 31] = LETTER('t'),
     ['l' & 31] = LETTER('a') | LETTER('u'),
     ['s' & 31] = LETTER('s')}};

static const struct rule rules_4[] = {
    RULE("ement", ""), RULE("ance", ""), RULE("ence", ""), RULE("able", ""),
    RULE("ible", ""),  RULE("ment", ""), RULE("ant", ""),  RULE("ent", ""),
    RULE("ism", ""),   RULE("ate", ""),  RULE("iti", ""),  RULE("ous", ""),
    RULE("ive", ""),   RULE("ize", ""),  RULE("ion", ""),  RULE("al", ""),
    RULE("er", ""),    RULE("ic", ""),   RULE("ou", ""),
};
static const struct step step_4 = {rules_4,
                                   sizeof rules_4 / sizeof rules_4[0],
                                   {['c' & 31] = LETTER('i'),
                                    ['e' & 31] = LETTER('c') | LETTER('l') |
                                                 LETTER('t') | LETTER('v') |
                                                 LETTER('z'),
                                    ['i' & 31] = LETTER('t'),
                                    ['l' & 31] = LETTER('a'),
                                    ['m' & 31] = LETTER('s'),
                                    ['n' & 31] = LETTER('o'),
                                    ['r' & 31] = LETTER('e'),
                                    ['s' & 31] = LETTER('u'),
                                    ['t' & 31] = LETTER('n'),
                                    ['u' & 31] = LETTER('o')}};

/* The rule whose suffix z[0..n) ends with, n > 1. */
static const struct rule *find_rule(const struct step *s, const char *z,
                                    size_t n)
{
    if (!is_one_of(z[n - 2], s->before_last[z[n - 1] & 31]))
        return NULL;
    for (size_t i = 0; i < s->count; i++) {
        const struct rule *r = &s->rules[i];
        size_t len = r->from_len;

        if (r->from[len - 1] == z[n - 1] && r->from[len - 2] == z[n - 2] &&
            n >= len && memcmp(z + n - len, r->from, len) == 0)
            return r;
    }
    return NULL;
}

/* Steps 2 and 3: replace a suffix behind a measure above 0. */
static size_t replace(const struct step *s, char *z, size_t n)
{
    const struct rule *hit = find_rule(s, z, n);
    size_t k;

    if (hit == NULL)
        return n;
    k = n - hit->from_len;
    if (measure(z, k, 1) < 1)
        return n;
    memcpy(z + k, hit->to, hit->to_len);
    return k + hit->to_len;
}

/* Step 4: drop a suffix behind a measure above 1. */
static size_t drop(const struct step *s, const char *z, size_t n)
{
    const struct rule *hit = find_rule(s, z, n);
    size_t k;

    if (hit == NULL)
        return n;
    k = n - hit->from_len;
    if (hit->from[0] == 'i' && hit->from[1] == 'o' &&
        (k == 0 || (z[k - 1] != 's' && z[k - 1] != 't')))
        return n;
    return measure(z, k, 2) > 1 ? k : n;
}

static size_t step_5(const char *z, size_t n)
{
    if (z[n - 1] == 'e') {
        int m = measure(z, n - 1, 2);

        if (m > 1 || (m == 1 && !ends_short(z, n - 1)))
            n--;
    }
    if (n > 1 && z[n - 1] == 'l' && ends_double(z, n) && measure(z, n, 2) > 1)
        n--;
    return n;
}

size_t term_stem(char *z, size_t n)
{
    if (n <= 2)
        return n;
    n = step_1a(z, n);
    n = step_1b(z, n);
    if (n > 1 && z[n - 1] == 'y' && has_vowel(z, n - 1))
        z[n - 1] = 'i';
    if (n > 2) {
        n = replace(&step_2, z, n);
        n = replace(&step_3, z, n);
        n = drop(&step_4, z, n);
    }
    return step_5(z, n);
}
