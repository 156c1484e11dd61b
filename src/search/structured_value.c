/* Typed values out of sentences; see structured_value.h. Called by
 * structured_field.c. The weights were set with those of structured_near.c. */
#include "search/structured_value.h"

#include "base/buf.h"
#include "base/date.h"
#include "base/str.h"
#include "search/overlap.h"
#include "search/value_number.h"
#include "text/terms.h"

#include <stdlib.h>
#include <string.h>

enum {
    TOKENS_MAX = 192,
    VALUE_BYTES_MAX = 8192,
    PHRASE_WORDS_MAX = 14,
    LIST_GAP = 2,
    ITEM_WORDS_MAX = 6
};

struct text {
    const char *p;
    size_t n;
    struct term t[TOKENS_MAX];
    size_t count;
    struct near near;
};

/* Fitness of a text value by the way it was found. */
static const double FIT_CELL = 0.35;     /* "Author: D. R. Hipp" */
static const double FIT_SUBJECT = 0.4;   /* "Read Committed is the default" */
static const double FIT_PREDICATE = 0.3; /* "The license is public domain" */
static const double FIT_WHOLE = -0.1;    /* the sentence as it is */
static const double FIT_BOOLEAN = 0.2;   /* what the sentence says */
static const double FIT_BY = 0.3;        /* "written by" */
static const double FIT_LITERAL = 0.4;   /* a date beside its version */
static const double FIT_OTHER = -0.5;    /* a date beside another one */

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

void value_add(struct value_choices *out, const char *json, size_t start,
               size_t end, double fit)
{
    out->failed = out->failed || json == NULL;
    if (json != NULL && out->count < VALUE_CHOICES_MAX)
        out->at[out->count++] = (struct value_choice){json, start, end, fit};
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
    static const char *const words[] = {
        "not",        "no",          "never",      "cannot",
        "without",    "neither",     "nor",        "none",
        "unable",     "unsupported", "disabled",   "prohibited",
        "impossible", "unavailable", "disallowed", NULL};
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

static void dates_find(const struct value_want *w, const struct text *x,
                       struct arena *a, struct value_choices *out)
{
    int32_t day;

    for (size_t i = 0; i < x->count; i++) {
        size_t at = x->t[i].start;

        if (x->n - at >= DATE_LEN && year_at(x, i) > 0 && i + 2 < x->count &&
            date_parse_iso(x->p + at, DATE_LEN, &day))
            date_add(w, x, i, i + 2, day, a, out);
        else if (date_around(x, i, &day))
            date_add(w, x, i, i, day, a, out);
    }
    dates_weigh(w, x, out);
}

/* --- enumerations and booleans ------------------------------------------- */

/* Where the word run z stands in the text as whole words; false: nowhere. */
static bool find_run(const struct text *x, const char *z, size_t *start,
                     size_t *end)
{
    struct term_iter it;
    struct term want[8];
    size_t n = 0;

    terms_init(&it, z, strlen(z));
    while (n < 8 && tokens_next(&it, &want[n]))
        n++;
    for (size_t i = 0; n > 0 && i + n <= x->count; i++) {
        size_t k = 0;

        while (k < n && strcmp(x->t[i + k].text, want[k].text) == 0)
            k++;
        if (k == n) {
            *start = x->t[i].start;
            *end = x->t[i + n - 1].end;
            return true;
        }
    }
    return false;
}

/* "Read Committed is the default isolation level": does the label follow a
 * value that ends at byte end by way of a verb? */
static bool is_subject(const struct text *x, size_t end)
{
    const char *p = x->p + end;
    size_t n = x->n - end, skip, ahead = 0;
    const struct label_hit *h = NULL;

    if (ascii_starts_i(p, " is ") || ascii_starts_i(p, " was "))
        skip = ascii_starts_i(p, " is ") ? 4 : 5;
    else if (n > 10 &&
             (ascii_starts_i(p, ": this is ") || ascii_starts_i(p, ": it is ")))
        skip = strlen(": this is ");
    else
        return false;
    for (size_t i = 0; i < x->near.hit_count && h == NULL; i++)
        if (x->near.hits[i].start >= end)
            h = &x->near.hits[i];
        else
            ahead++;
    /* Words of the label on both sides: the sentence is about something
     * else, "journal mode PERSIST is the default in locking mode". */
    return h != NULL && ahead == 0 && h->start <= end + skip + strlen("the ");
}

static void enum_find(const struct value_want *w, const struct text *x,
                      struct arena *a, struct value_choices *out)
{
    const struct json *v = json_first(json_get(w->leaf, "enum"));
    bool denies = value_denies(x->p, x->n);

    for (; v != NULL; v = json_next(v)) {
        const char *z = json_string(v);
        size_t start = 0, end = 0;
        int64_t whole;

        if (z == NULL && json_is_whole(v, &whole))
            z = arena_printf(a, "%lld", (long long)whole);
        if (z == NULL || denies || !find_run(x, z, &start, &end))
            continue;
        value_add(out,
                  json_string(v) != NULL ? value_string(z, strlen(z), a) : z,
                  start, end,
                  near_fit(&x->near, start, end) +
                      (is_subject(x, end) ? FIT_SUBJECT : 0));
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

/* A word as names have them: a capital first, not all capitals, no
 * identifier. */
static bool is_capital(const struct text *x, size_t i)
{
    unsigned char c = (unsigned char)x->p[x->t[i].start];
    size_t end = x->t[i].end;
    bool initial = x->t[i].len == 1, lower = false;

    if (!((c >= 'A' && c <= 'Z') || c == 0xC3) ||
        (end < x->n && strchr("_(=", x->p[end]) != NULL) ||
        (x->t[i].start > 0 && strchr("_-", x->p[x->t[i].start - 1]) != NULL))
        return false;
    for (size_t k = x->t[i].start + 1; k < end; k++)
        lower = lower || (x->p[k] >= 'a' && x->p[k] <= 'z') ||
                (unsigned char)x->p[k] >= 0x80;
    return lower || initial;
}

/* The word ahead of token i. */
static bool follows(const struct text *x, size_t i, const char *const *list)
{
    return i > 0 && is_in(x->t[i - 1].text, list);
}

/* The last token of the name that begins at i. Small words inside a name
 * ("of", "de") belong to it. */
static size_t name_end(const struct text *x, size_t i)
{
    static const char *const inner[] = {"of",  "de",  "la",  "van",
                                        "von", "der", "del", NULL};
    size_t last = i;

    for (size_t k = i + 1; k < x->count && k < i + 8; k++) {
        size_t gap = x->t[k].start - x->t[k - 1].end;

        if (gap > 2 || memchr(x->p + x->t[k - 1].end, ',', gap) != NULL)
            break;
        if (is_capital(x, k))
            last = k;
        else if (!is_in(x->t[k].text, inner))
            break;
    }
    return last;
}

static bool is_possessive(const struct text *x, size_t end)
{
    static const char curly[] = "\xE2\x80\x99";

    return end < x->n &&
           (x->p[end] == '\'' ||
            (x->n - end >= 3 && memcmp(x->p + end, curly, 3) == 0));
}

/* Runs of capitalised words that are not the question's: names. */
static void names_find(const struct value_want *w, const struct text *x,
                       struct arena *a, struct value_choices *out)
{
    static const char *const by[] = {"by",  "professor", "dr", "mr",
                                     "mrs", "ms",        NULL};

    for (size_t i = 0; i < x->count; i++) {
        size_t last, start, end;
        double fit;

        if (!is_capital(x, i) || in_question(w, x->t[i].text) ||
            month_of(x->t[i].text) > 0 || is_in(x->t[i].text, by) ||
            term_is_stop(x->t[i].text, x->t[i].len) ||
            overlap_mask_loose(&w->label->words, x->p + x->t[i].start,
                               x->t[i].end - x->t[i].start) != 0)
            continue;
        last = name_end(x, i);
        start = x->t[i].start;
        end = x->t[last].end;
        fit = near_fit(&x->near, start, end);
        if (is_possessive(x, end))
            fit = FIT_OTHER; /* "Ousterhout's original code" */
        else if (is_subject(x, end))
            fit += FIT_SUBJECT;
        else if (follows(x, i, by))
            fit += FIT_BY;
        else if (w->type == ANSWER_PERSON && (last == i || fit < FIT_BY / 2))
            fit += FIT_OTHER; /* any capitals, somewhere in the sentence */
        /* A sentence's first word alone is rarely a name. */
        if (i > 0 || last > i)
            value_add(out, value_string(x->p + start, end - start, a), start,
                      end, fit);
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
            value_add(out, value_string(x->p + i, end - i, a), i, end,
                      near_fit(&x->near, i, end));
        i = end;
    }
}

static size_t trimmed_end(const struct text *x)
{
    size_t end = x->n;

    while (end > 0 && strchr(".!; \n", x->p[end - 1]) != NULL)
        end--;
    return end;
}

/* Where a value that begins at byte `at` ends: at a comma, a bracket or the
 * end of the clause. */
static size_t clause_end(const struct text *x, size_t at)
{
    size_t end = trimmed_end(x);

    for (size_t i = at; i < end; i++)
        if (strchr(",;()", x->p[i]) != NULL ||
            (x->p[i] == '.' && x->p[i + 1] == ' '))
            return i;
    return end;
}

static void phrase_add(const struct text *x, size_t start, size_t end,
                       double fit, struct arena *a, struct value_choices *out)
{
    size_t words = 0;

    while (start < end && ascii_is_space(x->p[start]))
        start++;
    if (ascii_starts_i(x->p + start, "not ") ||
        ascii_starts_i(x->p + start, "no "))
        return;
    for (size_t i = 0; i < x->count; i++)
        words += x->t[i].start >= start && x->t[i].end <= end;
    if (words > 0 && words <= PHRASE_WORDS_MAX)
        value_add(out, value_string(x->p + start, end - start, a), start, end,
                  fit);
}

/* What "LABEL is …" or "LABEL defaults to …" says, when it is short. */
static void predicate_find(const struct text *x, struct arena *a,
                           struct value_choices *out)
{
    static const char *const verbs[] = {"is", "are", "was", "were", NULL};

    for (size_t i = 0; i + 1 < x->count; i++) {
        const struct term *t = &x->t[i];
        bool to = strcmp(t->text, "defaults") == 0 &&
                  strcmp(x->t[i + 1].text, "to") == 0;
        size_t gap = near_gap(&x->near, t->start);

        if (to) {
            size_t from = x->t[i + 1].end;

            phrase_add(x, from, clause_end(x, from), FIT_PREDICATE, a, out);
        } else if (gap <= 3 && is_in(t->text, verbs)) {
            phrase_add(x, t->end, clause_end(x, t->end),
                       FIT_PREDICATE - 0.05 * (double)gap, a, out);
            return;
        }
    }
}

/* What stands in front of "is the LABEL", or of ": This is the LABEL". */
static void subject_find(const struct text *x, struct arena *a,
                         struct value_choices *out)
{
    static const char *const pronouns[] = {"this",  "that", "it",    "there",
                                           "which", "what", "these", NULL};

    for (size_t i = 0; i < x->count && i < 6; i++) {
        size_t start = x->t[0].start;

        if (is_in(x->t[i].text, pronouns))
            return;
        if (strcmp(x->t[0].text, "the") == 0 && i > 0)
            start = x->t[1].start;
        if (is_subject(x, x->t[i].end)) {
            phrase_add(x, start, x->t[i].end, FIT_SUBJECT, a, out);
            return;
        }
    }
}

/* "Author: D. R. Hipp": a line or a cell whose head is the label. */
static void head_find(const struct text *x, struct arena *a,
                      struct value_choices *out)
{
    const char *colon = mem_find(x->p, x->n, ": ");
    size_t head = colon == NULL ? 0 : (size_t)(colon - x->p);

    for (size_t i = 0; i < x->near.cell_count; i++) {
        struct str v = x->near.cells[i].value;
        size_t at = (size_t)(v.p - x->p);
        double fit = near_fit(&x->near, at, at + v.n);

        if (fit > 0)
            phrase_add(x, at, at + v.n, fit, a, out);
    }
    if (x->near.cell_count == 0 && head > 0 && head < 80 &&
        x->near.hit_count > 0 && x->near.hits[0].start < head &&
        near_gap(&x->near, head) <= 1)
        phrase_add(x, head + 2, trimmed_end(x), FIT_CELL, a, out);
}

static void years_find(const struct text *x, struct arena *a,
                       struct value_choices *out)
{
    for (size_t i = 0; i < x->count; i++)
        if (year_at(x, i) > 0)
            value_add(out, arena_printf(a, "\"%s\"", x->t[i].text),
                      x->t[i].start, x->t[i].end,
                      near_fit(&x->near, x->t[i].start, x->t[i].end));
}

static void text_find(const struct value_want *w, const struct text *x,
                      struct arena *a, struct value_choices *out)
{
    const char *hint = w->label->hint;
    enum answer_type t = w->type;

    if (mem_find_i(hint, strlen(hint), "version") != NULL)
        versions_find(x, a, out);
    head_find(x, a, out);
    if (t == ANSWER_PERSON || t == ANSWER_PLACE)
        names_find(w, x, a, out);
    if (t == ANSWER_DATE) {
        dates_find(w, x, a, out);
        years_find(x, a, out);
    }
    /* A field that asks for a name or a date is not served with a sentence. */
    if (t == ANSWER_PERSON || t == ANSWER_PLACE || t == ANSWER_DATE)
        return;
    value_quantities(w, &x->near, a, out);
    if ((w->label->qualifiers & (QUALIFIER_MAXIMUM | QUALIFIER_MINIMUM)) == 0) {
        subject_find(x, a, out);
        predicate_find(x, a, out);
    }
    /* Nor is one that asks for a limit or a default. */
    if (w->label->qualifiers == 0 && x->near.cell_count == 0)
        value_add(out, value_string(x->p, x->n, a), 0, x->n, FIT_WHOLE);
}

/* --- lists --------------------------------------------------------------- */

/* Where the items begin: behind a colon or a word that announces them, with
 * the label right ahead of it. *near: is it? */
static size_t items_start(const struct text *x, bool *near)
{
    static const char *const signs[] = {"such as ", "including ",   "includes ",
                                        "include ", "consists of ", "namely ",
                                        ": ",       " are ",        NULL};

    for (size_t i = 0; signs[i] != NULL; i++) {
        const char *at = mem_find_i(x->p, x->n, signs[i]);

        if (at == NULL)
            continue;
        *near = near_gap(&x->near, (size_t)(at - x->p)) <= LIST_GAP;
        return (size_t)(at - x->p) + strlen(signs[i]);
    }
    *near = false;
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

/* An item of an enumeration as the list's schema wants it, NULL when it is
 * none of these. */
static enum err item_value(const struct value_want *list, struct str item,
                           struct arena *a, const char **json)
{
    struct value_want w = *list;
    struct unit u = {UNIT_SENTENCE, item, {"", 0}};
    struct value_choices v = {.count = 0};
    const char *type = json_string(json_get(list->item, "type"));
    enum err e = ERR_OK;

    w.leaf = list->item;
    w.kind = value_kind_of(list->item, type == NULL ? "" : type);
    w.type = w.kind == VALUE_DATE ? ANSWER_DATE : ANSWER_ANY;
    *json = NULL;
    if (w.kind == VALUE_TEXT) {
        *json = value_string(item.p, item.n, a);
        e = *json == NULL ? ERR_NOMEM : ERR_OK;
    } else if (w.kind != VALUE_LIST && w.kind != VALUE_BOOLEAN) {
        e = value_find(&w, &u, a, &v);
    }
    if (v.count == 1)
        *json = v.at[0].json;
    return e;
}

/* The items of an enumeration as one JSON array, from two items on. */
static enum err list_find(const struct value_want *w, const struct text *x,
                          struct arena *a, struct value_choices *out)
{
    bool near = false, prose = false;
    size_t at = items_start(x, &near), end = x->n, from = at, items = 0;
    const size_t start = at;
    struct buf b;
    enum err e = ERR_OK;

    while (end > at && strchr(".!; \n", x->p[end - 1]) != NULL)
        end--;
    buf_init(&b, VALUE_BYTES_MAX);
    buf_addc(&b, '[');
    for (; at <= end && items < 50 && e == ERR_OK; at++) {
        size_t sep = at == end ? 1 : separator_at(x->p + at, end - at);
        const char *z = NULL;
        size_t words;

        if (sep == 0)
            continue;
        words = words_in(x->p + from, at - from);
        prose = prose || words > ITEM_WORDS_MAX;
        if (words > 0)
            e = item_value(w, (struct str){x->p + from, at - from}, a, &z);
        if (z != NULL)
            buf_addf(&b, "%s%s", items++ == 0 ? "" : ",", z);
        from = at + sep;
        at += sep - 1;
    }
    buf_addc(&b, ']');
    if (e == ERR_OK && buf_err(&b) == ERR_NOMEM)
        e = ERR_NOMEM;
    if (near && !prose && items >= 2 && e == ERR_OK && buf_err(&b) == ERR_OK)
        value_add(out, arena_strdup(a, buf_str(&b)), start, x->n,
                  FIT_PREDICATE + (double)(items > 10 ? 10 : items) / 100);
    buf_fini(&b);
    return e;
}

enum value_kind value_kind_of(const struct json *leaf, const char *type)
{
    const char *format = json_string(json_get(leaf, "format"));

    if (json_get(leaf, "enum") != NULL)
        return VALUE_ENUM;
    if (strcmp(type, "integer") == 0)
        return VALUE_INTEGER;
    if (strcmp(type, "number") == 0)
        return VALUE_NUMBER;
    if (strcmp(type, "boolean") == 0)
        return VALUE_BOOLEAN;
    if (strcmp(type, "array") == 0)
        return VALUE_LIST;
    if (format == NULL)
        return VALUE_TEXT;
    if (strcmp(format, "date") == 0)
        return VALUE_DATE;
    return strcmp(format, "date-time") == 0 ? VALUE_DATE_TIME : VALUE_TEXT;
}

enum err value_find(const struct value_want *w, const struct unit *u,
                    struct arena *a, struct value_choices *out)
{
    struct text *x = malloc(sizeof(*x));
    enum err e = ERR_OK;

    if (x == NULL)
        return ERR_NOMEM;
    out->count = 0;
    out->failed = false;
    text_read(x, u->text.p, u->text.n);
    near_read(w->label, u->text,
              w->type == ANSWER_DATE || w->type == ANSWER_PERSON, &x->near);
    switch (w->kind) {
    case VALUE_INTEGER:
    case VALUE_NUMBER:
        value_numbers(w, &x->near, a, out);
        break;
    case VALUE_BOOLEAN:
        value_add(out, value_denies(x->p, x->n) ? "false" : "true", 0, x->n,
                  FIT_BOOLEAN);
        break;
    case VALUE_DATE:
    case VALUE_DATE_TIME:
        dates_find(w, x, a, out);
        break;
    case VALUE_ENUM:
        enum_find(w, x, a, out);
        break;
    case VALUE_LIST:
        e = list_find(w, x, a, out);
        break;
    case VALUE_TEXT:
        text_find(w, x, a, out);
        break;
    }
    free(x);
    return arena_failed(a) || out->failed ? ERR_NOMEM : e;
}
