/* Tests of src/net/http.c and guard.c against a server in this process. */
#include "net/http.h"
#include "site.h"

#include <netdb.h>
#include <setjmp.h>
#include <stdint.h>
#include <zlib.h>

#include <cmocka.h>

static struct site site;
static struct conf conf;

static void base_url(char *out, size_t n, const char *path)
{
    snprintf(out, n, "http://127.0.0.1:%d%s", site.port, path);
}

/* --- the server ---------------------------------------------------------- */

/* gzip of count megabytes of zeros. */
static size_t gzip_zeros(unsigned char *out, size_t size, int megabytes)
{
    static unsigned char zeros[1 << 20];
    z_stream z;

    memset(&z, 0, sizeof z);
    assert_int_equal(
        deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_out = out;
    z.avail_out = (uInt)size;
    for (int i = 0; i < megabytes; i++) {
        z.next_in = zeros;
        z.avail_in = sizeof zeros;
        deflate(&z, Z_NO_FLUSH);
    }
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return z.total_out;
}

static bool serve_bomb(int fd)
{
    unsigned char *gz = malloc(1 << 20);
    size_t n;

    assert_non_null(gz);
    n = gzip_zeros(gz, 1 << 20, 64);
    site_reply(fd, 200, "text/plain", "Content-Encoding: gzip\r\n", gz, n);
    free(gz);
    return false;
}

static bool serve_endless(int fd)
{
    char chunk[1024];

    memset(chunk, 'a', sizeof chunk);
    site_printf(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 100000; i++) {
        site_printf(fd, "400\r\n");
        if (send(fd, chunk, sizeof chunk, MSG_NOSIGNAL) < 0)
            return false;
        site_printf(fd, "\r\n");
    }
    return false;
}

static bool serve_endless_header(int fd)
{
    site_printf(fd, "HTTP/1.1 200 OK\r\n");
    for (int i = 0; i < 100000; i++) {
        static const char line[] = "X-A: bbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n";

        if (send(fd, line, sizeof line - 1, MSG_NOSIGNAL) < 0)
            return false;
    }
    return false;
}

/* Nothing until the client leaves. */
static bool serve_never(int fd)
{
    char byte;

    return recv(fd, &byte, 1, 0) > 0;
}

static bool redirect(int fd, int status, const char *to)
{
    char head[4200];

    snprintf(head, sizeof head, "Location: %s\r\n", to);
    return site_reply(fd, status, "text/html", head, "moved", 5);
}

static bool serve_echo(struct site_request *rq)
{
    char body[4096];
    int n = snprintf(body, sizeof body, "%s", rq->head);

    return site_reply(rq->fd, 200, "text/plain", "", body, (size_t)n);
}

/* /to/STATUS/URL */
static bool serve_redirect(struct site_request *rq)
{
    return redirect(rq->fd, (int)strtol(rq->path + 4, NULL, 10), rq->path + 8);
}

static bool handler(struct site *s, struct site_request *rq)
{
    const char *p = rq->path;

    (void)s;
    if (strncmp(p, "/to/", 4) == 0)
        return serve_redirect(rq);
    if (strcmp(p, "/echo") == 0 || strncmp(p, "/echo?", 6) == 0)
        return serve_echo(rq);
    if (strcmp(p, "/loop") == 0)
        return redirect(rq->fd, 302, "/loop");
    if (strcmp(p, "/bomb") == 0)
        return serve_bomb(rq->fd);
    if (strcmp(p, "/endless") == 0)
        return serve_endless(rq->fd);
    if (strcmp(p, "/endless-header") == 0)
        return serve_endless_header(rq->fd);
    if (strcmp(p, "/never") == 0)
        return serve_never(rq->fd);
    if (strcmp(p, "/reset") == 0) {
        struct linger l = {1, 0};

        setsockopt(rq->fd, SOL_SOCKET, SO_LINGER, &l, sizeof l);
        return false;
    }
    if (strcmp(p, "/short") == 0) {
        site_printf(rq->fd, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nab");
        return false;
    }
    if (strcmp(p, "/garbage") == 0) {
        site_printf(rq->fd, "SSH-2.0-thing\r\n\r\n");
        return false;
    }
    if (strcmp(p, "/headers") == 0)
        return site_reply(rq->fd, 200, "text/html; charset=utf-8",
                          "ETag: \"v1\"\r\nLast-Modified: Mon, 01 Jan 2024 "
                          "00:00:00 GMT\r\nX-Robots-Tag: noindex\r\n"
                          "x-robots-tag: otherbot: nofollow\r\n"
                          "Content-Language: de\r\nRetry-After: 7\r\n",
                          "hi", 2);
    if (strcmp(p, "/control") == 0)
        return site_reply(rq->fd, 200, "text/html\x01", "ETag: \"a\x02\"\r\n",
                          "hi", 2);
    if (strcmp(p, "/ten") == 0)
        return site_reply(rq->fd, 200, "text/plain", "", "0123456789", 10);
    return site_reply(rq->fd, 404, "text/plain", "", "no", 2);
}

/* --- helpers ------------------------------------------------------------- */

static struct http *client(const char *allow)
{
    struct http *h = NULL;

    conf.allow_hosts = allow;
    assert_int_equal(http_new(&conf, &h), ERR_OK);
    return h;
}

static void run_url(struct http *h, const char *url, int redirects, size_t max,
                    struct http_response *res)
{
    struct http_request rq = {
        .url = url, .redirects_max = redirects, .response_max = max};

    http_run(h, &rq, deadline_in(5000), res);
}

static void run_path(struct http *h, const char *path, int redirects,
                     size_t max, struct http_response *res)
{
    char url[4096];

    base_url(url, sizeof url, path);
    run_url(h, url, redirects, max, res);
}

/* --- cases --------------------------------------------------------------- */

static void a_response_is_read_with_its_headers(void **state)
{
    struct http *h = client("127.0.0.1");
    struct http_response r;

    (void)state;
    run_path(h, "/headers", 0, 100, &r);
    assert_int_equal(r.err, ERR_OK);
    assert_int_equal(r.status, 200);
    assert_string_equal(buf_str(&r.body), "hi");
    assert_string_equal(r.content_type, "text/html; charset=utf-8");
    assert_string_equal(r.etag, "\"v1\"");
    assert_string_equal(r.last_modified, "Mon, 01 Jan 2024 00:00:00 GMT");
    assert_string_equal(r.robots_tag, "noindex\notherbot: nofollow");
    assert_string_equal(r.language, "de");
    assert_string_equal(r.retry_after, "7");
    assert_string_equal(r.location, "");
    assert_false(r.redirected);
    http_response_fini(&r);
    http_free(h);
}

static void control_characters_in_values_count_as_absent(void **state)
{
    struct http *h = client("127.0.0.1");
    struct http_response r;

    (void)state;
    run_path(h, "/control", 0, 100, &r);
    assert_int_equal(r.err, ERR_OK);
    assert_string_equal(r.content_type, "");
    assert_string_equal(r.etag, "");
    http_response_fini(&r);
    http_free(h);
}

static void a_request_header_with_a_line_break_is_refused(void **state)
{
    struct http *h = client("127.0.0.1");
    struct http_response r;
    char url[256];
    struct http_request rq = {.url = url, .response_max = 100};

    (void)state;
    base_url(url, sizeof url, "/echo");
    rq.headers[0] = "X-A: b\r\nX-Evil: c";
    http_run(h, &rq, deadline_in(5000), &r);
    assert_int_equal(r.err, ERR_INVALID);
    http_response_fini(&r);
    http_free(h);
}

static void the_agent_names_product_and_contact(void **state)
{
    struct http *h = client("127.0.0.1");
    struct http_response r;

    (void)state;
    run_path(h, "/echo", 0, 4096, &r);
    assert_non_null(strstr(buf_str(&r.body),
                           "User-Agent: cited/9 (+mailto:a@example.org)\r\n"));
    assert_non_null(strstr(buf_str(&r.body), "Accept-Encoding: "));
    http_response_fini(&r);
    http_free(h);
}

struct end_case {
    const char *path;
    size_t max;
    enum err want;
};

static void every_bad_transfer_has_its_own_error(void **state)
{
    static const struct end_case cases[] = {
        {"/ten", 10, ERR_OK},
        {"/ten", 9, ERR_TOO_LARGE},
        {"/bomb", 1 << 20, ERR_TOO_LARGE},
        {"/endless", 1 << 20, ERR_TOO_LARGE},
        {"/endless-header", 1 << 20, ERR_TOO_LARGE},
        {"/reset", 100, ERR_UPSTREAM},
        {"/short", 100, ERR_UPSTREAM},
        {"/garbage", 100, ERR_UPSTREAM},
        {"/missing", 100, ERR_OK},
    };
    struct http *h = client("127.0.0.1");

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct http_response r;

        run_path(h, cases[i].path, 0, cases[i].max, &r);
        if (r.err != cases[i].want)
            fail_msg("%s: %s %s", cases[i].path, err_name(r.err), r.msg);
        if (r.err == ERR_TOO_LARGE && r.body.len > 0)
            assert_int_equal(r.body.len, cases[i].max);
        http_response_fini(&r);
    }
    http_free(h);
}

static void the_deadline_ends_a_silent_peer(void **state)
{
    struct http *h = client("127.0.0.1");
    struct http_response r;
    char url[256];
    struct http_request rq = {.url = url, .response_max = 100};
    int64_t start = clock_mono_ms();

    (void)state;
    base_url(url, sizeof url, "/never");
    http_run(h, &rq, deadline_in(150), &r);
    assert_int_equal(r.err, ERR_TIMEOUT);
    assert_true(clock_mono_ms() - start < 5000);
    http_response_fini(&r);
    http_run(h, &rq, deadline_in(0), &r);
    assert_int_equal(r.err, ERR_TIMEOUT);
    http_response_fini(&r);
    http_free(h);
}

static void nobody_listening_is_an_upstream_error(void **state)
{
    struct http *h = client("127.0.0.1");
    struct http_response r;
    struct site closed;
    char url[64];

    (void)state;
    site_start(&closed, handler, NULL);
    snprintf(url, sizeof url, "http://127.0.0.1:%d/", closed.port);
    site_stop(&closed);
    run_url(h, url, 0, 100, &r);
    assert_int_equal(r.err, ERR_UPSTREAM);
    assert_true(strlen(r.msg) > 0);
    http_response_fini(&r);
    http_free(h);
}

static void redirects_are_followed_up_to_their_number(void **state)
{
    struct http *h = client("127.0.0.1");
    struct http_response r;

    (void)state;
    run_path(h, "/to/302/ten", 0, 100, &r);
    assert_int_equal(r.err, ERR_OK);
    assert_int_equal(r.status, 302);
    assert_string_equal(r.location, "ten");
    http_response_fini(&r);
    run_path(h, "/to/301//to/308//ten", 2, 100, &r);
    assert_int_equal(r.err, ERR_OK);
    assert_true(r.redirected);
    assert_string_equal(buf_str(&r.body), "0123456789");
    assert_non_null(strstr(r.url, "/ten"));
    http_response_fini(&r);
    run_path(h, "/to/301//to/308//ten", 1, 100, &r);
    assert_int_equal(r.err, ERR_UPSTREAM);
    http_response_fini(&r);
    run_path(h, "/loop", 20, 100, &r);
    assert_int_equal(r.err, ERR_UPSTREAM);
    http_response_fini(&r);
    http_free(h);
}

static void a_post_becomes_a_get_where_the_status_says_so(void **state)
{
    static const struct {
        const char *path, *first;
    } cases[] = {{"/to/301//echo", "GET"},
                 {"/to/302//echo", "GET"},
                 {"/to/303//echo", "GET"},
                 {"/to/307//echo", "POST"},
                 {"/to/308//echo", "POST"}};
    struct http *h = client("127.0.0.1");

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct http_response r;
        char url[256];
        struct http_request rq = {.url = url,
                                  .body = "{}",
                                  .body_len = 2,
                                  .redirects_max = 3,
                                  .response_max = 4096};

        rq.headers[0] = "Content-Type: application/json";
        base_url(url, sizeof url, cases[i].path);
        http_run(h, &rq, deadline_in(5000), &r);
        assert_int_equal(r.err, ERR_OK);
        assert_memory_equal(buf_str(&r.body), cases[i].first,
                            strlen(cases[i].first));
        http_response_fini(&r);
    }
    http_free(h);
}

static void keys_stay_with_their_origin(void **state)
{
    struct http *h = client("127.0.0.1,localhost");
    struct http_response r;
    char url[512];
    struct http_request rq = {
        .url = url, .redirects_max = 3, .response_max = 4096};

    (void)state;
    rq.headers[0] = "Authorization: Bearer secret";
    rq.headers[1] = "X-Key: secret";
    rq.headers[2] = "Accept: text/html";
    snprintf(url, sizeof url,
             "http://127.0.0.1:%d/to/307/http://localhost:%d/echo", site.port,
             site.port);
    http_run(h, &rq, deadline_in(5000), &r);
    assert_int_equal(r.err, ERR_OK);
    assert_null(strstr(buf_str(&r.body), "secret"));
    assert_non_null(strstr(buf_str(&r.body), "Accept: text/html"));
    http_response_fini(&r);
    base_url(url, sizeof url, "/to/307//echo");
    http_run(h, &rq, deadline_in(5000), &r);
    assert_non_null(strstr(buf_str(&r.body), "secret"));
    http_response_fini(&r);
    rq.same_host = true;
    snprintf(url, sizeof url,
             "http://127.0.0.1:%d/to/307/http://localhost:%d/echo", site.port,
             site.port);
    http_run(h, &rq, deadline_in(5000), &r);
    assert_int_equal(r.err, ERR_FORBIDDEN);
    http_response_fini(&r);
    http_free(h);
}

/* %d, where it stands, is the server's port. */
static const char *const routes[] = {
    "http://127.0.0.1:%d/ten",
    "http://localhost:%d/ten",
    "http://LOCALHOST:%d/ten",
    "http://localhost.:%d/ten",
    "http://127.1:%d/ten",
    "http://127.0.1:%d/ten",
    "http://0177.0.0.1:%d/ten",
    "http://0x7f.0.0.1:%d/ten",
    "http://0x7f.1:%d/ten",
    "http://0x7f000001:%d/ten",
    "http://0X7F000001:%d/ten",
    "http://2130706433:%d/ten",
    "http://017700000001:%d/ten",
    "http://127.0.0.1.:%d/ten",
    "http://127.255.255.254:%d/ten",
    "http://0:%d/ten",
    "http://0.0.0.0:%d/ten",
    "http://[::1]:%d/ten",
    "http://[0:0:0:0:0:0:0:1]:%d/ten",
    "http://[::]:%d/ten",
    "http://[::ffff:127.0.0.1]:%d/ten",
    "http://[::ffff:7f00:1]:%d/ten",
    "http://[::127.0.0.1]:%d/ten",
    "http://[64:ff9b::7f00:1]:%d/ten",
    "http://[2002:7f00:1::]:%d/ten",
    "http://[fe80::1]:%d/ten",
    "http://[fd00::1]:%d/ten",
    "http://user:pass@127.0.0.1:%d/ten",
    "http://\xEF\xBC\x91\xEF\xBC\x92\xEF\xBC\x97.0.0.1:%d/ten",
    "http://127\xE3\x80\x82"
    "0\xE3\x80\x82"
    "0\xE3\x80\x82"
    "1:%d/ten",
    "http://%%31%%32%%37.0.0.1:%d/ten",
    "http:\\\\127.0.0.1:%d\\ten",
    "http://10.0.0.1:%d/ten",
    "http://169.254.169.254:%d/latest/meta-data/",
    "http://192.168.0.1:%d/ten",
    "http://172.31.255.255:%d/ten",
    "http://100.64.0.1:%d/ten",
    "http://224.0.0.1:%d/ten",
    "http://255.255.255.255:%d/ten",
    "http://[ff02::1]:%d/ten",
};

/* Only a parser that never lets the spelling pass may answer otherwise. */
static bool is_refusal(enum err e)
{
    return e == ERR_FORBIDDEN || e == ERR_INVALID || e == ERR_UPSTREAM;
}

static void no_spelling_of_a_private_address_gets_through(void **state)
{
    struct http *h = client("");
    int before = atomic_load(&site.requests);
    size_t forbidden = 0;

    (void)state;
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        struct http_response r;
        char url[256];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(url, sizeof url, routes[i], site.port);
#pragma GCC diagnostic pop
        run_url(h, url, 3, 1000, &r);
        if (!is_refusal(r.err))
            fail_msg("%s: %s %s", url, err_name(r.err), r.msg);
        forbidden += r.err == ERR_FORBIDDEN;
        http_response_fini(&r);
    }
    assert_int_equal(atomic_load(&site.requests), before);
    assert_true(forbidden >= 34);
    http_free(h);
}

static void no_redirect_leads_to_a_private_address(void **state)
{
    char allow[64];
    struct http *h;

    (void)state;
    /* The first hop is allowed by host and port, the second is not. */
    snprintf(allow, sizeof allow, "127.0.0.1:%d", site.port);
    h = client(allow);
    for (size_t i = 1; i < sizeof routes / sizeof *routes; i++) {
        struct http_response r;
        char url[512], to[256];
        int before = atomic_load(&site.requests);

        /* Spellings that do mean the allowed host and port. */
        if (strstr(routes[i], "[") == NULL && i < 14 && i > 3)
            continue;
        if (i >= 27 && i <= 31)
            continue;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(to, sizeof to, routes[i], site.port);
#pragma GCC diagnostic pop
        snprintf(url, sizeof url, "http://127.0.0.1:%d/to/302/%s", site.port,
                 to);
        run_url(h, url, 3, 1000, &r);
        if (!is_refusal(r.err))
            fail_msg("%s: %s", url, err_name(r.err));
        assert_int_equal(atomic_load(&site.requests), before + 1);
        http_response_fini(&r);
    }
    http_free(h);
}

static void foreign_schemes_are_refused_on_every_hop(void **state)
{
    static const char *const urls[] = {
        "file:///etc/passwd",  "gopher://127.0.0.1:70/x",
        "ftp://127.0.0.1/x",   "dict://127.0.0.1:11211/stat",
        "ldap://127.0.0.1/",   "data:text/plain,hi",
        "javascript:alert(1)", "FILE:///etc/passwd",
        "smb://127.0.0.1/x",   "view-source:http://127.0.0.1/",
    };
    struct http *h = client("127.0.0.1");

    (void)state;
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct http_response r;
        char path[256];

        run_url(h, urls[i], 0, 100, &r);
        assert_int_equal(r.err, ERR_FORBIDDEN);
        http_response_fini(&r);
        snprintf(path, sizeof path, "/to/302/%s", urls[i]);
        run_path(h, path, 3, 100, &r);
        assert_int_equal(r.err, ERR_FORBIDDEN);
        http_response_fini(&r);
    }
    http_free(h);
}

static void a_proxy_in_the_environment_is_ignored(void **state)
{
    struct http *h = client("");
    struct http_response r;
    char proxy[64];
    int before = atomic_load(&site.requests);

    (void)state;
    snprintf(proxy, sizeof proxy, "http://127.0.0.1:%d", site.port);
    setenv("http_proxy", proxy, 1);
    setenv("all_proxy", proxy, 1);
    run_url(h, "http://169.254.169.254/latest/", 0, 100, &r);
    unsetenv("http_proxy");
    unsetenv("all_proxy");
    assert_int_equal(r.err, ERR_FORBIDDEN);
    assert_int_equal(atomic_load(&site.requests), before);
    http_response_fini(&r);
    http_free(h);
}

static void the_allow_list_names_hosts_addresses_and_ports(void **state)
{
    char exact[64], other[64];
    struct {
        const char *allow;
        bool ok;
    } cases[] = {
        {"127.0.0.1", true},    {"localhost", false},
        {exact, true},          {other, false},
        {" 127.0.0.1 ", true},  {"x.example, 127.0.0.1,", true},
        {"127.1", true},        {"", false},
        {",,,", false},         {"::1, [::1]:80", false},
        {"http://bad/", false}, {"0.0.0.0", false},
    };

    (void)state;
    snprintf(exact, sizeof exact, "127.0.0.1:%d", site.port);
    snprintf(other, sizeof other, "127.0.0.1:%d", site.port ^ 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct http *h = client(cases[i].allow);
        struct http_response r;

        run_path(h, "/ten", 0, 100, &r);
        if (r.err != (cases[i].ok ? ERR_OK : ERR_FORBIDDEN))
            fail_msg("'%s': %s", cases[i].allow, err_name(r.err));
        http_response_fini(&r);
        http_free(h);
    }
}

static void the_rule_knows_every_special_range(void **state)
{
    static const struct {
        const char *address;
        bool is_public;
    } cases[] = {
        {"8.8.8.8", true},
        {"1.1.1.1", true},
        {"0.1.2.3", false},
        {"10.255.255.255", false},
        {"11.0.0.0", true},
        {"9.255.255.255", true},
        {"100.63.255.255", true},
        {"100.64.0.0", false},
        {"100.127.255.255", false},
        {"100.128.0.0", true},
        {"127.0.0.1", false},
        {"128.0.0.1", true},
        {"169.254.169.254", false},
        {"169.253.255.255", true},
        {"172.15.255.255", true},
        {"172.16.0.0", false},
        {"172.31.255.255", false},
        {"172.32.0.0", true},
        {"192.0.0.8", false},
        {"192.0.1.0", true},
        {"192.0.2.1", false},
        {"192.88.99.1", false},
        {"192.168.1.1", false},
        {"192.169.0.0", true},
        {"198.17.255.255", true},
        {"198.18.0.0", false},
        {"198.19.255.255", false},
        {"198.20.0.0", true},
        {"198.51.100.7", false},
        {"203.0.113.9", false},
        {"223.255.255.255", true},
        {"224.0.0.0", false},
        {"240.0.0.1", false},
        {"255.255.255.255", false},
        {"2606:4700::1111", true},
        {"2a00:1450::1", true},
        {"2001:4860:4860::8888", true},
        {"::", false},
        {"::1", false},
        {"::ffff:8.8.8.8", false},
        {"::8.8.8.8", false},
        {"64:ff9b::808:808", false},
        {"64:ff9b:1::1", false},
        {"100::1", false},
        {"2001::1", false},
        {"2001:10::1", false},
        {"2001:1ff::1", false},
        {"2001:200::1", true},
        {"2001:db8::1", false},
        {"2001:db9::1", true},
        {"2002:808:808::", false},
        {"2003::1", true},
        {"3fff::1", false},
        {"4000::1", false},
        {"fc00::1", false},
        {"fdff::1", false},
        {"fe80::1", false},
        {"fec0::1", false},
        {"ff02::1", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct addrinfo hint = {.ai_flags = AI_NUMERICHOST}, *ai = NULL;

        assert_int_equal(getaddrinfo(cases[i].address, NULL, &hint, &ai), 0);
        if (http_address_is_public(ai->ai_addr) != cases[i].is_public)
            fail_msg("%s", cases[i].address);
        freeaddrinfo(ai);
    }
}

static void many_requests_run_side_by_side(void **state)
{
    enum { N = 24 };
    struct http *h = client("127.0.0.1");
    struct http_request rq[N];
    struct http_response res[N];
    char url[N][256];
    int64_t start = clock_mono_ms();

    (void)state;
    for (int i = 0; i < N; i++) {
        char path[64];

        snprintf(path, sizeof path, "/echo?%d.", i);
        base_url(url[i], sizeof url[i], i % 6 == 5 ? "/never" : path);
        rq[i] = (struct http_request){.url = url[i], .response_max = 4096};
    }
    http_run_many(h, rq, N, deadline_in(1500), res);
    assert_true(clock_mono_ms() - start < 10000);
    for (int i = 0; i < N; i++) {
        char want[64];

        snprintf(want, sizeof want, "GET /echo?%d. ", i);
        assert_int_equal(res[i].err, i % 6 == 5 ? ERR_TIMEOUT : ERR_OK);
        if (i % 6 != 5)
            assert_memory_equal(buf_str(&res[i].body), want, strlen(want));
        http_response_fini(&res[i]);
    }
    http_free(h);
}

static void the_pool_hands_out_what_is_done(void **state)
{
    struct http *h = client("127.0.0.1");
    struct http_response r;
    int users[40] = {0};
    char url[256];
    int taken = 0;
    void *user;

    (void)state;
    base_url(url, sizeof url, "/ten");
    for (int i = 0; i < 40; i++) {
        struct http_request rq = {.url = i == 7 ? "nonsense" : url,
                                  .response_max = 99};

        rq.user = &users[i];
        assert_int_equal(http_add(h, &rq, 5000), ERR_OK);
    }
    while (taken < 40) {
        http_poll(h, 1000);
        while (http_take(h, &r, &user)) {
            ptrdiff_t i = (int *)user - users;

            assert_int_equal(r.err, i == 7 ? ERR_INVALID : ERR_OK);
            users[i]++;
            taken++;
            http_response_fini(&r);
        }
    }
    for (int i = 0; i < 40; i++)
        assert_int_equal(users[i], 1);
    assert_int_equal(http_in_flight(h), 0);
    http_free(h);
}

static void the_pool_can_be_dropped_and_used_again(void **state)
{
    struct http *h = client("127.0.0.1");
    struct http_response r;
    char url[256];
    struct http_request rq = {.url = url, .response_max = 100};

    (void)state;
    base_url(url, sizeof url, "/never");
    assert_int_equal(http_add(h, &rq, 60000), ERR_OK);
    assert_int_equal(http_poll(h, 20), 0);
    assert_int_equal(http_in_flight(h), 1);
    http_abort(h);
    assert_int_equal(http_in_flight(h), 0);
    run_path(h, "/ten", 0, 100, &r);
    assert_int_equal(r.err, ERR_OK);
    http_response_fini(&r);
    http_free(h);
}

static void *wake_it(void *h)
{
    http_wake(h);
    return NULL;
}

static void another_thread_can_end_the_wait(void **state)
{
    struct http *h = client("");
    int64_t start = clock_mono_ms();
    pthread_t t;

    (void)state;
    assert_int_equal(pthread_create(&t, NULL, wake_it, h), 0);
    http_poll(h, 10000);
    assert_true(clock_mono_ms() - start < 5000);
    pthread_join(t, NULL);
    http_free(h);
}

static int start_all(void **state)
{
    (void)state;
    conf.user_agent = "cited/9";
    conf.contact = "mailto:a@example.org";
    site_start(&site, handler, NULL);
    return 0;
}

static int stop_all(void **state)
{
    (void)state;
    site_stop(&site);
    http_global_fini();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_response_is_read_with_its_headers),
        cmocka_unit_test(control_characters_in_values_count_as_absent),
        cmocka_unit_test(a_request_header_with_a_line_break_is_refused),
        cmocka_unit_test(the_agent_names_product_and_contact),
        cmocka_unit_test(every_bad_transfer_has_its_own_error),
        cmocka_unit_test(the_deadline_ends_a_silent_peer),
        cmocka_unit_test(nobody_listening_is_an_upstream_error),
        cmocka_unit_test(redirects_are_followed_up_to_their_number),
        cmocka_unit_test(a_post_becomes_a_get_where_the_status_says_so),
        cmocka_unit_test(keys_stay_with_their_origin),
        cmocka_unit_test(no_spelling_of_a_private_address_gets_through),
        cmocka_unit_test(no_redirect_leads_to_a_private_address),
        cmocka_unit_test(foreign_schemes_are_refused_on_every_hop),
        cmocka_unit_test(a_proxy_in_the_environment_is_ignored),
        cmocka_unit_test(the_allow_list_names_hosts_addresses_and_ports),
        cmocka_unit_test(the_rule_knows_every_special_range),
        cmocka_unit_test(many_requests_run_side_by_side),
        cmocka_unit_test(the_pool_hands_out_what_is_done),
        cmocka_unit_test(the_pool_can_be_dropped_and_used_again),
        cmocka_unit_test(another_thread_can_end_the_wait),
    };

    return cmocka_run_group_tests(tests, start_all, stop_all);
}
