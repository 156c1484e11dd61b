/*
 * A [provider.NAME] section of the configuration to a struct provider_def;
 * the keys are documented in provider.h. Called by provider_set.c.
 */
#include "search/provider_json.h"

#include "base/str.h"

#include <string.h>

static const char *const known_keys[] = {
    "url",           "method",     "body",       "key",
    "query",         "results",    "url_field",  "title_field",
    "snippet_field", "date_field", "error_path", "failed_path",
    "missing",       "timeout_ms", "headers",    NULL};

static bool is_known(const char *key)
{
    if (ascii_starts_i(key, "header."))
        return key[7] != '\0';
    for (size_t i = 0; known_keys[i] != NULL; i++)
        if (strcmp(key, known_keys[i]) == 0)
            return true;
    return false;
}

static enum err bad(const struct conf_provider *c, const char *key,
                    const char *rule, struct errctx *ec)
{
    return err_set(ec, ERR_INVALID, "[provider.%s] %s %s", c->name, key, rule);
}

static bool is_header_text(const char *z)
{
    for (; *z != '\0'; z++)
        if ((unsigned char)*z < 0x20 || *z == 0x7F)
            return false;
    return true;
}

static enum err header_add(const struct conf_provider *c, const char *name,
                           size_t name_len, struct str value, struct arena *a,
                           struct provider_def *p, struct errctx *ec)
{
    size_t i = p->header_count;
    char *n = arena_strndup(a, name, name_len);
    char *v = arena_strndup(a, value.p, value.n);

    if (n == NULL || v == NULL)
        return err_set(ec, ERR_NOMEM, "no memory for the providers");
    if (i == PROVIDER_HEADERS_MAX)
        return bad(c, "header.*", "holds too many headers (at most 12)", ec);
    if (name_len == 0 || !is_header_text(n) || !is_header_text(v) ||
        strpbrk(n, " :") != NULL)
        return bad(c, "header", "is not a header name with a value", ec);
    p->header_name[i] = n;
    p->header_value[i] = v;
    p->header_count++;
    return ERR_OK;
}

/* "Name: value | Name: value". */
static enum err headers_add(const struct conf_provider *c, const char *list,
                            struct arena *a, struct provider_def *p,
                            struct errctx *ec)
{
    enum err e = ERR_OK;

    while (e == ERR_OK && *list != '\0') {
        size_t n = strcspn(list, "|");
        struct str one = str_trim((struct str){list, n});
        const char *colon = one.n == 0 ? NULL : memchr(one.p, ':', one.n);

        if (one.n > 0 && colon == NULL)
            return bad(c, "headers", "must be \"Name: value | …\"", ec);
        if (one.n > 0) {
            size_t k = (size_t)(colon - one.p);
            struct str value = str_trim((struct str){colon + 1, one.n - k - 1});

            e = header_add(c, one.p, k, value, a, p, ec);
        }
        list += n + (list[n] == '|' ? 1 : 0);
    }
    return e;
}

static enum err headers_read(const struct conf_provider *c, struct arena *a,
                             struct provider_def *p, struct errctx *ec)
{
    enum err e = headers_add(c, conf_provider_get(c, "headers", ""), a, p, ec);

    for (size_t i = 0; e == ERR_OK && i < c->count; i++)
        if (ascii_starts_i(c->key[i], "header."))
            e = header_add(c, c->key[i] + 7, strlen(c->key[i] + 7),
                           str_trim(str_of(c->value[i])), a, p, ec);
    return e;
}

/* One of two words; false when it is neither. */
static bool is_choice(const char *z, const char *first, const char *second,
                      bool *is_second)
{
    *is_second = ascii_casecmp(z, second) == 0;
    return *is_second || ascii_casecmp(z, first) == 0;
}

static enum err choices_read(const struct conf_provider *c,
                             struct provider_def *p, struct errctx *ec)
{
    bool post = false;

    if (!is_choice(conf_provider_get(c, "method", "GET"), "GET", "POST", &post))
        return bad(c, "method", "must be GET or POST", ec);
    p->method = post ? "POST" : "GET";
    if (!is_choice(conf_provider_get(c, "query", "keywords"), "keywords",
                   "question", &p->question))
        return bad(c, "query", "must be keywords or question", ec);
    if (!is_choice(conf_provider_get(c, "missing", "malformed"), "malformed",
                   "empty", &p->missing_empty))
        return bad(c, "missing", "must be malformed or empty", ec);
    return ERR_OK;
}

static void strings_read(const struct conf_provider *c, struct arena *a,
                         struct provider_def *p)
{
    struct {
        const char **to;
        const char *key, *fallback;
    } all[] = {{&p->url, "url", ""},
               {&p->body, "body", ""},
               {&p->key, "key", ""},
               {&p->results, "results", "results"},
               {&p->url_field, "url_field", "url"},
               {&p->title_field, "title_field", "title"},
               {&p->snippet_field, "snippet_field", "snippet"},
               {&p->date_field, "date_field", ""},
               {&p->error_path, "error_path", ""},
               {&p->failed_path, "failed_path", ""}};

    p->name = arena_strdup(a, c->name);
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        *all[i].to =
            arena_strdup(a, conf_provider_get(c, all[i].key, all[i].fallback));
}

enum err provider_def_read(const struct conf_provider *c, int64_t timeout_ms,
                           struct arena *a, struct provider_def *out,
                           struct errctx *ec)
{
    struct provider_def p = {.timeout_ms = timeout_ms};
    const char *timeout = conf_provider_get(c, "timeout_ms", NULL);
    enum err e;

    for (size_t i = 0; i < c->count; i++)
        if (!is_known(c->key[i]))
            return bad(c, c->key[i], "is not a key of a provider", ec);
    strings_read(c, a, &p);
    if (arena_failed(a))
        return err_set(ec, ERR_NOMEM, "no memory for the providers");
    if (!ascii_starts_i(p.url, "http://") && !ascii_starts_i(p.url, "https://"))
        return bad(c, "url", "must begin with http:// or https://", ec);
    if (timeout != NULL && !parse_int(timeout, 100, 60000, &p.timeout_ms))
        return bad(c, "timeout_ms", "must be a number from 100 to 60000", ec);
    e = choices_read(c, &p, ec);
    if (e == ERR_OK)
        e = headers_read(c, a, &p, ec);
    if (e == ERR_OK)
        *out = p;
    return e;
}
