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
    const char *line;
    const char *usage;
};

static const struct command commands[] = {
    {"account", cli_account, false, "Create, list, disable accounts",
     "cited account create [--operator] EMAIL\n"
     "cited account list\n"
     "cited account role EMAIL operator|user\n"
     "cited account password EMAIL\n"
     "cited account disable EMAIL\n"
     "cited account enable EMAIL\n"
     "cited account link EMAIL\n"
     "cited account secret [--new] EMAIL\n"
     "\n"
     "Operators may also see and change the index and the service's state\n"
     "over the API. The password is read from the terminal, or as one line\n"
     "of standard input; a new one ends the account's sign-ins. An account\n"
     "without one is used by its keys alone.\n"
     "The keys of a disabled account are refused until it is enabled.\n"
     "A link opens the console signed in, once, within an hour.\n"
     "The secret signs what is sent to the account's callback addresses; "
     "--new\n"
     "replaces it.\n"},
    {"key", cli_key, false, "Create, list, revoke API keys",
     "cited key create EMAIL [--label TEXT]\n"
     "cited key list EMAIL\n"
     "cited key revoke ID\n"
     "\n"
     "A key is shown once, when it is created; only its hash is stored.\n"},
    {"crawl", cli_crawl, false, "Crawl web sites into the index",
     "cited crawl URL… [options]\n"
     "\n"
     "Follows links from the URLs on their own hosts, obeying robots.txt,\n"
     "and puts every page into the index. Interrupted, it continues where\n"
     "it was when started again.\n"
     "\n"
     "  --depth N        follow links at most N steps from a URL\n"
     "  --pages N        store at most N pages\n"
     "  --delay MS       between two requests to a host (robots.txt may ask\n"
     "                   for more)\n"
     "  --parallel N     requests at once\n"
     "  --per-host N     of them to one host\n"
     "  --include GLOB   only URLs that match; may be given again. '*' is\n"
     "                   any run of characters; a pattern that begins with\n"
     "                   '/' is held against the path and query, another one\n"
     "                   against the whole URL. The URLs given are exempt\n"
     "  --exclude GLOB   never URLs that match\n"
     "  --subdomains     also subdomains of the URLs' hosts\n"
     "  --no-sitemaps    read no sitemaps\n"
     "  --ignore-robots  do not obey robots.txt (your own hosts only)\n"
     "  --fresh          forget an interrupted crawl and what is known of\n"
     "                   earlier ones; ask for every page again\n"},
    {"index", cli_index, false, "Add pages to the index, list, remove them",
     "cited index add FILE|DIR|-… [--url URL] [--base URL] [--type TYPE]\n"
     "cited index list [HOST]\n"
     "cited index remove URL\n"
     "cited index remove --host HOST\n"
     "cited index stats\n"
     "cited index optimize\n"
     "\n"
     "add reads HTML, Markdown, plain text, PDF and JSON lines\n"
     "({\"url\", \"title\", \"text\" or \"html\", \"date\"}), by the name's\n"
     "ending or by --type html|markdown|text|pdf|jsonl; \"-\" is standard\n"
     "input. A page needs the address it will be cited by:\n"
     "  --url URL   of the one file\n"
     "  --base URL  plus the path below the folder (or the file's name)\n"
     "else a canonical link inside the HTML. A page with an address that is\n"
     "there already replaces it.\n"},
    {"search", cli_search, false, "Ask a question",
     "cited search \"question\" [options]\n"
     "\n"
     "  --depth flash|fast|standard|deep   default standard\n"
     "  --results        ranked pages instead of an answer\n"
     "  --schema FILE    fill this JSON Schema instead\n"
     "  --max N          most results, 1-100, default 10\n"
     "  --include D      only this domain (may be repeated)\n"
     "  --exclude D      not this domain (may be repeated)\n"
     "  --from, --to YYYY-MM-DD   of pages with a date in between\n"
     "  --images         images too\n"
     "\n"
     "With --json the answer is as in POST /v1/search.\n"},
    {"research", cli_research, false, "Run a research task and watch it",
     "cited research \"question\" [options]\n"
     "\n"
     "  --effort S|M|L|XL   how much work, default L\n"
     "  --mode auto|answer|investigate|research\n"
     "  --schema FILE, --include D, --exclude D, --from, --to, --images\n"
     "                      as for search\n"
     "  --account EMAIL     whose task it is; default the first account\n"
     "\n"
     "The task is stored like any other; interrupted, a helper goes on.\n"
     "With --json its output is printed as in GET /v1/research/:id.\n"},
    {"check", cli_check, false, "Hold a text against what it cites",
     "cited check FILE|- [--fetch]\n"
     "\n"
     "Is each sentence borne out? FILE is Markdown with marks such as [1] and\n"
     "the list of their addresses, or with links; an answer as JSON; or JSON\n"
     "lines of {\"sentence\", \"passage\"} or {\"sentence\" or \"text\", "
     "\"url\"},\n"
     "with \"quote\" where the words are known that a sentence rests on. "
     "Pages\n"
     "are those of the index; with --fetch others are read from the web.\n"
     "\n"
     "quoted: its words stand there; supported: one place says the same;\n"
     "contradicted: it says otherwise; not found: nothing does, with the\n"
     "nearest place where there is one. The exit status is 1 unless all are\n"
     "quoted or supported.\n"
     "With --json one object a line, in the order given: sentence, kind\n"
     "(quoted, supported, repaired, contradicted, unsupported), url, quote,\n"
     "start, end, why; repaired is what is not found and has a nearest "
     "place.\n"},
    {"provider", cli_provider, false, "List and try search providers",
     "cited provider list\n"
     "cited provider test NAME \"query\"\n"
     "\n"
     "list shows those of the configuration and the definitions that come\n"
     "with the program. test asks one, which may be a definition that is\n"
     "not configured yet, and tells what it answered and in which time.\n"},
    {"extract", cli_extract, false, "Show what is read from a page",
     "cited extract FILE|URL|- [--markdown] [--type TYPE]\n"
     "\n"
     "Title, date, language and main text, as the index would store them;\n"
     "nothing is stored.\n"
     "\n"
     "  --markdown   the main text alone, as Markdown\n"
     "  --type TYPE  html, markdown or text; default by the name's ending\n"
     "\n"
     "With --json: url, title, date, language, favicon, refusal (what the\n"
     "page is instead of content, or null), cut (only its beginning was\n"
     "read), text, markdown and images.\n"},
    {"conf", cli_conf, true, "Check the configuration, print an example",
     "cited conf check\n"
     "cited conf example\n"},
    {"init", cli_init, true, "Make a new installation",
     "cited init [options]\n"
     "\n"
     "Writes a commented configuration, makes the data folder, a first "
     "account\n"
     "with a key, and the configuration of the chosen web server. Asks on a\n"
     "terminal for what is not given, and before it writes. Nothing that "
     "exists\n"
     "is replaced.\n"
     "\n"
     "  --conf FILE      the configuration to write; default cited.conf, for\n"
     "                   root /etc/cited/cited.conf\n"
     "  --data DIR       the data folder; default ./var, for root\n"
     "                   /var/lib/cited\n"
     "  --user NAME      whose the data folder shall be (as root); default\n"
     "                   cited, if there is such a user\n"
     "  --email EMAIL    of the first account; without it none is made\n"
     "  --contact TEXT   mail address or URL shown to the sites that are read\n"
     "  --server NAME    lighttpd, apache, nginx, shared-hosting or none\n"
     "  --address A, --port N   where the server listens; 127.0.0.1, 8080\n"
     "  --socket PATH    the responder is started by a service manager and\n"
     "                   listens there; the Debian package's is\n"
     "                   /run/cited/cited.sock\n"
     "  --base PATH      path in the URL (shared-hosting), such as /cited\n"},
    {"serve", cli_serve, false, "Run a local service in the foreground",
     "cited serve [--port N] [--address A] [--www DIR] [--docs DIR]\n"
     "\n"
     "Data folder, account, key and lighttpd with the responder, with one\n"
     "command; Ctrl-C stops all of it. Made for one person on one machine;\n"
     "for others see: cited help init.\n"
     "\n"
     "  --port N     default 8080\n"
     "  --address A  default 127.0.0.1\n"
     "  --www DIR    static files; default those of the console\n"
     "  --docs DIR   text files shown under /docs/\n"},
    {"doctor", cli_doctor, true, "Find what is wrong with an installation",
     "cited doctor [--url URL] [--key-file FILE] [--offline]\n"
     "\n"
     "Looks at the configuration, the data folder, the disk, the databases,\n"
     "the helper, the providers, the model and the clock; with --url also at\n"
     "the service as its clients see it. Each finding says what is wrong,\n"
     "why it matters and what to do. The exit status is 1 when there is an\n"
     "error; warnings leave it 0.\n"
     "\n"
     "  --url URL        of the service, such as http://127.0.0.1:8080; it is\n"
     "                   asked with a key that is made and revoked again\n"
     "  --key-file FILE  ask with the key in the first line of FILE instead\n"
     "  --offline        ask nothing over the network\n"},
    {"backup", cli_backup, false, "Copy the databases while they are used",
     "cited backup DIR\n"
     "\n"
     "Copies both databases into the new folder DIR, as they are at one\n"
     "moment, while the service goes on; every copy is checked after writing.\n"
     "DIR appears only when it is whole. The configuration is not in it.\n"},
    {"restore", cli_restore, false, "Bring a backup back",
     "cited restore DIR [--force]\n"
     "\n"
     "Checks the backup in DIR and puts its databases into the data folder.\n"
     "Refused while the service or a helper runs.\n"
     "\n"
     "  --force  replace the databases that are there\n"},
    {"move", cli_move, false,
     "Move accounts, tasks and pages to PostgreSQL or back",
     "cited move --to ADDRESS\n"
     "cited move --from ADDRESS\n"
     "\n"
     "Copies accounts, keys, tasks and all that belongs to them from state.db,\n"
     "and pages from index.db, to the PostgreSQL at the address, or from there\n"
     "to the data folder. Each row and page is read back and compared, and all\n"
     "are counted; one that was interrupted goes on when it is called again.\n"
     "The source stays as it is. Stop the service first, on all machines.\n"
     "\n"
     "  --to ADDRESS    postgresql://…, as in [state] database\n"
     "  --from ADDRESS  the same, the other way\n"},
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
