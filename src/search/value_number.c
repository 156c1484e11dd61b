/* Numbers out of sentences; see value_number.h. Pure. Called by
 * structured_value.c. */
#include "search/value_number.h"

#include "base/str.h"
#include "text/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 24, DIGITS_MAX = 32 };

enum dimension { DIM_NONE, DIM_DATA, DIM_TIME, DIM_LENGTH, DIM_SHARE };

struct unit {
    const char *word;
    enum dimension dim;
    double factor; /* to bytes, seconds, metres, percent */
};

static const struct unit units[] = {{"byte", DIM_DATA, 1},
                                    {"kilobyte", DIM_DATA, 1e3},
                                    {"kb", DIM_DATA, 1e3},
                                    {"kib", DIM_DATA, 1024.0},
                                    {"megabyte", DIM_DATA, 1e6},
                                    {"mb", DIM_DATA, 1e6},
                                    {"mib", DIM_DATA, 1048576.0},
                                    {"gigabyte", DIM_DATA, 1e9},
                                    {"gb", DIM_DATA, 1e9},
                                    {"gib", DIM_DATA, 1073741824.0},
                                    {"terabyte", DIM_DATA, 1e12},
                                    {"tb", DIM_DATA, 1e12},
                                    {"tib", DIM_DATA, 1099511627776.0},
                                    {"petabyte", DIM_DATA, 1e15},
                                    {"pb", DIM_DATA, 1e15},
                                    {"millisecond", DIM_TIME, 0.001},
                                    {"ms", DIM_TIME, 0.001},
                                    {"second", DIM_TIME, 1},
                                    {"minute", DIM_TIME, 60},
                                    {"hour", DIM_TIME, 3600},
                                    {"day", DIM_TIME, 86400},
                                    {"week", DIM_TIME, 604800},
                                    {"millimetre", DIM_LENGTH, 0.001},
                                    {"millimeter", DIM_LENGTH, 0.001},
                                    {"mm", DIM_LENGTH, 0.001},
                                    {"centimetre", DIM_LENGTH, 0.01},
                                    {"cm", DIM_LENGTH, 0.01},
                                    {"metre", DIM_LENGTH, 1},
                                    {"meter", DIM_LENGTH, 1},
                                    {"kilometre", DIM_LENGTH, 1000},
                                    {"kilometer", DIM_LENGTH, 1000},
                                    {"km", DIM_LENGTH, 1000},
                                    {"percent", DIM_SHARE, 1},
                                    {"percentage", DIM_SHARE, 1}};

struct number {
    double value;
    const struct unit *unit; /* NULL: none */
    size_t start;
    bool year;   /* looks like one */
    bool joined; /* part of a word: "5-column" */
    double score;
};

/* A unit's word, singular or plural. */
static const struct unit *unit_find(const char *z)
{
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        size_t n = strlen(units[i].word);

        if (strncmp(z, units[i].word, n) == 0 &&
            (z[n] == '\0' || (z[n] == 's' && z[n + 1] == '\0' && n > 2)))
            return &units[i];
    }
    return NULL;
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

/* Read digits with separators of thousands and a decimal point at *at. */
static double digits_read(const char *p, size_t n, size_t *at)
{
    char z[DIGITS_MAX + 1];
    size_t k = 0, i = *at;

    while (i < n) {
        bool point = p[i] == '.' && i + 1 < n && ascii_is_digit(p[i + 1]);

        if (p[i] == ',' && is_group(p, n, i)) {
            i++;
            continue;
        }
        if (!ascii_is_digit(p[i]) && !point)
            break;
        if (k < DIGITS_MAX)
            z[k++] = p[i];
        i++;
    }
    z[k] = '\0';
    *at = i;
    return strtod(z, NULL);
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

/* Magnitude words and the unit behind a number that ends at `at`. */
static void tail_read(const char *p, size_t n, size_t at, struct number *out)
{
    struct term t;

    if (at < n && p[at] == '%') {
        out->unit = unit_find("percent");
        return;
    }
    while (word_after(p, n, at, &t) && magnitude_of(t.text) > 1) {
        out->value *= magnitude_of(t.text);
        out->year = false;
        at = t.end;
    }
    if (word_after(p, n, at, &t))
        out->unit = unit_find(t.text);
    if (out->unit != NULL)
        out->year = false;
}

/* Does what stands before make four digits a year: "in 2000", "17, 2000",
 * "August 2000", "(2000"? */
static bool year_context(const char *p, const struct term *t,
                         const char *before)
{
    static const char *const words[] = {
        "in",       "since",     "by",      "until",    "from",     "during",
        "year",     "early",     "late",    "mid",      "around",   "before",
        "after",    "spring",    "summer",  "autumn",   "winter",   "january",
        "february", "march",     "april",   "may",      "june",     "july",
        "august",   "september", "october", "november", "december", NULL};

    for (size_t i = 0; words[i] != NULL; i++)
        if (strcmp(before, words[i]) == 0)
            return true;
    if (t->start > 0 && p[t->start - 1] == '(')
        return true;
    return ascii_is_digit(before[0]) && strlen(before) <= 4;
}

static void number_take(const char *p, size_t n, struct term *t,
                        const char *before, struct number *out)
{
    size_t at = t->start;

    memset(out, 0, sizeof(*out));
    out->start = t->start;
    if (ascii_is_digit(p[at])) {
        out->value = digits_read(p, n, &at);
        out->year = t->len == 4 && out->value >= 1000 && out->value < 2100 &&
                    year_context(p, t, before);
        if (at > 0 && t->start > 0 && p[t->start - 1] == '-' &&
            (t->start == 1 || p[t->start - 2] == ' '))
            out->value = -out->value;
    } else {
        out->value = word_value(t->text);
        at = t->end;
    }
    if (at < t->end)
        at = t->end; /* "5th", "10k" */
    tail_read(p, n, at, out);
    out->joined = out->unit == NULL && at + 1 < n && p[at] == '-' &&
                  ascii_is_alpha(p[at + 1]);
    t->end = at;
}

static size_t numbers_read(const char *p, size_t n, struct number *out)
{
    struct term_iter it;
    struct term t;
    char before[TERM_MAX + 1] = "";
    size_t count = 0, behind = 0;

    terms_init(&it, p, n);
    while (count < NUMBERS_MAX && tokens_next(&it, &t)) {
        if (t.start >= behind &&
            (ascii_is_digit(p[t.start]) || word_value(t.text) >= 0)) {
            number_take(p, n, &t, before, &out[count++]);
            behind = t.end;
        }
        memcpy(before, t.text, t.len + 1);
    }
    return count;
}

/* The unit the field's name or description asks for. */
static const struct unit *unit_wanted(const char *hint)
{
    struct term_iter it;
    struct term t;
    const struct unit *u;

    terms_init(&it, hint, strlen(hint));
    while (tokens_next(&it, &t))
        if ((u = unit_find(t.text)) != NULL)
            return u;
    return NULL;
}

/* How far the nearest word of the label is, in bytes. */
static size_t label_distance(const struct value_want *w, const char *p,
                             size_t n, size_t at)
{
    struct term_iter it;
    struct term t;
    size_t best = n;

    terms_init(&it, p, n);
    while (terms_next(&it, &t))
        for (size_t i = 0; i < w->label->term_count; i++) {
            size_t d = t.start > at ? t.start - at : at - t.start;

            if (strcmp(t.text, w->label->terms[i].text) == 0 && d < best)
                best = d;
        }
    return best;
}

static int by_score(const void *x, const void *y)
{
    const struct number *a = x, *b = y;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->start < b->start ? -1 : 1;
}

/* A number's fitness, and its conversion to the wanted unit. Below 0: it
 * cannot be meant. */
static double number_fit(const struct value_want *w, const struct unit *wanted,
                         bool want_year, const char *p, size_t n,
                         struct number *x)
{
    double near =
        1.0 - (double)label_distance(w, p, n, x->start) / (double)(n + 1);

    if (x->joined || (want_year && !x->year))
        return -1;
    if (x->year && !want_year)
        near -= 0.7; /* "2000" may be a limit, but rarely is */
    if (wanted == NULL)
        return near;
    if (x->unit == NULL)
        return near - 0.6;
    if (x->unit->dim != wanted->dim)
        return -1;
    x->value = x->value * x->unit->factor / wanted->factor;
    return near + 1.0;
}

void value_numbers(const struct value_want *w, const char *p, size_t n,
                   struct arena *a, struct value_choices *out)
{
    struct number x[NUMBERS_MAX];
    const struct unit *wanted = unit_wanted(w->hint);
    bool want_year = mem_find_i(w->hint, strlen(w->hint), "year") != NULL &&
                     w->q->type == ANSWER_DATE;
    size_t count = numbers_read(p, n, x);

    for (size_t i = 0; i < count; i++)
        x[i].score = number_fit(w, wanted, want_year, p, n, &x[i]);
    qsort(x, count, sizeof(x[0]), by_score);
    for (size_t i = 0; i < count && out->count < VALUE_CHOICES_MAX; i++) {
        if (x[i].score <= -0.5 || !isfinite(x[i].value))
            continue;
        /* 2^53: whole numbers beyond are not exact in JSON readers. */
        if (x[i].value == floor(x[i].value) && fabs(x[i].value) < 9e15)
            out->json[out->count] = arena_printf(a, "%.0f", x[i].value);
        else
            out->json[out->count] = arena_printf(a, "%.12g", x[i].value);
        if (out->json[out->count] != NULL)
            out->count++;
    }
}
