/*
 * The gate every sentence of an answer passes: it stands word for word in the
 * passage it cites, or its numbers with their units, dates, quotations and
 * names do and one place of it says the same (support.c). Pure; knows nothing
 * of who wrote the sentence. Called by search.c and the research room.
 */
#include "verify/verify.h"
#include "verify/support.h"

#include "base/str.h"
#include "text/fold.h"
#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

enum { TOKENS_MAX = 8192 };

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

/* Does the passage hold the number, with the same unit if it has one? */
static bool number_in(const char *p, size_t n, bool continental,
                      const struct verify_number *want, const char *unit)
{
    struct verify_number have;
    size_t at = 0;

    while (verify_number_next(p, n, continental, &at, &have)) {
        const char *u;

        if (strcmp(have.z, want->z) != 0)
            continue;
        u = verify_unit_after(p, n, have.end);
        if (unit == NULL || (u != NULL && strcmp(u, unit) == 0))
            return true;
    }
    return false;
}

static bool numbers_hold(const char *s, size_t sn, const char *p, size_t pn,
                         const char **missing, struct arena *a)
{
    bool there = verify_is_continental(p, pn, false);
    bool here = verify_is_continental(s, sn, there);
    struct verify_number want;
    size_t at = 0;

    while (verify_number_next(s, sn, here, &at, &want)) {
        const char *unit = verify_unit_after(s, sn, want.end);

        if (number_in(p, pn, there, &want, unit))
            continue;
        *missing =
            arena_printf(a, "the number %s%s%s", want.z,
                         unit == NULL ? "" : " ", unit == NULL ? "" : unit);
        return false;
    }
    return true;
}

/* --- dates --------------------------------------------------------------- */

static bool is_number_token(const struct term *t)
{
    return t->len > 0 && strspn(t->text, "0123456789") == t->len;
}

/* "3 de mayo", "5月3日": what stands between a month and its day. */
static bool is_between(const struct term *t)
{
    return token_is(t, "de") || token_is(t, "of") || token_is(t, "del");
}

/* The number that goes with the month at token i, or NULL. */
static const struct term *month_number(const struct tokens *ts, size_t i)
{
    const struct term *t = ts->t;

    if (token_is(&t[i], "月"))
        return i + 1 < ts->n && is_number_token(&t[i + 1]) ? &t[i + 1] : NULL;
    if (i > 0 && is_number_token(&t[i - 1]))
        return &t[i - 1];
    if (i > 1 && is_between(&t[i - 1]) && is_number_token(&t[i - 2]))
        return &t[i - 2];
    if (i + 1 < ts->n && is_number_token(&t[i + 1]))
        return &t[i + 1];
    return i + 2 < ts->n && is_between(&t[i + 1]) && is_number_token(&t[i + 2])
               ? &t[i + 2]
               : NULL;
}

/* Is token i a month of a date: a number stands beside it? */
static int month_at(const struct tokens *ts, size_t i)
{
    int m = 0;

    if (!token_is(&ts->t[i], "月"))
        m = verify_month_of(ts->t[i].text);
    else if (i > 0 && is_number_token(&ts->t[i - 1]) && ts->t[i - 1].len < 3)
        for (const char *z = ts->t[i - 1].text; *z != '\0'; z++)
            m = m * 10 + (*z - '0');
    return m > 0 && month_number(ts, i) != NULL ? m : 0;
}

/* Day and month go together: "3 March" is not supported by "3 May". */
static bool month_pair_in(const struct tokens *ts, int month,
                          const char *number)
{
    for (size_t i = 0; i < ts->n; i++) {
        const struct term *beside;

        if (month_at(ts, i) != month)
            continue;
        beside = month_number(ts, i);
        if (token_is(beside, number) ||
            (i > 0 && token_is(&ts->t[i - 1], number)) ||
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
        number = month_number(s, i);
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
    static const char *const marks[][2] = {{"\"", "\""}, {"“", "”"},
                                           {"„", "“"},   {"«", "»"},
                                           {"「", "」"}, {"『", "』"}};

    for (size_t m = 0; m < sizeof(marks) / sizeof(marks[0]); m++) {
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
    uint32_t cp;

    utf8_decode(ts->text + ts->t[i].start, ts->len - ts->t[i].start, &cp);
    return char_is_upper(cp);
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

/* --- the whole ----------------------------------------------------------- */

/* Reference marks of the page and blanks: they end no sentence otherwise. */
static bool is_marks(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr("[] 0123456789", p[i]) == NULL || p[i] == '\0')
            return false;
    return true;
}

/* Does p[0..n) hold the sentence word for word, from the border of a sentence
 * or line to another? What is cut out of one may say the opposite. */
static bool stands_whole(const char *sentence, const char *p, size_t n,
                         struct span *where, struct arena *a)
{
    size_t len = strlen(sentence), count = 0;
    const char *at = mem_find(p, n, sentence);
    struct span *spans = NULL;
    bool begins = false, ends = false;

    if (at == NULL || len == 0)
        return at != NULL;
    if (sentences_split(p, n, a, &spans, &count) != ERR_OK)
        return false;
    for (; at != NULL;
         at = mem_find(at + 1, n - (size_t)(at + 1 - p), sentence)) {
        size_t from = (size_t)(at - p);

        begins = ends = false;
        for (size_t i = 0; i < count; i++) {
            size_t end = spans[i].start + spans[i].len;

            begins = begins || spans[i].start == from;
            ends = ends || end == from + len ||
                   (spans[i].start < from + len && end > from + len &&
                    sentence_is_closed(sentence, len) &&
                    is_marks(p + from + len, end - (from + len)));
        }
        if (begins && ends) {
            where->start = from;
            where->len = len;
            return true;
        }
    }
    return false;
}

static bool place_holds(const char *sentence, const char *passage,
                        struct span *where, const char **missing,
                        struct arena *a)
{
    if (support_find(sentence, passage, where, a))
        return true;
    *missing = "one place that says all of it, in this order and with the "
               "same denial";
    return false;
}

bool verify_place(const char *sentence, const char *passage, struct span *where,
                  const char **why, struct arena *a)
{
    struct tokens s, p;
    struct span at = {0, 0};
    const char *missing = "memory to check it";
    size_t pn = strlen(passage);
    bool ok = stands_whole(sentence, passage, pn, &at, a);

    if (!ok)
        ok = tokens_read(sentence, a, &s) && tokens_read(passage, a, &p) &&
             numbers_hold(sentence, s.len, passage, pn, &missing, a) &&
             dates_hold(&s, &p, &missing, a) &&
             quotations_hold(&s, &p, &missing, a) &&
             names_hold(&s, &p, &missing, a) &&
             place_holds(sentence, passage, &at, &missing, a);
    if (!ok && why != NULL)
        *why = missing == NULL ? "memory to check it" : missing;
    if (ok && where != NULL)
        *where = at;
    return ok;
}

bool verify_sentence(const char *sentence, const char *passage,
                     const char **why, struct arena *a)
{
    return verify_place(sentence, passage, NULL, why, a);
}

void verify_tally_add(struct verify_tally *a, const struct verify_tally *b)
{
    a->held += b->held;
    a->moved += b->moved;
    a->dropped += b->dropped;
    if (a->why == NULL)
        a->why = b->why;
}

void verify_tally_settle(struct verify_tally *a,
                         const struct verify_tally *last)
{
    a->moved = a->moved < last->held ? a->moved : last->held;
    a->held = last->held - a->moved;
    a->dropped += last->dropped;
    if (a->why == NULL)
        a->why = last->why;
}
