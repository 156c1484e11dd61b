/* Rows of crawls over a real database. */
#include "store/crawl_job.h"

#include "store/account.h"
#include "state_db.h"

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

static enum err begin(const char *url, int64_t now, struct crawl_job *j,
                      bool *fresh)
{
    const struct crawl_order order = {url, 77, 250};

    return crawl_job_create(db, ada, &order, 2, now, &arena, j, fresh, &ec);
}

static const char *begun(const char *url, int64_t now)
{
    struct crawl_job j;
    bool fresh = false;

    assert_int_equal(begin(url, now, &j, &fresh), ERR_OK);
    assert_true(fresh);
    return j.id;
}

static struct crawl_job got(const char *id, int64_t now)
{
    struct crawl_job j;

    assert_int_equal(crawl_job_get(db, id, now, &arena, &j, &ec), ERR_OK);
    return j;
}

static void a_crawl_is_followed_to_its_end(void **state)
{
    static const struct crawl_count some = {1, 2, 3, 4}, all = {9, 2, 3, 0};
    const char *id = begun("http://a/", 1000);
    struct crawl_job j = got(id, 1000);

    (void)state;
    assert_int_equal(j.state, CRAWL_RUNNING);
    assert_string_equal(j.order.url, "http://a/");
    assert_int_equal(j.order.pages, 77);
    assert_int_equal(j.order.delay_ms, 250);
    assert_int_equal(j.started_ms, 1000);
    assert_int_equal(j.ended_ms, 0);
    assert_int_equal(crawl_job_beat(db, id, &some, 9000, &ec), ERR_OK);
    j = got(id, 9000);
    assert_int_equal(j.state, CRAWL_RUNNING);
    assert_memory_equal(&j.count, &some, sizeof some);
    assert_int_equal(crawl_job_end(db, id, CRAWL_DONE, &all, NULL, 9500, &ec),
                     ERR_OK);
    j = got(id, 99999999);
    assert_int_equal(j.state, CRAWL_DONE);
    assert_memory_equal(&j.count, &all, sizeof all);
    assert_int_equal(j.ended_ms, 9500);
    assert_null(j.error);
    /* It is over for good. */
    assert_int_equal(crawl_job_beat(db, id, &some, 9600, &ec), ERR_NOT_FOUND);
    assert_int_equal(crawl_job_end(db, id, CRAWL_FAILED, NULL, "x", 9600, &ec),
                     ERR_NOT_FOUND);
    assert_int_equal(crawl_job_get(db, "none", 1, &arena, &j, &ec),
                     ERR_NOT_FOUND);
}

static void a_failed_crawl_says_why_and_keeps_its_figures(void **state)
{
    static const struct crawl_count some = {1, 2, 3, 4};
    const char *id = begun("http://a/", 1000);
    struct crawl_job j;

    (void)state;
    assert_int_equal(crawl_job_beat(db, id, &some, 2000, &ec), ERR_OK);
    assert_int_equal(
        crawl_job_end(db, id, CRAWL_FAILED, NULL, "no answer", 3000, &ec),
        ERR_OK);
    j = got(id, 3000);
    assert_int_equal(j.state, CRAWL_FAILED);
    assert_string_equal(j.error, "no answer");
    assert_memory_equal(&j.count, &some, sizeof some);
}

static void a_silent_helper_is_dead(void **state)
{
    const char *id = begun("http://a/", 1000);
    struct crawl_job j;
    bool fresh = false;

    (void)state;
    assert_int_equal(got(id, 1000 + CRAWL_SILENT_MS).state, CRAWL_RUNNING);
    j = got(id, 1001 + CRAWL_SILENT_MS);
    assert_int_equal(j.state, CRAWL_INTERRUPTED);
    assert_int_equal(j.ended_ms, 1000);
    /* The same can be asked for again. */
    assert_int_equal(begin("http://a/", 1001 + CRAWL_SILENT_MS, &j, &fresh),
                     ERR_OK);
    assert_true(fresh);
    assert_string_not_equal(j.id, id);
}

static void the_same_url_runs_once_and_few_at_once(void **state)
{
    const char *id = begun("http://a/", 1000);
    struct crawl_job j;
    bool fresh = true;

    (void)state;
    assert_int_equal(begin("http://a/", 2000, &j, &fresh), ERR_OK);
    assert_false(fresh);
    assert_string_equal(j.id, id);
    begun("http://b/", 2000);
    assert_int_equal(begin("http://c/", 2000, &j, &fresh), ERR_LIMIT);
    assert_int_equal(
        crawl_job_end(db, id, CRAWL_INTERRUPTED, NULL, NULL, 3000, &ec),
        ERR_OK);
    begun("http://c/", 3000);
}

static void the_newest_stand_first_and_the_oldest_go(void **state)
{
    struct crawl_job *list;
    size_t n = 0;

    (void)state;
    for (int i = 0; i < CRAWL_ROWS_MAX + 5; i++) {
        const char *id = begun("http://a/", 1000 + i);

        assert_int_equal(
            crawl_job_end(db, id, CRAWL_DONE, NULL, NULL, 1000 + i, &ec),
            ERR_OK);
    }
    assert_int_equal(crawl_job_list(db, 1000, 5000, &arena, &list, &n, &ec),
                     ERR_OK);
    assert_int_equal(n, CRAWL_ROWS_MAX);
    assert_int_equal(list[0].started_ms, 1000 + CRAWL_ROWS_MAX + 4);
    assert_int_equal(list[n - 1].started_ms, 1005);
    assert_int_equal(crawl_job_list(db, 3, 5000, &arena, &list, &n, &ec),
                     ERR_OK);
    assert_int_equal(n, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(a_crawl_is_followed_to_its_end),
        T(a_failed_crawl_says_why_and_keeps_its_figures),
        T(a_silent_helper_is_dead),
        T(the_same_url_runs_once_and_few_at_once),
        T(the_newest_stand_first_and_the_oldest_go),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
