/*
 * The gate every sentence of an answer passes: its numbers with their units,
 * dates, quotations, names and its denial must be in the passage it cites.
 * Pure; knows nothing of who wrote the sentence. Called by search.c and the
 * research room.
 */
#include "search/answer.h"

#include "base/str.h"
#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

enum { TOKENS_MAX = 8192, NUMBER_MAX = 48 };

/* A text as folded tokens, with the text itself at hand. */
struct tokens {
    const char *text;
    size_t len;
    struct term *t;
    size_t n;
};

static bool tokens_read(const char *text, struct arena *a, struct tokens *out)
{
    struct term_iter it;
    size_t max;

    out->text = text;
    out->len = strlen(text);
    out->n = 0;
    /* A token and what parts it from the next take two bytes at least. */
    max = out->len / 2 + 2 < TOKENS_MAX ? out->len / 2 + 2 : TOKENS_MAX;
    out->t = arena_array(a, max, sizeof(*out->t));
    if (out->t == NULL)
        return false;
    terms_init(&it, text, out->len);
    while (out->n < max && tokens_next(&it, &out->t[out->n]))
        out->n++;
    return true;
}

static bool token_is(const struct term *t, const char *z)
{
    return strcmp(t->text, z) == 0;
}

static bool token_in(const struct tokens *ts, const char *z)
{
    for (size_t i = 0; i < ts->n; i++)
        if (token_is(&ts->t[i], z))
            return true;
    return false;
}

/* --- numbers ------------------------------------------------------------- */

/* A number as digits with a decimal point, separators of thousands and
 * trailing zeros behind the point removed. */
struct number {
    char z[NUMBER_MAX + 1];
    size_t end; /* behind it in the text */
};

/* Is the comma or point at p[i] inside a number? */
static bool joins_digits(const char *p, size_t n, size_t i)
{
    return i + 1 < n && ascii_is_digit(p[i + 1]) &&
           (p[i] == ',' || p[i] == '.');
}

/* "1,000" groups three digits behind a comma; "1,2" does not. */
static bool is_separator(const char *p, size_t n, size_t i)
{
    return p[i] == ',' && i + 3 < n && ascii_is_digit(p[i + 1]) &&
           ascii_is_digit(p[i + 2]) && ascii_is_digit(p[i + 3]) &&
           (i + 4 >= n || !ascii_is_digit(p[i + 4]));
}

static void number_trim(struct number *out)
{
    char *dot = strchr(out->z, '.');
    size_t n = strlen(out->z);

    if (dot == NULL)
        return;
    while (n > 0 && out->z[n - 1] == '0')
        out->z[--n] = '\0';
    if (n > 0 && out->z[n - 1] == '.')
        out->z[n - 1] = '\0';
}

/* Read the number that begins at p[i], a digit. */
static void number_read(const char *p, size_t n, size_t i, struct number *out)
{
    size_t k = 0;

    while (i < n && (ascii_is_digit(p[i]) || joins_digits(p, n, i))) {
        if (p[i] == ',' && !is_separator(p, n, i))
            break;
        if (p[i] != ',' && k < NUMBER_MAX)
            out->z[k++] = p[i];
        i++;
    }
    out->z[k] = '\0';
    out->end = i;
    number_trim(out);
}

/* The next number at or after *at that is not the inside of a word. */
static bool number_next(const char *p, size_t n, size_t *at, struct number *out)
{
    for (size_t i = *at; i < n; i++) {
        if (!ascii_is_digit(p[i]) ||
            (i > 0 && (ascii_is_alnum(p[i - 1]) || p[i - 1] == '_')))
            continue;
        number_read(p, n, i, out);
        *at = out->end;
        return true;
    }
    return false;
}

/* A unit's one spelling, or NULL when the word is no unit. */
static const char *unit_of(const char *z)
{
    static const struct {
        const char *word, *unit;
    } units[] = {{"b", "byte"},
                 {"byte", "byte"},
                 {"bytes", "byte"},
                 {"kb", "kilobyte"},
                 {"kib", "kibibyte"},
                 {"kilobyte", "kilobyte"},
                 {"kilobytes", "kilobyte"},
                 {"mb", "megabyte"},
                 {"mib", "mebibyte"},
                 {"megabyte", "megabyte"},
                 {"megabytes", "megabyte"},
                 {"gb", "gigabyte"},
                 {"gib", "gibibyte"},
                 {"gigabyte", "gigabyte"},
                 {"gigabytes", "gigabyte"},
                 {"tb", "terabyte"},
                 {"tib", "tebibyte"},
                 {"terabyte", "terabyte"},
                 {"terabytes", "terabyte"},
                 {"pb", "petabyte"},
                 {"petabytes", "petabyte"},
                 {"percent", "percent"},
                 {"million", "million"},
                 {"billion", "billion"},
                 {"thousand", "thousand"},
                 {"trillion", "trillion"},
                 {"km", "kilometre"},
                 {"kilometers", "kilometre"},
                 {"kilometres", "kilometre"},
                 {"m", "metre"},
                 {"meters", "metre"},
                 {"metres", "metre"},
                 {"cm", "centimetre"},
                 {"mm", "millimetre"},
                 {"mile", "mile"},
                 {"miles", "mile"},
                 {"mi", "mile"},
                 {"feet", "foot"},
                 {"foot", "foot"},
                 {"ft", "foot"},
                 {"kg", "kilogram"},
                 {"kilograms", "kilogram"},
                 {"ms", "millisecond"},
                 {"milliseconds", "millisecond"},
                 {"second", "second"},
                 {"seconds", "second"},
                 {"minute", "minute"},
                 {"minutes", "minute"},
                 {"hour", "hour"},
                 {"hours", "hour"},
                 {"day", "day"},
                 {"days", "day"},
                 {"week", "week"},
                 {"weeks", "week"},
                 {"month", "month"},
                 {"months", "month"},
                 {"year", "year"},
                 {"years", "year"},
                 {"euro", "euro"},
                 {"euros", "euro"},
                 {"dollar", "dollar"},
                 {"dollars", "dollar"}};

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strcmp(units[i].word, z) == 0)
            return units[i].unit;
    return NULL;
}

/* The unit behind a number: a word, or the percent sign. */
static const char *unit_after(const char *p, size_t n, size_t at)
{
    struct term_iter it;
    struct term t;

    if (at < n && p[at] == '%')
        return "percent";
    if (at < n && (p[at] == ' ' || p[at] == '-'))
        at++;
    if (at >= n || !ascii_is_alpha(p[at]))
        return NULL;
    terms_init(&it, p + at, n - at < TERM_MAX ? n - at : (size_t)TERM_MAX);
    return tokens_next(&it, &t) && t.start == 0 ? unit_of(t.text) : NULL;
}

/* Does the passage hold the number, with the same unit if it has one? */
static bool number_in(const char *p, size_t n, const struct number *want,
                      const char *unit)
{
    struct number have;
    size_t at = 0;

    while (number_next(p, n, &at, &have)) {
        const char *u;

        if (strcmp(have.z, want->z) != 0)
            continue;
        u = unit_after(p, n, have.end);
        if (unit == NULL || (u != NULL && strcmp(u, unit) == 0))
            return true;
    }
    return false;
}

static bool numbers_hold(const char *s, size_t sn, const char *p, size_t pn,
                         const char **missing, struct arena *a)
{
    struct number want;
    size_t at = 0;

    while (number_next(s, sn, &at, &want)) {
        const char *unit = unit_after(s, sn, want.end);

        if (number_in(p, pn, &want, unit))
            continue;
        *missing =
            arena_printf(a, "the number %s%s%s", want.z,
                         unit == NULL ? "" : " ", unit == NULL ? "" : unit);
        return false;
    }
    return true;
}

/* --- dates --------------------------------------------------------------- */

static int month_of(const char *z)
{
    static const char *const names[12] = {
        "january", "february", "march",     "april",   "may",      "june",
        "july",    "august",   "september", "october", "november", "december"};

    for (int i = 0; i < 12; i++)
        if (strcmp(z, names[i]) == 0 ||
            (strlen(z) == 3 && strncmp(z, names[i], 3) == 0))
            return i + 1;
    return 0;
}

static bool is_number_token(const struct term *t)
{
    return t->len > 0 && strspn(t->text, "0123456789") == t->len;
}

/* Is token i a month of a date: a number stands beside it? */
static int month_at(const struct tokens *ts, size_t i)
{
    int m = month_of(ts->t[i].text);
    bool before = i > 0 && is_number_token(&ts->t[i - 1]);
    bool after = i + 1 < ts->n && is_number_token(&ts->t[i + 1]);

    return before || after ? m : 0;
}

/* Day and month go together: "3 March" is not supported by "3 May". */
static bool month_pair_in(const struct tokens *ts, int month,
                          const char *number)
{
    for (size_t i = 0; i < ts->n; i++) {
        if (month_at(ts, i) != month)
            continue;
        if (number == NULL || (i > 0 && token_is(&ts->t[i - 1], number)) ||
            (i + 1 < ts->n && token_is(&ts->t[i + 1], number)))
            return true;
    }
    return false;
}

static bool dates_hold(const struct tokens *s, const struct tokens *p,
                       const char **missing, struct arena *a)
{
    for (size_t i = 0; i < s->n; i++) {
        int m = month_at(s, i);
        const struct term *number;

        if (m == 0)
            continue;
        number = i > 0 && is_number_token(&s->t[i - 1]) ? &s->t[i - 1]
                                                        : &s->t[i + 1];
        if (month_pair_in(p, m, number->text))
            continue;
        *missing =
            arena_printf(a, "the date with %s %s", number->text, s->t[i].text);
        return false;
    }
    return true;
}

/* --- quotations and names ------------------------------------------------ */

/* Are tokens from..to of s a run of p? */
static bool run_in(const struct tokens *s, size_t from, size_t to,
                   const struct tokens *p)
{
    size_t n = to - from;

    for (size_t i = 0; i + n <= p->n; i++) {
        size_t k = 0;

        while (k < n && token_is(&p->t[i + k], s->t[from + k].text))
            k++;
        if (k == n)
            return true;
    }
    return n == 0;
}

static bool quotation_holds(const struct tokens *s, size_t start, size_t end,
                            const struct tokens *p)
{
    size_t from = 0, to;

    while (from < s->n && s->t[from].start < start)
        from++;
    for (to = from; to < s->n && s->t[to].end <= end;)
        to++;
    return run_in(s, from, to, p);
}

static bool quotations_hold(const struct tokens *s, const struct tokens *p,
                            const char **missing, struct arena *a)
{
    static const char *const marks[][2] = {{"\"", "\""},
                                           {"\xE2\x80\x9C", "\xE2\x80\x9D"},
                                           {"\xC2\xAB", "\xC2\xBB"}};

    for (size_t m = 0; m < 3; m++) {
        const char *at = s->text, *open, *close;
        size_t width = strlen(marks[m][0]);

        while ((open = strstr(at, marks[m][0])) != NULL &&
               (close = strstr(open + width, marks[m][1])) != NULL) {
            size_t start = (size_t)(open - s->text) + width;
            size_t end = (size_t)(close - s->text);

            if (!quotation_holds(s, start, end, p)) {
                *missing =
                    arena_printf(a, "the quotation \"%.*s\"",
                                 (int)(end - start < 80 ? end - start : 80),
                                 s->text + start);
                return false;
            }
            at = close + strlen(marks[m][1]);
        }
    }
    return true;
}

static bool is_capital(const struct tokens *ts, size_t i)
{
    unsigned char c = (unsigned char)ts->text[ts->t[i].start];
    uint32_t cp;

    if (c < 0x80)
        return c >= 'A' && c <= 'Z';
    utf8_decode(ts->text + ts->t[i].start, ts->len - ts->t[i].start, &cp);
    /* Latin-1, Greek and Cyrillic capitals. */
    return (cp >= 0xC0 && cp <= 0xDE) || (cp >= 0x391 && cp <= 0x3A9) ||
           (cp >= 0x410 && cp <= 0x42F);
}

/* The capital of a sentence's first word tells nothing by itself. */
static bool is_name_at(const struct tokens *ts, size_t i)
{
    if (!is_capital(ts, i) || term_is_stop(ts->t[i].text, ts->t[i].len))
        return false;
    if (i > 0)
        return true;
    for (size_t k = ts->t[0].start + 1; k < ts->t[0].end; k++)
        if (ts->text[k] >= 'A' && ts->text[k] <= 'Z')
            return true;
    return ts->n > 1 && is_capital(ts, 1) &&
           !term_is_stop(ts->t[1].text, ts->t[1].len);
}

/* "Germans" is supported by "German": compare stems as well. */
static bool name_in(const struct tokens *p, const struct term *name)
{
    struct term stem = *name, other;

    if (token_in(p, name->text))
        return true;
    stem.text[term_stem(stem.text, stem.len)] = '\0';
    for (size_t i = 0; i < p->n; i++) {
        other = p->t[i];
        other.text[term_stem(other.text, other.len)] = '\0';
        if (token_is(&other, stem.text))
            return true;
    }
    return false;
}

static bool names_hold(const struct tokens *s, const struct tokens *p,
                       const char **missing, struct arena *a)
{
    for (size_t i = 0; i < s->n; i++) {
        if (!is_name_at(s, i) || name_in(p, &s->t[i]))
            continue;
        *missing =
            arena_printf(a, "the name %.*s", (int)(s->t[i].end - s->t[i].start),
                         s->text + s->t[i].start);
        return false;
    }
    return true;
}

/* --- denial -------------------------------------------------------------- */

static bool denies(const char *p, size_t n)
{
    static const char *const words[] = {"not",     "no",   "never",   "cannot",
                                        "without", "none", "neither", "nor",
                                        "nobody",  NULL};
    struct term_iter it;
    struct term t;

    if (mem_find_i(p, n, "n't") != NULL ||
        mem_find_i(p, n, "n\xE2\x80\x99t") != NULL)
        return true;
    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        for (size_t i = 0; words[i] != NULL; i++)
            if (strcmp(t.text, words[i]) == 0)
                return true;
    return false;
}

/* Content words of s that stand in p[0..n). */
static size_t shared_words(const struct tokens *s, const char *p, size_t n)
{
    struct term_iter it;
    struct term t;
    size_t shared = 0;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        if (!term_is_stop(t.text, t.len) && token_in(s, t.text))
            shared++;
    return shared;
}

/* The sentence of the passage that says most of the same must deny when the
 * sentence denies, and only then. */
static bool denial_holds(const struct tokens *s, const char *passage,
                         const char **missing, struct arena *a)
{
    struct span *spans = NULL;
    size_t count = 0, best = 0, best_shared = 0;

    if (sentences_split(passage, strlen(passage), a, &spans, &count) != ERR_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t k = shared_words(s, passage + spans[i].start, spans[i].len);

        if (k > best_shared) {
            best_shared = k;
            best = i;
        }
    }
    if (best_shared == 0 ||
        denies(s->text, s->len) ==
            denies(passage + spans[best].start, spans[best].len))
        return true;
    *missing = "the same denial or affirmation";
    return false;
}

bool verify_sentence(const char *sentence, const char *passage,
                     const char **why, struct arena *a)
{
    struct tokens s, p;
    const char *missing = "memory to check it";
    size_t pn = strlen(passage);
    bool ok;

    if (mem_find(passage, pn, sentence) != NULL)
        return true;
    ok = tokens_read(sentence, a, &s) && tokens_read(passage, a, &p) &&
         numbers_hold(sentence, s.len, passage, pn, &missing, a) &&
         dates_hold(&s, &p, &missing, a) &&
         quotations_hold(&s, &p, &missing, a) &&
         names_hold(&s, &p, &missing, a) &&
         denial_holds(&s, passage, &missing, a);
    if (!ok && why != NULL)
        *why = missing == NULL ? "memory to check it" : missing;
    return ok;
}
