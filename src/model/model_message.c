/* Requests and answers of a chat endpoint; see model.h. */
#include "model/model.h"

#include "base/str.h"
#include "json/json.h"

#include <stdio.h>
#include <string.h>

enum { PARTS_MAX = 64, WORDS_MAX = 120, WRITTEN_TOKENS_MAX = 1 << 20 };

/* --- the request --------------------------------------------------------- */

static void message_add(struct json_out *w, const char *role, const char *text,
                        const char *more)
{
    struct buf b;

    jw_object(w);
    jw_kstring(w, "role", role);
    jw_key(w, "content");
    buf_init(&b, w->b->cap);
    buf_adds(&b, text);
    buf_adds(&b, more);
    if (buf_err(&b) != ERR_OK && w->b->err == ERR_OK)
        w->b->err = buf_err(&b);
    jw_string(w, buf_str(&b));
    buf_fini(&b);
    jw_object_end(w);
}

static void system_add(struct json_out *w, const struct model_ask *ask,
                       int rung)
{
    struct buf more;

    buf_init(&more, w->b->cap);
    if (ask->plain != NULL && rung == RUNG_PROMPT) {
        buf_adds(&more, ask->plain);
    } else if (ask->json != NULL) {
        buf_adds(&more, ask->json);
    }
    if (ask->schema != NULL && rung >= RUNG_OBJECT &&
        (ask->plain == NULL || rung < RUNG_PROMPT)) {
        buf_adds(&more, "\n\nAnswer with one JSON value and nothing else. It "
                        "follows this JSON Schema:\n");
        buf_adds(&more, ask->schema);
    }
    message_add(w, "system", ask->system, buf_str(&more));
    if (buf_err(&more) != ERR_OK)
        w->b->err = buf_err(&more);
    buf_fini(&more);
}

static void format_add(struct json_out *w, const struct model_ask *ask,
                       int rung)
{
    if (ask->schema == NULL || rung >= RUNG_PROMPT)
        return;
    jw_kobject(w, "response_format");
    if (rung == RUNG_OBJECT) {
        jw_kstring(w, "type", "json_object");
        jw_object_end(w);
        return;
    }
    jw_kstring(w, "type", "json_schema");
    jw_kobject(w, "json_schema");
    jw_kstring(w, "name", "result");
    if (rung == RUNG_STRICT)
        jw_kbool(w, "strict", true);
    jw_kraw(w, "schema", ask->schema);
    jw_object_end(w);
    jw_object_end(w);
}

enum err model_request_write(const char *name, const struct model_ask *ask,
                             const struct model_dialect *d, int64_t tokens_max,
                             struct buf *b)
{
    struct json_out w;

    jw_init(&w, b);
    jw_object(&w);
    jw_kstring(&w, "model", name);
    jw_karray(&w, "messages");
    system_add(&w, ask, d->rung);
    message_add(&w, "user", ask->user, "");
    jw_array_end(&w);
    if (!d->no_temperature)
        jw_kint(&w, "temperature", 0);
    jw_kint(&w, d->completion_tokens ? "max_completion_tokens" : "max_tokens",
            tokens_max);
    jw_kbool(&w, "stream", false);
    format_add(&w, ask, d->rung);
    jw_object_end(&w);
    return buf_err(b);
}

/* --- refusals ------------------------------------------------------------ */

/* "error" is an object with message and code, or a string; others put
 * "message" or "detail" at the root. */
static const char *error_text(const struct json *root, const char **code)
{
    const struct json *e = json_get(root, "error");
    const char *z = json_string(e);

    *code = json_string(json_get(e, "code"));
    if (*code == NULL)
        *code = json_string(json_get(e, "type"));
    if (z == NULL)
        z = json_string(json_get(e, "message"));
    if (z == NULL)
        z = json_string(json_get(root, "message"));
    if (z == NULL)
        z = json_string(json_get(root, "detail"));
    return z;
}

static bool says(const char *z, const char *word)
{
    return z != NULL && mem_find_i(z, strlen(z), word) != NULL;
}

static enum model_refusal refusal_of(const char *z, const char *code)
{
    if (says(code, "insufficient_quota") || says(z, "insufficient_quota"))
        return REFUSAL_QUOTA;
    if (says(code, "exceed_context_size") ||
        says(code, "context_length_exceeded") ||
        says(z, "maximum context length") || says(z, "context size") ||
        says(z, "context window") || says(z, "context length"))
        return REFUSAL_CONTEXT;
    if (says(z, "max_completion_tokens"))
        return REFUSAL_TOKENS;
    if (says(z, "temperature"))
        return REFUSAL_TEMPERATURE;
    if (says(z, "format") || says(z, "schema") || says(z, "grammar"))
        return REFUSAL_FORM;
    return REFUSAL_OTHER;
}

enum model_refusal model_refusal_read(const struct http_response *res,
                                      char *msg, size_t size)
{
    struct json *root = NULL;
    const char *code = NULL, *z = NULL;
    enum model_refusal kind = REFUSAL_OTHER;
    size_t n;

    snprintf(msg, size, "status %ld", res->status);
    if (json_parse(buf_str(&res->body), res->body.len, &json_limits_foreign,
                   &root, NULL) != ERR_OK)
        return kind;
    z = error_text(root, &code);
    kind = refusal_of(z, code);
    if (z != NULL) {
        n = utf8_cut(z, strlen(z), WORDS_MAX);
        snprintf(msg, size, "status %ld: %.*s", res->status, (int)n, z);
    }
    json_free(root);
    return kind;
}

/* --- answers ------------------------------------------------------------- */

/* content is a string, or an array of parts of which the texts count. */
static char *content_text(const struct json *content, struct arena *a)
{
    const char *z = json_string(content);
    struct buf b;
    char *text;
    size_t n = 0;

    if (z != NULL || json_type_of(content) != JSON_ARRAY)
        return arena_strdup(a, z == NULL ? "" : z);
    buf_init(&b, 1 << 20);
    for (const struct json *part = json_first(content);
         part != NULL && n < PARTS_MAX; part = json_next(part), n++) {
        z = json_string(json_get(part, "text"));
        buf_adds(&b, z == NULL ? "" : z);
    }
    text = arena_strdup(a, buf_str(&b));
    buf_fini(&b);
    return text;
}

static enum err choice_read(const struct json *root, struct arena *a,
                            struct model_answer *out, struct errctx *ec)
{
    const struct json *choice = json_first(json_get(root, "choices"));
    const struct json *message = json_get(choice, "message");
    const char *reason = json_string(json_get(choice, "finish_reason"));
    char *text;

    if (!json_is_whole(json_get(json_get(root, "usage"), "completion_tokens"),
                       &out->written) ||
        out->written < 0 || out->written > WRITTEN_TOKENS_MAX)
        out->written = 0;
    if (json_type_of(message) != JSON_OBJECT)
        return err_set(ec, ERR_MALFORMED, "the answer has no message");
    text = content_text(json_get(message, "content"), a);
    if (text == NULL)
        return err_set(ec, ERR_NOMEM, "no memory for the model's answer");
    out->text = model_strip_reasoning(text);
    out->cut = reason != NULL && strcmp(reason, "length") == 0;
    if (out->text[0] != '\0')
        return ERR_OK;
    return err_set(ec, ERR_MALFORMED,
                   out->cut ? "nothing but reasoning within the limit of "
                              "model.answer_tokens"
                            : "the answer is empty");
}

enum err model_answer_read(const struct http_response *res, struct arena *a,
                           struct model_answer *out, struct errctx *ec)
{
    struct json *root = NULL;
    struct model_answer answer = {.text = ""};
    enum err e = json_parse(buf_str(&res->body), res->body.len,
                            &json_limits_foreign, &root, NULL);

    if (e != ERR_OK)
        return err_set(ec, e == ERR_NOMEM ? e : ERR_MALFORMED,
                       "the answer is no JSON");
    e = choice_read(root, a, &answer, ec);
    json_free(root);
    if (e == ERR_OK)
        *out = answer;
    return e;
}

/* --- reasoning ----------------------------------------------------------- */

/* Behind the last "close" in z, which may lack its beginning (it then stands
 * in the prompt), or z. */
static char *behind_last(char *z, const char *close)
{
    size_t n = strlen(close);
    char *at;

    while ((at = strstr(z, close)) != NULL)
        z = at + n;
    return z;
}

static char *trim(char *z)
{
    size_t n;

    while (ascii_is_space(*z))
        z++;
    n = strlen(z);
    while (n > 0 && ascii_is_space(z[n - 1]))
        z[--n] = '\0';
    return z;
}

/* Without "```json" … "```" around the whole. */
static char *unfence(char *z)
{
    size_t n = strlen(z);
    char *line;

    if (n < 6 || strncmp(z, "```", 3) != 0 || strcmp(z + n - 3, "```") != 0)
        return z;
    line = strchr(z, '\n');
    if (line == NULL)
        return z;
    z[n - 3] = '\0';
    return trim(line + 1);
}

char *model_strip_reasoning(char *text)
{
    static const char *const tags[][2] = {
        {"<think>", "</think>"},
        {"<thinking>", "</thinking>"},
        {"<reasoning>", "</reasoning>"},
        {"<|channel|>analysis", "<|channel|>final<|message|>"}};

    for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
        char *open;

        text = behind_last(text, tags[i][1]);
        open = strstr(text, tags[i][0]);
        if (open != NULL) /* never closed: all of the rest is reasoning */
            *open = '\0';
    }
    return unfence(trim(text));
}
