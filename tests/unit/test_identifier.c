/* Names as a question writes them. */
#include "question/identifier.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Those of a text, each behind a bar. */
static const char *read(const char *text)
{
    static char out[512];
    struct str name[4];
    size_t n = identifiers_read(text, name, 4), at = 0;

    out[0] = '\0';
    for (size_t i = 0; i < n; i++)
        at += (size_t)snprintf(out + at, sizeof out - at, "|%.*s",
                               (int)name[i].n, name[i].p);
    return out;
}

static void they_are_as_written(void **state)
{
    (void)state;
    assert_string_equal(read("What does `work_mem` do?"), "|work_mem");
    assert_string_equal(read("does git push --force-with-lease=x help"),
                        "|--force-with-lease");
    assert_string_equal(read("Which error has list.sort(), RowStore or .dump?"),
                        "|list.sort|RowStore|.dump");
    assert_string_equal(read("std::move -v a_b c_d e_f"),
                        "|std::move|a_b|c_d|e_f");
    assert_string_equal(read("I use it, e.g. on Monday. And 3.11 or -- ? WAL"),
                        "");
    assert_string_equal(read(""), "");
    assert_string_equal(read("___ ... --- :::"), "");
}

static void they_end_where_a_name_ends(void **state)
{
    struct str name = {"work_mem", 8};

    (void)state;
    assert_true(identifier_in(name, "set work_mem to", 15));
    assert_true(identifier_in(name, "hash_work_mem", 13));
    assert_false(identifier_in(name, "work_memory", 11));
    assert_true(identifier_in(name, "work_memory, work_mem", 21));
    assert_false(identifier_in(name, "work_me", 7));
    assert_false(identifier_in(name, "", 0));
}

/* "read-only" is a word as long as nothing is called so. */
static void what_a_question_names_is_called_so(void **state)
{
    static const struct {
        const char *text, *called;
        bool is;
    } cases[] = {
        {"What does work_mem do?", "work_mem (integer)", true},
        {"What does work_mem do?", "2.1 $work_mem", true},
        {"What does work_mem do?", "work_mem_limit", false},
        {"What does work_mem do?", "work_mem and others", false},
        {"What does work_mem do?", "Setting work_mem", false},
        {"when is --all used", "--all=PATTERN", true},
        {"default of enable-toggle?", "enable-toggle", true},
        {"default of enable-toggle?", "enable-toggle-off", false},
        {"Is a read-only file left alone?", "Read-only files", false},
        {"Is a read-only file left alone?", "A read-only file", false},
        {"How is a valve closed?", "valve", false}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (identifier_heads(cases[i].text, cases[i].called,
                             strlen(cases[i].called)) != cases[i].is)
            fail_msg("%s: %s", cases[i].text, cases[i].called);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_as_written),
        cmocka_unit_test(they_end_where_a_name_ends),
        cmocka_unit_test(what_a_question_names_is_called_so)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
