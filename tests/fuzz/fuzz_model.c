/* What a model says: its reasoning taken out, taken apart into sentences, and
 * each verified against a passage. The passage is what stands before the
 * first byte 0xFF. */
#include "model/entail.h"
#include "model/model.h"
#include "answer/answer.h"
#include "answer/answer_parse.h"
#include "page/injection.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *cut = size > 0 ? memchr(data, 0xFF, size) : NULL;
    size_t n = cut == NULL ? size / 2 : (size_t)(cut - data);
    struct arena a;
    struct written *v = NULL;
    struct entail_pair pairs[4] = {{.statement = ""}};
    const char *masked;
    char *passage, *said;
    size_t count = 0;

    if (size > 4096)
        return 0;
    arena_init(&a, 64 << 20);
    passage = arena_strndup(&a, (const char *)data, n);
    said = arena_strndup(&a, (const char *)data + n, size - n);
    if (passage == NULL || said == NULL)
        abort();
    said = model_strip_reasoning(said);
    masked = injection_mask(passage, &a);
    if (masked == NULL || strlen(masked) != strlen(passage))
        abort();
    if (answer_parse(said, size % 2 == 0, 9, &a, &v, &count) != ERR_OK)
        abort();
    for (size_t i = 0; i < count; i++) {
        struct span where = {0, 0};

        for (size_t k = 0; k < v[i].id_count; k++)
            if (v[i].ids[k] < 1 || v[i].ids[k] > 9)
                abort();
        if (verify_place(v[i].text, masked, &where, NULL, &a) &&
            where.start + where.len > strlen(masked))
            abort();
    }
    entail_read(said, pairs, sizeof(pairs) / sizeof(pairs[0]));
    /* A passage's own text holds in it. */
    if (!verify_place(passage, passage, NULL, NULL, &a) && *passage == '\0')
        abort();
    arena_fini(&a);
    return 0;
}
