/* Typed values out of sentences; see structured_value.h. Called by
 * structured.c. */
#include "search/structured_value.h"

#include "base/buf.h"
#include "base/date.h"
#include "base/str.h"
#include "search/value_number.h"
#include "text/terms.h"

#include <stdlib.h>
#include <string.h>

enum { TOKENS_MAX = 192, VALUE_BYTES_MAX = 8192, PHRASE_WORDS_MAX = 14 };

struct text {
    const char *p;
    size_t n;
    struct term t[TOKENS_MAX];
    size_t count;
};

static void text_read(struct text *x, const char *p, size_t n)
{
    struct term_iter it;

    x->p = p;
    x->n = n;
    x->count = 0;
    terms_init(&it, p, n);
    while (x->count < TOKENS_MAX && tokens_next(&it, &x->t[x->count]))
        x->count++;
}

static bool is_in(const char *z, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(z, *list) == 0)
            return true;
    return false;
}

static void choice_add(struct value_choices *out, const char *json)
{
    if (json != NULL && out->count < VALUE_CHOICES_MAX)
        out->json[out->count++] = json;
}

const char *value_string(const char *p, size_t n, struct arena *a)
{
    struct buf folded, b;
    struct json_out w;
    const char *z = NULL;
    bool space = false;

    buf_init(&folded, VALUE_BYTES_MAX);
    buf_init(&b, VALUE_BYTES_MAX * 6);
    for (size_t i = 0; i < n; i++) {
        if (ascii_is_space(p[i])) {
            space = folded.len > 0;
            continue;
        }
        if (space)
            buf_addc(&folded, ' ');
        space = false;
        buf_addc(&folded, p[i]);
    }
    jw_init(&w, &b);
    jw_string(&w, buf_str(&folded));
    if (buf_err(&folded) == ERR_OK && buf_err(&b) == ERR_OK)
        z = arena_strdup(a, buf_str(&b));
    buf_fini(&folded);
    buf_fini(&b);
    return z;
}

bool value_denies(const char *p, size_t n)
{
    static const char *const words[] = {"not",     "no",      "never", "cannot",
                                        "without", "neither", "nor",   "none",
                                        "unable",  NULL};
    struct term_iter it;
    struct term t;

    if (mem_find_i(p, n, "n't") != NULL ||
        mem_find_i(p, n, "n\xE2\x80\x99t") != NULL)
        return true;
    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        if (is_in(t.text, words))
            return true;
    return false;
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

static int year_at(const struct text *x, size_t i)
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
    int month = month_of(x->t[i].text);
    int mday = small_number(x, i + 1), year = year_at(x, i + 2);

    if (month == 0)
        return false;
    if ((mday < 0 || year < 0) && i > 0) {
        mday = small_number(x, i - 1);
        year = year_at(x, i + 1);
    }
    if (mday < 0 || year < 0 || !date_exists(year, month, mday))
        return false;
    *day = date_to_day(year, month, mday);
    return true;
}

static void date_add(const struct value_want *w, int32_t day, struct arena *a,
                     struct value_choices *out)
{
    char z[DATE_LEN + 1];

    date_format(day, z);
    choice_add(out,
               arena_printf(a, "\"%s%s\"", z,
                            w->kind == VALUE_DATE_TIME ? "T00:00:00Z" : ""));
}

static void dates_find(const struct value_want *w, const struct text *x,
                       struct arena *a, struct value_choices *out)
{
    int32_t day;

    for (size_t i = 0; i < x->count; i++) {
        size_t at = x->t[i].start;

        if (x->n - at >= DATE_LEN && year_at(x, i) > 0 &&
            date_parse_iso(x->p + at, DATE_LEN, &day))
            date_add(w, day, a, out);
        else if (date_around(x, i, &day))
            date_add(w, day, a, out);
    }
}

/* --- enumerations and booleans ------------------------------------------- */

/* Does the word run z stand in the text as whole words? */
static bool has_run(const struct text *x, const char *z)
{
    struct text want;

    text_read(&want, z, strlen(z));
    for (size_t i = 0; want.count > 0 && i + want.count <= x->count; i++) {
        size_t k = 0;

        while (k < want.count && strcmp(x->t[i + k].text, want.t[k].text) == 0)
            k++;
        if (k == want.count)
            return true;
    }
    return false;
}

static void enum_find(const struct value_want *w, const struct text *x,
                      struct arena *a, struct value_choices *out)
{
    const struct json *v = json_first(json_get(w->leaf, "enum"));
    bool denies = value_denies(x->p, x->n);

    for (; v != NULL; v = json_next(v)) {
        const char *z = json_string(v);
        int64_t whole;

        if (z == NULL && json_is_whole(v, &whole))
            z = arena_printf(a, "%lld", (long long)whole);
        if (z == NULL || denies || !has_run(x, z))
            continue;
        choice_add(out,
                   json_string(v) != NULL ? value_string(z, strlen(z), a) : z);
    }
}

/* --- text ---------------------------------------------------------------- */

static bool in_question(const struct value_want *w, const char *token)
{
    for (size_t i = 0; i < w->q->term_count; i++)
        if (strcmp(w->q->words[i], token) == 0)
            return true;
    return false;
}

static bool is_capital(const struct text *x, size_t i)
{
    unsigned char c = (unsigned char)x->p[x->t[i].start];

    return (c >= 'A' && c <= 'Z') || c == 0xC3;
}

/* Runs of capitalised words that are not the question's: names. Small words
 * inside a name ("of", "de") belong to it. */
static void names_find(const struct value_want *w, const struct text *x,
                       struct arena *a, struct value_choices *out)
{
    static const char *const inner[] = {"of",  "de",  "la",  "van",
                                        "von", "der", "del", NULL};

    for (size_t i = 0; i < x->count; i++) {
        size_t last = i;

        if (!is_capital(x, i) || in_question(w, x->t[i].text) ||
            month_of(x->t[i].text) > 0 ||
            term_is_stop(x->t[i].text, x->t[i].len))
            continue;
        for (size_t k = i + 1; k < x->count && k < i + 8; k++) {
            size_t gap = x->t[k].start - x->t[k - 1].end;

            if (gap > 2 || memchr(x->p + x->t[k - 1].end, ',', gap) != NULL)
                break;
            if (is_capital(x, k))
                last = k;
            else if (!is_in(x->t[k].text, inner))
                break;
        }
        /* A sentence's first word alone is rarely a name. */
        if (i > 0 || last > i)
            choice_add(out, value_string(x->p + x->t[i].start,
                                         x->t[last].end - x->t[i].start, a));
        i = last;
    }
}

/* "3.46.1" and the like. */
static void versions_find(const struct text *x, struct arena *a,
                          struct value_choices *out)
{
    for (size_t i = 0; i < x->n; i++) {
        size_t end = i, dots = 0;

        if (!ascii_is_digit(x->p[i]) || (i > 0 && ascii_is_alnum(x->p[i - 1])))
            continue;
        while (end < x->n && (ascii_is_digit(x->p[end]) ||
                              (x->p[end] == '.' && end + 1 < x->n &&
                               ascii_is_digit(x->p[end + 1]))))
            dots += x->p[end++] == '.' ? 1 : 0;
        if (dots > 0)
            choice_add(out, value_string(x->p + i, end - i, a));
        i = end;
    }
}

/* What "LABEL is …" says, when it is short: the words behind the verb. */
static void predicate_find(const struct value_want *w, const struct text *x,
                           struct arena *a, struct value_choices *out)
{
    static const char *const verbs[] = {"is", "are", "was", "were", NULL};
    bool label_seen = false;
    size_t end = x->n;

    while (end > 0 && strchr(".!; \n", x->p[end - 1]) != NULL)
        end--;
    for (size_t i = 0; i + 1 < x->count; i++) {
        for (size_t k = 0; k < w->label->term_count; k++)
            label_seen =
                label_seen || strcmp(w->label->words[k], x->t[i].text) == 0;
        if (!label_seen || !is_in(x->t[i].text, verbs))
            continue;
        if (x->count - i - 1 <= PHRASE_WORDS_MAX && x->t[i + 1].start < end)
            choice_add(out,
                       value_string(x->p + x->t[i].end, end - x->t[i].end, a));
        return;
    }
}

static bool hint_has(const struct value_want *w, const char *z)
{
    return mem_find_i(w->hint, strlen(w->hint), z) != NULL;
}

static void years_find(const struct text *x, struct arena *a,
                       struct value_choices *out)
{
    for (size_t i = 0; i < x->count; i++)
        if (year_at(x, i) > 0)
            choice_add(out, arena_printf(a, "\"%s\"", x->t[i].text));
}

static void text_find(const struct value_want *w, const struct text *x,
                      struct arena *a, struct value_choices *out)
{
    enum answer_type t = w->q->type;

    if (hint_has(w, "version"))
        versions_find(x, a, out);
    if (t == ANSWER_PERSON || t == ANSWER_PLACE)
        names_find(w, x, a, out);
    if (t == ANSWER_DATE) {
        dates_find(w, x, a, out);
        years_find(x, a, out);
    }
    /* A field that asks for a name or a date is not served with a sentence. */
    if (t == ANSWER_PERSON || t == ANSWER_PLACE || t == ANSWER_DATE)
        return;
    predicate_find(w, x, a, out);
    choice_add(out, value_string(x->p, x->n, a));
}

/* --- lists --------------------------------------------------------------- */

/* Where the items begin: behind a colon or a word that announces them. */
static size_t items_start(const struct text *x)
{
    static const char *const signs[] = {"such as ", "including ",   "includes ",
                                        "include ", "consists of ", "namely ",
                                        ": ",       " are ",        NULL};

    for (size_t i = 0; signs[i] != NULL; i++) {
        const char *at = mem_find_i(x->p, x->n, signs[i]);

        if (at != NULL)
            return (size_t)(at - x->p) + strlen(signs[i]);
    }
    return x->n;
}

/* Length of the separator at p: a comma, "and", "or", or both. */
static size_t separator_at(const char *p, size_t n)
{
    static const char *const all[] = {", and ", ", or ", "; and ", ", ", "; ",
                                      " and ",  " or ",  "\n",     NULL};

    for (size_t i = 0; all[i] != NULL; i++)
        if (strlen(all[i]) <= n && memcmp(p, all[i], strlen(all[i])) == 0)
            return strlen(all[i]);
    return 0;
}

static size_t words_in(const char *p, size_t n)
{
    struct term_iter it;
    struct term t;
    size_t words = 0;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        words++;
    return words;
}

/* The items of an enumeration as one JSON array, from two items on. */
static void list_find(const struct text *x, struct arena *a,
                      struct value_choices *out)
{
    size_t at = items_start(x), end = x->n, from = at, items = 0;
    struct buf b;

    while (end > at && strchr(".!; \n", x->p[end - 1]) != NULL)
        end--;
    buf_init(&b, VALUE_BYTES_MAX);
    buf_addc(&b, '[');
    for (; at <= end && items < 50; at++) {
        size_t sep = at == end ? 1 : separator_at(x->p + at, end - at);
        size_t words;

        if (sep == 0)
            continue;
        words = words_in(x->p + from, at - from);
        if (words > 0 && words <= 10) {
            const char *z = value_string(x->p + from, at - from, a);

            buf_addf(&b, "%s%s", items++ == 0 ? "" : ",",
                     z == NULL ? "null" : z);
        }
        from = at + sep;
        at += sep - 1;
    }
    buf_addc(&b, ']');
    if (items >= 2 && buf_err(&b) == ERR_OK)
        choice_add(out, arena_strdup(a, buf_str(&b)));
    buf_fini(&b);
}

enum err value_find(const struct value_want *w, const char *p, size_t n,
                    struct arena *a, struct value_choices *out)
{
    struct text *x = malloc(sizeof(*x));

    if (x == NULL)
        return ERR_NOMEM;
    out->count = 0;
    text_read(x, p, n);
    switch (w->kind) {
    case VALUE_INTEGER:
    case VALUE_NUMBER:
        value_numbers(w, p, n, a, out);
        break;
    case VALUE_BOOLEAN:
        choice_add(out, value_denies(p, n) ? "false" : "true");
        break;
    case VALUE_DATE:
    case VALUE_DATE_TIME:
        dates_find(w, x, a, out);
        break;
    case VALUE_ENUM:
        enum_find(w, x, a, out);
        break;
    case VALUE_LIST:
        list_find(x, a, out);
        break;
    case VALUE_TEXT:
        text_find(w, x, a, out);
        break;
    }
    free(x);
    return arena_failed(a) ? ERR_NOMEM : ERR_OK;
}
