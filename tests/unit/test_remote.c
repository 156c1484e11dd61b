/*
 * The state database in PostgreSQL: what is different from a file. That the
 * rest is the same is shown by the other programs of `make unit-postgres`.
 */
#include "base/date.h"
#include "index/frontier.h"
#include "index/retain.h"
#include "store/account.h"
#include "store/crawl_job.h"
#include "store/inspect.h"
#include "store/move.h"
#include "store/share.h"
#include "store/sql.h"
#include "store/task.h"
#include "web/auth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "state_db.h"

static struct db_file *file;
static struct db *db, *other;
static struct arena arena;
static struct errctx ec;
static int64_t ada, bob;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, 16 << 20);
    if (state_db_new(NULL, &file) != ERR_OK ||
        db_open(file, &db, &ec) != ERR_OK ||
        db_open(file, &other, &ec) != ERR_OK)
        return -1;
    return account_create(db, "ada@x", 1, &ada, &ec) == ERR_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    db_close(db);
    db_close(other);
    db_file_free(file);
    arena_fini(&arena);
    return 0;
}

static int64_t number(const char *sql)
{
    int64_t v = -1;

    if (sql_number(sql_get(db, sql), &v, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    return v;
}

/* Behind a pooler only those of the test's own role: it needs its own to let anyone in. */
static void cut_connections(void)
{
    char sql[256];

    snprintf(sql, sizeof sql,
             "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
             " WHERE pid <> pg_backend_pid() AND application_name = 'cited'"
             " AND (usename = '%s' OR %d = 0)",
             state_db_name(false), state_db_is_pooled());
    assert_int_equal(state_db_exec(NULL, sql), ERR_OK);
}

static bool exists(void)
{
    struct account a;

    return account_get(db, ada, &arena, &a, &ec) == ERR_OK;
}

/* --- what is told ------------------------------------------------------ */

static bool hears(struct db *who, int64_t ms)
{
    bool told = false;

    if (task_wait(who, deadline_in(ms), &told, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    return told;
}

static void who_waits_for_tasks_is_told_of_a_new_one(void **state)
{
    struct task t;

    (void)state;
    if (state_db_is_pooled()) { /* nobody: who waits looks when time is up */
        assert_int_equal(db_tell(db, "cited_task", &ec), ERR_OK);
        assert_false(hears(other, 20));
        return;
    }
    assert_true(hears(other, 5000)); /* it may have been missed */
    assert_false(hears(other, 20));
    assert_int_equal(task_tell(db, &ec), ERR_OK); /* there is nothing new */
    assert_false(hears(other, 20));
    assert_int_equal(
        task_create(db, ada, "{\"q\":\"?\"}", 10, 1, &arena, &t, &ec), ERR_OK);
    assert_int_equal(task_tell(db, &ec), ERR_OK);
    assert_true(hears(other, 5000));
    assert_int_equal(task_tell(db, &ec), ERR_OK); /* once */
    assert_false(hears(other, 20));
    cut_connections();
    assert_true(hears(other, 5000)); /* it may have been missed again */
    assert_int_equal(db_tell(db, "cited_task", &ec), ERR_OK);
    assert_true(hears(other, 5000));
}

static void nodes_are_counted_while_they_show_signs_of_life(void **state)
{
    int64_t n = 0;

    (void)state;
    assert_int_equal(share_count_nodes(db, 11, &n, &ec), ERR_OK);
    assert_int_equal(share_count_nodes(db, 11, &n, &ec), ERR_OK);
    assert_int_equal(n, 1);
    assert_int_equal(share_count_nodes(other, 22, &n, &ec), ERR_OK);
    assert_int_equal(n, 2);
    cut_connections();
    /* A pooler may hand out several that were cut before it sees that; a new
     * connection that meets one is not tried again for a second. */
    for (int i = 0; state_db_is_pooled() && i < 8; i++)
        if (share_count_nodes(db, 11, &n, &ec) != ERR_OK)
            clock_sleep_us(200000);
    assert_int_equal(share_count_nodes(db, 11, &n, &ec), ERR_OK);
    assert_int_equal(n, 2); /* it says so in rows */
    assert_int_equal(state_db_exec(NULL, "UPDATE node SET seen = seen - 10001"),
                     ERR_OK);
    assert_int_equal(share_count_nodes(db, 11, &n, &ec), ERR_OK);
    assert_int_equal(n, 1);
}

static void machines_take_turns_at_another_server(void **state)
{
    static const char origin[] = "https://a.example";
    int64_t wait = -1;
    bool taken;

    (void)state;
    assert_int_equal(share_take_turn(db, origin, 60000, &wait, &ec), ERR_OK);
    assert_int_equal(wait, 0);
    assert_int_equal(share_take_turn(other, origin, 1000, &wait, &ec), ERR_OK);
    assert_in_range(wait, 50000, 60000); /* behind the first */
    assert_int_equal(share_take_turn(db, origin, 60000, &wait, &ec), ERR_OK);
    assert_in_range(wait, 51000, 61000);
    assert_int_equal(share_try_turn(other, origin, 1000, &taken, &ec), ERR_OK);
    assert_false(taken);
    assert_int_equal(
        share_try_turn(other, "http://a.example", 1000, &taken, &ec), ERR_OK);
    assert_true(taken);
    assert_int_equal(share_pause(db, "http://a.example", 60000, &ec), ERR_OK);
    assert_int_equal(share_pause(db, "http://a.example", 10, &ec), ERR_OK);
    assert_int_equal(share_take_turn(other, "http://a.example", 1, &wait, &ec),
                     ERR_OK);
    assert_in_range(wait, 50000, 60000);
    assert_int_equal(
        state_db_exec(NULL, "UPDATE turn SET next = next - 2 * 86400000"),
        ERR_OK);
    assert_int_equal(share_forget(db, &ec), ERR_OK);
    assert_int_equal(share_take_turn(db, origin, 60000, &wait, &ec), ERR_OK);
    assert_int_equal(wait, 0);
}

/* --- addresses --------------------------------------------------------- */

static void an_address_is_checked_and_its_password_not_told(void **state)
{
    struct db_file *f = NULL;

    (void)state;
    assert_int_equal(
        db_remote_new("postgresql://u:sesame@h/d?colour=red", &f, &ec),
        ERR_INVALID);
    assert_null(strstr(ec.msg, "sesame"));
    assert_non_null(strstr(ec.msg, "colour"));
    assert_int_equal(db_remote_new("postgresql://u:sesame@h1,h2/d", &f, &ec),
                     ERR_OK);
    assert_string_equal(f->path, "postgresql://h1,h2/d");
    db_file_free(f);
}

static void a_server_that_is_away_is_told_soon(void **state)
{
    int64_t start = clock_mono_ms(), count;
    struct db_file *f = NULL;
    struct db *d = NULL;
    struct db_look look;

    (void)state;
    assert_int_equal(
        db_remote_new("postgresql://u:sesame@127.0.0.1:1/d", &f, &ec), ERR_OK);
    assert_int_equal(db_open(f, &d, &ec), ERR_OK);
    for (int i = 0; i < 100; i++)
        assert_int_equal(task_open_count(d, 0, &count, &ec), ERR_DB);
    assert_null(strstr(ec.msg, "sesame"));
    assert_int_equal(db_health(d), ERR_DB);
    db_close(d);
    db_file_free(f);
    assert_int_equal(
        db_inspect_remote("postgresql://u:sesame@127.0.0.1:1/d", &look),
        DB_UNREADABLE);
    assert_null(strstr(look.msg, "sesame"));
    assert_true(clock_mono_ms() - start < 3000);
}

/* --- connections ------------------------------------------------------- */

static void a_lost_connection_is_made_anew(void **state)
{
    int64_t id;

    (void)state;
    cut_connections();
    assert_true(exists());
    cut_connections();
    assert_int_equal(account_create(db, "bob@x", 1, &id, &ec), ERR_OK);
    cut_connections();
    assert_int_equal(db_health(db), ERR_OK);
}

static enum err cut_once(struct db *d, void *arg, struct errctx *e)
{
    int *times = arg;
    enum err r = sql_do(d, e,
                        "INSERT INTO account(email, created)"
                        " VALUES('eve@x', ?1)",
                        as_int(1));

    if (r == ERR_OK && (*times)++ == 0)
        r = sql_exec(d, "SELECT pg_terminate_backend(pg_backend_pid())", e);
    return r;
}

static void a_write_whose_connection_is_lost_is_done_again(void **state)
{
    int times = 0;

    (void)state;
    assert_int_equal(db_write(db, cut_once, &times, &ec), ERR_OK);
    assert_int_equal(times, 2);
    assert_int_equal(number("SELECT count(*) FROM account WHERE"
                            " email = 'eve@x'"),
                     1);
}

/* What comes after the loss is not written by itself. */
static void a_batch_whose_connection_is_lost_is_not_committed(void **state)
{
    int64_t id;

    (void)state;
    assert_int_equal(db_batch_begin(db, &ec), ERR_OK);
    assert_int_equal(account_create(db, "bob@x", 1, &id, &ec), ERR_OK);
    cut_connections();
    assert_int_equal(account_create(db, "eve@x", 1, &id, &ec), ERR_DB);
    assert_int_not_equal(db_batch_commit(db, &ec), ERR_OK);
    assert_int_equal(number("SELECT count(*) FROM account"), 1);
}

/* --- lost in the midst -------------------------------------------------- */

/* Something that another thread asks on db, and how it went. */
struct asking {
    enum err (*ask)(struct asking *x);
    const char *key; /* of an order */
    struct task task;
    struct errctx ec;
    enum err e;
    _Atomic bool over;
    pthread_t thread;
};

static void *ask_on(void *arg)
{
    struct asking *x = arg;

    x->e = x->ask(x);
    atomic_store(&x->over, true);
    return NULL;
}

static void ask(struct asking *x)
{
    atomic_store(&x->over, false);
    assert_int_equal(pthread_create(&x->thread, NULL, ask_on, x), 0);
}

static enum err order(struct asking *x)
{
    struct task_order o = {.input = "{}", .open_max = 100, .key = x->key};

    return task_submit(db, ada, &o, 1, &arena, &x->task, &x->ec);
}

static enum err ask_for_the_lock(struct asking *x)
{
    return sql_lock(db, LOCK_OLD, 7, &x->ec);
}

/* Until a session waits so; false: it did not, and is over. */
static bool waits(struct asking *x, const char *event)
{
    struct db *d = NULL;
    int64_t n = 0;

    assert_int_equal(db_open(file, &d, &ec), ERR_OK);
    while (n == 0 && !atomic_load(&x->over)) {
        struct stmt *q = sql_with(d,
                                  "SELECT count(*) FROM pg_stat_activity"
                                  " WHERE wait_event = ?1 OR wait_event_type"
                                  " = ?1",
                                  as_text(event));

        assert_int_equal(sql_number(q, &n, &ec), ERR_OK);
        clock_sleep_us(2000);
    }
    db_close(d);
    return n > 0;
}

static void end_who_waits(const char *event)
{
    char sql[256];

    snprintf(sql, sizeof sql,
             "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
             " WHERE wait_event = '%s' OR wait_event_type = '%s'",
             event, event);
    assert_int_equal(state_db_exec(NULL, sql), ERR_OK);
}

static void ended(struct asking *x, enum err e)
{
    pthread_join(x->thread, NULL);
    if (x->e != e)
        fail_msg("%d: %s", x->e, x->ec.msg);
}

/* A commit waits for a standby that never comes; what it wrote is there for
 * all who come later. */
static void set_standby(const char *sql)
{
    assert_int_equal(state_db_exec(NULL, sql), ERR_OK);
    assert_int_equal(state_db_exec(NULL, "SELECT pg_reload_conf()"), ERR_OK);
}

/* The server heeds it a moment later. */
static int setup_standby(void **state)
{
    struct asking x = {.ask = order};

    if (setup(state) != 0)
        return -1;
    set_standby("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    for (ask(&x); !waits(&x, "SyncRep"); ask(&x))
        ended(&x, ERR_OK);
    end_who_waits("SyncRep");
    ended(&x, ERR_OK);
    return 0;
}

static int teardown_standby(void **state)
{
    set_standby("ALTER SYSTEM RESET synchronous_standby_names");
    return teardown(state);
}

/* Its session ends between its commit and the answer. */
static void ask_and_lose(struct asking *x)
{
    ask(x);
    assert_true(waits(x, "SyncRep"));
    end_who_waits("SyncRep");
}

static void an_order_that_came_through_unheard_is_taken_once(void **state)
{
    int64_t before = number("SELECT count(*) FROM task");
    struct asking x = {.ask = order};
    struct task t;

    (void)state;
    ask_and_lose(&x);
    ended(&x, ERR_OK);
    assert_int_equal(number("SELECT count(*) FROM task"), before + 1);
    assert_int_equal(number("SELECT open FROM task_count"), before + 1);
    assert_int_equal(task_get(other, ada, x.task.id, &arena, &t, &ec), ERR_OK);
}

/* Nobody knows: its client asks again with the key. */
static void a_commit_that_is_lost_is_told_and_can_be_asked_again(void **state)
{
    int64_t before = number("SELECT count(*) FROM task");
    struct asking x = {.ask = order, .key = "once"};

    (void)state;
    ask_and_lose(&x);
    ended(&x, ERR_DB);
    set_standby("ALTER SYSTEM RESET synchronous_standby_names");
    assert_int_equal(order(&x), ERR_OK);
    assert_int_equal(number("SELECT count(*) FROM task"), before + 1);
    assert_int_equal(number("SELECT open FROM task_count"), before + 1);
}

static void what_was_not_done_when_the_connection_was_lost_is_done(void **state)
{
    struct asking x = {.ask = order}, y = {.ask = ask_for_the_lock};

    (void)state;
    assert_int_equal(order(&x), ERR_OK);
    assert_int_equal(sql_begin_write(other, &ec), ERR_OK);
    assert_int_equal(
        sql_exec(other, "UPDATE task_count SET turn = turn + 1", &ec), ERR_OK);
    ask(&x);
    assert_true(waits(&x, "Lock"));
    end_who_waits("Lock");
    assert_true(waits(&x, "Lock"));
    assert_int_equal(sql_commit(other, &ec), ERR_OK);
    ended(&x, ERR_OK);
    assert_int_equal(number("SELECT count(*) FROM task"), 2);
    assert_int_equal(number("SELECT open FROM task_count"), 2);
    /* A question by itself, too. */
    assert_int_equal(sql_begin_write(other, &ec), ERR_OK);
    assert_int_equal(sql_lock(other, LOCK_OLD, 7, &ec), ERR_OK);
    ask(&y);
    assert_true(waits(&y, "Lock"));
    end_who_waits("Lock");
    assert_true(waits(&y, "Lock"));
    sql_roll_back(other);
    ended(&y, ERR_OK);
}

/* --- keys -------------------------------------------------------------- */

static enum err whose(struct auth_away *away, struct db *d, const char *key,
                      int64_t at_ms)
{
    struct auth_memory m = {0}; /* a thread that has not seen it */
    struct bearer who = {0};
    enum err e = auth_bearer_of(&m, away, d, key, at_ms, &who, &ec);

    if (e == ERR_OK)
        assert_int_equal(who.account, ada);
    return e;
}

static void a_key_counts_for_a_while_without_the_database(void **state)
{
    static struct auth_away away;
    char key[KEY_LEN + 1], late[KEY_LEN + 1];
    struct db_file *f = NULL;
    struct db *gone = NULL;
    const char *id = NULL;

    (void)state;
    assert_int_equal(key_create(db, ada, "", 1, key, &id, &arena, &ec), ERR_OK);
    assert_int_equal(whose(&away, db, key, 1000), ERR_OK);
    assert_int_equal(key_create(db, ada, "", 1, late, &id, &arena, &ec),
                     ERR_OK);
    assert_int_equal(db_remote_new("postgresql://127.0.0.1:1/d", &f, &ec),
                     ERR_OK);
    assert_int_equal(db_open(f, &gone, &ec), ERR_OK);
    assert_int_equal(whose(&away, gone, key, 1000 + AUTH_AWAY_MS - 1), ERR_OK);
    assert_int_equal(whose(&away, gone, key, 1000 + AUTH_AWAY_MS), ERR_DB);
    assert_int_equal(whose(&away, gone, late, 2000), ERR_DB);
    /* One that was seen to be revoked counts no more. */
    assert_int_equal(state_db_exec(NULL, "UPDATE api_key SET revoked = 1"),
                     ERR_OK);
    assert_int_equal(whose(&away, db, key, 3000), ERR_AUTH);
    assert_int_equal(whose(&away, gone, key, 3001), ERR_DB);
    db_close(gone);
    db_file_free(f);
}

/* --- waiting ----------------------------------------------------------- */

static void nobody_waits_beyond_the_deadline(void **state)
{
    int64_t start;

    (void)state;
    assert_int_equal(db_batch_begin(other, &ec), ERR_OK);
    assert_int_equal(account_set_disabled(other, ada, true, &ec), ERR_OK);
    start = clock_mono_ms();
    db_until(db, deadline_in(200));
    assert_int_equal(account_set_disabled(db, ada, false, &ec), ERR_TIMEOUT);
    assert_int_equal(account_set_disabled(db, ada, false, &ec), ERR_TIMEOUT);
    assert_true(clock_mono_ms() - start < 10000); /* on a busy machine, too */
    db_batch_abort(other);
    db_until(db, deadline_in(60000));
    assert_int_equal(account_set_disabled(db, ada, false, &ec), ERR_OK);
}

static void who_only_tries_does_not_wait(void **state)
{
    unsigned char hash[SHA256_BYTES];
    char key[KEY_LEN + 1];
    const char *id = NULL;

    (void)state;
    assert_int_equal(key_create(db, ada, "", 1, key, &id, &arena, &ec), ERR_OK);
    id_sha256(key, KEY_LEN, hash);
    assert_int_equal(db_batch_begin(other, &ec), ERR_OK);
    assert_int_equal(key_revoke(other, ada, id, 2, &ec), ERR_OK);
    assert_int_equal(key_used(db, hash, 1, 1, &ec), ERR_BUSY);
    db_batch_abort(other);
    assert_int_equal(key_used(db, hash, 1, 1, &ec), ERR_OK);
}

/* --- tables ------------------------------------------------------------ */

static void *open_one(void *arg)
{
    struct db_file *f = NULL;
    struct db *d = NULL;
    struct errctx mine;
    bool *good = arg;
    int64_t count;

    *good = state_db_again(NULL, &f) == ERR_OK &&
            db_open(f, &d, &mine) == ERR_OK &&
            task_open_count(d, 0, &count, &mine) == ERR_OK;
    if (!*good)
        fprintf(stderr, "%s\n", mine.msg);
    db_close(d);
    db_file_free(f);
    return NULL;
}

static void tables_are_made_once_by_whoever_comes_first(void **state)
{
    enum { MANY = 12 };
    bool good[MANY] = {false};
    pthread_t thread[MANY];

    (void)state;
    assert_int_equal(state_db_next(), ERR_OK);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, open_one, &good[i]),
                         0);
    for (int i = 0; i < MANY; i++) {
        pthread_join(thread[i], NULL);
        assert_true(good[i]);
    }
}

static void a_look_from_outside_tells_what_is_there(void **state)
{
    struct db_look look;
    struct db_file *f = NULL;
    struct db *d = NULL;
    int64_t count;

    (void)state;
    assert_int_equal(db_inspect_remote(state_db_address(), &look), DB_SOUND);
    assert_int_equal(look.accounts, 1);
    assert_int_equal(look.version, look.known);
    assert_int_equal(
        state_db_exec(NULL, "UPDATE cited_schema SET version = 99"), ERR_OK);
    assert_int_equal(db_inspect_remote(state_db_address(), &look), DB_NEWER);
    assert_int_equal(state_db_again(NULL, &f), ERR_OK);
    assert_int_equal(db_open(f, &d, &ec), ERR_OK);
    assert_int_equal(task_open_count(d, 0, &count, &ec), ERR_DB);
    assert_non_null(strstr(ec.msg, "99"));
    db_close(d);
    db_file_free(f);
    assert_int_equal(state_db_next(), ERR_OK);
    assert_int_equal(db_inspect_remote(state_db_address(), &look), DB_ABSENT);
}

struct name {
    char *z;
};

static void read_name(struct stmt *q, struct arena *a, void *out)
{
    ((struct name *)out)->z = sql_col_text(q, 0, a);
}

static size_t names(struct db *from, const char *sql, struct name **out)
{
    static const struct sql_shape shape = {sizeof(struct name), read_name};
    void *list = NULL;
    size_t n = 0;

    if (sql_rows(sql_get(from, sql), &shape, 1000, &arena, &list, &n, &ec) !=
        ERR_OK)
        fail_msg("%s", ec.msg);
    *out = list;
    return n;
}

static void both_schemas_have_the_same_columns(void **state)
{
    char path[] = "/tmp/cited-remote-XXXXXX", in_it[64];
    struct name *lite = NULL, *pg = NULL;
    struct db_file *f = NULL;
    struct db *d = NULL;
    size_t n, m;

    (void)state;
    assert_non_null(mkdtemp(path));
    snprintf(in_it, sizeof in_it, "%s/state.db", path);
    assert_int_equal(db_file_new(DB_STATE, in_it, &f), ERR_OK);
    assert_int_equal(db_open(f, &d, &ec), ERR_OK);
    n = names(d,
              "SELECT m.name || '.' || p.name FROM sqlite_master m"
              " JOIN pragma_table_info(m.name) p WHERE m.type = 'table'"
              " ORDER BY 1",
              &lite);
    m = names(db,
              "SELECT table_name || '.' || column_name COLLATE \"C\""
              " FROM information_schema.columns"
              " WHERE table_schema = current_schema()"
              " AND table_name <> 'cited_schema'"
              " AND table_name NOT LIKE 'page%'"
              " AND table_name NOT IN ('node', 'turn', 'crawl', 'frontier')"
              " ORDER BY 1",
              &pg);
    assert_true(n > 60);
    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(lite[i].z, pg[i].z);
    db_close(d);
    db_file_free(f);
    unlink(in_it);
    rmdir(path);
}

/* --- side by side ------------------------------------------------------ */

static void what_another_machine_is_claiming_is_passed_over(void **state)
{
    struct task_lease mine, theirs;
    struct task t;

    (void)state;
    for (int i = 0; i < 2; i++)
        assert_int_equal(task_create(db, ada, "{}", 9, 1, &arena, &t, &ec),
                         ERR_OK);
    assert_int_equal(sql_begin_write(other, &ec), ERR_OK);
    /* What a claim of theirs holds before its end. */
    assert_int_equal(
        sql_run(sql_get(other, "SELECT seq FROM task WHERE seq ="
                               " (SELECT min(seq) FROM task) FOR UPDATE"),
                &ec),
        ERR_OK);
    db_until(db, deadline_in(5000));
    assert_int_equal(task_claim(db, NULL, 1000, 3, 10, &arena, &mine, &ec),
                     ERR_OK);
    assert_string_equal(mine.task.id, t.id);
    sql_roll_back(other);
    assert_int_equal(task_claim(other, NULL, 1000, 3, 10, &arena, &theirs, &ec),
                     ERR_OK);
    assert_string_not_equal(mine.task.id, theirs.task.id);
    assert_int_equal(task_claim(db, NULL, 1000, 3, 10, &arena, &mine, &ec),
                     ERR_NOT_FOUND);
}

struct repeat {
    struct db_file *file;
    char id[UUID_LEN + 1];
};

static void *submit_with_key(void *arg)
{
    struct task_order o = {.input = "{}", .open_max = 100, .key = "once"};
    struct repeat *r = arg;
    struct db *d = NULL;
    struct errctx mine;
    struct arena a;
    struct task t;

    arena_init(&a, 1 << 20);
    if (db_open(r->file, &d, &mine) == ERR_OK &&
        task_submit(d, ada, &o, 1, &a, &t, &mine) == ERR_OK)
        snprintf(r->id, sizeof r->id, "%s", t.id);
    db_close(d);
    arena_fini(&a);
    return NULL;
}

static void a_request_repeated_to_another_machine_makes_one_task(void **state)
{
    enum { MANY = 8 };
    struct repeat r[MANY] = {0};
    struct db_file *f = NULL;
    pthread_t thread[MANY];

    (void)state;
    assert_int_equal(state_db_again(NULL, &f), ERR_OK);
    for (int i = 0; i < MANY; i++) {
        r[i].file = i % 2 == 0 ? f : file;
        assert_int_equal(
            pthread_create(&thread[i], NULL, submit_with_key, &r[i]), 0);
    }
    for (int i = 0; i < MANY; i++) {
        pthread_join(thread[i], NULL);
        assert_string_equal(r[i].id, r[0].id);
    }
    assert_int_equal(strlen(r[0].id), UUID_LEN);
    assert_int_equal(number("SELECT count(*) FROM task"), 1);
    assert_int_equal(number("SELECT open FROM task_count"), 1);
    db_file_free(f);
}

struct orders {
    struct db_file *file;
    int taken, refused;
};

/* Every other one is plain, and goes with others' in one statement. */
static void *submit_some(void *arg)
{
    struct orders *x = arg;
    struct db *d = NULL;
    struct errctx mine;
    struct arena a;
    struct task t;

    arena_init(&a, 1 << 20);
    if (db_open(x->file, &d, &mine) == ERR_OK)
        for (int i = 0; i < 4; i++) {
            struct task_order o = {.input = "{\"q\":\"\\u0000 \\\" \"}",
                                   .open_max = 17};
            enum err e;

            o.callback_url = i % 2 == 0 ? NULL : "http://a.example/";
            e = task_submit(d, ada, &o, 1, &a, &t, &mine);
            x->taken += e == ERR_OK && strcmp(t.input, o.input) == 0;
            x->refused += e == ERR_LIMIT;
        }
    db_close(d);
    arena_fini(&a);
    return NULL;
}

static void orders_of_two_machines_keep_to_the_limit(void **state)
{
    enum { MANY = 12 };
    struct orders x[MANY] = {0};
    struct db_file *f = NULL;
    pthread_t thread[MANY];
    int taken = 0, refused = 0;

    (void)state;
    assert_int_equal(state_db_again(NULL, &f), ERR_OK);
    for (int i = 0; i < MANY; i++) {
        x[i].file = i % 2 == 0 ? f : file;
        assert_int_equal(pthread_create(&thread[i], NULL, submit_some, &x[i]),
                         0);
    }
    for (int i = 0; i < MANY; i++) {
        pthread_join(thread[i], NULL);
        taken += x[i].taken;
        refused += x[i].refused;
    }
    assert_int_equal(taken, 17);
    assert_int_equal(refused, 4 * MANY - 17);
    assert_int_equal(number("SELECT count(*) FROM task"), 17);
    assert_int_equal(number("SELECT open FROM task_count"), 17);
    assert_int_equal(number("SELECT count(*) FROM task WHERE input ="
                            " '{\"q\":\"\\u0000 \\\" \"}'"),
                     17);
    db_file_free(f);
}

/* --- what is old -------------------------------------------------------- */

static void old_tasks_go_and_the_counters_follow(void **state)
{
    struct task_lease l;
    struct task t;
    int64_t gone = 0;

    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            task_create(db, ada, "{}", 100, 1 + i, &arena, &t, &ec), ERR_OK);
        assert_int_equal(task_claim(db, NULL, 1000, 3, 10, &arena, &l, &ec),
                         ERR_OK);
        assert_int_equal(task_finish(db, &l, "{}", 100 * (i + 1), &ec), ERR_OK);
    }
    assert_int_equal(retain_tasks(db, 250, &gone, &ec), ERR_OK);
    assert_int_equal(gone, 2);
    assert_int_equal(number("SELECT count(*) FROM task"), 1);
    assert_int_equal(number("SELECT total FROM task_count"), 1);
}

/* --- moving ------------------------------------------------------------ */

static bool go_on(void *user, const char *table, int64_t rows)
{
    int *left = user;

    (void)table;
    (void)rows;
    return left == NULL || (*left)-- > 0;
}

static int64_t rows_of(const struct move_count *c, const char *table)
{
    for (int i = 0; i < MOVE_TABLES; i++) {
        assert_int_equal(c[i].from, c[i].to);
        if (c[i].table != NULL && strcmp(c[i].table, table) == 0)
            return c[i].from;
    }
    return -1;
}

/* Something in each kind of column. */
static void fill(struct db *d)
{
    struct task_order o = {.input = "{\"q\":\"Wie hei\u00df?\"}",
                           .open_max = 1000,
                           .callback_url = "https://a.example/",
                           .key = "once"};
    struct evidence ev = {.text = "x", .day = DAY_NONE, .score = 0.1 + 0.2};
    static const struct crawl_order crawl = {"https://c.example/", 10, 0};
    char key[KEY_LEN + 1];
    const char *id = NULL;
    struct crawl_job job;
    struct task_lease l;
    struct task t;

    assert_int_equal(account_register(d, "zoe@x", "hash", 1, &bob, &ec),
                     ERR_OK);
    assert_int_equal(key_create(d, bob, "k", 1, key, &id, &arena, &ec), ERR_OK);
    for (int i = 0; i < 120; i++) {
        assert_int_equal(task_submit(d, bob, &o, 1, &arena, &t, &ec), ERR_OK);
        o.key = NULL;
    }
    assert_int_equal(task_claim(d, NULL, 1000, 3, 10, &arena, &l, &ec), ERR_OK);
    assert_int_equal(task_add_step(d, &l, "plan", "{}", &ev, 1, 1000, 11, &ec),
                     ERR_OK);
    assert_int_equal(crawl_job_create(d, bob, &crawl, 5, 1, &arena, &job, &ec),
                     ERR_OK);
}

static void what_is_moved_there_and_back_is_the_same(void **state)
{
    char dir[] = "/tmp/cited-remote-XXXXXX", path[64], again[64];
    struct move_count c[MOVE_TABLES] = {{0}};
    struct db_file *f = NULL, *r = NULL;
    struct db *d = NULL;
    int left = 2;
    int64_t id;

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/state.db", dir);
    snprintf(again, sizeof again, "%s/again.db", dir);
    assert_int_equal(db_file_new(DB_STATE, path, &f), ERR_OK);
    assert_int_equal(db_open(f, &d, &ec), ERR_OK);
    fill(d);
    db_close(d);
    assert_int_equal(state_db_next(), ERR_OK);
    assert_int_equal(state_db_again(NULL, &r), ERR_OK);
    assert_int_equal(db_move(f, r, go_on, &left, c, &ec), ERR_GONE);
    assert_int_equal(db_move(f, r, go_on, NULL, c, &ec), ERR_OK);
    assert_int_equal(rows_of(c, "task"), 120);
    assert_int_equal(rows_of(c, "evidence"), 1);
    assert_int_equal(rows_of(c, "callback"), 120);
    assert_int_equal(rows_of(c, "request_key"), 1);
    /* Nothing is not 0. */
    assert_int_equal(state_db_exec(NULL, "UPDATE crawl_job SET delay = NULL"),
                     ERR_OK);
    assert_int_equal(db_move(f, r, go_on, NULL, c, &ec), ERR_CONFLICT);
    assert_int_equal(state_db_exec(NULL, "UPDATE crawl_job SET delay = 0"),
                     ERR_OK);
    db_file_free(f);
    /* Back, into another file; then somebody else's account is there. */
    assert_int_equal(db_file_new(DB_STATE, again, &f), ERR_OK);
    assert_int_equal(db_move(r, f, go_on, NULL, c, &ec), ERR_OK);
    assert_int_equal(rows_of(c, "task_step"), 1);
    assert_int_equal(db_open(f, &d, &ec), ERR_OK);
    assert_int_equal(account_create(d, "eve@x", 1, &id, &ec), ERR_OK);
    db_close(d);
    assert_int_equal(db_open(r, &d, &ec), ERR_OK);
    assert_int_equal(account_create(d, "new@x", 1, &id, &ec), ERR_OK);
    assert_true(id > bob);
    db_close(d);
    assert_int_equal(db_move(r, f, go_on, NULL, c, &ec), ERR_CONFLICT);
    db_file_free(f);
    db_file_free(r);
    folder_remove(dir);
}

static int64_t crawl_of(struct db *index, bool known)
{
    bool resumed = !known;
    int64_t id = 0;

    assert_int_equal(crawl_begin(index, "read", 1, &id, &resumed, &ec), ERR_OK);
    assert_int_equal(resumed, known);
    return id;
}

static size_t due(struct db *index, int64_t crawl)
{
    struct frontier_item *list;
    int64_t after = 0;
    size_t n = 0;

    assert_int_equal(
        frontier_due(index, crawl, &after, 1000, &arena, &list, &n, &ec),
        ERR_OK);
    return n;
}

static void frontiers_are_moved_there_and_back(void **state)
{
    static const struct frontier_item other_one = {"https://b.example/", 1, 0,
                                                   0};
    char dir[] = "/tmp/cited-remote-XXXXXX", path[64];
    struct db_file *f = NULL, *r = NULL;
    struct frontier_item item[1200];
    struct move_count c[MOVE_TABLES] = {{0}};
    struct db *d = NULL;
    int64_t id, added;
    int left = 1;

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/index.db", dir);
    assert_int_equal(db_file_new(DB_INDEX, path, &f), ERR_OK);
    assert_int_equal(db_open(f, &d, &ec), ERR_OK);
    id = crawl_of(d, false);
    /* More than one range has, and more bytes than are sent at once. */
    for (int i = 0; i < 1200; i++)
        item[i] = (struct frontier_item){
            arena_printf(&arena, "https://a.example/%01000d", i), i % 7, 0, 0};
    assert_int_equal(frontier_add(d, id, item, 1200, &added, &ec), ERR_OK);
    for (int i = 0; i < 400; i++)
        assert_int_equal(frontier_mark(d, id, item[i].url, FRONTIER_FAILED,
                                       i % 2 ? "http 404"
                                             : "\"a\\\n\x01\x1f\xE2\x80\xA8\xF0"
                                               "\x9F\x98\x80'?1 $1",
                                       &ec),
                         ERR_OK);
    assert_int_equal(state_db_next(), ERR_OK);
    assert_int_equal(state_db_again(NULL, &r), ERR_OK);
    assert_int_equal(db_move(f, r, go_on, &left, c, &ec), ERR_GONE);
    assert_int_equal(sql_exec(d,
                              "UPDATE frontier SET reason = CAST(x'61ff' AS"
                              " TEXT) WHERE id = 1100",
                              &ec),
                     ERR_OK);
    assert_int_equal(db_move(f, r, go_on, NULL, c, &ec), ERR_INVALID);
    assert_int_equal(
        frontier_mark(d, id, item[1099].url, FRONTIER_FAILED, "", &ec), ERR_OK);
    db_close(d);
    assert_int_equal(db_move(f, r, go_on, NULL, c, &ec), ERR_OK);
    assert_int_equal(rows_of(c, "crawl"), 1);
    assert_int_equal(rows_of(c, "frontier"), 1200);
    db_file_free(f);
    /* It goes on where it was, with the index that is there. */
    assert_int_equal(db_file_new(DB_INDEX, path, &f), ERR_OK);
    assert_int_equal(db_file_follow(f, state_db_address(), &ec), ERR_OK);
    assert_int_equal(db_open(f, &d, &ec), ERR_OK);
    assert_int_equal(crawl_of(d, true), id);
    assert_int_equal(due(d, id), 799);
    assert_int_equal(frontier_add(d, id, &other_one, 1, &added, &ec), ERR_OK);
    assert_int_equal(added, 1);
    assert_int_equal(
        frontier_mark(d, id, item[500].url, FRONTIER_DONE, "", &ec), ERR_OK);
    db_close(d);
    db_file_free(f);
    /* Back: another crawl is there, but in an index that follows pages, what is
     * there is what it was before. */
    assert_int_equal(db_file_new(DB_INDEX, path, &f), ERR_OK);
    assert_int_equal(db_move(r, f, go_on, NULL, c, &ec), ERR_CONFLICT);
    assert_int_equal(db_open(f, &d, &ec), ERR_OK);
    assert_int_equal(sql_exec(d,
                              "INSERT INTO followed(one, source, base, seq,"
                              " mark) VALUES(1, 'x', 1, 1, 1)",
                              &ec),
                     ERR_OK);
    assert_int_equal(db_move(r, f, go_on, NULL, c, &ec), ERR_OK);
    assert_int_equal(rows_of(c, "frontier"), 1201);
    assert_int_equal(crawl_of(d, true), id);
    assert_int_equal(due(d, id), 799);
    db_close(d);
    db_file_free(f);
    db_file_free(r);
    folder_remove(dir);
}

/* --- many at once ------------------------------------------------------ */

enum { WRITERS = 8, EACH = 50 };

/* Half of them of each account; then all are claimed and ended. */
static void *work(void *arg)
{
    struct db_file *f = arg;
    struct db *d = NULL;
    struct errctx mine;
    struct task_lease l;
    struct arena a;
    struct task t;
    int64_t done = 0;

    arena_init(&a, 4 << 20);
    if (db_open(f, &d, &mine) != ERR_OK)
        return NULL;
    for (int i = 0; i < EACH; i++)
        if (task_create(d, i % 2 == 0 ? ada : bob, "{}", 100000, 1, &a, &t,
                        &mine) != ERR_OK)
            fprintf(stderr, "%s\n", mine.msg);
    for (int i = 0; i < EACH; i++)
        if (task_claim(d, NULL, 100000, 3, 10, &a, &l, &mine) == ERR_OK)
            done += task_finish(d, &l, "{}", 20, &mine) == ERR_OK;
    db_close(d);
    arena_fini(&a);
    return (void *)(intptr_t)done;
}

/* Threads of two processes, as it were. */
static void writers_of_two_machines_lose_nothing(void **state)
{
    struct db_file *f = NULL;
    pthread_t thread[WRITERS];
    int64_t done = 0;

    (void)state;
    assert_int_equal(account_create(db, "bob@x", 1, &bob, &ec), ERR_OK);
    assert_int_equal(state_db_again(NULL, &f), ERR_OK);
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(
            pthread_create(&thread[i], NULL, work, i % 2 == 0 ? f : file), 0);
    for (int i = 0; i < WRITERS; i++) {
        void *n = NULL;

        pthread_join(thread[i], &n);
        done += (int64_t)(intptr_t)n;
    }
    assert_int_equal(number("SELECT count(*) FROM task"), WRITERS * EACH);
    assert_int_equal(number("SELECT count(*) FROM task WHERE state = 2"), done);
    assert_int_equal(number("SELECT sum(open) FROM task_count"),
                     WRITERS * EACH - done);
    assert_int_equal(number("SELECT sum(total) FROM task_count"),
                     WRITERS * EACH);
    assert_true(done > WRITERS * EACH * 9 / 10);
    db_file_free(f);
}

int main(void)
{
    const struct CMUnitTest addresses[] = {
        cmocka_unit_test(an_address_is_checked_and_its_password_not_told),
        cmocka_unit_test(a_server_that_is_away_is_told_soon),
    };
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(who_waits_for_tasks_is_told_of_a_new_one),
        T(nodes_are_counted_while_they_show_signs_of_life),
        T(machines_take_turns_at_another_server),
        T(a_lost_connection_is_made_anew),
        T(a_write_whose_connection_is_lost_is_done_again),
        T(a_batch_whose_connection_is_lost_is_not_committed),
        cmocka_unit_test_setup_teardown(
            an_order_that_came_through_unheard_is_taken_once, setup_standby,
            teardown_standby),
        cmocka_unit_test_setup_teardown(
            a_commit_that_is_lost_is_told_and_can_be_asked_again, setup_standby,
            teardown_standby),
        T(what_was_not_done_when_the_connection_was_lost_is_done),
        T(a_key_counts_for_a_while_without_the_database),
        T(nobody_waits_beyond_the_deadline),
        T(who_only_tries_does_not_wait),
        T(tables_are_made_once_by_whoever_comes_first),
        T(a_look_from_outside_tells_what_is_there),
        T(both_schemas_have_the_same_columns),
        T(what_another_machine_is_claiming_is_passed_over),
        T(a_request_repeated_to_another_machine_makes_one_task),
        T(orders_of_two_machines_keep_to_the_limit),
        T(old_tasks_go_and_the_counters_follow),
        T(what_is_moved_there_and_back_is_the_same),
        T(frontiers_are_moved_there_and_back),
        T(writers_of_two_machines_lose_nothing),
    };

    return state_db_is_remote() ? cmocka_run_group_tests(tests, NULL, NULL)
                                : cmocka_run_group_tests(addresses, NULL, NULL);
}
