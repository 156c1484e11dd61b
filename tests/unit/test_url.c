/* URLs, hosts and domain rules; and the WHATWG URL test data in
 * `make suites`. */
#include "base/url.h"

#include "suites.h"
#include "json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, 1 << 24);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_fini(&arena);
    return 0;
}

static enum err parse(const char *text, const struct url *base, struct url *out)
{
    struct errctx ec = {ERR_OK, ""};
    enum err err = url_parse(text, strlen(text), base, &arena, out, &ec);

    if (err != ERR_OK)
        assert_true(ec.msg[0] != '\0');
    return err;
}

static void must_be(const char *text, const struct url *base, const char *href)
{
    struct url u, again;

    if (parse(text, base, &u) != ERR_OK)
        fail_msg("refused: %s", text);
    assert_string_equal(u.href, href);
    assert_int_equal(parse(u.href, NULL, &again), ERR_OK);
    assert_string_equal(again.href, href);
}

/* --- absolute ------------------------------------------------------------- */

static void absolute_urls_get_one_spelling(void **state)
{
    static const char *const rows[][2] = {
        {"http://example.com", "http://example.com/"},
        {"  HTTP://EXAMPLE.com:80/ \n", "http://example.com/"},
        {"https://example.com:443", "https://example.com/"},
        {"https://example.com:0080/", "https://example.com:80/"},
        {"http://example.com:/x", "http://example.com/x"},
        {"http://user:pa@ss@example.com/", "http://example.com/"},
        {"http://example.com/a#b?c", "http://example.com/a"},
        {"http://example.com/?", "http://example.com/"},
        {"http:\\\\example.com\\a\\b", "http://example.com/a/b"},
        {"http:example.com/a", "http://example.com/a"},
        {"http:///example.com/a", "http://example.com/a"},
        {"ht\ttp://exa\nmple.com/a\rb", "http://example.com/ab"},
        {"http://example.com/a/./b/../c", "http://example.com/a/c"},
        {"http://example.com/../..", "http://example.com/"},
        {"http://example.com/a/%2E%2e/b/%2e", "http://example.com/b/"},
        {"http://example.com/a//b/", "http://example.com/a//b/"},
        {"http://example.com//x", "http://example.com//x"},
        {"http://example.com/%7Ea%2fb%c3%a9",
         "http://example.com/~a%2Fb%C3%A9"},
        {"http://example.com/\xC3\xA9 <>\"",
         "http://example.com/%C3%A9%20%3C%3E%22"},
        {"http://example.com/100%", "http://example.com/100%25"},
        {"http://example.com/%%341", "http://example.com/%2541"},
        {"http://example.com/?a='&b=[x y]&c=%7e",
         "http://example.com/?a=%27&b=%5Bx%20y%5D&c=~"},
        {"http://example.com?q=a/../b", "http://example.com/?q=a/../b"},
        {"http://example.com/\xFF", "http://example.com/%FF"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        must_be(rows[i][0], NULL, rows[i][1]);
}

static void hosts_get_one_spelling(void **state)
{
    static const char *const rows[][2] = {
        {"http://EXAMPLE.Com./", "example.com"},
        {"http://b\xC3\xBC"
         "cher.example/",
         "xn--bcher-kva.example"},
        {"http://B\xC3\x9C"
         "CHER.example/",
         "xn--bcher-kva.example"},
        {"http://xn--bcher-kva.example/", "xn--bcher-kva.example"},
        {"http://fa\xC3\x9F.de/", "xn--fa-hia.de"},
        {"http://ex%61mple.com/", "example.com"},
        {"http://b%C3%BCcher.example/", "xn--bcher-kva.example"},
        {"http://a\xE3\x80\x82"
         "example/",
         "a.example"},
        {"http://\xEF\xBC\x87\xEF\xBC\xAF.com/", NULL},
        {"http://\xEF\xBC\xA7\xEF\xBD\x8F.com/", "go.com"},
        {"http://my_host.example/", "my_host.example"},
        {"http://r3---sn-4g5e.example/", "r3---sn-4g5e.example"},
        {"http://127.1/", "127.0.0.1"},
        {"http://0x7f.1/", "127.0.0.1"},
        {"http://0X7F000001/", "127.0.0.1"},
        {"http://2130706433/", "127.0.0.1"},
        {"http://0177.0.0.1/", "127.0.0.1"},
        {"http://127.0.0.1./", "127.0.0.1"},
        {"http://%31%32%37.0.0.1/", "127.0.0.1"},
        {"http://4294967295/", "255.255.255.255"},
        {"http://1.2.3/", "1.2.0.3"},
        {"http://0x/", "0.0.0.0"},
        {"http://1.2.3.com/", "1.2.3.com"},
        {"http://[::1]/", "[::1]"},
        {"http://[0:0:0:0:0:0:0:1]/", "[::1]"},
        {"http://[2001:DB8:0:0:1::1]/", "[2001:db8::1:0:0:1]"},
        {"http://[::FFFF:127.0.0.1]/", "[::ffff:7f00:1]"},
        {"http://[1:2:3:4:5:6:0:8]/", "[1:2:3:4:5:6:0:8]"},
        {"http://[::]/", "[::]"},
        {"http://[1::]:8080/", "[1::]"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct url u;

        if (rows[i][1] == NULL) {
            assert_int_equal(parse(rows[i][0], NULL, &u), ERR_INVALID);
            continue;
        }
        assert_int_equal(parse(rows[i][0], NULL, &u), ERR_OK);
        assert_string_equal(u.host, rows[i][1]);
    }
}

static void what_is_no_web_url_is_refused(void **state)
{
    static const char *const rows[] = {
        "",
        " ",
        "example.com",
        "/path",
        "mailto:a@b",
        "ftp://example.com/",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "http://",
        "http:",
        "http:///",
        "http://?x",
        "http://#x",
        "http://:80/",
        "http://@/",
        "http://a b/",
        "http://a%20b/",
        "http://a%00b/",
        "http://a<b/",
        "http://a%2fb/",
        "http://a%zz/",
        "http://a*b/",
        "http://a..b/",
        "http://.a/",
        "http://a../",
        "http://./",
        "http://a:b/",
        "http://a:65536/",
        "http://a:0/",
        "http://a:99999999999999999999/",
        "http://a:-1/",
        "http://1.2.3.256/",
        "http://1.2.3.4.5/",
        "http://4294967296/",
        "http://0x100000000/",
        "http://09/",
        "http://1..2/",
        "http://a.1/",
        "http://[::1/",
        "http://[::1]x/",
        "http://[]/",
        "http://[::1%25eth0]/",
        "http://[1:2:3]/",
        "http://[1::2::3]/",
        "http://xn--a/",
        "http://a%ff/",
        "http://\xC2\xAD/",
        "http://a\xE2\x84\x80z/",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct url u = {.port = -7};

        if (parse(rows[i], NULL, &u) != ERR_INVALID)
            fail_msg("not refused: %s", rows[i]);
        assert_int_equal(u.port, -7);
    }
}

static void lengths_are_bounded(void **state)
{
    char text[40000];
    struct url u;

    (void)state;
    memset(text, 'a', sizeof text);
    memcpy(text, "http://h/", 9);
    assert_int_equal(url_parse(text, URL_MAX, NULL, &arena, &u, NULL), ERR_OK);
    assert_int_equal(strlen(u.href), URL_MAX);
    assert_int_equal(url_parse(text, URL_MAX + 1, NULL, &arena, &u, NULL),
                     ERR_INVALID);
    assert_int_equal(url_parse(text, sizeof text, NULL, &arena, &u, NULL),
                     ERR_INVALID);
    text[9] = '#'; /* the fragment does not count */
    assert_int_equal(url_parse(text, sizeof text, NULL, &arena, &u, NULL),
                     ERR_OK);
    memcpy(text, "http://", 7);
    memset(text + 7, 'a', 63);
    text[70] = '/';
    assert_int_equal(url_parse(text, 71, NULL, &arena, &u, NULL), ERR_OK);
    text[70] = 'a';
    text[71] = '/';
    assert_int_equal(url_parse(text, 72, NULL, &arena, &u, NULL), ERR_INVALID);
}

static void parts_are_set(void **state)
{
    struct url u;

    (void)state;
    assert_int_equal(parse("https://H.example:8443/p/?q=1#f", NULL, &u),
                     ERR_OK);
    assert_string_equal(u.href, "https://h.example:8443/p/?q=1");
    assert_string_equal(u.scheme, "https");
    assert_string_equal(u.host, "h.example");
    assert_int_equal(u.port, 8443);
    assert_string_equal(u.path, "/p/");
    assert_string_equal(u.query, "q=1");
    assert_int_equal(parse("http://h.example", NULL, &u), ERR_OK);
    assert_int_equal(u.port, 80);
    assert_string_equal(u.path, "/");
    assert_string_equal(u.query, "");
}

/* --- relative ------------------------------------------------------------- */

static void relative_references_are_resolved(void **state)
{
    static const char *const rows[][2] = {
        {"", "http://b.example:8080/a/b/c?q"},
        {"#frag", "http://b.example:8080/a/b/c?q"},
        {"?x=1", "http://b.example:8080/a/b/c?x=1"},
        {"?", "http://b.example:8080/a/b/c"},
        {"d", "http://b.example:8080/a/b/d"},
        {"./d", "http://b.example:8080/a/b/d"},
        {"../d?e", "http://b.example:8080/a/d?e"},
        {"../../../../d", "http://b.example:8080/d"},
        {".", "http://b.example:8080/a/b/"},
        {"..", "http://b.example:8080/a/"},
        {"/d/", "http://b.example:8080/d/"},
        {"\\d", "http://b.example:8080/d"},
        {"//c.example/d", "http://c.example/d"},
        {"\\\\c.example\\d", "http://c.example/d"},
        {"http:d", "http://b.example:8080/a/b/d"},
        {"http:/d", "http://b.example:8080/d"},
        {"https:d", "https://d/"},
        {"d:e/f", NULL},
        {"./d:e", "http://b.example:8080/a/b/d:e"},
        {"mailto:x@y", NULL},
        {"//", NULL},
    };
    struct url base;

    (void)state;
    assert_int_equal(parse("http://b.example:8080/a/b/c?q", NULL, &base),
                     ERR_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct url u;

        if (rows[i][1] == NULL)
            assert_int_equal(parse(rows[i][0], &base, &u), ERR_INVALID);
        else
            must_be(rows[i][0], &base, rows[i][1]);
    }
}

/* --- hosts and rules ------------------------------------------------------ */

static void canonical_hosts_have_no_www(void **state)
{
    static const char *const rows[][2] = {
        {"WWW.Example.COM.", "example.com"},
        {"example.com", "example.com"},
        {"www.example.co.uk", "example.co.uk"},
        {"www.gov.uk", "www.gov.uk"}, /* gov.uk is a public suffix */
        {"www.com", "www.com"},
        {"wwwx.example.com", "wwwx.example.com"},
        {"b\xC3\xBC"
         "cher.example",
         "xn--bcher-kva.example"},
        {"", NULL},
        {"a b", NULL},
        {"a/b", NULL},
        {"a..b", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *out = NULL;
        enum err err =
            host_canonical(rows[i][0], strlen(rows[i][0]), &arena, &out);

        assert_int_equal(err, rows[i][1] == NULL ? ERR_INVALID : ERR_OK);
        if (rows[i][1] != NULL)
            assert_string_equal(out, rows[i][1]);
    }
}

static void registrable_domains_follow_the_suffix_list(void **state)
{
    static const char *const rows[][2] = {
        {"a.b.example.com", "example.com"},
        {"example.com", "example.com"},
        {"a.example.co.uk", "example.co.uk"},
        {"co.uk", "co.uk"},
        {"localhost", "localhost"},
        {"10.1.2.3", "10.1.2.3"},
        {"[::1]", "[::1]"},
        {"a.b.github.io", "b.github.io"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(host_registrable(rows[i][0]), rows[i][1]);
}

static void a_domain_holds_itself_and_its_subdomains(void **state)
{
    (void)state;
    assert_true(host_within("example.com", "example.com"));
    assert_true(host_within("a.b.example.com", "example.com"));
    assert_false(host_within("notexample.com", "example.com"));
    assert_false(host_within("com", "example.com"));
    assert_false(host_within("example.com.evil.org", "example.com"));
    assert_true(host_within("10.0.0.1", "10.0.0.1"));
    assert_false(host_within("10.0.0.1", "0.1"));
    assert_false(host_within("a.example", ""));
}

static void rules_are_read_in_every_spelling(void **state)
{
    static const struct {
        const char *entry, *host, *path;
    } rows[] = {
        {"example.com", "example.com", ""},
        {" Example.COM ", "example.com", ""},
        {"www.example.com", "example.com", ""},
        {"*.example.com", "example.com", ""},
        {"*.www.example.com", "example.com", ""},
        {"https://www.example.com/", "example.com", ""},
        {"http://example.com:8080/docs/", "example.com", "/docs"},
        {"example.com:8080/docs", "example.com", "/docs"},
        {"example.com/a/../b//?q#f", "example.com", "/b"},
        {"//example.com/x", "example.com", "/x"},
        {"HTTPS://example.com", "example.com", ""},
        {"b\xC3\xBC"
         "cher.example",
         "xn--bcher-kva.example", ""},
        {"localhost", "localhost", ""},
        {"127.0.0.1:80", "127.0.0.1", ""},
        {"[::1]:80/x", "[::1]", "/x"},
        {"", NULL, NULL},
        {"   ", NULL, NULL},
        {"*", NULL, NULL},
        {"*.", NULL, NULL},
        {"/docs", NULL, NULL},
        {"https://", NULL, NULL},
        {"https:///x", NULL, NULL},
        {"not a domain", NULL, NULL},
        {"bob@example.com", NULL, NULL},
        {"mailto:bob@example.com", NULL, NULL},
        {"exa*mple.com", NULL, NULL},
        {"a..com", NULL, NULL},
        {"?", NULL, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct domain_rule r = {NULL, NULL};
        enum err err =
            domain_rule_parse(rows[i].entry, strlen(rows[i].entry), &arena, &r);

        if (rows[i].host == NULL) {
            if (err != ERR_INVALID)
                fail_msg("not refused: %s", rows[i].entry);
            continue;
        }
        if (err != ERR_OK)
            fail_msg("refused: %s", rows[i].entry);
        assert_string_equal(r.host, rows[i].host);
        assert_string_equal(r.path, rows[i].path);
    }
}

static void rules_match_on_label_and_segment_borders(void **state)
{
    static const struct {
        const char *rule, *url;
        bool match;
    } rows[] = {
        {"example.com", "https://example.com/", true},
        {"example.com", "http://www.example.com:8080/a?b", true},
        {"www.example.com", "http://blog.example.com/", true},
        {"example.com", "http://myexample.com/", false},
        {"blog.example.com", "http://example.com/", false},
        {"example.com/docs", "http://example.com/docs", true},
        {"example.com/docs/", "http://example.com/docs/a", true},
        {"example.com/docs", "http://example.com/docs?x", true},
        {"example.com/docs", "http://example.com/docsify", false},
        {"example.com/docs", "http://example.com/", false},
        {"example.com/do%63s", "http://example.com/docs/", true},
        {"example.com/docs", "http://example.com/docs/../x", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct domain_rule r;
        struct url u;

        assert_int_equal(
            domain_rule_parse(rows[i].rule, strlen(rows[i].rule), &arena, &r),
            ERR_OK);
        assert_int_equal(parse(rows[i].url, NULL, &u), ERR_OK);
        if (domain_rule_matches(&r, &u) != rows[i].match)
            fail_msg("%s against %s", rows[i].rule, rows[i].url);
    }
}

static void inclusion_decides_alone(void **state)
{
    const struct domain_rule a = {"a.example", ""}, b = {"b.example", ""};
    const struct domain_rules none = {NULL, 0}, ra = {&a, 1}, rb = {&b, 1};
    struct url u;

    (void)state;
    assert_int_equal(parse("http://x.a.example/", NULL, &u), ERR_OK);
    assert_true(domains_allow(&none, &none, &u));
    assert_true(domains_allow(NULL, NULL, &u));
    assert_true(domains_allow(&ra, &none, &u));
    assert_true(domains_allow(&ra, &ra, &u));
    assert_false(domains_allow(&rb, &none, &u));
    assert_false(domains_allow(&none, &ra, &u));
    assert_true(domains_allow(&none, &rb, &u));
}

/* --- the WHATWG data ------------------------------------------------------ */

struct tally {
    unsigned agree, stricter, idna, other_scheme, nul, wrong;
};

/* We refuse on purpose what the standard lets pass: bytes no resolver knows
 * in a host, port 0, empty labels, overlong names. */
static bool refused_on_purpose(const struct json *row)
{
    const char *host = json_string(json_get(row, "hostname"));
    const char *port = json_string(json_get(row, "port"));
    size_t n = host == NULL ? 0 : strlen(host);

    if (host == NULL)
        return false;
    if (host[0] != '[' &&
        host[strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789-_.")] != '\0')
        return true;
    return strstr(host, "..") != NULL || host[0] == '.' ||
           (port != NULL && strcmp(port, "0") == 0) || n > HOST_MAX ||
           strcspn(host, ".") > 63;
}

/* The standard's host without a final dot, as ours is. */
static bool same_host(const char *theirs, const char *ours)
{
    size_t n = strlen(theirs);

    if (n > 1 && theirs[n - 1] == '.')
        n--;
    return strlen(ours) == n && memcmp(theirs, ours, n) == 0;
}

static void report(const char *what, const struct json *row)
{
    const char *base = json_string(json_get(row, "base"));
    const char *href = json_string(json_get(row, "href"));

    printf("WHATWG: %s: \"%s\" base \"%s\" expected \"%s\"\n", what,
           json_string(json_get(row, "input")), base == NULL ? "" : base,
           href == NULL ? "failure" : href);
}

static bool is_web(const char *href)
{
    return href != NULL &&
           (strncmp(href, "http:", 5) == 0 || strncmp(href, "https:", 6) == 0);
}

/* One row whose outcome is an http or https URL, or a failure. */
static void check_row(const struct json *row, struct tally *t)
{
    const char *input = json_string(json_get(row, "input"));
    const char *base = json_string(json_get(row, "base"));
    const char *href = json_string(json_get(row, "href"));
    struct url b, u, want;
    bool has_base = base != NULL && parse(base, NULL, &b) == ERR_OK;
    bool parsed = (base == NULL || has_base) &&
                  parse(input, has_base ? &b : NULL, &u) == ERR_OK;

    if (strstr(input, "\xEF\xBF\xBD") != NULL) {
        t->nul++; /* the getters cannot hand a NUL on */
        return;
    }
    if (!is_web(href)) {
        t->other_scheme += href != NULL && !parsed;
        t->agree += href == NULL && !parsed;
        t->wrong += parsed;
        if (parsed)
            report(u.href, row);
        return;
    }
    if (!parsed && refused_on_purpose(row)) {
        t->stricter++;
    } else if (!parsed && strstr(href, "xn--") != NULL) {
        t->idna++; /* libidn2 asks for IDNA 2008, browsers for UTS #46 */
    } else if (parsed && parse(href, NULL, &want) == ERR_OK &&
               strcmp(u.href, want.href) == 0 &&
               same_host(json_string(json_get(row, "hostname")), u.host)) {
        t->agree++;
    } else {
        report(parsed ? u.href : "refused", row);
        t->wrong++;
    }
}

static void suite_whatwg_agrees(void **state)
{
    char path[512];
    char *text;
    size_t n = 0;
    struct json *rows = NULL;
    struct tally t = {0, 0, 0, 0, 0, 0};

    (void)state;
    text = suite_read(
        suite_path("url-wpt/tests/wpt/urltestdata.json", path, sizeof path),
        &n);
    assert_non_null(text);
    assert_int_equal(json_parse(text, n, &json_limits_foreign, &rows, NULL),
                     ERR_OK);
    for (const struct json *r = json_first(rows); r != NULL; r = json_next(r))
        if (json_type_of(r) == JSON_OBJECT)
            check_row(r, &t);
    json_free(rows);
    free(text);
    printf("WHATWG URL data: %u agree, %u refused on purpose, %u refused by "
           "IDNA 2008, %u of other schemes refused, %u with NUL not "
           "compared, %u wrong\n",
           t.agree, t.stricter, t.idna, t.other_scheme, t.nul, t.wrong);
    assert_true(t.agree > 0);
    assert_int_equal(t.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absolute_urls_get_one_spelling),
        cmocka_unit_test(hosts_get_one_spelling),
        cmocka_unit_test(what_is_no_web_url_is_refused),
        cmocka_unit_test(lengths_are_bounded),
        cmocka_unit_test(parts_are_set),
        cmocka_unit_test(relative_references_are_resolved),
        cmocka_unit_test(canonical_hosts_have_no_www),
        cmocka_unit_test(registrable_domains_follow_the_suffix_list),
        cmocka_unit_test(a_domain_holds_itself_and_its_subdomains),
        cmocka_unit_test(rules_are_read_in_every_spelling),
        cmocka_unit_test(rules_match_on_label_and_segment_borders),
        cmocka_unit_test(inclusion_decides_alone),
        cmocka_unit_test(suite_whatwg_agrees),
    };

    suites_choose();
    return cmocka_run_group_tests(tests, setup, teardown);
}
