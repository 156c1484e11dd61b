/* Options of search and research; see cli_params.h. */
#include "prog/cli_params.h"

#include "base/date.h"
#include "json/schema.h"

#include <string.h>

enum { SCHEMA_MAX = 1 << 20 };

void cli_params_init(struct cli_params *p)
{
    memset(p, 0, sizeof *p);
    p->from_day = DAY_NONE;
    p->to_day = DAY_NONE;
}

void cli_params_fini(struct cli_params *p)
{
    json_free(p->schema);
    p->schema = NULL;
}

static bool add_domain(struct cli *cli, const char **list, size_t *count,
                       const char *value)
{
    if (*count == CLI_DOMAINS_MAX) {
        cli_usage(cli, "at most %d domains", CLI_DOMAINS_MAX);
        return false;
    }
    list[(*count)++] = value;
    return true;
}

static bool read_schema(struct cli *cli, struct cli_params *p, const char *path)
{
    struct errctx ec = {ERR_OK, ""};
    struct buf b;
    enum err e;

    buf_init(&b, SCHEMA_MAX);
    e = cli_read(path, &b, &ec);
    if (e == ERR_OK)
        e = json_parse(buf_str(&b), b.len, &json_limits_request, &p->schema,
                       &ec);
    if (e == ERR_OK)
        e = schema_check(p->schema, &ec);
    if (e == ERR_OK) {
        p->schema_text = arena_strdup(&cli->arena, buf_str(&b));
        if (p->schema_text == NULL)
            e = ERR_NOMEM;
    }
    buf_fini(&b);
    if (e != ERR_OK)
        cli_failf(cli, e, "%s: %s", path,
                  ec.msg[0] == '\0' ? err_name(e) : ec.msg);
    return e == ERR_OK;
}

bool cli_params_take(struct cli *cli, struct cli_params *p, int option,
                     const char *value)
{
    switch (option) {
    case 'i':
        return add_domain(cli, p->include, &p->include_count, value);
    case 'x':
        return add_domain(cli, p->exclude, &p->exclude_count, value);
    case 'f':
        p->from = value;
        return cli_parse_day(cli, "--from", value, &p->from_day);
    case 't':
        p->to = value;
        return cli_parse_day(cli, "--to", value, &p->to_day);
    case 's':
        json_free(p->schema);
        p->schema = NULL;
        return read_schema(cli, p, value);
    case 'g':
        p->images = true;
        return true;
    default:
        cli_usage(cli, NULL);
        return false;
    }
}

static bool rules_of(struct cli *cli, const char *const *list, size_t count,
                     struct domain_rules *out)
{
    struct domain_rule *v = arena_array(&cli->arena, count, sizeof *v);

    for (size_t i = 0; i < count; i++)
        if (v == NULL || domain_rule_parse(list[i], strlen(list[i]),
                                           &cli->arena, &v[i]) != ERR_OK) {
            cli_usage(cli, "\"%s\" is not a domain", list[i]);
            return false;
        }
    out->rules = v;
    out->count = count;
    return true;
}

bool cli_params_rules(struct cli *cli, const struct cli_params *p,
                      bool one_day, struct search_params *out)
{
    if (p->from_day != DAY_NONE && p->to_day != DAY_NONE &&
        (one_day ? p->from_day > p->to_day : p->from_day >= p->to_day)) {
        cli_usage(cli, "--from must %s --to",
                  one_day ? "not be after" : "be before");
        return false;
    }
    out->from_day = p->from_day;
    out->to_day = p->to_day;
    out->images = p->images;
    out->schema = p->schema;
    return rules_of(cli, p->include, p->include_count, &out->include) &&
           rules_of(cli, p->exclude, p->exclude_count, &out->exclude);
}
