/*
 * cited move: accounts, tasks, pages and frontiers of crawls from the data
 * folder to PostgreSQL, or back. The source stays as it is; nobody else may
 * write to either.
 */
#include "prog/cli.h"

#include "index/page_move.h"
#include "store/inspect.h"
#include "store/move.h"

#include <getopt.h>
#include <unistd.h>

struct job {
    struct cli *cli;
    const volatile sig_atomic_t *stop;
    const char *to, *from;                    /* an address; one of the two */
    struct move_count count[MOVE_TABLES + 2]; /* and pages, passages */
};

static bool tell(void *user, const char *table, int64_t rows)
{
    struct job *j = user;

    cli_progress(j->cli, "%s: %lld rows", table, (long long)rows);
    return *j->stop == 0;
}

static bool tell_pages(void *user, int64_t pages)
{
    return tell(user, "page", pages);
}

/* A source that is not there is no empty one. */
static enum err check_source(const struct job *j, const char *path,
                             struct errctx *ec)
{
    struct db_look look;
    enum db_fault fault =
        j->to != NULL ? db_inspect(DB_STATE, path, deadline_in(0), &look)
                      : db_inspect_remote(j->from, &look);

    if (fault == DB_SOUND || fault == DB_OLDER)
        return ERR_OK;
    return err_set(ec, ERR_NOT_FOUND, "%.120s cannot be moved: %.100s",
                   j->to != NULL ? path : look.server,
                   fault == DB_ABSENT ? "there is none" : look.msg);
}

/* Between the index at path and the tables; an index that is not there has no
 * pages. */
static enum err move_pages(struct job *j, const char *path, struct errctx *ec)
{
    struct page_move_count n = {.pages = 0};
    struct db_file *file = NULL, *remote = NULL;
    struct db *index = NULL, *source = NULL;
    const char *address = j->to != NULL ? j->to : j->from;
    bool any = j->to == NULL || access(path, F_OK) == 0;
    enum err e = any ? db_file_new(DB_INDEX, path, &file) : ERR_OK;

    if (any && e == ERR_OK && j->to == NULL)
        e = db_file_follow(file, address, ec);
    else if (any && e == ERR_OK)
        e = db_remote_new(address, &remote, ec);
    if (any && e == ERR_OK)
        e = db_open(file, &index, ec);
    if (e == ERR_OK && remote != NULL)
        e = db_open(remote, &source, ec);
    if (e == ERR_OK && source != NULL)
        e = pages_move_to(index, source, tell_pages, j, &n, ec);
    else if (any && e == ERR_OK)
        e = pages_move_back(index, tell_pages, j, &n, ec);
    db_close(index);
    db_close(source);
    db_file_free(file);
    db_file_free(remote);
    j->count[MOVE_TABLES] = (struct move_count){"page", n.pages, n.pages_to};
    j->count[MOVE_TABLES + 1] =
        (struct move_count){"passage", n.passages, n.passages_to};
    return e;
}

/* Between the file at path and the tables: what db_move has of it. */
static enum err move_tables(struct job *j, enum db_kind kind, const char *path,
                            struct errctx *ec)
{
    struct db_file *file = NULL, *remote = NULL;
    enum err e = db_file_new(kind, path, &file);

    if (e == ERR_OK)
        e = db_remote_new(j->to != NULL ? j->to : j->from, &remote, ec);
    if (e == ERR_OK)
        e = j->to != NULL ? db_move(file, remote, tell, j, j->count, ec)
                          : db_move(remote, file, tell, j, j->count, ec);
    db_file_free(file);
    db_file_free(remote);
    return e;
}

static enum err move(struct job *j, struct errctx *ec)
{
    const char *index =
        conf_data_path(&j->cli->conf, &j->cli->arena, "index.db");
    const char *path =
        conf_data_path(&j->cli->conf, &j->cli->arena, "state.db");
    enum err e = path == NULL || index == NULL
                     ? err_set(ec, ERR_NOMEM, "out of memory")
                     : cli_check_unused(j->cli, path, ec);

    if (e == ERR_OK)
        e = cli_check_unused(j->cli, index, ec);
    if (e == ERR_OK)
        e = check_source(j, path, ec);
    if (e == ERR_OK)
        e = move_tables(j, DB_STATE, path, ec);
    if (e == ERR_OK && (j->to == NULL || access(index, F_OK) == 0))
        e = move_tables(j, DB_INDEX, index, ec); /* else there are none */
    return e == ERR_OK ? move_pages(j, index, ec) : e;
}

static int report_json(struct job *j)
{
    struct cli_json out;
    struct json_out *w = cli_json_begin(&out);

    jw_object(w);
    jw_karray(w, "tables");
    for (int i = 0; i < MOVE_TABLES + 2; i++) {
        if (j->count[i].table == NULL)
            continue;
        jw_object(w);
        jw_kstring(w, "name", j->count[i].table);
        jw_kint(w, "from", j->count[i].from);
        jw_kint(w, "to", j->count[i].to);
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_object_end(w);
    return cli_json_end(j->cli, &out);
}

static int report(struct job *j)
{
    if (j->cli->json)
        return report_json(j);
    cli_progress_end(j->cli);
    for (int i = 0; i < MOVE_TABLES + 2; i++)
        if (j->count[i].table != NULL)
            printf("%-12s %9lld rows, %9lld there\n", j->count[i].table,
                   (long long)j->count[i].from, (long long)j->count[i].to);
    printf("Every row was read back and is the same. %s\n",
           j->to != NULL
               ? "Now give this address to [state] database, on all machines."
               : "Now take the address out of [state] database.");
    return CLI_OK;
}

int cli_move(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    struct job j = {.cli = cli};
    const struct cli_option options[] = {
        CLI_TEXT("to", &j.to), CLI_TEXT("from", &j.from), CLI_OPTIONS_END};

    if (!cli_options(cli, argc, argv, options) ||
        !cli_operands(cli, argc, 0, ""))
        return CLI_USAGE;
    if ((j.to == NULL) == (j.from == NULL)) {
        cli_failf(cli, ERR_INVALID,
                  "say --to ADDRESS or --from ADDRESS, one of the two");
        return CLI_USAGE;
    }
    j.stop = cli_catch_stop();
    return move(&j, &ec) == ERR_OK ? report(&j) : cli_fail(cli, &ec);
}
