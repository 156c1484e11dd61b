/* What the passages of a page say of it, and what that makes its odds. */
#include "find/page_score.h"

#include "base/date.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "questions.h"

static const char asked[] = "How long does the server keep a connection?";

static struct candidate passage(const char *url, const char *title,
                                const char *heading, const char *text,
                                double score)
{
    return (struct candidate){.passage = 1,
                              .page = 1,
                              .url = url,
                              .host = "manual.example",
                              .title = title,
                              .heading = heading,
                              .text = text,
                              .favicon = "",
                              .lang = "en",
                              .day = DAY_NONE,
                              .page_bytes = 5000,
                              .score = score};
}

static double read_pages(const struct query *q,
                         const struct candidate *const *v, size_t n,
                         double out[PAGE_FEATURES])
{
    struct page_reader r;

    page_reader_init(&r, q, 4);
    page_read(&r, v, n, out);
    return page_odds(out);
}

static void passages_add_up_in_any_order(void **state)
{
    struct candidate a =
        passage("http://manual.example/a/b", "Server", "Server > Connections",
                "It is kept for ten seconds.", 4);
    struct candidate b =
        passage("http://manual.example/a/b", "Server", "Server > Ports",
                "The server keeps a port open.", 1);
    const struct candidate *one[] = {&a, &b}, *other[] = {&b, &a};
    struct query q = parsed(asked);
    double v[PAGE_FEATURES], w[PAGE_FEATURES];

    (void)state;
    (void)read_pages(&q, one, 2, v);
    (void)read_pages(&q, other, 2, w);
    assert_memory_equal(v, w, sizeof v);
    assert_true(v[P_BEST] >= 1 && v[P_BEST] <= 1);
    assert_true(v[P_SECOND] >= 0.25 && v[P_SECOND] <= 0.25);
    assert_true(v[P_THIRD] <= 0);
    assert_true(v[P_HEAD] > 0 && v[P_TITLE] > 0 && v[P_SPREAD] > v[P_TITLE]);
    assert_true(v[P_DEPTH] >= 2 && v[P_DEPTH] <= 2);
}

static void a_list_of_changes_stands_behind_text(void **state)
{
    static const char text[] = "The server keeps a connection for long.";
    struct candidate a =
        passage("http://manual.example/a", "Server", "Server", text, 4);
    struct candidate b =
        passage("http://manual.example/b", "Changelog", "Server", text, 4);
    const struct candidate *one = &a, *other = &b;
    struct query q = parsed(asked), changes = parsed("What is new in 2.4?");
    double v[PAGE_FEATURES];

    (void)state;
    assert_true(read_pages(&q, &one, 1, v) > read_pages(&q, &other, 1, v));
    assert_true(v[P_CHANGES] > 0);
    (void)read_pages(&changes, &other, 1, v);
    assert_false(v[P_CHANGES] > 0);
}

static void a_question_without_words_has_odds_too(void **state)
{
    struct candidate a = passage("", "", "", "", 0);
    const struct candidate *one = &a;
    struct query q = parsed("");
    double v[PAGE_FEATURES];
    struct page_reader r;

    (void)state;
    page_reader_init(&r, &q, 0);
    page_read(&r, &one, 1, v);
    assert_true(page_odds(v) > -100 && page_odds(v) < 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passages_add_up_in_any_order),
        cmocka_unit_test(a_list_of_changes_stands_behind_text),
        cmocka_unit_test(a_question_without_words_has_odds_too)};

    return cmocka_run_group_tests(tests, arena_up, arena_down);
}
