/* Fuzzing questions with guidance blocks: never an error, the text asked for
 * is part of the input, lists stay bounded, and marks stay within the terms. */
#include "question/overlap.h"
#include "question/query.h"

#include "base/str.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check_rules(const struct domain_rules *rs)
{
    if (rs->count > 2 * GUIDANCE_RULES_MAX)
        abort();
    for (size_t i = 0; i < rs->count; i++)
        if (rs->rules[i].host == NULL || rs->rules[i].host[0] == '\0' ||
            rs->rules[i].path == NULL)
            abort();
}

static void check(const char *z, const struct query *q)
{
    if (q->text == NULL || q->guidance == NULL || q->subject == NULL ||
        strstr(z, q->text) == NULL)
        abort();
    if (q->term_count > QUERY_TERMS_MAX ||
        q->phrase_count > QUERY_PHRASES_MAX ||
        (q->names & ~overlap_all(q)) != 0)
        abort();
    for (size_t i = 0; i < q->term_count; i++)
        if (q->terms[i].text[0] == '\0' || q->terms[i].weight <= 0)
            abort();
    if (q->restricted.count > 0 && q->preferred.count > 0)
        abort();
    check_rules(&q->preferred);
    check_rules(&q->priority);
    check_rules(&q->restricted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena a;
    struct query q;
    char *z;

    /* What a request lets in: valid UTF-8 without NUL, at most 8,000 bytes. */
    if (n > 8000 || memchr(data, 0, n) != NULL ||
        !utf8_valid((const char *)data, n))
        return 0;
    z = malloc(n + 1);
    if (z == NULL)
        return 0;
    memcpy(z, data, n);
    z[n] = '\0';
    arena_init(&a, 64 << 20);
    if (query_parse(z, &a, &q) != ERR_OK)
        abort();
    check(z, &q);
    arena_fini(&a);
    free(z);
    return 0;
}
