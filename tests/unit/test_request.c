/*
 * From CGI variables to struct request. The table of paths is what fifteen
 * mounts of Apache, lighttpd and nginx were measured to send for
 * [prefix]/v1/research/a%20b%41/env.
 */
#include "base/str.h"
#include "web/request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define WHOLE "/v1/research/a bA/env"

static const struct {
    const char *mount, *script, *info, *base, *want;
} rows[] = {
    {"Apache ScriptAlias /", "", WHOLE, "", WHOLE},
    {"Apache ScriptAlias /api", "/api", WHOLE, "", WHOLE},
    {"Apache rewrite to app.fcgi", "/app.fcgi", WHOLE, "", WHOLE},
    {"Apache rewrite in a folder", "/sub/app.fcgi", WHOLE, "", WHOLE},
    {"Apache ProxyPass /api/", "/api" WHOLE, NULL, "", WHOLE},
    {"Apache SetHandler proxy", "/api", WHOLE, "", WHOLE},
    {"lighttpd /", "/v1", "/research/a bA/env", "", WHOLE},
    {"lighttpd / with fix-root", "", WHOLE, "", WHOLE},
    {"lighttpd /api", "/api", WHOLE, "", WHOLE},
    {"lighttpd /api/", "/api/v1", "/research/a bA/env", "", WHOLE},
    {"lighttpd rewrite-once", "/app.fcgi", WHOLE, "", WHOLE},
    {"nginx stock at /", WHOLE, NULL, "", WHOLE},
    {"nginx stock at /api", "/api" WHOLE, NULL, "", WHOLE},
    {"nginx split_path_info", "/api", WHOLE, "", WHOLE},
    {"nginx SCRIPT_NAME twice", WHOLE, WHOLE, "", WHOLE},
    /* the same with the base configured */
    {"base, Apache ProxyPass", "/api" WHOLE, NULL, "/api", WHOLE},
    {"base, lighttpd /api/", "/api/v1", "/research/a bA/env", "/api", WHOLE},
    {"base that holds v1", "/v1/x/v1/search", "", "/v1/x", "/v1/search"},
    {"base that holds v1, split", "/v1", "/x/v1/search", "/v1/x", "/v1/search"},
    {"base is not a bare prefix", "/apix/v1/search", "", "/api", "/v1/search"},
    /* forgiven */
    {"doubled v1", "", "/v1/v1/search", "", "/v1/search"},
    {"doubled v1 under lighttpd /", "/v1", "/v1/search", "", "/v1/search"},
    {"tripled v1", "", "/v1/v1/v1/search", "", "/v1/search"},
    {"doubled v1 alone", "", "/v1/v1", "", "/v1"},
    {"v1v1 is something else", "", "/v1/v1x", "", "/v1/v1x"},
    {"trailing slash", "", "/v1/search/", "", "/v1/search"},
    {"trailing slashes", "", "/v1/search///", "", "/v1/search"},
    {"trailing slash in the script", "/v1/search/", "", "", "/v1/search"},
    /* top paths */
    {"healthz", "", "/healthz", "", "/healthz"},
    {"healthz, lighttpd /", "/healthz", "", "", "/healthz"},
    {"healthz, lighttpd /api/", "/api/healthz", NULL, "", "/healthz"},
    {"healthz with a slash", "/app.fcgi", "/healthz/", "", "/healthz"},
    /* nothing of ours */
    {"nothing at all", NULL, NULL, "", "/"},
    {"root", "", "/", "", "/"},
    {"slash in the script", "/", "", "", "/"},
    {"foreign path", "/app.fcgi", "/else", "", "/app.fcgi/else"},
    {"foreign path under the base", "/api", "/else", "/api", "/else"},
    {"v1 alone", "/v1", "", "", "/v1"},
    {"an id named v1", "/v1", "/research/v1/x", "", "/v1/research/v1/x"},
};

static void every_mount_gives_the_same_path(void **state)
{
    struct arena a;

    (void)state;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *got =
            request_path(rows[i].script, rows[i].info, rows[i].base, &a);

        if (got == NULL || strcmp(got, rows[i].want) != 0)
            fail_msg("%s: %s", rows[i].mount, got == NULL ? "NULL" : got);
    }
    arena_fini(&a);
}

static void fill(struct request *rq, struct arena *a, char *const envp[])
{
    assert_int_equal(request_from_env(rq, envp, "", "X-Api-Key , Ocp-Apim-Key",
                                      deadline_in(1000), a),
                     ERR_OK);
}

static void variables_become_members(void **state)
{
    char *envp[] = {(char *)"FCGI_ROLE=RESPONDER",
                    (char *)"REQUEST_METHOD=POST",
                    (char *)"SCRIPT_NAME=/api",
                    (char *)"SCRIPT_NAME=/second",
                    (char *)"PATH_INFO=/v1/search",
                    (char *)"QUERY_STRING=a=%41&b=c=d",
                    (char *)"CONTENT_TYPE=application/json",
                    (char *)"CONTENT_LENGTH=17",
                    (char *)"HTTP_AUTHORIZATION=Bearer x",
                    (char *)"HTTP_ORIGIN=https://a.example",
                    (char *)"REMOTE_ADDR=127.0.0.1",
                    (char *)"NOVALUE",
                    (char *)"=x",
                    NULL};
    struct arena a;
    struct request rq;

    (void)state;
    arena_init(&a, 1 << 20);
    fill(&rq, &a, envp);
    assert_string_equal(rq.method, "POST");
    assert_string_equal(rq.path, "/v1/search");
    assert_string_equal(rq.query, "a=%41&b=c=d");
    assert_string_equal(rq.content_type, "application/json");
    assert_true(rq.has_length);
    assert_int_equal(rq.content_length, 17);
    assert_string_equal(rq.authorization, "Bearer x");
    assert_string_equal(rq.origin, "https://a.example");
    assert_string_equal(rq.remote_addr, "127.0.0.1");
    assert_string_equal(rq.body, "");
    assert_int_equal(strlen(rq.id), 16);
    arena_fini(&a);
}

static void a_path_may_carry_the_key(void **state)
{
    static const struct {
        const char *info, *key, *path;
    } cases[] = {{"PATH_INFO=/key/ck_x/search", "ck_x", "/search"},
                {"PATH_INFO=/api/key/ck_x/v1/search", "ck_x", "/v1/search"},
                {"PATH_INFO=/key/ck_x", NULL, "/key/ck_x"},
                {"PATH_INFO=/key//search", NULL, "/search"},
                {"PATH_INFO=/external/search", NULL, "/external/search"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *envp[] = {(char *)cases[i].info, NULL};
        struct arena a;
        struct request rq;

        arena_init(&a, 1 << 20);
        fill(&rq, &a, envp);
        if (cases[i].key == NULL)
            assert_null(rq.path_key);
        else
            assert_string_equal(rq.path_key, cases[i].key);
        assert_string_equal(rq.path, cases[i].path);
        arena_fini(&a);
    }
}

static void what_is_absent_is_absent(void **state)
{
    char *envp[] = {(char *)"CONTENT_TYPE=", (char *)"CONTENT_LENGTH=", NULL};
    struct arena a;
    struct request rq;

    (void)state;
    arena_init(&a, 1 << 20);
    fill(&rq, &a, envp);
    assert_string_equal(rq.method, "");
    assert_string_equal(rq.path, "/");
    assert_string_equal(rq.query, "");
    assert_null(rq.content_type);
    assert_null(rq.authorization);
    assert_null(rq.key);
    assert_null(rq.origin);
    assert_false(rq.has_length);
    arena_fini(&a);
}

/* As CGI spells it: upper case, '_' for '-'. Nothing but a whole name. */
static void a_named_header_carries_the_key(void **state)
{
    static const struct {
        const char *var, *key;
    } cases[] = {
        {"HTTP_X_API_KEY=k1", "k1"},  {"HTTP_OCP_APIM_KEY=k2", "k2"},
        {"HTTP_X_API_KEY=", NULL},    {"HTTP_X_API_KEYS=k", NULL},
        {"HTTP_X_API=k", NULL},       {"HTTP_=k", NULL},
        {"HTTP_X_API_KEY ,=k", NULL}, {"X_API_KEY=k", NULL},
        {"HTTP_X-API-KEY=k", NULL},   {"HTTP_AUTHORIZATION=k", NULL},
    };
    struct arena a;
    struct request rq;

    (void)state;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *envp[] = {(char *)cases[i].var, NULL};

        fill(&rq, &a, envp);
        if (cases[i].key == NULL)
            assert_null(rq.key);
        else
            assert_string_equal(rq.key, cases[i].key);
    }
    arena_fini(&a);
}

static void a_redirected_authorization_counts(void **state)
{
    char *envp[] = {(char *)"HTTP_AUTHORIZATION=",
                    (char *)"REDIRECT_HTTP_AUTHORIZATION=Bearer r", NULL};
    struct arena a;
    struct request rq;

    (void)state;
    arena_init(&a, 1 << 20);
    fill(&rq, &a, envp);
    assert_string_equal(rq.authorization, "Bearer r");
    arena_fini(&a);
}

static void a_query_lost_by_a_rewrite_is_taken_from_the_uri(void **state)
{
    char *envp[] = {(char *)"QUERY_STRING=",
                    (char *)"REQUEST_URI=/v1/research?page=2", NULL};
    struct arena a;
    struct request rq;

    (void)state;
    arena_init(&a, 1 << 20);
    fill(&rq, &a, envp);
    assert_string_equal(rq.query, "page=2");
    arena_fini(&a);
}

static void a_length_that_is_no_number_is_absent(void **state)
{
    static const char *const bad[] = {"CONTENT_LENGTH=-1", "CONTENT_LENGTH=x",
                                      "CONTENT_LENGTH=1 ",
                                      "CONTENT_LENGTH=99999999999999999999"};
    struct arena a;
    struct request rq;

    (void)state;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < 4; i++) {
        char *envp[] = {(char *)bad[i], NULL};

        fill(&rq, &a, envp);
        assert_false(rq.has_length);
    }
    arena_fini(&a);
}

static void the_head_of_a_response_cannot_be_split(void **state)
{
    struct response r;
    struct buf b;

    (void)state;
    response_init(&r);
    buf_init(&b, 4096);
    r.status = 404;
    buf_adds(&r.body, "{}");
    response_header(&r, "X-A", "1");
    response_header(&r, "X-B", "1\r\nX-Evil: 2");
    response_header(&r, "X-C", NULL);
    assert_int_equal(response_head(&r, &b), ERR_OK);
    assert_string_equal(b.data, "Status: 404 Not Found\r\n"
                                "Content-Type: application/json\r\n"
                                "Content-Length: 2\r\n"
                                "X-A: 1\r\n\r\n");
    for (int i = 0; i < 2 * RESPONSE_HEADERS_MAX; i++)
        response_header(&r, "X-D", "more than fit are left out");
    assert_int_equal(r.header_count, RESPONSE_HEADERS_MAX);
    buf_fini(&b);
    response_fini(&r);
}

static void without_memory_there_is_no_request(void **state)
{
    char *envp[] = {(char *)"PATH_INFO=/v1/search", NULL};
    struct arena a;
    struct request rq;

    (void)state;
    arena_init(&a, 4);
    assert_int_equal(request_from_env(&rq, envp, "", "", deadline_in(1000), &a),
                     ERR_NOMEM);
    arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mount_gives_the_same_path),
        cmocka_unit_test(variables_become_members),
        cmocka_unit_test(a_path_may_carry_the_key),
        cmocka_unit_test(what_is_absent_is_absent),
        cmocka_unit_test(a_named_header_carries_the_key),
        cmocka_unit_test(a_redirected_authorization_counts),
        cmocka_unit_test(a_query_lost_by_a_rewrite_is_taken_from_the_uri),
        cmocka_unit_test(a_length_that_is_no_number_is_absent),
        cmocka_unit_test(the_head_of_a_response_cannot_be_split),
        cmocka_unit_test(without_memory_there_is_no_request),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
