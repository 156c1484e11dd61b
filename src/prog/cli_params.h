/*
 * The options that `cited search` and `cited research` share: domains,
 * dates, images, a schema.
 */
#ifndef CITED_PROG_CLI_PARAMS_H
#define CITED_PROG_CLI_PARAMS_H

#include "prog/cli.h"

enum { CLI_DOMAINS_MAX = 100 };

struct cli_params {
    const char *include[CLI_DOMAINS_MAX], *exclude[CLI_DOMAINS_MAX];
    size_t include_count, exclude_count;
    const char *from, *to; /* YYYY-MM-DD, or NULL */
    int32_t from_day, to_day;
    bool images;
    const char *schema_text; /* or NULL */
    struct json *schema;     /* its tree, checked; freed by the caller */
};

/* getopt_long rows for the shared options; the command adds its own. */
#define CLI_PARAMS_OPTIONS                                                     \
    {"include", required_argument, NULL, 'i'},                                 \
        {"exclude", required_argument, NULL, 'x'},                             \
        {"from", required_argument, NULL, 'f'},                                \
        {"to", required_argument, NULL, 't'},                                  \
        {"schema", required_argument, NULL, 's'},                              \
    {                                                                          \
        "images", no_argument, NULL, 'g'                                       \
    }

void cli_params_init(struct cli_params *p);
void cli_params_fini(struct cli_params *p);

/* Take one option that getopt_long returned. False: told already. An option
 * that is not shared is told as unknown. */
bool cli_params_take(struct cli *cli, struct cli_params *p, int option,
                     const char *value);

/* Domains as rules, and is from before to or, where one_day, the same? False:
 * told. */
bool cli_params_rules(struct cli *cli, const struct cli_params *p,
                      bool one_day, struct search_params *out);

#endif
