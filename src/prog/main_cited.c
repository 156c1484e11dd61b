/*
 * `cited`, the operator's command: the options every command has, the table
 * of commands, help. What a command does is in cli_NAME.c.
 */
#include "find/meaning_find.h"
#include "prog/cli.h"

#include "base/log.h"
#include "base/version.h"
#include "model/model.h"
#include "model/relevance.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMMAND_ARENA_MAX = 512 << 20 };

extern char **environ;

struct command {
    const char *name;
    cli_command *run;
    bool bare; /* loads the configuration itself, if at all */
    const char *usage, *line;
};

/* What `cited help NAME` says, in NAME.help. */
extern const char account_help[], key_help[], crawl_help[], index_help[],
    search_help[], research_help[], check_help[], provider_help[],
    extract_help[], conf_help[], init_help[], serve_help[], doctor_help[],
    backup_help[], restore_help[], move_help[];

static const struct command commands[] = {
    {"account", cli_account, false, account_help,
     "Create, list, disable accounts"},
    {"key", cli_key, false, key_help, "Create, list, revoke API keys"},
    {"crawl", cli_crawl, false, crawl_help, "Crawl web sites into the index"},
    {"index", cli_index, false, index_help,
     "Add pages to the index, list, remove them"},
    {"search", cli_search, false, search_help, "Ask a question"},
    {"research", cli_research, false, research_help,
     "Run a research task and watch it"},
    {"check", cli_check, false, check_help,
     "Hold a text against what it cites"},
    {"provider", cli_provider, false, provider_help,
     "List and try search providers"},
    {"extract", cli_extract, false, extract_help,
     "Show what is read from a page"},
    {"conf", cli_conf, true, conf_help,
     "Check the configuration, print an example"},
    {"init", cli_init, true, init_help, "Make a new installation"},
    {"serve", cli_serve, false, serve_help,
     "Run a local service in the foreground"},
    {"doctor", cli_doctor, true, doctor_help,
     "Find what is wrong with an installation"},
    {"backup", cli_backup, false, backup_help,
     "Copy the databases while they are used"},
    {"restore", cli_restore, false, restore_help, "Bring a backup back"},
    {"move", cli_move, false, move_help,
     "Move accounts, tasks and pages to PostgreSQL or back"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

/* --- help -------------------------------------------------------------- */

static void print_help(FILE *f)
{
    fputs("Usage: cited [--data DIR] [--conf FILE] [--json] [--quiet] "
          "COMMAND …\n\n",
          f);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(f, "  %-10s %s\n", commands[i].name, commands[i].line);
    fputs("  help       Say more about a command: cited help COMMAND\n\n"
          "  --data DIR   the data folder; else CITED_DATA, else the\n"
          "               configuration's\n"
          "  --conf FILE  the configuration; else CITED_CONF, cited.conf,\n"
          "               /etc/cited/cited.conf\n"
          "  --json       answers as JSON\n"
          "  --quiet      no progress\n"
          "  --version\n",
          f);
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    static const char *const options[] = {"--version", "--help", "--json",
                                          "--quiet",   "--data", "--conf"};
    const char *names[COMMAND_COUNT], *near;
    bool option = name[0] == '-';

    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    near = option ? cli_nearest(name, options, sizeof options / sizeof *options)
                  : cli_nearest(name, names, COMMAND_COUNT);
    if (near != NULL && option)
        fprintf(stderr, "cited: there is no option %s; did you mean %s?\n",
                name, near);
    else if (near != NULL)
        fprintf(stderr,
                "cited: there is no command \"%s\"; did you mean \"%s\"?\n",
                name, near);
    else
        fprintf(stderr, "cited: there is no command \"%s\"; see: cited help\n",
                name);
    return CLI_USAGE;
}

static int help(const char *name)
{
    const struct command *c;

    if (name == NULL) {
        print_help(stdout);
        return CLI_OK;
    }
    c = find_command(name);
    if (c == NULL)
        return unknown_command(name);
    printf("%s.\n\n%s", c->line, c->usage);
    return CLI_OK;
}

/* --- options of every command ------------------------------------------ */

struct options {
    const char *data, *conf;
    bool json, quiet, help, version;
};

/* The value of option name at argv[*i] ("--name V" or "--name=V"), or NULL
 * when it is not this option; *i moves onto the value. */
static const char *take_value(const char *name, int argc, char **argv, int *i)
{
    size_t n = strlen(name);

    if (strncmp(argv[*i], name, n) != 0)
        return NULL;
    if (argv[*i][n] == '=')
        return argv[*i] + n + 1;
    if (argv[*i][n] != '\0')
        return NULL;
    return *i + 1 < argc ? argv[++*i] : "";
}

static bool take_flag(struct options *o, const char *z)
{
    if (strcmp(z, "--json") == 0)
        o->json = true;
    else if (strcmp(z, "--quiet") == 0)
        o->quiet = true;
    else if (strcmp(z, "--help") == 0 || strcmp(z, "-h") == 0)
        o->help = true;
    else if (strcmp(z, "--version") == 0)
        o->version = true;
    else
        return false;
    return true;
}

/* Take the common options out of argv, up to a "--"; returns the new argc,
 * or -1 when a value is missing. */
static int take_options(struct options *o, int argc, char **argv)
{
    int kept = 1, i = 1;

    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *name = argv[i], *v;

        if (take_flag(o, argv[i]))
            continue;
        if ((v = take_value("--data", argc, argv, &i)) != NULL)
            o->data = v;
        else if ((v = take_value("--conf", argc, argv, &i)) != NULL)
            o->conf = v;
        else
            argv[kept++] = argv[i];
        if (v != NULL && *v == '\0') {
            fprintf(stderr, "cited: %s wants a value\n", name);
            return -1;
        }
    }
    for (; i < argc; i++)
        argv[kept++] = argv[i];
    argv[kept] = NULL;
    return kept;
}

/* --- running ----------------------------------------------------------- */

static void close_all(struct cli *cli)
{
    if (cli->http != NULL)
        http_free(cli->http);
    meaning_free(cli->meaning);
    relevance_free(cli->relevance);
    model_free(cli->model);
    if (cli->providers != NULL)
        provider_set_free(cli->providers);
    if (cli->store.state != NULL)
        store_close(&cli->store);
    if (cli->files.state != NULL)
        store_files_close(&cli->files);
}

static int run_command(const struct command *c, struct cli *cli, int argc,
                       char **argv)
{
    int status = c->run(cli, argc, argv);

    cli_progress_end(cli);
    close_all(cli);
    http_global_fini();
    /* Loaded by main, or by the command itself. */
    if (cli->conf.data_dir != NULL)
        conf_fini(&cli->conf);
    return status;
}

/* The configuration could not be loaded; only commands that ask for it go
 * on, and `conf check` is about just that. */
static int run_bare(const struct command *c, struct cli *cli, int argc,
                    char **argv, const struct errctx *ec)
{
    if (!c->bare || (argc > 1 && strcmp(argv[1], "check") == 0))
        return cli_fail(cli, ec);
    return run_command(c, cli, argc, argv);
}

static int run_loaded(const struct command *c, struct cli *cli, int argc,
                      char **argv)
{
    const char *level = cli->conf.log_level;

    /* Everyday lines would disturb a person's screen. */
    log_set_level_named(strcmp(level, "info") == 0 ? "warn" : level);
    return run_command(c, cli, argc, argv);
}

static int run(const struct command *c, const struct options *o, int argc,
               char **argv)
{
    struct cli cli;
    struct errctx ec = {ERR_OK, ""};
    const char *data = o->data != NULL ? o->data : getenv("CITED_DATA");
    int status;

    if (data != NULL && *data == '\0')
        data = NULL;
    memset(&cli, 0, sizeof cli);
    cli.name = c->name;
    cli.json = o->json;
    cli.quiet = o->quiet;
    cli.conf_path = o->conf;
    cli.data_dir = data;
    cli.terminal = isatty(STDERR_FILENO) == 1;
    if (cli.terminal)
        log_for_people();
    arena_init(&cli.arena, COMMAND_ARENA_MAX);
    optind = 0; /* glibc: start afresh, also its own state */
    if (conf_load(&cli.conf, o->conf, data, environ, &ec) != ERR_OK) {
        status = run_bare(c, &cli, argc, argv, &ec);
    } else {
        pdf_reader_init(&cli.pdf, &cli.conf);
        status = run_loaded(c, &cli, argc, argv);
    }
    arena_fini(&cli.arena);
    return status;
}

int main(int argc, char **argv)
{
    struct options o = {NULL, NULL, false, false, false, false};
    const struct command *c;

    signal(SIGPIPE, SIG_IGN);
    argc = take_options(&o, argc, argv);
    if (argc < 0)
        return CLI_USAGE;
    if (o.version) {
        puts("cited " CITED_VERSION);
        return CLI_OK;
    }
    if (argc < 2 && !o.help) {
        print_help(stderr);
        return CLI_USAGE;
    }
    if (argc < 2 || strcmp(argv[1], "help") == 0)
        return help(argc > 2 ? argv[2] : NULL);
    if (o.help)
        return help(argv[1]);
    c = find_command(argv[1]);
    if (c == NULL)
        return unknown_command(argv[1]);
    return run(c, &o, argc - 1, argv + 1);
}
