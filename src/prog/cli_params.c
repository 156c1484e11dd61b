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

bool cli_params_schema(struct cli *cli, void *params, const char *path)
{
    struct cli_params *p = params;
    struct errctx ec = {ERR_OK, ""};
    struct buf b;
    enum err e;

    cli_params_fini(p);
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
        cli_failf(cli, e, "%s: %s", path, err_words(e, &ec));
    return e == ERR_OK;
}

static bool rules_of(struct cli *cli, const struct cli_list *list,
                     struct domain_rules *out)
{
    struct domain_rule *v = arena_array(&cli->arena, list->count, sizeof *v);

    for (size_t i = 0; i < list->count; i++)
        if (v == NULL || domain_rule_parse(list->item[i], strlen(list->item[i]),
                                           &cli->arena, &v[i]) != ERR_OK) {
            cli_usage(cli, "\"%s\" is not a domain", list->item[i]);
            return false;
        }
    out->rules = v;
    out->count = list->count;
    return true;
}

bool cli_params_rules(struct cli *cli, const struct cli_params *p, bool one_day,
                      struct search_params *out)
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
    return rules_of(cli, &p->include, &out->include) &&
           rules_of(cli, &p->exclude, &out->exclude);
}
