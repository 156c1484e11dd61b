/* Fuzzing texts that are checked: taken apart into sentences, and held against
 * what comes with them. The first line is the passage where the rest is
 * Markdown. */
#include "search/check.h"

#include "base/str.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* What is quoted stands in the text, and there as the range says. */
static void check(const char *text, struct checked c)
{
    size_t n = strlen(text);

    if (c.why == NULL || c.quote.start > n || c.quote.len > n - c.quote.start)
        abort();
    if (c.verdict == VERDICT_UNSUPPORTED && c.quote.len > 0)
        abort();
}

static void hold(const char *text, const struct check_list *list)
{
    struct arena a;
    const struct verify_text *t;

    arena_init(&a, 256 << 20);
    t = verify_text_read(text, &a);
    for (size_t i = 0; t != NULL && i < list->count && i < 16; i++) {
        check(text, verify_check(t, list->items[i].sentence, NULL, &a));
        check(text, verify_check(t, text, list->items[i].sentence, &a));
    }
    arena_fini(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct check_list list = {NULL, 0};
    struct check_result *r = NULL;
    const struct check_pages none = {.index = NULL};
    struct errctx ec = {ERR_OK, ""};
    struct arena a;
    char *z;

    if (n > 8000)
        return 0;
    z = malloc(n + 1);
    if (z == NULL)
        return 0;
    memcpy(z, data, n);
    z[n] = '\0';
    arena_init(&a, 256 << 20);
    if (check_read(z, n, &a, &list, &ec) == ERR_OK) {
        for (size_t i = 0; i < list.count; i++)
            if (list.items[i].sentence == NULL ||
                list.items[i].url_count > CHECK_URLS_MAX)
                abort();
        if (check_run(&none, &list, deadline_in(60000), &a, &r, &ec) != ERR_OK)
            abort();
        z[strcspn(z, "\n")] = '\0';
        if (utf8_valid(z, strlen(z)))
            hold(z, &list);
    }
    arena_fini(&a);
    free(z);
    return 0;
}
