/* Dates out of sentences; see value.h. Called by structured_value.c. The
 * weights were set with those of structured_near.c. */
#include "object/value.h"

#include "base/date.h"
#include "base/str.h"

#include <string.h>

static const double FIT_LITERAL = 0.4; /* a date beside its version */
static const double FIT_OTHER = -0.5;  /* a date beside another one */

static int small_number(const struct text *x, size_t i)
{
    char z[3] = {0, 0, 0};
    size_t k = 0;
    int64_t v;

    if (i >= x->count)
        return -1;
    while (k < 2 && ascii_is_digit(x->t[i].text[k])) {
        z[k] = x->t[i].text[k];
        k++;
    }
    /* "3", "03", "3rd". */
    if (ascii_is_digit(x->t[i].text[k]) || x->t[i].len > k + 2 ||
        !parse_int(z, 1, 31, &v))
        return -1;
    return (int)v;
}

int date_year(const struct text *x, size_t i)
{
    int64_t v;

    if (i >= x->count || x->t[i].len != 4 ||
        !parse_int(x->t[i].text, 1000, 2999, &v))
        return -1;
    return (int)v;
}

/* "March 3, 2020" or "3 March 2020" with its month at i. */
static bool date_around(const struct text *x, size_t i, int32_t *day)
{
    int month = question_month(LANG_EN, x->t[i].text);
    int mday = small_number(x, i + 1), year = date_year(x, i + 2);

    if (month == 0)
        return false;
    if ((mday < 0 || year < 0) && i > 0) {
        mday = small_number(x, i - 1);
        year = date_year(x, i + 1);
    }
    if (mday < 0 || year < 0 || !date_exists(year, month, mday))
        return false;
    *day = date_to_day(year, month, mday);
    return true;
}

/* Bytes between a date and the nearest of the label's literals; SIZE_MAX when
 * the text holds none. */
static size_t literal_distance(const struct value_want *w, const struct text *x,
                               size_t start, size_t end)
{
    size_t best = SIZE_MAX, at;

    for (size_t i = 0; i < w->label->literal_count; i++) {
        const char *literal = w->label->literals[i];

        for (size_t from = 0;
             from < x->n &&
             label_has_literal(literal, x->p + from, x->n - from, &at);
             from += at + 1) {
            size_t here = from + at;
            size_t d = here >= end    ? here - end
                       : here < start ? start - here
                                      : SIZE_MAX;

            best = d < best ? d : best;
        }
    }
    return best;
}

static void date_add(const struct value_want *w, const struct text *x,
                     size_t first, size_t last, int32_t day, struct arena *a,
                     struct value_choices *out)
{
    char z[DATE_LEN + 1];
    size_t start = x->t[first].start, end = x->t[last].end;

    date_format(day, z);
    value_add(out,
              arena_printf(a, "\"%s%s\"", z,
                           w->kind == VALUE_DATE_TIME ? "T00:00:00Z" : ""),
              start, end, near_fit(&x->near, start, end));
}

/* Of several dates the one nearest to the literal is meant. */
static void dates_weigh(const struct value_want *w, const struct text *x,
                        struct value_choices *out)
{
    size_t best = SIZE_MAX, d[VALUE_CHOICES_MAX];

    for (size_t i = 0; i < out->count; i++) {
        d[i] = literal_distance(w, x, out->at[i].start, out->at[i].end);
        best = d[i] < best ? d[i] : best;
    }
    for (size_t i = 0; best != SIZE_MAX && i < out->count; i++)
        out->at[i].fit += d[i] == best ? FIT_LITERAL : FIT_OTHER;
}

void value_dates(const struct value_want *w, const struct text *x,
                 struct arena *a, struct value_choices *out)
{
    int32_t day;

    for (size_t i = 0; i < x->count; i++) {
        size_t at = x->t[i].start;

        if (x->n - at >= DATE_LEN && date_year(x, i) > 0 && i + 2 < x->count &&
            date_parse_iso(x->p + at, DATE_LEN, &day))
            date_add(w, x, i, i + 2, day, a, out);
        else if (date_around(x, i, &day))
            date_add(w, x, i, i, day, a, out);
    }
    dates_weigh(w, x, out);
}
