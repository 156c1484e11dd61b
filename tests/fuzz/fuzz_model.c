/* What a model says: its reasoning taken out, taken apart into sentences, and
 * each verified against a passage; and as a plan for a report on the passage.
 * The passage is what stands before the first byte 0xFF. */
#include "answer/answer.h"
#include "answer/answer_parse.h"
#include "model/entail.h"
#include "model/model.h"
#include "page/injection.h"
#include "research/plan_model.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A plan of parts that speak of the question, or the one there was. */
static void plan_check(const char *question, const char *said, struct arena *a)
{
    struct query q;
    struct plan p;

    if (query_parse(question, a, &q) != ERR_OK || q.term_count == 0 ||
        plan_make(&q, MODE_AUTO, 6, a, &p) != ERR_OK)
        return;
    (void)plan_model_read(said, &q, 6, a, &p);
    if (p.count == 0 || p.count > PLAN_SUBS_MAX)
        abort();
    for (size_t i = 0; i < p.count; i++)
        if (strlen(p.subs[i].question) > PLAN_TEXT_MAX ||
            strlen(p.subs[i].title) > PLAN_TITLE_MAX ||
            p.subs[i].side > PLAN_SIDES_MAX)
            abort();
}

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
    plan_check(passage, said, &a);
    entail_read(said, pairs, sizeof(pairs) / sizeof(pairs[0]));
    /* A passage's own text holds in it. */
    if (!verify_place(passage, passage, NULL, NULL, &a) && *passage == '\0')
        abort();
    arena_fini(&a);
    return 0;
}
