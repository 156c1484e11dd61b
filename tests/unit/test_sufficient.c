/* When evidence is sufficient: its signs, and what strikes a sentence out. */
#include "answer/opposed.h"
#include "answer/sufficient.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "questions.h"

/* The signs of a passage's best sentence, and the confidence in it. */
static double signs_of(const char *question, const char *title,
                       const char *text, double v[SUFFICIENT_COUNT])
{
    struct ranked r = {.c = {.url = "http://a.example/",
                             .host = "a.example",
                             .title = title,
                             .heading = "",
                             .text = text,
                             .favicon = "",
                             .lang = "en",
                             .day = INT32_MIN},
                       .score = 1,
                       .coverage = 1};
    struct query q;
    struct pool pool;
    size_t best = 0;
    double sum;

    assert_int_equal(query_parse(question, &arena, &q), ERR_OK);
    assert_int_equal(pool_read(&pool, &q, &r, 1, &arena), ERR_OK);
    assert_true(pool.count > 0);
    for (size_t i = 1; i < pool.count; i++)
        if (pool.s[i].score > pool.s[best].score)
            best = i;
    sufficient_read(&q, &r.c, &pool.s[best], v);
    sum = sufficient_confidence(&q, &r.c, &pool.s[best]);
    free(pool.s);
    return sum;
}

static double confidence(const char *question, const char *text)
{
    double v[SUFFICIENT_COUNT];

    return signs_of(question, "", text, v);
}

static const char bridge[] =
    "The Garabit viaduct was built by Gustave Eiffel in 1884. It carries a "
    "railway over the river Truyère.";

static void what_holds_the_question_is_enough(void **state)
{
    (void)state;
    assert_true(confidence("Who built the Garabit viaduct?", bridge) > 0);
    assert_true(confidence("Garabit viaduct", bridge) > 0);
    assert_true(confidence("viaduct", bridge) > 0);
}

static void a_word_in_common_is_not(void **state)
{
    (void)state;
    assert_true(confidence("Which railway company ran the first sleeping "
                           "cars between Vienna and Trieste?",
                           bridge) < 0);
    assert_true(confidence("chocolate cake river recipe", bridge) < 0);
}

static void the_title_stands_above_what_it_heads(void **state)
{
    static const char text[] = "It was opened for traffic in November 1885.";
    double with[SUFFICIENT_COUNT], without[SUFFICIENT_COUNT];

    (void)state;
    assert_true(signs_of("When was Garabit opened?", "Garabit", text, with) >
                signs_of("When was Garabit opened?", "", text, without));
    assert_true(with[SUFFICIENT_MISSING] < 0.5);
    assert_true(without[SUFFICIENT_MISSING] > 0.5);
}

static void other_spellings_are_not_missing(void **state)
{
    static const struct {
        const char *question;
        double missing;
    } cases[] = {{"Who built the Garabitt viaduct?", 0},
                 {"Who built the Garabti viadukt?", 0},
                 {"Who built the Gorbachev viaduct?", 1},
                 {"Who built the Fades viaduct?", 1},
                 {"Has GE built a viaduct?", 0},
                 {"Has EG built a viaduct?", 1}};
    double v[SUFFICIENT_COUNT];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        signs_of(cases[i].question, "", bridge, v);
        assert_true(v[SUFFICIENT_MISSING] > cases[i].missing - 0.5 &&
                    v[SUFFICIENT_MISSING] < cases[i].missing + 0.5);
    }
}

static void a_question_for_a_person_wants_a_name(void **state)
{
    double v[SUFFICIENT_COUNT];

    (void)state;
    signs_of("Who built the viaduct?", "", bridge, v);
    assert_true(v[SUFFICIENT_UNTYPED] < 0.5 && v[SUFFICIENT_NOBODY] < 0.5);
    signs_of("Who built the viaduct?", "",
             "The viaduct was built in a very short time.", v);
    assert_true(v[SUFFICIENT_UNTYPED] > 0.5 && v[SUFFICIENT_NOBODY] > 0.5);
}

static void another_year_or_an_opposite_is_another_thing(void **state)
{
    static const char *const never[] = {
        "Who built the Garabit viaduct in 1848?",
        "Who never built the Garabit viaduct?",
        "Who built the Garabit viaduct without a railway?"};

    (void)state;
    for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
        assert_true(confidence(never[i], bridge) < 0);
}

static void reasons_and_ways_may_deny(void **state)
{
    static const char text[] =
        "The planner reads the whole table when the index would be slower, so "
        "a query may skip the index.";

    (void)state;
    assert_true(confidence("Why does a query not use the index?", text) > 0);
    assert_true(confidence("query without index", text) > 0);
    assert_true(confidence("What query does not use the index?", text) < 0);
}

/* --- opposed ------------------------------------------------------------- */

static void denials_are_found(void **state)
{
    static const struct {
        const char *question, *sentence;
        bool denies;
    } cases[] = {
        {"What was not destroyed?", "The city was destroyed.", true},
        {"What was not destroyed?", "The city was never destroyed.", false},
        {"What didn't they find?", "They found gold.", true},
        {"What lacks pistons?", "It has no pistons.", false},
        {"What is a non-Islamic movement?", "An Islamic movement.", true},
        {"What was destroyed?", "Nothing was destroyed.", false}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(opposed_denies(cases[i].question, cases[i].sentence,
                                        strlen(cases[i].sentence)),
                         cases[i].denies);
}

static void opposites_are_found(void **state)
{
    static const struct {
        const char *question, *sentence;
        bool opposed;
    } cases[] = {
        {"What do smaller drugs provoke?", "Larger drugs provoke it.", true},
        {"What do smaller drugs do?", "Smaller and larger ones do.", false},
        {"What do smaller drugs do?", "Little drugs do, big ones not.", false},
        {"Is it easier or harder?", "It is harder.", false},
        {"Who was civilized?", "They were uncivilized.", true},
        {"Who was uncivilized?", "They were civilized.", true},
        {"Who was not able?", "They were unable.", false},
        {"What information is new?", "The formation is new.", false},
        {"What came before the war?", "Peace came after the war.", true}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(opposed_words(cases[i].question, cases[i].sentence,
                                       strlen(cases[i].sentence)),
                         cases[i].opposed);
}

static void other_numbers_are_found(void **state)
{
    static const struct {
        const char *question, *sentence;
        bool other;
    } cases[] = {{"the 2002 act", "The 2012 act.", true},
                 {"the 2002 act", "The 2002 act, not that of 2012.", false},
                 {"the 2002 act", "An act of 12 pages.", false},
                 {"article 102", "Article 101 forbids it.", true},
                 {"page 12", "Page 13.", false},
                 {"the 1950s", "In the 1950s.", false},
                 {"act of parliament", "The 2012 act.", false}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct query q;

        assert_int_equal(query_parse(cases[i].question, &arena, &q), ERR_OK);
        assert_int_equal(
            opposed_number(&q, 0, cases[i].sentence, strlen(cases[i].sentence)),
            cases[i].other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_the_question_is_enough),
        cmocka_unit_test(a_word_in_common_is_not),
        cmocka_unit_test(the_title_stands_above_what_it_heads),
        cmocka_unit_test(other_spellings_are_not_missing),
        cmocka_unit_test(a_question_for_a_person_wants_a_name),
        cmocka_unit_test(another_year_or_an_opposite_is_another_thing),
        cmocka_unit_test(reasons_and_ways_may_deny),
        cmocka_unit_test(denials_are_found),
        cmocka_unit_test(opposites_are_found),
        cmocka_unit_test(other_numbers_are_found),
    };

    return cmocka_run_group_tests(tests, arena_up, arena_down);
}
