/*
 * POST /mcp: JSON-RPC messages in, messages out, over real databases. What a
 * search says is the test's own (the linker takes it before the library's);
 * the REST handlers below the tools are real.
 */
#include "base/date.h"
#include "web/h_mcp.h"
#include "webapp.h"

static enum err search_says;
static struct search_params search_asked;

static struct source one_source[] = {
    {"One", "https://a.example/1", NULL, "First.", DAY_NONE, 1, 1}};

enum err search_run(const struct search_env *env, const struct search_params *p,
                    struct deadline d, const char *id, struct arena *a,
                    struct search_result *out, struct errctx *ec)
{
    (void)env;
    (void)d;
    (void)id;
    (void)a;
    search_asked = *p;
    search_asked.q = "";
    if (search_says != ERR_OK)
        return err_set(ec, search_says, "no page speaks of it");
    *out = (struct search_result){.answer = "Because [1].",
                                  .object = "{\"year\":1889}",
                                  .sources = one_source,
                                  .source_count = 1};
    return ERR_OK;
}

int64_t search_deadline_ms(const struct conf *c, struct model *model,
                           enum search_depth depth)
{
    (void)c;
    (void)model;
    (void)depth;
    return 1234;
}

static int open_app(void **state)
{
    static char *envp[] = {
        (char *)"CITED_SERVER_CORS_ORIGINS=https://ui.example", NULL};
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

static void post(struct webapp *t, const char *version, const char *body,
                 struct response *res)
{
    struct ask q = {.method = "POST",
                    .path = "/mcp",
                    .authorization = t->bearer,
                    .content_type = "application/json",
                    .mcp_version = version,
                    .body = body};

    webapp_ask(t, &q, res);
}

#define RPC(id, method, more)                                                  \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"" method "\"" more "}"
#define NOTE(method) "{\"jsonrpc\":\"2.0\",\"method\":\"" method "\"}"
#define OF(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ","
#define PONG(id) OF(id) "\"result\":{}}"

/* --- the endpoint ------------------------------------------------------- */

struct row {
    const char *name, *version, *body;
    int status;
    const char *want; /* the body begins with it; "" is the empty body */
};

static const struct row rows[] = {
    {"a ping is answered", NULL, RPC("1", "ping", ""), 200, PONG("1")},
    {"an id may be a string", NULL, RPC("\"a b\"", "ping", ""), 200,
     PONG("\"a b\"")},
    {"an id may be a negative number", NULL, RPC("-7", "ping", ""), 200,
     PONG("-7")},
    {"a version we know", "2025-11-25", RPC("1", "ping", ""), 200, PONG("1")},
    {"a version we do not know", "2024-11-05", RPC("1", "ping", ""), 400,
     OF("null") "\"error\":{\"code\":-32600,\"message\":\"MCP-Protocol-"},
    {"a version that is none", "latest", RPC("1", "ping", ""), 400,
     OF("null") "\"error\":{\"code\":-32600"},
    {"initialize with our newest version", NULL,
     RPC("0", "initialize", ",\"params\":{\"protocolVersion\":\"2025-11-25\"}"),
     200,
     OF("0") "\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":"
             "{\"tools\":{}},\"serverInfo\":{\"name\":\"cited\""},
    {"initialize with our oldest version", NULL,
     RPC("0", "initialize", ",\"params\":{\"protocolVersion\":\"2025-03-26\"}"),
     200, OF("0") "\"result\":{\"protocolVersion\":\"2025-03-26\""},
    {"initialize with another version gets ours", NULL,
     RPC("0", "initialize", ",\"params\":{\"protocolVersion\":\"1999-01-01\"}"),
     200, OF("0") "\"result\":{\"protocolVersion\":\"2025-11-25\""},
    {"initialize without a version", NULL, RPC("0", "initialize", ""), 200,
     OF("0") "\"error\":{\"code\":-32602"},
    {"a notification is taken", NULL, NOTE("notifications/initialized"), 202,
     ""},
    {"an unknown notification is taken", NULL, NOTE("notifications/x"), 202,
     ""},
    {"a response is taken", NULL, PONG("4"), 202, ""},
    {"an error response is taken", NULL,
     OF("4") "\"error\":{\"code\":1,\"message\":\"x\"}}", 202, ""},
    {"an unknown method", NULL, RPC("1", "resources/list", ""), 200,
     OF("1") "\"error\":{\"code\":-32601,\"message\":\"There is no method "
             "\\\"resources/list\\\".\"}}"},
    {"no JSON", NULL, "{\"jsonrpc\":", 400,
     OF("null") "\"error\":{\"code\":-32700"},
    {"an empty body", NULL, "", 400, OF("null") "\"error\":{\"code\":-32700"},
    {"a key twice", NULL, "{\"jsonrpc\":\"2.0\",\"jsonrpc\":\"2.0\"}", 400,
     OF("null") "\"error\":{\"code\":-32700"},
    {"a string", NULL, "\"ping\"", 400,
     OF("null") "\"error\":{\"code\":-32600,\"message\":\"A message must be"},
    {"another JSON-RPC", NULL, "{\"jsonrpc\":\"1.0\",\"method\":\"ping\"}", 400,
     OF("null") "\"error\":{\"code\":-32600,\"message\":\"jsonrpc"},
    {"no method", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1}", 400,
     OF("null") "\"error\":{\"code\":-32600,\"message\":\"method"},
    {"a method that is no string", NULL,
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":[]}", 400,
     OF("null") "\"error\":{\"code\":-32600,\"message\":\"method"},
    {"the id null", NULL, RPC("null", "ping", ""), 400,
     OF("null") "\"error\":{\"code\":-32600,\"message\":\"id"},
    {"an object for an id", NULL, RPC("{}", "ping", ""), 400,
     OF("null") "\"error\":{\"code\":-32600,\"message\":\"id"},
    {"an array for params", NULL, RPC("1", "ping", ",\"params\":[]"), 400,
     OF("null") "\"error\":{\"code\":-32600,\"message\":\"params"},
    {"the tools with a cursor", NULL,
     RPC("1", "tools/list", ",\"params\":{\"cursor\":\"x\"}"), 200,
     OF("1") "\"error\":{\"code\":-32602"},
    {"the tools", NULL, RPC("1", "tools/list", ""), 200,
     OF("1") "\"result\":{\"tools\":["},
    {"a call without a name", NULL, RPC("1", "tools/call", ""), 200,
     OF("1") "\"error\":{\"code\":-32602,\"message\":\"params.name"},
    {"a call of no tool", NULL,
     RPC("1", "tools/call", ",\"params\":{\"name\":\"shell\"}"), 200,
     OF("1") "\"error\":{\"code\":-32602,\"message\":\"There is no tool "
             "\\\"shell\\\".\"}}"},
    {"arguments that are no object", NULL,
     RPC("1", "tools/call",
         ",\"params\":{\"name\":\"search\",\"arguments\":[1]}"),
     200, OF("1") "\"error\":{\"code\":-32602,\"message\":\"params.arguments"},
    {"a batch", "2025-03-26",
     "[" RPC("1", "ping", "") "," NOTE("x") "," RPC("2", "nothing", "") ",7]",
     200,
     "[" PONG("1") "," OF("2") "\"error\":{\"code\":-32601,\"message\":\"There "
                               "is no method \\\"nothing\\\".\"}}," OF(
                                   "null") "\"error\":{\"code\":-32600"},
    {"a batch when no version is said", NULL, "[" RPC("1", "ping", "") "]", 200,
     "[" PONG("1") "]"},
    {"a batch of notifications", NULL, "[" NOTE("x") "," NOTE("y") "]", 202,
     ""},
    {"an empty batch", NULL, "[]", 400,
     OF("null") "\"error\":{\"code\":-32600,\"message\":\"A batch"},
    {"a batch that is too long", NULL, "[1,2,3,4,5,6,7,8,9,10,11]", 400,
     OF("null") "\"error\":{\"code\":-32600,\"message\":\"A batch"},
    {"initialize in a batch", NULL, "[" RPC("1", "initialize", "") "]", 200,
     "[" OF("1") "\"error\":{\"code\":-32600,\"message\":\"initialize"},
    {"a batch in a version without them", "2025-06-18",
     "[" RPC("1", "ping", "") "]", 400,
     OF("null") "\"error\":{\"code\":-32600,\"message\":\"This revision"},
};

static void every_message_gets_its_answer(void **state)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        struct response res;
        const char *got;

        post(*state, r->version, r->body, &res);
        got = buf_str(&res.body);
        if (res.status != r->status ||
            strncmp(got, r->want, strlen(r->want)) != 0 ||
            (*r->want == '\0') != (*got == '\0'))
            fail_msg("%s: %d %s", r->name, res.status, got);
        if (*got != '\0')
            json_free(webapp_json(&res));
        response_fini(&res);
    }
}

static void refused(struct webapp *t, struct ask q, int status,
                    const char *code)
{
    struct response res;

    q.path = "/mcp";
    webapp_ask(t, &q, &res);
    assert_true(webapp_is_problem(&res, status, code, NULL, code));
    if (status == 401)
        assert_string_equal(webapp_header(&res, "WWW-Authenticate"), "Bearer");
    if (status == 405)
        assert_string_equal(webapp_header(&res, "Allow"), "POST, OPTIONS");
    response_fini(&res);
}

static void the_gates_stand_before_it(void **state)
{
    struct webapp *t = *state;
    const char *json = "application/json", *body = RPC("1", "ping", "");

    refused(t, (struct ask){.method = "GET", .authorization = t->bearer}, 405,
            "METHOD_NOT_ALLOWED");
    refused(t, (struct ask){.method = "DELETE", .authorization = t->bearer},
            405, "METHOD_NOT_ALLOWED");
    refused(t,
            (struct ask){.method = "POST", .content_type = json, .body = body},
            401, "UNAUTHORIZED");
    refused(t,
            (struct ask){.method = "POST",
                         .authorization = t->bearer,
                         .content_type = "text/plain",
                         .body = body},
            415, "UNSUPPORTED_MEDIA_TYPE");
    refused(t,
            (struct ask){.method = "POST",
                         .authorization = t->bearer,
                         .content_type = json,
                         .origin = "https://evil.example",
                         .body = body},
            403, "FORBIDDEN");
}

static void a_configured_origin_may_ask(void **state)
{
    struct webapp *t = *state;
    struct response res;
    struct ask q = {.method = "POST",
                    .path = "/mcp",
                    .authorization = t->bearer,
                    .content_type = "application/json",
                    .origin = "https://ui.example",
                    .body = RPC("1", "ping", "")};

    webapp_ask(t, &q, &res);
    assert_int_equal(res.status, 200);
    assert_string_equal(webapp_header(&res, "Access-Control-Allow-Origin"),
                        "https://ui.example");
    response_fini(&res);
}

static void a_batch_costs_what_its_messages_cost(void **state)
{
    char *envp[] = {(char *)"CITED_LIMITS_RATE_PER_SECOND=3", NULL};
    struct webapp t;
    struct response res;

    (void)state;
    webapp_open(&t, envp);
    post(&t, NULL,
         "[" RPC("1", "ping", "") "," RPC("2", "ping", "") "," RPC(
             "3", "ping", "") "," RPC("4", "ping",
                                      "") "," RPC("5", "ping",
                                                  "") "," RPC("6", "ping",
                                                              "") "]",
         &res);
    assert_int_equal(res.status, 200);
    assert_non_null(strstr(buf_str(&res.body), PONG("3")));
    assert_non_null(
        strstr(buf_str(&res.body), OF("6") "\"error\":{\"code\":-32000"));
    response_fini(&res);
    webapp_close(&t);
}

/* --- the tools ---------------------------------------------------------- */

/* Call a tool; its result, a tree to free with *root. */
static const struct json *call(struct webapp *t, const char *name,
                               const char *arguments, bool *kick,
                               struct json **root)
{
    char body[2048];
    struct response res;

    snprintf(body, sizeof body,
             RPC("1", "tools/call",
                 ",\"params\":{\"name\":\"%s\",\"arguments\":%s}"),
             name, arguments);
    post(t, "2025-11-25", body, &res);
    assert_int_equal(res.status, 200);
    if (kick != NULL)
        *kick = res.kick;
    *root = webapp_json(&res);
    response_fini(&res);
    return json_get(*root, "result");
}

static const char *text_of(const struct json *result)
{
    const struct json *first = json_first(json_get(result, "content"));

    assert_string_equal(json_string(json_get(first, "type")), "text");
    return json_string(json_get(first, "text"));
}

/* The text is the structured content, as JSON. */
static void same_twice(const struct json *result)
{
    struct json *text = NULL;
    const char *z = text_of(result);

    assert_null(json_get(result, "isError"));
    assert_int_equal(
        json_parse(z, strlen(z), &json_limits_request, &text, NULL), ERR_OK);
    assert_true(json_equal(text, json_get(result, "structuredContent")));
    json_free(text);
}

static void fails(struct webapp *t, const char *name, const char *arguments,
                  const char *begins, const char *holds)
{
    struct json *root;
    const struct json *r = call(t, name, arguments, NULL, &root);

    assert_true(json_bool(json_get(r, "isError")));
    assert_null(json_get(r, "structuredContent"));
    if (strncmp(text_of(r), begins, strlen(begins)) != 0 ||
        strstr(text_of(r), holds) == NULL)
        fail_msg("%s", text_of(r));
    json_free(root);
}

static void a_search_needs_only_a_question(void **state)
{
    struct json *root;
    const struct json *r, *s;

    search_says = ERR_OK;
    r = call(*state, "search", "{\"q\":\"why?\"}", NULL, &root);
    same_twice(r);
    s = json_get(r, "structuredContent");
    assert_string_equal(json_string(json_get(s, "answer")), "Because [1].");
    assert_int_equal(json_count(json_get(s, "sources")), 1);
    assert_int_equal(search_asked.depth, DEPTH_STANDARD);
    assert_int_equal(search_asked.output, OUTPUT_SOURCED);
    assert_true(search_asked.inline_citations);
    json_free(root);
}

static void what_a_search_is_told_counts(void **state)
{
    struct json *root;
    const struct json *r;

    search_says = ERR_OK;
    r = call(*state, "search",
             "{\"q\":\"why?\",\"depth\":\"deep\",\"outputType\":"
             "\"searchResults\",\"includeInlineCitations\":false,"
             "\"includeDomains\":[\"a.example\"],\"maxResults\":3}",
             NULL, &root);
    same_twice(r);
    assert_int_equal(
        json_count(json_get(json_get(r, "structuredContent"), "results")), 1);
    assert_int_equal(search_asked.depth, DEPTH_DEEP);
    assert_false(search_asked.inline_citations);
    assert_int_equal(search_asked.include.count, 1);
    assert_int_equal(search_asked.max_results, 3);
    json_free(root);
}

static void a_structured_search_always_has_data_and_sources(void **state)
{
    struct json *root;
    const struct json *r, *s;

    search_says = ERR_OK;
    r = call(*state, "search",
             "{\"q\":\"why?\",\"outputType\":\"structured\","
             "\"includeSources\":false,"
             "\"structuredOutputSchema\":{\"type\":\"object\"}}",
             NULL, &root);
    same_twice(r);
    s = json_get(r, "structuredContent");
    assert_int_equal(json_number(json_get(json_get(s, "data"), "year")), 1889);
    assert_int_equal(json_count(json_get(s, "sources")), 1);
    json_free(root);
}

static void a_failing_tool_says_what_to_do(void **state)
{
    struct webapp *t = *state;

    search_says = ERR_NO_RESULT;
    fails(t, "search", "{\"q\":\"why?\"}",
          "SEARCH_QUERY_NO_RESULT: no page speaks of it\n", "Try other");
    search_says = ERR_UPSTREAM;
    fails(t, "search", "{\"q\":\"why?\"}",
          "UPSTREAM_FAILED: ", "call again in a minute.\n(request ");
    search_says = ERR_DB;
    fails(t, "search", "{\"q\":\"why?\"}", "STORAGE_UNREADABLE: ", "(request ");
    fails(t, "search", "{\"q\":\" \",\"maxResults\":0}",
          "VALIDATION_ERROR: 2 fields of the request are not valid.\n- q ",
          "\n- maxResults ");
    fails(t, "search", "{}", "VALIDATION_ERROR: ", "- q ");
    fails(t, "fetch", "{\"url\":\"ftp://a.example/\"}",
          "VALIDATION_ERROR: ", "- url ");
    fails(t, "fetch", "{\"url\":\"http://127.0.0.1:9/\"}",
          "FETCH_TARGET_UNREACHABLE: ", "Check the address");
    fails(t, "research", "{\"q\":\"why?\",\"mode\":\"idle\"}",
          "VALIDATION_ERROR: ", "- mode ");
    fails(t, "get_research", "{}", "TASK_NOT_FOUND: ", "tool research");
    fails(t, "get_research", "{\"id\":7}", "TASK_NOT_FOUND: ", "");
    fails(t, "get_research",
          "{\"id\":\"00000000-0000-4000-8000-000000000000\"}",
          "TASK_NOT_FOUND: ", "");
}

static void research_is_started_and_read(void **state)
{
    char arguments[80];
    bool kick = false;
    struct json *root;
    const struct json *r =
        call(*state, "research", "{\"q\":\"why?\"}", &kick, &root);
    const struct json *s = json_get(r, "structuredContent");

    same_twice(r);
    assert_true(kick);
    assert_string_equal(json_string(json_get(s, "status")), "pending");
    snprintf(arguments, sizeof arguments, "{\"id\":\"%s\"}",
             json_string(json_get(s, "id")));
    json_free(root);
    kick = false;
    r = call(*state, "get_research", arguments, &kick, &root);
    same_twice(r);
    assert_true(kick);
    s = json_get(json_get(r, "structuredContent"), "input");
    assert_string_equal(json_string(json_get(s, "outputType")),
                        "sourcedAnswer");
    json_free(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_gets_its_answer),
        cmocka_unit_test(the_gates_stand_before_it),
        cmocka_unit_test(a_configured_origin_may_ask),
        cmocka_unit_test(a_batch_costs_what_its_messages_cost),
        cmocka_unit_test(a_search_needs_only_a_question),
        cmocka_unit_test(what_a_search_is_told_counts),
        cmocka_unit_test(a_structured_search_always_has_data_and_sources),
        cmocka_unit_test(a_failing_tool_says_what_to_do),
        cmocka_unit_test(research_is_started_and_read),
    };

    return cmocka_run_group_tests(tests, open_app, close_app);
}
