/* Numbers, units and months of a text; see verify_number.h. */
#include "search/verify_number.h"

#include "base/str.h"
#include "text/terms.h"

#include <string.h>

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

static void number_trim(struct verify_number *out)
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
static void number_read(const char *p, size_t n, size_t i,
                        struct verify_number *out)
{
    size_t k = 0;

    out->start = i;
    while (i < n && (ascii_is_digit(p[i]) || joins_digits(p, n, i))) {
        if (p[i] == ',' && !is_separator(p, n, i))
            break;
        if (p[i] != ',' && k < VERIFY_NUMBER_MAX)
            out->z[k++] = p[i];
        i++;
    }
    out->z[k] = '\0';
    out->end = i;
    number_trim(out);
}

/* The next number at or after *at that is not the inside of a word. */
bool verify_number_next(const char *p, size_t n, size_t *at,
                        struct verify_number *out)
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
const char *verify_unit_of(const char *z)
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
const char *verify_unit_after(const char *p, size_t n, size_t at)
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
    return tokens_next(&it, &t) && t.start == 0 ? verify_unit_of(t.text) : NULL;
}

int verify_month_of(const char *z)
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
