/*
 * The nth step of a statement fails, for every n: the database is busy, the
 * disk is full, a read or write fails, memory is out. What the store says is
 * then an error, what it wrote is nothing, and the connection goes on as if
 * nothing had happened. sqlite3_step is wrapped by the linker: calls from our
 * own objects are counted, SQLite's own are not.
 */
#include "webapp.h"

#include "base/date.h"
#include "folder.h"
#include "index/page.h"
#include "store/callback.h"
#include "store/crawl_job.h"
#include "store/session.h"
#include "store/sql.h"
#include "store/task.h"
#include "web/problem.h"

enum { STEPS_MAX = 2000 };

/* --- the fault --------------------------------------------------------- */

/* The names are the linker's. */
int __real_sqlite3_step(sqlite3_stmt *q);
int __wrap_sqlite3_step(sqlite3_stmt *q);

struct fault {
    const char *name;
    int code;
    bool rolls_back; /* SQLite itself ends the transaction */
    enum err wanted;
};

static const struct fault *armed;
static int steps_left;

int __wrap_sqlite3_step(sqlite3_stmt *q)
{
    const struct fault *f = armed;

    if (f == NULL || --steps_left > 0)
        return __real_sqlite3_step(q);
    armed = NULL;
    if (f->rolls_back)
        (void)sqlite3_exec(sqlite3_db_handle(q), "ROLLBACK", NULL, NULL, NULL);
    return f->code;
}

static const struct fault faults[] = {
    {"busy", SQLITE_BUSY, false, ERR_BUSY},
    {"busy snapshot", SQLITE_BUSY_SNAPSHOT, false, ERR_BUSY},
    {"full", SQLITE_FULL, false, ERR_FULL},
    {"full, rolled back", SQLITE_FULL, true, ERR_FULL},
    {"write fails", SQLITE_IOERR_WRITE, false, ERR_DB},
    {"write fails, rolled back", SQLITE_IOERR_WRITE, true, ERR_DB},
    {"corrupt", SQLITE_CORRUPT, false, ERR_DB},
    {"read-only", SQLITE_READONLY, false, ERR_READ_ONLY},
    {"out of memory, rolled back", SQLITE_NOMEM, true, ERR_NOMEM},
};

/* --- a database -------------------------------------------------------- */

static char dir[64];
static struct db_file *file;
static struct db *db;
static struct arena arena;
static struct errctx ec;
static int64_t ada;

static void must(enum err e)
{
    if (e != ERR_OK)
        fail_msg("%s: %s", err_name(e), ec.msg);
}

static void open_db(enum db_kind kind)
{
    char path[96];

    snprintf(dir, sizeof dir, "/tmp/cited-faults-XXXXXX");
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/test.db", dir);
    arena_init(&arena, 64 << 20);
    must(db_file_new(kind, path, &file));
    must(db_open(file, &db, &ec));
    if (kind == DB_STATE)
        must(account_create(db, "ada@x", 1, &ada, &ec));
}

static void close_db(void)
{
    db_close(db);
    db_file_free(file);
    arena_fini(&arena);
    folder_remove(dir);
}

static uint64_t hash(uint64_t h, const void *p, size_t n)
{
    const unsigned char *c = p;

    for (size_t i = 0; i < n; i++)
        h = (h ^ c[i]) * 1099511628211U;
    return h;
}

static uint64_t hash_rows(uint64_t h, const char *sql)
{
    sqlite3_stmt *q = NULL;

    if (sqlite3_prepare_v2(db->h, sql, -1, &q, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db->h));
    while (sqlite3_step(q) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(q); i++) {
            int type = sqlite3_column_type(q, i);
            const void *p = sqlite3_column_blob(q, i);

            h = hash(h, &type, sizeof type);
            h = hash(h, p, (size_t)sqlite3_column_bytes(q, i));
        }
    sqlite3_finalize(q);
    return h;
}

/* Of every row of every table; with_segments: also of which there are, in which
 * equal indexes differ. */
static uint64_t digest(bool with_segments)
{
    char names[32][64], sql[160];
    size_t n = 0;
    uint64_t h = 14695981039346656037U;
    sqlite3_stmt *q = NULL;

    assert_int_equal(
        sqlite3_prepare_v2(db->h,
                           "SELECT name FROM sqlite_schema"
                           " WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
                           " ORDER BY name",
                           -1, &q, NULL),
        SQLITE_OK);
    while (n < 32 && sqlite3_step(q) == SQLITE_ROW)
        snprintf(names[n++], sizeof names[0], "%s",
                 (const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    for (size_t i = 0; i < n; i++) {
        if (!with_segments && (strcmp(names[i], "segment") == 0 ||
                               strcmp(names[i], "removed") == 0 ||
                               strcmp(names[i], "sqlite_sequence") == 0))
            continue;
        snprintf(sql, sizeof sql, "SELECT %s FROM \"%.60s\"",
                 with_segments || strcmp(names[i], "counter") != 0
                     ? "*"
                     : "pages, passages, text_bytes, next_passage",
                 names[i]);
        h = hash_rows(h, sql);
    }
    return h;
}

static int64_t number(const char *sql)
{
    struct stmt *q = sql_get(db, sql);
    int64_t v;

    must(sql_one(q, &ec));
    v = sql_col_int(q, 0);
    sql_end(q);
    return v;
}

static void check_intact(void)
{
    assert_int_equal(sqlite3_get_autocommit(db->h), 1);
    assert_int_equal(number("SELECT integrity_check = 'ok'"
                            " FROM pragma_integrity_check"),
                     1);
}

/* --- every n ----------------------------------------------------------- */

struct op {
    enum db_kind kind;
    void (*prepare)(void); /* or NULL */
    enum err (*run)(void);
    void (*check)(void); /* that run did what it should */
};

static void begin(const struct op *o)
{
    open_db(o->kind);
    if (o->prepare != NULL)
        o->prepare();
}

/* What the tables hold after run without a fault; 0 where ids are random. */
static uint64_t reference(const struct op *o)
{
    uint64_t h = 0;

    begin(o);
    must(o->run());
    o->check();
    if (o->kind == DB_INDEX)
        h = digest(false);
    close_db();
    return h;
}

static void done(const struct op *o, uint64_t wanted)
{
    o->check();
    check_intact();
    if (wanted != 0)
        assert_true(digest(false) == wanted);
}

/* One fault at step n. False when the operation has fewer steps. */
static bool torture_step(const struct op *o, const struct fault *f, int n,
                         uint64_t wanted)
{
    uint64_t before = digest(true);
    enum err e;
    bool fired;

    memset(&ec, 0, sizeof ec);
    steps_left = n;
    armed = f;
    e = o->run();
    fired = armed == NULL;
    armed = NULL;
    if (e == ERR_OK) {
        /* Either nothing failed, or what failed was not needed. */
        done(o, wanted);
        close_db();
        if (fired)
            begin(o);
        return fired;
    }
    if (e != f->wanted || ec.code != e || ec.msg[0] == '\0')
        fail_msg("%s at step %d: %s, not %s: %s", f->name, n, err_name(e),
                 err_name(f->wanted), ec.msg);
    assert_int_equal(sqlite3_get_autocommit(db->h), 1);
    if (digest(true) != before)
        fail_msg("%s at step %d: something was written", f->name, n);
    return true;
}

static void torture(const struct op *o)
{
    uint64_t wanted = reference(o);

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        int n = 1;

        begin(o);
        while (torture_step(o, &faults[i], n, wanted))
            assert_true(++n < STEPS_MAX);
        assert_true(n > 1);
    }
}

/* --- tasks ------------------------------------------------------------- */

static struct task made;
static struct task_lease lease;

static int64_t wrong_counters(void)
{
    return number("SELECT count(*) FROM task_count c WHERE total <>"
                  " (SELECT count(*) FROM task t WHERE t.account = c.account)"
                  " OR open <> (SELECT count(*) FROM task t"
                  " WHERE t.account = c.account AND state < 2)");
}

static void check_task(enum task_state state, int64_t count)
{
    struct task t;

    must(task_get(db, ada, made.id, &arena, &t, &ec));
    assert_int_equal(t.state, state);
    assert_int_equal(number("SELECT count(*) FROM task"), count);
    assert_int_equal(wrong_counters(), 0);
}

static enum err create(void)
{
    return task_create(db, ada, "{\"q\":\"x\"}", 10, 1000, &arena, &made, &ec);
}

static void check_created(void)
{
    check_task(TASK_PENDING, 1);
}

static void a_task_is_created_whole_or_not(void **state)
{
    static const struct op o = {DB_STATE, NULL, create, check_created};

    (void)state;
    torture(&o);
}

static const struct task_order whole_order = {.input = "{\"q\":\"x\"}",
                                              .open_max = 10,
                                              .callback_url =
                                                  "https://a.example/",
                                              .key = "k"};

static enum err submit(void)
{
    return task_submit(db, ada, &whole_order, 1000, &arena, &made, &ec);
}

static void check_submitted(void)
{
    check_task(TASK_PENDING, 1);
    assert_int_equal(number("SELECT count(*) FROM callback"), 1);
    assert_int_equal(number("SELECT count(*) FROM request_key"), 1);
}

static void a_task_comes_with_its_key_and_callback_or_not(void **state)
{
    static const struct op o = {DB_STATE, NULL, submit, check_submitted};

    (void)state;
    torture(&o);
}

static void have_order(void)
{
    must(submit());
}

static void a_repeated_order_is_found_or_an_error(void **state)
{
    static const struct op o = {DB_STATE, have_order, submit, check_submitted};

    (void)state;
    torture(&o);
}

static enum err drop(void)
{
    struct task t;

    return task_drop(db, ada, made.id, 2000, &arena, &t, &ec);
}

static void check_cancelled(void)
{
    check_task(TASK_FAILED, 1);
    assert_int_equal(number("SELECT count(*) FROM callback WHERE state = 1"),
                     1);
}

static void a_task_is_cancelled_whole_or_not(void **state)
{
    static const struct op o = {DB_STATE, have_order, drop, check_cancelled};

    (void)state;
    torture(&o);
}

static void have_due(void)
{
    must(submit());
    must(drop());
}

static void check_removed(void)
{
    assert_int_equal(number("SELECT (SELECT count(*) FROM task) +"
                            " (SELECT count(*) FROM callback) +"
                            " (SELECT count(*) FROM request_key)"),
                     0);
    assert_int_equal(wrong_counters(), 0);
}

static void a_task_is_removed_whole_or_not(void **state)
{
    static const struct op o = {DB_STATE, have_due, drop, check_removed};

    (void)state;
    torture(&o);
}

static struct callback_job *jobs;
static size_t job_count;

static enum err take(void)
{
    return callback_take(db, 3000, 100, 4, &arena, &jobs, &job_count, &ec);
}

static void check_taken(void)
{
    assert_int_equal(job_count, 1);
    assert_int_equal(number("SELECT tries FROM callback"), 1);
}

static void a_callback_is_taken_whole_or_not(void **state)
{
    static const struct op o = {DB_STATE, have_due, take, check_taken};

    (void)state;
    torture(&o);
}

static void have_taken(void)
{
    have_due();
    must(take());
}

static enum err settle(void)
{
    return callback_settle(db, &jobs[0], CALLBACK_DELIVERED, 0, NULL, &ec);
}

static void check_settled(void)
{
    assert_int_equal(number("SELECT state FROM callback"), CALLBACK_DELIVERED);
}

static void a_callback_is_settled_or_not(void **state)
{
    static const struct op o = {DB_STATE, have_taken, settle, check_settled};

    (void)state;
    torture(&o);
}

static void have_task(void)
{
    must(create());
}

static enum err claim(void)
{
    return task_claim(db, NULL, 1000, 3, 2000, &arena, &lease, &ec);
}

static void check_claimed(void)
{
    check_task(TASK_PROCESSING, 1);
    must(task_beat(db, &lease, 1000, 2001, &ec));
}

static void a_task_is_claimed_whole_or_not(void **state)
{
    static const struct op o = {DB_STATE, have_task, claim, check_claimed};

    (void)state;
    torture(&o);
}

/* An older task whose attempts are used up goes first. */
static void have_spent_task(void)
{
    struct task spent;

    must(task_create(db, ada, "{}", 10, 900, &arena, &spent, &ec));
    must(task_claim(db, spent.id, 10, 1, 901, &arena, &lease, &ec));
    have_task();
}

static enum err claim_last(void)
{
    return task_claim(db, NULL, 1000, 1, 2000, &arena, &lease, &ec);
}

static void check_gave_up(void)
{
    check_task(TASK_PROCESSING, 2);
    assert_int_equal(number("SELECT count(*) FROM task WHERE state = 3"), 1);
}

static void giving_up_is_counted_with_the_claim(void **state)
{
    static const struct op o = {DB_STATE, have_spent_task, claim_last,
                                check_gave_up};

    (void)state;
    torture(&o);
}

static void have_lease(void)
{
    have_task();
    must(claim());
}

static enum err finish(void)
{
    return task_finish(db, &lease, "{\"answer\":\"y\"}", 3000, &ec);
}

static void check_finished(void)
{
    check_task(TASK_COMPLETED, 1);
}

static void a_task_is_finished_whole_or_not(void **state)
{
    static const struct op o = {DB_STATE, have_lease, finish, check_finished};

    (void)state;
    torture(&o);
}

static enum err add_step(void)
{
    struct evidence v[3];

    memset(v, 0, sizeof v);
    for (int i = 0; i < 3; i++) {
        v[i].url = "https://a.example/";
        v[i].title = v[i].favicon = v[i].heading = "";
        v[i].text = "verbatim";
        v[i].passage = i + 1;
        v[i].day = DAY_NONE;
    }
    return task_add_step(db, &lease, "search", "{}", v, 3, 1000, 2500, &ec);
}

static void check_step(void)
{
    assert_int_equal(number("SELECT count(*) FROM task_step"), 1);
    assert_int_equal(number("SELECT count(*) FROM evidence"), 3);
}

static void a_step_is_stored_with_its_evidence_or_not(void **state)
{
    static const struct op o = {DB_STATE, have_lease, add_step, check_step};

    (void)state;
    torture(&o);
}

static struct task_page listed;

static enum err list(void)
{
    memset(&listed, 0, sizeof listed);
    return task_list(db, ada, TASK_BY_CREATED, true, 1, 10, &arena, &listed,
                     &ec);
}

static void check_listed(void)
{
    assert_int_equal(listed.count, 1);
    assert_int_equal(listed.total, 1);
}

static void a_list_is_complete_or_an_error(void **state)
{
    static const struct op o = {DB_STATE, have_task, list, check_listed};

    (void)state;
    torture(&o);
}

static struct task got;

static enum err get(void)
{
    return task_get(db, ada, made.id, &arena, &got, &ec);
}

static void check_got(void)
{
    assert_string_equal(got.input, "{\"q\":\"x\"}");
}

static void a_task_that_cannot_be_read_is_not_unknown(void **state)
{
    static const struct op o = {DB_STATE, have_task, get, check_got};

    (void)state;
    torture(&o);
}

/* --- keys -------------------------------------------------------------- */

static char key[KEY_LEN + 1];

static enum err new_key(void)
{
    const char *id;

    return key_create(db, ada, "label", 5, key, &id, &arena, &ec);
}

static enum err check_key(void)
{
    struct bearer who = {0};
    enum err e = key_check(db, key, &who, &ec);

    if (e == ERR_OK)
        assert_int_equal(who.account, ada);
    return e;
}

static void check_key_good(void)
{
    assert_int_equal(check_key(), ERR_OK);
}

static void a_key_is_made_whole_or_not(void **state)
{
    static const struct op o = {DB_STATE, NULL, new_key, check_key_good};

    (void)state;
    torture(&o);
}

static void have_key(void)
{
    must(new_key());
}

static void nothing(void)
{
}

static void a_key_that_cannot_be_read_is_not_refused(void **state)
{
    static const struct op o = {DB_STATE, have_key, check_key, nothing};

    (void)state;
    torture(&o);
}

/* --- sign-ins, the throttle and crawls --------------------------------- */

static enum err sign_up(void)
{
    int64_t id;

    return account_register(db, "new@x", "$hash", 5, &id, &ec);
}

static void check_sign_up(void)
{
    assert_int_equal(number("SELECT count(*) FROM account WHERE email ="
                            " 'new@x' AND password = '$hash'"),
                     1);
}

static void an_account_is_made_whole_or_not(void **state)
{
    static const struct op o = {DB_STATE, NULL, sign_up, check_sign_up};

    (void)state;
    torture(&o);
}

static enum err sign_in(void)
{
    return session_create(db, ada, 1000, 60000, key, &ec);
}

static enum err check_sign_in(void)
{
    struct bearer who = {0};

    return session_check(db, key, 2000, &who, &ec);
}

static void check_sign_in_good(void)
{
    must(check_sign_in());
}

static void have_sign_in(void)
{
    must(sign_in());
}

static void a_sign_in_is_made_whole_or_not(void **state)
{
    static const struct op o = {DB_STATE, NULL, sign_in, check_sign_in_good};

    (void)state;
    torture(&o);
}

static void a_sign_in_that_cannot_be_read_is_not_refused(void **state)
{
    static const struct op o = {DB_STATE, have_sign_in, check_sign_in, nothing};

    (void)state;
    torture(&o);
}

static enum err new_password(void)
{
    return account_set_password(db, ada, "$new", &ec);
}

static void check_new_password(void)
{
    assert_int_equal(number("SELECT count(*) FROM session"), 0);
    assert_int_equal(
        number("SELECT count(*) FROM account WHERE password = '$new'"), 1);
}

static void a_password_ends_the_sign_ins_or_is_not_set(void **state)
{
    static const struct op o = {DB_STATE, have_sign_in, new_password,
                                check_new_password};

    (void)state;
    torture(&o);
}

static enum err guess(void)
{
    struct throttle t = {"mail:a", "addr:b"};
    int64_t wait = 0;

    return throttle_begin(db, &t, 1000, &wait, &ec);
}

static void check_guess(void)
{
    assert_int_equal(number("SELECT sum(failures) FROM throttle"), 2);
}

static void a_guess_counts_on_both_sides_or_is_not_tried(void **state)
{
    static const struct op o = {DB_STATE, NULL, guess, check_guess};

    (void)state;
    torture(&o);
}

static enum err new_crawl(void)
{
    static const struct crawl_order order = {"http://a/", 9, -1};
    struct crawl_job j;

    return crawl_job_create(db, ada, &order, 4, 1000, &arena, &j, &ec);
}

static void check_crawl(void)
{
    assert_int_equal(number("SELECT count(*) FROM crawl_job"), 1);
}

static void a_crawl_is_noted_whole_or_not(void **state)
{
    static const struct op o = {DB_STATE, NULL, new_crawl, check_crawl};

    (void)state;
    torture(&o);
}

static enum err batch(void)
{
    struct task_order o[3] = {
        {.input = "{}", .open_max = 9},
        {.input = "{}", .open_max = 9, .type = TASK_FETCH},
        {.input = "{}", .open_max = 9, .callback_url = "http://x/"}};
    struct task out[3];

    return task_submit_all(db, ada, o, 3, 1000, &arena, out, &ec);
}

static void check_batch(void)
{
    assert_int_equal(number("SELECT count(*) FROM task"), 3);
    assert_int_equal(number("SELECT open FROM task_count"), 3);
    assert_int_equal(number("SELECT total FROM task_count"), 2);
}

static void a_batch_of_tasks_is_accepted_whole_or_not(void **state)
{
    static const struct op o = {DB_STATE, NULL, batch, check_batch};

    (void)state;
    torture(&o);
}

/* --- pages ------------------------------------------------------------- */

static enum err put(const char *url, const char *words)
{
    struct passage_text p[3] = {{"Head", words, 0, "", ""},
                                {"Head", "shared common words", 100, "", ""},
                                {"", "the last passage", 200, "", ""}};
    struct page page = {.title = "Title",
                        .lang = "en",
                        .favicon = "",
                        .day = 19000,
                        .fetched_ms = 1,
                        .etag = "",
                        .last_modified = ""};
    struct url u;
    int64_t id;

    must(url_parse(url, strlen(url), NULL, &arena, &u, &ec));
    page.url = u.href;
    page.host = u.host;
    return page_put(db, &page, p, 3, &id, &ec);
}

static struct candidate *found;
static size_t found_count;

static enum err ask_for(const char *word)
{
    struct index_term terms[2] = {
        {.text = word, .weight = 1.0, .word = word},
        {.text = "common", .weight = 1.0, .word = "common"}};
    struct domain_rule rule;
    struct domain_rules rules = {&rule, 1};
    struct index_filter f = {
        .include = &rules, .day_from = DAY_NONE, .day_to = DAY_NONE};

    must(domain_rule_parse("a.example", 9, &arena, &rule));
    found_count = 0;
    return index_query(db, terms, 2, &f, 10, NULL, &arena, &found, &found_count,
                       &ec);
}

static int64_t df_of(const char *word)
{
    struct index_term t = {.text = word, .weight = 1};
    int64_t df = -1, passages;

    must(index_df(db, &t, 1, &df, &passages, &ec));
    return df;
}

static enum err put_one(void)
{
    return put("https://a.example/1", "cod");
}

static void check_one(void)
{
    must(ask_for("cod"));
    assert_int_equal(number("SELECT pages FROM counter"), 1);
    assert_int_equal(number("SELECT count(*) FROM passage"), 3);
}

static void a_page_is_put_whole_or_not(void **state)
{
    static const struct op o = {DB_INDEX, NULL, put_one, check_one};

    (void)state;
    torture(&o);
}

static void have_page(void)
{
    must(put_one());
}

static enum err replace(void)
{
    return put("https://a.example/1", "mackerel");
}

static void check_replaced(void)
{
    must(ask_for("mackerel"));
    assert_int_equal(found_count, 2);
    assert_int_equal(df_of("cod"), 0);
    assert_int_equal(df_of("mackerel"), 1);
    assert_int_equal(number("SELECT count(*) FROM passage"), 3);
}

static void a_page_is_replaced_whole_or_not(void **state)
{
    static const struct op o = {DB_INDEX, have_page, replace, check_replaced};

    (void)state;
    torture(&o);
}

static enum err put_batch(void)
{
    enum err e = page_batch_begin(db, &ec);

    if (e != ERR_OK)
        return e;
    e = put("https://a.example/1", "cod");
    if (e == ERR_OK)
        e = put("https://a.example/2", "mackerel");
    if (e == ERR_OK)
        return page_batch_commit(db, &ec);
    page_batch_abort(db);
    return e;
}

static void check_two(void)
{
    must(ask_for("mackerel"));
    assert_int_equal(number("SELECT pages FROM counter"), 2);
    assert_int_equal(number("SELECT count(*) FROM passage"), 6);
}

static void a_batch_is_put_whole_or_not(void **state)
{
    static const struct op o = {DB_INDEX, NULL, put_batch, check_two};

    (void)state;
    torture(&o);
}

/* A batch goes on after a page that failed, and must not be committed. */
static void a_batch_with_a_failed_page_is_not_committed(void **state)
{
    uint64_t before;

    (void)state;
    open_db(DB_INDEX);
    before = digest(true);
    for (int n = 1;; n++) {
        enum err e;

        must(page_batch_begin(db, &ec));
        steps_left = n;
        armed = &faults[2];
        e = put("https://a.example/1", "cod");
        if (armed != NULL) {
            armed = NULL;
            page_batch_abort(db);
            break;
        }
        assert_int_equal(e, ERR_FULL);
        e = put("https://a.example/2", "mackerel");
        assert_int_not_equal(page_batch_commit(db, &ec), ERR_OK);
        assert_int_not_equal(e, ERR_OK);
        assert_true(digest(true) == before);
    }
    must(put_batch());
    check_two();
    close_db();
}

static void have_two(void)
{
    must(put_batch());
}

static enum err remove_two(void)
{
    int64_t removed = 0;

    return page_remove(db, "a.example", true, &removed, &ec);
}

static void check_none(void)
{
    assert_int_equal(ask_for("mackerel"), ERR_NO_RESULT);
    assert_int_equal(number("SELECT pages FROM counter"), 0);
    assert_int_equal(number("SELECT count(*) FROM passage"), 0);
    assert_int_equal(df_of("common"), 0);
}

static void pages_are_removed_whole_or_not(void **state)
{
    static const struct op o = {DB_INDEX, have_two, remove_two, check_none};

    (void)state;
    torture(&o);
}

static enum err ask(void)
{
    return ask_for("mackerel");
}

static void check_found(void)
{
    assert_int_equal(found_count, 3);
    assert_string_equal(found[0].text, "mackerel");
}

static void a_query_is_answered_whole_or_an_error(void **state)
{
    static const struct op o = {DB_INDEX, have_two, ask, check_found};

    (void)state;
    torture(&o);
}

/* --- the application --------------------------------------------------- */

/* The proper answer, or an envelope that blames us and not the question. */
static void check_answer(const struct response *res, const char *holds,
                         const struct fault *f, int n)
{
    if (res->status == 200 && strstr(buf_str(&res->body), holds) != NULL)
        return;
    if (!webapp_is_problem(res, 503, problem_code(problem_kind_of(f->wanted)),
                           NULL, f->name) ||
        webapp_header(res, "Retry-After") == NULL)
        fail_msg("%s at step %d", f->name, n);
}

static void torture_request(struct webapp *t, const struct ask *q,
                            const char *holds)
{
    struct response res;

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        bool fired = true;
        int n = 1;

        for (; fired; n++) {
            assert_true(n < STEPS_MAX);
            memset(&t->w.keys, 0, sizeof t->w.keys);
            steps_left = n;
            armed = &faults[i];
            webapp_ask(t, q, &res);
            fired = armed == NULL;
            armed = NULL;
            check_answer(&res, holds, &faults[i], n);
            response_fini(&res);
        }
        assert_true(n > 3); /* steps did fail */
    }
}

static void fill_index(struct webapp *t)
{
    struct passage_text p = {
        "", "The Halden lighthouse was built in 1874 by Marit Solheim.", 0, "",
        ""};
    struct page page = {.url = "https://a.example/halden",
                        .host = "a.example",
                        .title = "Halden lighthouse",
                        .lang = "en",
                        .favicon = "",
                        .day = 19000,
                        .fetched_ms = 1,
                        .etag = "",
                        .last_modified = ""};
    int64_t id;

    must(page_put(t->w.store.index, &page, &p, 1, &id, &ec));
}

static void a_request_is_answered_or_we_are_to_blame(void **state)
{
    static const char *const bodies[] = {
        "{\"q\": \"When was the Halden lighthouse built?\", \"depth\":"
        " \"standard\", \"outputType\": \"sourcedAnswer\","
        " \"includeImages\": true}",
        "{\"q\": \"Halden lighthouse\", \"depth\": \"deep\","
        " \"outputType\": \"searchResults\", \"fromDate\": \"2020-01-01\"}",
        "{\"q\": \"When was the Halden lighthouse built?\", \"depth\":"
        " \"fast\", \"outputType\": \"structured\", \"structuredOutputSchema\":"
        " {\"type\": \"object\", \"properties\": {\"yearBuilt\": {\"type\":"
        " \"integer\"}}, \"required\": [\"yearBuilt\"]}}"};
    struct webapp t;

    (void)state;
    webapp_open(&t, NULL);
    fill_index(&t);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct ask q = {.method = "POST",
                        .path = "/v1/search",
                        .authorization = t.bearer,
                        .content_type = "application/json",
                        .body = bodies[i]};

        torture_request(&t, &q, "1874");
    }
    webapp_close(&t);
}

static void tasks_are_told_or_we_are_to_blame(void **state)
{
    struct webapp t;
    struct ask create = {
        .method = "POST",
        .path = "/v1/research",
        .content_type = "application/json",
        .body = "{\"q\": \"x\", \"outputType\": \"sourcedAnswer\"}"};
    struct ask list_them = {.method = "GET", .path = "/v1/research"};
    struct task t1;
    char path[64];
    struct ask get_one = {.method = "GET", .path = path};

    (void)state;
    webapp_open(&t, NULL);
    create.authorization = t.bearer;
    list_them.authorization = t.bearer;
    get_one.authorization = t.bearer;
    must(task_create(t.w.store.state, t.account, "{\"q\":\"x\"}", 10, 1000,
                     &t.w.arena, &t1, &ec));
    snprintf(path, sizeof path, "/v1/research/%s", t1.id);
    torture_request(&t, &create, "\"pending\"");
    torture_request(&t, &list_them, "\"total\"");
    torture_request(&t, &get_one, "\"pending\"");
    webapp_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_is_created_whole_or_not),
        cmocka_unit_test(a_task_comes_with_its_key_and_callback_or_not),
        cmocka_unit_test(a_repeated_order_is_found_or_an_error),
        cmocka_unit_test(a_task_is_cancelled_whole_or_not),
        cmocka_unit_test(a_task_is_removed_whole_or_not),
        cmocka_unit_test(a_callback_is_taken_whole_or_not),
        cmocka_unit_test(a_callback_is_settled_or_not),
        cmocka_unit_test(a_task_is_claimed_whole_or_not),
        cmocka_unit_test(giving_up_is_counted_with_the_claim),
        cmocka_unit_test(a_task_is_finished_whole_or_not),
        cmocka_unit_test(a_step_is_stored_with_its_evidence_or_not),
        cmocka_unit_test(a_list_is_complete_or_an_error),
        cmocka_unit_test(a_task_that_cannot_be_read_is_not_unknown),
        cmocka_unit_test(a_key_is_made_whole_or_not),
        cmocka_unit_test(a_key_that_cannot_be_read_is_not_refused),
        cmocka_unit_test(an_account_is_made_whole_or_not),
        cmocka_unit_test(a_sign_in_is_made_whole_or_not),
        cmocka_unit_test(a_sign_in_that_cannot_be_read_is_not_refused),
        cmocka_unit_test(a_password_ends_the_sign_ins_or_is_not_set),
        cmocka_unit_test(a_guess_counts_on_both_sides_or_is_not_tried),
        cmocka_unit_test(a_crawl_is_noted_whole_or_not),
        cmocka_unit_test(a_batch_of_tasks_is_accepted_whole_or_not),
        cmocka_unit_test(a_page_is_put_whole_or_not),
        cmocka_unit_test(a_page_is_replaced_whole_or_not),
        cmocka_unit_test(a_batch_is_put_whole_or_not),
        cmocka_unit_test(a_batch_with_a_failed_page_is_not_committed),
        cmocka_unit_test(pages_are_removed_whole_or_not),
        cmocka_unit_test(a_query_is_answered_whole_or_an_error),
        cmocka_unit_test(a_request_is_answered_or_we_are_to_blame),
        cmocka_unit_test(tasks_are_told_or_we_are_to_blame),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
