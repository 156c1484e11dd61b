/* Fuzzing a segment: whatever its bytes, reading stays inside them, every walk
 * over words and postings ends, and what is found lies within its pages. */
#include "base/date.h"
#include "fuzz.h"
#include "index/walk.h"

enum { WORDS_WALKED = 200, BEST = 10 };

static void walk_words(struct segment *s, struct seg_term *terms, size_t *count,
                       size_t max)
{
    static struct cursor c;
    struct seg_words w;
    struct seg_term t;

    seg_words_begin(&w, s);
    for (int i = 0; i < WORDS_WALKED && seg_words_next(&w); i++) {
        uint32_t before = 0, postings = 0;

        if (*count < max)
            terms[(*count)++] = w.term;
        (void)segment_find(s, w.text, w.len, &t);
        cursor_begin(&c, s, &w.term);
        for (bool more = cursor_seek(&c, 0); more; more = cursor_next(&c)) {
            HOLDS(c.doc[c.i] < s->head->docs);
            HOLDS(postings == 0 || c.doc[c.i] > before);
            HOLDS(cursor_code_at(&c, c.i) < 256);
            before = c.doc[c.i];
            postings++;
        }
        HOLDS(postings <= w.term.df);
    }
}

static void ask(struct segment *s, const struct seg_term *terms, size_t count,
                const struct index_filter *f)
{
    static struct walk w;
    struct walk_form forms[8];
    struct hit heap[BEST];
    struct arena a;
    struct sieve sieve;
    struct errctx ec;

    arena_init(&a, 1 << 24);
    memset(forms, 0, sizeof forms);
    w = (struct walk){.forms = forms,
                      .form_count = count,
                      .weight = (double)count,
                      .length_avg = 50,
                      .heap = heap,
                      .max = BEST};
    for (size_t i = 0; i < count; i++) {
        forms[i].in = &terms[i];
        forms[i].weight[LANG_EN] = forms[i].weight[LANG_DE] = 1;
    }
    if (sieve_init(&sieve, s, NULL, f, &a, &ec) == ERR_OK &&
        walk_segment(&w, s, 0, &sieve, &a, &ec) == ERR_OK)
        walk_sort(&w);
    HOLDS(w.count <= BEST);
    sieve_fini(&sieve);
    arena_fini(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct domain_rule rule = {"example", "/a"};
    struct domain_rules rules = {&rule, 1};
    struct index_filter f = {.include = &rules,
                             .exclude = NULL,
                             .day_from = DAY_NONE,
                             .day_to = 20000};
    struct seg_term terms[8];
    struct segment *s = NULL;
    struct errctx ec;
    size_t count = 0;
    uint8_t *copy = malloc(n + 1); /* aligned, and its end is seen */

    if (copy == NULL)
        return 0;
    memcpy(copy, data, n);
    if (segment_view(copy, n, &s, &ec) == ERR_OK) {
        walk_words(s, terms, &count, 8);
        for (int64_t first = 0; first < 20; first++) {
            uint32_t page = segment_page(s, first);

            HOLDS(page == UINT32_MAX || page < s->head->pages);
        }
        ask(s, terms, count, NULL);
        ask(s, terms, count, &f);
        segment_close(s);
    }
    free(copy);
    return 0;
}
