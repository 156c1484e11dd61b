/* libFuzzer target: a search API's answer, read by each shipped definition. */
#include "find/provider_json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was read is within its bounds and has its strings. */
static void check(const struct provider_answer *pa)
{
    if (pa->count > PROVIDER_RESULTS_MAX ||
        pa->image_count > PROVIDER_RESULTS_MAX ||
        (outcome_is_failure(pa->outcome) && pa->count > 0) ||
        (pa->outcome == OUTCOME_OK && pa->count == 0))
        abort();
    for (size_t i = 0; i < pa->count; i++)
        if (pa->found[i].url == NULL || pa->found[i].host == NULL ||
            pa->found[i].title == NULL || pa->found[i].text == NULL)
            abort();
    for (size_t i = 0; i < pa->image_count; i++)
        if (pa->images[i].url == NULL || pa->images[i].alt == NULL)
            abort();
}

static void answer_read(const char *name, struct http_response *res)
{
    struct conf_provider c = {.name = "x",
                              .count = 3,
                              .key = {"use", "base", "key"},
                              .value = {name, "https://own.example", "k"}};
    struct conf conf = {.provider_timeout_ms = 1000, .contact = "x"};
    struct provider_answer pa = {.provider = "x"};
    struct provider_def def;
    struct arena a;

    arena_init(&a, 64 << 20);
    if (provider_def_read(&c, &conf, &a, &def, NULL) != ERR_OK)
        abort();
    if (provider_read(&def, res, &a, &pa) == ERR_OK)
        check(&pa);
    arena_fini(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char none[] = "";
    struct http_response res = {.err = ERR_OK,
                                .status = 200,
                                .retry_after = none,
                                .content_type = none};

    buf_init(&res.body, size + 1);
    if (buf_add(&res.body, (const char *)data, size) == ERR_OK)
        for (size_t i = 0; provider_shipped_name(i) != NULL; i++)
            answer_read(provider_shipped_name(i), &res);
    buf_fini(&res.body);
    return 0;
}
