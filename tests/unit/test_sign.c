/* What a question writes in signs, and where a text holds it. */
#include "question/evidence.h"
#include "question/overlap.h"
#include "question/sign.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "questions.h"

/* Those of a text, each behind a blank. */
static const char *read(const char *text)
{
    static char out[512];
    struct str sign[6];
    size_t n = signs_read(text, sign, 6), at = 0;

    out[0] = '\0';
    for (size_t i = 0; i < n; i++)
        at += (size_t)snprintf(out + at, sizeof out - at, " %.*s",
                               (int)sign[i].n, sign[i].p);
    return out;
}

static void they_are_as_written(void **state)
{
    (void)state;
    assert_string_equal(read("Does fish support && and ||?"), " && ||");
    assert_string_equal(read("What does 2>&1 mean?"), " 2>&1");
    assert_string_equal(read("Is $? zero, and what is `$@`?"), " $? $@");
    assert_string_equal(read("What is $?"), " $?");
    assert_string_equal(read("when is set -e ignored, or --all."), " -e --all");
    assert_string_equal(read("Rc<T> or Box<T>: which? Rc<T>!"),
                        " Rc<T> Box<T>");
    assert_string_equal(read("link with :ref: in /etc/hosts"),
                        " :ref /etc/hosts");
    assert_string_equal(read("What does {% extends %} do in [[ ]]?"),
                        " {% extends %} [[ ]]");
    assert_string_equal(read("the ? operator"), " ?");
    assert_string_equal(read("a - b -- c / d & e ... (see below, e.g. it) 3.6"),
                        "");
    assert_string_equal(
        read("read/write well-known \xE2\x80\x9Cwords\xE2\x80\x9D?"), "");
    assert_string_equal(read(" "), "");
}

static bool holds(const char *text, const char *sign)
{
    return sign_find(str_of(sign), text, strlen(text)) != NULL;
}

static void they_stand_by_themselves(void **state)
{
    (void)state;
    assert_true(holds("make && make install", "&&"));
    assert_true(holds("a&&b", "&&"));
    assert_false(holds("a &&& b", "&&"));
    assert_true(holds("set -e fails", "-e"));
    assert_true(holds("use `-e`, or", "-e"));
    assert_false(holds("the command-e", "-e"));
    assert_false(holds("--e -ex -e-x", "-e"));
    assert_false(holds("--all-tags", "--all"));
    assert_true(holds("--all=x", "--all"));
    assert_true(holds("the \xE2\x80\x98?\xE2\x80\x99 operator", "?"));
    assert_true(holds("it is ?", "?"));
    assert_false(holds("Is it so?", "?"));
    assert_false(holds("Arc<T>", "rc<T>"));
    assert_false(holds("", "&&"));
}

static void one_that_is_found_is_a_term(void **state)
{
    struct query q = parsed("What is the difference between -e and -E of sed?");
    static const char text[] = "With -E it differs";
    struct overlap_hit hits[QUERY_TERMS_MAX];
    size_t n, tokens, before = q.term_count;

    (void)state;
    assert_int_equal(query_sign_add(&q, str_of("-e"), 0.5), ERR_OK);
    assert_int_equal(query_sign_add(&q, str_of("-E"), 0.7), ERR_OK);
    assert_int_equal(q.term_count, before + 2);
    assert_int_equal(q.signs, (uint64_t)3 << before);
    assert_true((q.names & q.signs) == q.signs);
    assert_true((q.side_terms[0] & q.signs) == (uint64_t)1 << before);
    assert_true((q.side_terms[1] & q.signs) == (uint64_t)2 << before);
    assert_true((overlap_mask(&q, text, strlen(text)) & q.signs) ==
                (uint64_t)2 << before);
    n = overlap_hits(&q, text, strlen(text), hits, QUERY_TERMS_MAX, &tokens);
    assert_true(n > 0);
    assert_int_equal(hits[0].term, before + 1);
    assert_int_equal(hits[0].at, 1);
    assert_int_equal(query_release(&q, 1), ERR_OK);
    assert_int_equal(q.signs, (uint64_t)3 << (before - 1));
}

/* What another operator is says nothing of this one. */
static void what_is_defined_is_held(void **state)
{
    static const char own[] = "The <<- operator is a way to assign.",
                      other[] = "The -> operator is a way to assign.";
    struct query q = parsed("What is the <<- operator?");

    (void)state;
    assert_int_equal(query_sign_add(&q, str_of("<<-"), 0.5), ERR_OK);
    assert_int_equal(q.type, ANSWER_DEFINITION);
    assert_true(evidence_of(&q, own, strlen(own)) > 0.5);
    assert_true(evidence_of(&q, other, strlen(other)) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_as_written),
        cmocka_unit_test(they_stand_by_themselves),
        cmocka_unit_test(one_that_is_found_is_a_term),
        cmocka_unit_test(what_is_defined_is_held)};

    return cmocka_run_group_tests(tests, arena_up, arena_down);
}
