/* Rows of crawls over a real database. */
#include "store/crawl_job.h"

#include "state_db.h"
#include "store/account.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dir[64];
static struct db_file *file;
static struct db *db;
static struct arena arena;
static struct errctx ec;
static int64_t ada;

static int setup(void **state)
{
    char path[96];

    (void)state;
    snprintf(dir, sizeof dir, "/tmp/cited-crawls-XXXXXX");
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/state.db", dir);
    arena_init(&arena, 16 << 20);
    if (state_db_new(path, &file) != ERR_OK ||
        db_open(file, &db, &ec) != ERR_OK)
        return -1;
    return account_create(db, "ada@x", 1, &ada, &ec) == ERR_OK ? 0 : -1;
}

static int teardown(void **state)
{
    char path[96];

    (void)state;
    db_close(db);
    db_file_free(file);
    arena_fini(&arena);
    snprintf(path, sizeof path, "%s/state.db", dir);
    unlink(path);
    return rmdir(dir);
}

static enum err begin(const char *url, int64_t now, struct crawl_job *j)
{
    const struct crawl_order order = {url, 77, 250};

    return crawl_job_create(db, ada, &order, 2, now, &arena, j, &ec);
}

static const char *begun(const char *url, int64_t now)
{
    struct crawl_job j;

    assert_int_equal(begin(url, now, &j), ERR_OK);
    return j.id;
}

static struct crawl_job got(const char *id)
{
    struct crawl_job j;

    assert_int_equal(crawl_job_get(db, id, &arena, &j, &ec), ERR_OK);
    return j;
}

static enum err take(int64_t now, struct crawl_job *j)
{
    return crawl_job_take(db, 3, now, &arena, j, &ec);
}

static void taken(const char *id, int64_t now)
{
    struct crawl_job j;

    assert_int_equal(take(now, &j), ERR_OK);
    assert_string_equal(j.id, id);
}

static enum err claim(const char *id, int64_t now, struct crawl_lease *l)
{
    return crawl_job_claim(db, id, now, &arena, l, &ec);
}

/* As its helper has it. */
static struct crawl_lease held(const char *id, int64_t now)
{
    struct crawl_lease l;

    taken(id, now);
    assert_int_equal(claim(id, now, &l), ERR_OK);
    return l;
}

static const struct crawl_count some = {1, 2, 3, 4}, all = {9, 2, 3, 0};

static void a_crawl_is_followed_to_its_end(void **state)
{
    const char *id = begun("http://a/", 1000);
    struct crawl_job j = got(id);
    struct crawl_lease l;

    (void)state;
    assert_int_equal(j.state, CRAWL_RUNNING);
    assert_string_equal(j.order.url, "http://a/");
    assert_int_equal(j.order.pages, 77);
    assert_int_equal(j.order.delay_ms, 250);
    assert_int_equal(j.started_ms, 1000);
    assert_int_equal(j.ended_ms, 0);
    l = held(id, 1000);
    assert_string_equal(l.job.order.url, "http://a/");
    assert_int_equal(crawl_job_beat(db, &l, &some, 9000, &ec), ERR_OK);
    j = got(id);
    assert_int_equal(j.state, CRAWL_RUNNING);
    assert_memory_equal(&j.count, &some, sizeof some);
    assert_int_equal(crawl_job_end(db, &l, CRAWL_DONE, &all, NULL, 9500, &ec),
                     ERR_OK);
    j = got(id);
    assert_int_equal(j.state, CRAWL_DONE);
    assert_memory_equal(&j.count, &all, sizeof all);
    assert_int_equal(j.ended_ms, 9500);
    assert_null(j.error);
    /* It is over for good. */
    assert_int_equal(crawl_job_beat(db, &l, &some, 9600, &ec), ERR_LEASE_LOST);
    assert_int_equal(crawl_job_end(db, &l, CRAWL_FAILED, NULL, "x", 9600, &ec),
                     ERR_LEASE_LOST);
    assert_int_equal(crawl_job_put_back(db, &l, &some, &ec), ERR_LEASE_LOST);
    assert_int_equal(crawl_job_stop(db, id, 9600, &ec), ERR_NOT_FOUND);
    assert_int_equal(take(99999999, &j), ERR_NOT_FOUND);
    assert_int_equal(claim(id, 99999999, &l), ERR_NOT_FOUND);
    assert_int_equal(crawl_job_get(db, "none", &arena, &j, &ec), ERR_NOT_FOUND);
}

static void a_failed_crawl_says_why_and_keeps_its_figures(void **state)
{
    const char *id = begun("http://a/", 1000);
    struct crawl_lease l = held(id, 1000);
    struct crawl_job j;

    (void)state;
    assert_int_equal(crawl_job_beat(db, &l, &some, 2000, &ec), ERR_OK);
    assert_int_equal(
        crawl_job_end(db, &l, CRAWL_FAILED, NULL, "no answer", 3000, &ec),
        ERR_OK);
    j = got(id);
    assert_int_equal(j.state, CRAWL_FAILED);
    assert_string_equal(j.error, "no answer");
    assert_memory_equal(&j.count, &some, sizeof some);
}

static void one_whose_helper_is_silent_goes_on_with_another(void **state)
{
    const char *id = begun("http://a/", 1000);
    struct crawl_lease l = held(id, 1000), next;
    struct crawl_work w;
    struct crawl_job j;

    (void)state;
    assert_int_equal(crawl_job_beat(db, &l, &some, 2000, &ec), ERR_OK);
    assert_int_equal(crawl_job_work(db, 1999 + CRAWL_SILENT_MS, &w, &ec),
                     ERR_OK);
    assert_int_equal(w.free, 0);
    assert_int_equal(w.open, 1);
    assert_int_equal(take(1999 + CRAWL_SILENT_MS, &j), ERR_NOT_FOUND);
    assert_int_equal(claim(id, 1999 + CRAWL_SILENT_MS, &next), ERR_NOT_FOUND);
    assert_int_equal(crawl_job_work(db, 2000 + CRAWL_SILENT_MS, &w, &ec),
                     ERR_OK);
    assert_int_equal(w.free, 1);
    assert_int_equal(got(id).state, CRAWL_RUNNING);
    /* Whoever sees it first has it; the old helper is told at its next beat. */
    next = held(id, 2000 + CRAWL_SILENT_MS);
    assert_memory_equal(&next.job.count, &some, sizeof some);
    assert_int_equal(take(2001 + CRAWL_SILENT_MS, &j), ERR_NOT_FOUND);
    assert_int_equal(crawl_job_beat(db, &l, &all, 30000, &ec), ERR_LEASE_LOST);
    assert_int_equal(crawl_job_beat(db, &next, &all, 30000, &ec), ERR_OK);
    /* The clock is set back: its beat is no sign of life. */
    taken(id, 1000);
}

static void a_helper_that_leaves_gives_it_back_at_once(void **state)
{
    const char *id = begun("http://a/", 1000);
    struct crawl_lease l = held(id, 1000);
    struct crawl_job j;

    (void)state;
    for (int i = 0; i < 9; i++) { /* which is no attempt */
        assert_int_equal(crawl_job_put_back(db, &l, NULL, &ec), ERR_OK);
        assert_int_equal(crawl_job_beat(db, &l, &some, 1000, &ec),
                         ERR_LEASE_LOST);
        l = held(id, 1000);
    }
    /* After a fault it waits a while. */
    assert_int_equal(crawl_job_release(db, &l, "lost", &ec), ERR_OK);
    assert_int_equal(take(1001, &j), ERR_NOT_FOUND);
    assert_null(got(id).error);
    taken(id, 1000 + CRAWL_SILENT_MS);
}

static void one_that_gets_nowhere_is_given_up(void **state)
{
    const char *id = begun("http://a/", 1000), *other;
    struct crawl_lease l = held(id, 1000);
    int64_t now = 1000;
    struct crawl_job j;

    (void)state;
    taken(id, now += CRAWL_SILENT_MS);
    l = held(id, now += CRAWL_SILENT_MS);
    /* Something was done: the attempts count anew. */
    assert_int_equal(crawl_job_beat(db, &l, &some, now, &ec), ERR_OK);
    for (int i = 0; i < 3; i++)
        l = held(id, now += CRAWL_SILENT_MS);
    assert_int_equal(crawl_job_release(db, &l, "no disk", &ec), ERR_OK);
    other = begun("http://b/", now);
    taken(other, now += CRAWL_SILENT_MS); /* on the way to it */
    j = got(id);
    assert_int_equal(j.state, CRAWL_FAILED);
    assert_string_equal(j.error, "gave up after 3 attempts: no disk");
    assert_int_equal(j.ended_ms, now);
    for (int i = 0; i < 2; i++)
        taken(other, now += CRAWL_SILENT_MS);
    assert_int_equal(take(now + CRAWL_SILENT_MS, &j), ERR_NOT_FOUND);
    assert_string_equal(
        got(other).error,
        "gave up after 3 attempts: the helper stopped unexpectedly");
}

static void the_same_url_runs_once_and_few_at_once(void **state)
{
    const char *id = begun("http://a/", 1000);
    struct crawl_job j;

    (void)state;
    assert_string_equal(begun("http://a/", 9999999), id);
    begun("http://b/", 2000);
    assert_int_equal(begin("http://c/", 2000, &j), ERR_LIMIT);
    assert_int_equal(crawl_job_stop(db, id, 3000, &ec), ERR_OK);
    assert_int_equal(got(id).state, CRAWL_INTERRUPTED);
    begun("http://c/", 3000);
}

static void the_newest_stand_first_and_the_oldest_go(void **state)
{
    struct crawl_job *list;
    size_t n = 0;

    (void)state;
    for (int i = 0; i < CRAWL_ROWS_MAX + 5; i++)
        assert_int_equal(
            crawl_job_stop(db, begun("http://a/", 1000 + i), 1000 + i, &ec),
            ERR_OK);
    assert_int_equal(crawl_job_list(db, 1000, &arena, &list, &n, &ec), ERR_OK);
    assert_int_equal(n, CRAWL_ROWS_MAX);
    assert_int_equal(list[0].started_ms, 1000 + CRAWL_ROWS_MAX + 4);
    assert_int_equal(list[n - 1].started_ms, 1005);
    assert_int_equal(crawl_job_list(db, 3, &arena, &list, &n, &ec), ERR_OK);
    assert_int_equal(n, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(a_crawl_is_followed_to_its_end),
        T(a_failed_crawl_says_why_and_keeps_its_figures),
        T(one_whose_helper_is_silent_goes_on_with_another),
        T(a_helper_that_leaves_gives_it_back_at_once),
        T(one_that_gets_nowhere_is_given_up),
        T(the_same_url_runs_once_and_few_at_once),
        T(the_newest_stand_first_and_the_oldest_go),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
