/* Answers by their form: definitions, steps, lists, comparisons, tables. */
#include "answer/answer.h"
#include "question/evidence.h"

#include "base/date.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "cited_text.h"
#include "questions.h"

/* A passage of page 1, the seq-th. */
static struct ranked passage(int64_t seq, const char *heading, const char *text,
                             double score)
{
    struct ranked r = {.c = {.passage = seq + 1,
                             .page = 1,
                             .seq = seq,
                             .url = "https://manual.example/1",
                             .host = "manual.example",
                             .title = "",
                             .heading = heading,
                             .text = text,
                             .favicon = "",
                             .lang = "en",
                             .day = DAY_NONE},
                       .score = score,
                       .coverage = 1};

    return r;
}

/* The answer with its markers. */
static const char *answered(const char *question, const struct ranked *r,
                            size_t n)
{
    struct query q = parsed(question);
    struct answer_draft d = {.sentences = NULL};
    struct source *sources = NULL;
    size_t count = 0;
    const char *text = NULL;

    assert_int_equal(answer_extract(&q, r, n, 4, &arena, &d), ERR_OK);
    assert_int_equal(
        answer_render(&d, r, n, true, &arena, &text, &sources, &count), ERR_OK);
    return text;
}

static void assert_starts(const char *text, const char *want)
{
    if (strncmp(text, want, strlen(want)) != 0)
        fail_msg("%s", text);
}

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

static void a_row_states_what_its_header_names(void **state)
{
    static const struct {
        const char *question, *row;
        bool states;
    } of[] = {
        {"What is the storage size of bigint?",
         "Name: bigint | Storage Size: 8 bytes | Range: large", true},
        {"What is the storage size of bigint?",
         "Name: smallint | Storage Size: 2 bytes | Range: small", false},
        {"How many columns can a table have?",
         "Item: columns per table | Upper Limit: 1600", true},
        {"How many columns can a table have?",
         "Item: columns per table | Upper Limit: unlimited", false},
        {"What is the alias of double precision?",
         "Name: double precision | Aliases: float8", true},
        {"When was the company founded?", "Founded: 1998", true},
        {"When was the company founded?", "Founded: by two brothers", false},
        {"When was the company founded?", "Note: 1998", false}};

    (void)state;
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct query q = parsed(of[i].question);
        double e = evidence_row(&q, of[i].row, strlen(of[i].row));

        if ((e >= 0.4) != of[i].states)
            fail_msg("%s: %.2f", of[i].row, e);
    }
}

static void a_row_answers(void **state)
{
    struct ranked r[] = {
        passage(0, "Numeric Types",
                "Integers are the usual choice for the storage size they need. "
                "Attempts to store larger values are errors.\n"
                "Name: smallint | Storage Size: 2 bytes\n"
                "Name: bigint | Storage Size: 8 bytes",
                1)};

    (void)state;
    assert_starts(answered("What is the storage size of bigint?", r, 1),
                  "Name: bigint | Storage Size: 8 bytes [1]");
}

static void an_entrys_label_is_its_subject(void **state)
{
    struct ranked r[] = {passage(
        0, "Memory",
        "sort_mem (integer): The memory for sorting. The default is 4 MB.\n"
        "index_sort_mem (integer): The same for indexes. The default of "
        "sort_mem is taken when it is 64 MB or less.",
        1)};

    (void)state;
    assert_starts(answered("What is the default of sort_mem?", r, 1),
                  "The default is 4 MB. [1]");
}

static void a_list_is_answered_by_its_items(void **state)
{
    struct ranked r[] = {
        passage(3, "Overview",
                "Partitions are of use when tables are large. The manual "
                "knows the following forms of partitioning:",
                1),
        passage(4, "Overview",
                "Range Partitioning: The table is cut by ranges.\n"
                "It never overlaps.\n"
                "List Partitioning: The table is cut by values.\n"
                "Hash Partitioning: The table is cut by remainders.",
                0),
        passage(5, "Limits", "Size Limits: There are some.", 0)};

    (void)state;
    assert_string_equal(
        answered("What are the forms of partitioning?", r, 3),
        "The manual knows the following forms of partitioning:\n\n"
        "- Range Partitioning\n- List Partitioning\n"
        "- Hash Partitioning [1]");
}

static void announced_items_are_counted(void **state)
{
    struct ranked r[] = {
        passage(0, "Locking",
                "A file can be in one of two locking states:\n"
                "UNLOCKED\nNo locks are held on it.\n"
                "SHARED\nThe file may be read but not written.\n"
                "Notes\nNothing more is said about locking here.",
                1)};

    (void)state;
    assert_string_equal(
        answered("What are the locking states of a file?", r, 1),
        "A file can be in one of two locking states:\n\n"
        "- UNLOCKED\n- SHARED [1]");
}

static void a_table_is_a_list_of_its_first_cells(void **state)
{
    struct ranked r[] = {passage(0, "",
                                 "Table 8.21. Network Address Types\n"
                                 "Name: cidr | Size: 7 bytes\n"
                                 "Name: inet | Size: 7 bytes\n"
                                 "Name: macaddr | Size: 6 bytes",
                                 1)};

    (void)state;
    if (strstr(answered("Which network address types are there?", r, 1),
               "- cidr\n- inet\n- macaddr [1]") == NULL)
        fail_msg("%s",
                 answered("Which network address types are there?", r, 1));
}

static void steps_bring_their_commands_as_they_stand(void **state)
{
    struct ranked r[] = {
        passage(0, "Indexes",
                "Indexes make queries fast. To create an index without locking "
                "the table, use this command:\n"
                "CREATE INDEX CONCURRENTLY name ON table (column);\n"
                "The index is then built in two scans of the table.",
                1)};

    (void)state;
    if (strstr(answered("How do I create an index without locking the table?",
                        r, 1),
               "use this command:\n\n```\n"
               "CREATE INDEX CONCURRENTLY name ON table (column);\n"
               "```\n\n[1]") == NULL)
        fail_msg("%s",
                 answered("How do I create an index without locking the table?",
                          r, 1));
}

/* Listings come whole, with their breaks and indents, and nothing is put into
 * them. */
static void a_listing_is_quoted_as_it_stands(void **state)
{
    static const struct {
        const char *question, *before, *code, *behind;
    } of[] = {
        {"How do I list all tables in an SQLite database?",
         "To list all tables in an SQLite database, use the following SELECT "
         "command:",
         "SELECT name FROM sqlite_schema\nWHERE type='table'\n"
         "ORDER BY name;",
         "For indices the type is another one, as the manual says."},
        {"How do I read a CSV file in Python?",
         "The simplest example of reading a CSV file in Python:",
         "import csv\nwith open('some.csv', newline='') as f:\n"
         "    reader = csv.reader(f)\n    for row in reader:\n"
         "        print(row)",
         "Reading a file with an alternate format:\nimport csv\n"
         "with open('passwd', newline='') as f:\n    pass"},
        {"How do I write a loop over a dictionary in Python?",
         "To write a loop over a dictionary in Python, use the items method:",
         "knights = {'gallahad': 'the pure'}\n\n"
         "for k, v in knights.items():\n    print(k, v)\n\n"
         "else:\n    print('done')",
         "The loop stops when there are no more items in the dictionary."},
        {"How do I install the package on Debian?",
         "To install the package on Debian, type these commands:",
         "$ sudo apt-get update\n$ sudo apt-get install -y cited\n"
         "# systemctl start cited",
         "The service is then running and asks for nothing else."},
        {"How do I configure the web service with compose?",
         "To configure the web service with compose, write this file:",
         "services:\n  web:\n    image: nginx\n    ports:\n      - 80",
         "The service is then reachable from every other machine."},
        {"How do I print a table in the interpreter?",
         "To print a table in the interpreter, call print on it:",
         ">>> print(table)\nHello\n>>> table[1][2]\n4",
         "The interpreter then shows the table as it was printed before."},
    };

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        const char *text = arena_printf(&arena, "%s\n%s\n%s", of[i].before,
                                        of[i].code, of[i].behind);
        struct ranked r[] = {passage(0, "", text, 1)};
        const char *answer = answered(of[i].question, r, 1);
        const char *want = arena_printf(&arena, "%s\n\n```\n%s\n```\n\n[1]",
                                        of[i].before, of[i].code);

        if (strstr(answer, want) == NULL)
            fail_msg("%s", answer);
        assert_verbatim(answer, &text, 1);
    }
}

static void steps_are_items_on_lines_of_their_own(void **state)
{
    static const char text[] =
        "To change the oil of the engine, take these steps:\n"
        "Let the engine run for ten minutes and stop it.\n"
        "Open the drain plug and let all the oil run out.\n"
        "Close the plug and fill in the new oil.\n"
        "These notes were last changed in the spring of the year:\n"
        "nothing else is known about it.";
    const char *page = text;
    struct ranked r[] = {passage(0, "", text, 1)};
    const char *answer =
        answered("How do I change the oil of the engine?", r, 1);

    (void)state;
    if (strstr(answer, "these steps:\n\n"
                       "- Let the engine run for ten minutes and stop it.\n"
                       "- Open the drain plug and let all the oil run out.\n"
                       "- Close the plug and fill in the new oil. [1]") == NULL)
        fail_msg("%s", answer);
    assert_verbatim(answer, &page, 1);
}

static void both_sides_of_a_comparison_are_named(void **state)
{
    static const char *const questions[] = {
        "What is the difference between merging and rebasing a branch?",
        "merging versus rebasing a branch"};
    struct ranked r[] = {
        passage(0, "",
                "Merging a branch records the point where two histories meet. "
                "A branch can be merged again later.",
                1),
        passage(1, "",
                "Rebasing a branch replays its commits on top of another one. "
                "The commits get new names.",
                0.5)};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const char *text = answered(questions[i], r, 2);

        if (strstr(text, "Merging a branch records") == NULL ||
            strstr(text, "Rebasing a branch replays") == NULL)
            fail_msg("%s", text);
    }
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
        cmocka_unit_test(a_row_states_what_its_header_names),
        cmocka_unit_test(a_row_answers),
        cmocka_unit_test(an_entrys_label_is_its_subject),
        cmocka_unit_test(a_list_is_answered_by_its_items),
        cmocka_unit_test(announced_items_are_counted),
        cmocka_unit_test(a_table_is_a_list_of_its_first_cells),
        cmocka_unit_test(steps_bring_their_commands_as_they_stand),
        cmocka_unit_test(a_listing_is_quoted_as_it_stands),
        cmocka_unit_test(steps_are_items_on_lines_of_their_own),
        cmocka_unit_test(both_sides_of_a_comparison_are_named),
        cmocka_unit_test(comparisons_are_recognised_with_their_sides)};

    return cmocka_run_group_tests(tests, arena_up, arena_down);
}
