/* Candidates to ranked passages: relevance, filters, fusion, repetition. */
#include "question/overlap.h"
#include "find/pages.h"
#include "find/rank.h"

#include "base/date.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "questions.h"

static struct candidate cand(const char *url, const char *text, double score)
{
    static int64_t next = 1;
    struct candidate c = {.passage = next,
                          .page = next,
                          .url = url,
                          .host = "x",
                          .title = "",
                          .heading = "",
                          .text = text,
                          .favicon = "",
                          .lang = "",
                          .day = DAY_NONE,
                          .score = score};

    next++;
    return c;
}

static struct provider_answer answer(const char *name, struct candidate *c,
                                     size_t n)
{
    struct provider_answer pa = {
        .provider = name, .outcome = OUTCOME_OK, .found = c, .count = n};

    return pa;
}

static const struct index_filter no_filter = {.day_from = DAY_NONE,
                                              .day_to = DAY_NONE};

static size_t ranked_with(const char *question, const struct index_filter *f,
                          struct provider_answer *pa, size_t answers,
                          size_t max, size_t per_page, struct ranked **out)
{
    struct query q;
    size_t n = 99;
    struct errctx ec;

    assert_int_equal(query_parse(question, &arena, &q), ERR_OK);
    assert_int_equal(rank_candidates(&q, f, pa, answers, NULL, max, per_page,
                                     &arena, out, &n, &ec),
                     ERR_OK);
    return n;
}

static void what_does_not_speak_of_it_is_dropped(void **state)
{
    struct candidate c[] = {
        cand("http://a.example/1", "The cache of pages is kept in memory.", 9),
        cand("http://a.example/2",
             "A rollback journal holds the original pages.", 5),
        cand("http://a.example/3", "Bananas are yellow.", 1)};
    struct provider_answer pa = answer("index", c, 3);
    struct ranked *r;

    (void)state;
    assert_int_equal(ranked_with("what does the rollback journal hold",
                                 &no_filter, &pa, 1, 10, 3, &r),
                     1);
    assert_string_equal(r[0].c.url, "http://a.example/2");
    assert_true(r[0].coverage > 0.9);
    assert_int_equal(ranked_with("airspeed velocity of an unladen swallow",
                                 &no_filter, &pa, 1, 10, 3, &r),
                     0);
}

static struct candidate city(void)
{
    return cand("http://a.example/1",
                "The population of a city is its number of people.", 9);
}

static void the_name_asked_for_must_be_there(void **state)
{
    struct candidate c[] = {city()};
    struct provider_answer pa = answer("index", c, 1);
    struct ranked *r;

    (void)state;
    assert_int_equal(ranked_with("What is the population of Paris?", &no_filter,
                                 &pa, 1, 10, 3, &r),
                     0);
    c[0].title = "Paris";
    assert_int_equal(ranked_with("What is the population of Paris?", &no_filter,
                                 &pa, 1, 10, 3, &r),
                     1);
}

/* Where the pages are known to be about it, what holds little is kept. */
static void pages_known_to_be_about_it_need_hold_little(void **state)
{
    struct candidate c[] = {city()};
    struct provider_answer pa = answer("index", c, 1);
    struct ranked *r;
    struct query q;
    struct errctx ec;

    (void)state;
    assert_int_equal(
        query_parse("What is the population of Paris?", &arena, &q), ERR_OK);
    for (size_t known = 0; known < 2; known++) {
        size_t n = 99;

        assert_int_equal(rank_all(&q, &no_filter, &pa, 1, known != 0, NULL,
                                  &arena, &r, &n, &ec),
                         ERR_OK);
        assert_int_equal(n, known);
    }
}

static void domains_and_dates_hold_once_more(void **state)
{
    struct candidate c[] = {
        cand("http://a.example/x", "Tides are caused by the moon.", 3),
        cand("http://sub.b.example/x", "The moon causes tides twice.", 2),
        cand("http://b.example/y", "Tides and moon, undated.", 1),
        cand("not a url", "Tides and moon, nowhere.", 1)};
    struct provider_answer pa = answer("index", c, 4);
    struct domain_rule b = {"b.example", ""}, a = {"a.example", ""};
    struct domain_rules only_b = {&b, 1}, only_a = {&a, 1};
    struct index_filter f = no_filter;
    struct ranked *r;

    (void)state;
    c[0].day = c[1].day = date_to_day(2024, 5, 1);
    f.include = &only_b;
    assert_int_equal(ranked_with("moon tides", &f, &pa, 1, 9, 3, &r), 2);
    f.include = NULL;
    f.exclude = &only_a;
    assert_int_equal(ranked_with("moon tides", &f, &pa, 1, 9, 3, &r), 2);
    f.exclude = NULL;
    f.day_from = date_to_day(2024, 5, 1);
    f.day_to = f.day_from;
    assert_int_equal(ranked_with("moon tides", &f, &pa, 1, 9, 3, &r), 2);
    f.day_to = f.day_from = date_to_day(2024, 5, 2);
    assert_int_equal(ranked_with("moon tides", &f, &pa, 1, 9, 3, &r), 0);
}

static void repeated_text_is_shown_once(void **state)
{
    static const char text[] =
        "The write-ahead log is a file that stands beside the database and "
        "holds what was written since the last checkpoint was made.";
    static const char nearly[] =
        "The Write-Ahead Log is a file that stands beside the database and "
        "holds what was written since the last checkpoint was made!";
    struct candidate c[] = {cand("http://a.example/", text, 3),
                            cand("http://b.example/", nearly, 2.9),
                            cand("http://c.example/",
                                 "The log of a database grows until a "
                                 "checkpoint is made.",
                                 2)};
    struct provider_answer pa = answer("index", c, 3);
    struct ranked *r;

    (void)state;
    assert_int_equal(
        ranked_with("database log checkpoint", &no_filter, &pa, 1, 9, 3, &r),
        2);
    assert_string_equal(r[0].c.url, "http://a.example/");
}

static void a_page_gets_no_more_than_its_share(void **state)
{
    static char text[6][80];
    struct candidate c[6];
    struct provider_answer pa = answer("index", c, 6);
    struct ranked *r;

    (void)state;
    for (int i = 0; i < 6; i++) {
        snprintf(text[i], sizeof(text[i]),
                 "Tides number %d of moon kind %d are seen at place %d.", i,
                 i * 7, i * 13);
        c[i] = cand(i < 5 ? "http://a.example/" : "http://b.example/", text[i],
                    6 - i);
    }
    assert_int_equal(ranked_with("moon tides", &no_filter, &pa, 1, 9, 2, &r),
                     3);
    assert_int_equal(ranked_with("moon tides", &no_filter, &pa, 1, 9, 1, &r),
                     2);
    assert_int_equal(ranked_with("moon tides", &no_filter, &pa, 1, 1, 9, &r),
                     1);
}

static void priority_comes_first_when_relevant(void **state)
{
    struct candidate c[] = {
        cand("http://a.example/", "Moon and tides and moon and tides.", 9),
        cand("http://p.example/x", "Tides come with the moon.", 1),
        cand("http://p.example/y", "Something else altogether.", 8)};
    struct provider_answer pa = answer("index", c, 3);
    struct ranked *r;

    (void)state;
    assert_int_equal(
        ranked_with("<guidance><priority>- p.example</priority></guidance>"
                    "moon tides",
                    &no_filter, &pa, 1, 9, 3, &r),
        2);
    assert_string_equal(r[0].c.url, "http://p.example/x");
    assert_true(r[0].priority);
    assert_false(r[1].priority);
}

static void pages_that_two_providers_found_rise(void **state)
{
    struct candidate one[] = {
        cand("http://a.example/", "Tides follow the moon each day.", 2),
        cand("http://b.example/", "Moon and tides were studied there.", 1.9)};
    struct candidate two[] = {
        cand("http://b.example/", "Moon and tides: a snippet.", 1)};
    struct provider_answer pa[2];
    struct ranked *r;

    (void)state;
    two[0].page = two[0].passage = 0;
    pa[0] = answer("index", one, 2);
    pa[1] = answer("web", two, 1);
    assert_int_equal(ranked_with("moon tides", &no_filter, pa, 2, 9, 3, &r), 2);
    assert_string_equal(r[0].c.url, "http://b.example/");
    assert_true(r[0].c.page != 0);
    pa[1].outcome = OUTCOME_LIMITED;
    assert_int_equal(ranked_with("moon tides", &no_filter, pa, 2, 9, 3, &r), 2);
    assert_string_equal(r[0].c.url, "http://a.example/");
}

static void nothing_in_gives_nothing_out(void **state)
{
    struct provider_answer pa = answer("index", NULL, 0);
    struct ranked *r;

    (void)state;
    assert_int_equal(ranked_with("moon", &no_filter, &pa, 1, 9, 3, &r), 0);
    assert_int_equal(ranked_with("moon", &no_filter, &pa, 0, 9, 3, &r), 0);
    assert_int_equal(ranked_with("", &no_filter, &pa, 1, 9, 3, &r), 0);
}

/* --- lists --------------------------------------------------------------- */

static struct candidate passage(int64_t page, int64_t seq, const char *title,
                                const char *text)
{
    static char url[64][40];
    struct candidate c = cand("", text, 1.0);

    snprintf(url[page % 64], sizeof(url[0]), "http://h%d.example/", (int)page);
    c.url = url[page % 64];
    c.page = page;
    c.seq = seq;
    c.title = title;
    c.page_bytes = 400;
    return c;
}

static size_t listed(const char *question, struct candidate *c, size_t n,
                     struct ranked **out)
{
    struct provider_answer pa = answer("index", c, n);
    struct query q;
    size_t count = 99;
    struct errctx ec;

    assert_int_equal(query_parse(question, &arena, &q), ERR_OK);
    assert_int_equal(rank_results(&q, &no_filter, &pa, 1, NULL, 10, &arena, out,
                                  &count, &ec),
                     ERR_OK);
    return count;
}

static void a_list_shows_each_page_once_by_its_best_passage(void **state)
{
    struct candidate c[] = {
        passage(1, 0, "", "Something about a kettle."),
        passage(1, 1, "", "The copper kettle boils quickly."),
        passage(2, 0, "", "A kettle of tin stands on the shelf."),
    };
    struct ranked *r;

    (void)state;
    assert_int_equal(listed("copper kettle", c, 3, &r), 2);
    assert_int_equal(r[0].c.page, 1);
    assert_int_equal(r[0].c.seq, 1);
    assert_int_equal(r[1].c.page, 2);
}

/* --- hosts --------------------------------------------------------------- */

/* A page of its own about "copper kettle", the score falling with n. */
static struct candidate kettle(const char *host, int n, double score)
{
    static char url[64][60], text[64][120];
    static size_t next;
    size_t i = next++ % 64;
    struct candidate c;

    snprintf(url[i], sizeof(url[i]), "https://%s/%d", host, n);
    snprintf(text[i], sizeof(text[i]),
             "The copper kettle of house %zu stands in room %d near door %d "
             "of floor %d.",
             i * 31, n * 17, n * 29, n * 37);
    c = cand(url[i], text[i], score);
    c.host = host;
    c.page = 0;
    c.passage = 0;
    return c;
}

static size_t listed_within(const struct index_filter *f, struct candidate *c,
                            size_t n, size_t max, struct ranked **out)
{
    struct provider_answer pa = answer("index", c, n);
    struct query q;
    size_t count = 99;
    struct errctx ec;

    assert_int_equal(query_parse("copper kettle", &arena, &q), ERR_OK);
    assert_int_equal(
        rank_results(&q, f, &pa, 1, NULL, max, &arena, out, &count, &ec),
        ERR_OK);
    return count;
}

static void a_hosts_third_page_stands_behind_what_is_nearly_as_good(void **s)
{
    struct candidate c[] = {
        kettle("a.example", 1, 10),      kettle("a.example", 2, 9.9),
        kettle("www.a.example", 3, 9.8), kettle("a.example", 4, 9.7),
        kettle("b.example", 1, 9.6),     kettle("c.example", 1, 2)};
    struct ranked *r;

    (void)s;
    assert_int_equal(listed_within(&no_filter, c, 6, 10, &r), 6);
    assert_string_equal(r[0].c.url, "https://a.example/1");
    assert_string_equal(r[1].c.url, "https://a.example/2");
    assert_string_equal(r[2].c.url, "https://b.example/1");
    assert_string_equal(r[3].c.url, "https://www.a.example/3");
    assert_string_equal(r[4].c.url, "https://a.example/4");
    assert_string_equal(r[5].c.url, "https://c.example/1"); /* far behind */
    assert_int_equal(listed_within(&no_filter, c, 6, 3, &r), 3);
    assert_string_equal(r[2].c.url, "https://b.example/1");
}

static void a_single_host_fills_its_list_in_order(void **s)
{
    struct candidate c[12];
    struct ranked *r;

    (void)s;
    for (int i = 0; i < 12; i++)
        c[i] = kettle("a.example", i, 20 - i);
    assert_int_equal(listed_within(&no_filter, c, 12, 10, &r), 10);
    for (int i = 0; i < 10; i++)
        assert_string_equal(r[i].c.url, c[i].url);
}

static void who_names_the_hosts_gets_them_in_order(void **s)
{
    static const struct domain_rule rules[] = {{"a.example", ""},
                                               {"b.example", ""}};
    static const struct domain_rules both = {rules, 2};
    struct index_filter f = no_filter;
    struct candidate c[] = {
        kettle("a.example", 1, 10), kettle("a.example", 2, 9.9),
        kettle("a.example", 3, 9.8), kettle("b.example", 1, 9.7)};
    struct ranked *r;

    (void)s;
    f.include = &both;
    assert_int_equal(listed_within(&f, c, 4, 10, &r), 4);
    assert_string_equal(r[2].c.url, "https://a.example/3");
}

static void twins_of_an_address_are_one_page(void **s)
{
    struct candidate c[] = {
        kettle("a.example", 1, 10), kettle("a.example", 1, 10),
        kettle("a.example", 1, 9), kettle("a.example", 2, 8)};
    struct ranked *r;

    (void)s;
    c[0].url = "http://a.example/1";
    c[2].url = "https://a.example/1/";
    assert_int_equal(listed_within(&no_filter, c, 4, 10, &r), 2);
    assert_string_equal(r[0].c.url, "https://a.example/1");
    assert_string_equal(r[1].c.url, "https://a.example/2");
}

static void a_mirror_is_not_shown_by_its_next_passage(void **s)
{
    static const char best[] = "The copper kettle was made by a smith who "
                               "lived beside the old mill at the river.";
    static const char next[] = "A kettle like this one holds four litres of "
                               "water and weighs about one kilogram.";
    struct candidate c[] = {passage(1, 0, "", best), passage(1, 1, "", next),
                            passage(2, 0, "", best), passage(2, 1, "", next),
                            passage(3, 5, "", best), passage(3, 6, "", next)};
    struct ranked *r;

    (void)s;
    c[2].page_bytes = c[3].page_bytes = 390;  /* printed without a menu */
    c[4].page_bytes = c[5].page_bytes = 4000; /* quotes it */
    assert_int_equal(listed("copper kettle", c, 6, &r), 2);
    assert_true(r[0].c.page == 1 || r[0].c.page == 2);
    assert_int_equal(r[1].c.page, 3);
}

static void a_page_whose_title_is_the_question_leads(void **state)
{
    struct candidate c[] = {
        passage(1, 3, "Notes on many other things of a house",
                "The copper kettle is mentioned once in this text."),
        passage(2, 3, "Copper kettle",
                "The copper kettle is mentioned here as well, once."),
    };
    struct ranked *r;

    (void)state;
    assert_int_equal(listed("copper kettle", c, 2, &r), 2);
    assert_int_equal(r[0].c.page, 2);
}

static void the_form_asked_for_counts_more_than_its_stem(void **state)
{
    struct candidate c[] = {
        passage(1, 3, "", "Water that they indexed in a large basin."),
        passage(2, 3, "", "Water that an index has in a small basin."),
    };
    struct ranked *r;

    (void)state;
    assert_int_equal(listed("water index", c, 2, &r), 2);
    assert_int_equal(r[0].c.page, 2);
}

static void what_a_page_holds_elsewhere_lifts_it(void **state)
{
    struct candidate c[] = {
        passage(1, 1, "", "The kettle was seen by a man from the village."),
        passage(2, 1, "", "The kettle was seen by a boy from the mountains."),
        passage(2, 2, "", "Nobody knows where that kettle went afterwards."),
    };
    struct ranked *r;

    (void)state;
    assert_int_equal(listed("kettle", c, 3, &r), 2);
    assert_int_equal(r[0].c.page, 2);
}

static void what_the_filter_drops_does_not_make_a_guess_an_answer(void **state)
{
    struct candidate c[] = {
        cand("http://out.example/1",
             "The rollback journal of a database holds the original pages "
             "before a transaction changes them.",
             9),
        cand("http://in.example/2",
             "Original paintings are on the second floor.", 5)};
    struct provider_answer pa = answer("web", c, 2),
                           alone = answer("web", c + 1, 1);
    const char *q = "what does the rollback journal hold: original pages of "
                    "the transaction";
    struct domain_rule out = {"out.example", ""};
    struct domain_rules rules = {&out, 1};
    struct index_filter f = {
        .exclude = &rules, .day_from = DAY_NONE, .day_to = DAY_NONE};
    struct ranked *r;

    (void)state;
    assert_int_equal(ranked_with(q, &no_filter, &alone, 1, 10, 3, &r), 0);
    assert_int_equal(ranked_with(q, &f, &pa, 1, 10, 3, &r), 0);
}

/* Documentation often has the text beside each page made of it. */
static void a_page_stands_for_its_source(void **state)
{
    struct candidate c[] = {
        cand("http://x/d/_sources/library/journal.rst.txt",
             "A rollback journal holds the :term:`original` pages.", 9),
        cand("http://x/_sources/journal.rst.txt",
             "What the rollback journal holds is told elsewhere.", 8),
        cand("http://x/d/library/journal.html",
             "Pages as they were are what a rollback journal holds.", 7),
        cand("http://x/d/library/other.txt",
             "The journal of a rollback holds the name of another one.", 6)};
    struct provider_answer pa = answer("index", c, 4);
    struct ranked *r;

    (void)state;
    for (size_t i = 0; i < 4; i++)
        c[i].page_bytes = 1000;
    assert_int_equal(ranked_with("what does the rollback journal hold",
                                 &no_filter, &pa, 1, 10, 3, &r),
                     3);
    assert_string_equal(r[0].c.url, "http://x/d/library/journal.html");
    assert_string_equal(r[1].c.url, "http://x/_sources/journal.rst.txt");
    /* Too short to be what the page was made of. */
    c[0].page_bytes = 100;
    assert_int_equal(ranked_with("what does the rollback journal hold",
                                 &no_filter, &pa, 1, 10, 3, &r),
                     4);
}

/* A site's manual as one page, too: the page of the subject is cited. */
static void a_chapter_stands_for_the_page_of_all(void **state)
{
    static const char text[] = "The copper kettle was made by a smith who "
                               "lived beside the old mill at the river.";
    struct candidate c[] = {cand("http://x/all.html", text, 9),
                            cand("http://x/kettle.html", text, 7)};
    struct provider_answer pa = answer("index", c, 2);
    struct ranked *r;

    (void)state;
    c[0].page_bytes = 40000;
    c[1].page_bytes = 4000;
    assert_int_equal(
        ranked_with("copper kettle", &no_filter, &pa, 1, 10, 3, &r), 1);
    assert_string_equal(r[0].c.url, "http://x/kettle.html");
    /* Another site quotes it. */
    c[1].host = "y";
    assert_int_equal(
        ranked_with("copper kettle", &no_filter, &pa, 1, 10, 3, &r), 1);
    assert_string_equal(r[0].c.url, "http://x/all.html");
}

/* Of a manual in one page only what is around its best passage is read: far
 * from there a chapter of its own is no copy. */
static void a_chapter_is_read_where_the_page_of_all_is_not(void **state)
{
    static const char text[] = "The copper kettle was made by a smith who "
                               "lived beside the old mill at the river.";
    struct candidate c[] = {
        cand("http://x/all.html", "A kettle of copper is for water.", 9),
        cand("http://x/all.html", text, 8),
        cand("http://x/kettle.html", text, 7)};
    struct ranked r[] = {{.c = c[0]}, {.c = c[1]}, {.c = c[2]}};
    struct found_page *pages = NULL;
    struct query q = parsed("where was the copper kettle made?");
    static const struct {
        int64_t seq;
        size_t opened, pages;
    } of[] = {{2, PAGE_PASSAGES, 1},
              {PAGE_PASSAGES - 1, PAGE_PASSAGES, 1},
              {PAGE_PASSAGES, PAGE_PASSAGES, 2},
              {PAGE_PASSAGES, 0, 1}};
    size_t n = 0;

    (void)state;
    r[1].c.page = r[0].c.page;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        r[1].c.seq = of[i].seq;
        assert_int_equal(
            pages_rank(&q, r, 3, 8, of[i].opened, &arena, &pages, &n), ERR_OK);
        assert_int_equal(n, of[i].pages);
    }
    r[0].c.page = r[1].c.page = 0; /* a provider's: all that was found stays */
    assert_int_equal(
        pages_rank(&q, r, 3, 8, PAGE_PASSAGES, &arena, &pages, &n), ERR_OK);
    assert_int_equal(n, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_speak_of_it_is_dropped),
        cmocka_unit_test(the_name_asked_for_must_be_there),
        cmocka_unit_test(pages_known_to_be_about_it_need_hold_little),
        cmocka_unit_test(domains_and_dates_hold_once_more),
        cmocka_unit_test(repeated_text_is_shown_once),
        cmocka_unit_test(a_page_gets_no_more_than_its_share),
        cmocka_unit_test(priority_comes_first_when_relevant),
        cmocka_unit_test(pages_that_two_providers_found_rise),
        cmocka_unit_test(nothing_in_gives_nothing_out),
        cmocka_unit_test(a_list_shows_each_page_once_by_its_best_passage),
        cmocka_unit_test(a_page_whose_title_is_the_question_leads),
        cmocka_unit_test(the_form_asked_for_counts_more_than_its_stem),
        cmocka_unit_test(what_the_filter_drops_does_not_make_a_guess_an_answer),
        cmocka_unit_test(what_a_page_holds_elsewhere_lifts_it),
        cmocka_unit_test(
            a_hosts_third_page_stands_behind_what_is_nearly_as_good),
        cmocka_unit_test(a_single_host_fills_its_list_in_order),
        cmocka_unit_test(who_names_the_hosts_gets_them_in_order),
        cmocka_unit_test(twins_of_an_address_are_one_page),
        cmocka_unit_test(a_page_stands_for_its_source),
        cmocka_unit_test(a_chapter_stands_for_the_page_of_all),
        cmocka_unit_test(a_chapter_is_read_where_the_page_of_all_is_not),
        cmocka_unit_test(a_mirror_is_not_shown_by_its_next_passage)};

    return cmocka_run_group_tests(tests, arena_up, arena_down);
}
