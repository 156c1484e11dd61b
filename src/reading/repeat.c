/* What repeats what; see repeat.h. */
#include "reading/repeat.h"

#include "base/str.h"
#include "text/terms.h"

#include <string.h>

enum { SHINGLE_WORDS = 4 };

static const double SAME_SHINGLES = 0.8;

/* Keep the smallest hashes, sorted and distinct. */
static void shingle_add(struct shingles *s, uint32_t h)
{
    size_t n = s->count, low = 0, high = n;

    if (n == SHINGLES_MAX && h > s->hash[n - 1])
        return;
    while (low < high) {
        size_t mid = (low + high) / 2;

        if (s->hash[mid] < h)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < n && s->hash[low] == h)
        return;
    if (n == SHINGLES_MAX)
        n--;
    memmove(&s->hash[low + 1], &s->hash[low], (n - low) * sizeof(s->hash[0]));
    s->hash[low] = h;
    s->count = n + 1;
}

void shingles_read(struct shingles *out, const char *text)
{
    uint32_t words[SHINGLE_WORDS] = {0};
    struct term_iter it;
    struct term t;
    size_t n = 0;

    out->count = 0;
    terms_init(&it, text, strlen(text));
    while (tokens_next(&it, &t)) {
        uint32_t h = 0;

        words[n++ % SHINGLE_WORDS] = hash_bytes(t.text, t.len);
        if (n < SHINGLE_WORDS)
            continue;
        for (size_t i = 0; i < SHINGLE_WORDS; i++)
            h = h * 31u + words[(n + i) % SHINGLE_WORDS];
        shingle_add(out, h);
    }
    if (n > 0 && n < SHINGLE_WORDS)
        shingle_add(out, words[0] + (uint32_t)n);
}

double shingles_share(const struct shingles *a, const struct shingles *b)
{
    size_t i = 0, k = 0, same = 0, least;

    while (i < a->count && k < b->count) {
        if (a->hash[i] == b->hash[k]) {
            same++;
            i++;
            k++;
        } else if (a->hash[i] < b->hash[k]) {
            i++;
        } else {
            k++;
        }
    }
    least = a->count < b->count ? a->count : b->count;
    return least > 0 ? (double)same / (double)least : 0;
}

bool shingles_same(const struct shingles *a, const struct shingles *b)
{
    return shingles_share(a, b) >= SAME_SHINGLES;
}
