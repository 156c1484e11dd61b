/*
 * Dates as people write them; date_text_next of html_parts.h. Figures in the
 * usual orders, also with the signs of East Asia, and month names of fifteen
 * languages. Pure.
 */
#include "base/date.h"
#include "text/html_parts.h"

#include <string.h>

enum { YEAR_MIN = 1990 };

/* Every spelling of a month, between single spaces, lower case in ASCII. */
static const char *const months[12] = {
    " january jan januar j\xC3\xA4nner j\xC3\xA4n januari janvier "
    "janv enero ene gennaio gen janeiro stycznia ledna "
    "janu\xC3\xA1r ocak "
    "\xD1\x8F\xD0\xBD\xD0\xB2\xD0\xB0\xD1\x80\xD1\x8F "
    "\xD1\x81\xD1\x96\xD1\x87\xD0\xBD\xD1\x8F "
    "\xD9\x8A\xD9\x86\xD8\xA7\xD9\x8A\xD8\xB1 ",
    " february feb februar feber februari f\xC3\xA9vrier fevrier "
    "f\xC3\xA9vr febrero febbraio fevereiro fev lutego \xC3\xBAnora "
    "febru\xC3\xA1r \xC5\x9Fubat "
    "\xD1\x84\xD0\xB5\xD0\xB2\xD1\x80\xD0\xB0\xD0\xBB\xD1\x8F "
    "\xD0\xBB\xD1\x8E\xD1\x82\xD0\xBE\xD0\xB3\xD0\xBE "
    "\xD9\x81\xD8\xA8\xD8\xB1\xD8\xA7\xD9\x8A\xD8\xB1 ",
    " march mar m\xC3\xA4rz maerz m\xC3\xA4r mrz maart mrt mars "
    "marzo mar\xC3\xA7o marca marts b\xC5\x99"
    "ezna m\xC3\xA1rcius "
    "mart \xD0\xBC\xD0\xB0\xD1\x80\xD1\x82\xD0\xB0 "
    "\xD0\xB1\xD0\xB5\xD1\x80\xD0\xB5\xD0\xB7\xD0\xBD\xD1\x8F "
    "\xD9\x85\xD8\xA7\xD8\xB1\xD8\xB3 ",
    " april apr avril avr abril abr aprile kwietnia dubna "
    "\xC3\xA1prilis nisan "
    "\xD0\xB0\xD0\xBF\xD1\x80\xD0\xB5\xD0\xBB\xD1\x8F "
    "\xD0\xBA\xD0\xB2\xD1\x96\xD1\x82\xD0\xBD\xD1\x8F "
    "\xD8\xA3\xD8\xA8\xD8\xB1\xD9\x8A\xD9\x84 ",
    " may mai mei mayo maggio mag maio maja maj kv\xC4\x9Btna "
    "m\xC3\xA1jus may\xC4\xB1s \xD0\xBC\xD0\xB0\xD1\x8F "
    "\xD1\x82\xD1\x80\xD0\xB0\xD0\xB2\xD0\xBD\xD1\x8F "
    "\xD9\x85\xD8\xA7\xD9\x8A\xD9\x88 ",
    " june jun juni juin junio giugno giu junho czerwca "
    "\xC4\x8D"
    "ervna j\xC3\xBAnius haziran "
    "\xD0\xB8\xD1\x8E\xD0\xBD\xD1\x8F "
    "\xD1\x87\xD0\xB5\xD1\x80\xD0\xB2\xD0\xBD\xD1\x8F "
    "\xD9\x8A\xD9\x88\xD9\x86\xD9\x8A\xD9\x88 ",
    " july jul juli juil juillet julio luglio lug julho lipca "
    "\xC4\x8D"
    "ervence j\xC3\xBAlius temmuz "
    "\xD0\xB8\xD1\x8E\xD0\xBB\xD1\x8F "
    "\xD0\xBB\xD0\xB8\xD0\xBF\xD0\xBD\xD1\x8F "
    "\xD9\x8A\xD9\x88\xD9\x84\xD9\x8A\xD9\x88 ",
    " august aug augustus ao\xC3\xBBt aout agosto ago sierpnia "
    "augusti srpna augusztus a\xC4\x9Fustos "
    "\xD0\xB0\xD0\xB2\xD0\xB3\xD1\x83\xD1\x81\xD1\x82\xD0\xB0 "
    "\xD1\x81\xD0\xB5\xD1\x80\xD0\xBF\xD0\xBD\xD1\x8F "
    "\xD8\xA3\xD8\xBA\xD8\xB3\xD8\xB7\xD8\xB3 ",
    " september sep sept septembre septiembre settembre set "
    "setembro wrze\xC5\x9Bnia z\xC3\xA1\xC5\x99\xC3\xAD szeptember "
    "eyl\xC3\xBCl "
    "\xD1\x81\xD0\xB5\xD0\xBD\xD1\x82\xD1\x8F\xD0\xB1\xD1\x80\xD1\x8F "
    "\xD0\xB2\xD0\xB5\xD1\x80\xD0\xB5\xD1\x81\xD0\xBD\xD1\x8F "
    "\xD8\xB3\xD8\xA8\xD8\xAA\xD9\x85\xD8\xA8\xD8\xB1 ",
    " october oct oktober okt octobre octubre ottobre ott outubro "
    "out pa\xC5\xBA"
    "dziernika \xC5\x99\xC3\xADjna okt\xC3\xB3"
    "ber "
    "ekim \xD0\xBE\xD0\xBA\xD1\x82\xD1\x8F\xD0\xB1\xD1\x80\xD1\x8F "
    "\xD0\xB6\xD0\xBE\xD0\xB2\xD1\x82\xD0\xBD\xD1\x8F "
    "\xD8\xA3\xD9\x83\xD8\xAA\xD9\x88\xD8\xA8\xD8\xB1 ",
    " november nov novembre noviembre novembro listopada listopadu "
    "kas\xC4\xB1m \xD0\xBD\xD0\xBE\xD1\x8F\xD0\xB1\xD1\x80\xD1\x8F "
    "\xD0\xBB\xD0\xB8\xD1\x81\xD1\x82\xD0\xBE\xD0\xBF\xD0\xB0\xD0\xB4\xD0\xB0 "
    "\xD9\x86\xD9\x88\xD9\x81\xD9\x85\xD8\xA8\xD8\xB1 ",
    " december dec dezember dez d\xC3\xA9"
    "cembre decembre "
    "d\xC3\xA9"
    "c diciembre dic dicembre dezembro grudnia prosince "
    "aral\xC4\xB1k "
    "\xD0\xB4\xD0\xB5\xD0\xBA\xD0\xB0\xD0\xB1\xD1\x80\xD1\x8F "
    "\xD0\xB3\xD1\x80\xD1\x83\xD0\xB4\xD0\xBD\xD1\x8F "
    "\xD8\xAF\xD9\x8A\xD8\xB3\xD9\x85\xD8\xA8\xD8\xB1 ",
};

struct scan {
    const char *p;
    size_t n, at;
};

static char peek(const struct scan *s)
{
    return s->at < s->n ? s->p[s->at] : '\0';
}

/* A number of lo to hi digits, not followed by another digit; -1 if none. */
static int take_number(struct scan *s, size_t lo, size_t hi)
{
    size_t from = s->at;
    int v = 0;

    while (s->at < s->n && s->at - from < hi && ascii_is_digit(s->p[s->at]))
        v = v * 10 + (s->p[s->at++] - '0');
    if (s->at - from < lo || ascii_is_digit(peek(s))) {
        s->at = from;
        return -1;
    }
    return v;
}

static void skip_chars(struct scan *s, const char *set)
{
    while (s->at < s->n && s->p[s->at] != '\0' &&
           strchr(set, s->p[s->at]) != NULL)
        s->at++;
}

static bool take_word(struct scan *s, const char *word)
{
    size_t n = strlen(word);
    struct str w;

    if (s->n - s->at < n)
        return false;
    w = (struct str){s->p + s->at, n};
    if (!str_ieq(w, word))
        return false;
    s->at += n;
    return true;
}

static int take_month(struct scan *s)
{
    char key[24];
    size_t from = s->at, n = 1;

    key[0] = ' ';
    while (s->at < s->n && n < sizeof key - 2 &&
           (ascii_is_alpha(s->p[s->at]) || (unsigned char)s->p[s->at] >= 128))
        key[n++] = ascii_lower(s->p[s->at++]);
    key[n++] = ' ';
    key[n] = '\0';
    for (int m = 0; n > 4 && m < 12; m++)
        if (strstr(months[m], key) != NULL)
            return m + 1;
    s->at = from;
    return -1;
}

static bool accept(int y, int m, int d, int32_t latest, int32_t *day)
{
    int32_t v;

    if (y < YEAR_MIN || !date_exists(y, m, d))
        return false;
    v = date_to_day(y, m, d);
    if (v > latest)
        return false;
    *day = v;
    return true;
}

/* What is looked for, and where the scan began and ended. */
struct search {
    bool month_first;
    int32_t latest;
    struct date_text *out;
};

/* "2024-05-17", "2024/5/17", "2024.05.17". */
static bool year_first(struct scan *s, const struct search *w)
{
    size_t from = s->at;
    int y = take_number(s, 4, 4), m, d;
    char mark = peek(s);

    if (y < 0 || (mark != '-' && mark != '/' && mark != '.'))
        return false;
    s->at++;
    m = take_number(s, 1, 2);
    if (m < 0 || peek(s) != mark)
        return false;
    s->at++;
    d = take_number(s, 1, 2);
    w->out->form = mark != '.'          ? DATE_YEAR_FIRST
                   : s->at - from == 10 ? DATE_FIGURES
                                        : DATE_BARE;
    return d > 0 && accept(y, m, d, w->latest, &w->out->day);
}

/* "2024\xE5\xB9\xB4" and so on: each number with its sign behind it. */
static bool signed_parts(struct scan *s, const struct search *w)
{
    static const char *const signs[][3] = {
        {"\xE5\xB9\xB4", "\xE6\x9C\x88", "\xE6\x97\xA5"},
        {"\xEB\x85\x84", "\xEC\x9B\x94", "\xEC\x9D\xBC"}};
    int v[3];

    for (size_t i = 0; i < 3; i++) {
        v[i] = take_number(s, i == 0 ? 4 : 1, i == 0 ? 4 : 2);
        skip_chars(s, " ");
        if (v[i] < 0 ||
            (!take_word(s, signs[0][i]) && !take_word(s, signs[1][i])))
            return false;
        if (i < 2)
            skip_chars(s, " ");
    }
    w->out->form = DATE_WORDS;
    return accept(v[0], v[1], v[2], w->latest, &w->out->day);
}

static bool compact(struct scan *s, const struct search *w)
{
    int v = take_number(s, 8, 8);

    w->out->form = DATE_YEAR_FIRST;
    return v > 0 &&
           accept(v / 10000, v / 100 % 100, v % 100, w->latest, &w->out->day);
}

/* "17.05.2024", "5/17/2024", "17.5.24"; not "14.8.11. Triggers". */
static bool year_last(struct scan *s, const struct search *w)
{
    bool begins = s->at == 0 || s->p[s->at - 1] == '\n';
    int a = take_number(s, 1, 2), b, y;
    char mark = peek(s);

    if (a < 0 || (mark != '-' && mark != '/' && mark != '.'))
        return false;
    s->at++;
    skip_chars(s, " ");
    b = take_number(s, 1, 2);
    if (b < 0 || peek(s) != mark)
        return false;
    s->at++;
    skip_chars(s, " ");
    y = take_number(s, 4, 4);
    w->out->form = y < 0 ? DATE_BARE : DATE_FIGURES;
    if (y < 0) {
        y = take_number(s, 2, 2);
        if (y < 0 || mark == '-' || (begins && peek(s) == mark))
            return false;
        y += y < 70 ? 2000 : 1900;
    }
    if ((w->month_first && mark == '/' && a <= 12) || b > 12)
        return accept(y, a, b, w->latest, &w->out->day);
    return accept(y, b, a, w->latest, &w->out->day);
}

/* "17 May 2024", "17. Mai 2024", "1st of May, 2024", "17 de mayo de 2024". */
static bool day_month(struct scan *s, const struct search *w)
{
    static const char *const ordinals[] = {"st", "nd", "rd",
                                           "th", "er", "\xC2\xBA"};
    int d = take_number(s, 1, 2), m, y;

    if (d < 0)
        return false;
    for (size_t i = 0; i < sizeof ordinals / sizeof ordinals[0]; i++)
        if (take_word(s, ordinals[i]))
            break;
    skip_chars(s, " .-/");
    if (!take_word(s, "of "))
        take_word(s, "de ");
    m = take_month(s);
    if (m < 0)
        return false;
    skip_chars(s, " .,-/'");
    if (!take_word(s, "del "))
        take_word(s, "de ");
    y = take_number(s, 4, 4);
    w->out->form = DATE_WORDS;
    return y > 0 && accept(y, m, d, w->latest, &w->out->day);
}

/* "May 17, 2024", "Sept. 3rd 2024". */
static bool month_day(struct scan *s, const struct search *w)
{
    static const char *const ordinals[] = {"st", "nd", "rd", "th"};
    int m = take_month(s), d, y;

    if (m < 0)
        return false;
    skip_chars(s, " .");
    d = take_number(s, 1, 2);
    if (d < 0)
        return false;
    for (size_t i = 0; i < sizeof ordinals / sizeof ordinals[0]; i++)
        if (take_word(s, ordinals[i]))
            break;
    skip_chars(s, " ,.");
    y = take_number(s, 4, 4);
    w->out->form = DATE_WORDS;
    return y > 0 && accept(y, m, d, w->latest, &w->out->day);
}

/* Is p[from..to) a part of something longer: "1.11.26.3", "10.0.1.11.26",
 * "app-2.8.12", "2.8.12rc1"? */
static bool is_part(const char *p, size_t n, size_t from, size_t to,
                    enum date_form form)
{
    char before = from > 0 ? p[from - 1] : ' ', after = to < n ? p[to] : ' ';

    if (before == '.' && from > 1 && ascii_is_digit(p[from - 2]))
        return true;
    if (after == '.' && to + 1 < n && ascii_is_digit(p[to + 1]))
        return true;
    return form == DATE_BARE &&
           (strchr("-_/=~", before) != NULL || ascii_is_alnum(after) ||
            (strchr("-_+~/", after) != NULL && to + 1 < n &&
             ascii_is_alnum(p[to + 1])));
}

typedef bool reader(struct scan *s, const struct search *w);

bool date_text_next(const char *p, size_t n, size_t at, bool month_first,
                    int32_t latest, struct date_text *out)
{
    static reader *const figures[] = {year_first, compact, year_last, day_month,
                                      signed_parts};
    static reader *const words[] = {month_day};
    const struct search w = {month_first, latest, out};
    bool inside = false; /* of a word or number */

    for (size_t i = at; i < n; i++) {
        bool word = ascii_is_alnum(p[i]), digit = ascii_is_digit(p[i]);
        reader *const *list = digit ? figures : words;
        size_t count = !word || inside ? 0 : digit ? 5 : 1;

        for (size_t k = 0; k < count; k++) {
            struct scan s = {p, n, i};

            if (list[k](&s, &w) && !is_part(p, n, i, s.at, out->form)) {
                out->from = i;
                out->to = s.at;
                return true;
            }
        }
        inside = word || (unsigned char)p[i] >= 128;
    }
    return false;
}

bool date_text_find(const char *p, size_t n, bool month_first, int32_t latest,
                    int32_t *day)
{
    struct date_text found;

    if (!date_text_next(p, n, 0, month_first, latest, &found))
        return false;
    *day = found.day;
    return true;
}
