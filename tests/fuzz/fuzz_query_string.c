/*
 * The query string of a list, its words and one value: any bytes without NUL.
 * What comes out is within its ranges, or at least one field is at fault.
 */
#include "web/input.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a;
    struct problem p;
    static const char *const words[] = {"pending", "failed"};
    struct list_params out;
    const char *value;
    char *query;

    arena_init(&a, 16 << 20);
    query = arena_strndup(&a, (const char *)data, size);
    if (query == NULL) {
        arena_fini(&a);
        return 0;
    }
    problem_init(&p, &a);
    input_list(query, &p, &out);
    if (out.page < 1 || out.page > INT64_C(1000000000) || out.page_size < 1 ||
        out.page_size > 100)
        abort();
    if (input_words(query, "status", words, 2, &p) > 3)
        abort();
    value = input_query(query, "url", &p);
    if (value != NULL && (*value == '\0' || strlen(value) > size))
        abort();
    for (size_t i = 0; i < p.count; i++)
        if (p.at[i].field == NULL || p.at[i].message == NULL)
            abort();
    arena_fini(&a);
    return 0;
}
