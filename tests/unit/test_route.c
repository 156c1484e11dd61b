/* The route table, its gates, and the Authorization header. */
#include "web/auth.h"
#include "web/handlers.h"
#include "webapp.h"

#include <stdint.h>

static void patterns_match_whole_paths(void **state)
{
    static const struct {
        const char *pattern, *path;
        bool match;
        const char *id;
    } rows[] = {
        {"/v1/search", "/v1/search", true, NULL},
        {"/v1/search", "/v1/searc", false, NULL},
        {"/v1/search", "/v1/search/", false, NULL},
        {"/v1/search", "/v1/searchx", false, NULL},
        {"/v1/search", "/", false, NULL},
        {"/v1/research/{id}", "/v1/research/abc", true, "abc"},
        {"/v1/research/{id}", "/v1/research/a b", true, "a b"},
        {"/v1/research/{id}", "/v1/research/", false, NULL},
        {"/v1/research/{id}", "/v1/research", false, NULL},
        {"/v1/research/{id}", "/v1/research/a/b", false, NULL},
        {"/v1/research/{id}/steps", "/v1/research/a/steps", true, "a"},
        {"/v1/research/{id}/steps", "/v1/research/a", false, NULL},
        {"/v1/research/{id}/steps", "/v1/research//steps", false, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str id = {NULL, 0};

        assert_int_equal(route_matches(rows[i].pattern, rows[i].path, &id),
                         rows[i].match);
        if (rows[i].match && rows[i].id != NULL)
            assert_true(str_eq(id, rows[i].id));
    }
}

static void a_header_holds_exactly_one_token(void **state)
{
    static const struct {
        const char *header, *token;
    } rows[] = {
        {"Bearer abc", "abc"},
        {"bearer abc", "abc"},
        {"BEARER   abc  ", "abc"},
        {" Bearer a-b._~+/c==", "a-b._~+/c=="},
        {NULL, NULL},
        {"", NULL},
        {"Bearer", NULL},
        {"Bearer ", NULL},
        {"Bearerabc", NULL},
        {"Bearer abc def", NULL},
        {"Bearer abc, Bearer def", NULL},
        {"Bearer abc,", NULL},
        {"Bearer \"abc\"", NULL},
        {"Bearer a\tb", NULL},
        {"Bearer caf\xC3\xA9", NULL},
        {"Basic abc", NULL},
        {"abc", NULL},
    };
    struct arena a;

    (void)state;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *token = "unset";
        enum err e = auth_bearer(rows[i].header, &a, &token);

        assert_int_equal(e, rows[i].token == NULL ? ERR_AUTH : ERR_OK);
        assert_string_equal(token,
                            rows[i].token == NULL ? "unset" : rows[i].token);
    }
    arena_fini(&a);
}

static void a_header_of_its_own_holds_a_key_and_nothing_else(void **state)
{
    const char *token = "unset";
    struct arena a;

    (void)state;
    arena_init(&a, 1 << 16);
    assert_int_equal(auth_key("Bearer abc", &a, &token), ERR_AUTH);
    assert_int_equal(auth_key("a, b", &a, &token), ERR_AUTH);
    assert_int_equal(auth_key(" ", &a, &token), ERR_AUTH);
    assert_string_equal(token, "unset");
    assert_int_equal(auth_key(" ck_abc ", &a, &token), ERR_OK);
    assert_string_equal(token, "ck_abc");
    arena_fini(&a);
}

/* --- gates, on a table of the test's own ------------------------------------
 */

static enum err h_ok(struct call *c)
{
    return buf_adds(&c->res->body, c->id == NULL ? "none" : c->id);
}

static const struct route table[] = {
    {METHOD_GET, "/a", 0, 0, h_ok},
    {METHOD_POST, "/a", NEED_BODY, 0, h_ok},
    {METHOD_GET | METHOD_DELETE, "/b/{id}", 0, 0, h_ok},
    {METHOD_POST, "/small", NEED_BODY, 8, h_ok},
};

struct gate_row {
    const char *method, *path, *type, *body;
    bool has_length;
    int status;
    const char *allow;
};

static void dispatch(struct webapp *t, const struct gate_row *r,
                     const char *origin, struct response *res)
{
    struct request rq = {.method = r->method,
                         .path = r->path,
                         .query = "",
                         .content_type = r->type,
                         .origin = origin,
                         .remote_addr = "",
                         .has_length = r->has_length,
                         .body = r->body == NULL ? "" : r->body,
                         .id = "0123456789abcdef",
                         .deadline = deadline_in(10000),
                         .arena = &t->w.arena};

    rq.body_len = strlen(rq.body);
    rq.body_too_large = strcmp(rq.body, "LARGE") == 0;
    arena_reset(&t->w.arena);
    response_init(res);
    route_dispatch(table, 4, &t->w, &rq, res);
}

static void gates_answer_in_order(void **state)
{
    static const char json[] = "application/json";
    static const struct gate_row rows[] = {
        {"GET", "/a", NULL, NULL, false, 200, NULL},
        {"HEAD", "/a", NULL, NULL, false, 200, NULL},
        {"GET", "/b/x", NULL, NULL, false, 200, NULL},
        {"DELETE", "/b/x", NULL, NULL, false, 200, NULL},
        {"GET", "/c", NULL, NULL, false, 404, NULL},
        {"OPTIONS", "/c", NULL, NULL, false, 404, NULL},
        {"OPTIONS", "/a", NULL, NULL, false, 200, "GET, HEAD, POST, OPTIONS"},
        {"DELETE", "/a", NULL, NULL, false, 405, "GET, HEAD, POST, OPTIONS"},
        {"get", "/a", NULL, NULL, false, 405, "GET, HEAD, POST, OPTIONS"},
        {"", "/a", NULL, NULL, false, 405, "GET, HEAD, POST, OPTIONS"},
        {"POST", "/b/x", NULL, NULL, false, 405, "DELETE, GET, HEAD, OPTIONS"},
        {"PUT", "/small", json, "{}", true, 405, "POST, OPTIONS"},
        {"POST", "/a", json, "{}", true, 200, NULL},
        {"POST", "/a", json, "{}", false, 200, NULL},
        {"POST", "/a", "APPLICATION/JSON ; charset=\"UTF-8\"", "{}", true, 200,
         NULL},
        {"POST", "/a", "application/json; version=1; charset=utf8", "{}", true,
         200, NULL},
        {"POST", "/a", "application/json; charset=latin1", "{}", true, 415,
         NULL},
        {"POST", "/a", "text/json", "{}", true, 415, NULL},
        {"POST", "/a", NULL, "{}", true, 415, NULL},
        {"POST", "/a", "text/plain", "LARGE", true, 415, NULL},
        {"POST", "/a", json, "LARGE", true, 413, NULL},
        {"POST", "/small", json, "{\"a\":12}", true, 200, NULL},
        {"POST", "/small", json, "{\"a\":123}", true, 413, NULL},
        {"POST", "/a", json, NULL, false, 411, NULL},
        {"POST", "/a", NULL, NULL, false, 411, NULL},
        {"POST", "/a", json, NULL, true, 400, NULL},
        {"POST", "/a", json, "[]", true, 400, NULL},
        {"POST", "/a", json, "{", true, 400, NULL},
    };
    struct webapp *t = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct response res;
        const char *allow;

        dispatch(t, &rows[i], NULL, &res);
        if (res.status != rows[i].status)
            fail_msg("row %zu: %d %s", i, res.status, buf_str(&res.body));
        allow = webapp_header(&res, "Allow");
        if (rows[i].allow == NULL)
            assert_null(allow);
        else
            assert_string_equal(allow, rows[i].allow);
        response_fini(&res);
    }
}

static void the_id_reaches_the_handler(void **state)
{
    struct gate_row row = {"GET", "/b/an id", NULL, NULL, false, 200, NULL};
    struct response res;

    dispatch(*state, &row, NULL, &res);
    assert_string_equal(buf_str(&res.body), "an id");
    response_fini(&res);
}

static void only_configured_origins_are_allowed(void **state)
{
    struct gate_row get = {"GET", "/a", NULL, NULL, false, 200, NULL};
    struct gate_row pre = {"OPTIONS", "/a", NULL, NULL, false, 200, NULL};
    struct response res;

    dispatch(*state, &get, "https://b.example", &res);
    assert_string_equal(webapp_header(&res, "Access-Control-Allow-Origin"),
                        "https://b.example");
    assert_string_equal(webapp_header(&res, "Vary"), "Origin");
    response_fini(&res);
    dispatch(*state, &pre, "https://a.example", &res);
    assert_string_equal(webapp_header(&res, "Access-Control-Allow-Methods"),
                        "GET, HEAD, POST, OPTIONS");
    assert_non_null(webapp_header(&res, "Access-Control-Allow-Headers"));
    response_fini(&res);
    dispatch(*state, &get, "https://evil.example", &res);
    assert_null(webapp_header(&res, "Access-Control-Allow-Origin"));
    response_fini(&res);
    dispatch(*state, &get, "https://a.example.evil.example", &res);
    assert_null(webapp_header(&res, "Access-Control-Allow-Origin"));
    response_fini(&res);
    dispatch(*state, &get, "", &res);
    assert_null(webapp_header(&res, "Access-Control-Allow-Origin"));
    response_fini(&res);
}

static void every_route_of_the_service_is_well_formed(void **state)
{
    (void)state;
    for (size_t i = 0; i < route_table_count; i++) {
        const struct route *r = &route_table[i];

        assert_non_null(r->handle);
        assert_true(r->methods != 0 && r->pattern[0] == '/');
        assert_true((r->needs & NEED_BODY) == 0 ||
                    (r->methods & METHOD_POST) != 0);
        if ((r->needs & NEED_KEY) != 0)
            continue;
        assert_true(strcmp(r->pattern, "/healthz") == 0 ||
                    strcmp(r->pattern, "/v1/openapi.json") == 0 ||
                    strcmp(r->pattern, "/v1/accounts") == 0 ||
                    (r->methods == METHOD_POST &&
                     strcmp(r->pattern, "/v1/sessions") == 0));
        assert_true((r->needs & (NEED_SIGN_IN | NEED_OPERATOR)) == 0);
    }
}

static int open_app(void **state)
{
    char *envp[] = {(char *)"CITED_SERVER_CORS_ORIGINS=https://a.example, "
                            "https://b.example",
                    NULL};
    struct webapp *t = calloc(1, sizeof *t);

    webapp_open(t, envp);
    *state = t;
    return 0;
}

static int close_app(void **state)
{
    webapp_close(*state);
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_whole_paths),
        cmocka_unit_test(a_header_holds_exactly_one_token),
        cmocka_unit_test(a_header_of_its_own_holds_a_key_and_nothing_else),
        cmocka_unit_test(gates_answer_in_order),
        cmocka_unit_test(the_id_reaches_the_handler),
        cmocka_unit_test(only_configured_origins_are_allowed),
        cmocka_unit_test(every_route_of_the_service_is_well_formed),
    };

    return cmocka_run_group_tests(tests, open_app, close_app);
}
