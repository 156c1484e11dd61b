/*
 * Our schema checker for programs that compare it with another one: reads a
 * line {"schema": …, "values": […]} from standard input and answers it with a
 * line {"refused": "why"} or {"valid": [true, false, …]}. Roots of any type
 * are taken. Only tests/e2e/schema.test.js starts it.
 */
#include "base/buf.h"
#include "json/schema_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_BYTES_MAX = 1 << 20 };

static enum err answer(const struct json *line, struct json_out *w)
{
    const struct json *schema = json_get(line, "schema");
    struct errctx why = {ERR_OK, ""};
    enum err err = schema_check_form(schema, &why);

    if (err != ERR_OK && err != ERR_INVALID)
        return err;
    jw_object(w);
    if (err == ERR_INVALID) {
        jw_kstring(w, "refused", why.msg);
    } else {
        jw_key(w, "valid");
        jw_array(w);
        err = ERR_OK;
        for (const struct json *v = json_first(json_get(line, "values"));
             v != NULL && (err == ERR_OK || err == ERR_INVALID);
             v = json_next(v)) {
            err = schema_validate(schema, v, &why);
            jw_bool(w, err == ERR_OK);
        }
        jw_array_end(w);
    }
    jw_object_end(w);
    return err == ERR_INVALID ? ERR_OK : err;
}

static enum err line_answer(const char *text, size_t n)
{
    struct errctx why = {ERR_OK, ""};
    struct json *line = NULL;
    struct json_out w;
    struct buf b;
    enum err err = json_parse(text, n, &json_limits_foreign, &line, &why);

    if (err != ERR_OK) {
        fprintf(stderr, "schema_check: %s\n", why.msg);
        return err;
    }
    buf_init(&b, ANSWER_BYTES_MAX);
    jw_init(&w, &b);
    err = answer(line, &w);
    if (err == ERR_OK)
        err = buf_err(&b);
    if (err == ERR_OK)
        puts(buf_str(&b));
    buf_fini(&b);
    json_free(line);
    return err;
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    enum err err = ERR_OK;

    while (err == ERR_OK && (n = getline(&line, &size, stdin)) > 0)
        err = line_answer(line, (size_t)n);
    free(line);
    if (err != ERR_OK)
        fprintf(stderr, "schema_check: %s\n", err_name(err));
    return err == ERR_OK ? 0 : 1;
}
