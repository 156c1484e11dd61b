/* Fuzzing the schema checker with {"schema": …, "value": …}. It may refuse,
 * but must end, soon and without harm; strings are tried as patterns too. */
#include "json/schema.h"

#include "json/schema_part.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void try_pattern(const char *text, const char *subject)
{
    struct pattern *p = NULL;
    int64_t steps = 200000;
    bool match;

    if (pattern_parse(text, &p, NULL) == ERR_OK &&
        pattern_match(p, subject, strlen(subject), &steps, &match) == ERR_NOMEM)
        abort();
    pattern_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct errctx ec = {ERR_OK, ""};
    struct json *root = NULL;
    const struct json *schema, *value;
    enum err err;

    if (json_parse((const char *)data, n, &json_limits_request, &root, NULL) !=
        ERR_OK)
        return 0;
    schema = json_get(root, "schema");
    value = json_get(root, "value");
    err = schema == NULL ? ERR_INVALID : schema_check_form(schema, &ec);
    if (err != ERR_OK && err != ERR_INVALID)
        abort();
    if (err == ERR_OK && value != NULL) {
        err = schema_validate(schema, value, &ec);
        if ((err != ERR_OK && err != ERR_INVALID) ||
            (err == ERR_INVALID && ec.msg[0] == '\0'))
            abort();
        (void)schema_resolve(schema, schema);
    }
    if (json_string(root) != NULL)
        try_pattern(json_string(root), json_string(root));
    if (json_string(schema) != NULL && json_string(value) != NULL)
        try_pattern(json_string(schema), json_string(value));
    json_free(root);
    return 0;
}
