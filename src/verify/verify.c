/*
 * A statement held against a text: it stands there word for word (quote.c), or
 * one place says the same (support.c), or what the text says instead is found.
 * Pure; knows nothing of who wrote it.
 */
#include "verify/verify.h"
#include "verify/quote.h"
#include "verify/support.h"

#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

enum { QUOTED_MAX = 900 }; /* bytes of a place of more than two sentences */

/* Of the statement's words a place must have to be said in its stead. */
static const double REPAIR_SHARE = 0.45;
/* … that a quote has if it is of what the statement says. */
static const double APT_SHARE = 0.65;

struct verify_text {
    struct plain plain;
    struct support_text words;
};

/* --- quotations ---------------------------------------------------------- */

/* A text's letters and digits, folded, one blank between its words. */
static char *folded(const char *p, size_t n, struct arena *a)
{
    char *z = arena_alloc(a, 2 * n + 2);
    struct term_iter it;
    struct term t;
    size_t len = 0;

    if (z == NULL)
        return NULL;
    z[len++] = ' ';
    terms_init(&it, p, n);
    while (tokens_next(&it, &t) && len + t.len + 2 < 2 * n + 2) {
        memcpy(z + len, t.text, t.len);
        len += t.len;
        z[len++] = ' ';
    }
    z[len] = '\0';
    return z;
}

/* What a statement puts in quotation marks must be a run of the text's words.
 */
static bool quotations_hold(const char *statement, const char *text,
                            const char **missing, struct arena *a)
{
    static const char *const marks[][2] = {{"\"", "\""}, {"“", "”"},
                                           {"„", "“"},   {"«", "»"},
                                           {"「", "」"}, {"『", "』"}};
    const char *all = NULL;

    for (size_t m = 0; m < sizeof(marks) / sizeof(marks[0]); m++) {
        const char *at = statement, *open, *close;
        size_t width = strlen(marks[m][0]);

        while ((open = strstr(at, marks[m][0])) != NULL &&
               (close = strstr(open + width, marks[m][1])) != NULL) {
            const char *from = open + width, *words;
            size_t n = (size_t)(close - from);

            if (all == NULL)
                all = folded(text, strlen(text), a);
            words = folded(from, n, a);
            if (all == NULL || words == NULL || strstr(all, words) == NULL) {
                *missing = arena_printf(a, "the quotation \"%.*s\"",
                                        (int)(n < 80 ? n : 80), from);
                return false;
            }
            at = close + strlen(marks[m][1]);
        }
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

/* Is a range of a text whole sentences or lines? What is cut out of one may
 * say the opposite. */
static bool is_whole(const struct support_text *t, struct span s)
{
    size_t last = s.start + s.len;
    bool begins = false, ends = false;

    for (size_t i = 0; i < t->n; i++) {
        size_t end = t->spans[i].start + t->spans[i].len;

        begins = begins || t->spans[i].start == s.start;
        ends = ends || end == last ||
               (t->spans[i].start < last && end > last &&
                sentence_is_closed(t->text + s.start, s.len) &&
                is_marks(t->text + last, end - last));
    }
    return begins && ends;
}

static bool stands_whole(const struct verify_text *t, const struct plain *what,
                         struct span *where)
{
    size_t at = 0;

    while (plain_find(&t->plain, what, &at, where))
        if (is_whole(&t->words, *where))
            return true;
    return false;
}

/* What stands ahead of a statement is none of it: "Yes, it is" is "It is". */
static const char *body_of(const char *statement,
                           const struct support_words *claim)
{
    return claim->n > 0 ? statement + claim->w[0].start : statement;
}

const char *verdict_name(enum verdict v)
{
    static const char *const names[] = {"quoted", "supported", "repaired",
                                        "contradicted", "unsupported"};

    return names[v];
}

const struct verify_text *verify_text_read(const char *text, struct arena *a)
{
    struct verify_text *t = arena_alloc(a, sizeof(*t));

    return t != NULL && plain_read(text, strlen(text), a, &t->plain) &&
                   support_text_read(text, a, &t->words)
               ? t
               : NULL;
}

bool verify_quote(const struct verify_text *t, const char *quote,
                  struct span *where, struct arena *a)
{
    struct plain what;
    size_t at = 0;

    return plain_read(quote, strlen(quote), a, &what) &&
           plain_find(&t->plain, &what, &at, where);
}

/* The sentences that a range touches. */
static void range_of(const struct support_text *t, struct span s, size_t *lo,
                     size_t *hi)
{
    *lo = *hi = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (t->spans[i].start >= s.start + s.len)
            break;
        if (t->spans[i].start + t->spans[i].len <= s.start)
            *lo = i + 1;
        *hi = i + 1;
    }
}

static struct checked unsupported(const char *why)
{
    return (struct checked){
        VERDICT_UNSUPPORTED,
        {0, 0},
        why == NULL ? "memory to check it" : why,
        false,
        false};
}

/* The statement's words are read, and stand nowhere as they are. */
static struct checked compare(const struct verify_text *t,
                              const char *statement,
                              const struct support_words *claim, size_t lo,
                              size_t hi, bool quoted, struct arena *a)
{
    const struct support_text *ws = &t->words;
    struct checked c = {VERDICT_SUPPORTED, {0, 0}, "", false, true};
    const char *why = NULL, *veto = NULL;
    bool quotations = quotations_hold(statement, t->plain.source, &veto, a);
    double share;

    if (quotations && support_find(claim, ws, lo, hi, false, &c.quote,
                                   &veto, a))
        return c;
    c.verdict = VERDICT_CONTRADICTED;
    c.why = veto != NULL ? veto : support_missing(claim, ws, lo, hi, a);
    if (c.why == NULL)
        return unsupported(NULL);
    if (veto == NULL &&
        support_find(claim, ws, lo, hi, true, &c.quote, &why, a))
        return c;
    share = support_nearest(claim, ws, lo, hi, &c.quote);
    c.verdict = VERDICT_REPAIRED;
    c.open = quoted && quotations && support_bars(claim, ws, lo, hi) == NULL;
    /* A list, say: what was quoted, rather than the one or two lines of it that
     * are nearest. */
    if (quoted && hi - lo > 2) {
        size_t start = ws->spans[lo].start;
        size_t len = ws->spans[hi - 1].start + ws->spans[hi - 1].len - start;

        if (len <= QUOTED_MAX) {
            c.quote = (struct span){start, len};
            share = support_share(claim, ws, lo, hi);
        }
    }
    c.apt = share >= APT_SHARE;
    return share > 0 && (quoted || share >= REPAIR_SHARE) ? c
                                                          : unsupported(c.why);
}

struct checked verify_check(const struct verify_text *t, const char *statement,
                            const char *quote, struct arena *a)
{
    struct checked c = {VERDICT_QUOTED, {0, 0}, "", false, true};
    struct support_words claim;
    struct plain what, body;
    struct span where = {0, 0};
    size_t lo = 0, hi = t->words.n;
    const char *z;

    if (quote != NULL && !verify_quote(t, quote, &where, a))
        return unsupported("the passage does not have the words quoted");
    if (!support_claim_read(statement, t->words.continental, a, &claim))
        return unsupported("the sentence is too long to be checked");
    z = body_of(statement, &claim);
    if (!plain_read(statement, strlen(statement), a, &what) ||
        !plain_read(z, strlen(z), a, &body))
        return unsupported(NULL);
    if (what.n == 0 || stands_whole(t, &what, &c.quote) ||
        stands_whole(t, &body, &c.quote))
        return c;
    c.verdict = VERDICT_SUPPORTED; /* of what says nothing */
    if (claim.n == 0)
        return c;
    if (quote != NULL)
        range_of(&t->words, where, &lo, &hi);
    return compare(t, statement, &claim, lo, hi, quote != NULL, a);
}

struct span verify_widen(const struct verify_text *t, struct span s)
{
    size_t lo, hi;

    range_of(&t->words, s, &lo, &hi);
    if (lo > 0 && lo < hi && support_points_back(&t->words, lo)) {
        size_t end = s.start + s.len;

        s.start = t->words.spans[lo - 1].start;
        s.len = end - s.start;
    }
    return s;
}

bool verify_place(const char *sentence, const char *passage, struct span *where,
                  const char **why, struct arena *a)
{
    const struct verify_text *t = verify_text_read(passage, a);
    struct checked c =
        t == NULL ? unsupported(NULL) : verify_check(t, sentence, NULL, a);
    bool ok = c.verdict == VERDICT_QUOTED || c.verdict == VERDICT_SUPPORTED;

    if (!ok && why != NULL)
        *why = c.why;
    if (ok && where != NULL)
        *where = c.quote;
    return ok;
}

bool verify_sentence(const char *sentence, const char *passage,
                     const char **why, struct arena *a)
{
    return verify_place(sentence, passage, NULL, why, a);
}

bool verify_judged(const char *sentence, const char *passage, struct span where,
                   const char **why, struct arena *a)
{
    const struct verify_text *t = verify_text_read(passage, a);
    const char *quote = where.start + where.len <= strlen(passage)
                            ? arena_strndup(a, passage + where.start, where.len)
                            : NULL;
    struct checked c = t == NULL || quote == NULL
                           ? unsupported(NULL)
                           : verify_check(t, sentence, quote, a);

    *why = c.why;
    return c.verdict <= VERDICT_SUPPORTED || c.open;
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
