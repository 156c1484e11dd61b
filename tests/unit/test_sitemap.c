/* Tests of src/crawl/sitemap.c. */
#include "crawl/sitemap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#define NS "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\""
#define URLSET(x) "<?xml version=\"1.0\"?><urlset " NS ">" x "</urlset>"
#define URL(x) "<url><loc>" x "</loc></url>"

static struct arena arena;

static enum err parse(const char *p, size_t n, struct sitemap *out)
{
    arena_reset(&arena);
    memset(out, 0, sizeof *out);
    return sitemap_parse(p, n, &arena, out);
}

struct map_case {
    const char *text;
    enum err want;
    size_t count;
    const char *first;
};

static const struct map_case cases[] = {
    {URLSET(URL("http://a.example/")), ERR_OK, 1, "http://a.example/"},
    {URLSET(URL("http://a.example/?a=1&amp;b=2")), ERR_OK, 1,
     "http://a.example/?a=1&b=2"},
    {URLSET(URL(" \n http://a.example/x \t")), ERR_OK, 1, "http://a.example/x"},
    {URLSET(URL("<![CDATA[http://a.example/?a&b]]>")), ERR_OK, 1,
     "http://a.example/?a&b"},
    {URLSET(""), ERR_OK, 0, NULL},
    {URLSET(URL("") URL("/rel")), ERR_OK, 1, "/rel"},
    {"  \n" URLSET(URL("/lead")), ERR_OK, 1, "/lead"},
    {"<urlset>" URL("/no-ns") "</urlset>", ERR_OK, 1, "/no-ns"},
    {"<s:urlset xmlns:s='x'><s:url><s:loc>/p</s:loc></s:url></s:urlset>",
     ERR_OK, 1, "/p"},
    {URLSET("<url><loc>/page</loc><image:image xmlns:image='i'><image:loc>"
            "/pic.png</image:loc></image:image></url>"),
     ERR_OK, 1, "/page"},
    {URLSET("<loc>/stray</loc>" URL("/a")), ERR_OK, 1, "/a"},
    {URLSET("<other><loc>/x</loc></other>"), ERR_OK, 0, NULL},
    /* broken after the first location */
    {"<urlset>" URL("/a") "<url><loc>/b", ERR_OK, 1, "/a"},
    {"<urlset>" URL("/a") "</wrong>", ERR_OK, 1, "/a"},
    /* broken before it, or no sitemap */
    {"<urlset><url>", ERR_MALFORMED, 0, NULL},
    {"", ERR_MALFORMED, 0, NULL},
    {"<html><body>404</body></html>", ERR_MALFORMED, 0, NULL},
    {"<rss><channel><item><link>x</link></item></channel></rss>", ERR_MALFORMED,
     0, NULL},
    {"{\"json\":1}", ERR_MALFORMED, 0, NULL},
    /* no declarations, no entities */
    {"<!DOCTYPE urlset [<!ENTITY a 'b'>]><urlset>" URL("&a;") "</urlset>",
     ERR_MALFORMED, 0, NULL},
    {"<!DOCTYPE urlset SYSTEM 'file:///etc/passwd'><urlset>" URL(
         "/a") "</urlset>",
     ERR_MALFORMED, 0, NULL},
    {"<urlset><url><loc>&unknown;</loc></url></urlset>", ERR_MALFORMED, 0,
     NULL},
    /* lines */
    {"http://a.example/1\nhttps://a.example/2\r\n\nhttp://a.example/3", ERR_OK,
     3, "http://a.example/1"},
    {"just words\nhttp://a.example/", ERR_MALFORMED, 0, NULL},
    {"http://a.example/1\nand words\n", ERR_OK, 1, "http://a.example/1"},
};

static void locations_are_read_or_the_file_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sitemap m;
        enum err e = parse(cases[i].text, strlen(cases[i].text), &m);

        if (e != cases[i].want || m.count != cases[i].count)
            fail_msg("%s: %s, %zu", cases[i].text, err_name(e), m.count);
        if (m.count > 0)
            assert_string_equal(m.locs[0], cases[i].first);
        assert_false(m.is_index);
    }
}

static void an_index_is_told_from_a_set(void **state)
{
    static const char text[] =
        "<sitemapindex " NS "><sitemap><loc>/1.xml</loc></sitemap>"
        "<url><loc>/not</loc></url><sitemap><loc>/2.xml</loc></sitemap>"
        "</sitemapindex>";
    struct sitemap m;

    (void)state;
    assert_int_equal(parse(text, sizeof text - 1, &m), ERR_OK);
    assert_true(m.is_index);
    assert_int_equal(m.count, 2);
    assert_string_equal(m.locs[1], "/2.xml");
}

static void other_encodings_are_read(void **state)
{
    static const char latin[] =
        "<?xml version='1.0' encoding='ISO-8859-1'?><urlset>" URL(
            "/\xE4") "</urlset>";
    static const char text[] = "<urlset>" URL("/u") "</urlset>";
    char wide[2 * sizeof text + 2] = "\xFF\xFE";
    size_t n = 2;
    struct sitemap m;

    (void)state;
    assert_int_equal(parse(latin, sizeof latin - 1, &m), ERR_OK);
    assert_string_equal(m.locs[0], "/\xC3\xA4");
    for (size_t i = 0; i < sizeof text - 1; i++) {
        wide[n++] = text[i];
        wide[n++] = '\0';
    }
    assert_int_equal(parse(wide, n, &m), ERR_OK);
    assert_string_equal(m.locs[0], "/u");
}

static size_t gzip(const char *p, size_t n, unsigned char *out, size_t size)
{
    z_stream z;

    memset(&z, 0, sizeof z);
    assert_int_equal(
        deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)p;
    z.avail_in = (uInt)n;
    z.next_out = out;
    z.avail_out = (uInt)size;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return z.total_out;
}

static void gzipped_files_are_read_up_to_a_cap(void **state)
{
    static const char text[] = URLSET(URL("/z"));
    size_t big = SITEMAP_BYTES_MAX + 1, n;
    char *zeros = malloc(big);
    unsigned char *out = malloc(1 << 20);
    struct sitemap m;

    (void)state;
    assert_non_null(zeros);
    assert_non_null(out);
    memset(zeros, ' ', big);
    n = gzip(text, sizeof text - 1, out, 1 << 20);
    assert_int_equal(parse((char *)out, n, &m), ERR_OK);
    assert_string_equal(m.locs[0], "/z");
    assert_int_equal(parse((char *)out, n - 9, &m), ERR_OK);
    assert_int_equal(parse((char *)out, 5, &m), ERR_MALFORMED);
    n = gzip(zeros, big, out, 1 << 20);
    assert_int_equal(parse((char *)out, n, &m), ERR_TOO_LARGE);
    assert_int_equal(parse(zeros, big, &m), ERR_TOO_LARGE);
    free(zeros);
    free(out);
}

static void no_more_than_fifty_thousand_are_taken(void **state)
{
    static const char one[] = URL("http://a.example/page");
    size_t n = sizeof one - 1, count = 50010, len = 8;
    char *text = malloc(count * n + 32);
    struct sitemap m;

    (void)state;
    assert_non_null(text);
    memcpy(text, "<urlset>", 8);
    for (size_t i = 0; i < count; i++, len += n)
        memcpy(text + len, one, n);
    assert_int_equal(parse(text, len, &m), ERR_OK);
    assert_int_equal(m.count, SITEMAP_URLS_MAX);
    free(text);
}

static void a_location_too_long_for_a_url_is_dropped(void **state)
{
    size_t n = 0;
    char *text = malloc(16384);
    struct sitemap m;

    (void)state;
    assert_non_null(text);
    n += (size_t)snprintf(text, 16384, "<urlset><url><loc>http://a.example/");
    memset(text + n, 'a', 9000);
    n += 9000;
    n += (size_t)snprintf(text + n, 16384 - n,
                          "</loc></url>" URL("/short") "</urlset>");
    assert_int_equal(parse(text, n, &m), ERR_OK);
    assert_int_equal(m.count, 1);
    assert_string_equal(m.locs[0], "/short");
    free(text);
}

static void deep_nesting_ends_the_file(void **state)
{
    enum { DEEP = 100000 };
    char *text = malloc(DEEP * 3 + 64);
    size_t n = 0;
    struct sitemap m;

    (void)state;
    assert_non_null(text);
    n += (size_t)snprintf(text, 64, "<urlset>" URL("/a"));
    for (int i = 0; i < DEEP; i++, n += 3)
        memcpy(text + n, "<a>", 3);
    assert_int_equal(parse(text, n, &m), ERR_OK);
    assert_int_equal(m.count, 1);
    free(text);
}

static int start_all(void **state)
{
    (void)state;
    arena_init(&arena, 192 << 20);
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
        cmocka_unit_test(locations_are_read_or_the_file_is_refused),
        cmocka_unit_test(an_index_is_told_from_a_set),
        cmocka_unit_test(other_encodings_are_read),
        cmocka_unit_test(gzipped_files_are_read_up_to_a_cap),
        cmocka_unit_test(no_more_than_fifty_thousand_are_taken),
        cmocka_unit_test(a_location_too_long_for_a_url_is_dropped),
        cmocka_unit_test(deep_nesting_ends_the_file),
    };

    return cmocka_run_group_tests(tests, start_all, stop_all);
}
