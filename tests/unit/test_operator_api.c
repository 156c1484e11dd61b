/*
 * What operators see and change over the API (the index, its crawls), and the
 * stored pages that everybody may read. The helper of a crawl is the test's
 * own.
 */
#include "base/date.h"
#include "base/meter.h"
#include "index/page.h"
#include "store/sql.h"
#include "webapp.h"

#include <stdint.h>

static int setup(void **state)
{
    static struct webapp t;
    struct errctx ec;

    webapp_open(&t, NULL);
    assert_int_equal(
        account_set_role(t.w.store.state, t.account, ROLE_OPERATOR, &ec),
        ERR_OK);
    *state = &t;
    return 0;
}

static int teardown(void **state)
{
    webapp_close(*state);
    return 0;
}

static void ask(struct webapp *t, const char *bearer, const char *method,
                const char *path, const char *body, struct response *res)
{
    struct ask q = {.method = method,
                    .path = path,
                    .authorization = bearer,
                    .content_type = body == NULL ? NULL : "application/json",
                    .body = body};

    webapp_ask(t, &q, res);
}

static const char *good(struct webapp *t, const char *method, const char *path,
                        const char *body)
{
    static char text[8192];
    struct response res;

    ask(t, t->bearer, method, path, body, &res);
    snprintf(text, sizeof text, "%s", buf_str(&res.body));
    if (res.status != 200)
        fail_msg("%s %s: %d %s", method, path, res.status, text);
    response_fini(&res);
    return text;
}

static void bad(struct webapp *t, const char *method, const char *path,
                const char *body, int status, const char *code,
                const char *field)
{
    struct response res;

    ask(t, t->bearer, method, path, body, &res);
    assert_true(webapp_is_problem(&res, status, code, field, path));
    assert_null(strstr(buf_str(&res.body), "secret"));
    response_fini(&res);
}

static void put(struct webapp *t, const char *url, const char *host,
                int32_t day)
{
    struct page p = {.url = url,
                     .host = host,
                     .title = "A \"title\"",
                     .lang = "en",
                     .favicon = "",
                     .day = day,
                     .etag = "",
                     .last_modified = ""};
    const struct passage_text parts[] = {
        {.heading = "", .text = "The first passage."},
        {.heading = "", .text = "The second passage."}};
    struct errctx ec;
    int64_t id;

    assert_int_equal(page_put(t->w.store.index, &p, parts, 2, &id, &ec),
                     ERR_OK);
}

static void others_are_kept_out(void **state)
{
    static const struct {
        const char *method, *path, *body;
    } rows[] = {
        {"GET", "/v1/index", NULL},
        {"GET", "/v1/status", NULL},
        {"GET", "/metrics", NULL},
        {"POST", "/v1/index/crawls", "{\"url\":\"http://a.example/\"}"},
        {"DELETE", "/v1/index/hosts/a.example", NULL},
        {"POST", "/v1/pages", "{\"url\":\"http://a.example/\"}"},
        {"DELETE", "/v1/pages?url=http://a.example/", NULL},
    };
    struct webapp *t = *state;
    char key[KEY_LEN + 1], bearer[KEY_LEN + 16];
    struct response res;
    struct errctx ec;
    const char *id;
    int64_t other;

    assert_int_equal(account_create(t->w.store.state, "b@x", 1, &other, &ec),
                     ERR_OK);
    assert_int_equal(
        key_create(t->w.store.state, other, "", 1, key, &id, &t->w.arena, &ec),
        ERR_OK);
    snprintf(bearer, sizeof bearer, "Bearer %s", key);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ask(t, bearer, rows[i].method, rows[i].path, rows[i].body, &res);
        assert_true(
            webapp_is_problem(&res, 403, "FORBIDDEN", NULL, rows[i].path));
        response_fini(&res);
        ask(t, NULL, rows[i].method, rows[i].path, rows[i].body, &res);
        assert_true(
            webapp_is_problem(&res, 401, "UNAUTHORIZED", NULL, rows[i].path));
        response_fini(&res);
    }
}

static void the_index_is_shown_by_host(void **state)
{
    struct webapp *t = *state;
    const char *text;

    text = good(t, "GET", "/v1/index", NULL);
    assert_non_null(strstr(text, "{\"pages\":0,\"passages\":0,\"bytes\":"));
    assert_non_null(strstr(text, "\"hosts\":[],\"crawls\":[]}"));
    put(t, "http://a.example/1", "a.example", DAY_NONE);
    put(t, "http://a.example/2", "a.example", DAY_NONE);
    put(t, "http://b.example/", "b.example", DAY_NONE);
    text = good(t, "GET", "/v1/index", NULL);
    assert_non_null(strstr(text, "{\"pages\":3,\"passages\":6,"));
    assert_non_null(
        strstr(text, "\"hosts\":[{\"host\":\"a.example\",\"pages\":2,"
                     "\"passages\":4},{\"host\":\"b.example\",\"pages\":1,"
                     "\"passages\":2}]"));
}

static void a_crawl_is_made_once_and_shown(void **state)
{
    struct webapp *t = *state;
    char first[8 + UUID_LEN] = "";
    const char *text =
        good(t, "POST", "/v1/index/crawls",
             "{\"url\":\"HTTP://A.example\",\"pages\":5,\"delay\":0}");

    snprintf(first, sizeof first, "%s", text); /* {"id":"… */
    assert_non_null(strstr(text, "\"url\":\"http://a.example/\","
                                 "\"state\":\"running\",\"pages\":5,"
                                 "\"delay\":0,\"stored\":0"));
    assert_non_null(strstr(text, "\"endedAt\":null,\"error\":null}"));
    text =
        good(t, "POST", "/v1/index/crawls", "{\"url\":\"http://a.example/\"}");
    assert_non_null(strstr(text, first));
    assert_non_null(strstr(good(t, "GET", "/v1/index", NULL), first));
    text =
        good(t, "POST", "/v1/index/crawls", "{\"url\":\"http://b.example/\"}");
    assert_non_null(strstr(text, "\"delay\":null"));
}

static void bad_crawls_are_refused(void **state)
{
    struct webapp *t = *state;
    char body[64];

    bad(t, "POST", "/v1/index/crawls", "{}", 400, "VALIDATION_ERROR", "url");
    bad(t, "POST", "/v1/index/crawls", "{\"url\":\"ftp://x/\"}", 400,
        "VALIDATION_ERROR", "url");
    bad(t, "POST", "/v1/index/crawls", "{\"url\":\"http://x/\",\"pages\":0}",
        400, "VALIDATION_ERROR", "pages");
    bad(t, "POST", "/v1/index/crawls",
        "{\"url\":\"http://x/\",\"delay\":600001}", 400, "VALIDATION_ERROR",
        "delay");
    for (int i = 0; i < 4; i++) {
        snprintf(body, sizeof body, "{\"url\":\"http://x/%d\"}", i);
        good(t, "POST", "/v1/index/crawls", body);
    }
    bad(t, "POST", "/v1/index/crawls", "{\"url\":\"http://x/\"}", 429,
        "TOO_MANY_REQUESTS", NULL);
}

static void a_host_is_removed_with_its_subdomains(void **state)
{
    struct webapp *t = *state;
    char url[64];

    for (int i = 0; i < 230; i++) {
        snprintf(url, sizeof url, "http://a.example/%d", i);
        put(t, url, "a.example", DAY_NONE);
    }
    put(t, "http://www.a.example/", "www.a.example", DAY_NONE);
    put(t, "http://ba.example/", "ba.example", DAY_NONE);
    assert_string_equal(
        good(t, "DELETE", "/v1/index/hosts/www.A.example", NULL),
        "{\"removed\":1}");
    put(t, "http://www.a.example/", "www.a.example", DAY_NONE);
    assert_string_equal(good(t, "DELETE", "/v1/index/hosts/a.example", NULL),
                        "{\"removed\":231}");
    bad(t, "DELETE", "/v1/index/hosts/a.example", NULL, 404, "NOT_FOUND", NULL);
    bad(t, "DELETE", "/v1/index/hosts/%00", NULL, 404, "NOT_FOUND", NULL);
    bad(t, "DELETE", "/v1/index/hosts/a@b", NULL, 404, "NOT_FOUND", NULL);
    assert_non_null(strstr(good(t, "GET", "/v1/index", NULL), "{\"pages\":1,"));
}

static void a_stored_page_can_be_read(void **state)
{
    struct webapp *t = *state;

    put(t, "http://a.example/x?y=1", "a.example", 20000);
    put(t, "http://a.example/z", "a.example", DAY_NONE);
    assert_string_equal(
        good(t, "GET", "/v1/pages?url=http%3A%2F%2FA.example%2Fx%3Fy%3D1",
             NULL),
        "{\"url\":\"http://a.example/x?y=1\",\"title\":\"A \\\"title\\\"\","
        "\"date\":\"2024-10-04\",\"language\":\"en\","
        "\"text\":\"The first passage.\\n\\nThe second passage.\"}");
    assert_non_null(
        strstr(good(t, "GET", "/v1/pages?url=http://a.example/z", NULL),
               "\"date\":null"));
    bad(t, "GET", "/v1/pages?url=http://a.example/none", NULL, 404, "NOT_FOUND",
        NULL);
    bad(t, "GET", "/v1/pages", NULL, 400, "VALIDATION_ERROR", "url");
    bad(t, "GET", "/v1/pages?url=", NULL, 400, "VALIDATION_ERROR", "url");
    bad(t, "GET", "/v1/pages?url=javascript:x", NULL, 400, "VALIDATION_ERROR",
        "url");
    bad(t, "GET", "/v1/pages?url=%zz", NULL, 400, "VALIDATION_ERROR", "url");
    bad(t, "GET", "/v1/pages?url=http://a/&url=http://b/", NULL, 400,
        "VALIDATION_ERROR", "url");
}

/* --- pages put in ------------------------------------------------------ */

#define SPEECH "The keeper of the lamp trims its wick every evening."
#define PAGE(url, more) "{\"url\":\"" url "\"," more "}"

static void pages_are_put_in_and_removed(void **state)
{
    struct webapp *t = *state;

    assert_string_equal(
        good(t, "POST", "/v1/pages",
             "[" PAGE("http://A.example/1",
                      "\"title\":\"Lamps\","
                      "\"date\":\"2026-01-02\",\"text\":\"" SPEECH
                      "\"") "," PAGE("http://a.example/2",
                                     "\"html\":\"<title>Wicks</title><p>" SPEECH
                                     "\"") "]"),
        "{\"data\":[{\"url\":\"http://a.example/1\",\"title\":\"Lamps\","
        "\"passages\":1,\"date\":\"2026-01-02\"},"
        "{\"url\":\"http://a.example/2\",\"title\":\"Wicks\","
        "\"passages\":1,\"date\":null}]}");
    assert_non_null(strstr(good(t, "POST", "/v1/pages",
                                PAGE("http://a.example/1",
                                     "\"markdown\":\"# Oil\\n\\n" SPEECH "\"")),
                           "\"title\":\"Oil\",\"passages\":1"));
    assert_non_null(strstr(good(t, "GET", "/v1/index", NULL), "{\"pages\":2,"));
    assert_string_equal(
        good(t, "DELETE", "/v1/pages?url=http://a.example/1", NULL),
        "{\"removed\":1}");
    bad(t, "DELETE", "/v1/pages?url=http://a.example/1", NULL, 404, "NOT_FOUND",
        NULL);
    bad(t, "DELETE", "/v1/pages", NULL, 400, "VALIDATION_ERROR", "url");
}

static void all_pages_go_in_or_none(void **state)
{
    static const struct {
        const char *body, *field;
    } rows[] = {
        {"[]", ""},
        {"[1]", "0"},
        {"{}", "url"},
        {PAGE("ftp://a/", "\"text\":\"x\""), "url"},
        {PAGE("http://a.example/1", "\"title\":\"x\""), "html"},
        {PAGE("http://a.example/1", "\"html\":\"x\",\"text\":\"x\""), "html"},
        {PAGE("http://a.example/1", "\"html\":1"), "html"},
        {PAGE("http://a.example/1", "\"text\":\"" SPEECH "\",\"title\":1"),
         "title"},
        {PAGE("http://a.example/1", "\"text\":\"" SPEECH "\","
                                    "\"date\":\"yesterday\""),
         "date"},
        {PAGE("http://a.example/1", "\"text\":\" \""), "text"},
        {"[" PAGE("http://a.example/1", "\"text\":\"" SPEECH "\"") "," PAGE(
             "http://a.example/2", "\"html\":\"<p></p>\"") "]",
         "1.html"},
        {"[" PAGE("http://a.example/1", "\"text\":\"" SPEECH "\"") "," PAGE(
             "http://a.example/2", "\"markdown\":\"\"") "]",
         "1.markdown"},
    };
    struct webapp *t = *state;
    struct buf many;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        bad(t, "POST", "/v1/pages", rows[i].body, 400, "VALIDATION_ERROR",
            rows[i].field);
    buf_init(&many, 65536);
    for (int i = 0; i <= 100; i++)
        buf_adds(&many, i == 0 ? "[{}" : ",{}");
    buf_addc(&many, ']');
    bad(t, "POST", "/v1/pages", buf_str(&many), 400, "VALIDATION_ERROR", "");
    buf_fini(&many);
    assert_non_null(strstr(good(t, "GET", "/v1/index", NULL), "{\"pages\":0,"));
}

static void put_form(struct webapp *t, const char *bearer, const char *body,
                     size_t n, struct response *res)
{
    const struct ask q = {.method = "POST",
                          .path = "/v1/pages",
                          .authorization = bearer,
                          .content_type = "multipart/form-data; boundary=X",
                          .body = body,
                          .body_len = n};

    webapp_ask(t, &q, res);
}

#define FIELD(head, value)                                                     \
    "--X\r\nContent-Disposition: form-data; " head "\r\n\r\n" value "\r\n"
#define OF_URL FIELD("name=\"url\"", "http://a.example/f")

static void a_form_puts_a_file_in(void **state)
{
    static const struct {
        const char *body, *title, *field; /* one of the last two */
    } rows[] = {
        {OF_URL FIELD("name=\"file\"; filename=\"a.md\"",
                      "# Oil\n\n" SPEECH) "--X--",
         "Oil", NULL},
        {FIELD("name=\"file\"; filename=\"a.html\"\r\nContent-Type: text/html",
               "<title>Wicks</title><p>" SPEECH) OF_URL "--X--",
         "Wicks", NULL},
        {OF_URL FIELD("name=\"title\"", "Lamps")
             FIELD("name=\"file\"; filename=\"a\"", SPEECH) "--X--",
         "Lamps", NULL},
        {OF_URL "--X--", NULL, "file"},
        {FIELD("name=\"file\"; filename=\"a.txt\"", SPEECH) "--X--", NULL,
         "url"},
        {OF_URL FIELD("name=\"file\"; filename=\"a.bin\"", "\1\2\3") "--X--",
         NULL, "file"},
        {OF_URL FIELD("name=\"date\"", "\xFF")
             FIELD("name=\"file\"; filename=\"a.txt\"", SPEECH) "--X--",
         NULL, "date"},
        {OF_URL, NULL, ""},
    };
    struct webapp *t = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char want[128];
        struct response res;

        put_form(t, t->bearer, rows[i].body, strlen(rows[i].body), &res);
        if (rows[i].title == NULL) {
            assert_true(webapp_is_problem(&res, 400, "VALIDATION_ERROR",
                                          rows[i].field, rows[i].body));
        } else {
            snprintf(want, sizeof want,
                     "{\"data\":[{\"url\":\"http://a.example/f\",\"title\":"
                     "\"%s\",\"passages\":1,\"date\":null}]}",
                     rows[i].title);
            assert_string_equal(buf_str(&res.body), want);
        }
        response_fini(&res);
    }
}

/* More than limits.body_bytes is read of an operator's request alone. */
static void a_large_file_is_taken_from_operators(void **state)
{
    static const char head[] =
        OF_URL "--X\r\nContent-Disposition: form-data; name=\"file\"; "
               "filename=\"a.txt\"\r\n\r\n" SPEECH "\n\n",
                      tail[] = "\r\n--X--";
    struct webapp *t = *state;
    size_t n = (size_t)t->conf.body_max + 65536;
    char *body = malloc(n);
    struct response res;

    assert_non_null(body);
    memset(body, 'x', n);
    for (size_t i = 999; i + 1 < n; i += 1000) /* short paragraphs */
        body[i] = body[i + 1] = '\n';
    memcpy(body, head, sizeof head - 1);
    memcpy(body + n - sizeof tail + 1, tail, sizeof tail - 1);
    put_form(t, t->bearer, body, n, &res);
    assert_int_equal(res.status, 200);
    response_fini(&res);
    put_form(t, "Bearer nobody", body, n, &res);
    assert_true(webapp_is_problem(&res, 401, "UNAUTHORIZED", NULL, "nobody"));
    response_fini(&res);
    t->conf.pages_max = t->conf.body_max;
    put_form(t, t->bearer, body, n, &res);
    assert_true(
        webapp_is_problem(&res, 413, "PAYLOAD_TOO_LARGE", NULL, "large"));
    response_fini(&res);
    free(body);
}

/* --- status and figures ------------------------------------------------ */

static void three_helpers(struct app *app, struct helpers *out)
{
    (void)app;
    *out = (struct helpers){3, 1};
}

static void the_status_tells_parts_queue_errors_and_requests(void **state)
{
    struct webapp *t = *state;
    struct json *root = NULL;
    struct response res;
    const struct json *v;
    struct errctx ec;

    assert_int_equal(meter_new(NULL, &t->app.meter), ERR_OK);
    t->app.helpers = three_helpers;
    /* An error to be told. */
    assert_int_equal(sql_exec(t->w.store.state,
                              "ALTER TABLE crawl_job RENAME TO secret", &ec),
                     ERR_OK);
    bad(t, "POST", "/v1/index/crawls", "{\"url\":\"http://x/\"}", 503,
        "STORAGE_UNREADABLE", NULL);
    ask(t, t->bearer, "GET", "/v1/status", NULL, &res);
    assert_int_equal(res.status, 200);
    root = webapp_json(&res);
    assert_int_equal(json_count(json_get(root, "providers")), 0);
    assert_non_null(json_get(root, "model"));
    v = json_get(root, "queue");
    assert_true(json_number(json_get(v, "pending")) == 0);
    assert_true(json_number(json_get(v, "processing")) == 0);
    assert_true(json_number(json_get(v, "helpers")) == 3);
    v = json_first(json_get(root, "errors"));
    assert_int_equal(strlen(json_string(json_get(v, "requestId"))), 16);
    assert_non_null(
        strstr(json_string(json_get(v, "message")), "503 /v1/index/crawls: "));
    assert_non_null(strstr(json_string(json_get(v, "message")), "crawl_job"));
    v = json_get(json_get(root, "requests"), "perMinute");
    assert_int_equal(json_count(v), 60);
    assert_true(json_number(json_get(json_get(root, "requests"), "p50Ms")) >=
                0);
    json_free(root);
    response_fini(&res);
    meter_free(t->app.meter);
}

static void figures_are_told_as_prometheus_reads_them(void **state)
{
    struct webapp *t = *state;
    struct response res;
    const char *text;

    assert_int_equal(meter_new(NULL, &t->app.meter), ERR_OK);
    meter_add(t->app.meter,
              "cited_provider_requests_total{provider=\"x\",outcome=\"ok\"}",
              4);
    put(t, "http://a.example/1", "a.example", DAY_NONE);
    good(t, "GET", "/v1/index", NULL);
    good(t, "GET", "/v1/index", NULL);
    bad(t, "GET", "/v1/nothing", NULL, 404, "NOT_FOUND", NULL);
    ask(t, t->bearer, "GET", "/metrics", NULL, &res);
    assert_int_equal(res.status, 200);
    assert_string_equal(res.type, "text/plain; version=0.0.4; charset=utf-8");
    text = buf_str(&res.body);
    assert_non_null(strstr(text, "# TYPE cited_requests_total counter\n"));
    assert_non_null(strstr(text, "\ncited_requests_total{route=\"/v1/index\","
                                 "method=\"GET\",status=\"200\"} 2\n"));
    assert_non_null(strstr(text, "\ncited_requests_total{route=\"-\","
                                 "method=\"GET\",status=\"404\"} 1\n"));
    assert_non_null(strstr(text, "\ncited_provider_requests_total{provider="
                                 "\"x\",outcome=\"ok\"} 4\n"));
    assert_non_null(strstr(text, "# TYPE cited_request_seconds histogram\n"));
    assert_non_null(strstr(text, "\ncited_request_seconds_bucket{route="
                                 "\"/v1/index\",le=\"25\"} 2\n"
                                 "cited_request_seconds_bucket{route="
                                 "\"/v1/index\",le=\"+Inf\"} 2\n"
                                 "cited_request_seconds_sum{route="
                                 "\"/v1/index\"} 0."));
    assert_non_null(strstr(text, "\ncited_request_seconds_count{route="
                                 "\"/v1/index\"} 2\n"));
    assert_non_null(strstr(text, "\ncited_index_pages 1\n"));
    assert_non_null(strstr(text, "\ncited_metrics_shared 0\n"));
    response_fini(&res);
    meter_free(t->app.meter);
}

static void figures_are_for_operators_and_named_addresses(void **state)
{
    static const struct {
        const char *address;
        int status;
    } rows[] = {{"192.0.2.7", 200},
                {"::ffff:192.0.2.7", 200},
                {"2001:db8:0:0::1", 200},
                {"192.0.2.70", 401},
                {"2001:db8::2", 401},
                {"", 401},
                {NULL, 401}};
    static char *const conf[] = {
        "CITED_METRICS_ALLOW=192.0.2.7, 2001:db8::1, nonsense,", NULL};
    struct webapp t;
    struct response res;

    (void)state;
    webapp_open(&t, conf);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ask q = {
            .method = "GET", .path = "/metrics", .address = rows[i].address};

        webapp_ask(&t, &q, &res);
        assert_int_equal(res.status, rows[i].status);
        response_fini(&res);
    }
    bad(&t, "GET", "/metrics", NULL, 403, "FORBIDDEN", NULL);
    webapp_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(others_are_kept_out),
        T(the_index_is_shown_by_host),
        T(a_crawl_is_made_once_and_shown),
        T(bad_crawls_are_refused),
        T(a_host_is_removed_with_its_subdomains),
        T(a_stored_page_can_be_read),
        T(pages_are_put_in_and_removed),
        T(all_pages_go_in_or_none),
        T(a_form_puts_a_file_in),
        T(a_large_file_is_taken_from_operators),
        T(the_status_tells_parts_queue_errors_and_requests),
        T(figures_are_told_as_prometheus_reads_them),
#undef T
        cmocka_unit_test(figures_are_for_operators_and_named_addresses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
