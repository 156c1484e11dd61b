/* cited conf: is the configuration right, and what can be in it. */
#include "prog/cli.h"

#include <getopt.h>

static int example(struct cli *cli, int argc, char **argv)
{
    (void)cli;
    (void)argc;
    (void)argv;
    conf_print_example(stdout);
    return CLI_OK;
}

/* main has loaded it, or told what is wrong with it. */
static int check(struct cli *cli, int argc, char **argv)
{
    struct cli_json j;
    struct json_out *w;

    (void)argc;
    (void)argv;
    if (!cli_open_providers(cli) || !cli_open_model(cli))
        return CLI_FAILED;
    if (!cli->json) {
        printf("The configuration is valid.\ndata folder: %s\nproviders: "
               "%zu\n",
               cli->conf.data_dir, provider_set_count(cli->providers));
        return CLI_OK;
    }
    w = cli_json_begin(&j);
    jw_object(w);
    jw_kbool(w, "valid", true);
    jw_kstring(w, "dataDir", cli->conf.data_dir);
    jw_kint(w, "providers", (int64_t)provider_set_count(cli->providers));
    jw_object_end(w);
    return cli_json_end(cli, &j);
}

int cli_conf(struct cli *cli, int argc, char **argv)
{
    static const struct cli_word words[] = {{"check", check, 0, ""},
                                            {"example", example, 0, ""},
                                            {NULL, NULL, 0, NULL}};

    return cli_dispatch(cli, words, argc, argv);
}
