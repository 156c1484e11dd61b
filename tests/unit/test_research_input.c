/* The stored input of a task back to parameters, and what is refused. */
#include "research/input.h"

#include "base/date.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static struct arena arena;

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

static void everything_echoed_is_read_back(void **state)
{
    static const char input[] =
        "{\"q\":\"<guidance>x</guidance>What?\",\"outputType\":\"structured\","
        "\"includeDomains\":[\"a.example\",\"b.example/docs\"],"
        "\"excludeDomains\":[\"c.example\"],\"fromDate\":\"2024-02-29\","
        "\"toDate\":\"2025-01-01\",\"includeImages\":true,"
        "\"structuredOutputSchema\":\"{\\\"type\\\":\\\"object\\\"}\","
        "\"mode\":\"investigate\",\"reasoningDepth\":\"XL\"}";
    struct errctx ec = {ERR_OK, ""};
    struct research_params p;
    struct json *root = NULL;

    (void)state;
    assert_int_equal(research_input_parse(input, &arena, &p, &root, &ec),
                     ERR_OK);
    assert_string_equal(p.search.q, "<guidance>x</guidance>What?");
    assert_int_equal(p.search.output, OUTPUT_STRUCTURED);
    assert_int_equal(p.search.include.count, 2);
    assert_string_equal(p.search.include.rules[1].host, "b.example");
    assert_string_equal(p.search.include.rules[1].path, "/docs");
    assert_int_equal(p.search.exclude.count, 1);
    assert_int_equal(p.search.from_day, date_to_day(2024, 2, 29));
    assert_int_equal(p.search.to_day, date_to_day(2025, 1, 1));
    assert_true(p.search.images);
    assert_non_null(p.search.schema);
    assert_int_equal(p.mode, MODE_INVESTIGATE);
    assert_int_equal(p.reasoning, REASONING_XL);
    json_free(root);
}

static void what_is_null_or_absent_has_its_default(void **state)
{
    static const char *const of[] = {
        "{\"q\":\"What?\",\"outputType\":\"sourcedAnswer\"}",
        "{\"q\":\"What?\",\"outputType\":\"sourcedAnswer\","
        "\"includeDomains\":[],\"excludeDomains\":null,\"fromDate\":null,"
        "\"toDate\":null,\"includeImages\":false,"
        "\"structuredOutputSchema\":null,\"mode\":null,"
        "\"reasoningDepth\":null}"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct errctx ec = {ERR_OK, ""};
        struct research_params p;
        struct json *root = NULL;

        assert_int_equal(research_input_parse(of[i], &arena, &p, &root, &ec),
                         ERR_OK);
        assert_null(root);
        assert_int_equal(p.search.output, OUTPUT_SOURCED);
        assert_int_equal(p.search.include.count, 0);
        assert_int_equal(p.search.from_day, DAY_NONE);
        assert_int_equal(p.search.to_day, DAY_NONE);
        assert_false(p.search.images);
        assert_int_equal(p.mode, MODE_AUTO);
        assert_int_equal(p.reasoning, REASONING_L);
    }
}

static void damage_is_told_with_the_field(void **state)
{
    static const char *const of[][2] = {
        {"", "input"},
        {"[]", "q"},
        {"{\"q\":\" \",\"outputType\":\"sourcedAnswer\"}", "q"},
        {"{\"q\":7,\"outputType\":\"sourcedAnswer\"}", "q"},
        {"{\"q\":\"x\"}", "outputType"},
        {"{\"q\":\"x\",\"outputType\":\"searchResults\"}", "outputType"},
        {"{\"q\":\"x\",\"outputType\":\"sourcedAnswer\",\"mode\":\"AUTO\"}",
         "mode"},
        {"{\"q\":\"x\",\"outputType\":\"sourcedAnswer\","
         "\"reasoningDepth\":\"s\"}",
         "reasoningDepth"},
        {"{\"q\":\"x\",\"outputType\":\"sourcedAnswer\","
         "\"includeDomains\":\"a\"}",
         "includeDomains"},
        {"{\"q\":\"x\",\"outputType\":\"sourcedAnswer\","
         "\"excludeDomains\":[1]}",
         "excludeDomains"},
        {"{\"q\":\"x\",\"outputType\":\"sourcedAnswer\","
         "\"fromDate\":\"2025-02-29\"}",
         "fromDate"},
        {"{\"q\":\"x\",\"outputType\":\"structured\"}",
         "structuredOutputSchema"},
        {"{\"q\":\"x\",\"outputType\":\"structured\","
         "\"structuredOutputSchema\":\"{\"}",
         "structuredOutputSchema"},
        {"{\"q\":\"x\",\"outputType\":\"structured\","
         "\"structuredOutputSchema\":\"{\\\"type\\\":\\\"array\\\"}\"}",
         "structuredOutputSchema"}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct errctx ec = {ERR_OK, ""};
        struct research_params p;
        struct json *root = NULL;
        enum err e = research_input_parse(of[i][0], &arena, &p, &root, &ec);

        if (e != ERR_MALFORMED || strstr(ec.msg, of[i][1]) == NULL)
            fail_msg("%s: %s: %s", of[i][0], err_name(e), ec.msg);
        assert_null(root);
    }
}

static void budgets_grow_with_the_depth(void **state)
{
    (void)state;
    for (int i = REASONING_M; i <= REASONING_XL; i++) {
        struct research_budget a =
            research_budget_of((enum reasoning_depth)(i - 1));
        struct research_budget b = research_budget_of((enum reasoning_depth)i);

        assert_true(a.sub_questions < b.sub_questions);
        assert_true(a.rounds < b.rounds && a.queries < b.queries);
        assert_true(a.pages < b.pages && a.time_ms < b.time_ms);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_echoed_is_read_back),
        cmocka_unit_test(what_is_null_or_absent_has_its_default),
        cmocka_unit_test(damage_is_told_with_the_field),
        cmocka_unit_test(budgets_grow_with_the_depth),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
