/* Numbers out of sentences; see value.h. Pure. Called by
 * structured_value.c. */
#include "object/value.h"

#include "base/str.h"
#include "reading/unit.h"
#include "text/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 24, DIGITS_MAX = 32 };

struct number {
    double value;
    const struct measure *unit; /* NULL: none */
    size_t start, end;          /* with its magnitude and unit */
    bool year;                  /* looks like one */
    bool word;                  /* "one" */
    bool money;                 /* "$5" */
    bool foreign; /* part of something else: a version, a date, "5-column" */
};

/* The unit that a word of a value may be. */
static const struct measure *value_unit(const char *z)
{
    const struct measure *unit = unit_find(z);

    return unit == NULL || unit->dim == UNIT_OTHER ? NULL : unit;
}

static double magnitude_of(const char *z)
{
    static const struct {
        const char *word;
        double factor;
    } all[] = {{"hundred", 100}, {"thousand", 1e3},  {"million", 1e6},
               {"billion", 1e9}, {"trillion", 1e12}, {"dozen", 12}};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (strncmp(z, all[i].word, strlen(all[i].word)) == 0)
            return all[i].factor;
    return 1;
}

static int word_value(const char *z)
{
    static const char *const words[] = {
        "zero",     "one",      "two",      "three",   "four",    "five",
        "six",      "seven",    "eight",    "nine",    "ten",     "eleven",
        "twelve",   "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
        "eighteen", "nineteen", "twenty",   NULL};

    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(z, words[i]) == 0)
            return i;
    return -1;
}

/* Three digits exactly behind the separator at p[i]. */
static bool is_group(const char *p, size_t n, size_t i)
{
    return i + 3 < n && ascii_is_digit(p[i + 1]) && ascii_is_digit(p[i + 2]) &&
           ascii_is_digit(p[i + 3]) &&
           (i + 4 >= n || !ascii_is_digit(p[i + 4]));
}

/* Read digits with separators of thousands and a decimal point at *at. Two
 * points make a version, not a number: false. */
static bool digits_read(const char *p, size_t n, size_t *at, double *out)
{
    char z[DIGITS_MAX + 1];
    size_t k = 0, i = *at, points = 0;

    while (i < n) {
        bool point = p[i] == '.' && i + 1 < n && ascii_is_digit(p[i + 1]);

        if (p[i] == ',' && is_group(p, n, i)) {
            i++;
            continue;
        }
        if (!ascii_is_digit(p[i]) && !point)
            break;
        points += point;
        if (k < DIGITS_MAX)
            z[k++] = p[i];
        i++;
    }
    z[k] = '\0';
    *at = i;
    *out = strtod(z, NULL);
    return points < 2;
}

/* The next word behind `at`, when nothing but a space or hyphen is between. */
static bool word_after(const char *p, size_t n, size_t at, struct term *t)
{
    struct term_iter it;
    size_t room = n - at < 80 ? n - at : 80;

    terms_init(&it, p + at, room);
    if (!tokens_next(&it, t) || t->start > 1)
        return false;
    t->start += at;
    t->end += at;
    return true;
}

/* The unit that a number of a setting ends with: "30s", "5d". */
static const struct measure *unit_attached(const char *p, size_t at, size_t end)
{
    static const char *const all[][2] = {
        {"s", "second"}, {"h", "hour"}, {"d", "day"}, {"w", "week"}};
    struct str s = {p + at, end - at};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (str_eq(s, all[i][0]))
            return value_unit(all[i][1]);
    return s.n == 2 && str_ieq(s, "ms") ? value_unit("ms") : NULL;
}

/* Magnitude words and the unit behind a number that ends at `at`. */
static void tail_read(const char *p, size_t n, size_t at, struct number *out)
{
    struct term t;

    out->end = at;
    if (at < n && p[at] == '%') {
        out->unit = value_unit("percent");
        out->end = at + 1;
        return;
    }
    while (word_after(p, n, at, &t) && magnitude_of(t.text) > 1) {
        out->value *= magnitude_of(t.text);
        out->year = false;
        out->end = at = t.end;
    }
    if (word_after(p, n, at, &t))
        out->unit = value_unit(t.text);
    if (out->unit != NULL) {
        out->year = false;
        out->end = t.end;
    }
}

/* Does what stands before make four digits a year: "in 2000", "17, 2000",
 * "August 2000", "(2000"? */
static bool year_context(const char *p, const struct term *t,
                         const char *before)
{
    static const char words[] =
        "in since by until from during year early late mid around before after "
        "spring summer autumn winter january february march april may june "
        "july august september october november december";

    if (word_in(before, words))
        return true;
    if (t->start > 0 && p[t->start - 1] == '(')
        return true;
    return ascii_is_digit(before[0]) && strlen(before) <= 4;
}

/* Is it one end of "0.0-1500.0", which is no date and no name? */
static bool is_range(const char *p, size_t n, size_t start, size_t end)
{
    size_t from = start, to = end;
    size_t dashes = 0;

    while (from > 0 && strchr("0123456789.-", p[from - 1]) != NULL)
        from--;
    while (to < n && (strchr("0123456789-", p[to]) != NULL ||
                      (p[to] == '.' && to + 1 < n && ascii_is_digit(p[to + 1]))))
        to++;
    for (size_t i = from + 1; i + 1 < to; i++)
        dashes += p[i] == '-';
    return dashes == 1 && (from == 0 || strchr(" (=[", p[from - 1]) != NULL) &&
           (to == n || strchr(" ),;.]:", p[to]) != NULL);
}

/* Is the number that begins at start and whose digits end at end a piece of
 * something else: a date, a time, a version, a name with a hyphen, a power, a
 * section's number? before is the word ahead of it. */
static bool is_foreign(const char *p, size_t n, size_t start, size_t end,
                       const char *before, const char *asked)
{
    static const char words[] =
        "version section chapter table figure release rfc step page appendix "
        "part volume releases versions ticket bug issue";
    char last = start > 0 ? p[start - 1] : ' ';
    char next = end < n ? p[end] : ' ';
    char next2 = end + 1 < n ? p[end + 1] : ' ';

    if (word_in(before, words))
        return !tokens_have(asked, strlen(asked), before);
    if (is_range(p, n, start, end))
        return false;
    if (ascii_is_alnum(last) || strchr("_^.#?@", last) != NULL ||
        (last == '-' && start > 1 && ascii_is_alnum(p[start - 2])) ||
        (last == ':' && start > 1 && ascii_is_digit(p[start - 2])) ||
        (last == '/' && start > 1 && ascii_is_alnum(p[start - 2])))
        return true;
    if (next == '-' || next == ':' || next == '/')
        return next == '-' ? ascii_is_alnum(next2) : ascii_is_digit(next2);
    /* "printf(3)" is a page of a manual; "64th", "0x1F", "2nd". */
    if (last == '(' && next == ')' && start > 1 && ascii_is_alnum(p[start - 2]))
        return true;
    return next == '_' || next == '^' || next == 'x' ||
           (ascii_is_alpha(next) && strchr("snrt", next) != NULL &&
            ascii_is_alpha(next2));
}

/* Does a sign of a currency stand ahead? */
static bool is_money(const char *p, size_t start)
{
    static const char *const signs[] = {"$", "\xE2\x82\xAC", "\xC2\xA3",
                                        "\xC2\xA5", NULL};

    for (size_t i = 0; signs[i] != NULL; i++) {
        size_t n = strlen(signs[i]);

        if (start >= n && memcmp(p + start - n, signs[i], n) == 0)
            return true;
    }
    return false;
}

static void number_take(const char *p, size_t n, struct term *t,
                        const char *before, const char *asked,
                        struct number *out)
{
    size_t at = t->start, digits;

    memset(out, 0, sizeof(*out));
    out->start = t->start;
    if (ascii_is_digit(p[at])) {
        bool whole = digits_read(p, n, &at, &out->value);

        out->money = is_money(p, t->start);
        out->foreign = !whole || is_foreign(p, n, t->start, at, before, asked);
        out->year = t->len == 4 && out->value >= 1000 && out->value < 2100 &&
                    year_context(p, t, before);
        if (t->start > 0 && p[t->start - 1] == '-' &&
            (t->start == 1 || strchr(" =(,:", p[t->start - 2]) != NULL)) {
            out->value = -out->value;
            out->start--;
        }
    } else {
        out->value = word_value(t->text);
        out->word = true;
        at = t->end;
    }
    digits = at;
    if (at < t->end)
        at = t->end; /* "5th", "10k" */
    tail_read(p, n, at, out);
    if (out->unit == NULL && digits < at)
        out->unit = unit_attached(p, digits, at);
    /* "a 4096-byte page" has a unit behind its hyphen. */
    if (out->unit != NULL && at < n && p[at] == '-')
        out->foreign = false;
    t->end = at;
}

static size_t numbers_read(const char *p, size_t n, const char *asked,
                           struct number *out)
{
    struct term_iter it;
    struct term t;
    char before[TERM_MAX + 1] = "";
    size_t count = 0, behind = 0;

    terms_init(&it, p, n);
    while (count < NUMBERS_MAX && tokens_next(&it, &t)) {
        if (t.start >= behind &&
            (ascii_is_digit(p[t.start]) || word_value(t.text) >= 0)) {
            number_take(p, n, &t, before, asked, &out[count++]);
            behind = t.end;
        }
        memcpy(before, t.text, t.len + 1);
    }
    return count;
}

bool value_is_unit(const char *token)
{
    return value_unit(token) != NULL;
}

/* The unit the field's name or description asks for. */
static const struct measure *unit_wanted(const char *hint)
{
    struct term_iter it;
    struct term t;
    const struct measure *u;

    terms_init(&it, hint, strlen(hint));
    while (tokens_next(&it, &t))
        if ((u = value_unit(t.text)) != NULL)
            return u;
    return NULL;
}

bool value_of_other_unit(const struct label *l, struct str before)
{
    const struct measure *wanted = unit_wanted(l->hint), *u;
    bool other = false;
    struct term_iter it;
    struct term t;

    terms_init(&it, before.p, before.n);
    while (wanted != NULL && tokens_next(&it, &t)) {
        u = value_unit(t.text);
        if (u != NULL && u->dim == wanted->dim)
            return false;
        other = other || u != NULL;
    }
    return other;
}

/* --- fitness -------------------------------------------------------------- */

static const double FIT_UNIT = 0.2;      /* the unit asked for */
static const double FIT_NO_UNIT = -0.1;  /* none, where one is asked for */
static const double FIT_ODD_UNIT = -0.5; /* one, where a count is asked for */
static const double FIT_ONE = -0.3;      /* "one" is rarely a number */
static const double FIT_WORD = -0.1;     /* "three" */
static const double FIT_ODD_YEAR = -0.7; /* "2000" may be a limit */
static const double FIT_RATE = -0.4;
static const double NO_FIT = -9;

/* May the label mean a value of this kind of unit though it names none? */
static bool may_have_unit(const struct label *l, const struct measure *unit)
{
    static const struct {
        enum unit_dimension dim;
        const char *words;
    } all[] = {
        {UNIT_DATA, "size length memory storage buffer file cache space"},
        {UNIT_TIME, "time timeout duration delay interval period age "
                    "expiry expire seconds long"},
        {UNIT_LENGTH, "height length width distance depth tall long"},
        {UNIT_SHARE, "share rate percent percentage ratio"}};
    struct term_iter it;
    struct term t;

    terms_init(&it, l->hint, strlen(l->hint));
    while (tokens_next(&it, &t))
        for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
            if (all[i].dim == unit->dim && t.len > 2 &&
                strstr(all[i].words, t.text) != NULL)
                return true;
    return false;
}

/* Does the label ask for an amount of money? */
static bool wants_money(const struct label *l)
{
    static const char *const words[] = {
        "price", "cost",  "fee",    "dollar",  "euro",   "usd",
        "eur",   "pound", "salary", "revenue", "budget", "profit",
        "worth", "value", "income", "fine",    NULL};

    for (size_t i = 0; words[i] != NULL; i++)
        if (mem_find_i(l->hint, strlen(l->hint), words[i]) != NULL)
            return true;
    return false;
}

/* The number is one of the label's own ("version 15"). */
static bool is_own(const struct label *l, const struct number *x)
{
    for (size_t i = 0; i < l->literal_count; i++)
        if (fabs(strtod(l->literals[i], NULL) - x->value) < 1e-9)
            return true;
    return false;
}

/* Does the text name the unit apart from the number? */
static bool tells_unit(const struct near *x, const struct measure *wanted)
{
    struct term_iter it;
    struct term t;

    terms_init(&it, x->text.p, x->text.n);
    while (wanted != NULL && tokens_next(&it, &t))
        if (value_unit(t.text) == wanted)
            return true;
    return false;
}

/* Where another number of the text has the unit that is asked for, is this one
 * the number of something else, "1.5 million devices"? */
static bool counts_another(const struct near *x, const struct measure *wanted,
                           const struct number *all, size_t count, size_t i)
{
    struct term_iter it;
    struct term t;
    size_t at = all[i].end;
    bool told = false;

    for (size_t k = 0; k < count && wanted != NULL; k++)
        told = told ||
               (all[k].unit != NULL && all[k].unit->dim == wanted->dim);
    if (!told || all[i].unit != NULL || at >= x->text.n ||
        x->text.p[at] != ' ')
        return false;
    terms_init(&it, x->text.p + at, x->text.n - at);
    return tokens_next(&it, &t) && t.start == 1 &&
           !ascii_is_digit(t.text[0]) && !term_is_stop(t.text, t.len);
}

/* "65536 bytes per page" is no size of the whole, unless a rate is asked
 * for. */
static double rate_fit(const struct label *l, const struct near *x,
                       const struct number *v)
{
    bool rate = ascii_starts_i(x->text.p + v->end, " per ");

    return rate && mem_find_i(l->hint, strlen(l->hint), " per ") == NULL
               ? FIT_RATE
               : 0;
}

/* A number's fitness by itself; told: the text names the unit. */
static double number_fit(const struct value_want *w,
                         const struct measure *wanted, bool want_year,
                         bool told, const struct number *x)
{
    double fit = !x->word ? 0 : x->value <= 1 ? FIT_ONE : FIT_WORD;

    if (x->foreign || want_year != x->year)
        return x->foreign || want_year ? NO_FIT : fit + FIT_ODD_YEAR;
    if (is_own(w->label, x) || (x->money && !wants_money(w->label)))
        return NO_FIT;
    if (want_year)
        return FIT_UNIT;
    if (wanted == NULL)
        return x->unit != NULL && !may_have_unit(w->label, x->unit)
                   ? fit + FIT_ODD_UNIT
                   : fit;
    if (x->unit == NULL) /* "Number of seconds (default: 900)" */
        return fit + (told ? 0 : FIT_NO_UNIT);
    return x->unit->dim == wanted->dim ? FIT_UNIT : NO_FIT;
}

static const char *number_print(double v, struct arena *a)
{
    /* 2^53: whole numbers beyond are not exact in JSON readers. */
    if (v == floor(v) && fabs(v) < 9e15)
        return arena_printf(a, "%.0f", v);
    return arena_printf(a, "%.12g", v);
}

void value_numbers(const struct value_want *w, const struct near *x,
                   struct arena *a, struct value_choices *out)
{
    struct number all[NUMBERS_MAX];
    const char *hint = w->label->hint;
    const struct measure *wanted = unit_wanted(hint);
    bool want_year = mem_find_i(hint, strlen(hint), "year") != NULL &&
                     w->type == ANSWER_DATE;
    bool told = tells_unit(x, wanted);
    size_t count = numbers_read(x->text.p, x->text.n, w->label->text, all);

    for (size_t i = 0; i < count; i++) {
        double fit = number_fit(w, wanted, want_year, told, &all[i]), v;

        if (fit <= NO_FIT || counts_another(x, wanted, all, count, i))
            continue;
        v = all[i].value;
        if (wanted != NULL && all[i].unit != NULL)
            v = v * all[i].unit->factor / wanted->factor;
        if (isfinite(v))
            value_add(out, number_print(v, a), all[i].start, all[i].end,
                      fit + rate_fit(w->label, x, &all[i]) +
                          near_fit(x, all[i].start, all[i].end));
    }
}

/* "2.weeks.ago", "2 days-long": is what ends at byte `end` a part of a word? */
static bool ends_within_word(struct str s, size_t end)
{
    return end + 1 < s.n && memchr(".:-/", s.p[end], 4) != NULL &&
           ascii_is_alnum(s.p[end + 1]);
}

void value_quantities(const struct value_want *w, const struct near *x,
                      struct arena *a, struct value_choices *out)
{
    struct number all[NUMBERS_MAX];
    size_t count = numbers_read(x->text.p, x->text.n, w->label->text, all);

    for (size_t i = 0; i < count; i++) {
        bool fits = all[i].unit != NULL && may_have_unit(w->label, all[i].unit);

        if (!all[i].foreign && fits && !is_own(w->label, &all[i]) &&
            !ends_within_word(x->text, all[i].end))
            value_add(out,
                      value_string(x->text.p + all[i].start,
                                   all[i].end - all[i].start, a),
                      all[i].start, all[i].end,
                      FIT_UNIT + rate_fit(w->label, x, &all[i]) +
                          near_fit(x, all[i].start, all[i].end));
    }
}
