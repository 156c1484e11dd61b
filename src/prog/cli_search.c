/* cited search: a question asked of this instance, without the server. */
#include "prog/cli.h"
#include "prog/cli_params.h"

#include "base/clock.h"
#include "base/date.h"
#include "web/render.h"

#include <getopt.h>
#include <string.h>

static bool take_depth(struct cli *cli, void *to, const char *z)
{
    static const char *const names[] = {"flash", "fast", "standard", "deep"};

    for (int i = 0; i < 4; i++)
        if (strcmp(names[i], z) == 0) {
            *(enum search_depth *)to = (enum search_depth)i;
            return true;
        }
    cli_usage(cli, "--depth wants flash, fast, standard or deep, not \"%s\"",
              z);
    return false;
}

static bool read_options(struct cli *cli, int argc, char **argv,
                         struct cli_params *shared, struct search_params *p)
{
    bool results = false;
    const struct cli_option options[] = {
        CLI_PARAMS_OPTIONS(shared), CLI_TAKEN("depth", &p->depth, take_depth),
        CLI_FLAG("results", &results),
        CLI_SMALL("max", &p->max_results, 1, 100), CLI_OPTIONS_END};

    if (!cli_options(cli, argc, argv, options) ||
        !cli_operands(cli, argc, 1, "the question") ||
        !cli_params_rules(cli, shared, true, p))
        return false;
    if (results)
        p->output = OUTPUT_RESULTS;
    if (p->schema != NULL)
        p->output = OUTPUT_STRUCTURED;
    p->q = argv[optind];
    p->inline_citations = p->output == OUTPUT_SOURCED;
    p->sources = p->output == OUTPUT_STRUCTURED && !cli->json;
    return true;
}

/* --- for people -------------------------------------------------------- */

/* said: the answer quotes it. */
static void print_source(size_t n, const struct source *s, bool said)
{
    char day[DATE_LEN + 1];

    printf("[%zu] %s\n    %s", n, s->name, s->url);
    if (s->day != DAY_NONE) {
        date_format(s->day, day);
        printf("  (%s)", day);
    }
    printf("\n");
    if (!said && s->snippet != NULL && *s->snippet != '\0')
        printf("    %s\n", s->snippet);
}

static void print_text(const struct search_result *res)
{
    if (res->answer != NULL)
        cli_print_answer(res->answer);
    if (res->object != NULL)
        printf("%s\n\n", res->object);
    for (size_t i = 0; i < res->source_count; i++)
        print_source(i + 1, &res->sources[i], res->answer != NULL);
    for (size_t i = 0; i < res->image_count; i++)
        printf("image: %s\n", res->images[i].url);
}

/* As on the wire. */
static int print_json(struct cli *cli, const struct search_params *p,
                      const struct search_result *res)
{
    struct cli_json j;

    cli_json_begin(&j);
    render_search(p, res, &j.b);
    return cli_json_end(cli, &j);
}

static int run(struct cli *cli, const struct search_params *p)
{
    struct errctx ec = {ERR_OK, ""};
    struct search_env env;
    struct search_result res;
    struct deadline d;

    memset(&res, 0, sizeof res);
    if (!cli_open_search(cli, &env))
        return CLI_FAILED;
    d = deadline_in(search_deadline_ms(&cli->conf, cli->model, p->depth));
    if (search_run(&env, p, d, "cited", &cli->arena, &res, &ec) != ERR_OK)
        return cli_fail(cli, &ec);
    if (cli->json)
        return print_json(cli, p, &res);
    print_text(&res);
    return CLI_OK;
}

int cli_search(struct cli *cli, int argc, char **argv)
{
    struct cli_params shared;
    struct search_params p;
    int status = CLI_USAGE;

    memset(&p, 0, sizeof p);
    p.depth = DEPTH_STANDARD;
    p.output = OUTPUT_SOURCED;
    p.max_results = 10;
    cli_params_init(&shared);
    if (read_options(cli, argc, argv, &shared, &p))
        status = run(cli, &p);
    cli_params_fini(&shared);
    return status;
}
