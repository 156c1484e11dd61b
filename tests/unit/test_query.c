/* A question taken apart: guidance, terms, names, phrases, answer types. */
#include "question/overlap.h"
#include "question/parts.h"
#include "question/pointed.h"
#include "question/query.h"

#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "questions.h"

static bool has_word(const struct query *q, const char *z)
{
    for (size_t i = 0; i < q->term_count; i++)
        if (strcmp(q->words[i], z) == 0)
            return true;
    return false;
}

static bool is_named(const struct query *q, const char *z)
{
    for (size_t i = 0; i < q->term_count; i++)
        if (strcmp(q->words[i], z) == 0)
            return q->names >> i & 1;
    return false;
}

static void a_question_gets_its_answer_type(void **state)
{
    static const struct {
        const char *q;
        enum answer_type t;
    } cases[] = {
        {"What is the maximum size of an SQLite database file?", ANSWER_NUMBER},
        {"How many columns may a table have?", ANSWER_NUMBER},
        {"how large can a blob be", ANSWER_NUMBER},
        {"What percentage of girls go to school?", ANSWER_NUMBER},
        {"max size of the scrollback history in kitty", ANSWER_NUMBER},
        {"default ospf interface cost in bird", ANSWER_NUMBER},
        {"minimum number of devices for raid 5", ANSWER_NUMBER},
        {"tornado message size default", ANSWER_NUMBER},
        {"maximum message size exceeded", ANSWER_ANY},
        {"I set the maximum size to 8192; is that valid?", ANSWER_ANY},
        {"sizes of integer types", ANSWER_LIST},
        {"default ciphers for sessions", ANSWER_LIST},
        {"writing a driver: how long may a poll take?", ANSWER_NUMBER},
        {"my inserts crawl along, why is that?", ANSWER_REASON},
        {"the line that says how long a poll may take", ANSWER_ANY},
        {"Who wrote Hamlet?", ANSWER_PERSON},
        {"Who is the chair of the IPCC?", ANSWER_PERSON},
        {"Who was Ada Lovelace?", ANSWER_DEFINITION},
        {"Whose idea was it?", ANSWER_PERSON},
        {"When was SQLite first released?", ANSWER_DATE},
        {"In what year did Tesla die?", ANSWER_DATE},
        {"In which century was the cathedral built?", ANSWER_DATE},
        {"Where is the Eiffel Tower?", ANSWER_PLACE},
        {"What country is Warsaw in?", ANSWER_PLACE},
        {"What is WAL mode?", ANSWER_DEFINITION},
        {"What does WAL stand for?", ANSWER_DEFINITION},
        {"What does fsync mean?", ANSWER_DEFINITION},
        {"define photosynthesis", ANSWER_DEFINITION},
        {"How do I back up a database?", ANSWER_HOWTO},
        {"how to vacuum", ANSWER_HOWTO},
        {"Why is the sky blue?", ANSWER_REASON},
        {"What causes tides?", ANSWER_REASON},
        {"I made an index but it is never used. Why?", ANSWER_REASON},
        {"a query says 2 but all() gives one object, how come", ANSWER_REASON},
        {"reason the log is kept in memory", ANSWER_REASON},
        {"What is the purpose of the journal?", ANSWER_DEFINITION},
        {"Is SQLite thread-safe?", ANSWER_YESNO},
        {"Does SQLite support right joins?", ANSWER_YESNO},
        {"could not open the file: permission denied", ANSWER_ANY},
        {"Is not SQLite a server?", ANSWER_YESNO},
        {"Which types does SQLite have?", ANSWER_LIST},
        {"What are the limits of SQLite?", ANSWER_NUMBER},
        {"What are the advantages of WAL?", ANSWER_LIST},
        {"list the journal modes", ANSWER_LIST},
        {"which file does git keep", ANSWER_ANY},
        {"possible values for journal_mode", ANSWER_LIST},
        {"output formats of the shell", ANSWER_LIST},
        {"What storage classes exist?", ANSWER_LIST},
        {"archive areas", ANSWER_LIST},
        {"What happens if the disk is full?", ANSWER_ANY},
        {"what comes first", ANSWER_ANY},
        {"foreign keys", ANSWER_DEFINITION},
        {"stable, testing or unstable", ANSWER_ANY},
        {"4.5.0 system user names", ANSWER_ANY},
        {"disable core dumps", ANSWER_HOWTO},
        {"undo the last commit", ANSWER_HOWTO},
        {"I want to change the font of a cell", ANSWER_HOWTO},
        {"tests fail now: how to find the guilty change?", ANSWER_HOWTO},
        {"start a program and catch what it prints", ANSWER_HOWTO},
        {"What is the difference between WAL and rollback?", ANSWER_COMPARE},
        {"WAL vs rollback journal", ANSWER_COMPARE},
        {"compare WAL with rollback", ANSWER_COMPARE},
        {"how is json different from jsonb", ANSWER_COMPARE},
        {"could you list the journal modes", ANSWER_LIST},
        {"Can you tell me how to vacuum a table?", ANSWER_HOWTO},
        {"Can you use SQLite over a network?", ANSWER_YESNO},
        {"sqlite wal checkpoint", ANSWER_ANY},
        {"How was Sadat rewarded?", ANSWER_ANY},
        {"", ANSWER_ANY},
        {"???", ANSWER_ANY},
        {"what", ANSWER_ANY},
        {"how", ANSWER_ANY},
        {"who is", ANSWER_PERSON}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct query q = parsed(cases[i].q);

        if (q.type != cases[i].t)
            print_message("%s: %d\n", cases[i].q, (int)q.type);
        assert_int_equal(q.type, cases[i].t);
    }
}

static void a_definition_has_its_subject(void **state)
{
    (void)state;
    assert_string_equal(parsed("What is WAL mode?").subject, "WAL mode");
    assert_string_equal(parsed("What is a B-tree?").subject, "B-tree");
    assert_string_equal(parsed("What does WAL stand for?").subject, "WAL");
    assert_string_equal(parsed("Who was Ada Lovelace?").subject,
                        "Ada Lovelace");
    assert_string_equal(parsed("define the page cache").subject, "page cache");
    assert_string_equal(parsed("difference between WAL and DELETE").subject,
                        "WAL and DELETE");
    assert_string_equal(parsed("sqlite").subject, "sqlite");
    assert_string_equal(parsed("What's a pivot table in Calc?").subject,
                        "pivot table");
    assert_string_equal(parsed("whats a virtual package").subject,
                        "virtual package");
    assert_string_equal(parsed("What is meant by grace mode?").subject,
                        "grace mode");
    assert_string_equal(parsed("mvcc meaning").subject, "mvcc");
    assert_string_equal(parsed("explain grace mode to me").subject,
                        "grace mode");
    assert_string_equal(
        parsed("Please explain the concept of a savepoint.").subject,
        "savepoint");
    assert_string_equal(parsed("How would you define a rowid?").subject,
                        "rowid");
    assert_string_equal(parsed("What kind of thing is a VMOD?").subject,
                        "VMOD");
    assert_string_equal(parsed("milter, what does that mean").subject,
                        "milter");
    assert_string_equal(
        parsed("Explain what a bare repo is and what it is for").subject,
        "bare repo");
    assert_string_equal(parsed("What does the word milter mean?").subject,
                        "milter");
    assert_string_equal(parsed("What kind of program is Git?").subject, "Git");
    assert_string_equal(parsed("What does a decorator do, what is it?").subject,
                        "decorator");
    assert_string_equal(
        parsed("what does \"moire\" mean when I scan a shirt").subject,
        "moire");
    assert_string_equal(
        parsed("what is DDE short for and what does it do").subject, "DDE");
    assert_string_equal(parsed("What is the journal used for?").subject,
                        "journal");
    assert_string_equal(parsed("What does autovacuum do in PostgreSQL to "
                               "the tables?")
                            .subject,
                        "");
    assert_string_equal(parsed("What exactly is a tablespace?").subject,
                        "tablespace");
    assert_string_equal(parsed("tell me what a pathspec in Git is").subject,
                        "pathspec");
    assert_string_equal(parsed("Could you please explain tablespaces?").subject,
                        "tablespaces");
    assert_string_equal(parsed("Tell me about tablespaces").subject,
                        "tablespaces");
    assert_string_equal(
        parsed("What is a tablespace, and when do I need one?").subject,
        "tablespace");
    assert_string_equal(parsed("what is a tablespace for?").subject,
                        "tablespace");
    assert_string_equal(parsed("tell me what is").subject, "");
    assert_string_equal(parsed("What is the unit of work?").subject,
                        "unit of work");
    assert_string_equal(parsed("Explain how WAL works").subject, "");
    assert_string_equal(parsed("What is new in Python 3.11?").subject, "");
}

static void stop_words_are_dropped_unless_nothing_is_left(void **state)
{
    struct query q = parsed("What is the maximum size of the file?");

    (void)state;
    assert_true(has_word(&q, "maximum"));
    assert_true(has_word(&q, "file"));
    assert_false(has_word(&q, "the"));
    assert_int_equal(q.term_count, 3);
    q = parsed("the who");
    assert_int_equal(q.term_count, 2);
    q = parsed("  \t ");
    assert_int_equal(q.term_count, 0);
}

static void terms_are_stemmed_and_distinct(void **state)
{
    struct query q = parsed("database databases DATABASE");

    (void)state;
    assert_int_equal(q.term_count, 1);
    assert_string_equal(q.words[0], "database");
}

static void a_verb_and_its_particle_are_also_one_word(void **state)
{
    struct query q = parsed("How do I back up a database?");

    (void)state;
    assert_true(has_word(&q, "backup"));
    assert_true(has_word(&q, "back") || has_word(&q, "database"));
    q = parsed("the up");
    assert_false(has_word(&q, "theup"));
    q = parsed("What is written on paper?");
    assert_true(has_word(&q, "paper"));
}

static void names_numbers_and_quotations_are_marked(void **state)
{
    struct query q = parsed("When did Nikola Tesla file patent 381968?");

    (void)state;
    assert_true(is_named(&q, "tesla"));
    assert_true(is_named(&q, "nikola"));
    assert_true(is_named(&q, "381968"));
    assert_false(is_named(&q, "patent"));
    q = parsed("Tunnels of the city");
    assert_false(is_named(&q, "tunnels"));
    q = parsed("WAL mode");
    assert_true(is_named(&q, "wal"));
    q = parsed("WHAT IS THE MAXIMUM SIZE");
    assert_false(is_named(&q, "maximum"));
    q = parsed("what says \"no such table\" here");
    assert_int_equal(q.phrase_count, 1);
    assert_string_equal(q.phrases[0], "no such table");
    assert_true(is_named(&q, "table"));
    q = parsed("say \xE2\x80\x9Clocked table\xE2\x80\x9D and \"open");
    assert_int_equal(q.phrase_count, 1);
    assert_string_equal(q.phrases[0], "locked table");
    q = parsed("LockTableError: the table is locked!");
    assert_int_equal(q.phrase_count, 1);
    assert_string_equal(q.phrases[0], "the table is locked");
    q = parsed("LockTableError: the table is locked. How do I free it?");
    assert_string_equal(q.phrases[0], "the table is locked");
    assert_int_equal(parsed("LockTableError: locked").phrase_count, 0);
    assert_int_equal(parsed("LockTableError: how do I free it?").phrase_count,
                     0);
    assert_int_equal(parsed("lock_table: how long is it held").phrase_count, 0);
}

static void a_question_of_many_words_keeps_the_best_sixty_four(void **state)
{
    char text[8001];
    size_t n = 0;
    struct query q;

    (void)state;
    for (int i = 0; n + 12 < sizeof(text); i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "word%d ", i);
    q = parsed(text);
    assert_int_equal(q.term_count, QUERY_TERMS_MAX);
    assert_true(overlap_all(&q) == UINT64_MAX);
    assert_true(overlap_mask(&q, text, n) == UINT64_MAX);
}

static void the_noun_asked_for_is_found(void **state)
{
    static const struct {
        const char *q, *noun;
    } cases[] = {{"Which treaty ended the war?", "treaty"},
                 {"How many goals did Spain score?", "goals"},
                 {"What is the name of the bridge in Rome?", "bridge"},
                 {"What kind of engine does it have?", "engine"}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct query q = parsed(cases[i].q);

        assert_true(q.focus < q.term_count);
        assert_string_equal(q.words[q.focus], cases[i].noun);
    }
}

static void rarity_follows_document_counts(void **state)
{
    struct query q = parsed("common rare absent");
    int64_t df[3] = {1000, 3, 0};

    (void)state;
    overlap_set_rarity(&q, df, 1000);
    assert_true(q.rarity[0] > 0 && q.rarity[0] < q.rarity[1]);
    assert_true(q.rarity[1] < q.rarity[2]);
    assert_true(q.rarity[2] <= 1.0);
    assert_true(overlap_share(&q, 7) > 0.999);
    df[0] = -4;
    df[1] = 5000;
    overlap_set_rarity(&q, df, 0);
    assert_true(q.rarity[1] > 0);
}

/* A small index says little of everyday words; a large one may know better. */
static void everyday_words_are_not_rare(void **state)
{
    struct query q = parsed("avoid wick absent");
    int64_t none[3] = {0, 0, 0}, many[3] = {90000, 0, 0};

    (void)state;
    overlap_set_rarity(&q, none, 100);
    assert_true(q.rarity[0] < 0.9);
    assert_true(q.rarity[1] >= 1.0);
    assert_true(q.passages == 100);
    overlap_set_rarity(&q, many, 100000);
    assert_true(q.rarity[0] < 0.2);
    assert_true(word_commonness(LANG_EN, "first") > 0.06);
    assert_true(word_commonness(LANG_EN, "wick") == 0);
    assert_true(word_commonness(LANG_DE, "first") == 0);
}

/* --- guidance ------------------------------------------------------------ */

static void a_block_is_taken_apart(void **state)
{
    struct query q =
        parsed(" \n<guidance>\nPrefer official sources.\n- sqlite.org\n"
               "- https://www.Example.com/docs/\n<priority>\n- wal.example\n"
               "</priority>\n</guidance>\n  What is WAL?  ");

    (void)state;
    assert_string_equal(q.text, "What is WAL?");
    assert_string_equal(q.guidance, "Prefer official sources.");
    assert_int_equal(q.preferred.count, 2);
    assert_string_equal(q.preferred.rules[0].host, "sqlite.org");
    assert_string_equal(q.preferred.rules[1].host, "example.com");
    assert_string_equal(q.preferred.rules[1].path, "/docs");
    assert_int_equal(q.priority.count, 1);
    assert_string_equal(q.priority.rules[0].host, "wal.example");
    assert_int_equal(q.restricted.count, 0);
    assert_int_equal(q.type, ANSWER_DEFINITION);
}

static void only_these_restricts(void **state)
{
    static const struct {
        const char *text;
        bool restricts;
    } cases[] = {{"Use only these sites:", true},
                 {"Only use:", true},
                 {"Only:", true},
                 {"Restrict the search to", true},
                 {"Please search these exclusively", true},
                 {"No other sources.", true},
                 {"Results must come only from the following domains", true},
                 {"Limit results to these", true},
                 {"Prefer these sites", false},
                 {"Not only these sites, but also blogs", false},
                 {"These sites commonly help", false},
                 {"Report only facts", false},
                 {"", false}};
    char q[256];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct query out;

        snprintf(q, sizeof(q),
                 "<guidance>%s\n- a.example\n<priority>- b.example</priority>"
                 "</guidance>question",
                 cases[i].text);
        out = parsed(q);
        if ((out.restricted.count > 0) != cases[i].restricts)
            print_message("%s\n", cases[i].text);
        assert_int_equal(out.restricted.count, cases[i].restricts ? 2 : 0);
        assert_int_equal(out.preferred.count, cases[i].restricts ? 0 : 1);
        assert_int_equal(out.priority.count, 1);
    }
}

static void a_block_that_does_not_parse_is_plain_text(void **state)
{
    static const char *const cases[] = {
        "<guidance> never closed",
        "<guidance>- a.example</guidance>",
        "<guidance>- a.example</guidance>   ",
        "<guidance><priority>- a.example</guidance>what is it",
        "<guidance></priority></guidance>what is it",
        "<guidance><guidance></guidance>what is it",
        "<guidance><priority><priority></priority></guidance>what is it",
        "what <guidance>- a.example</guidance> is it",
        "<guidancex>- a.example</guidance>what is it",
        "</guidance>what is it"};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct query q = parsed(cases[i]);
        struct str whole = str_trim(str_of(cases[i]));

        assert_true(str_eq(whole, q.text));
        assert_int_equal(q.priority.count + q.preferred.count, 0);
        assert_string_equal(q.guidance, "");
    }
}

static void list_lines_come_in_several_spellings(void **state)
{
    struct query q = parsed("<GUIDANCE>* a.example, the first\r\n"
                            "\xE2\x80\xA2 b.example\r\nc.example\r\n"
                            "- not a domain\r\n- e.g. this one\r\n"
                            "- bad .x..y\r\n1 < 2</Guidance>q");

    (void)state;
    assert_string_equal(q.text, "q");
    assert_int_equal(q.preferred.count, 3);
    assert_non_null(strstr(q.guidance, "not a domain"));
    assert_non_null(strstr(q.guidance, "2"));
}

static void at_most_a_hundred_domains_are_kept(void **state)
{
    char text[8000];
    size_t n = (size_t)snprintf(text, sizeof(text), "<guidance>");

    (void)state;
    for (int i = 0; i < 150; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "- d%d.example\n", i);
    snprintf(text + n, sizeof(text) - n, "</guidance>q");
    assert_int_equal(parsed(text).preferred.count, GUIDANCE_RULES_MAX);
}

static void what_stands_around_a_question_is_left_out(void **state)
{
    static const char *const of[] = {
        "Hi, quick question: how do I undo a commit in Git? Thanks!",
        "Please tell me how do I undo a commit in Git?",
        "Answer the following question: how do I undo a commit in Git?",
        "How do I undo a commit in Git? Be brief.",
        "how do I undo a commit in Git thanks in advance",
        "I would like to know: how do I undo a commit in Git?"};
    static const char *const whole[] = {"question types of debconf",
                                        "Tell me about tablespaces",
                                        "please",
                                        "so",
                                        "help",
                                        "Thanks!",
                                        "Hi there"};

    (void)state;
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct query q = parsed(of[i]);

        assert_int_equal(q.type, ANSWER_HOWTO);
        if (strncasecmp(q.text, "how do I undo a commit in Git", 29) != 0 ||
            strlen(q.text) > 30)
            fail_msg("%s: \"%s\"", of[i], q.text);
    }
    for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
        assert_string_equal(parsed(whole[i]).text, whole[i]);
}

/* … and what only tells counts little beside what asks. */
static void what_is_asked_is_told_from_what_is_told(void **state)
{
    static const struct {
        const char *text, *asked;
    } of[] = {{"We run two servers in one office. Which functions of a module "
               "cannot be pickled?",
               "Which functions of a module cannot be pickled?"},
              {"Which functions of a module cannot be pickled? I am using the "
               "latest version.",
               "Which functions of a module cannot be pickled?"},
              {"I keep reading about type affinity. What is that?",
               "I keep reading about type affinity. What is that?"},
              {"Which functions of a module cannot be pickled?",
               "Which functions of a module cannot be pickled?"},
              {"functions that cannot be pickled. in which module",
               "functions that cannot be pickled. in which module"}};

    (void)state;
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct query q = parsed(of[i].text);
        struct str s;

        assert_int_equal(query_asked(&q, &s), ERR_OK);
        if (!str_eq(s, of[i].asked))
            fail_msg("%s: \"%.*s\"", of[i].text, (int)s.n, s.p);
    }
}

static void what_asks_for_several_things_has_parts(void **state)
{
    static const struct {
        const char *q, *part[QUERY_PARTS_MAX];
    } all[] = {
        {"Which tool mails me odd log lines, and how do I copy the whole disk?",
         {"Which tool mails me odd log lines",
          "how do I copy the whole disk?"}},
        {"Which statement runs clean up code? With which function is code run "
         "when the program quits?",
         {"Which statement runs clean up code",
          "With which function is code run when the program quits?"}},
        {"In welcher Datei steht das Kennwort des Servers und welcher Befehl "
         "zeigt den Zustand der Warteschlange?",
         {"In welcher Datei steht das Kennwort des Servers",
          "welcher Befehl zeigt den Zustand der Warteschlange?"}},
        /* Too little of its own, and what asks for one thing. */
        {"What is DDE short for and what does it do", {NULL}},
        {"Who started Debian, and in what year?", {NULL}},
        {"Which modules read a config file and write a table of values?",
         {NULL}},
        {"", {NULL}}};

    (void)state;
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct query q = parsed(all[i].q);
        struct str part[QUERY_PARTS_MAX];
        size_t n = query_parts(&q, part);

        assert_int_equal(n, all[i].part[0] == NULL ? 1 : 2);
        for (size_t k = 0; n > 1 && k < n; k++) {
            assert_int_equal(part[k].n, strlen(all[i].part[k]));
            assert_memory_equal(part[k].p, all[i].part[k], part[k].n);
        }
    }
}

static void a_part_knows_what_the_whole_is_about(void **state)
{
    struct query q = parsed("How long does the credential cache remember a "
                            "password, and in what form does the store helper "
                            "keep it on disk?"),
                 p;
    struct str part[QUERY_PARTS_MAX];
    double own = 0, other = 0;

    (void)state;
    assert_int_equal(query_parts(&q, part), 2);
    assert_int_equal(query_of_part(&q, part[1], &p), ERR_OK);
    assert_string_equal(p.text,
                        "in what form does the store helper keep it on disk?");
    for (size_t i = 0; i < p.term_count; i++) {
        own += strcmp(p.words[i], "helper") == 0 ? p.terms[i].weight : 0;
        other += strcmp(p.words[i], "credential") == 0 ? p.terms[i].weight : 0;
    }
    assert_true(other > 0 && own > 2 * other);
}

static void what_changed_is_asked_for(void **state)
{
    static const struct {
        const char *q;
        bool asks;
    } all[] = {
        {"What changed in the network code?", true},
        {"What is new in Django?", true},
        {"what's new", true},
        {"In which version did the flag arrive?", true},
        {"Is asyncio supported in 1.4?", true},
        {"Was hat sich ge\xC3\xA4ndert?", true},
        {"What came with Python 3?", true},
        {"Does Python 3 support wheels?", true},
        {"Does it need 4 GB?", false},
        {"Does it hold 1.5 GB?", false},
        {"How do I create a new table?", false},
        {"Why did it grow to 4 TB?", false},
        {"Can I restore to 14:05?", false},
        {"How do I change my password?", false},
        {"Does a ban keep new objects out?", false},
        {"Wie lege ich eine neue Tabelle an?", false},
    };
    struct query q;

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_equal(query_parse(all[i].q, &arena, &q), ERR_OK);
        if (query_asks_changes(&q) != all[i].asks)
            fail_msg("%s", all[i].q);
    }
}

static void a_pronoun_points_at_what_was_named(void **state)
{
    static const struct {
        const char *text, *name;
        bool sure;
    } of[] = {
        {"The book goes on about \"context managers\". What are those?",
         "context managers", true},
        {"I stumbled over something called a materialized view... what's that?",
         "materialized view", true},
        {"I keep reading about type affinity. What is that?", "type affinity",
         false},
        {"They told me to \"just make a bare repo\". What do they mean by "
         "that?",
         "bare repo", true},
        {"I have a bare repo. They told me to make a \"bare repo\". What do "
         "they mean by that?",
         "bare repo", true},
        {"LockTableError: the table is locked. What is it?", "table", false},
        {"The docs speak of the unit of work; what is that?", "unit of work",
         false},
        {"compressed column format, what is that about",
         "compressed column format", true},
        {"My company has a VPN. What is it?", "VPN", false},
        {"My disk is full. What should I do about it?", NULL, false},
        {"I merge and I rebase. What is the difference between them?", NULL,
         false},
        {"Which letters are there, and what do they do?", NULL, false},
        {"What is a submodule?", NULL, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct query q = parsed(of[i].text);
        struct pointed p;
        bool found = of[i].name == NULL;

        assert_int_equal(query_pointed(&q, &p), ERR_OK);
        if (of[i].name == NULL && p.count > 0)
            fail_msg("%s: %s", of[i].text, p.name[0]);
        for (size_t k = 0; k < p.count; k++)
            found = found || strcmp(p.name[k], of[i].name) == 0;
        if (!found || p.sure != of[i].sure)
            fail_msg("%s", of[i].text);
    }
}

/* Tools, options, codes and letters are of no language, though some of them are
 * words somewhere. */
static void keywords_are_not_taken_for_a_language(void **state)
{
    static const char *const cases[] = {
        "afs acl permission letters r l i d w k a meaning",
        "ls -l a t u r sort flags",
        "tar x c v f z j options",
        "rsync -a -v -z -n -P -h",
        "vim d y p c i a o commands",
        "netstat -t -u -l -n -p",
        "grep -i -l -o -e -r -c",
        "gnuplot with l p lp i d",
        "php die exit status",
        "limit per user per ip nginx",
        "ip route via dev src",
        "setxkbmap us de fr",
        "i/o error dev sda",
        "or die mysql_error",
        "E45 readonly option is set",
        "SIGTERM sig 15 e.g. systemd",
        "sed s///g i e",
        "jq -r -c -s -e -a",
        "find . -type d -o -type l",
        "vi : w q a e n",
        "mutt c D U T keys",
        "less keys g G n N d u",
        "fdisk n p d t l w a",
        "git rebase p r e s f d",
        "non free firmware",
        "sans serif font css",
        "avant garde font tex",
        "a o b c d e option list",
        "dos line endings convert",
        "su root pam",
        "sin cos tan bc -l",
        "du -s -h -x exclude dir",
        "ed was last line",
        "tu ned profile",
        "van der waals",
        "van gend en loos",
        "im config ibus",
        "no ip lo",
        "as ld nm ar",
        "em dash html entity",
        "na rows drop pandas",
        "e2fsck -p -y -f -c",
        "y/n prompt default",
        "uid gid u+s",
        "c d l n r s",
        "l2tp l d",
        "h t a l d",
        "tcpdump -n -i any -s 0 -w",
        "tmux prefix d c n p",
        "unix permissions r w x s t",
        "convert -resize -density",
        "ffmpeg -i -c:v -c:a -b:a",
        "sox -r -b -c -e",
        "vim :w :q :e! :s/a/b/g i",
        "lua os.date de_DE",
        "via cgi or fcgi",
        "exit status 255 ssh",
        "kde plasma de",
        "is there a default port",
        "snmp oid per if",
        "afs vos e t c",
        "kermit r s g",
        "sed n d p",
        "lo eth0 en0",
        "cron * a m",
        "e.g. i.e. etc",
        "pour nginx",
        "y axis log x u 1:2 w l",
        "plot u 1:2 w l t",
        "set y label u v d",
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (parsed(cases[i]).lang != LANG_EN)
            fail_msg("%s: %s", cases[i], lang_code(parsed(cases[i]).lang));
}

static void a_short_question_tells_its_language(void **state)
{
    static const struct {
        const char *q;
        enum lang lang;
    } cases[] = {
        {"Was ist Varnish?", LANG_DE},
        {"was ist rsync", LANG_DE},
        {"wie funktioniert rsync", LANG_DE},
        {"Was bedeutet ENOENT?", LANG_DE},
        {"Wie groß darf ein Paket sein?", LANG_DE},
        {"Kann ich git ohne sudo installieren?", LANG_DE},
        {"Wozu dient fsync", LANG_DE},
        {"Qu'est-ce que git ?", LANG_FR},
        {"comment fonctionne rsync", LANG_FR},
        {"À quoi sert fsync ?", LANG_FR},
        {"Que signifie ENOENT ?", LANG_FR},
        {"Quelle est la taille maximale d'un paquet ?", LANG_FR},
        {"Quels ports utilise Samba ?", LANG_FR},
        {"come funziona rsync", LANG_IT},
        {"Cos'è Varnish?", LANG_IT},
        {"che cos'è git", LANG_IT},
        {"Cosa significa ENOENT?", LANG_IT},
        {"Perché sshd non parte?", LANG_IT},
        {"Dove si trova nginx.conf?", LANG_IT},
        {"Quali porte usa Samba?", LANG_IT},
        {"¿Qué es Varnish?", LANG_ES},
        {"que es git", LANG_ES},
        {"¿Cómo se instala nginx?", LANG_ES},
        {"¿Por qué no arranca sshd?", LANG_ES},
        {"¿Cuántos puertos usa Samba?", LANG_ES},
        {"¿Qué significa ENOENT?", LANG_ES},
        {"¿Para qué sirve fsync?", LANG_ES},
        {"diferencia entre TCP y UDP", LANG_ES},
        {"O que é Varnish?", LANG_PT},
        {"o que é git", LANG_PT},
        {"Quantas portas usa o Samba?", LANG_PT},
        {"Para que serve o fsync?", LANG_PT},
        {"Wat is Varnish?", LANG_NL},
        {"wat is git", LANG_NL},
        {"Hoe werkt rsync?", LANG_NL},
        {"hoe installeer ik nginx", LANG_NL},
        {"Waar staat nginx.conf?", LANG_NL},
        {"Wat betekent ENOENT?", LANG_NL},
        {"Hoeveel poorten gebruikt Samba?", LANG_NL},
        {"Kan ik git zonder sudo gebruiken?", LANG_NL},
        {"Wie ändere ich den Port von sshd", LANG_DE},
        {"Was macht der Befehl chmod?", LANG_DE},
        {"Wo finde ich die Logs?", LANG_DE},
        {"Wer entwickelt Debian?", LANG_DE},
        {"Wann erschien Debian 12?", LANG_DE},
        {"wofür ist fstab", LANG_DE},
        {"Quel est le port par défaut de ssh ?", LANG_FR},
        {"peut-on utiliser git sans sudo", LANG_FR},
        {"que fait chmod", LANG_FR},
        {"à quoi sert fstab", LANG_FR},
        {"Come faccio a riavviare apache?", LANG_IT},
        {"Dove sono i log di nginx?", LANG_IT},
        {"Quando è uscita Debian 12?", LANG_IT},
        {"a cosa serve fstab", LANG_IT},
        {"Perché il server non risponde?", LANG_IT},
        {"Quanto dura un certificato?", LANG_IT},
        {"¿Cómo reinicio apache?", LANG_ES},
        {"qué hace chmod", LANG_ES},
        {"¿Quién desarrolla Debian?", LANG_ES},
        {"para qué sirve fstab", LANG_ES},
        {"por qué el servidor no responde", LANG_ES},
        {"cómo cambiar el puerto de ssh", LANG_ES},
        {"o que faz o chmod", LANG_PT},
        {"para que serve o fstab", LANG_PT},
        {"o que são contêineres", LANG_PT},
        {"Waar staan de logs?", LANG_NL},
        {"wat doet chmod", LANG_NL},
        {"Wanneer kwam Debian 12 uit?", LANG_NL},
        {"waarvoor dient fstab", LANG_NL},
        {"Hoe lang is een certificaat geldig?", LANG_NL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct query q = parsed(cases[i].q);

        if (!q.lang_clear || q.lang != cases[i].lang)
            fail_msg("%s: %s", cases[i].q, lang_code(q.lang));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_gets_its_answer_type),
        cmocka_unit_test(what_stands_around_a_question_is_left_out),
        cmocka_unit_test(what_is_asked_is_told_from_what_is_told),
        cmocka_unit_test(what_asks_for_several_things_has_parts),
        cmocka_unit_test(a_part_knows_what_the_whole_is_about),
        cmocka_unit_test(a_definition_has_its_subject),
        cmocka_unit_test(stop_words_are_dropped_unless_nothing_is_left),
        cmocka_unit_test(terms_are_stemmed_and_distinct),
        cmocka_unit_test(a_verb_and_its_particle_are_also_one_word),
        cmocka_unit_test(names_numbers_and_quotations_are_marked),
        cmocka_unit_test(a_question_of_many_words_keeps_the_best_sixty_four),
        cmocka_unit_test(the_noun_asked_for_is_found),
        cmocka_unit_test(what_changed_is_asked_for),
        cmocka_unit_test(rarity_follows_document_counts),
        cmocka_unit_test(everyday_words_are_not_rare),
        cmocka_unit_test(a_block_is_taken_apart),
        cmocka_unit_test(only_these_restricts),
        cmocka_unit_test(a_block_that_does_not_parse_is_plain_text),
        cmocka_unit_test(list_lines_come_in_several_spellings),
        cmocka_unit_test(at_most_a_hundred_domains_are_kept),
        cmocka_unit_test(a_pronoun_points_at_what_was_named),
        cmocka_unit_test(keywords_are_not_taken_for_a_language),
        cmocka_unit_test(a_short_question_tells_its_language)};

    return cmocka_run_group_tests(tests, arena_up, arena_down);
}
