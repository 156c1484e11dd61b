/* Products named in a question by the hosts of what is found. */
#include "find/named.h"
#include "question/overlap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "questions.h"

/* The words that name hosts among these, and how many hosts they name. */
static void named_are(const char *text, const char *const *hosts, size_t n,
                      const char *words, size_t host_count)
{
    struct candidate v[8] = {{0}};
    struct query q = parsed(text);
    struct named x;
    char got[200] = "";

    for (size_t i = 0; i < n; i++)
        v[i] = (struct candidate){
            .host = hosts[i], .title = "", .heading = "", .text = ""};
    assert_int_equal(named_read(&q, v, n, &arena, &x), ERR_OK);
    for (size_t i = 0; i < q.term_count; i++)
        if (x.terms >> i & 1) {
            strcat(got, " ");
            strcat(got, q.words[i]);
        }
    assert_string_equal(got, words);
    assert_int_equal(x.hosts.count, host_count);
}

static void a_label_is_a_name_or_its_beginning(void **state)
{
    static const char *const hosts[] = {"postgres.example.org",
                                        "docs.python.org", "git-scm.com"};

    (void)state;
    named_are("How do I do an upsert in PostgreSQL?", hosts, 3, " postgresql",
              1);
    named_are("How do I read a file in Python?", hosts, 3, " python", 1);
    named_are("undo the last commit in git", hosts, 3, " git", 1);
    named_are("git hooks written in Python", hosts, 3, " git python", 2);
    named_are("an example of a trigger", hosts, 3, "", 0);
    named_are("Emacs org mode docs", hosts, 3, "", 0);
    named_are("How do I commit?", hosts, 3, "", 0);
}

static void what_else_is_asked_stays(void **state)
{
    static const char *const hosts[] = {"sqlite.org", "postgresql.org",
                                        "git-scm.com"};
    static const char *const alike[] = {"a.acme.com", "b.acme.com",
                                        "c.acme.com"};
    static const char *const numbers[] = {"127.0.0.1"};

    (void)state;
    named_are("What is PostgreSQL?", hosts, 3, "", 0);
    named_are("PostgreSQL", hosts, 3, "", 0);
    named_are("What is a tablespace in PostgreSQL?", hosts, 3, " postgresql",
              1);
    named_are("What is the difference between SQLite and PostgreSQL?", hosts, 3,
              "", 0);
    named_are("Is a view or a table faster in PostgreSQL?", hosts, 3,
              " postgresql", 1);
    named_are("WAL mode versus rollback mode in PostgreSQL", hosts, 3,
              " postgresql", 1);
    named_are("PostgreSQL json vs jsonb", hosts, 3, " postgresql", 1);
    named_are("SQLite journal vs PostgreSQL log", hosts, 3, "", 0);
    /* A name of all of them tells nothing; of one site it does. */
    named_are("holidays at Acme", alike, 3, "", 0);
    named_are("holidays at Acme", alike, 1, " acme", 1);
    named_are("the year 127 in Rome", numbers, 1, "", 0);
}

static void a_page_meets_it_by_host_title_or_heading(void **state)
{
    struct candidate v[] = {
        {.host = "jira.acme.com", .title = "Start", .heading = "", .text = ""},
        {.host = "wiki.acme.com", .title = "Jira", .heading = "", .text = ""},
        {.host = "wiki.acme.com",
         .title = "",
         .heading = "A > Jira",
         .text = ""},
        {.host = "wiki.acme.com", .title = "", .heading = "", .text = "Jira"},
        {.host = "mail.acme.com", .title = "", .heading = "", .text = "Jira"}};
    struct query q = parsed("How do I get access to Jira?");
    struct named x;

    (void)state;
    assert_int_equal(named_read(&q, v, 5, &arena, &x), ERR_OK);
    assert_int_not_equal(x.terms, 0);
    assert_true(named_is_met(&x, &q, &v[0]));
    assert_true(named_is_met(&x, &q, &v[1]));
    assert_true(named_is_met(&x, &q, &v[2]));
    assert_false(named_is_met(&x, &q, &v[3]));
    assert_false(named_is_met(&x, &q, &v[4]));
}

static void terms_that_leave_take_nothing_along(void **state)
{
    struct query q =
        parsed("Which \"port\" does Postfix listen on in Debian 12?");
    struct query whole = q;
    uint64_t mask = 0;
    size_t n = q.term_count;

    (void)state;
    for (size_t i = 0; i < n; i++)
        if (strcmp(q.words[i], "postfix") == 0)
            mask = (uint64_t)1 << i;
    assert_int_not_equal(mask, 0);
    assert_int_equal(query_release(&q, mask), ERR_OK);
    assert_int_equal(q.term_count, n - 1);
    assert_int_equal(whole.term_count, n);
    for (size_t i = 0, k = 0; i < n; i++) {
        if (mask >> i & 1)
            continue;
        assert_string_equal(q.words[k], whole.words[i]);
        assert_string_equal(q.terms[k].text, whole.terms[i].text);
        assert_int_equal(q.names >> k & 1, whole.names >> i & 1);
        assert_int_equal(q.focus == k, whole.focus == i);
        k++;
    }
}

/* "Postfix null client" asks what a null client is, of Postfix. */
static void what_leaves_is_no_part_of_what_is_defined(void **state)
{
    struct query q = parsed("What is a Postfix null client?");

    (void)state;
    assert_string_equal(q.subject, "Postfix null client");
    assert_int_equal(query_release(&q, 1), ERR_OK);
    assert_string_equal(q.subject, "null client");
    q = parsed("Postfix relay vs submission");
    assert_int_equal(query_release(&q, 1), ERR_OK);
    assert_string_equal(q.sides[0], "relay");
    q = parsed("git fetch vs git pull");
    assert_int_equal(query_release(&q, 1), ERR_OK);
    assert_string_equal(q.sides[0], "git fetch");
    q = parsed("Postfix null client");
    assert_int_equal(q.type, ANSWER_ANY);
    assert_int_equal(query_release(&q, 1), ERR_OK);
    assert_int_equal(q.type, ANSWER_DEFINITION);
    assert_string_equal(q.subject, "null client");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_label_is_a_name_or_its_beginning),
        cmocka_unit_test(what_else_is_asked_stays),
        cmocka_unit_test(a_page_meets_it_by_host_title_or_heading),
        cmocka_unit_test(terms_that_leave_take_nothing_along),
        cmocka_unit_test(what_leaves_is_no_part_of_what_is_defined)};

    return cmocka_run_group_tests(tests, arena_up, arena_down);
}
