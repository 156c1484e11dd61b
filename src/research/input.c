/* A stored task input back to parameters; see input.h. */
#include "research/input.h"

#include "base/date.h"
#include "base/str.h"
#include "json/schema.h"

#include <string.h>

static const struct json_limits limits = {.bytes_max = 64u << 20,
                                          .depth_max = 512};

static enum err broken(struct errctx *ec, const char *field)
{
    return err_set(ec, ERR_MALFORMED,
                   "the stored input of the task is damaged at \"%s\"", field);
}

/* The place of z in words (NULL-terminated), or -1. */
static int place_of(const char *z, const char *const *words)
{
    for (int i = 0; z != NULL && words[i] != NULL; i++)
        if (strcmp(words[i], z) == 0)
            return i;
    return -1;
}

static enum err read_enum(const struct json *root, const char *field,
                          const char *const *words, int fallback, int *out,
                          struct errctx *ec)
{
    const struct json *v = json_get(root, field);
    int i;

    if (v == NULL || json_type_of(v) == JSON_NULL) {
        *out = fallback;
        return ERR_OK;
    }
    i = place_of(json_string(v), words);
    if (i < 0)
        return broken(ec, field);
    *out = i;
    return ERR_OK;
}

static enum err read_domains(const struct json *root, const char *field,
                             struct arena *a, struct domain_rules *out,
                             struct errctx *ec)
{
    const struct json *list = json_get(root, field), *v;
    size_t n = json_count(list), i = 0;
    struct domain_rule *rules;

    memset(out, 0, sizeof *out);
    if (list == NULL || json_type_of(list) == JSON_NULL)
        return ERR_OK;
    if (json_type_of(list) != JSON_ARRAY)
        return broken(ec, field);
    rules = arena_array(a, n, sizeof *rules);
    if (rules == NULL)
        return ERR_NOMEM;
    for (v = json_first(list); v != NULL; v = json_next(v)) {
        const char *z = json_string(v);
        enum err e;

        if (z == NULL)
            return broken(ec, field);
        e = domain_rule_parse(z, strlen(z), a, &rules[i]);
        if (e != ERR_OK)
            return e == ERR_NOMEM ? e : broken(ec, field);
        i++;
    }
    out->rules = rules;
    out->count = n;
    return ERR_OK;
}

static enum err read_day(const struct json *root, const char *field,
                         int32_t *out, struct errctx *ec)
{
    const struct json *v = json_get(root, field);
    const char *z = json_string(v);

    *out = DAY_NONE;
    if (v == NULL || json_type_of(v) == JSON_NULL)
        return ERR_OK;
    if (z == NULL || !date_parse_iso(z, strlen(z), out))
        return broken(ec, field);
    return ERR_OK;
}

/* The schema is echoed as a JSON string; *schema is its tree. */
static enum err read_schema(const struct json *root, struct json **schema,
                            struct errctx *ec)
{
    const char *z = json_string(json_get(root, "structuredOutputSchema"));
    struct json *tree = NULL;
    enum err e;

    if (z == NULL)
        return broken(ec, "structuredOutputSchema");
    e = json_parse(z, strlen(z), &limits, &tree, ec);
    if (e == ERR_NOMEM)
        return e;
    if (e != ERR_OK)
        return broken(ec, "structuredOutputSchema");
    e = schema_check(tree, ec);
    if (e != ERR_OK) {
        json_free(tree);
        return e == ERR_NOMEM ? e : broken(ec, "structuredOutputSchema");
    }
    *schema = tree;
    return ERR_OK;
}

static enum err read_choices(const struct json *root,
                             struct research_params *out, struct errctx *ec)
{
    static const char *const outputs[] = {"sourcedAnswer", "structured", NULL};
    static const char *const modes[] = {"auto", "answer", "investigate",
                                        "research", NULL};
    static const char *const depths[] = {"S", "M", "L", "XL", NULL};
    int output = -1, mode = 0, depth = 0;
    enum err e = read_enum(root, "outputType", outputs, -1, &output, ec);

    if (e == ERR_OK && output < 0)
        e = broken(ec, "outputType");
    if (e == ERR_OK)
        e = read_enum(root, "mode", modes, MODE_AUTO, &mode, ec);
    if (e == ERR_OK)
        e = read_enum(root, "reasoningDepth", depths, REASONING_L, &depth, ec);
    if (e != ERR_OK)
        return e;
    out->search.output = output == 0 ? OUTPUT_SOURCED : OUTPUT_STRUCTURED;
    out->mode = (enum research_mode)mode;
    out->reasoning = (enum reasoning_depth)depth;
    return ERR_OK;
}

static enum err read_all(const struct json *root, struct arena *a,
                         struct research_params *out, struct errctx *ec)
{
    struct search_params *s = &out->search;
    const char *q = json_string(json_get(root, "q"));
    enum err e;

    if (q == NULL || str_trim(str_of(q)).n == 0)
        return broken(ec, "q");
    s->q = arena_strdup(a, q);
    if (s->q == NULL)
        return ERR_NOMEM;
    e = read_choices(root, out, ec);
    if (e == ERR_OK)
        e = read_domains(root, "includeDomains", a, &s->include, ec);
    if (e == ERR_OK)
        e = read_domains(root, "excludeDomains", a, &s->exclude, ec);
    if (e == ERR_OK)
        e = read_day(root, "fromDate", &s->from_day, ec);
    if (e == ERR_OK)
        e = read_day(root, "toDate", &s->to_day, ec);
    s->images = json_bool(json_get(root, "includeImages"));
    s->inline_citations = true;
    s->depth = DEPTH_DEEP;
    s->max_results = 100;
    return e;
}

enum err research_input_parse(const char *input, struct arena *a,
                              struct research_params *out, struct json **root,
                              struct errctx *ec)
{
    struct research_params p;
    struct json *tree = NULL, *schema = NULL;
    enum err e = json_parse(input, strlen(input), &limits, &tree, ec);

    if (e == ERR_NOMEM)
        return e;
    if (e != ERR_OK)
        return broken(ec, "input");
    memset(&p, 0, sizeof p);
    e = read_all(tree, a, &p, ec);
    if (e == ERR_OK && p.search.output == OUTPUT_STRUCTURED)
        e = read_schema(tree, &schema, ec);
    json_free(tree);
    if (e != ERR_OK)
        return e;
    p.search.schema = schema;
    *out = p;
    *root = schema;
    return ERR_OK;
}
