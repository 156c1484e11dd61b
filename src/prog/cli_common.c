/* What the commands of `cited` share; see cli.h. */
#include "find/meaning_find.h"
#include "prog/cli.h"

#include "answer/answer_render.h"
#include "base/clock.h"
#include "base/date.h"
#include "base/log.h"
#include "base/str.h"
#include "find/vectors_make.h"
#include "model/model.h"
#include "model/relevance.h"
#include "run/slot.h"
#include "store/inspect.h"
#include "run/vectors_keep.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_MAX = 16, TERMINAL_EVERY_MS = 100, LINES_EVERY_MS = 2000 };

static volatile sig_atomic_t stop_asked;

/* --- opening ----------------------------------------------------------- */

enum err cli_check_unused(const struct cli *cli, const char *path,
                          struct errctx *ec)
{
    struct slots helpers;
    int64_t pid = 0;

    if (db_in_use(path, &pid))
        return err_set(ec, ERR_BUSY,
                       "%.150s is in use by process %lld; stop the service "
                       "first",
                       path, (long long)pid);
    slot_look(cli->conf.data_dir, cli->conf.lease_ms, &helpers);
    if (helpers.live + helpers.silent > 0)
        return err_set(ec, ERR_BUSY,
                       "a research helper is at work; stop it first");
    return ERR_OK;
}

bool cli_open_store(struct cli *cli)
{
    struct errctx ec = {ERR_OK, ""};
    bool fresh;

    if (cli->store.state != NULL)
        return true;
    fresh = access(cli->conf.data_dir, F_OK) != 0 && errno == ENOENT;
    if (store_files_open(&cli->conf, &cli->files, &ec) != ERR_OK ||
        store_open(&cli->files, &cli->store, &ec) != ERR_OK) {
        cli_fail(cli, &ec);
        return false;
    }
    /* Whoever mistyped it sees why nothing is in it. */
    if (fresh)
        cli_note(cli, "The data folder %s was not there; it is new and empty.",
                 cli->conf.data_dir);
    return true;
}

bool cli_open_http(struct cli *cli)
{
    enum err e;

    if (cli->http != NULL)
        return true;
    e = http_new(&cli->conf, &cli->http);
    if (e != ERR_OK)
        cli_failf(cli, e, "cannot start the HTTP client");
    return e == ERR_OK;
}

bool cli_open_providers(struct cli *cli)
{
    struct errctx ec = {ERR_OK, ""};

    if (cli->providers != NULL)
        return true;
    if (provider_set_new(&cli->conf, &cli->providers, &ec) == ERR_OK)
        return true;
    cli_fail(cli, &ec);
    return false;
}

bool cli_open_model(struct cli *cli)
{
    struct errctx ec = {ERR_OK, ""};
    enum err e = ERR_OK;

    if (cli->model == NULL)
        e = model_new(&cli->conf, &cli->model, &ec);
    if (e == ERR_OK && cli->relevance == NULL)
        e = relevance_new(&cli->conf, &cli->relevance, &ec);
    if (e != ERR_OK)
        cli_fail(cli, &ec);
    return e == ERR_OK;
}

static bool cli_open_meaning(struct cli *cli)
{
    struct errctx ec = {ERR_OK, ""};

    if (cli->meaning != NULL ||
        meaning_new(&cli->conf, &cli->meaning) == ERR_OK)
        return true;
    (void)err_set(&ec, ERR_NOMEM, "out of memory");
    cli_fail(cli, &ec);
    return false;
}

bool cli_open_search(struct cli *cli, struct search_env *env)
{
    if (!cli_open_store(cli) || !cli_open_http(cli) ||
        !cli_open_providers(cli) || !cli_open_model(cli) ||
        !cli_open_meaning(cli))
        return false;
    env->conf = &cli->conf;
    env->index = cli->store.index;
    env->http = cli->http;
    env->providers = cli->providers;
    env->model = cli->model;
    env->relevance = cli->relevance;
    env->meaning = cli->meaning;
    env->pdf = &cli->pdf;
    return true;
}

bool cli_find_account(struct cli *cli, const char *email, struct account *out)
{
    struct errctx ec = {ERR_OK, ""};

    if (!cli_open_store(cli))
        return false;
    if (account_find(cli->store.state, email, &cli->arena, out, &ec) == ERR_OK)
        return true;
    cli_fail(cli, &ec);
    return false;
}

/* --- telling ----------------------------------------------------------- */

static void print_error_json(const struct errctx *ec)
{
    struct cli_json j;
    struct json_out *w = cli_json_begin(&j);

    jw_object(w);
    jw_kobject(w, "error");
    jw_kstring(w, "code", err_name(ec->code));
    jw_kstring(w, "message", ec->msg);
    jw_object_end(w);
    jw_object_end(w);
    if (buf_err(&j.b) == ERR_OK)
        puts(buf_str(&j.b));
    buf_fini(&j.b);
}

static void print_name(const struct cli *cli)
{
    if (cli->name == NULL)
        fputs("cited: ", stderr);
    else
        fprintf(stderr, "cited %s: ", cli->name);
}

int cli_fail(struct cli *cli, const struct errctx *ec)
{
    cli_progress_end(cli);
    print_name(cli);
    fprintf(stderr, "%s\n", err_words(ec->code, ec));
    if (cli->json)
        print_error_json(ec);
    return CLI_FAILED;
}

int cli_failf(struct cli *cli, enum err code, const char *fmt, ...)
{
    struct errctx ec = {code, ""};
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(ec.msg, sizeof ec.msg, fmt, ap);
    va_end(ap);
    return cli_fail(cli, &ec);
}

int cli_usage(struct cli *cli, const char *fmt, ...)
{
    va_list ap;

    cli_progress_end(cli);
    if (fmt != NULL) {
        print_name(cli);
        va_start(ap, fmt);
        vfprintf(stderr, fmt, ap);
        va_end(ap);
        fputc('\n', stderr);
    }
    fprintf(stderr, "See: cited help%s%s\n", cli->name == NULL ? "" : " ",
            cli->name == NULL ? "" : cli->name);
    return CLI_USAGE;
}

/* --- words and operands ------------------------------------------------ */

const char *cli_nearest(const char *word, const char *const *names,
                        size_t count)
{
    const char *best = NULL;
    size_t least = strlen(word) / 2 + 1;

    if (least > 3)
        least = 3;
    for (size_t i = 0; i < count; i++) {
        size_t d = str_distance(word, names[i]);

        if (d <= least && d < strlen(names[i])) {
            least = d == 0 ? 0 : d - 1;
            best = names[i];
        }
    }
    return best;
}

int cli_dispatch(struct cli *cli, const struct cli_word *words, int argc,
                 char **argv)
{
    const char *names[WORDS_MAX], *near;
    char list[256];
    size_t n = 0, at = 0;

    for (; words[n].name != NULL && n < WORDS_MAX; n++) {
        names[n] = words[n].name;
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s",
                               n == 0 ? "" : ", ", names[n]);
        if (at >= sizeof list)
            at = sizeof list - 1;
        if (argc > 1 && strcmp(argv[1], names[n]) == 0) {
            optind = 2;
            if (words[n].what != NULL &&
                !cli_operands(cli, argc, words[n].operands, words[n].what))
                return CLI_USAGE;
            return words[n].run(cli, argc - 1, argv + 1);
        }
    }
    if (argc < 2)
        return cli_usage(cli, "say which of: %s", list);
    near = cli_nearest(argv[1], names, n);
    if (near != NULL)
        return cli_usage(cli, "there is no \"%s\"; did you mean \"%s\"?",
                         argv[1], near);
    return cli_usage(cli, "there is no \"%s\", only: %s", argv[1], list);
}

bool cli_operands(struct cli *cli, int argc, int n, const char *what)
{
    int given = argc - optind;

    if (given == n)
        return true;
    if (n == 0)
        cli_usage(cli, "nothing more is expected here");
    else if (given < n)
        cli_usage(cli, "%s is missing", what);
    else
        cli_usage(cli, "only %s is expected; quote what has blanks in it",
                  what);
    return false;
}

static bool parse_whole(struct cli *cli, const struct cli_option *o,
                        int64_t *out)
{
    if (parse_int(optarg, o->lo, o->hi, out))
        return true;
    cli_usage(cli, "--%s wants a whole number from %lld to %lld, not \"%s\"",
              o->name, (long long)o->lo, (long long)o->hi, optarg);
    return false;
}

static bool parse_day(struct cli *cli, const struct cli_option *o)
{
    if (date_parse_iso(optarg, strlen(optarg), o->to))
        return true;
    cli_usage(cli, "--%s wants a date as YYYY-MM-DD, not \"%s\"", o->name,
              optarg);
    return false;
}

static bool add_item(struct cli *cli, const struct cli_option *o)
{
    struct cli_list *list = o->to;

    if (list->count == (size_t)o->hi)
        cli_usage(cli, "--%s at most %lld times", o->name, (long long)o->hi);
    else
        list->item[list->count++] = optarg;
    return list->item[list->count - 1] == optarg;
}

static bool take_option(struct cli *cli, const struct cli_option *o)
{
    int64_t whole;

    switch (o->kind) {
    case CLI_VALUE_FLAG:
        *(bool *)o->to = true;
        return true;
    case CLI_VALUE_TEXT:
        *(const char **)o->to = optarg;
        return true;
    case CLI_VALUE_INT:
        return parse_whole(cli, o, o->to);
    case CLI_VALUE_SMALL:
        if (!parse_whole(cli, o, &whole))
            return false;
        *(int *)o->to = (int)whole;
        return true;
    case CLI_VALUE_DAY:
        return parse_day(cli, o);
    case CLI_VALUE_LIST:
        return add_item(cli, o);
    case CLI_VALUE_TAKEN:
        break;
    }
    return o->take(cli, o->to, optarg);
}

#define DASHED "behind -- stands text that begins with a dash"

/* What getopt_long did not take: word is "--name" or "--name=value". */
static void wrong_option(struct cli *cli, const char *word,
                         const struct option *rows)
{
    const char *names[CLI_OPTIONS_MAX], *near;
    char name[64];
    size_t n = 0;

    if (optopt >= 256) {
        cli_usage(cli, "--%s %s", rows[optopt - 256].name,
                  rows[optopt - 256].has_arg == no_argument ? "takes no value"
                                                            : "wants a value");
        return;
    }
    if (optopt != 0) { /* a letter */
        cli_usage(cli, "there are no options of one letter; " DASHED);
        return;
    }
    for (; rows[n].name != NULL; n++)
        names[n] = rows[n].name;
    word += strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    near = cli_nearest(name, names, n);
    if (near != NULL)
        cli_usage(cli, "there is no option --%s; did you mean --%s?", name,
                  near);
    else
        cli_usage(cli, "there is no option --%s%s", name,
                  word[strcspn(word, " =")] == ' ' ? "; " DASHED : "");
}

bool cli_options(struct cli *cli, int argc, char **argv,
                 const struct cli_option *options)
{
    struct option rows[CLI_OPTIONS_MAX + 1] = {{NULL, 0, NULL, 0}};
    int c;

    for (int i = 0; options != NULL && options[i].name != NULL; i++)
        rows[i] = (struct option){
            options[i].name,
            options[i].kind == CLI_VALUE_FLAG ? no_argument : required_argument,
            NULL, 256 + i};
    optind = 0; /* glibc: start afresh, also its own state */
    opterr = 0;
    while ((c = getopt_long(argc, argv, "", rows, NULL)) != -1) {
        if (c < 256) {
            wrong_option(cli, argv[optind - 1], rows);
            return false;
        }
        if (!take_option(cli, &options[c - 256]))
            return false;
    }
    return true;
}

/* --- progress ---------------------------------------------------------- */

void cli_progress(struct cli *cli, const char *fmt, ...)
{
    int64_t now = clock_mono_ms();
    int64_t every = cli->terminal ? TERMINAL_EVERY_MS : LINES_EVERY_MS;
    va_list ap;

    if (cli->quiet || (cli->progress_ms != 0 && now - cli->progress_ms < every))
        return;
    cli->progress_ms = now;
    if (cli->terminal)
        fputs("\r\033[K", stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    if (!cli->terminal)
        fputc('\n', stderr);
    cli->progress_shown = cli->terminal;
    fflush(stderr);
}

void cli_progress_end(struct cli *cli)
{
    if (cli->progress_shown)
        fputs("\r\033[K", stderr);
    cli->progress_shown = false;
}

void cli_note(struct cli *cli, const char *fmt, ...)
{
    va_list ap;

    if (cli->quiet)
        return;
    cli_progress_end(cli);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
}

/* --- signals, in and out ----------------------------------------------- */

static void on_stop(int sig)
{
    stop_asked = 1;
    signal(sig, SIG_DFL); /* a second one ends the program */
}

const volatile sig_atomic_t *cli_catch_stop(void)
{
    struct sigaction sa;

    memset(&sa, 0, sizeof sa);
    sa.sa_handler = on_stop;
    sigemptyset(&sa.sa_mask);
    sigaction(SIGINT, &sa, NULL);
    sigaction(SIGTERM, &sa, NULL);
    return &stop_asked;
}

int cli_print(struct cli *cli, const struct buf *b)
{
    cli_progress_end(cli);
    if (buf_err(b) != ERR_OK)
        return cli_failf(cli, buf_err(b), "the answer is too large to print");
    if (fwrite(buf_str(b), 1, b->len, stdout) != b->len ||
        fputc('\n', stdout) == EOF || fflush(stdout) == EOF)
        return cli_failf(cli, ERR_IO, "cannot write: %s", strerror(errno));
    return CLI_OK;
}

void cli_print_answer(const char *answer)
{
    struct buf b;

    buf_init(&b, CLI_OUT_MAX);
    if (isatty(STDOUT_FILENO) == 1)
        render_plain(answer, &b);
    else
        buf_adds(&b, answer);
    printf("%s\n\n", buf_str(&b));
    buf_fini(&b);
}

struct json_out *cli_json_begin(struct cli_json *j)
{
    buf_init(&j->b, CLI_OUT_MAX);
    jw_init(&j->w, &j->b);
    return &j->w;
}

int cli_json_end(struct cli *cli, struct cli_json *j)
{
    int status = cli_print(cli, &j->b);

    buf_fini(&j->b);
    return status;
}

enum err cli_read(const char *path, struct buf *out, struct errctx *ec)
{
    bool is_input = strcmp(path, "-") == 0;
    FILE *f = is_input ? stdin : fopen(path, "rbe");
    char piece[16384];
    size_t n;
    enum err e = ERR_OK;

    if (f == NULL)
        return err_set(ec, ERR_IO, "cannot read %s: %s", path, strerror(errno));
    while (e == ERR_OK && (n = fread(piece, 1, sizeof piece, f)) > 0)
        e = buf_add(out, piece, n);
    if (e == ERR_OK && ferror(f))
        e = err_set(ec, ERR_IO, "cannot read %s: %s", path, strerror(errno));
    else if (e != ERR_OK)
        err_set(ec, e, "%s is larger than %d MiB", path, CLI_IN_MAX >> 20);
    if (!is_input)
        fclose(f);
    return e;
}

void cli_vectors(struct cli *cli)
{
    struct errctx ec = {ERR_OK, ""};

    if (vectors_make_words(&cli->conf, cli->store.index, NULL, &ec) != ERR_OK)
        log_warn(NULL, "vectors of words: %s", ec.msg);
    vectors_start(&cli->conf);
}
