/*
 * libFuzzer: text to the numbers of a model's words. They are the vocabulary's,
 * between those that begin and end a text, and fewer asked for are the first
 * ones.
 */
#include "fuzz.h"

#include "meaning/wordpiece.h"
#include "tiny_model.h"

enum { MOST = 64 };

static const struct model_file *model(void)
{
    static struct model_file m;

    if (m.letters == NULL) {
        struct model_source s = tiny_source(16, 1, 16, 1, 8);
        size_t size;
        void *p;

        HOLDS(model_file_make(&s, &p, &size) == ERR_OK);
        HOLDS(model_file_read(p, size, "tiny", &m, NULL) == ERR_OK);
    }
    return &m;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct model_file *m = model();
    struct str in = {(const char *)data, size};
    size_t few = 2 + fuzz_take(&in) % (MOST - 2), n, some;
    uint32_t all[MOST], first[MOST];
    size_t at[MOST];
    char *copy = malloc(in.n + (in.n == 0)); /* a read beyond it is seen */

    HOLDS(copy != NULL);
    memcpy(copy, in.n == 0 ? "" : in.p, in.n);
    n = wordpiece(m, copy, in.n, all, at, MOST);
    some = wordpiece(m, copy, in.n, first, NULL, few);
    HOLDS(n >= 2 && n <= MOST && some >= 2 && some <= few && some <= n);
    HOLDS(all[0] == m->shape.first && all[n - 1] == m->shape.last);
    for (size_t i = 0; i < n; i++)
        HOLDS(all[i] < m->shape.words);
    for (size_t i = 1; i + 1 < n; i++)
        HOLDS(at[i] < in.n && (i == 1 || at[i] >= at[i - 1]));
    HOLDS(memcmp(all, first, (some - 1) * sizeof *all) == 0);
    HOLDS(first[some - 1] == m->shape.last);
    free(copy);
    return 0;
}
