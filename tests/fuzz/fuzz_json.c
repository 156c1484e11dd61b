/* Fuzzing the JSON reader: what the scanner accepts, cJSON must accept, and
 * what was written must read back equal. */
#include "json/json.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Write the tree, read that, compare. */
static void round_trip(const struct json *v)
{
    static const struct json_limits lim = {
        .bytes_max = 1 << 22, .depth_max = 512, .allow_duplicate_keys = true};
    struct buf b;
    struct json_out w;
    struct json *again = NULL;

    buf_init(&b, 1 << 22);
    jw_init(&w, &b);
    jw_value(&w, v);
    if (buf_err(&b) != ERR_OK ||
        json_parse(buf_str(&b), b.len, &lim, &again, NULL) != ERR_OK)
        abort();
    if (!json_equal(v, v) || json_type_of(v) != json_type_of(again))
        abort();
    json_free(again);
    buf_fini(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const struct json_limits *const limits[] = {&json_limits_request,
                                                &json_limits_foreign};
    enum err results[2];

    for (int i = 0; i < 2; i++) {
        struct errctx ec = {ERR_OK, ""};
        struct json *v = NULL;

        results[i] = json_parse((const char *)data, n, limits[i], &v, &ec);
        if (results[i] == ERR_NOMEM || (results[i] != ERR_OK && !ec.msg[0]))
            abort();
        if (results[i] == ERR_OK)
            round_trip(v);
        json_free(v);
    }
    if (results[0] == ERR_OK && results[1] != ERR_OK)
        abort();
    return 0;
}
