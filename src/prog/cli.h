/*
 * What the commands of `cited` share: the configuration, the stores opened
 * when first needed, how errors and progress are shown. A command is one
 * function in a file cli_NAME.c, what help says of it in NAME.help, and a row
 * of the table in main_cited.c.
 *
 * Results go to standard output, everything said about them to standard
 * error. Exit statuses: CLI_OK, CLI_FAILED, CLI_USAGE.
 */
#ifndef CITED_PROG_CLI_H
#define CITED_PROG_CLI_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/conf.h"
#include "base/err.h"
#include "find/provider.h"
#include "net/http.h"
#include "run/pdf.h"
#include "search/search.h"
#include "store/account.h"
#include "store/db.h"
#include "json/json.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/* Most bytes of one object or report a command prints, and of one read. */
enum { CLI_OUT_MAX = 64 << 20, CLI_IN_MAX = 64 << 20 };

struct cli {
    const char *name;      /* of the command: argv[0] of its function */
    const char *conf_path; /* --conf, or NULL */
    const char *data_dir;  /* --data or CITED_DATA, or NULL */
    struct conf conf;      /* loaded */
    bool json;             /* --json: one JSON value on standard output */
    bool terminal;         /* standard error is a terminal */
    bool quiet;            /* --quiet: no progress */
    struct arena arena;    /* lives as long as the command */

    /* Opened by cli_open_*; closed by main. */
    struct store_files files;
    struct store store;
    struct provider_set *providers;
    struct model *model;
    struct relevance *relevance;
    struct meaning *meaning;
    struct http *http;
    struct pdf_reader pdf; /* from the configuration, by main */

    int64_t progress_ms; /* monotonic time of the last progress line */
    bool progress_shown; /* an unfinished line stands on the terminal */
};

/*
 * A command: argv[0] is its name, options and operands follow; getopt_long
 * starts afresh. Returns the exit status; has told its errors. The options
 * of every command (--json, --quiet, --data, --conf, --help) were taken out
 * of argv before, wherever they stood.
 */
typedef int cli_command(struct cli *cli, int argc, char **argv);

/* One word of a command that has several ("account create"). */
struct cli_word {
    const char *name;
    cli_command *run; /* argv[0] is the word */
    /* It has no options and so many operands, called what; "": it reads its
     * arguments itself. */
    int operands;
    const char *what;
};

/* Run the word argv[1] names, or tell which there are. words ends with an
 * empty row. */
int cli_dispatch(struct cli *cli, const struct cli_word *words, int argc,
                 char **argv);

/* Of names (count of them), the one nearest to a mistyped word; NULL when
 * none is near. */
const char *cli_nearest(const char *word, const char *const *names,
                        size_t count);

/* The values of an option that may come several times. */
enum { CLI_LIST_MAX = 1000 };
struct cli_list {
    const char *item[CLI_LIST_MAX];
    size_t count;
};

/* An option of a command, and where its value goes. */
struct cli_option {
    const char *name;
    enum cli_value {
        CLI_VALUE_FLAG,  /* bool, true when it is given */
        CLI_VALUE_TEXT,  /* const char * */
        CLI_VALUE_INT,   /* int64_t within lo..hi */
        CLI_VALUE_SMALL, /* int within lo..hi */
        CLI_VALUE_DAY,   /* int32_t, of YYYY-MM-DD */
        CLI_VALUE_LIST,  /* struct cli_list, at most hi of them */
        CLI_VALUE_TAKEN  /* whatever take makes of it */
    } kind;
    void *to;
    int64_t lo, hi;
    /* Called with to; false: told already. */
    bool (*take)(struct cli *cli, void *to, const char *value);
};

#define CLI_ROW(name, kind, to, lo, hi, take)                                  \
    {                                                                          \
        name, CLI_VALUE_##kind, to, lo, hi, take                               \
    }
#define CLI_FLAG(name, to) CLI_ROW(name, FLAG, to, 0, 0, NULL)
#define CLI_TEXT(name, to) CLI_ROW(name, TEXT, to, 0, 0, NULL)
#define CLI_INT(name, to, lo, hi) CLI_ROW(name, INT, to, lo, hi, NULL)
#define CLI_SMALL(name, to, lo, hi) CLI_ROW(name, SMALL, to, lo, hi, NULL)
#define CLI_DAY(name, to) CLI_ROW(name, DAY, to, 0, 0, NULL)
#define CLI_LIST(name, to, max) CLI_ROW(name, LIST, to, 0, max, NULL)
#define CLI_TAKEN(name, to, take) CLI_ROW(name, TAKEN, to, 0, 0, take)
#define CLI_OPTIONS_END CLI_ROW(NULL, FLAG, NULL, 0, 0, NULL)

enum { CLI_OPTIONS_MAX = 16 };

/* Read the options before and between the operands, which stand from optind on
 * afterwards. options ends with an empty row; NULL: there are none. False:
 * told. */
bool cli_options(struct cli *cli, int argc, char **argv,
                 const struct cli_option *options);

/* Exactly n operands after the options? Tells which are missing by what
 * ("EMAIL") and returns false. optind is where getopt_long left it. */
bool cli_operands(struct cli *cli, int argc, int n, const char *what);

cli_command cli_account, cli_key, cli_crawl, cli_index, cli_search,
    cli_research, cli_check, cli_extract, cli_provider, cli_conf, cli_doctor, cli_backup,
    cli_restore, cli_move, cli_serve, cli_init;

/* Open both databases into cli->store (once; later calls do nothing).
 * False: told already, return CLI_FAILED. */
bool cli_open_store(struct cli *cli);
/* A HTTP client into cli->http, and the providers of the configuration. */
bool cli_open_http(struct cli *cli);
bool cli_open_providers(struct cli *cli);
/* The models of the configuration, if any, into model and relevance. */
bool cli_open_model(struct cli *cli);
/* The account of that address, in the store, which is opened. */
bool cli_find_account(struct cli *cli, const char *email, struct account *out);
/* What search_run wants; opens all of the above. */
bool cli_open_search(struct cli *cli, struct search_env *env);

/* Tell an error ("cited index: message") and return CLI_FAILED. With --json
 * also {"error": {"code", "message"}} on standard output. */
int cli_fail(struct cli *cli, const struct errctx *ec);
int cli_failf(struct cli *cli, enum err code, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
/* Tell a mistake in how the command was called, name `cited help COMMAND`,
 * and return CLI_USAGE. fmt NULL: getopt has told it already. */
int cli_usage(struct cli *cli, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * A passing line of progress on standard error: on a terminal it overwrites
 * the one before, elsewhere it is a line of its own. At most ten a second on
 * a terminal and one each two seconds elsewhere; the rest is dropped.
 * cli_note is a line that stays and is always shown (not with --quiet).
 */
void cli_progress(struct cli *cli, const char *fmt, ...) PRINTF_LIKE(2, 3);
void cli_progress_end(struct cli *cli);
void cli_note(struct cli *cli, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* From now on SIGINT and SIGTERM set the flag instead of ending the program;
 * a second one ends it. The flag lives as long as the program. */
const volatile sig_atomic_t *cli_catch_stop(void);

/* Print the buffer and a line end to standard output; b's failure or a
 * failed write is told. Returns the exit status. */
int cli_print(struct cli *cli, const struct buf *b);

/* Print an answer and a blank line: drawn on a terminal, elsewhere the Markdown
 * that it is. */
void cli_print_answer(const char *answer);

/* One JSON value for standard output: begin, write to what begin returns (it
 * points into j), end. The end prints it as cli_print does and frees it; who
 * does not print it calls buf_fini(&j->b). */
struct cli_json {
    struct buf b;
    struct json_out w;
};
struct json_out *cli_json_begin(struct cli_json *j);
int cli_json_end(struct cli *cli, struct cli_json *j);

/* Read a whole file ("-": standard input) of at most CLI_IN_MAX bytes into
 * an empty buffer with that cap. */
MUST_CHECK enum err cli_read(const char *path, struct buf *out,
                             struct errctx *ec);

/* ERR_BUSY, with what to do, when a process has the database at path open or a
 * research helper is at work. */
MUST_CHECK enum err cli_check_unused(const struct cli *cli, const char *path,
                                     struct errctx *ec);

#define CLI_JSON_LINES "application/jsonl"

/* The media type of a file by its name or, for "-", by how its bytes begin;
 * NULL when they say nothing. */
const char *cli_type_of(const char *name, const struct buf *bytes);

/* "text/html" for "html" …; NULL for what is no kind. */
const char *cli_media_type(const char *kind);

cli_command cli_index_add;

/* Pages came in: the vectors of words are made, and those of the encoder are
 * begun. What fails is a warning. */
void cli_vectors(struct cli *cli);

#endif
