/* Texts taken apart into sentences with their sources, and held against them.
 */
#include "search/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct arena a;

static int begin(void **state)
{
    (void)state;
    arena_init(&a, 64 << 20);
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_fini(&a);
    return 0;
}

static struct check_list read_text(const char *z)
{
    struct check_list list;
    struct errctx ec = {0};

    assert_int_equal(check_read(z, strlen(z), &a, &list, &ec), ERR_OK);
    return list;
}

struct expected {
    const char *sentence, *urls; /* blanks between them */
};

static void is(const struct check_list *list, const struct expected *v,
               size_t n)
{
    assert_int_equal(list->count, n);
    for (size_t i = 0; i < n; i++) {
        char urls[400] = "";

        for (size_t k = 0; k < list->items[i].url_count; k++) {
            strcat(urls, k == 0 ? "" : " ");
            strcat(urls, list->items[i].urls[k]);
        }
        assert_string_equal(list->items[i].sentence, v[i].sentence);
        assert_string_equal(urls, v[i].urls);
    }
}

static void markdown_cites_by_number(void **state)
{
    static const struct expected v[] = {
        {"The tower is 330 metres tall.", "https://a.example/"},
        {"It was built in 1889.", "https://a.example/"},
        {"It is red.", "https://b.example/x"},
        {"argv[3] holds it.", "https://a.example/ https://b.example/x"},
        {"An item", "https://b.example/x"},
        {"a: steps | b: 196", "https://a.example/"}};
    struct check_list list = read_text(
        "# Report\n\nThe **tower** is 330 metres\ntall. It was built in 1889 "
        "[1]. It is red.[2]\n\nargv[3] holds it. [1][2]\n\n- An `item` [2]\n\n"
        "| a | b |\n|---|---|\n| steps | 196 [1] |\n\n```\ncode [1]\n```\n\n"
        "## Sources\n\n[1] Guide\n    https://a.example/\n"
        "2. [Other](https://b.example/x)\n");

    (void)state;
    is(&list, v, sizeof v / sizeof v[0]);
}

static void rows_say_what_their_heads_say(void **state)
{
    static const struct expected v[] = {
        {"Lamps:", "https://a.example/"},
        {"Name: port | Side: left, red", "https://a.example/"},
        {"Name: a|b | Side: .odt", "https://a.example/"},
        {"Name: none", "https://a.example/"},
        {"Overview | Red.", "https://a.example/"},
        {"Green.", "https://b.example/"}};
    struct check_list list = read_text(
        "Lamps:\n\n| Name | Side |\n|---|---|\n| port | left, red |\n"
        "| a\\|b | .odt |\n| none |  [1] |\n\n|  | X | Y |\n|---|---|---|\n"
        "| Overview | Red. [1] | Green. [2] |\n\n"
        "[1]: https://a.example/\n[2]: https://b.example/\n");

    (void)state;
    is(&list, v, sizeof v / sizeof v[0]);
}

static void markdown_cites_by_links(void **state)
{
    static const struct expected v[] = {
        {"The tower is tall.", "https://a.example/b_(c)"},
        {"It is red.", "https://b.example/"},
        {"See the guide for more.", "https://c.example/"}};
    struct check_list list = read_text(
        "The tower is tall ([source](https://a.example/b_(c))). It is red. "
        "[[1]](https://b.example/) See [the *guide*](https://c.example/) for "
        "more.\n");

    (void)state;
    is(&list, v, sizeof v / sizeof v[0]);
}

static void headings_claim_nothing(void **state)
{
    static const struct expected v[] = {
        {"It is red.", "https://a.example/"},
        {"It was built in 1875.", "https://a.example/"},
        {"Built in 1875", "https://a.example/"},
        {"The tower It is tall.", "https://a.example/"}};
    struct check_list list = read_text(
        "*lights.example: the lamp\\*s*\n\nIt is red. [1]\n\n**Who built "
        "it?**\n\n*It was built in 1875.*\n\n*Built in 1875 [1]*\n\nThe\n"
        "**tower**\nIt is tall. [1]\n\n[1]: https://a.example/\n");

    (void)state;
    is(&list, v, sizeof v / sizeof v[0]);
}

static void answers_and_lines_are_read(void **state)
{
    static const struct expected one[] = {{"It is so.", "https://a.example/"}};
    static const struct expected two[] = {{"A.", ""},
                                          {"It is so.", "https://b.example/"},
                                          {"It is red.", "https://b.example/"}};
    struct check_list list =
        read_text("{\"answer\": \"It is so. [1]\",\n \"sources\": [{\"url\": "
                  "\"https://a.example/\"}]}");

    (void)state;
    is(&list, one, 1);
    list =
        read_text("{\"sentence\":\"A.\",\"passage\":\"B.\"}\n\n{\"text\":\"It "
                  "is so. It is red.\",\"url\":\"https://b.example/\"}\n");
    is(&list, two, 3);
}

static void what_is_wrong_is_named(void **state)
{
    static const struct {
        const char *text, *why;
    } v[] = {
        {"{\"sentence\":\"A.\"}", "line 1 wants"},
        {"{\"sentence\":\"A.\",\"passage\":\"\"}\n{x", "line 2 is no JSON"},
        {"\xFF", "UTF-8"}};

    (void)state;
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        struct check_list list;
        struct errctx ec = {0};

        assert_int_equal(
            check_read(v[i].text, strlen(v[i].text), &a, &list, &ec),
            ERR_INVALID);
        assert_non_null(strstr(ec.msg, v[i].why));
    }
}

static void sentences_are_held_against_passages(void **state)
{
    static const enum verdict v[] = {VERDICT_QUOTED,       VERDICT_SUPPORTED,
                                     VERDICT_CONTRADICTED, VERDICT_REPAIRED,
                                     VERDICT_UNSUPPORTED,  VERDICT_UNSUPPORTED};
#define PASSAGE                                                                \
    "\"passage\":\"The tower was built in 1850. It has 196 steps.\"}\n"
    struct check_list list = read_text(
        "{\"sentence\":\"It has 196 steps.\"," PASSAGE
        "{\"sentence\":\"The tower has 196 steps.\"," PASSAGE
        "{\"sentence\":\"The tower was not built in 1850.\"," PASSAGE
        "{\"sentence\":\"The red tower was built in 1850.\"," PASSAGE
        "{\"sentence\":\"Bananas are yellow.\"," PASSAGE
        "{\"sentence\":\"It is so.\",\"url\":\"https://a.example/\"}");
    struct check_result *r = NULL;
    const struct check_pages none = {.index = NULL};
    struct errctx ec = {0};

    (void)state;
    assert_int_equal(check_run(&none, &list, deadline_in(60000), &a, &r, &ec),
                     ERR_OK);
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++)
        assert_int_equal(r[i].verdict, v[i]);
    assert_string_equal(r[0].quote, "It has 196 steps.");
    assert_int_equal(r[0].start, 29);
    assert_null(r[4].quote);
    assert_non_null(strstr(r[5].why, "index"));
    assert_int_equal(check_run(&none, &list, deadline_in(-1), &a, &r, &ec),
                     ERR_TIMEOUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(markdown_cites_by_number, begin, end),
        cmocka_unit_test_setup_teardown(rows_say_what_their_heads_say, begin,
                                        end),
        cmocka_unit_test_setup_teardown(markdown_cites_by_links, begin, end),
        cmocka_unit_test_setup_teardown(headings_claim_nothing, begin, end),
        cmocka_unit_test_setup_teardown(answers_and_lines_are_read, begin, end),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_named, begin, end),
        cmocka_unit_test_setup_teardown(sentences_are_held_against_passages,
                                        begin, end)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
