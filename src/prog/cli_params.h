/*
 * The options that `cited search` and `cited research` share: domains,
 * dates, images, a schema.
 */
#ifndef CITED_PROG_CLI_PARAMS_H
#define CITED_PROG_CLI_PARAMS_H

#include "prog/cli.h"

enum { CLI_DOMAINS_MAX = 100 };

struct cli_params {
    struct cli_list include, exclude; /* domains */
    int32_t from_day, to_day;
    bool images;
    const char *schema_text; /* or NULL */
    struct json *schema;     /* its tree, checked; freed by the caller */
};

/* The rows of the shared options for struct cli_params *p; the command adds its
 * own. */
#define CLI_PARAMS_OPTIONS(p)                                                  \
    CLI_LIST("include", &(p)->include, CLI_DOMAINS_MAX),                       \
        CLI_LIST("exclude", &(p)->exclude, CLI_DOMAINS_MAX),                   \
        CLI_DAY("from", &(p)->from_day), CLI_DAY("to", &(p)->to_day),          \
        CLI_TAKEN("schema", (p), cli_params_schema),                           \
        CLI_FLAG("images", &(p)->images)

void cli_params_init(struct cli_params *p);
void cli_params_fini(struct cli_params *p);

bool cli_params_schema(struct cli *cli, void *params, const char *path);

/* Domains as rules, and is from before to or, where one_day, the same? False:
 * told. */
bool cli_params_rules(struct cli *cli, const struct cli_params *p, bool one_day,
                      struct search_params *out);

#endif
