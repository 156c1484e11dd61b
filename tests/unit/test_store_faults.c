/*
 * The nth write or sync of a database file fails, for every n: nothing that
 * was acknowledged is lost, nothing that failed is half there, and an error
 * is reported as one. The fault sits below SQLite, in its file methods.
 */
#include "index/page.h"
#include "store/account.h"
#include "store/sql.h"
#include "store/task.h"

#include "base/date.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"

/* --- the fault --------------------------------------------------------- */

static int countdown; /* calls until it fails; 0 = never */
static bool stays;    /* and all that follow */
static int fault_rc;
static bool fired;
static int faults_seen;

static sqlite3_vfs vfs;
static sqlite3_vfs *real_vfs;
/* Database and log files have methods of their own. */
static struct methods {
    const sqlite3_io_methods *real;
    sqlite3_io_methods patched;
} known[4];
static int known_count;

static bool fails_now(void)
{
    if (countdown == 0 || (countdown > 1 && --countdown > 0))
        return false;
    fired = true;
    faults_seen++;
    countdown = stays ? 1 : 0;
    return true;
}

static const sqlite3_io_methods *real_of(const sqlite3_file *f)
{
    for (int i = 0; i < known_count; i++)
        if (f->pMethods == &known[i].patched)
            return known[i].real;
    abort();
}

static int fault_write(sqlite3_file *f, const void *p, int n, sqlite3_int64 at)
{
    return fails_now() ? fault_rc : real_of(f)->xWrite(f, p, n, at);
}

static int fault_sync(sqlite3_file *f, int flags)
{
    return fails_now() ? SQLITE_IOERR_FSYNC : real_of(f)->xSync(f, flags);
}

static int fault_open(sqlite3_vfs *v, const char *name, sqlite3_file *f,
                      int flags, int *out_flags)
{
    int rc = real_vfs->xOpen(v, name, f, flags, out_flags);
    int i = 0;

    if (rc != SQLITE_OK || f->pMethods == NULL)
        return rc;
    while (i < known_count && known[i].real != f->pMethods)
        i++;
    if (i == 4)
        abort();
    if (i == known_count) {
        known[i].real = f->pMethods;
        known[i].patched = *f->pMethods;
        known[i].patched.xWrite = fault_write;
        known[i].patched.xSync = fault_sync;
        known_count++;
    }
    f->pMethods = &known[i].patched;
    return rc;
}

static void arm(int n, int rc, bool for_good)
{
    countdown = n;
    fault_rc = rc;
    stays = for_good;
    fired = false;
}

static void disarm(void)
{
    countdown = 0;
}

/* --- the files --------------------------------------------------------- */

static char dir[64], path[96];
static struct db_file *file;
static struct db *db;
static struct arena arena;
static struct errctx ec;

static void open_file(enum db_kind kind)
{
    snprintf(path, sizeof path, "%s/x.db", dir);
    assert_int_equal(db_file_new(kind, path, &file), ERR_OK);
    if (db_open(file, &db, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
}

static void close_file(void)
{
    db_close(db);
    db_file_free(file);
}

static int setup(void **state)
{
    (void)state;
    disarm();
    faults_seen = 0;
    snprintf(dir, sizeof dir, "/tmp/cited-faults-XXXXXX");
    arena_init(&arena, 64 << 20);
    return mkdtemp(dir) == NULL ? -1 : 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_true(faults_seen > 4); /* the shim is in place */
    arena_fini(&arena);
    return folder_remove(dir);
}

static int64_t number(const char *sql)
{
    struct stmt *q = sql_get(db, sql);
    int64_t v;

    if (sql_one(q, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    v = sql_col_int(q, 0);
    sql_end(q);
    return v;
}

static const struct {
    int rc;
    bool stays;
} faults[] = {{SQLITE_FULL, true},
              {SQLITE_FULL, false},
              {SQLITE_IOERR_WRITE, false},
              {SQLITE_IOERR_WRITE, true}};

enum { FAULTS = sizeof faults / sizeof *faults, TRIES_MAX = 2000 };

/* --- tasks ------------------------------------------------------------- */

static void check_tasks(int64_t want)
{
    assert_int_equal(number("SELECT count(*) FROM task"), want);
    assert_int_equal(number("SELECT coalesce(sum(total), 0) FROM task_count"),
                     want);
}

static void a_task_is_created_or_refused_whatever_fails(void **state)
{
    int64_t who, made = 0;

    (void)state;
    open_file(DB_STATE);
    assert_int_equal(account_create(db, "a@x", 1, &who, &ec), ERR_OK);
    for (int i = 0; i < FAULTS; i++) {
        fired = true;
        for (int n = 1; fired && n < TRIES_MAX; n++) {
            struct task t;
            enum err e;

            arm(n, faults[i].rc, faults[i].stays);
            e = task_create(db, who, "{}", 100000, 1, &arena, &t, &ec);
            disarm();
            assert_true(e == ERR_OK ||
                        (fired && (e == ERR_DB || e == ERR_FULL)));
            made += e == ERR_OK;
            check_tasks(made);
        }
        assert_false(fired);
        close_file();
        open_file(DB_STATE);
        check_tasks(made);
    }
    close_file();
}

/* --- pages ------------------------------------------------------------- */

static enum err put(const char *word)
{
    struct passage_text t[3] = {{"", word, 0, "", ""},
                                {"", "second", 0, "", ""},
                                {"", "third", 0, "", ""}};
    struct page p = {.url = "https://x.org/",
                     .host = "x.org",
                     .title = word,
                     .day = DAY_NONE};
    int64_t id;

    return page_put(db, &p, t, 3, &id, &ec);
}

static bool is_found(const char *word)
{
    struct index_term t = {.text = word, .weight = 1};
    struct candidate *list;
    size_t n;
    enum err e = index_query(db, &t, 1, NULL, 5, NULL, &arena, &list, &n, &ec);

    assert_true(e == ERR_OK || e == ERR_NO_RESULT);
    return e == ERR_OK;
}

static int64_t df_of(const char *word)
{
    struct index_term t = {.text = word, .weight = 1};
    int64_t df = -1, passages;

    assert_int_equal(index_df(db, &t, 1, &df, &passages, &ec), ERR_OK);
    return df;
}

/* One of two versions is stored, and all of it. */
static void check_page(const char *present, const char *absent)
{
    assert_true(is_found(present));
    assert_false(is_found(absent));
    assert_int_equal(number("SELECT count(*) FROM page"), 1);
    assert_int_equal(number("SELECT count(*) FROM passage"), 3);
    assert_int_equal(number("SELECT passages FROM counter"), 3);
    assert_int_equal(df_of(present), 3);
    assert_int_equal(df_of(absent), 0);
    assert_int_equal(df_of("second") + df_of("third"), 2);
}

static void a_page_is_replaced_or_stays_whatever_fails(void **state)
{
    const char *now = "alpha", *next = "omega", *swap;

    (void)state;
    open_file(DB_INDEX);
    assert_int_equal(put(now), ERR_OK);
    for (int i = 0; i < FAULTS; i++) {
        fired = true;
        for (int n = 1; fired && n < TRIES_MAX; n++) {
            enum err e;

            arm(n, faults[i].rc, faults[i].stays);
            e = put(next);
            disarm();
            assert_true(e == ERR_OK ||
                        (fired && (e == ERR_DB || e == ERR_FULL)));
            if (e == ERR_OK) {
                swap = now;
                now = next;
                next = swap;
            }
            check_page(now, next);
        }
        assert_false(fired);
        close_file();
        open_file(DB_INDEX);
        check_page(now, next);
    }
    close_file();
}

/* A file that could not be set up is set up by the next who can. */
static void opening_survives_a_fault_at_every_write(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s/x.db", dir);
    fired = true;
    for (int n = 1; fired && n < TRIES_MAX; n++) {
        struct db_file *f = NULL;
        struct db *d = NULL;
        enum err e;

        assert_int_equal(db_file_new(DB_STATE, path, &f), ERR_OK);
        arm(n, SQLITE_FULL, true);
        e = db_open(f, &d, &ec);
        disarm();
        assert_true(e == ERR_OK || (fired && e != ERR_NOT_FOUND));
        db_close(d);
        db_file_free(f);
        open_file(DB_STATE);
        assert_int_equal(number("SELECT count(*) FROM task"), 0);
        close_file();
        unlink(path);
    }
    assert_false(fired);
    open_file(DB_STATE);
    close_file();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(a_task_is_created_or_refused_whatever_fails),
        T(a_page_is_replaced_or_stays_whatever_fails),
        T(opening_survives_a_fault_at_every_write),
    };

    real_vfs = sqlite3_vfs_find(NULL);
    vfs = *real_vfs;
    vfs.zName = "cited-faults";
    vfs.xOpen = fault_open;
    if (sqlite3_vfs_register(&vfs, 1) != SQLITE_OK)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
