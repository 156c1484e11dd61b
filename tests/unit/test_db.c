/* Opening the database files, statements, grouped writes and batches. */
#include "store/db.h"

#include "base/str.h"
#include "index/page.h"
#include "index/shelf.h"
#include "store/sql.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[64];
static char path[128];

static int setup(void **state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/cited-db-XXXXXX");
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/data/state.db", dir);
    return 0;
}

static int teardown(void **state)
{
    static const char *const names[] = {
        "data/state.db", "data/state.db-wal", "data/state.db-shm",
        "data/index.db", "data/index.db-wal", "data/index.db-shm",
        "data"};
    char name[160];

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(name, sizeof name, "%s/%s", dir, names[i]);
        remove(name);
    }
    return rmdir(dir);
}

static struct db_file *file_of(enum db_kind kind)
{
    struct db_file *f = NULL;

    assert_int_equal(db_file_new(kind, path, &f), ERR_OK);
    return f;
}

static struct db *open_or_fail(struct db_file *f)
{
    struct errctx ec = {0};
    struct db *db = NULL;

    if (db_open(f, &db, &ec) != ERR_OK)
        fail_msg("db_open: %s", ec.msg);
    return db;
}

/* What opening the file now answers. */
static enum err open_error(enum db_kind kind, struct errctx *ec)
{
    struct db_file *f = file_of(kind);
    struct db *db = NULL;
    enum err e = db_open(f, &db, ec);

    db_close(db);
    db_file_free(f);
    return e;
}

static int64_t number(struct db *db, const char *sql)
{
    struct errctx ec = {0};
    struct stmt *q = sql_get(db, sql);
    int64_t v;

    if (sql_one(q, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    v = sql_col_int(q, 0);
    sql_end(q);
    return v;
}

static void a_new_file_is_private_and_marked(void **state)
{
    struct db_file *f = file_of(DB_STATE);
    struct db *db = open_or_fail(f);
    struct stat st;

    (void)state;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    snprintf(path, sizeof path, "%s/data", dir);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_int_equal(number(db, "PRAGMA application_id"), 0x43697453);
    assert_int_equal(number(db, "PRAGMA user_version"), 7);
    assert_int_equal(number(db, "PRAGMA foreign_keys"), 1);
    assert_int_equal(number(db, "PRAGMA mmap_size"), 0);
    db_close(db);
    db_file_free(f);
}

static void both_kinds_open_again(void **state)
{
    static const enum db_kind kinds[] = {DB_STATE, DB_INDEX};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct errctx ec = {0};

        snprintf(path, sizeof path, "%s/data/%s.db", dir,
                 i == 0 ? "state" : "index");
        for (int n = 0; n < 3; n++)
            if (open_error(kinds[i], &ec) != ERR_OK)
                fail_msg("%s", ec.msg);
    }
}

static void a_file_of_the_other_kind_is_refused(void **state)
{
    struct errctx ec = {0};

    (void)state;
    assert_int_equal(open_error(DB_STATE, &ec), ERR_OK);
    assert_int_equal(open_error(DB_INDEX, &ec), ERR_DB);
    assert_non_null(strstr(ec.msg, "is not the index database"));
}

static void a_newer_file_is_refused(void **state)
{
    struct errctx ec = {0};
    struct db_file *f = file_of(DB_STATE);
    struct db *db = open_or_fail(f);

    (void)state;
    assert_int_equal(sql_exec(db, "PRAGMA user_version=8", &ec), ERR_OK);
    db_close(db);
    db_file_free(f);
    assert_int_equal(open_error(DB_STATE, &ec), ERR_DB);
    assert_non_null(strstr(ec.msg, "version 8"));
}

static void a_file_that_is_no_database_is_refused(void **state)
{
    struct errctx ec = {0};
    char junk[4096];
    int fd;

    (void)state;
    memset(junk, 'x', sizeof junk);
    snprintf(path, sizeof path, "%s/data", dir);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/data/state.db", dir);
    fd = open(path, O_CREAT | O_WRONLY, 0600);
    assert_int_equal(write(fd, junk, sizeof junk), sizeof junk);
    close(fd);
    assert_int_equal(open_error(DB_STATE, &ec), ERR_DB);
    assert_non_null(strstr(ec.msg, "not a database"));
}

static void a_path_that_cannot_be_is_an_io_error(void **state)
{
    struct errctx ec = {0};

    (void)state;
    snprintf(path, sizeof path, "/dev/null/data/state.db");
    assert_int_equal(open_error(DB_STATE, &ec), ERR_IO);
    assert_true(strlen(ec.msg) > 0);
}

static void put_file(const char *at, const char *bytes, size_t n)
{
    int fd = open(at, O_CREAT | O_TRUNC | O_WRONLY, 0600);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n), n);
    close(fd);
}

/* Emptied by a full disk or a slip: accounts and tasks were in it. */
static void an_empty_file_is_not_a_new_one(void **state)
{
    struct errctx ec = {0};
    struct stat st;

    (void)state;
    assert_int_equal(open_error(DB_STATE, &ec), ERR_OK);
    put_file(path, "", 0);
    assert_int_equal(open_error(DB_STATE, &ec), ERR_DB);
    assert_non_null(strstr(ec.msg, "state.db is empty (0 bytes)"));
    assert_non_null(strstr(ec.msg, "cited restore"));
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_size, 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(open_error(DB_STATE, &ec), ERR_OK);
}

/* Whoever makes the file is killed, at any instruction. */
static void one_killed_while_it_makes_the_file_leaves_none_or_all(void **state)
{
    char command[160];
    struct errctx ec = {0};

    (void)state;
    for (int i = 0; i < 60; i++) {
        pid_t child = fork();
        struct stat st;
        int status;

        if (child == 0)
            _exit(open_error(DB_STATE, &ec) == ERR_OK ? 0 : 1);
        for (volatile int k = 0; k < 60000 * i; k++)
            continue;
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (stat(path, &st) == 0)
            assert_true(st.st_size > 0);
        if (open_error(DB_STATE, &ec) != ERR_OK)
            fail_msg("%s", ec.msg);
        assert_int_equal(remove(path), 0);
    }
    snprintf(command, sizeof command, "rm -f %s/data/*", dir);
    assert_int_equal(system(command), 0);
}

/* Words of a damaged schema go to terminals and logs. */
static void bytes_of_a_damaged_file_are_no_message(void **state)
{
    struct errctx ec = {0};
    struct db_file *f = file_of(DB_STATE);
    struct db *db = open_or_fail(f);
    sqlite3 *h = NULL;

    (void)state;
    db_close(db);
    db_file_free(f);
    assert_int_equal(sqlite3_open(path, &h), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(h,
                     "PRAGMA writable_schema=1;"
                     "UPDATE sqlite_master SET sql = CAST("
                     "x'435245415445205441424C45201B5B33316DFFC3280A' AS TEXT)"
                     " WHERE name = 'task'",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(h);
    assert_int_equal(open_error(DB_STATE, &ec), ERR_DB);
    assert_non_null(strstr(ec.msg, "malformed"));
    assert_true(utf8_valid(ec.msg, strlen(ec.msg)));
    for (const char *p = ec.msg; *p != '\0'; p++)
        assert_true((unsigned char)*p >= 0x20);
}

/* Several processes at once on an empty folder, as plain CGI starts them. */
static void many_processes_may_open_first(void **state)
{
    enum { PROCESSES = 12 };
    int gate[2], bad = 0;
    char c;

    (void)state;
    assert_int_equal(pipe(gate), 0);
    for (int i = 0; i < PROCESSES; i++) {
        if (fork() == 0) {
            struct errctx ec = {0};
            enum err e;

            close(gate[1]);
            if (read(gate[0], &c, 1) != 0)
                _exit(9);
            e = open_error(DB_STATE, &ec);
            if (e != ERR_OK)
                fprintf(stderr, "%s\n", ec.msg);
            _exit(e == ERR_OK ? 0 : 1);
        }
    }
    close(gate[0]);
    close(gate[1]); /* they all start */
    for (int i = 0; i < PROCESSES; i++) {
        int status = 1;

        wait(&status);
        bad += status != 0;
    }
    assert_int_equal(bad, 0);
}

static void a_failed_statement_names_its_sql(void **state)
{
    struct errctx ec = {0};
    struct db_file *f = file_of(DB_STATE);
    struct db *db = open_or_fail(f);

    (void)state;
    assert_int_equal(sql_run(sql_get(db, "SELECT nonsense FROM nowhere"), &ec),
                     ERR_DB);
    assert_non_null(strstr(ec.msg, "no such table: nowhere"));
    assert_non_null(strstr(ec.msg, "SELECT nonsense"));
    db_close(db);
    db_file_free(f);
}

/* --- what is amiss --------------------------------------------------- */

static enum err insert_account(struct db *db, void *arg, struct errctx *ec)
{
    struct stmt *q = sql_get(db, "INSERT INTO account (email, created)"
                                 " VALUES (?1, 1)");

    sql_text(q, 1, arg);
    return sql_run(q, ec);
}

/* What would be written to a file nobody finds again is refused. */
static void a_file_that_was_removed_takes_no_more(void **state)
{
    struct errctx ec = {0};
    struct db_file *f = file_of(DB_STATE);
    struct db *db = open_or_fail(f), *late = NULL;
    char aside[160];

    (void)state;
    snprintf(aside, sizeof aside, "%s.aside", path);
    assert_int_equal(db_write(db, insert_account, "a@x", &ec), ERR_OK);
    assert_int_equal(db_health(db), ERR_OK);
    assert_int_equal(rename(path, aside), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(db_write(db, insert_account, "b@x", &ec), ERR_DB);
        assert_non_null(strstr(ec.msg, "removed or replaced"));
        assert_int_equal(db_batch_begin(db, &ec), ERR_DB);
        assert_int_equal(db_open(f, &late, &ec), ERR_DB);
        assert_int_equal(db_health(db), ERR_DB);
        if (i == 0) /* another one in its place */
            assert_int_equal(open_error(DB_STATE, &ec), ERR_OK);
    }
    assert_int_equal(rename(aside, path), 0);
    assert_int_equal(db_health(db), ERR_OK);
    assert_int_equal(db_write(db, insert_account, "b@x", &ec), ERR_OK);
    db_close(db);
    db_file_free(f);
}

static void damage_stays_and_other_faults_pass(void **state)
{
    struct errctx ec = {0};
    struct db_file *f = file_of(DB_STATE);
    struct db *db = open_or_fail(f);

    (void)state;
    assert_int_equal(db_health(db), ERR_OK);
    (void)sql_fail(db, SQLITE_FULL, "INSERT", &ec);
    assert_int_equal(ec.code, ERR_FULL);
    assert_non_null(strstr(ec.msg, path));
    /* It looks itself whether that is over. */
    assert_int_equal(db_health(db), ERR_OK);
    (void)sql_fail(db, SQLITE_READONLY, "INSERT", &ec);
    assert_int_equal(db_health(db), ERR_READ_ONLY); /* but not at once again */
    assert_int_equal(db_write(db, insert_account, "a@x", &ec), ERR_OK);
    assert_int_equal(db_health(db), ERR_OK);
    (void)sql_fail(db, SQLITE_CORRUPT, "SELECT", &ec);
    assert_int_equal(db_write(db, insert_account, "b@x", &ec), ERR_OK);
    assert_int_equal(db_health(db), ERR_DB);
    db_close(db);
    db_file_free(f);
}

/* --- writes ------------------------------------------------------------ */

struct job {
    pthread_t thread;
    struct db_file *file;
    int n, rounds, wrong;
};

struct insert {
    char email[32];
    bool fails;
};

static enum err insert_in(struct db *db, void *arg, struct errctx *ec)
{
    struct insert *x = arg;
    struct stmt *q =
        sql_get(db, "INSERT INTO account(email, created) VALUES(?1, 1)");
    enum err e;

    sql_text(q, 1, x->email);
    e = sql_run(q, ec);
    if (e == ERR_OK && x->fails)
        e = err_set(ec, ERR_LIMIT, "thought better of it");
    return e;
}

static void *insert_many(void *arg)
{
    struct job *j = arg;
    struct errctx ec = {0};
    struct db *db = NULL;

    if (db_open(j->file, &db, &ec) != ERR_OK) {
        j->wrong++;
        return NULL;
    }
    for (int i = 0; i < j->rounds; i++) {
        struct insert x = {.fails = i % 3 == 2};
        enum err want = x.fails ? ERR_LIMIT : ERR_OK;

        snprintf(x.email, sizeof x.email, "%d-%d@x", j->n, i);
        if (db_write(db, insert_in, &x, &ec) != want)
            j->wrong++;
    }
    db_close(db);
    return NULL;
}

static void grouped_writers_get_their_own_results(void **state)
{
    enum { THREADS = 16, ROUNDS = 60 };
    struct db_file *f = file_of(DB_STATE);
    struct db *db = open_or_fail(f);
    struct job jobs[THREADS];

    (void)state;
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (struct job){.file = f, .n = i, .rounds = ROUNDS};
        pthread_create(&jobs[i].thread, NULL, insert_many, &jobs[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(jobs[i].thread, NULL);
        assert_int_equal(jobs[i].wrong, 0);
    }
    assert_int_equal(number(db, "SELECT count(*) FROM account"),
                     THREADS * ROUNDS / 3 * 2);
    db_close(db);
    db_file_free(f);
}

static void a_batch_is_all_or_nothing(void **state)
{
    struct errctx ec = {0};
    struct db_file *f = file_of(DB_STATE);
    struct db *db = open_or_fail(f);
    struct insert x = {"a@x", false}, y = {"b@x", true};

    (void)state;
    assert_int_equal(db_batch_begin(db, &ec), ERR_OK);
    assert_int_equal(db_batch_begin(db, &ec), ERR_OK);
    assert_int_equal(db_write(db, insert_in, &x, &ec), ERR_OK);
    assert_int_equal(db_batch_commit(db, &ec), ERR_OK);
    db_batch_abort(db);
    assert_int_equal(number(db, "SELECT count(*) FROM account"), 0);

    assert_int_equal(db_batch_begin(db, &ec), ERR_OK);
    assert_int_equal(db_write(db, insert_in, &x, &ec), ERR_OK);
    assert_int_equal(db_write(db, insert_in, &y, &ec), ERR_LIMIT);
    assert_int_equal(db_batch_commit(db, &ec), ERR_INTERNAL);
    assert_int_equal(number(db, "SELECT count(*) FROM account"), 0);

    assert_int_equal(db_batch_begin(db, &ec), ERR_OK);
    assert_int_equal(db_write(db, insert_in, &x, &ec), ERR_OK);
    assert_int_equal(db_batch_commit(db, &ec), ERR_OK);
    assert_int_equal(number(db, "SELECT count(*) FROM account"), 1);
    assert_int_equal(db_batch_commit(db, &ec), ERR_INTERNAL);
    db_close(db);
    db_file_free(f);
}

static void a_try_gives_up_when_somebody_writes(void **state)
{
    struct errctx ec = {0};
    struct db_file *f = file_of(DB_STATE), *other = file_of(DB_STATE);
    struct db *db = open_or_fail(f), *same = open_or_fail(f);
    struct db *stranger = open_or_fail(other); /* as if another process */
    struct insert x = {"a@x", false};

    (void)state;
    assert_int_equal(db_batch_begin(db, &ec), ERR_OK);
    assert_int_equal(db_try_write(same, insert_in, &x, &ec), ERR_BUSY);
    assert_int_equal(db_try_write(stranger, insert_in, &x, &ec), ERR_BUSY);
    db_batch_abort(db);
    assert_int_equal(db_try_write(stranger, insert_in, &x, &ec), ERR_OK);
    db_close(stranger);
    db_close(same);
    db_close(db);
    db_file_free(other);
    db_file_free(f);
}

/* Postings wait in memory: no row tells that they are half done. */
static enum err gather_and_fail(struct db *db, void *arg, struct errctx *ec)
{
    struct gather *g = shelf_gather(db);

    (void)arg;
    assert_int_equal(gather_page(g, 1, "org.x.", "https://x.org/", 0, "ghost"),
                     ERR_OK);
    assert_int_equal(gather_passage(g, LANG_EN, NULL, "", "ghost"), ERR_OK);
    return err_set(ec, ERR_NOMEM, "out of memory");
}

static enum err do_nothing(struct db *db, void *arg, struct errctx *ec)
{
    (void)db;
    (void)arg;
    (void)ec;
    return ERR_OK;
}

static void a_failure_without_a_changed_row_leaves_no_postings(void **state)
{
    struct db_file *f = file_of(DB_INDEX);
    struct db *db = open_or_fail(f);
    struct errctx ec = {0};

    (void)state;
    assert_int_equal(db_write(db, gather_and_fail, NULL, &ec), ERR_NOMEM);
    assert_int_equal(db_write(db, do_nothing, NULL, &ec), ERR_OK);
    assert_int_equal(number(db, "SELECT count(*) FROM segment"), 0);
    db_close(db);
    db_file_free(f);
}

/* Writers of two processes wait for each other instead of failing. */
static void two_processes_write_in_turns(void **state)
{
    enum { ROUNDS = 300 };
    struct db_file *f = file_of(DB_STATE);
    struct db *db = open_or_fail(f);
    struct job mine = {.file = f, .n = 1, .rounds = ROUNDS};
    int status = 1;
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        struct job j = {.file = file_of(DB_STATE), .n = 2, .rounds = ROUNDS};

        insert_many(&j);
        _exit(j.wrong != 0);
    }
    insert_many(&mine);
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(mine.wrong, 0);
    assert_int_equal(number(db, "SELECT count(*) FROM account"),
                     2 * ROUNDS / 3 * 2);
    db_close(db);
    db_file_free(f);
}

/* Files as earlier versions left them. */
static void a_file_of_version_1_is_brought_forward(void **state)
{
    struct errctx ec = {0};
    struct db_file *f = file_of(DB_STATE);
    struct db *db;
    sqlite3 *old;

    (void)state;
    snprintf(path, sizeof path, "%s/data", dir);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/data/state.db", dir);
    assert_int_equal(sqlite3_open(path, &old), SQLITE_OK);
    assert_int_equal(sqlite3_exec(old, state_sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(old,
                     "PRAGMA application_id=0x43697453; PRAGMA user_version=1;"
                     "INSERT INTO account(id, email, created)"
                     " VALUES(7, 'ada@x', 1);"
                     "INSERT INTO task_count VALUES(7, 1, 1);"
                     "INSERT INTO task(id, account, created, updated, input)"
                     " VALUES('old', 7, 1, 1, '{}')",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(old);
    db = open_or_fail(f);
    assert_int_equal(number(db, "PRAGMA user_version"), 7);
    assert_int_equal(number(db, "SELECT count(*) FROM task WHERE id = 'old'"),
                     1);
    assert_int_equal(
        number(db, "SELECT callback_secret IS NULL FROM account WHERE id = 7"),
        1);
    assert_int_equal(sql_exec(db,
                              "INSERT INTO callback(task, url)"
                              " SELECT seq, 'http://x/' FROM task",
                              &ec),
                     ERR_OK);
    assert_int_equal(sql_exec(db, "DELETE FROM task", &ec), ERR_OK);
    assert_int_equal(number(db, "SELECT count(*) FROM callback"), 0);
    db_close(db);
    db_file_free(f);
}

static void a_file_of_version_2_is_brought_forward(void **state)
{
    struct db_file *f = file_of(DB_STATE);
    struct db *db;
    sqlite3 *old;

    (void)state;
    snprintf(path, sizeof path, "%s/data", dir);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/data/state.db", dir);
    assert_int_equal(sqlite3_open(path, &old), SQLITE_OK);
    assert_int_equal(sqlite3_exec(old, state_sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(old, state_2_sql, NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(old,
                     "PRAGMA application_id=0x43697453; PRAGMA user_version=2;"
                     "INSERT INTO account(id, email, created)"
                     " VALUES(7, 'ada@x', 1);"
                     "INSERT INTO api_key(hash, id, account, label, created)"
                     " VALUES(x'00', 'k', 7, '', 1)",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(old);
    db = open_or_fail(f);
    assert_int_equal(number(db, "PRAGMA user_version"), 7);
    assert_int_equal(number(db, "SELECT count(*) FROM account WHERE id = 7"
                                " AND password IS NULL AND role = 0"),
                     1);
    assert_int_equal(number(db, "SELECT requests FROM api_key"), 0);
    assert_int_equal(number(db, "SELECT count(*) FROM session"), 0);
    assert_int_equal(number(db, "SELECT count(*) FROM throttle"), 0);
    assert_int_equal(number(db, "SELECT count(*) FROM crawl_job"), 0);
    db_close(db);
    db_file_free(f);
}

/* A state.db as an earlier program left it, by count statements. */
static void make_state(const char *const *statements, size_t count)
{
    sqlite3 *old;

    snprintf(path, sizeof path, "%s/data", dir);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/data/state.db", dir);
    assert_int_equal(sqlite3_open(path, &old), SQLITE_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(sqlite3_exec(old, statements[i], NULL, NULL, NULL),
                         SQLITE_OK);
    sqlite3_close(old);
}

static void a_file_of_version_3_is_brought_forward(void **state)
{
    const char *const before[] = {
        state_sql, state_2_sql, state_3_sql,
        "PRAGMA application_id=0x43697453; PRAGMA user_version=3;"
        "INSERT INTO account(id, email, created) VALUES(7, 'ada@x', 1);"
        "INSERT INTO task_count VALUES(7, 1, 1);"
        "INSERT INTO task(id, account, created, updated, input)"
        " VALUES('old', 7, 1, 1, '{}')"};
    struct db_file *f = file_of(DB_STATE);
    struct db *db;

    (void)state;
    make_state(before, sizeof before / sizeof *before);
    db = open_or_fail(f);
    assert_int_equal(number(db, "PRAGMA user_version"), 7);
    assert_int_equal(number(db, "SELECT type FROM task WHERE id = 'old'"), 0);
    assert_int_equal(number(db,
                            "SELECT count(*) FROM task INDEXED BY task_created"
                            " WHERE account = 7 AND type = 0"),
                     1);
    db_close(db);
    db_file_free(f);
}

static void a_file_of_version_4_is_brought_forward(void **state)
{
    const char *const before[] = {
        state_sql, state_2_sql, state_3_sql, state_4_sql,
        "PRAGMA application_id=0x43697453; PRAGMA user_version=4;"
        "INSERT INTO account(id, email, created) VALUES(7, 'ada@x', 1);"
        "INSERT INTO task_count VALUES(7, 1, 1);"
        "INSERT INTO task(id, account, created, updated, input)"
        " VALUES('old', 7, 1, 1, '{}')"};
    struct db_file *f = file_of(DB_STATE);
    struct db *db;

    (void)state;
    make_state(before, sizeof before / sizeof *before);
    db = open_or_fail(f);
    assert_int_equal(number(db, "PRAGMA user_version"), 7);
    assert_int_equal(number(db, "SELECT faults FROM task WHERE id = 'old'"), 0);
    assert_int_equal(number(db, "SELECT turn + 1 FROM task_count INDEXED BY"
                                " task_turn_open WHERE open > 0"),
                     1);
    assert_int_equal(number(db,
                            "SELECT count(*) FROM task"
                            " INDEXED BY task_open_account WHERE account = 7"
                            " AND state < 2 AND lease_until = 0"),
                     1);
    db_close(db);
    db_file_free(f);
}

static void a_file_of_version_5_is_brought_forward(void **state)
{
    const char *const before[] = {
        state_sql,
        state_2_sql,
        state_3_sql,
        state_4_sql,
        state_5_sql,
        "PRAGMA application_id=0x43697453; PRAGMA user_version=5;"
        "INSERT INTO account(id, email, created) VALUES(7, 'ada@x', 1);"
        "INSERT INTO crawl_job(id, account, url, pages, beat, started)"
        " VALUES('old', 7, 'http://x/', 9, 1, 1)"};
    struct db_file *f = file_of(DB_STATE);
    struct db *db;

    (void)state;
    make_state(before, sizeof before / sizeof *before);
    db = open_or_fail(f);
    assert_int_equal(number(db, "PRAGMA user_version"), 7);
    assert_int_equal(number(db, "SELECT delay IS NULL FROM crawl_job"), 1);
    db_close(db);
    db_file_free(f);
}

static void a_file_of_version_6_is_brought_forward(void **state)
{
    const char *const before[] = {
        state_sql,
        state_2_sql,
        state_3_sql,
        state_4_sql,
        state_5_sql,
        state_6_sql,
        "PRAGMA application_id=0x43697453; PRAGMA user_version=6;"
        "INSERT INTO account(id, email, created) VALUES(7, 'ada@x', 1);"
        "INSERT INTO crawl_job(id, account, url, pages, beat, started)"
        " VALUES('old', 7, 'http://x/', 9, 5, 1)"};
    struct db_file *f = file_of(DB_STATE);
    struct db *db;

    (void)state;
    make_state(before, sizeof before / sizeof *before);
    db = open_or_fail(f);
    assert_int_equal(number(db, "PRAGMA user_version"), 7);
    /* Left by a helper that died, it is not begun by itself now. */
    assert_int_equal(number(db, "SELECT state * 10 + ended FROM crawl_job"),
                     35);
    db_close(db);
    db_file_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(a_new_file_is_private_and_marked),
        T(both_kinds_open_again),
        T(a_file_of_the_other_kind_is_refused),
        T(a_file_of_version_1_is_brought_forward),
        T(a_file_of_version_2_is_brought_forward),
        T(a_file_of_version_3_is_brought_forward),
        T(a_file_of_version_4_is_brought_forward),
        T(a_file_of_version_5_is_brought_forward),
        T(a_file_of_version_6_is_brought_forward),
        T(a_newer_file_is_refused),
        T(a_file_that_is_no_database_is_refused),
        T(a_path_that_cannot_be_is_an_io_error),
        T(an_empty_file_is_not_a_new_one),
        T(one_killed_while_it_makes_the_file_leaves_none_or_all),
        T(bytes_of_a_damaged_file_are_no_message),
        T(a_file_that_was_removed_takes_no_more),
        T(damage_stays_and_other_faults_pass),
        T(many_processes_may_open_first),
        T(a_failed_statement_names_its_sql),
        T(grouped_writers_get_their_own_results),
        T(a_batch_is_all_or_nothing),
        T(a_try_gives_up_when_somebody_writes),
        T(a_failure_without_a_changed_row_leaves_no_postings),
        T(two_processes_write_in_turns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
