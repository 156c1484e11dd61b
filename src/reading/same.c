/* Sentences compared; see same.h. */
#include "reading/same.h"

#include "base/str.h"
#include "text/terms.h"

#include <string.h>

static const double REPEATS_FROM = 0.7;

static uint32_t hash_of(const char *p, size_t n)
{
    uint32_t h = 2166136261u; /* FNV-1a */

    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)p[i]) * 16777619u;
    return h;
}

static bool has(const uint32_t *v, size_t n, uint32_t h)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] == h)
            return true;
    return false;
}

static void add(uint32_t *v, size_t *n, size_t max, uint32_t h)
{
    if (*n < max && !has(v, *n, h))
        v[(*n)++] = h;
}

void same_read(struct same_print *out, const char *p, size_t n)
{
    struct term_iter it;
    struct term t;

    memset(out, 0, sizeof *out);
    terms_init(&it, p, n);
    while (terms_next(&it, &t)) {
        uint32_t h = hash_of(t.text, t.len);

        if (ascii_is_digit((unsigned char)t.text[0]))
            add(out->numbers, &out->number_count, SAME_NUMBERS_MAX, h);
        else if (!term_is_stop(t.text, t.len))
            add(out->words, &out->word_count, SAME_WORDS_MAX, h);
    }
}

static double shared_words(const struct same_print *a,
                           const struct same_print *b)
{
    size_t least =
        a->word_count < b->word_count ? a->word_count : b->word_count;
    size_t shared = 0;

    for (size_t i = 0; i < b->word_count; i++)
        shared += has(a->words, a->word_count, b->words[i]);
    return least == 0 ? 0.0 : (double)shared / (double)least;
}

static size_t shared_numbers(const struct same_print *a,
                             const struct same_print *b)
{
    size_t shared = 0;

    for (size_t i = 0; i < b->number_count; i++)
        shared += has(a->numbers, a->number_count, b->numbers[i]);
    return shared;
}

bool same_repeats(const struct same_print *a, const struct same_print *b)
{
    if (shared_numbers(a, b) < b->number_count)
        return false;
    if (a->word_count == 0 || b->word_count == 0)
        return a->word_count == b->word_count;
    return shared_words(a, b) >= REPEATS_FROM;
}
