/*
 * The part of a passage that shows why it matters: whole sentences, verbatim.
 * Pure; called by search.c and provider results.
 */
#include "answer/answer.h"
#include "question/overlap.h"

#include "base/str.h"
#include "text/passage.h"

#include <string.h>

/* Cut at a word border when even one sentence is too long. */
static size_t cut_at_word(const char *p, size_t n, size_t max)
{
    size_t k = utf8_cut(p, n, max), back;

    if (k == n)
        return n;
    for (back = k; back > k / 2; back--)
        if (ascii_is_space(p[back]))
            return back;
    return k;
}

static size_t span_end(const struct span *s)
{
    return s->start + s->len;
}

/* The window of whole sentences with the heaviest set of terms; of equal
 * ones the earliest. */
static struct span best_window(const struct query *q, const char *text,
                               const struct span *s, size_t count, size_t max)
{
    struct span best = {0, 0};
    double best_weight = -1;

    for (size_t i = 0; i < count; i++) {
        uint64_t mask = 0;
        size_t last = i;

        for (size_t k = i; k < count && span_end(&s[k]) - s[i].start <= max;
             k++) {
            mask |= overlap_mask(q, text + s[k].start, s[k].len);
            last = k;
        }
        if (overlap_weight(q, mask) > best_weight + 1e-9) {
            best_weight = overlap_weight(q, mask);
            best.start = s[i].start;
            best.len = span_end(&s[last]) - s[i].start;
        }
    }
    return best;
}

const char *snippet_of(const struct query *q, const char *passage, size_t max,
                       struct arena *a)
{
    size_t n = strlen(passage), count = 0;
    struct span *spans = NULL, best = {0, n};

    if (n <= max)
        return arena_strdup(a, passage);
    if (sentences_split(passage, n, a, &spans, &count) != ERR_OK)
        return NULL;
    if (count > 0)
        best = best_window(q, passage, spans, count, max);
    best.len = cut_at_word(passage + best.start, best.len, max);
    return arena_strndup(a, passage + best.start, best.len);
}
