/* Questions into sub-questions: tables of what is asked and what is planned. */
#include "research/parts.h"
#include "research/plan.h"
#include "research/topic.h"
#include "question/compare.h"
#include "reading/repeat.h"

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
    arena_init(&arena, 64 << 20);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_fini(&arena);
    return 0;
}

static struct plan plan_of(const char *question, enum research_mode mode,
                           size_t max)
{
    struct query q;
    struct plan p;

    assert_int_equal(query_parse(question, &arena, &q), ERR_OK);
    assert_int_equal(plan_make(&q, mode, max, &arena, &p), ERR_OK);
    return p;
}

static void assert_plan(const struct plan *p, const char *const *wanted)
{
    size_t n = 0;

    for (; wanted[n] != NULL; n++) {
        if (n >= p->count)
            fail_msg("\"%s\" is missing", wanted[n]);
        assert_string_equal(p->subs[n].question, wanted[n]);
    }
    assert_int_equal(p->count, n);
}

static void a_comparison_is_members_times_aspects(void **state)
{
    static const char *const wanted[] = {
        "What is WAL mode in SQLite?",
        "What is rollback journal in SQLite?",
        "What are the differences between WAL mode and rollback journal in "
        "SQLite?",
        "What are the advantages and disadvantages of WAL mode in SQLite?",
        "What are the advantages and disadvantages of rollback journal in "
        "SQLite?",
        "Should WAL mode or rollback journal be used in SQLite?",
        NULL};
    struct plan p = plan_of(
        "Compare WAL mode versus rollback journal in SQLite", MODE_AUTO, 6);

    (void)state;
    assert_plan(&p, wanted);
    assert_int_equal(p.mode, MODE_RESEARCH);
    assert_string_equal(p.subs[0].title, "WAL mode");
    assert_string_equal(p.subs[1].title, "Rollback journal");
    assert_string_equal(p.subs[2].title, "Differences");
    assert_string_equal(p.subs[0].topic, "WAL mode");
    assert_string_equal(p.subs[2].topic, "WAL mode and rollback journal");
    assert_false(p.open);
}

static void a_small_budget_keeps_what_matters_most(void **state)
{
    static const char *const wanted[] = {
        "What is A in C?", "What is B in C?",
        "What are the differences between A and B in C?", NULL};
    struct plan p = plan_of("Compare A with B in C", MODE_RESEARCH, 3);

    (void)state;
    assert_plan(&p, wanted);
}

static void comparisons_are_recognised_in_many_wordings(void **state)
{
    static const struct {
        const char *text, *first, *last, *context;
        size_t count;
    } of[] = {
        {"Compare WAL mode versus rollback journal in SQLite", "WAL mode",
         "rollback journal", "in SQLite", 2},
        {"compare PostgreSQL, MySQL and SQLite for small sites", "PostgreSQL",
         "SQLite", "for small sites", 3},
        {"What is the difference between TCP and UDP?", "TCP", "UDP", "", 2},
        {"REST vs. GraphQL", "REST", "GraphQL", "", 2},
        {"How do mutexes and semaphores differ?", "mutexes", "semaphores", "",
         2},
        {"How does nginx compare to Apache?", "nginx", "Apache", "", 2},
        {"Which is better: cats or dogs?", "cats", "dogs", "", 2},
        {"In Rust, compare Box with Rc", "Box", "Rc", "In Rust", 2},
        {"Differences between a list and a tuple in Python", "list", "tuple",
         "in Python", 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct comparison c;
        struct str last;

        if (!compare_find(str_of(of[i].text), &c))
            fail_msg("no comparison: %s", of[i].text);
        assert_int_equal(c.count, of[i].count);
        last = c.member[c.count - 1];
        if (!str_eq(c.member[0], of[i].first) || !str_eq(last, of[i].last) ||
            !str_eq(c.context, of[i].context))
            fail_msg("%s: \"%.*s\" \"%.*s\" \"%.*s\"", of[i].text,
                     (int)c.member[0].n, c.member[0].p, (int)last.n, last.p,
                     (int)c.context.n, c.context.p);
    }
}

static void what_only_looks_like_a_comparison_is_none(void **state)
{
    static const char *const of[] = {"What is the capital of France?",
                                     "pros and cons of nuclear power",
                                     "versus",
                                     "compare",
                                     "Is it better to sleep early?",
                                     "",
                                     " vs ",
                                     "Who won the case Marbury",
                                     NULL};

    (void)state;
    for (size_t i = 0; of[i] != NULL; i++) {
        struct comparison c;

        if (compare_find(str_of(of[i]), &c))
            fail_msg("a comparison: %s", of[i]);
    }
}

static void parts_joined_by_and_stand_by_themselves(void **state)
{
    static const char *const wanted[] = {"Who designed Fortran",
                                         "when was Fortran first released",
                                         "why is Fortran's syntax odd?", NULL};
    struct plan p = plan_of("Who designed Fortran, when was it first released, "
                            "and why is its syntax odd?",
                            MODE_AUTO, 6);

    (void)state;
    assert_plan(&p, wanted);
    assert_int_equal(p.mode, MODE_RESEARCH);
}

static void several_sentences_that_ask_are_several_parts(void **state)
{
    static const char *const wanted[] = {"What is a mutex?",
                                         "How do I release mutex?", NULL};
    struct plan p =
        plan_of("What is a mutex? How do I release it?", MODE_AUTO, 6);

    (void)state;
    assert_plan(&p, wanted);
}

static void what_explains_stays_with_the_one_that_asks(void **state)
{
    struct plan p = plan_of("I have a small site. Which server should I run?",
                            MODE_ANSWER, 6);

    (void)state;
    assert_int_equal(p.count, 1);
    assert_string_equal(p.subs[0].question,
                        "I have a small site. Which server should I run?");
}

static void an_enumeration_is_one_part_for_each_item(void **state)
{
    static const char *const wanted[] = {
        "What are triggers in SQLite?", "What are views in SQLite?",
        "What are virtual tables in SQLite?", NULL};
    struct plan p = plan_of("Explain triggers, views and virtual tables in "
                            "SQLite",
                            MODE_AUTO, 6);

    (void)state;
    assert_plan(&p, wanted);
    assert_string_equal(p.subs[2].title, "Virtual tables");
}

static void one_fact_is_answered_and_not_reported_on(void **state)
{
    struct plan p =
        plan_of("What is the maximum size of a file?", MODE_AUTO, 6);

    (void)state;
    assert_int_equal(p.mode, MODE_ANSWER);
    assert_int_equal(p.count, 1);
    assert_int_equal(p.lead, 0);
    assert_false(p.open);
}

static void a_single_open_question_gets_a_definition(void **state)
{
    static const char *const wanted[] = {
        "What is WAL mode?", "How does WAL mode work in SQLite?", NULL};
    struct plan p = plan_of("How does WAL mode work in SQLite?", MODE_AUTO, 6);

    (void)state;
    assert_plan(&p, wanted);
    assert_int_equal(p.mode, MODE_INVESTIGATE);
    assert_int_equal(p.lead, 1);
    assert_true(p.open);
    assert_string_equal(p.subject, "WAL mode");
}

static void aspects_come_from_headings_that_say_something(void **state)
{
    static const char *const headings[] = {"Write-Ahead Logging > 1. Overview",
                                           "A > 2.1 Checkpointing",
                                           "",
                                           "A > 2.1 Checkpointing",
                                           "WAL mode",
                                           "2010-07-21 - Version 3.7",
                                           "A > Backwards Compatibility",
                                           "A > Read-Only Databases"};
    static const char *const wanted[] = {
        "What is WAL mode?", "How does WAL mode work in SQLite?",
        "WAL mode: Checkpointing", "WAL mode: Backwards Compatibility", NULL};
    struct query q;
    struct plan p;

    (void)state;
    assert_int_equal(
        query_parse("How does WAL mode work in SQLite?", &arena, &q), ERR_OK);
    assert_int_equal(plan_make(&q, MODE_AUTO, 6, &arena, &p), ERR_OK);
    assert_int_equal(plan_add_aspects(&p, &q, headings,
                                      sizeof headings / sizeof headings[0], 4,
                                      &arena),
                     ERR_OK);
    assert_plan(&p, wanted);
    assert_int_equal(p.lead, 1);
}

static void a_plan_is_never_empty_nor_above_its_bound(void **state)
{
    static const char *const of[] = {
        "x",
        "?",
        "and",
        "versus",
        "a, b, c, d, e, f, g, h, i and j",
        "compare",
        "What? Who? When? Where? Why? How? Which? Whose? What x?",
        "compare a with b. compare c with d. compare e with f.",
        "\xE4\xBB\x80\xE4\xB9\x88\xE6\x98\xAF WAL",
        "who, and what, and when, and where, and why, and how, and which, and "
        "who else",
        NULL};

    (void)state;
    for (size_t i = 0; of[i] != NULL; i++)
        for (size_t max = 1; max <= PLAN_SUBS_MAX; max++) {
            struct plan p = plan_of(of[i], MODE_RESEARCH, max);

            if (p.count == 0 || p.count > max)
                fail_msg("%s: %zu of %zu", of[i], p.count, max);
            for (size_t k = 0; k < p.count; k++)
                assert_true(p.subs[k].question[0] != '\0' &&
                            p.subs[k].title[0] != '\0');
        }
}

static void a_very_long_question_is_cut_at_a_character(void **state)
{
    char text[8001];
    struct plan p;

    (void)state;
    for (size_t i = 0; i + 1 < sizeof text; i += 2)
        memcpy(text + i, "\xC3\xA4", 2);
    text[8000] = '\0';
    p = plan_of(text, MODE_AUTO, 6);
    assert_in_range(strlen(p.subs[0].question), 1, PLAN_TEXT_MAX);
    assert_true(utf8_valid(p.subs[0].question, strlen(p.subs[0].question)));
}

static void a_subject_is_the_longest_name(void **state)
{
    static const char *const of[][2] = {
        {"How does SQLite implement atomic commit?", "atomic commit"},
        {"What is the capital of Mongolia?", "capital of Mongolia"},
        {"Who wrote SQLite?", "SQLite"},
        {"what is it", ""},
        {"Explain the write-ahead log", "write-ahead log"}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct str s = parts_subject(str_of(of[i][0]));

        if (!str_eq(s, of[i][1]))
            fail_msg("%s: \"%.*s\"", of[i][0], (int)s.n, s.p);
    }
}

static void sentences_repeat_by_words_and_numbers(void **state)
{
    static const char first[] = "The largest database holds 281 terabytes.";
    static const struct {
        const char *second;
        bool repeats;
    } of[] = {{"The largest database holds 281 terabytes.", true},
              {"A database holds at largest 281 terabytes.", true},
              {"The largest database holds 140 terabytes.", false},
              {"The largest database holds much.", true},
              {"Pages have 4096 bytes each by default.", false},
              {"", false}};
    struct same_print a, b;

    (void)state;
    same_read(&a, first, strlen(first));
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        same_read(&b, of[i].second, strlen(of[i].second));
        if (same_repeats(&a, &b) != of[i].repeats)
            fail_msg("%s", of[i].second);
    }
}

static void a_topic_wants_most_of_its_words(void **state)
{
    struct candidate c = {.text = "The journal is deleted.",
                          .heading = "Rollback",
                          .title = "Files"};
    struct topic t;

    (void)state;
    topic_read(&t, "the rollback journal");
    assert_int_equal(t.count, 2);
    assert_true(topic_is_of(&t, &c));
    c.heading = "Commit";
    assert_false(topic_is_of(&t, &c));
    assert_true(topic_touches(&t, "Journals are files.", &c));
    assert_false(topic_touches(&t, "Pages are blocks.", &c));
    topic_read(&t, "");
    assert_true(topic_is_of(&t, &c));
    assert_true(topic_touches(&t, "anything", &c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comparison_is_members_times_aspects),
        cmocka_unit_test(a_small_budget_keeps_what_matters_most),
        cmocka_unit_test(comparisons_are_recognised_in_many_wordings),
        cmocka_unit_test(what_only_looks_like_a_comparison_is_none),
        cmocka_unit_test(parts_joined_by_and_stand_by_themselves),
        cmocka_unit_test(several_sentences_that_ask_are_several_parts),
        cmocka_unit_test(what_explains_stays_with_the_one_that_asks),
        cmocka_unit_test(an_enumeration_is_one_part_for_each_item),
        cmocka_unit_test(one_fact_is_answered_and_not_reported_on),
        cmocka_unit_test(a_single_open_question_gets_a_definition),
        cmocka_unit_test(aspects_come_from_headings_that_say_something),
        cmocka_unit_test(a_plan_is_never_empty_nor_above_its_bound),
        cmocka_unit_test(a_very_long_question_is_cut_at_a_character),
        cmocka_unit_test(a_subject_is_the_longest_name),
        cmocka_unit_test(sentences_repeat_by_words_and_numbers),
        cmocka_unit_test(a_topic_wants_most_of_its_words),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
