/* The life of a task, the list and the notes of helpers, over real files. */
#include "store/task.h"

#include "base/date.h"
#include "store/account.h"
#include "store/sql.h"
#include "state_db.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[64], path[96];
static struct db_file *file;
static struct db *db;
static struct arena arena;
static struct errctx ec;
static int64_t ada, bob;

static int setup(void **state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/cited-task-XXXXXX");
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/state.db", dir);
    arena_init(&arena, 512 << 20);
    if (state_db_new(path, &file) != ERR_OK ||
        db_open(file, &db, &ec) != ERR_OK ||
        account_create(db, "ada@x", 1, &ada, &ec) != ERR_OK ||
        account_create(db, "bob@x", 1, &bob, &ec) != ERR_OK)
        return -1;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    db_close(db);
    db_file_free(file);
    arena_fini(&arena);
    unlink(path);
    return rmdir(dir);
}

static struct task make(int64_t account, int64_t now)
{
    struct task t;

    if (task_create(db, account, "{\"q\":\"x\"}", 100000, now, &arena, &t,
                    &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    return t;
}

static struct task get(const char *id)
{
    struct task t;

    if (task_get(db, 0, id, &arena, &t, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    return t;
}

/* Given back twice, or begun a second ago, is enough. */
static const struct task_terms terms = {1000, 2, 1000};

static enum err release(const struct task_lease *l, const char *why,
                        int64_t now)
{
    return task_release(db, l, why, &terms, now, &ec);
}

static enum err claim(int64_t now, struct task_lease *l)
{
    return task_claim(db, NULL, 1000, 3, now, &arena, l, &ec);
}

static struct task_lease claimed(int64_t now)
{
    struct task_lease l;

    if (claim(now, &l) != ERR_OK)
        fail_msg("%s", ec.msg);
    return l;
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

/* Counters equal what counting finds. */
static void check_counters(void)
{
    assert_int_equal(
        number("SELECT count(*) FROM task_count c WHERE total <>"
               " (SELECT count(*) FROM task t WHERE t.account = c.account)"
               " OR open <> (SELECT count(*) FROM task t"
               " WHERE t.account = c.account AND state < 2)"),
        0);
}

static void a_new_task_is_pending_and_readable(void **state)
{
    struct task t = make(ada, 5000), got;

    (void)state;
    assert_true(id_is_uuid(t.id));
    got = get(t.id);
    assert_string_equal(got.id, t.id);
    assert_int_equal(got.account, ada);
    assert_int_equal(got.state, TASK_PENDING);
    assert_string_equal(got.input, "{\"q\":\"x\"}");
    assert_null(got.output);
    assert_null(got.error);
    assert_int_equal(got.created_ms, 5000);
    assert_int_equal(got.updated_ms, 5000);
    assert_int_equal(got.attempt, 0);
    assert_string_equal(task_state_name(TASK_PROCESSING), "processing");
}

static void a_kept_task_is_done_and_can_go(void **state)
{
    char id[UUID_LEN + 1];
    struct task_page page;
    struct task t;

    (void)state;
    assert_int_equal(task_keep(db, ada, TASK_SEARCH, "{\"q\":\"x\"}", "{}",
                               1000, id, &ec),
                     ERR_OK);
    assert_int_equal(task_get(db, ada, id, &arena, &t, &ec), ERR_OK);
    assert_int_equal(t.state, TASK_COMPLETED);
    assert_int_equal(t.type, TASK_SEARCH);
    assert_string_equal(t.output, "{}");
    assert_int_equal(task_list(db, ada, TASK_BY_CREATED, false, 1, 10, &arena,
                               &page, &ec),
                     ERR_OK);
    assert_int_equal(page.total, 0);
    assert_int_equal(task_drop(db, bob, id, 1001, &arena, &t, &ec),
                     ERR_NOT_FOUND);
    assert_int_equal(task_drop(db, ada, id, 1001, &arena, &t, &ec), ERR_OK);
    assert_int_equal(task_get(db, ada, id, &arena, &t, &ec), ERR_NOT_FOUND);
    assert_int_equal(task_list(db, ada, TASK_BY_CREATED, false, 1, 10, &arena,
                               &page, &ec),
                     ERR_OK);
    assert_int_equal(page.total, 0);
}

static void a_foreign_task_is_not_found(void **state)
{
    struct task t = make(ada, 1), got;

    (void)state;
    assert_int_equal(task_get(db, ada, t.id, &arena, &got, &ec), ERR_OK);
    assert_int_equal(task_get(db, bob, t.id, &arena, &got, &ec), ERR_NOT_FOUND);
    assert_int_equal(task_get(db, ada, "nonsense", &arena, &got, &ec),
                     ERR_NOT_FOUND);
}

static void the_quota_counts_unfinished_tasks(void **state)
{
    struct task t;
    struct task_lease l;

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(task_create(db, ada, "{}", 3, 1, &arena, &t, &ec),
                         ERR_OK);
    assert_int_equal(task_create(db, ada, "{}", 3, 1, &arena, &t, &ec),
                     ERR_LIMIT);
    assert_int_equal(task_create(db, bob, "{}", 3, 1, &arena, &t, &ec), ERR_OK);
    assert_int_equal(task_create(db, bob, "{}", 0, 1, &arena, &t, &ec),
                     ERR_LIMIT);
    l = claimed(2);
    assert_int_equal(task_finish(db, &l, "{}", 3, &ec), ERR_OK);
    assert_int_equal(task_create(db, ada, "{}", 3, 4, &arena, &t, &ec), ERR_OK);
    check_counters();
}

static void a_task_of_nobody_is_refused(void **state)
{
    struct task t;

    (void)state;
    assert_int_equal(task_create(db, 777, "{}", 3, 1, &arena, &t, &ec),
                     ERR_INTERNAL);
    assert_int_equal(number("SELECT count(*) FROM task"), 0);
    assert_int_equal(number("SELECT count(*) FROM task_count"), 0);
}

static void claims_come_in_order_of_arrival(void **state)
{
    struct task a = make(ada, 9), b = make(bob, 3);
    struct task_lease l = claimed(10);

    (void)state;
    assert_string_equal(l.task.id, a.id);
    assert_int_equal(l.task.state, TASK_PROCESSING);
    assert_int_equal(l.task.attempt, 1);
    assert_int_equal(l.task.updated_ms, 10);
    assert_string_equal(l.task.input, "{\"q\":\"x\"}");
    l = claimed(11);
    assert_string_equal(l.task.id, b.id);
    assert_int_equal(claim(12, &l), ERR_NOT_FOUND);
}

static void one_task_may_be_claimed_by_id(void **state)
{
    struct task a = make(ada, 1), b = make(ada, 2);
    struct task_lease l;
    char upper[UUID_LEN + 1];

    (void)state;
    for (size_t i = 0; i < sizeof upper; i++)
        upper[i] = b.id[i] >= 'a' ? (char)(b.id[i] - 32) : b.id[i];
    assert_int_equal(task_claim(db, upper, 1000, 3, 10, &arena, &l, &ec),
                     ERR_OK);
    assert_string_equal(l.task.id, b.id);
    assert_int_equal(task_claim(db, b.id, 1000, 3, 10, &arena, &l, &ec),
                     ERR_NOT_FOUND);
    assert_int_equal(get(a.id).state, TASK_PENDING);
}

static void a_task_is_written_once(void **state)
{
    struct task a = make(ada, 1);
    struct task_lease l = claimed(10);
    struct task got;

    (void)state;
    assert_int_equal(task_finish(db, &l, "{\"a\":1}", 20, &ec), ERR_OK);
    got = get(a.id);
    assert_int_equal(got.state, TASK_COMPLETED);
    assert_string_equal(got.output, "{\"a\":1}");
    assert_null(got.error);
    assert_int_equal(got.updated_ms, 20);
    assert_int_equal(task_finish(db, &l, "{}", 30, &ec), ERR_LEASE_LOST);
    assert_int_equal(task_fail(db, &l, "no", 30, &ec), ERR_LEASE_LOST);
    assert_int_equal(task_beat(db, &l, 5, 30, &ec), ERR_LEASE_LOST);
    assert_int_equal(release(&l, "no", 30), ERR_LEASE_LOST);
    assert_string_equal(get(a.id).output, "{\"a\":1}");
    check_counters();
}

static void a_failed_task_has_a_message_and_no_output(void **state)
{
    struct task a = make(ada, 1);
    struct task_lease l = claimed(10);

    (void)state;
    assert_int_equal(task_fail(db, &l, "nothing found", 20, &ec), ERR_OK);
    assert_int_equal(get(a.id).state, TASK_FAILED);
    assert_string_equal(get(a.id).error, "nothing found");
    assert_null(get(a.id).output);
    check_counters();
}

static void an_expired_lease_goes_to_another_helper(void **state)
{
    struct task a = make(ada, 1);
    struct task_lease first = claimed(10), second;

    (void)state;
    assert_int_equal(claim(1009, &second), ERR_NOT_FOUND);
    assert_int_equal(task_beat(db, &first, 1000, 900, &ec), ERR_OK);
    assert_int_equal(claim(1899, &second), ERR_NOT_FOUND);
    second = claimed(1900);
    assert_string_equal(second.task.id, a.id);
    assert_string_not_equal(second.token, first.token);
    assert_int_equal(second.task.attempt, 2);
    assert_int_equal(second.task.updated_ms, 10); /* state did not change */
    assert_int_equal(task_beat(db, &first, 1, 1901, &ec), ERR_LEASE_LOST);
    assert_int_equal(task_finish(db, &first, "{}", 1901, &ec), ERR_LEASE_LOST);
    assert_int_equal(task_finish(db, &second, "{}", 1902, &ec), ERR_OK);
}

static void a_late_holder_may_finish_while_nobody_took_over(void **state)
{
    struct task_lease l;

    (void)state;
    make(ada, 1);
    l = claimed(10);
    assert_int_equal(task_finish(db, &l, "{}", 999999, &ec), ERR_OK);
}

static void a_lease_no_helper_can_hold_is_none(void **state)
{
    enum { LATER = 2 * 60 * 60 * 1000 };
    struct task a = make(ada, 1);
    struct task_lease l = claimed(LATER), again;
    struct task_work w;

    (void)state;
    /* The clock is set back; at first not by enough to tell. */
    assert_int_equal(claim(LATER - 1000, &again), ERR_NOT_FOUND);
    assert_int_equal(task_claim(db, a.id, 1000, 3, LATER - 1000, &arena, &again,
                                &ec),
                     ERR_NOT_FOUND);
    assert_int_equal(task_work(db, 1000, LATER - 1000, &w, &ec), ERR_OK);
    assert_int_equal(w.waiting, 0);
    assert_int_equal(w.leased, 1);
    assert_int_equal(task_work(db, 1000, LATER - 1001, &w, &ec), ERR_OK);
    assert_int_equal(w.waiting, 1);
    assert_int_equal(w.leased, 0);
    assert_int_equal(claim(10, &again), ERR_OK);
    assert_string_equal(again.task.id, a.id);
    /* The helper that held it was alive: it does nothing twice. */
    assert_int_equal(task_beat(db, &l, 1000, 11, &ec), ERR_LEASE_LOST);
    assert_int_equal(task_finish(db, &l, "{}", 11, &ec), ERR_LEASE_LOST);
    assert_int_equal(task_finish(db, &again, "{}", 12, &ec), ERR_OK);
    check_counters();
}

static void a_released_task_waits_until_it_is_due(void **state)
{
    static const struct task_terms slow = {60000, 9, 1000000000};
    static const int64_t waits[] = {2000, 8000, 32000, 120000, 120000};
    struct task a = make(ada, 1);
    struct task_lease l = claimed(10);
    int64_t now = 20;

    (void)state;
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        assert_int_equal(task_release(db, &l, "network down", &slow, now, &ec),
                         ERR_OK);
        assert_int_equal(get(a.id).state, TASK_PROCESSING);
        assert_int_equal(get(a.id).updated_ms, 10);
        assert_int_equal(task_beat(db, &l, 10, now, &ec), ERR_LEASE_LOST);
        assert_int_equal(release(&l, "again", now), ERR_LEASE_LOST);
        now += waits[i];
        assert_int_equal(task_claim(db, NULL, 60000, 3, now - 1, &arena, &l,
                                    &ec),
                         ERR_NOT_FOUND);
        assert_int_equal(task_claim(db, NULL, 60000, 3, now, &arena, &l, &ec),
                         ERR_OK);
        assert_string_equal(l.task.id, a.id);
        /* Something was heard of it: not one of the attempts. */
        assert_int_equal(l.task.attempt, 1);
        assert_int_equal(l.task.faults, i + 1);
    }
    /* Who names it need not wait. */
    assert_int_equal(task_release(db, &l, "x", &slow, now, &ec), ERR_OK);
    assert_int_equal(
        task_claim(db, a.id, 60000, 3, now + 1, &arena, &l, &ec), ERR_OK);
    /* Nor anybody when the clock is set back meanwhile. */
    assert_int_equal(task_release(db, &l, "x", &slow, now + 10000000, &ec),
                     ERR_OK);
    assert_int_equal(task_claim(db, NULL, 60000, 3, now, &arena, &l, &ec),
                     ERR_OK);
    assert_int_equal(task_finish(db, &l, "{}", now, &ec), ERR_OK);
}

static void a_task_put_back_was_not_tried(void **state)
{
    struct task a = make(ada, 1);
    struct task_lease l = claimed(10);

    (void)state;
    for (int i = 0; i < 9; i++) {
        assert_int_equal(task_put_back(db, &l, &ec), ERR_OK);
        assert_int_equal(task_put_back(db, &l, &ec), ERR_LEASE_LOST);
        assert_int_equal(get(a.id).state, TASK_PROCESSING);
        l = claimed(11);
        assert_int_equal(l.task.attempt, 1);
        assert_int_equal(l.task.faults, 0);
    }
}

/* Given back often enough, but not for long enough, and the reverse. */
static void a_task_fails_when_both_its_tries_and_its_time_are_over(void **state)
{
    struct task a = make(ada, 1);
    struct task_lease l = claimed(10);

    (void)state;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(release(&l, "network down", 20), ERR_OK);
        assert_int_equal(get(a.id).state, TASK_PROCESSING);
        assert_int_equal(task_claim(db, a.id, 1000, 3, 20, &arena, &l, &ec),
                         ERR_OK);
    }
    assert_int_equal(l.task.faults, 4);
    assert_int_equal(release(&l, "still down", 1010), ERR_OK);
    assert_int_equal(get(a.id).state, TASK_FAILED);
    assert_int_equal(get(a.id).updated_ms, 1010);
    assert_string_equal(get(a.id).error, "gave up after 5 attempts: still down");
    make(ada, 1);
    l = claimed(20);
    assert_int_equal(release(&l, "network down", 5000), ERR_OK);
    assert_int_equal(get(l.task.id).state, TASK_PROCESSING);
    l = claimed(7000);
    assert_int_equal(release(&l, "still down", 7001), ERR_OK);
    assert_int_equal(get(l.task.id).state, TASK_FAILED);
    check_counters();
}

static void a_stored_step_gives_the_attempts_back(void **state)
{
    struct task t = make(ada, 1);
    struct task_lease l;

    (void)state;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(task_claim(db, t.id, 10, 2, 1000 + 100 * i, &arena,
                                    &l, &ec),
                         ERR_OK);
        assert_int_equal(task_add_step(db, &l, "search", "{}", NULL, 0, 10,
                                       1000 + 100 * i, &ec),
                         ERR_OK);
    }
    assert_int_equal(get(t.id).state, TASK_PROCESSING);
}

static void used_up_attempts_end_a_task(void **state)
{
    struct task a = make(ada, 1), b = make(ada, 1), c = make(ada, 1);
    struct task_lease l;

    (void)state;
    /* The helpers are killed: no message. c has attempts left. */
    for (int i = 0; i < 3; i++)
        assert_int_equal(
            task_claim(db, a.id, 5, 3, 10 + 5 * i, &arena, &l, &ec), ERR_OK);
    assert_int_equal(task_claim(db, b.id, 5, 1, 20, &arena, &l, &ec), ERR_OK);
    assert_int_equal(task_claim(db, NULL, 5, 1, 50, &arena, &l, &ec), ERR_OK);
    assert_string_equal(l.task.id, c.id);
    assert_int_equal(get(a.id).state, TASK_FAILED);
    assert_int_equal(get(a.id).updated_ms, 50);
    assert_string_equal(get(a.id).error, "gave up after 3 attempts: the helper"
                                         " stopped unexpectedly");
    assert_int_equal(get(b.id).state, TASK_FAILED);
    assert_string_equal(get(b.id).error, "gave up after 1 attempt: the helper"
                                         " stopped unexpectedly");
    assert_int_equal(get(b.id).attempt, 1);
    check_counters();
}

/* With nothing else to claim, giving up is committed all the same. */
static void giving_up_alone_is_not_lost(void **state)
{
    struct task a = make(ada, 1);
    struct task_lease l = claimed(10);

    (void)state;
    assert_int_equal(task_claim(db, NULL, 1000, 1, 1010, &arena, &l, &ec),
                     ERR_NOT_FOUND);
    assert_int_equal(get(a.id).state, TASK_FAILED);
}

/* --- turns ------------------------------------------------------------- */

static int64_t owner_of_next(int64_t now)
{
    return claimed(now).task.account;
}

static void accounts_take_turns(void **state)
{
    struct task_lease l;
    int64_t eve = 0;

    (void)state;
    assert_int_equal(account_create(db, "eve@x", 1, &eve, &ec), ERR_OK);
    for (int i = 0; i < 50; i++)
        make(ada, 1);
    for (int i = 0; i < 5; i++)
        assert_int_equal(owner_of_next(10), ada);
    /* Who comes is next, whatever the other has waiting. */
    for (int i = 0; i < 3; i++)
        make(bob, 2);
    assert_int_equal(owner_of_next(10), bob);
    assert_int_equal(owner_of_next(10), ada);
    make(eve, 3);
    assert_int_equal(owner_of_next(10), eve);
    assert_int_equal(owner_of_next(10), bob);
    assert_int_equal(owner_of_next(10), ada);
    /* To have had nothing for a while is no credit: one turn each. */
    for (int i = 0; i < 3; i++)
        make(eve, 4);
    assert_int_equal(owner_of_next(10), eve);
    assert_int_equal(owner_of_next(10), bob);
    assert_int_equal(owner_of_next(10), ada);
    assert_int_equal(owner_of_next(10), eve);
    assert_int_equal(owner_of_next(10), ada);
    assert_int_equal(owner_of_next(10), eve);
    assert_int_equal(owner_of_next(10), ada);
    assert_int_equal(owner_of_next(10), ada);
    /* What a helper left behind takes its account's turn too. */
    make(bob, 5);
    assert_int_equal(owner_of_next(5000), bob);
    for (int i = 0; i < 4; i++) {
        int64_t next[] = {eve, ada, bob, eve};

        l = claimed(5000);
        assert_int_equal(l.task.account, next[i]);
        assert_int_equal(l.task.attempt, 2);
    }
}

static void of_an_accounts_tasks_the_oldest_is_next(void **state)
{
    struct task t[4];
    struct task_lease l;

    (void)state;
    for (int i = 0; i < 4; i++)
        t[i] = make(ada, 1);
    assert_int_equal(task_claim(db, t[2].id, 1000, 3, 10, &arena, &l, &ec),
                     ERR_OK);
    assert_string_equal(claimed(11).task.id, t[0].id);
    /* 2 was left behind, and is older than 3, but not than 1 */
    assert_string_equal(claimed(1010).task.id, t[1].id);
    assert_string_equal(claimed(1010).task.id, t[2].id);
    assert_string_equal(claimed(1010).task.id, t[3].id);
    assert_string_equal(claimed(1011).task.id, t[0].id);
}

static void work_is_counted(void **state)
{
    struct task_work w;
    struct task_lease l;

    (void)state;
    assert_int_equal(task_work(db, 1000, 5, &w, &ec), ERR_OK);
    assert_int_equal(w.waiting + w.leased, 0);
    for (int i = 0; i < 4; i++)
        make(ada, 1);
    l = claimed(10); /* until 1010 */
    claimed(500);    /* until 1500 */
    assert_int_equal(task_work(db, 1000, 1009, &w, &ec), ERR_OK);
    assert_int_equal(w.waiting, 2);
    assert_int_equal(w.leased, 2);
    assert_int_equal(task_work(db, 1000, 1010, &w, &ec), ERR_OK);
    assert_int_equal(w.waiting, 3);
    assert_int_equal(w.leased, 1);
    assert_int_equal(task_finish(db, &l, "{}", 1011, &ec), ERR_OK);
    assert_int_equal(task_work(db, 1000, 1012, &w, &ec), ERR_OK);
    assert_int_equal(w.waiting, 2);
}

static void too_much_text_is_refused(void **state)
{
    size_t n = (16 << 20) + 1;
    char *big = malloc(n + 1);
    struct task t;
    struct task_lease l;

    (void)state;
    assert_non_null(big);
    memset(big, 'x', n);
    big[n] = '\0';
    assert_int_equal(task_create(db, ada, big, 9, 1, &arena, &t, &ec),
                     ERR_TOO_LARGE);
    make(ada, 1);
    l = claimed(2);
    assert_int_equal(task_finish(db, &l, big, 3, &ec), ERR_TOO_LARGE);
    big[n - 1] = '\0';
    assert_int_equal(task_finish(db, &l, big, 3, &ec), ERR_OK);
    assert_int_equal(strlen(get(l.task.id).output), n - 1);
    free(big);
}

/* --- steps ------------------------------------------------------------- */

static void steps_and_evidence_come_back_in_order(void **state)
{
    struct evidence ev[2] = {{.sub = 1,
                              .page = 7,
                              .passage = 70,
                              .url = "https://a/",
                              .title = "A",
                              .favicon = "",
                              .heading = "H > I",
                              .text = "verbatim \xE2\x82\xAC",
                              .start = 12,
                              .day = 19000,
                              .score = 1.5},
                             {.page = 8,
                              .passage = 80,
                              .url = "https://b/",
                              .title = "B",
                              .favicon = "f",
                              .heading = "",
                              .text = "t",
                              .day = DAY_NONE}};
    struct task_lease l;
    struct task_step *steps;
    struct evidence *got;
    size_t n;

    (void)state;
    make(ada, 1);
    l = claimed(10);
    assert_int_equal(
        task_add_step(db, &l, "plan", "{}", NULL, 0, 1000, 20, &ec), ERR_OK);
    assert_int_equal(
        task_add_step(db, &l, "search", "{\"n\":1}", ev, 2, 1000, 30, &ec),
        ERR_OK);
    assert_int_equal(
        task_add_step(db, &l, "search", "{\"n\":2}", ev, 1, 1000, 40, &ec),
        ERR_OK);
    assert_int_equal(task_steps(db, l.task.id, &arena, &steps, &n, &ec),
                     ERR_OK);
    assert_int_equal(n, 3);
    assert_int_equal(steps[2].n, 2);
    assert_int_equal(steps[1].at_ms, 30);
    assert_string_equal(steps[0].kind, "plan");
    assert_string_equal(steps[2].data, "{\"n\":2}");
    assert_int_equal(task_evidence(db, l.task.id, &arena, &got, &n, &ec),
                     ERR_OK);
    assert_int_equal(n, 3);
    assert_int_equal(got[2].n, 2);
    assert_int_equal(got[0].sub, 1);
    assert_int_equal(got[0].passage, 70);
    assert_int_equal(got[0].start, 12);
    assert_int_equal(got[0].day, 19000);
    assert_string_equal(got[0].text, "verbatim \xE2\x82\xAC");
    assert_string_equal(got[0].heading, "H > I");
    assert_int_equal(got[1].day, DAY_NONE);
    assert_true(got[0].score > 1.4 && got[0].score < 1.6);
    assert_int_equal(task_steps(db, "nonsense", &arena, &steps, &n, &ec),
                     ERR_NOT_FOUND);
}

static void a_step_holds_the_lease_and_needs_it(void **state)
{
    struct task_lease first, second;
    struct task_step *steps;
    size_t n;

    (void)state;
    make(ada, 1);
    first = claimed(10);
    assert_int_equal(
        task_add_step(db, &first, "plan", "{}", NULL, 0, 1000, 900, &ec),
        ERR_OK);
    assert_int_equal(claim(1899, &second), ERR_NOT_FOUND);
    second = claimed(1900);
    assert_int_equal(
        task_add_step(db, &first, "gap", "{}", NULL, 0, 1000, 1901, &ec),
        ERR_LEASE_LOST);
    assert_int_equal(
        task_add_step(db, &second, "gap", "{}", NULL, 0, 1000, 1902, &ec),
        ERR_OK);
    assert_int_equal(task_steps(db, first.task.id, &arena, &steps, &n, &ec),
                     ERR_OK);
    assert_int_equal(n, 2);
}

/* --- the list ---------------------------------------------------------- */

static enum task_sort oracle_sort;

static int by_oracle(const void *va, const void *vb)
{
    const struct task *a = va, *b = vb;
    int64_t x = a->created_ms, y = b->created_ms;

    if (oracle_sort == TASK_BY_UPDATED) {
        x = a->updated_ms;
        y = b->updated_ms;
    }
    if (x != y)
        return x < y ? -1 : 1;
    return strcmp(a->id, b->id);
}

/* Every page of every size against sorting everything. */
static void check_pages(struct task *all, int64_t total, enum task_sort sort,
                        bool descending, int64_t size)
{
    int64_t pages = (total + size - 1) / size;

    oracle_sort = sort;
    qsort(all, (size_t)total, sizeof *all, by_oracle);
    for (int64_t page = 1; page <= pages + 1; page++) {
        struct task_page p;
        int64_t first = (page - 1) * size;

        assert_int_equal(
            task_list(db, ada, sort, descending, page, size, &arena, &p, &ec),
            ERR_OK);
        assert_int_equal(p.total, total);
        assert_int_equal(p.count, page > pages           ? 0
                                  : total - first < size ? total - first
                                                         : size);
        for (size_t i = 0; i < p.count; i++) {
            int64_t at = first + (int64_t)i;

            if (descending)
                at = total - 1 - at;
            assert_string_equal(p.tasks[i].id, all[at].id);
        }
    }
}

static void every_page_of_every_order_is_right(void **state)
{
    enum { TOTAL = 83 };
    static const int64_t sizes[] = {1, 2, 7, 10, 82, 83, 84, 100};
    struct task all[TOTAL];

    (void)state;
    for (int i = 0; i < TOTAL; i++) {
        all[i] = make(ada, 100 + i * 7 % 5); /* many ties */
        if (i % 3 == 0)
            make(bob, 100);
    }
    for (int i = 0; i < 20; i++)
        claimed(200 + i % 3);
    for (int i = 0; i < TOTAL; i++)
        all[i] = get(all[i].id);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int order = 0; order < 4; order++)
            check_pages(all, TOTAL,
                        order & 1 ? TASK_BY_UPDATED : TASK_BY_CREATED,
                        order & 2, sizes[i]);
}

static void an_empty_list_is_empty(void **state)
{
    struct task_page p;

    (void)state;
    assert_int_equal(
        task_list(db, ada, TASK_BY_CREATED, false, 1, 10, &arena, &p, &ec),
        ERR_OK);
    assert_int_equal(p.total, 0);
    assert_int_equal(p.count, 0);
    make(ada, 1);
    assert_int_equal(task_list(db, ada, TASK_BY_CREATED, false, INT64_MAX / 20,
                               10, &arena, &p, &ec),
                     ERR_OK);
    assert_int_equal(p.total, 1);
    assert_int_equal(p.count, 0);
    assert_int_equal(
        task_list(db, ada, TASK_BY_CREATED, false, 0, 10, &arena, &p, &ec),
        ERR_INVALID);
}

/* --- several processes ------------------------------------------------- */

/* Claim until nothing is left, finish each with this process's name. */
static int work_off(const char *name)
{
    struct db_file *f = NULL;
    struct db *mine = NULL;
    struct arena a;
    int done = 0;

    arena_init(&a, 1 << 20);
    if (state_db_again(path, &f) != ERR_OK ||
        db_open(f, &mine, &ec) != ERR_OK)
        return -1;
    for (;;) {
        struct task_lease l;
        enum err e = task_claim(mine, NULL, 60000, 3, 10, &a, &l, &ec);

        if (e == ERR_NOT_FOUND)
            break;
        if (e != ERR_OK || l.task.attempt != 1 ||
            task_finish(mine, &l, name, 20, &ec) != ERR_OK) {
            fprintf(stderr, "%s\n", ec.msg);
            return -1;
        }
        arena_reset(&a);
        done++;
    }
    arena_fini(&a);
    db_close(mine);
    db_file_free(f);
    return done;
}

static void processes_share_tasks_without_claiming_one_twice(void **state)
{
    enum { TASKS = 400, CHILDREN = 3 };
    static const char *const names[CHILDREN] = {"\"a\"", "\"b\"", "\"c\""};
    int out[2];
    int sum = 0;

    (void)state;
    for (int i = 0; i < TASKS; i++)
        make(ada, 1);
    assert_int_equal(pipe(out), 0);
    for (int i = 0; i < CHILDREN; i++)
        if (fork() == 0) {
            int done = work_off(names[i]);

            _exit(write(out[1], &done, sizeof done) != sizeof done);
        }
    for (int i = 0; i < CHILDREN; i++) {
        int done = -1, status = 1;

        wait(&status);
        assert_int_equal(status, 0);
        assert_int_equal(read(out[0], &done, sizeof done), sizeof done);
        assert_true(done >= 0);
        sum += done;
    }
    close(out[0]);
    close(out[1]);
    assert_int_equal(sum, TASKS);
    assert_int_equal(number("SELECT count(*) FROM task WHERE state = 2"
                            " AND attempt = 1"),
                     TASKS);
    check_counters();
}

/* Killed at any moment, a helper leaves nothing half done. */
static void a_killed_process_loses_nothing_it_was_told(void **state)
{
    enum { TASKS = 200 };
    pid_t child;
    int status, left;

    (void)state;
    for (int i = 0; i < TASKS; i++)
        make(ada, 1);
    for (int round = 0; round < 5; round++) {
        bool gone = false;

        child = fork();
        if (child == 0)
            _exit(work_off("\"killed\"") < 0);
        while (number("SELECT count(*) FROM task WHERE state = 2") <
                   (round + 1) * TASKS / 8 &&
               !gone)
            gone = waitpid(child, &status, WNOHANG) == child;
        if (!gone) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
        }
        check_counters();
    }
    left = (int)number("SELECT count(*) FROM task WHERE state < 2"
                       " AND lease_until = 0");
    assert_int_equal(work_off("\"rest\""), left);
    assert_int_equal(number("SELECT count(*) FROM task WHERE state = 2"
                            " AND output IS NULL"),
                     0);
    check_counters();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(a_new_task_is_pending_and_readable),
        T(a_kept_task_is_done_and_can_go),
        T(a_foreign_task_is_not_found),
        T(the_quota_counts_unfinished_tasks),
        T(a_task_of_nobody_is_refused),
        T(claims_come_in_order_of_arrival),
        T(one_task_may_be_claimed_by_id),
        T(a_task_is_written_once),
        T(a_failed_task_has_a_message_and_no_output),
        T(an_expired_lease_goes_to_another_helper),
        T(a_late_holder_may_finish_while_nobody_took_over),
        T(a_lease_no_helper_can_hold_is_none),
        T(a_released_task_waits_until_it_is_due),
        T(a_task_put_back_was_not_tried),
        T(a_task_fails_when_both_its_tries_and_its_time_are_over),
        T(accounts_take_turns),
        T(of_an_accounts_tasks_the_oldest_is_next),
        T(a_stored_step_gives_the_attempts_back),
        T(used_up_attempts_end_a_task),
        T(giving_up_alone_is_not_lost),
        T(work_is_counted),
        T(too_much_text_is_refused),
        T(steps_and_evidence_come_back_in_order),
        T(a_step_holds_the_lease_and_needs_it),
        T(every_page_of_every_order_is_right),
        T(an_empty_list_is_empty),
        T(processes_share_tasks_without_claiming_one_twice),
        T(a_killed_process_loses_nothing_it_was_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
