/* Which units of a report are worth their words. */
#include "research/worth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { UNITS = 9 };

static struct arena arena;
static struct search_env env;
static struct run run;
static struct run_unit part; /* all are of the first part */
static struct run_block block = {.len = 4, .kind = 'p'};
static struct evidence row = {.text = "Text", .title = "", .heading = ""};
static struct choice units[UNITS];

/* Page 1 speaks of the question throughout, page 2 by chance. */
static struct choices read(void)
{
    static const double says[UNITS] = {0.6, 0.5, 0.6, 0.4, 0.5, 0.5, 0, 0.1, 0};
    struct choices x = {
        .r = &run, .a = &arena, .v = units, .count = UNITS, .pages = 2};

    memset(units, 0, sizeof units);
    run.env = &env;
    run.evidence = &row;
    run.query.text = "How is the pump sealed?";
    run.plan.count = 1;
    run.plan.subs[0] = (struct plan_sub){"How is the pump sealed", "", "", 0,
                                         "How is the pump sealed"};
    for (size_t i = 0; i < UNITS; i++) {
        units[i].unit = &part;
        units[i].blocks = &block;
        units[i].count = 1;
        units[i].url =
            i < 6 ? "http://pump.example/a" : "http://yard.example/b";
        units[i].page = i < 6 ? 1 : 2;
        units[i].words = 40;
        units[i].place = i;
        units[i].says = says[i];
    }
    return x;
}

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, 16 << 20);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_fini(&arena);
    return 0;
}

static void what_a_page_says_by_chance_is_weak(void **state)
{
    struct choices x = read();

    (void)state;
    assert_int_equal(worth_weigh(&x), ERR_OK);
    for (size_t i = 0; i < UNITS; i++)
        assert_int_equal(units[i].weak, i >= 6);
}

/* What is near to the question in meaning, or stands below a heading on what is
 * asked and speaks of it, may be an answer all the same. */
static void what_is_near_or_headed_is_not(void **state)
{
    struct choices x = read();

    (void)state;
    units[6].closely = 1;
    units[7].headed = units[7].topic = 1;
    assert_int_equal(worth_weigh(&x), ERR_OK);
    assert_false(units[6].weak);
    assert_false(units[7].weak);
    assert_true(units[8].weak);
}

/* Of pages of another product only what says much is wanted. */
static void what_stands_on_the_host_of_the_nearest_is_worth_more(void **state)
{
    struct choices x = read();

    (void)state;
    units[8].url = "http://lamp.example/c";
    units[8].page = x.pages = 3;
    assert_int_equal(worth_weigh(&x), ERR_OK);
    assert_true(units[8].worth < units[6].worth);
}

/* Beside each other: the question may use other words than all pages do. */
static void where_no_page_says_much_none_is_weak(void **state)
{
    struct choices x = read();

    (void)state;
    for (size_t i = 0; i < UNITS; i++)
        units[i].says = 0.05;
    assert_int_equal(worth_weigh(&x), ERR_OK);
    for (size_t i = 0; i < UNITS; i++)
        assert_false(units[i].weak);
}

/* Each side's pages have words of their own. */
static void a_side_is_beside_itself(void **state)
{
    struct choices x = read();
    struct run_unit other = {.sub = 1};

    (void)state;
    run.plan.count = 2;
    run.plan.subs[1] = (struct plan_sub){"How is the lamp sealed", "", "", 1,
                                         "How is the lamp sealed"};
    for (size_t i = 6; i < UNITS; i++) {
        units[i].unit = &other;
        units[i].says = 0.1;
    }
    assert_int_equal(worth_weigh(&x), ERR_OK);
    for (size_t i = 0; i < UNITS; i++)
        assert_false(units[i].weak);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_page_says_by_chance_is_weak),
        cmocka_unit_test(what_is_near_or_headed_is_not),
        cmocka_unit_test(what_stands_on_the_host_of_the_nearest_is_worth_more),
        cmocka_unit_test(where_no_page_says_much_none_is_weak),
        cmocka_unit_test(a_side_is_beside_itself),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
