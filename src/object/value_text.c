/* Names, phrases and other text out of sentences; see value.h. Called by
 * structured_value.c. The weights were set with those of structured_near.c. */
#include "object/value.h"

#include "base/str.h"
#include "lang/words.h"
#include "question/overlap.h"

#include <string.h>

enum { PHRASE_WORDS_MAX = 14 };

/* Fitness of a text value by the way it was found. */
static const double FIT_CELL = 0.35;     /* "Author: D. R. Hipp" */
static const double FIT_SUBJECT = 0.4;   /* "Read Committed is the default" */
static const double FIT_PREDICATE = 0.3; /* "The license is public domain" */
static const double FIT_WHOLE = -0.1;    /* the sentence as it is */
static const double FIT_BY = 0.3;        /* "written by" */
static const double FIT_OTHER = -0.5;    /* any capitals */

/* "Read Committed is the default isolation level": does the label follow a
 * value that ends at byte end by way of a verb? */
bool text_is_subject(const struct text *x, size_t end)
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

/* The last token of the name that begins at i. Small words inside a name
 * ("of", "de") belong to it. */
static size_t name_end(const struct text *x, size_t i)
{
    static const char inner[] = "of de la van von der del";
    size_t last = i;

    for (size_t k = i + 1; k < x->count && k < i + 8; k++) {
        size_t gap = term_gap(&x->t[k - 1], &x->t[k]);

        if (gap > 2 || memchr(x->p + x->t[k - 1].end, ',', gap) != NULL ||
            memchr(x->p + x->t[k - 1].end, ':', gap) != NULL)
            break;
        if (is_capital(x, k))
            last = k;
        else if (!word_in(x->t[k].text, inner))
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
    static const char by[] = "by professor dr mr mrs ms";

    for (size_t i = 0; i < x->count; i++) {
        size_t last, start, end;
        double fit;

        if (!is_capital(x, i) || in_question(w, x->t[i].text) ||
            question_month(LANG_EN, x->t[i].text) > 0 ||
            word_in(x->t[i].text, by) ||
            term_is_stop(x->t[i].text, x->t[i].len) ||
            label_qualifiers(x->t[i].text, x->t[i].len) != 0 ||
            overlap_mask_loose(&w->label->words, x->p + x->t[i].start,
                               x->t[i].end - x->t[i].start) != 0)
            continue;
        last = name_end(x, i);
        start = x->t[i].start;
        end = x->t[last].end;
        fit = near_fit(&x->near, start, end);
        if (is_possessive(x, end))
            fit = FIT_OTHER; /* "Ousterhout's original code" */
        else if (text_is_subject(x, end))
            fit += FIT_SUBJECT;
        else if (i > 0 && word_in(x->t[i - 1].text, by))
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
 * end of the clause or of the cell. */
static size_t clause_end(const struct text *x, size_t at)
{
    size_t end = trimmed_end(x);

    for (size_t i = at; i < end; i++)
        if (strchr(",;()", x->p[i]) != NULL ||
            (x->p[i] == ']' && memchr(x->p + at, '[', i - at) == NULL) ||
            (x->p[i] == '.' && x->p[i + 1] == ' ') ||
            (x->p[i] == ' ' && x->p[i + 1] == '|'))
            return i;
    return end;
}

/* "the string "auto"": what is quoted, where all else are words of form. */
static void quoted_find(const struct text *x, size_t *start, size_t *end)
{
    const char *open = memchr(x->p + *start, '"', *end - *start), *close;
    struct term_iter it;
    struct term t;

    if (open == NULL || *end == 0 || x->p[*end - 1] != '"')
        return;
    close = memchr(open + 1, '"', (size_t)(x->p + *end - open - 1));
    if (close != x->p + *end - 1)
        return;
    terms_init(&it, x->p + *start, (size_t)(open - x->p) - *start);
    while (tokens_next(&it, &t))
        if (!term_is_stop(t.text, t.len) && !label_is_form(t.text) &&
            !word_in(t.text, "keyword word text"))
            return;
    *start = (size_t)(open + 1 - x->p);
    *end = (size_t)(close - x->p);
}

/* A verb, or several words that hold sentences together, make no value. */
static bool is_clause(const struct text *x, size_t start, size_t end)
{
    size_t stops = 0;

    for (size_t i = 0; i < x->count; i++) {
        const struct term *t = &x->t[i];

        if (t->start < start || t->end > end || t->len < 2 ||
            !term_is_stop(t->text, t->len) ||
            word_in(t->text, "the a an of and or to"))
            continue;
        stops += word_in(t->text, "is are was were be been has have") ? 2 : 1;
    }
    return stops > 1;
}

static void phrase_add(const struct text *x, size_t start, size_t end,
                       double fit, struct arena *a, struct value_choices *out)
{
    size_t words = 0;

    static const char *const none[] = {"not ", "no ",         "to ",
                                       "now ", "previously ", "formerly "};
    const char *equals;
    struct str bare;

    while (start < end && ascii_is_space(x->p[start]))
        start++;
    if (start >= end) /* "mode: ;" */
        return;
    /* "journal_mode=DELETE" */
    equals = memchr(x->p + start, '=', end - start);
    if (equals != NULL && memchr(x->p + start, ' ', end - start) == NULL)
        start = (size_t)(equals + 1 - x->p);
    bare = value_bare((struct str){x->p + start, end - start});
    start = (size_t)(bare.p - x->p);
    end = start + bare.n;
    quoted_find(x, &start, &end);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (ascii_starts_i(x->p + start, none[i]))
            return;
    if (is_clause(x, start, end))
        return;
    for (size_t i = 0; i < x->count; i++)
        words += x->t[i].start >= start && x->t[i].end <= end;
    if (words > 0 && words <= PHRASE_WORDS_MAX)
        value_add(out, value_string(x->p + start, end - start, a), start, end,
                  fit);
}

/* Of a default it must be said what the default is, not what another word of
 * the label is. */
static bool is_of_qualifier(const struct near *x, size_t start)
{
    const struct label_hit *last = NULL;

    for (size_t i = 0; i < x->hit_count && x->hits[i].end <= start; i++)
        if (x->hits[i].qualifier)
            last = &x->hits[i];
    return (x->label->qualifiers & QUALIFIER_DEFAULT) == 0 ||
           (last != NULL &&
            tokens_count(x->text.p + last->end, start - last->end) <= 3);
}

/* What "LABEL is …" or "LABEL defaults to …" says, when it is short. */
static void predicate_find(const struct text *x, struct arena *a,
                           struct value_choices *out)
{
    static const char verbs[] = "is are was were";

    for (size_t i = 0; i + 1 < x->count; i++) {
        const struct term *t = &x->t[i];
        bool to = strcmp(t->text, "defaults") == 0 &&
                  strcmp(x->t[i + 1].text, "to") == 0;
        size_t gap = near_gap(&x->near, t->start);

        if (to) {
            size_t from = x->t[i + 1].end;

            phrase_add(x, from, clause_end(x, from), FIT_PREDICATE, a, out);
        } else if (gap <= 3 && word_in(t->text, verbs) &&
                   is_of_qualifier(&x->near, t->start)) {
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
    static const char pronouns[] = "this that it there which what these";

    for (size_t i = 0; i < x->count && i < 6; i++) {
        size_t start = x->t[0].start;

        if (word_in(x->t[i].text, pronouns))
            return;
        if (strcmp(x->t[0].text, "the") == 0 && i > 0)
            start = x->t[1].start;
        if (text_is_subject(x, x->t[i].end)) {
            phrase_add(x, start, x->t[i].end, FIT_SUBJECT, a, out);
            return;
        }
    }
}

/* Does the word end with what it opened itself, "cleanup(8)", "%{uid}"? */
static bool closes(const char *p, size_t n)
{
    static const char pairs[] = ")(][}{><";
    const char *at = strchr(pairs, p[n - 1]);

    return at != NULL && *at != '\0' && (at - pairs) % 2 == 0 &&
           memchr(p, at[1], n - 1) != NULL;
}

/* Is a bracket that the sign closes open at byte `at`? */
static bool is_open(const struct text *x, size_t at, char sign)
{
    char opens = sign == ')' ? '(' : sign == ']' ? '[' : '{';
    size_t depth = 0;

    for (size_t i = 0; i < at; i++) {
        depth += x->p[i] == opens;
        depth -= depth > 0 && x->p[i] == sign;
    }
    return depth > 0;
}

/* Where what stands from byte `at` to the text's end ends, without a bracket
 * that opened ahead of it: "[default: info]". */
static size_t head_end(const struct text *x, size_t at)
{
    size_t end = trimmed_end(x);
    char last = end > at ? x->p[end - 1] : ' ';

    return memchr(")]}", last, 3) != NULL && is_open(x, at, last) &&
                   !closes(x->p + at, end - at)
               ? end - 1
               : end;
}

/* Is the word at byte `at` "Default"? The value stands behind it. */
static bool says_default(const struct text *x, size_t at)
{
    for (size_t i = 0; i < x->count; i++)
        if (x->t[i].start >= at)
            return word_in(x->t[i].text, value_words.defaults);
    return false;
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
        near_gap(&x->near, head) <= 1 && !says_default(x, head + 2))
        phrase_add(x, head + 2, head_end(x, head + 2), FIT_CELL, a, out);
}

/* Where a bracket opens, n without one. */
static size_t bracket(const char *p, size_t n)
{
    const char *open = memchr(p, '(', n);

    return open == NULL ? n : (size_t)(open - p);
}

/* Behind the word that begins at byte `at`, without the signs that end a
 * statement. */
static size_t word_end(const struct text *x, size_t at)
{
    size_t end = at;

    while (end < x->n && !ascii_is_space(x->p[end]))
        end++;
    while (end > at && strchr(".,;:)]}", x->p[end - 1]) != NULL &&
           !closes(x->p + at, end - at))
        end--;
    return end;
}

/* "skip (default)", "skip (the default)": the word ahead of the bracket in
 * which token i stands alone. */
static void marked_default(const struct text *x, size_t i, struct arena *a,
                           struct value_choices *out)
{
    const struct term *t = &x->t[i];
    size_t end = t->start, from;

    if (t->end >= x->n || strchr(")]", x->p[t->end]) == NULL)
        return;
    if (end > 4 && ascii_starts_i(x->p + end - 4, "the "))
        end -= 4;
    if (end < 2 || strchr("([", x->p[end - 1]) == NULL)
        return;
    for (end--; end > 0 && x->p[end - 1] == ' '; end--)
        ;
    for (from = end; from > 0 && !ascii_is_space(x->p[from - 1]); from--)
        ;
    phrase_add(x, from, end, FIT_CELL, a, out);
}

/* Is token i a number that a unit follows, "24 hours"? Alone it says less. */
static bool is_measured(const struct text *x, size_t i)
{
    return i + 1 < x->count && ascii_is_digit(x->t[i].text[0]) &&
           term_gap(&x->t[i], &x->t[i + 1]) == 1 &&
           value_is_unit(x->t[i + 1].text);
}

/* Does a mark end the text behind byte `end`, "[default: i]"? */
static bool is_closed(const struct text *x, size_t at, size_t end)
{
    return at > 2 && memcmp(x->p + at - 2, ": ", 2) == 0 &&
           (end == x->n || strchr("])", x->p[end]) != NULL);
}

/* Are there several words without one that sentences are made of, or one that
 * begins something else ("utf8 Added 3.2"), "$artist - $title"? They are one
 * value. */
static bool is_written(const struct text *x, size_t start, size_t end)
{
    static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    for (size_t i = 0; i < x->count; i++)
        if (x->t[i].start >= start && x->t[i].end <= end &&
            ((x->t[i].len > 1 && term_is_stop(x->t[i].text, x->t[i].len)) ||
             (x->t[i].start > start && strchr(capitals, x->p[x->t[i].start]))))
            return false;
    return memchr(x->p + start, ' ', end - start) != NULL;
}

/* "Default: "prefork"", "(default merge)", "defaults to US", "skip (default)":
 * what is said to be the default, in an entry of the very setting. */
static void default_find(const struct text *x, struct arena *a,
                         struct value_choices *out)
{
    for (size_t i = 0; i < x->count; i++) {
        size_t at = x->t[i].end, k = i + 1, end;
        const char *close;
        bool said;

        if (!word_in(x->t[i].text, value_words.defaults))
            continue;
        marked_default(x, i, a, out);
        said = x->t[i].start > 0 && x->p[x->t[i].start - 1] == '(' &&
               at < x->n && x->p[at] == ' '; /* "(default merge)" */
        for (; k < x->count &&
               word_in(x->t[k].text, "value setting is are to of just");
             k++) {
            said = said || word_in(x->t[k].text, "is are to");
            at = x->t[k].end;
        }
        for (; at < x->n && strchr(":= ", x->p[at]) != NULL; at++)
            said = said || x->p[at] != ' ';
        if (!said || at >= x->n)
            continue;
        close = strchr("\"'`", x->p[at]) == NULL
                    ? NULL
                    : memchr(x->p + at + 1, x->p[at], x->n - at - 1);
        if (close != NULL) {
            phrase_add(x, at, (size_t)(close + 1 - x->p), FIT_CELL, a, out);
            continue;
        }
        end = word_end(x, at);
        if (!is_measured(x, k) && !is_written(x, at, clause_end(x, at)) &&
            (k >= x->count || x->t[k].end < end || is_closed(x, at, end) ||
             (!term_is_stop(x->t[k].text, x->t[k].len) &&
              !word_in(x->t[k].text, "same whatever whichever"))))
            phrase_add(x, at, end, FIT_CELL, a, out);
        if (clause_end(x, at) > end)
            phrase_add(x, at, clause_end(x, at), FIT_CELL, a, out);
    }
}

/* "August 1993", and years alone. */
static void years_find(const struct text *x, struct arena *a,
                       struct value_choices *out)
{
    bool month = false;

    for (size_t i = 0; i < x->count; i++) {
        size_t start = x->t[i == 0 ? 0 : i - 1].start, end = x->t[i].end;

        if (date_year(x, i) > 0 && month)
            value_add(out, value_string(x->p + start, end - start, a), start,
                      end, near_fit(&x->near, start, end));
        else if (date_year(x, i) > 0)
            value_add(out, arena_printf(a, "\"%s\"", x->t[i].text),
                      x->t[i].start, x->t[i].end,
                      near_fit(&x->near, x->t[i].start, x->t[i].end));
        month = question_month(LANG_EN, x->t[i].text) > 0;
    }
}

/* Does one of the label's words stand right ahead of bytes from..to, or right
 * behind them? */
static bool is_beside(const struct text *x, size_t from, size_t to)
{
    for (size_t k = 0; k < x->near.hit_count; k++) {
        const struct label_hit *h = &x->near.hits[k];

        if ((h->start > to && h->start - to < 3) ||
            (from > h->end && from - h->end < 3))
            return true;
    }
    return false;
}

/* What stands in quotation marks, and single words that are written as programs
 * have them: paths, options, keys pressed together, names with a dot, an
 * underscore or brackets in them; with a hyphen beside a word of the label. */
static void marked_find(const struct text *x, struct arena *a,
                        struct value_choices *out)
{
    static const char *const marks[][2] = {{"\"", "\""},
                                           {"\xE2\x80\x98", "\xE2\x80\x99"},
                                           {"\xE2\x80\x9C", "\xE2\x80\x9D"}};
    enum { MARKED_BYTES_MAX = 80 };

    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        for (size_t at = 0; at < x->n;) {
            const char *open = mem_find(x->p + at, x->n - at, marks[k][0]);
            size_t from = open == NULL
                              ? x->n
                              : (size_t)(open - x->p) + strlen(marks[k][0]);
            const char *close = mem_find(x->p + from, x->n - from, marks[k][1]);
            size_t to = close == NULL ? x->n : (size_t)(close - x->p);

            at = close == NULL ? x->n : to + strlen(marks[k][1]);
            if (close != NULL && to > from && to - from <= MARKED_BYTES_MAX)
                value_add(out, value_string(x->p + from, to - from, a), from,
                          to, near_fit(&x->near, from, to));
        }
    for (size_t i = 0, n; i < x->n; i += n + 1) {
        size_t from = i, to;
        bool code = false;

        n = strcspn(x->p + i, " \t\n");
        n = n > x->n - i ? x->n - i : n;
        to = i + n;
        while (from < to && strchr("\"'`([{<,", x->p[from]) != NULL)
            from++;
        while (to > from && strchr("\"'`)]}>,.;:?!", x->p[to - 1]) != NULL &&
               !closes(x->p + from, to - from))
            to--;
        if (to > from && !closes(x->p + from, to - from))
            to = from + bracket(x->p + from, to - from);
        for (size_t k = from; k + 1 < to; k++)
            code = code || strchr("/_(", x->p[k]) != NULL ||
                   (k > from && x->p[k] == '+') ||
                   (x->p[k] == '.' && ascii_is_alpha(x->p[k + 1])) ||
                   (k == from && strchr("-#", x->p[k]) != NULL) ||
                   (k > from && x->p[k] == '-' && is_beside(x, from, to));
        if (code)
            value_add(out, value_string(x->p + from, to - from, a), from, to,
                      near_fit(&x->near, from, to));
    }
}

/* Is it joined to another word, "L" of "Shift+L", "8" of "cleanup(8)"? */
static bool is_joined(const struct text *x, const struct term *t)
{
    static const char joins[] = "+_-/=(";

    return (t->start > 1 && strchr(joins, x->p[t->start - 1]) != NULL &&
            ascii_is_alnum(x->p[t->start - 2])) ||
           (t->end + 1 < x->n && strchr(joins, x->p[t->end]) != NULL &&
            ascii_is_alnum(x->p[t->end + 1]));
}

/* The word right ahead of one of the label's, or right behind it: "the gdbm
 * library", "codename Etch"; and numbers, as they are written, but for a person
 * or a place. */
static void apposed_find(const struct value_want *w, const struct text *x,
                         struct arena *a, struct value_choices *out)
{
    bool numbers = w->type != ANSWER_PERSON && w->type != ANSWER_PLACE;

    for (size_t i = 0; i < x->count; i++) {
        const struct term *t = &x->t[i];
        bool letter = t->len == 1 && x->p[t->start] >= 'A' &&
                      x->p[t->start] <= 'Z' && i > 0;
        bool beside = false;

        for (size_t k = 0; k < x->near.hit_count; k++) {
            const struct label_hit *h = &x->near.hits[k];

            beside = beside || (h->start > t->end && h->start - t->end < 3) ||
                     (!h->qualifier && t->start > h->end &&
                      t->start - h->end < 3); /* no "default behaviour" */
            if (h->start <= t->start && h->end >= t->end) {
                beside = false;
                break;
            }
        }
        if (is_joined(x, t))
            continue;
        if ((beside && (letter || !term_is_stop(t->text, t->len))) ||
            (numbers && ascii_is_digit(x->p[t->start])))
            value_add(out, value_string(x->p + t->start, t->end - t->start, a),
                      t->start, t->end, near_fit(&x->near, t->start, t->end));
    }
}

void value_texts(const struct value_want *w, const struct text *x,
                 struct arena *a, struct value_choices *out)
{
    const char *hint = w->label->hint;
    bool version = w->label->words.type != ANSWER_DATE &&
                   mem_find_i(hint, strlen(hint), "version") != NULL;
    bool named = w->type == ANSWER_PERSON || w->type == ANSWER_PLACE ||
                 w->type == ANSWER_DATE;

    if (version) {
        out->way = WAY_VERSION;
        versions_find(x, a, out);
        return;
    }
    out->way = WAY_CELL;
    head_find(x, a, out);
    out->way = WAY_PLAIN;
    if (w->type == ANSWER_DATE) {
        value_dates(w, x, a, out);
        years_find(x, a, out);
    }
    /* A field that asks for a name or a date is not served with a phrase. */
    if (!named) {
        out->way = WAY_MEASURE;
        value_quantities(w, &x->near, a, out);
        out->way = WAY_SUBJECT;
        subject_find(x, a, out);
        out->way = WAY_PREDICATE;
        predicate_find(x, a, out);
    }
    if (w->entry) { /* of a setting, whatever "name" is in its own */
        struct str head = label_signed(w->label, (struct str){x->p, x->n});
        size_t at = (size_t)(head.p - x->p);

        out->way = WAY_CELL;
        default_find(x, a, out);
        if (head.n > 0 && !str_eq(head, "None"))
            value_add(out, value_string(head.p, head.n, a), at, at + head.n,
                      FIT_CELL);
    }
    out->way = WAY_MARKED;
    marked_find(x, a, out);
    out->way = WAY_NAME;
    names_find(w, x, a, out);
    out->way = WAY_BESIDE;
    apposed_find(w, x, a, out);
    out->way = WAY_WHOLE;
    /* Nor is one that asks for a limit or a default with a sentence. */
    if (!named && w->label->qualifiers == 0 && x->near.cell_count == 0)
        value_add(out, value_string(x->p, x->n, a), 0, x->n, FIT_WHOLE);
}
