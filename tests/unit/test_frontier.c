/* The crawl frontier over a real index file. */
#include "index/frontier.h"

#include "index/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state_db.h"

static char dir[64], path[96];
static struct db_file *file;
static struct db *db;
static struct arena arena;
static struct errctx ec;

static int setup(void **state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/cited-frontier-XXXXXX");
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/index.db", dir);
    arena_init(&arena, 16 << 20);
    if (state_db_index(path, &file) != ERR_OK)
        return -1;
    return db_open(file, &db, &ec) == ERR_OK ? 0 : -1;
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

static int64_t begin(const char *name, bool resumed)
{
    int64_t id = 0;
    bool got = !resumed;

    assert_int_equal(crawl_begin(db, name, 1, &id, &got, &ec), ERR_OK);
    assert_int_equal(got, resumed);
    return id;
}

static int64_t add(int64_t crawl, const char *url, int depth)
{
    struct frontier_item item = {url, depth, 0, 0};
    int64_t added = -1;

    assert_int_equal(frontier_add(db, crawl, &item, 1, &added, &ec), ERR_OK);
    return added;
}

static size_t due(int64_t crawl, int64_t *after, size_t limit,
                  struct frontier_item **out)
{
    size_t n = 99;

    assert_int_equal(
        frontier_due(db, crawl, after, limit, &arena, out, &n, &ec), ERR_OK);
    return n;
}

static void a_crawl_is_found_again_by_its_name(void **state)
{
    int64_t a = begin("a", false), b = begin("b", false);

    (void)state;
    assert_int_not_equal(a, b);
    assert_int_equal(begin("a", true), a);
    assert_int_equal(crawl_end(db, a, &ec), ERR_OK);
    assert_int_not_equal(begin("a", false), b);
}

static void a_url_enters_a_crawl_once(void **state)
{
    struct frontier_item three[] = {{"https://x/1", 0, 0, 0},
                                    {"https://x/2", 1, 0, 0},
                                    {"https://x/1", 2, 0, 0}};
    int64_t a = begin("a", false), b = begin("b", false), added;

    (void)state;
    assert_int_equal(frontier_add(db, a, three, 3, &added, &ec), ERR_OK);
    assert_int_equal(added, 2);
    assert_int_equal(frontier_add(db, a, three, 3, &added, &ec), ERR_OK);
    assert_int_equal(added, 0);
    assert_int_equal(frontier_add(db, b, three, 3, &added, &ec), ERR_OK);
    assert_int_equal(added, 2);
}

static void due_urls_come_in_order_of_discovery(void **state)
{
    struct frontier_item *list;
    int64_t a = begin("a", false), after = 0;

    (void)state;
    add(a, "https://x/1", 0);
    add(a, "https://x/2", 1);
    add(a, "https://x/3", 1);
    assert_int_equal(due(a, &after, 2, &list), 2);
    assert_string_equal(list[0].url, "https://x/1");
    assert_string_equal(list[1].url, "https://x/2");
    assert_int_equal(list[1].depth, 1);
    add(a, "https://x/4", 2);
    assert_int_equal(due(a, &after, 9, &list), 2);
    assert_string_equal(list[1].url, "https://x/4");
    assert_int_equal(due(a, &after, 9, &list), 0);
}

static void marked_urls_are_not_due_and_are_counted(void **state)
{
    struct frontier_item *list;
    struct frontier_count *counts;
    int64_t a = begin("a", false), after = 0;
    size_t n;

    (void)state;
    add(a, "https://x/1", 0);
    add(a, "https://x/2", 0);
    add(a, "https://x/3", 0);
    add(a, "https://x/4", 0);
    assert_int_equal(
        frontier_mark(db, a, "https://x/1", FRONTIER_DONE, "", &ec), ERR_OK);
    assert_int_equal(
        frontier_mark(db, a, "https://x/2", FRONTIER_SKIPPED, "robots", &ec),
        ERR_OK);
    assert_int_equal(
        frontier_mark(db, a, "https://x/3", FRONTIER_SKIPPED, "robots", &ec),
        ERR_OK);
    assert_int_equal(
        frontier_mark(db, a, "https://x/4", FRONTIER_DUE, "timeout", &ec),
        ERR_OK);
    assert_int_equal(
        frontier_mark(db, a, "https://x/9", FRONTIER_DONE, "", &ec),
        ERR_NOT_FOUND);
    assert_int_equal(due(a, &after, 9, &list), 1);
    assert_string_equal(list[0].url, "https://x/4");
    assert_int_equal(list[0].tries, 1);
    assert_int_equal(frontier_summary(db, a, &arena, &counts, &n, &ec), ERR_OK);
    assert_int_equal(n, 3);
    assert_int_equal(counts[0].state, FRONTIER_DUE);
    assert_int_equal(counts[1].state, FRONTIER_DONE);
    assert_int_equal(counts[2].count, 2);
    assert_string_equal(counts[2].reason, "robots");
}

static void ending_drops_the_frontier(void **state)
{
    struct frontier_item *list;
    int64_t a = begin("a", false), after = 0;

    (void)state;
    add(a, "https://x/1", 0);
    assert_int_equal(crawl_end(db, a, &ec), ERR_OK);
    assert_int_equal(due(a, &after, 9, &list), 0);
}

static void the_frontier_goes_with_the_batch(void **state)
{
    struct frontier_item *list;
    int64_t a = begin("a", false), after = 0;

    (void)state;
    add(a, "https://x/1", 0);
    assert_int_equal(page_batch_begin(db, &ec), ERR_OK);
    add(a, "https://x/2", 1);
    assert_int_equal(
        frontier_mark(db, a, "https://x/1", FRONTIER_DONE, "", &ec), ERR_OK);
    assert_int_equal(
        frontier_mark(db, a, "https://x/7", FRONTIER_DONE, "", &ec),
        ERR_NOT_FOUND);
    page_batch_abort(db);
    assert_int_equal(due(a, &after, 9, &list), 1);
    assert_string_equal(list[0].url, "https://x/1");

    after = 0;
    assert_int_equal(page_batch_begin(db, &ec), ERR_OK);
    add(a, "https://x/2", 1);
    assert_int_equal(
        frontier_mark(db, a, "https://x/7", FRONTIER_DONE, "", &ec),
        ERR_NOT_FOUND); /* harmless: nothing was written */
    assert_int_equal(page_batch_commit(db, &ec), ERR_OK);
    assert_int_equal(due(a, &after, 9, &list), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(a_crawl_is_found_again_by_its_name),
        T(a_url_enters_a_crawl_once),
        T(due_urls_come_in_order_of_discovery),
        T(marked_urls_are_not_due_and_are_counted),
        T(ending_drops_the_frontier),
        T(the_frontier_goes_with_the_batch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
