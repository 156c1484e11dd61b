/*
 * A [provider.NAME] section of the configuration, laid over the shipped
 * definition it uses, to a struct provider_def; the keys are documented in
 * provider.h. Called by provider_set.c.
 */
#include "find/provider_json.h"

#include "base/str.h"

#include <string.h>

enum {
    PARALLEL_DEFAULT = 8,
    PARALLEL_MAX = 64,
    DROP_MAX = 8,
    SITES_DEFAULT = 100,
    SITES_MAX = 1000
};

static const char *const known_keys[] = {
    "use",         "base",        "url",           "method",
    "body",        "key",         "query",         "results",
    "url_field",   "title_field", "snippet_field", "date_field",
    "image_field", "images_path", "order_field",   "error_path",
    "failed_path", "missing",     "timeout_ms",    "headers",
    "want_max",    "parallel",    "drop_terms",    "one_host",
    "contact",     "include",     "include_item",  "include_join",
    "include_max", "exclude",     "exclude_item",  "exclude_join",
    "exclude_max", "dates",       "images",        NULL};

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
    if (!is_choice(conf_provider_get(c, "one_host", "no"), "no", "yes",
                   &p->one_host))
        return bad(c, "one_host", "must be yes or no", ec);
    if (!is_choice(conf_provider_get(c, "contact", "any"), "any", "required",
                   &p->needs_contact))
        return bad(c, "contact", "must be any or required", ec);
    return ERR_OK;
}

static enum err number_read(const struct conf_provider *c, const char *key,
                            int64_t fallback, int64_t lo, int64_t hi,
                            int64_t *out, struct errctx *ec)
{
    const char *z = conf_provider_get(c, key, NULL);

    *out = fallback;
    if (z == NULL || parse_int(z, lo, hi, out))
        return ERR_OK;
    return err_set(ec, ERR_INVALID,
                   "[provider.%s] %s must be a number from %lld to %lld",
                   c->name, key, (long long)lo, (long long)hi);
}

static enum err numbers_read(const struct conf_provider *c,
                             struct provider_def *p, int64_t timeout_ms,
                             struct errctx *ec)
{
    const struct {
        int64_t *to;
        const char *key;
        int64_t fallback, lo, hi;
    } all[] = {{&p->timeout_ms, "timeout_ms", timeout_ms, 100, 60000},
               {&p->want_max, "want_max", PROVIDER_RESULTS_MAX, 1,
                PROVIDER_RESULTS_MAX},
               {&p->parallel, "parallel", PARALLEL_DEFAULT, 1, PARALLEL_MAX},
               {&p->drop_terms, "drop_terms", 0, 0, DROP_MAX},
               {&p->include.max, "include_max", SITES_DEFAULT, 1, SITES_MAX},
               {&p->exclude.max, "exclude_max", SITES_DEFAULT, 1, SITES_MAX}};
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < sizeof(all) / sizeof(all[0]); i++)
        e = number_read(c, all[i].key, all[i].fallback, all[i].lo, all[i].hi,
                        all[i].to, ec);
    return e;
}

static void strings_read(const struct conf_provider *c, struct arena *a,
                         struct provider_def *p)
{
    const struct {
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
               {&p->image_field, "image_field", ""},
               {&p->images_path, "images_path", ""},
               {&p->order_field, "order_field", ""},
               {&p->error_path, "error_path", ""},
               {&p->failed_path, "failed_path", ""},
               {&p->include.all, "include", ""},
               {&p->include.item, "include_item", "{site}"},
               {&p->include.join, "include_join", ","},
               {&p->exclude.all, "exclude", ""},
               {&p->exclude.item, "exclude_item", "{site}"},
               {&p->exclude.join, "exclude_join", ","},
               {&p->dates, "dates", ""},
               {&p->images, "images", ""}};

    p->name = arena_strdup(a, c->name);
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        *all[i].to =
            arena_strdup(a, conf_provider_get(c, all[i].key, all[i].fallback));
}

/* {base} in the URL; a slash at the end of base is one too many. */
static enum err base_put(const struct conf_provider *c, struct arena *a,
                         struct provider_def *p, struct errctx *ec)
{
    const char *base = conf_provider_get(c, "base", "");
    size_t n = strlen(base);

    if (!ascii_starts_i(p->url, "{base}"))
        return ERR_OK;
    while (n > 0 && base[n - 1] == '/')
        n--;
    if (n == 0)
        return bad(c, "base", "is missing: the address of the service", ec);
    p->url = arena_printf(a, "%.*s%s", (int)n, base, p->url + 6);
    return p->url == NULL
               ? err_set(ec, ERR_NOMEM, "no memory for the providers")
               : ERR_OK;
}

/* What is missing before it can be asked at all, or NULL. */
static const char *lack_of(const struct provider_def *p, const char *contact)
{
    bool keyed =
        strstr(p->url, "{key}") != NULL || strstr(p->body, "{key}") != NULL;

    for (size_t i = 0; i < p->header_count; i++)
        keyed = keyed || strstr(p->header_value[i], "{key}") != NULL;
    if (keyed && p->key[0] == '\0')
        return "its key is not set";
    if (p->needs_contact && (contact == NULL || contact[0] == '\0'))
        return "crawl.contact is not set";
    return NULL;
}

/* The section over the shipped definition it uses. */
static enum err section_merge(const struct conf_provider *c, struct arena *a,
                              struct conf_provider *out, struct errctx *ec)
{
    const char *use = conf_provider_get(c, "use", NULL);
    enum err e;

    *out = *c;
    if (use == NULL)
        return ERR_OK;
    e = provider_shipped_get(use, a, out);
    if (e == ERR_NOT_FOUND)
        return bad(c, "use", "names no definition that comes with the program",
                   ec);
    if (e != ERR_OK)
        return err_set(ec, e, "no memory for the providers");
    out->name = c->name;
    for (size_t i = 0; i < c->count; i++) {
        size_t k = 0;

        while (k < out->count && strcmp(out->key[k], c->key[i]) != 0)
            k++;
        if (k == CONF_FIELDS_MAX)
            return bad(c, c->key[i], "is one key too many", ec);
        out->key[k] = c->key[i];
        out->value[k] = c->value[i];
        out->count += k == out->count ? 1 : 0;
    }
    return ERR_OK;
}

/* The host that every result must have. */
static enum err host_read(const struct conf_provider *c, struct arena *a,
                          struct provider_def *p, struct errctx *ec)
{
    size_t n = strcspn(p->url, "?{");
    enum err e = url_parse(p->url, n, NULL, a, &p->place, NULL);

    if (e == ERR_NOMEM)
        return err_set(ec, e, "no memory for the providers");
    return e == ERR_OK ? ERR_OK : bad(c, "url", "is not usable", ec);
}

enum err provider_def_read(const struct conf_provider *c,
                           const struct conf *conf, struct arena *a,
                           struct provider_def *out, struct errctx *ec)
{
    struct provider_def p = {.timeout_ms = 0};
    struct conf_provider all;
    enum err e;

    for (size_t i = 0; i < c->count; i++)
        if (!is_known(c->key[i]))
            return bad(c, c->key[i], "is not a key of a provider", ec);
    e = section_merge(c, a, &all, ec);
    if (e != ERR_OK)
        return e;
    strings_read(&all, a, &p);
    if (arena_failed(a))
        return err_set(ec, ERR_NOMEM, "no memory for the providers");
    e = base_put(&all, a, &p, ec);
    if (e != ERR_OK)
        return e;
    if (!ascii_starts_i(p.url, "http://") && !ascii_starts_i(p.url, "https://"))
        return bad(c, "url", "must begin with http:// or https://", ec);
    e = host_read(c, a, &p, ec);
    if (e == ERR_OK)
        e = numbers_read(&all, &p, conf->provider_timeout_ms, ec);
    if (e == ERR_OK)
        e = choices_read(&all, &p, ec);
    if (e == ERR_OK)
        e = headers_read(&all, a, &p, ec);
    p.lack = lack_of(&p, conf->contact);
    if (e == ERR_OK)
        *out = p;
    return e;
}
