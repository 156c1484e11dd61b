/* Answers by their form: definitions, comparisons. */
#include "question/evidence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "questions.h"

static double evidence(const char *question, const char *text)
{
    struct query q = parsed(question);

    return evidence_of(&q, text, strlen(text));
}

static void definitions_are_told_from_mere_mentions(void **state)
{
    static const char question[] = "What is WAL mode?";
    static const char *const better[] = {
        "WAL mode is a way to keep a log of changes.",
        "WAL mode: A way to keep a log of changes.",
        "The WAL journaling mode uses a write-ahead log instead of a journal.",
        "This way to keep changes is called WAL mode."};
    static const char *const worse[] = {
        "Transitioning into WAL mode is like any other transaction.",
        "The persistence of WAL mode means that nothing is lost.",
        "WAL mode (of 2010) is a better solution to this problem."};

    (void)state;
    for (size_t i = 0; i < sizeof(better) / sizeof(better[0]); i++)
        for (size_t k = 0; k < sizeof(worse) / sizeof(worse[0]); k++)
            if (evidence(question, better[i]) <= evidence(question, worse[k]))
                fail_msg("%s <= %s", better[i], worse[k]);
}

static void comparisons_are_recognised_with_their_sides(void **state)
{
    static const struct {
        const char *text, *one, *other;
    } of[] = {{"What is the difference between WAL and the rollback journal in "
               "SQLite?",
               "WAL in SQLite", "rollback journal in SQLite"},
              {"jsonb vs json", "jsonb ", "json "},
              {"Is jsonb faster than json?", "jsonb ", "json "},
              {"Are rowid tables more compact than others?", "rowid tables ",
               "others "},
              {"How do FTS4 and FTS5 differ?", "FTS4 ", "FTS5 "}};
    struct query q;

    (void)state;
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        q = parsed(of[i].text);
        if (q.type != ANSWER_COMPARE || q.side_count != 2 ||
            strcmp(q.sides[0], of[i].one) != 0 ||
            strcmp(q.sides[1], of[i].other) != 0)
            fail_msg("%s: %zu \"%s\" \"%s\"", of[i].text, q.side_count,
                     q.side_count > 0 ? q.sides[0] : "",
                     q.side_count > 1 ? q.sides[1] : "");
    }
    q = parsed("How many more than 40 metres is it?");
    assert_int_equal(q.side_count, 0);
    q = parsed("Is there more than one?");
    assert_int_equal(q.side_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_are_told_from_mere_mentions),
        cmocka_unit_test(comparisons_are_recognised_with_their_sides)};

    return cmocka_run_group_tests(tests, arena_up, arena_down);
}
