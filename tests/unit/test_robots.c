/* Tests of src/net/robots.c: the rules of RFC 9309 case by case, and what
 * the large crawlers are known to accept; in `make suites` the files that
 * other parsers are tested with. */
#include "net/robots.h"

#include "suites.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static bool allows(const char *text, const char *product, const char *path)
{
    struct robots r;

    arena_reset(&arena);
    assert_int_equal(robots_parse(text, strlen(text), product, &arena, &r),
                     ERR_OK);
    return robots_allows(&r, path);
}

struct rule_case {
    const char *text, *path;
    bool want;
};

static void check(const struct rule_case *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (allows(c[i].text, "cited", c[i].path) != c[i].want)
            fail_msg("%s on\n%s", c[i].path, c[i].text);
}

#define CHECK(cases) check(cases, sizeof cases / sizeof *cases)

static void the_group_that_names_us_is_the_only_one(void **state)
{
    static const struct rule_case cases[] = {
        {"", "/x", true},
        {"User-agent: *\nDisallow: /\n", "/x", false},
        {"User-agent: *\nDisallow: /\n\nUser-agent: cited\nAllow: /\n", "/x",
         true},
        {"User-agent: cited\nDisallow: /\n\nUser-agent: *\nAllow: /\n", "/x",
         false},
        {"User-agent: otherbot\nDisallow: /\n", "/x", true},
        {"user-AGENT: CITED\ndisallow: /a\n", "/a", false},
        {"User-agent: cited/1.2\nDisallow: /a\n", "/a", false},
        {"User-agent: cited bot\nDisallow: /a\n", "/a", false},
        {"User-agent: citedbot\nDisallow: /a\n", "/a", true},
        {"User-agent: cite\nDisallow: /a\n", "/a", true},
        {"User-agent: cited-news\nDisallow: /a\n", "/a", true},
        /* a group of its own without rules frees from everybody's */
        {"User-agent: *\nDisallow: /\nUser-agent: cited\n", "/a", true},
        {"User-agent: *\nDisallow: /\nUser-agent: cited\nDisallow:\n", "/a",
         true},
        /* several names share the rules after them */
        {"User-agent: a\nUser-agent: cited\nUser-agent: b\nDisallow: /x\n",
         "/x", false},
        {"User-agent: a\n\n\nUser-agent: cited\nDisallow: /x\n", "/x", false},
        {"User-agent: cited\nDisallow: /x\nUser-agent: a\nDisallow: /y\n", "/y",
         true},
        /* groups of the same name are one */
        {"User-agent: cited\nDisallow: /x\nUser-agent: a\nDisallow: /\n"
         "User-agent: cited\nDisallow: /y\n",
         "/y", false},
        {"User-agent: cited\nDisallow: /x\nUser-agent: a\nDisallow: /\n"
         "User-agent: cited\nDisallow: /y\n",
         "/x", false},
        {"User-agent: * extra\nDisallow: /x\n", "/x", false},
        {"User-agent: *x\nDisallow: /x\n", "/x", true},
        /* rules before any group belong to nobody */
        {"Disallow: /x\nUser-agent: cited\nAllow: /y\n", "/x", true},
        /* records of other kinds do not end a group */
        {"User-agent: a\nSitemap: http://h/s\nUser-agent: cited\n"
         "Disallow: /x\n",
         "/x", false},
        {"User-agent: cited\nCrawl-delay: 3\nUser-agent: a\nDisallow: /x\n",
         "/x", false},
        {"User-agent: cited\nNoindex: /a\nDisallow: /x\n", "/x", false},
    };

    (void)state;
    CHECK(cases);
}

static void the_longest_match_wins_and_allow_wins_a_tie(void **state)
{
    static const struct rule_case cases[] = {
        {"User-agent: *\nAllow: /p\nDisallow: /\n", "/page", true},
        {"User-agent: *\nAllow: /folder\nDisallow: /folder\n", "/folder/p",
         true},
        {"User-agent: *\nDisallow: /folder\nAllow: /folder\n", "/folder/p",
         true},
        {"User-agent: *\nAllow: /page\nDisallow: /*.htm\n", "/page.htm", false},
        {"User-agent: *\nAllow: /$\nDisallow: /\n", "/", true},
        {"User-agent: *\nAllow: /$\nDisallow: /\n", "/page.htm", false},
        {"User-agent: *\nDisallow: /x/\nAllow: /x/page.html\n", "/x/page.html",
         true},
        {"User-agent: *\nAllow: /x/page.html\nDisallow: /x/\n", "/x/other",
         false},
        {"User-agent: *\nDisallow: /x/page.html\nAllow: /x/\n", "/x/page.html",
         false},
        {"User-agent: *\nAllow: /page\nDisallow: /*.html\nAllow: /page.h\n",
         "/page.html", true},
        {"User-agent: *\nDisallow:\nAllow:\n", "/x", true},
        {"User-agent: *\nDisallow: /\n", "/robots.txt", true},
    };

    (void)state;
    CHECK(cases);
}

static void patterns_know_star_and_dollar(void **state)
{
    static const struct rule_case cases[] = {
        {"User-agent: *\nDisallow: /fish", "/fish", false},
        {"User-agent: *\nDisallow: /fish", "/fish.html", false},
        {"User-agent: *\nDisallow: /fish", "/fishheads/y", false},
        {"User-agent: *\nDisallow: /fish", "/fish?id=1", false},
        {"User-agent: *\nDisallow: /fish", "/Fish.asp", true},
        {"User-agent: *\nDisallow: /fish", "/catfish", true},
        {"User-agent: *\nDisallow: /fish*", "/fish/salmon", false},
        {"User-agent: *\nDisallow: /fish/", "/fish", true},
        {"User-agent: *\nDisallow: /fish/", "/fish/", false},
        {"User-agent: *\nDisallow: /*.php", "/index.php", false},
        {"User-agent: *\nDisallow: /*.php", "/f/any.php.file", false},
        {"User-agent: *\nDisallow: /*.php", "/windows.PHP", true},
        {"User-agent: *\nDisallow: /*.php", "/", true},
        {"User-agent: *\nDisallow: /*.php$", "/a.php", false},
        {"User-agent: *\nDisallow: /*.php$", "/a.php?x", true},
        {"User-agent: *\nDisallow: /*.php$", "/a.php/", true},
        {"User-agent: *\nDisallow: /*.php$", "/a.php5.php", false},
        {"User-agent: *\nDisallow: /fish*.php", "/fishheads/c.php?p", false},
        {"User-agent: *\nDisallow: /fish*.php", "/Fish.PHP", true},
        {"User-agent: *\nDisallow: *", "/x", false},
        {"User-agent: *\nDisallow: */x", "/a/x", false},
        {"User-agent: *\nDisallow: /a**b", "/axb", false},
        {"User-agent: *\nDisallow: /a$", "/a", false},
        {"User-agent: *\nDisallow: /a$", "/ab", true},
        {"User-agent: *\nDisallow: /a*$", "/ab", false},
        {"User-agent: *\nDisallow: $", "/", true},
        {"User-agent: *\nDisallow: /a$b", "/a$b", false},
        {"User-agent: *\nDisallow: /a$b", "/a", true},
        {"User-agent: *\nDisallow: x", "/x", true},
        {"User-agent: *\nDisallow: /a*b*c$", "/abcbc", false},
        {"User-agent: *\nDisallow: /a*b*c$", "/abcb", true},
        {"User-agent: *\nDisallow: /*a*a*a*a*b", "/aaaaaaaaaaaaaaaaaaa", true},
    };

    (void)state;
    CHECK(cases);
}

static void encodings_are_compared_in_one_spelling(void **state)
{
    static const struct rule_case cases[] = {
        {"User-agent: *\nDisallow: /foo/bar/\xE3\x83\x84\n",
         "/foo/bar/%E3%83%84", false},
        {"User-agent: *\nDisallow: /foo/bar/%E3%83%84\n", "/foo/bar/%e3%83%84",
         false},
        {"User-agent: *\nDisallow: /foo/bar/%62%61%7A\n", "/foo/bar/baz",
         false},
        {"User-agent: *\nDisallow: /foo/bar/baz\n", "/foo/bar/%62%61%7a",
         false},
        {"User-agent: *\nDisallow: /a%2Fb\n", "/a/b", true},
        {"User-agent: *\nDisallow: /a%2fb\n", "/a%2Fb", false},
        {"User-agent: *\nDisallow: /f%2A.html\n", "/f*.html", false},
        {"User-agent: *\nDisallow: /f%2A.html\n", "/fxx.html", true},
        {"User-agent: *\nDisallow: /a%24\n", "/a$x", false},
        {"User-agent: *\nDisallow: /a%\n", "/a%", false},
        {"User-agent: *\nDisallow: /a%zz\n", "/a%zz", false},
        {"User-agent: *\nDisallow: /a?b=c d\n", "/a?b=c%20d", false},
    };

    (void)state;
    CHECK(cases);
}

static void lines_are_read_leniently(void **state)
{
    static const struct rule_case cases[] = {
        {"\xEF\xBB\xBFUser-agent: cited\nDisallow: /x\n", "/x", false},
        {"User-agent: cited\rDisallow: /x\r", "/x", false},
        {"User-agent: cited\r\nDisallow: /x\r\n", "/x", false},
        {"User-agent: cited # us\nDisallow: /x # no\n", "/x", false},
        {"# User-agent: cited\nDisallow: /x\n", "/x", true},
        {"  User-agent :\tcited \n  Disallow\t:/x\n", "/x", false},
        {"User-agent cited\nDisallow /x\n", "/x", false},
        {"useragent: cited\ndissallow: /x\n", "/x", false},
        {"User agent: cited\ndisalow: /x\n", "/x", false},
        {"<html>User-agent: cited\nDisallow: /x</html>", "/x", true},
        {"User-agent: cited\nDisallow: /x", "/x", false},
        {"User-agent: cited\n\n\nDisallow: /x\n", "/x", false},
        {":\n::\n#\n\nUser-agent:\nUser-agent: cited\nDisallow: /x\n", "/x",
         false},
    };

    (void)state;
    CHECK(cases);
}

static void only_the_first_500_kib_count(void **state)
{
    static const char head[] = "User-agent: *\nDisallow: /early\n";
    static const char tail[] = "\nDisallow: /late\n";
    size_t n = 600 * 1024;
    char *text = malloc(n);
    struct robots r;

    (void)state;
    assert_non_null(text);
    memset(text, '#', n);
    memcpy(text, head, sizeof head - 1);
    memcpy(text + n - sizeof tail, tail, sizeof tail - 1);
    arena_reset(&arena);
    assert_int_equal(robots_parse(text, n, "cited", &arena, &r), ERR_OK);
    assert_false(robots_allows(&r, "/early"));
    assert_true(robots_allows(&r, "/late"));
    free(text);
}

static void delays_and_sitemaps_are_read(void **state)
{
    static const struct {
        const char *value;
        int milli; /* thousandths; -1000 none */
    } cases[] = {{"5", 5000},    {"0.5", 500},   {"0", 0},
                 {"100", 60000}, {"-1", -1000},  {"x", -1000},
                 {"5s", -1000},  {"", -1000},    {"1.", 1000},
                 {".5", -1000},  {"1e3", -1000}, {"99999999999999", 60000}};
    static const char maps[] =
        "Sitemap: http://a.example/1.xml\nUser-agent: x\nDisallow: /\n"
        "sitemap:http://a.example/2.xml\nSITEMAP: \n";
    struct robots r;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];

        snprintf(text, sizeof text,
                 "User-agent: *\nCrawl-delay: 9\nUser-agent: x\nDisallow: /\n"
                 "User-agent: cited\nCrawl-delay: %s\nDisallow: /y\n",
                 cases[i].value);
        arena_reset(&arena);
        assert_int_equal(robots_parse(text, strlen(text), "cited", &arena, &r),
                         ERR_OK);
        if ((int)(r.crawl_delay * 1000) != cases[i].milli)
            fail_msg("%s: %f", cases[i].value, r.crawl_delay);
    }
    assert_int_equal(robots_parse(maps, strlen(maps), "cited", &arena, &r),
                     ERR_OK);
    assert_int_equal(r.sitemap_count, 2);
    assert_string_equal(r.sitemaps[0], "http://a.example/1.xml");
    assert_string_equal(r.sitemaps[1], "http://a.example/2.xml");
    assert_true(r.crawl_delay < 0);
}

/* One file in this many lines of deep patterns must not take long. */
static void hostile_patterns_stay_cheap(void **state)
{
    size_t n = 480 * 1024, len = 0;
    char *text = malloc(n), path[2049];
    struct robots r;

    (void)state;
    assert_non_null(text);
    len += (size_t)snprintf(text, n, "User-agent: *\n");
    while (len + 64 < n)
        len += (size_t)snprintf(text + len, n - len,
                                "Disallow: /*a*a*a*a*a*a*a*a*a*a*ab$\n");
    memset(path, 'a', sizeof path - 1);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    arena_reset(&arena);
    assert_int_equal(robots_parse(text, len, "cited", &arena, &r), ERR_OK);
    assert_true(robots_allows(&r, path));
    free(text);
}

static void read_robots(const char *path, struct robots *r)
{
    size_t n = 0;
    char *text = suite_read(path, &n);

    if (text == NULL)
        fail_msg("%s cannot be read", path);
    arena_reset(&arena);
    assert_int_equal(robots_parse(text, n, "cited", &arena, r), ERR_OK);
    free(text);
}

/* Files other parsers are tested with; they come without expectations, but
 * for those that speak for themselves. */
static void suite_robots_are_read(void **state)
{
    static const struct {
        const char *file, *path;
        bool want;
    } known[] = {
        {"robotstxt-temoto/_gofuzz/corpus/disallow-all", "/x", false},
        {"reppy/tests/asis/test_robots_allowed/robots.txt", "/allowed", true},
        {"reppy/tests/asis/test_robots_allowed/robots.txt", "/disallowed",
         false},
    };
    char dir[2048], path[4096];
    struct dirent *d;
    struct robots r;
    DIR *corpus;

    (void)state;
    corpus =
        opendir(suite_path("robotstxt-temoto/_gofuzz/corpus", dir, sizeof dir));
    assert_non_null(corpus);
    while ((d = readdir(corpus)) != NULL) {
        if (d->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", dir, d->d_name);
        read_robots(path, &r);
        assert_true(robots_allows(&r, "/robots.txt"));
    }
    closedir(corpus);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        read_robots(suite_path(known[i].file, path, sizeof path), &r);
        if (robots_allows(&r, known[i].path) != known[i].want)
            fail_msg("%s: %s", known[i].file, known[i].path);
    }
}

static int start_all(void **state)
{
    (void)state;
    arena_init(&arena, 64 << 20);
    return 0;
}

static int stop_all(void **state)
{
    (void)state;
    arena_fini(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_group_that_names_us_is_the_only_one),
        cmocka_unit_test(the_longest_match_wins_and_allow_wins_a_tie),
        cmocka_unit_test(patterns_know_star_and_dollar),
        cmocka_unit_test(encodings_are_compared_in_one_spelling),
        cmocka_unit_test(lines_are_read_leniently),
        cmocka_unit_test(only_the_first_500_kib_count),
        cmocka_unit_test(delays_and_sitemaps_are_read),
        cmocka_unit_test(hostile_patterns_stay_cheap),
        cmocka_unit_test(suite_robots_are_read),
    };

    suites_choose();
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
