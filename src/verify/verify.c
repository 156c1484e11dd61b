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

/* --- quotations ------------------------------------------------ */

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

bool verify_place(const char *sentence, const char *passage, struct span *where,
                  const char **why, struct arena *a)
{
    struct tokens s, p;
    struct span at = {0, 0};
    const char *missing = "memory to check it";
    bool ok = stands_whole(sentence, passage, strlen(passage), &at, a);

    if (!ok)
        ok = tokens_read(sentence, a, &s) && tokens_read(passage, a, &p) &&
             quotations_hold(&s, &p, &missing, a) &&
             support_find(sentence, passage, &at, &missing, a);
    if (!ok && why != NULL)
        *why = missing;
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
