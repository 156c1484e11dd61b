/* Which units of a report are worth their words, and what all of them are. */
#include "research/bearing.h"
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
static struct evidence row = {
    .url = "", .text = "Text", .title = "", .heading = ""};
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

/* Of the second part page 1 says nearly all, page 2 has only a word. */
static struct choices read_touched(struct run_unit *second, const char *asks,
                                   const char *context)
{
    struct choices x = read();

    second->sub = 1;
    run.plan.count = 2;
    run.plan.subs[0] = run.plan.subs[1] =
        (struct plan_sub){asks, context, asks, PLAN_SIDES_MAX, asks};
    run.plan.subs[0].title = "How is the pump sealed";
    x.is_meant = true;
    for (size_t i = 0; i < UNITS; i++) {
        units[i].unit = second;
        units[i].about = i < 6 ? 1 : 0.1;
        units[i].worth = i == 7 ? -0.3 : -0.5;
        units[i].answers = true;
    }
    units[8].headed = 1;
    return x;
}

/* What is worth more, or stands under what the part asks, is not by chance. */
static void what_only_touches_on_a_part_is_weak(void **state)
{
    struct run_unit second = {0};
    struct choices x = read_touched(&second, "Which limits and which seals",
                                    "How is the pump sealed");

    (void)state;
    assert_int_equal(worth_touch(&x), ERR_OK);
    for (size_t i = 0; i < UNITS; i++) {
        assert_int_equal(units[i].weak, i == 6);
        assert_int_equal(units[i].answers, i != 6);
    }
    /* A part that stands for itself may be told of on many pages; so may the
     * first one and a compared side. */
    x = read_touched(&second, "Which limits and which seals", "");
    assert_int_equal(worth_touch(&x), ERR_OK);
    assert_false(units[6].weak);
    x = read_touched(&second, "Which limits and which seals",
                     "How is the pump sealed");
    second.sub = 0;
    assert_int_equal(worth_touch(&x), ERR_OK);
    assert_false(units[6].weak);
    second.sub = 1;
    run.plan.subs[1].side = 0;
    run.plan.side_count = 2;
    run.plan.sides[0] = run.plan.subs[1].title;
    assert_int_equal(worth_touch(&x), ERR_OK);
    assert_false(units[6].weak);
    run.plan.side_count = 0;
}

/* "What are the limits": of anything, under that heading; but what a thing is
 * stands under its name. */
static void one_word_over_it_answers_no_part(void **state)
{
    struct run_unit second = {0};
    struct choices x =
        read_touched(&second, "What are the limits", "How is the pump sealed");

    (void)state;
    units[7].weak = units[8].weak = units[0].weak = true;
    assert_int_equal(worth_touch(&x), ERR_OK);
    assert_false(units[8].answers);
    assert_true(units[0].answers);
    x = read_touched(&second, "What is a gland", "How is the pump sealed");
    units[8].weak = true;
    assert_int_equal(worth_touch(&x), ERR_OK);
    assert_true(units[8].answers);
}

/* The question names the pump, after which the host of page 1 is called. */
static struct choices read_named(void)
{
    struct choices x = read();

    assert_int_equal(query_parse("How is the Pump sealed?", &arena, &run.query),
                     ERR_OK);
    run.about = (struct about){.names = {{.term = "pump",
                                          .hosts = {"pump.example"},
                                          .host_count = 1,
                                          .word = "pump"}},
                               .count = 1};
    for (size_t i = 0; i < UNITS; i++)
        units[i].says = 0.5;
    return x;
}

/* What is of a host that is about no name that is asked, beside one that is. */
static void what_is_of_another_thing_is_weak(void **state)
{
    struct choices x = read_named();

    (void)state;
    assert_int_equal(worth_weigh(&x), ERR_OK);
    for (size_t i = 0; i < UNITS; i++) {
        assert_int_equal(units[i].foreign, i >= 6);
        assert_int_equal(units[i].weak, i >= 6);
    }
    /* … unless it stands under the name, or the name is of no host. */
    row.title = "Sealing a pump";
    assert_int_equal(worth_weigh(&x), ERR_OK);
    assert_false(units[8].foreign);
    row.title = "";
    run.about.names[0].hosts[0] = "yard.example";
    assert_int_equal(worth_weigh(&x), ERR_OK);
    assert_false(units[8].foreign);
    memset(&run.about, 0, sizeof(run.about));
}

/* … where it is known how near things are. */
static void what_hardly_anybody_wants_answers_no_part(void **state)
{
    struct choices x = read();

    (void)state;
    units[0].answers = units[6].answers = true;
    assert_int_equal(worth_weigh(&x), ERR_OK);
    assert_true(units[0].answers && units[6].answers && units[6].weak);
    x.is_meant = true;
    assert_int_equal(worth_weigh(&x), ERR_OK);
    assert_true(units[0].answers && !units[6].answers);
}

/* A section answers the more, the more its best are wanted and say of it. */
static void a_section_that_says_little_does_not_answer(void **state)
{
    struct choices x = read();
    double little;

    (void)state;
    assert_true(worth_answers(&x, 0, 1) < -100); /* nothing is chosen */
    units[0].chosen = true;
    units[0].worth = -2;
    little = worth_answers(&x, 0, 1);
    assert_true(little < 0);
    units[0].worth = 1;
    units[0].own = units[0].met = 0.5;
    assert_true(worth_answers(&x, 0, 1) > little);
    assert_true(worth_answers(&x, 1, 2) < -100); /* of another part */
    units[0].own = 1;
    assert_true(worth_answers(&x, 0, 1) > 100);
    units[0].own = 0;
    units[0].called = true; /* by what it stands under */
    assert_true(worth_answers(&x, 0, 1) > 100);
}

/* What stands under all of the part's words, of several, is no place by chance.
 */
static void what_is_called_as_the_part_is_not_weak(void **state)
{
    struct choices x = read();

    (void)state;
    units[0].closely = 1; /* beside which the others are worth little */
    units[6].topic = units[7].topic = 0.6;
    units[6].headed = units[7].headed = 0.9;
    units[7].called = true;
    assert_int_equal(worth_weigh(&x), ERR_OK);
    assert_true(units[6].weak);
    assert_false(units[7].weak);
}

static enum bearing bearing_of(const struct choices *x)
{
    enum bearing b = BEARS;

    assert_int_equal(bearing_read(x, &b), ERR_OK);
    return b;
}

static void what_says_nothing_of_the_request_does_not_bear_on_it(void **state)
{
    struct choices x = read_named();

    (void)state;
    run.about.names[0].host_count = 0; /* nobody is about a pump */
    x.is_meant = true;
    assert_int_equal(bearing_of(&x), BEARS_NOT); /* nothing is chosen */
    for (size_t i = 0; i < UNITS; i++) {
        units[i].chosen = true;
        units[i].worth = -1;
        units[i].met = 0.3;
    }
    assert_int_equal(bearing_of(&x), BEARS_NOT);
    row.text = "Pump sealed";
    block.len = strlen(row.text);
    assert_int_equal(bearing_of(&x), BEARS_PERHAPS);
    run.about.names[0].host_count = 1;
    assert_int_equal(bearing_of(&x), BEARS);
    /* Where no vectors are, nothing was learned. */
    row.text = "Text";
    block.len = 4;
    x.is_meant = false;
    assert_int_equal(bearing_of(&x), BEARS);
    memset(&run.about, 0, sizeof(run.about));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_page_says_by_chance_is_weak),
        cmocka_unit_test(what_is_near_or_headed_is_not),
        cmocka_unit_test(what_stands_on_the_host_of_the_nearest_is_worth_more),
        cmocka_unit_test(where_no_page_says_much_none_is_weak),
        cmocka_unit_test(a_side_is_beside_itself),
        cmocka_unit_test(what_only_touches_on_a_part_is_weak),
        cmocka_unit_test(one_word_over_it_answers_no_part),
        cmocka_unit_test(what_is_of_another_thing_is_weak),
        cmocka_unit_test(what_hardly_anybody_wants_answers_no_part),
        cmocka_unit_test(a_section_that_says_little_does_not_answer),
        cmocka_unit_test(what_is_called_as_the_part_is_not_weak),
        cmocka_unit_test(what_says_nothing_of_the_request_does_not_bear_on_it),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
