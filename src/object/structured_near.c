/* Where a value stands; see value.h. Called by the files of values.
 * The weights were set by hand on 26 fields over the documentation of SQLite,
 * PostgreSQL and Git; docs/structured.md has the result on others. */
#include "object/value.h"

#include "question/overlap.h"
#include "text/terms.h"

#include <string.h>
#include <strings.h>

static const double FIT_LINKED = 0.35;  /* "the limit is 10" */
static const double FIT_LOOSE = -0.15;  /* linked to another thing's size */
static const double FIT_COUNTED = 0.25; /* "10 columns" */
static const double FIT_HEAD = 0.35;    /* "Storage Size: 2" */
static const double FIT_KEY = -0.3;     /* names the row */
static const double FIT_REMARK = -0.25; /* a column of comments */
static const double FIT_PAST = -0.35;   /* "was 1024" */
static const double FIT_NEW = 0.15;     /* "increased to 4096" */
static const double FIT_FAR = -0.3;     /* an unlinked value far away */
enum {
    FAR_TOKENS = 9,
    BEHIND_TOKENS = 3,
    WINDOW_TOKENS = 7,
    HEAD_BYTES_MIN = 4
};

void near_read(const struct label *l, struct str text, bool event,
               struct near *out)
{
    out->text = text;
    out->event = event;
    out->label = l;
    out->hit_count = label_hits(l, text.p, text.n, out->hits, LABEL_HITS_MAX);
    out->cell_count = cells_read(text, out->cells, CELLS_MAX);
}

/* The last word of the label that ends before byte at, or NULL. */
static const struct label_hit *hit_before(const struct near *x, size_t at)
{
    const struct label_hit *found = NULL;

    for (size_t i = 0; i < x->hit_count && x->hits[i].end <= at; i++)
        found = &x->hits[i];
    return found;
}

static const struct label_hit *hit_behind(const struct near *x, size_t at)
{
    for (size_t i = 0; i < x->hit_count; i++)
        if (x->hits[i].start >= at)
            return &x->hits[i];
    return NULL;
}

size_t near_gap(const struct near *x, size_t start)
{
    const struct label_hit *h = hit_before(x, start);

    return h == NULL ? SIZE_MAX
                     : tokens_count(x->text.p + h->end, start - h->end);
}

/* Only words that link a thing to its value. */
static bool is_link(const char *p, size_t n)
{
    static const char words[] =
        "is are be of to by at as about approximately typically usually "
        "currently normally default defaults set limited equal exactly up the "
        "a an value been has increased changed only around equals limit now on "
        "it which above beyond cannot exceed roughly size port s number called "
        "named and made raised "
        "always this in over";
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        if (!word_in(t.text, words) && !label_is_form(t.text))
            return false;
    return memchr(p, ';', n) == NULL;
}

/* What the few words right before the value say of its time. */
static double tense_fit(const struct near *x, size_t start)
{
    static const char past[] = "was were formerly previously from prior before "
                               "older until earlier between";
    static const char change[] =
        "increased changed raised lowered reduced now decreased";
    static const char denials[] = "no not cannot must";
    size_t from = start > 40 ? start - 40 : 0;
    struct term_iter it;
    struct term t;
    double fit = 0;
    /* "no more than 10", "must be less than 10" is a limit, "more than 10"
     * none */
    bool denied = false;
    bool since = mem_find_i(x->text.p, start, "since ") != NULL;

    while (from > 0 && from < start && x->text.p[from - 1] != ' ')
        from++;
    terms_init(&it, x->text.p + from, start - from);
    while (tokens_next(&it, &t)) {
        denied = denied || word_in(t.text, denials);
        if (word_in(t.text, past) || (!denied && strcmp(t.text, "than") == 0))
            fit = FIT_PAST;
        else if (word_in(t.text, change))
            fit = FIT_NEW;
        else if (since && fit >= 0 && fit < FIT_NEW &&
                 strcmp(t.text, "been") == 0)
            fit = FIT_PAST;
    }
    return fit;
}

/* --- rows ----------------------------------------------------------------- */

/* Does the hint say the whole head, "Date" of "release date"? */
static bool is_said(const char *hint, struct str head)
{
    size_t n = strlen(hint);

    for (size_t i = 0; head.n >= HEAD_BYTES_MIN && i + head.n <= n; i++)
        if (strncasecmp(hint + i, head.p, head.n) == 0)
            return true;
    return false;
}

static double row_fit(const struct near *x, size_t start)
{
    const struct query *q = &x->label->words;
    double fit = 0;

    for (size_t i = 0; i < x->cell_count; i++) {
        struct str head = x->cells[i].head, value = x->cells[i].value;
        size_t at = (size_t)(value.p - x->text.p);

        if (start < at || start >= at + value.n)
            continue;
        if (overlap_mask_loose(q, head.p, head.n) != 0 ||
            is_said(x->label->hint, head) ||
            (label_qualifiers(head.p, head.n) & x->label->qualifiers) != 0)
            fit = FIT_HEAD;
        else if (cell_is_remark(&x->cells[i]))
            fit = FIT_REMARK;
        else if (i == 0)
            fit = FIT_KEY;
        /* A cell that says more than the value is prose. */
        if (fit > 0 && tokens_count(value.p, value.n) > 6)
            fit = 0;
    }
    return fit;
}

/* How much of the label stands in the few words ahead of a linked value. "The
 * default is" says all when it is a default that is asked for. */
static double linked_fit(const struct near *x, size_t start)
{
    size_t from = start, tokens = 0;
    double share;

    for (size_t i = x->hit_count; i-- > 0;) {
        const struct label_hit *h = &x->hits[i];

        if (h->end > start)
            continue;
        tokens = tokens_count(x->text.p + h->end, start - h->end);
        if (tokens > WINDOW_TOKENS)
            break;
        from = h->start;
        if (h->qualifier &&
            (label_qualifiers(x->text.p + h->start, h->end - h->start) &
             QUALIFIER_DEFAULT))
            return FIT_LINKED;
    }
    if (x->label->words.term_count == 0)
        return FIT_LINKED;
    share = overlap_share(
        &x->label->words,
        overlap_mask_loose(&x->label->words, x->text.p + from, start - from));
    return FIT_LINKED * share + (share < 0.5 ? FIT_LOOSE : 0);
}

/* "10 by default", "10 of the columns": words between a value and the label
 * behind it. */
static bool is_link_behind(const char *p, size_t n)
{
    static const char words[] = "by of the";
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        if (!word_in(t.text, words))
            return false;
    return true;
}

void near_parts(const struct near *x, size_t start, size_t end, double *out)
{
    const struct label_hit *before = hit_before(x, start);
    const struct label_hit *behind = hit_behind(x, end);
    size_t gap, next;

    memset(out, 0, NEAR_PARTS * sizeof *out);
    out[NEAR_TENSE] = x->event ? 0 : tense_fit(x, start);
    if (x->cell_count > 0) {
        out[NEAR_CELL] = row_fit(x, start);
        return;
    }
    gap = near_gap(x, start);
    next = behind == NULL ? SIZE_MAX
                          : tokens_count(x->text.p + end, behind->start - end);
    if (before != NULL && is_link(x->text.p + before->end, start - before->end))
        out[NEAR_LINKED] = linked_fit(x, start);
    else if (next == 0 ||
             (next < BEHIND_TOKENS &&
              is_link_behind(x->text.p + end, behind->start - end)))
        out[NEAR_COUNTED] = FIT_COUNTED;
    else if (gap > FAR_TOKENS && next > BEHIND_TOKENS)
        out[NEAR_FAR] = FIT_FAR;
    else if (gap <= FAR_TOKENS)
        out[NEAR_GAP] = 0.15 * (1.0 - (double)gap / FAR_TOKENS);
}

double near_sum(const double *parts)
{
    double fit = 0;

    for (size_t i = 0; i < NEAR_PARTS; i++)
        fit += parts[i];
    return fit;
}

double near_fit(const struct near *x, size_t start, size_t end)
{
    double parts[NEAR_PARTS];

    near_parts(x, start, end, parts);
    return near_sum(parts);
}
