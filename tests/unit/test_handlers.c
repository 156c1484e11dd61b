/*
 * Handlers: a request in, a response out, over real databases. Every row of
 * the contract's error table is produced here. search_run is the test's own
 * (the linker takes it before the library's), so that its outcomes can be
 * chosen; everything else is real, a web site on loopback included.
 */
#include "base/date.h"
#include "index/board.h"
#include "site.h"
#include "store/task.h"
#include "webapp.h"

#include "web/problem.h"

#include <stdint.h>

/* --- the search that is told what to say -----------------------------------
 */

static enum err search_says;
static struct search_result search_gives;
static struct search_params search_asked;

enum err search_run(const struct search_env *env, const struct search_params *p,
                    struct deadline d, const char *id, struct arena *a,
                    struct search_result *out, struct errctx *ec)
{
    (void)env;
    (void)a;
    assert_true(deadline_left(&d) > 0 && deadline_left(&d) <= 1234);
    assert_int_equal(strlen(id), 16);
    search_asked = *p;
    search_asked.q = "";
    if (search_says != ERR_OK)
        return err_set(ec, search_says, "SELECT secret FROM /var/lib/state.db");
    *out = search_gives;
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

/* --- asking ------------------------------------------------------------------
 */

static void ask(struct webapp *t, const char *method, const char *path,
                const char *body, struct response *res)
{
    struct ask q = {.method = method,
                    .path = path,
                    .authorization = t->bearer,
                    .content_type = body == NULL ? NULL : "application/json",
                    .body = body};

    webapp_ask(t, &q, res);
}

static void is_problem(struct response *res, int status, const char *code)
{
    assert_true(webapp_is_problem(res, status, code, NULL, code));
    assert_string_equal(res->type, "application/json");
    assert_int_equal(strlen(webapp_header(res, "X-Request-Id")), 16);
    assert_string_equal(webapp_header(res, "Cache-Control"), "no-store");
    assert_string_equal(webapp_header(res, "X-Content-Type-Options"),
                        "nosniff");
    assert_null(strstr(buf_str(&res->body), "SELECT"));
    assert_null(strstr(buf_str(&res->body), "/tmp"));
    assert_null(strstr(buf_str(&res->body), "state.db"));
}

static void wants_problem(struct webapp *t, const char *method,
                          const char *path, const char *body, int status,
                          const char *code)
{
    struct response res;

    ask(t, method, path, body, &res);
    is_problem(&res, status, code);
    response_fini(&res);
}

static void body_is(struct webapp *t, const char *method, const char *path,
                    const char *body, const char *want)
{
    struct response res;

    ask(t, method, path, body, &res);
    assert_string_equal(buf_str(&res.body), want);
    assert_int_equal(res.status, 200);
    response_fini(&res);
}

/* --- search
 * -------------------------------------------------------------------- */

#define SEARCH(output, more)                                                   \
    "{\"q\":\"why?\",\"depth\":\"deep\",\"outputType\":\"" output "\"" more "}"

static struct source two_sources[] = {
    {"One", "https://a.example/1", NULL, "First \"text\".", DAY_NONE, 1, 1},
    {"Two", "https://a.example/2", "https://a.example/f.ico", "Second.", 20000,
     2, 2},
};

static struct image one_image[] = {
    {"https://a.example/pic.png", ""},
};

static void give_two(void)
{
    search_says = ERR_OK;
    search_gives = (struct search_result){.answer = "Because [1].",
                                          .object = "{\"year\":1889}",
                                          .sources = two_sources,
                                          .source_count = 2,
                                          .images = one_image,
                                          .image_count = 1};
}

static void a_sourced_answer_has_its_shape(void **state)
{
    give_two();
    body_is(*state, "POST", "/v1/search", SEARCH("sourcedAnswer", ""),
            "{\"answer\":\"Because [1].\",\"sources\":["
            "{\"name\":\"One\",\"url\":\"https://a.example/1\","
            "\"snippet\":\"First \\\"text\\\".\",\"favicon\":\"\"},"
            "{\"name\":\"Two\",\"url\":\"https://a.example/2\","
            "\"snippet\":\"Second.\","
            "\"favicon\":\"https://a.example/f.ico\"}]}");
}

static void images_stand_behind_the_sources_when_asked_for(void **state)
{
    give_two();
    search_gives.source_count = 0;
    body_is(*state, "POST", "/v1/search",
            SEARCH("sourcedAnswer", ",\"includeImages\":true"),
            "{\"answer\":\"Because [1].\",\"sources\":["
            "{\"name\":\"pic.png\",\"url\":\"https://a.example/pic.png\","
            "\"snippet\":\"\",\"favicon\":\"\"}]}");
}

static void search_results_have_their_shape(void **state)
{
    give_two();
    body_is(*state, "POST", "/v1/search",
            SEARCH("searchResults", ",\"includeImages\":\"true\""),
            "{\"results\":["
            "{\"type\":\"text\",\"name\":\"One\","
            "\"url\":\"https://a.example/1\","
            "\"content\":\"First \\\"text\\\".\",\"favicon\":\"\"},"
            "{\"type\":\"text\",\"name\":\"Two\","
            "\"url\":\"https://a.example/2\",\"content\":\"Second.\","
            "\"favicon\":\"https://a.example/f.ico\","
            "\"date\":\"2024-10-04\"},"
            "{\"type\":\"image\",\"name\":\"pic.png\","
            "\"url\":\"https://a.example/pic.png\"}]}");
}

static void structured_is_bare_or_with_sources(void **state)
{
    give_two();
    search_gives.source_count = 1;
    body_is(*state, "POST", "/v1/search",
            SEARCH("structured",
                   ",\"structuredOutputSchema\":{\"type\":\"object\"}"),
            "{\"year\":1889}");
    body_is(*state, "POST", "/v1/search",
            SEARCH("structured",
                   ",\"includeSources\":true,\"structuredOutputSchema\":"
                   "\"{\\\"type\\\":\\\"object\\\"}\""),
            "{\"data\":{\"year\":1889},\"sources\":["
            "{\"type\":\"text\",\"name\":\"One\","
            "\"url\":\"https://a.example/1\","
            "\"content\":\"First \\\"text\\\".\",\"favicon\":\"\"}]}");
}

static void every_field_reaches_the_search(void **state)
{
    struct response res;

    give_two();
    ask(*state, "POST", "/v1/search",
        SEARCH("searchResults",
               ",\"includeDomains\":[\"A.example\"],\"excludeDomains\":"
               "[\"b.example\",\"c.example\"],\"fromDate\":\"1970-01-02\","
               "\"toDate\":\"1970-01-04\",\"includeInlineCitations\":true,"
               "\"maxResults\":100.0"),
        &res);
    assert_int_equal(res.status, 200);
    assert_int_equal(search_asked.depth, DEPTH_DEEP);
    assert_int_equal(search_asked.output, OUTPUT_RESULTS);
    assert_int_equal(search_asked.include.count, 1);
    assert_int_equal(search_asked.exclude.count, 2);
    assert_int_equal(search_asked.from_day, 1);
    assert_int_equal(search_asked.to_day, 3);
    assert_true(search_asked.inline_citations);
    assert_false(search_asked.images || search_asked.sources);
    assert_int_equal(search_asked.max_results, 100);
    response_fini(&res);
    ask(*state, "POST", "/v1/search",
        SEARCH("searchResults",
               ",\"includeDomains\":[\"\",\"a.example\",\" \"],"
               "\"fromDate\":\"1970-01-02T23:00:00\",\"toDate\":"
               "\"1970-01-02T01:00:00\""),
        &res);
    assert_int_equal(res.status, 200);
    assert_int_equal(search_asked.include.count, 1);
    assert_string_equal(search_asked.include.rules[0].host, "a.example");
    assert_int_equal(search_asked.from_day, 1);
    assert_int_equal(search_asked.to_day, 1);
    response_fini(&res);
    ask(*state, "POST", "/v1/search", SEARCH("sourcedAnswer", ""), &res);
    assert_int_equal(search_asked.from_day, DAY_NONE);
    assert_int_equal(search_asked.max_results, 10);
    response_fini(&res);
}

/* GET /healthz names these; pages in PostgreSQL are as this process has just
 * followed them. */
static void wants_degraded(struct webapp *t, const char *names)
{
    bool remote = state_db_is_remote();
    struct ask q = {.method = "GET", .path = "/healthz"};
    struct response res;
    char wanted[512];

    if (remote) {
        struct board *b = board_open(&t->conf);

        assert_non_null(b);
        board_set(b, 0, 0, 0);
        board_close(b);
    }
    webapp_ask(t, &q, &res);
    snprintf(wanted, sizeof wanted,
             "{\"status\":\"%s\",\"degraded\":[%s],\"providers\":[],"
             "\"model\":null%s}",
             *names == '\0' ? "ok" : "degraded", names,
             remote ? ",\"pages\":{\"behind\":0,\"changes\":0}" : "");
    assert_string_equal(buf_str(&res.body), wanted);
    response_fini(&res);
}

static void each_outcome_of_a_search_has_its_own_answer(void **state)
{
    static const struct {
        enum err says;
        int status;
        const char *code, *retry_after;
    } rows[] = {
        {ERR_UPSTREAM, 502, "UPSTREAM_FAILED", NULL},
        {ERR_TIMEOUT, 504, "REQUEST_DEADLINE_EXCEEDED", NULL},
        {ERR_BUSY, 503, "SERVICE_UNAVAILABLE", "1"},
        {ERR_DB, 503, "STORAGE_UNREADABLE", "30"},
        {ERR_FULL, 503, "STORAGE_FULL", "30"},
        {ERR_READ_ONLY, 503, "STORAGE_READ_ONLY", "30"},
        {ERR_NOMEM, 503, "OUT_OF_MEMORY", "5"},
        {ERR_IO, 500, "INTERNAL_SERVER_ERROR", NULL},
        {ERR_MALFORMED, 500, "INTERNAL_SERVER_ERROR", NULL},
        {ERR_INTERNAL, 500, "INTERNAL_SERVER_ERROR", NULL},
        {ERR_TOO_LARGE, 500, "INTERNAL_SERVER_ERROR", NULL},
    };
    struct response res;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        search_says = rows[i].says;
        ask(*state, "POST", "/v1/search", SEARCH("sourcedAnswer", ""), &res);
        is_problem(&res, rows[i].status, rows[i].code);
        if (rows[i].retry_after == NULL)
            assert_null(webapp_header(&res, "Retry-After"));
        else
            assert_string_equal(webapp_header(&res, "Retry-After"),
                                rows[i].retry_after);
        response_fini(&res);
    }
    wants_degraded(*state, "\"memory\"");
    ((struct webapp *)*state)->app.no_memory_ms = 0;
    /* its message is for the caller */
    search_says = ERR_NO_RESULT;
    ask(*state, "POST", "/v1/search", SEARCH("sourcedAnswer", ""), &res);
    assert_true(webapp_is_problem(&res, 400, "SEARCH_QUERY_NO_RESULT", NULL,
                                  "no result"));
    response_fini(&res);
}

static void an_object_that_is_no_answer_is_an_error(void **state)
{
    give_two();
    search_gives.object = NULL;
    wants_problem(*state, "POST", "/v1/search",
                  SEARCH("structured",
                         ",\"structuredOutputSchema\":{\"type\":\"object\"}"),
                  500, "INTERNAL_SERVER_ERROR");
}

/* --- research
 * -------------------------------------------------------------------- */

#define RESEARCH "{\"q\":\"why?\",\"outputType\":\"sourcedAnswer\"}"

static void create(struct webapp *t, char id[UUID_LEN + 1])
{
    struct response res;
    struct json *root;

    ask(t, "POST", "/v1/research", RESEARCH, &res);
    assert_int_equal(res.status, 200);
    assert_true(res.kick);
    root = webapp_json(&res);
    assert_string_equal(json_string(json_get(root, "status")), "pending");
    snprintf(id, UUID_LEN + 1, "%s", json_string(json_get(root, "id")));
    json_free(root);
    response_fini(&res);
}

/* The record of id with this status; error and output as JSON text. */
static void record_is(struct webapp *t, const char *id, const char *status,
                      const char *error, const char *output, bool kick)
{
    char path[64];
    struct response res;
    struct json *root;

    snprintf(path, sizeof path, "/v1/research/%s", id);
    ask(t, "GET", path, NULL, &res);
    assert_int_equal(res.status, 200);
    assert_int_equal(res.kick, kick);
    root = webapp_json(&res);
    assert_string_equal(json_string(json_get(root, "id")), id);
    assert_string_equal(json_string(json_get(root, "type")), "research");
    assert_string_equal(json_string(json_get(root, "status")), status);
    assert_int_equal(strlen(json_string(json_get(root, "createdAt"))),
                     STAMP_LEN);
    assert_int_equal(strlen(json_string(json_get(root, "updatedAt"))),
                     STAMP_LEN);
    assert_non_null(json_get(json_get(root, "input"), "reasoningDepth"));
    assert_non_null(strstr(buf_str(&res.body), error));
    assert_non_null(strstr(buf_str(&res.body), output));
    json_free(root);
    response_fini(&res);
}

static void a_task_is_shown_in_every_state(void **state)
{
    struct webapp *t = *state;
    struct db *db = t->w.store.state;
    struct task_lease l;
    struct errctx ec = {0};
    char id[UUID_LEN + 1];

    create(t, id);
    record_is(t, id, "pending", "\"error\":null", "\"output\":null", true);
    assert_int_equal(
        task_claim(db, id, 60000, 5, clock_now_ms(), &t->w.arena, &l, &ec),
        ERR_OK);
    record_is(t, id, "processing", "\"error\":null", "\"output\":null", true);
    assert_int_equal(task_finish(db, &l, "{\"answer\":\"x\",\"sources\":[]}",
                                 clock_now_ms(), &ec),
                     ERR_OK);
    record_is(t, id, "completed", "\"error\":null",
              "\"output\":{\"answer\":\"x\",\"sources\":[]}", false);
    create(t, id);
    assert_int_equal(
        task_claim(db, id, 60000, 5, clock_now_ms(), &t->w.arena, &l, &ec),
        ERR_OK);
    assert_int_equal(task_fail(db, &l, "nothing found", clock_now_ms(), &ec),
                     ERR_OK);
    record_is(t, id, "failed", "\"error\":\"nothing found\"", "\"output\":null",
              false);
}

static void another_account_sees_no_task(void **state)
{
    struct webapp *t = *state;
    struct errctx ec = {0};
    int64_t other = 0;
    char id[UUID_LEN + 1], path[64], key[KEY_LEN + 1], bearer[64];
    const char *key_id = NULL;
    struct ask q = {.method = "GET", .path = path, .authorization = bearer};
    struct response res;

    create(t, id);
    snprintf(path, sizeof path, "/v1/research/%s", id);
    assert_int_equal(account_create(t->w.store.state, "b@example.org",
                                    clock_now_ms(), &other, &ec),
                     ERR_OK);
    assert_int_equal(key_create(t->w.store.state, other, "b", clock_now_ms(),
                                key, &key_id, &t->w.arena, &ec),
                     ERR_OK);
    snprintf(bearer, sizeof bearer, "bEARER %s", key);
    webapp_ask(t, &q, &res);
    is_problem(&res, 404, "TASK_NOT_FOUND");
    response_fini(&res);
    q.path = "/v1/research";
    webapp_ask(t, &q, &res);
    assert_string_equal(buf_str(&res.body),
                        "{\"data\":[],\"metadata\":{\"page\":1,\"pageSize\":"
                        "10,\"total\":0,\"totalPages\":0}}");
    response_fini(&res);
    /* its account closed: 403 */
    assert_int_equal(account_set_disabled(t->w.store.state, other, true, &ec),
                     ERR_OK);
    memset(&t->w.keys, 0, sizeof t->w.keys); /* a second later */
    webapp_ask(t, &q, &res);
    is_problem(&res, 403, "FORBIDDEN");
    response_fini(&res);
}

static void a_list_pages_and_sorts(void **state)
{
    struct webapp t;
    char ids[5][UUID_LEN + 1];
    struct response res;
    struct json *root;
    size_t n = 0;

    (void)state;
    webapp_open(&t, NULL);
    for (int i = 0; i < 5; i++)
        create(&t, ids[i]);
    ask(&t, "GET", "/v1/research?page=3&pageSize=2&x=%zz&sortBy=updated%41t",
        NULL, &res);
    root = webapp_json(&res);
    assert_int_equal(res.status, 200);
    assert_true(res.kick);
    assert_int_equal(json_count(json_get(root, "data")), 1);
    assert_non_null(strstr(buf_str(&res.body),
                           "\"metadata\":{\"page\":3,\"pageSize\":2,"
                           "\"total\":5,\"totalPages\":3}"));
    json_free(root);
    response_fini(&res);
    for (int page = 1; page <= 5; page++) {
        char path[80];

        snprintf(path, sizeof path,
                 "/v1/research?page=%d&pageSize=1&sortDirection=desc", page);
        ask(&t, "GET", path, NULL, &res);
        for (int i = 0; i < 5; i++)
            n += strstr(buf_str(&res.body), ids[i]) != NULL;
        response_fini(&res);
    }
    assert_int_equal(n, 5);
    body_is(&t, "GET", "/v1/research?page=1000000000&pageSize=100", NULL,
            "{\"data\":[],\"metadata\":{\"page\":1000000000,\"pageSize\":100,"
            "\"total\":5,\"totalPages\":1}}");
    webapp_close(&t);
}

static void too_many_open_tasks_are_refused(void **state)
{
    char *envp[] = {(char *)"CITED_LIMITS_TASKS_OPEN=2", NULL};
    struct webapp t;
    char id[UUID_LEN + 1];
    struct response res;

    (void)state;
    webapp_open(&t, envp);
    create(&t, id);
    create(&t, id);
    ask(&t, "POST", "/v1/research", RESEARCH, &res);
    is_problem(&res, 429, "TASKS_QUEUE_LIMIT_EXCEEDED");
    assert_non_null(webapp_header(&res, "Retry-After"));
    response_fini(&res);
    webapp_close(&t);
}

static void a_task_is_cancelled_and_removed(void **state)
{
    struct webapp *t = *state;
    char id[UUID_LEN + 1], path[64];
    struct response res;

    create(t, id);
    snprintf(path, sizeof path, "/v1/research/%s", id);
    ask(t, "DELETE", path, NULL, &res);
    assert_int_equal(res.status, 200);
    assert_non_null(strstr(buf_str(&res.body), "\"status\":\"failed\""));
    assert_non_null(strstr(buf_str(&res.body), "\"error\":\"cancelled\""));
    response_fini(&res);
    record_is(t, id, "failed", "\"error\":\"cancelled\"", "\"output\":null",
              false);
    ask(t, "DELETE", path, NULL, &res);
    assert_int_equal(res.status, 200);
    response_fini(&res);
    wants_problem(t, "GET", path, NULL, 404, "TASK_NOT_FOUND");
    wants_problem(t, "DELETE", path, NULL, 404, "TASK_NOT_FOUND");
    wants_problem(t, "DELETE", "/v1/research/x", NULL, 404, "TASK_NOT_FOUND");
    ask(t, "PUT", path, NULL, &res);
    is_problem(&res, 405, "METHOD_NOT_ALLOWED");
    assert_string_equal(webapp_header(&res, "Allow"),
                        "DELETE, GET, HEAD, OPTIONS");
    response_fini(&res);
}

static void steps_are_shown_with_what_they_cost(void **state)
{
    struct webapp *t = *state;
    struct db *db = t->w.store.state;
    struct task_lease l;
    struct errctx ec = {0};
    char id[UUID_LEN + 1], path[80];
    static const char *const steps[][2] = {
        {"plan", "{\"mode\":\"auto\",\"questions\":[{\"question\":\"why a?\"},"
                 "{\"question\":\"why b?\"}],\"ms\":2}"},
        {"search",
         "{\"round\":1,\"sub\":0,\"question\":\"why a?\",\"query\":\"a\","
         "\"found\":9,\"kept\":3,\"pages\":[\"http://x/1\",\"http://x/2\"],"
         "\"ms\":5}"},
        {"gap", "{\"round\":1,\"new\":3,\"gaps\":[1],\"queries\":[{\"sub\":1,"
                "\"query\":\"b\"}],\"end\":null,\"ms\":1}"},
        {"search",
         "{\"round\":2,\"sub\":1,\"question\":\"why b?\",\"query\":\"b\","
         "\"found\":1,\"kept\":1,\"pages\":[\"http://x/2\"],\"failed\":\"p: "
         "limited\",\"ms\":4}"},
        {"later", "{\"ms\":1}"},
    };
    static const char *const parts[] = {
        "\"status\":\"processing\"",
        "\"budget\":{\"rounds\":4,\"queries\":48,\"pages\":240,"
        "\"milliseconds\":240000}",
        "\"spent\":{\"rounds\":2,\"queries\":2,\"pages\":2,"
        "\"milliseconds\":13}",
        "\"number\":0,\"type\":\"plan\",\"at\":\"",
        "\"subQuestions\":[\"why a?\",\"why b?\"]",
        "\"durationMs\":5,\"round\":1,\"subQuestion\":\"why a?\",\"query\":"
        "\"a\",\"candidates\":9,\"passagesKept\":3,\"pages\":["
        "\"http://x/1\",\"http://x/2\"],\"failed\":null",
        "\"newPassages\":3,\"open\":[\"why b?\"],\"nextQueries\":[\"b\"],"
        "\"ended\":null",
        "\"failed\":\"p: limited\"",
        "\"number\":4,\"type\":\"later\"",
        "\"callback\":null",
    };
    struct response res;
    struct json *root;

    create(t, id);
    assert_int_equal(
        task_claim(db, id, 60000, 5, clock_now_ms(), &t->w.arena, &l, &ec),
        ERR_OK);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        assert_int_equal(task_add_step(db, &l, steps[i][0], steps[i][1], NULL,
                                       0, 60000, clock_now_ms(), &ec),
                         ERR_OK);
    snprintf(path, sizeof path, "/v1/research/%s/steps", id);
    ask(t, "GET", path, NULL, &res);
    assert_int_equal(res.status, 200);
    assert_true(res.kick);
    root = webapp_json(&res);
    assert_int_equal(json_count(json_get(root, "steps")), 5);
    json_free(root);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(buf_str(&res.body), parts[i]) == NULL)
            fail_msg("%s\nnot in %s", parts[i], buf_str(&res.body));
    response_fini(&res);
    wants_problem(t, "GET",
                  "/v1/research/00000000-0000-4000-8000-000000000000/steps",
                  NULL, 404, "TASK_NOT_FOUND");
    wants_problem(t, "DELETE", path, NULL, 405, "METHOD_NOT_ALLOWED");
}

/* POST RESEARCH with a key; *same: whether the id was the last one's. */
static void post_with_key(struct webapp *t, const char *key, const char *body,
                          struct response *res)
{
    struct ask q = {.method = "POST",
                    .path = "/v1/research",
                    .authorization = t->bearer,
                    .content_type = "application/json",
                    .idempotency = key,
                    .body = body};

    webapp_ask(t, &q, res);
}

static void a_repeated_request_makes_one_task(void **state)
{
    struct webapp *t = *state;
    static const char *const odd[] = {"caf\xc3\xa9", "a\tb", "\x7f", "\n"};
    static char long_key[300];
    struct response a, b;

    post_with_key(t, "k-1", RESEARCH, &a);
    assert_int_equal(a.status, 200);
    /* the same meaning, written otherwise */
    post_with_key(t, "k-1",
                  "{\"outputType\":\"sourcedAnswer\", \"q\":\"why?\","
                  "\"mode\":\"AUTO\"}",
                  &b);
    assert_int_equal(b.status, 200);
    assert_string_equal(buf_str(&a.body), buf_str(&b.body));
    response_fini(&b);
    post_with_key(t, "k-2", RESEARCH, &b);
    assert_string_not_equal(buf_str(&a.body), buf_str(&b.body));
    response_fini(&b);
    response_fini(&a);
    post_with_key(t, "k-1", "{\"q\":\"how?\",\"outputType\":\"sourcedAnswer\"}",
                  &b);
    assert_true(webapp_is_problem(&b, 400, "VALIDATION_ERROR",
                                  "Idempotency-Key", "another body"));
    response_fini(&b);
    memset(long_key, 'k', sizeof long_key - 1);
    post_with_key(t, long_key, RESEARCH, &b);
    assert_true(webapp_is_problem(&b, 400, "VALIDATION_ERROR",
                                  "Idempotency-Key", "long"));
    response_fini(&b);
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        post_with_key(t, odd[i], RESEARCH, &b);
        assert_true(webapp_is_problem(&b, 400, "VALIDATION_ERROR",
                                      "Idempotency-Key", "not ASCII"));
        response_fini(&b);
    }
}

static void a_callback_address_is_checked_and_echoed(void **state)
{
    static const char *const wrong[] = {
        "7",  "\"\"",       "\"x\"", "\"ftp://a.example/\"", "\"//a.example/\"",
        "{}", "\"http://\""};
    struct webapp *t = *state;
    struct response res;
    struct json *root;
    char body[256], path[80];

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(body, sizeof body,
                 "{\"q\":\"why?\",\"outputType\":\"sourcedAnswer\","
                 "\"callbackUrl\":%s}",
                 wrong[i]);
        ask(t, "POST", "/v1/research", body, &res);
        assert_true(webapp_is_problem(&res, 400, "VALIDATION_ERROR",
                                      "callbackUrl", wrong[i]));
        response_fini(&res);
    }
    ask(t, "POST", "/v1/research",
        "{\"q\":\"why?\",\"outputType\":\"sourcedAnswer\","
        "\"callbackUrl\":\"HTTPS://A.example/hook?x=1\"}",
        &res);
    assert_int_equal(res.status, 200);
    assert_non_null(strstr(buf_str(&res.body),
                           "\"callbackUrl\":\"https://a.example/hook?x=1\""));
    root = webapp_json(&res);
    snprintf(path, sizeof path, "/v1/research/%s/steps",
             json_string(json_get(root, "id")));
    json_free(root);
    response_fini(&res);
    ask(t, "GET", path, NULL, &res);
    assert_non_null(strstr(
        buf_str(&res.body),
        "\"callback\":{\"url\":\"https://a.example/hook?x=1\",\"status\":"
        "\"waiting\",\"tries\":0,\"error\":null}"));
    response_fini(&res);
}

/* --- gates and the rest of the table
 * ------------------------------------------------ */

static void the_gates_fill_the_rest_of_the_table(void **state)
{
    char *envp[] = {(char *)"CITED_LIMITS_BODY_BYTES=2000", NULL};
    struct webapp t;
    struct ask q = {.method = "POST", .path = "/v1/search"};
    struct response res;
    static char big[4000];

    (void)state;
    webapp_open(&t, envp);
    wants_problem(&t, "GET", "/v1/nothing", NULL, 404, "NOT_FOUND");
    ask(&t, "GET", "/v1/search", NULL, &res);
    is_problem(&res, 405, "METHOD_NOT_ALLOWED");
    assert_string_equal(webapp_header(&res, "Allow"), "POST, OPTIONS");
    response_fini(&res);
    webapp_ask(&t, &q, &res);
    is_problem(&res, 401, "UNAUTHORIZED");
    assert_string_equal(webapp_header(&res, "WWW-Authenticate"), "Bearer");
    response_fini(&res);
    wants_problem(&t, "POST", "/v1/search", NULL, 411, "LENGTH_REQUIRED");
    memset(big, 'x', sizeof big - 1);
    wants_problem(&t, "POST", "/v1/search", big, 413, "PAYLOAD_TOO_LARGE");
    q.authorization = t.bearer;
    q.content_type = "text/plain";
    q.body = "{}";
    webapp_ask(&t, &q, &res);
    is_problem(&res, 415, "UNSUPPORTED_MEDIA_TYPE");
    response_fini(&res);
    q.late = true;
    webapp_ask(&t, &q, &res);
    is_problem(&res, 503, "SERVICE_UNAVAILABLE");
    response_fini(&res);
    webapp_close(&t);
}

static void too_many_requests_are_refused(void **state)
{
    char *envp[] = {(char *)"CITED_LIMITS_RATE_PER_SECOND=3", NULL};
    struct webapp t;
    struct response res;
    int refused = 0;

    (void)state;
    webapp_open(&t, envp);
    for (int i = 0; i < 20 && refused == 0; i++) {
        ask(&t, "GET", "/v1/credits/balance", NULL, &res);
        if (res.status == 429) {
            refused++;
            is_problem(&res, 429, "TOO_MANY_REQUESTS");
            assert_string_equal(webapp_header(&res, "Retry-After"), "1");
        }
        response_fini(&res);
    }
    assert_int_equal(refused, 1);
    webapp_close(&t);
}

static void a_revoked_key_is_refused(void **state)
{
    struct webapp *t = *state;
    struct errctx ec = {0};
    char key[KEY_LEN + 1], bearer[64];
    const char *id = NULL;
    struct ask q = {.method = "GET",
                    .path = "/v1/credits/balance",
                    .authorization = bearer};
    struct response res;

    assert_int_equal(key_create(t->w.store.state, t->account, "x",
                                clock_now_ms(), key, &id, &t->w.arena, &ec),
                     ERR_OK);
    snprintf(bearer, sizeof bearer, "Bearer %s", key);
    assert_int_equal(key_revoke(t->w.store.state, 0, id, clock_now_ms(), &ec),
                     ERR_OK);
    webapp_ask(t, &q, &res);
    is_problem(&res, 401, "UNAUTHORIZED");
    response_fini(&res);
}

static void a_revoked_key_is_remembered_for_a_second(void **state)
{
    struct webapp *t = *state;
    struct auth_memory m = {0};
    struct errctx ec = {0};
    char key[KEY_LEN + 1];
    const char *id = NULL;
    struct bearer who = {0};

    assert_int_equal(key_create(t->w.store.state, t->account, "x",
                                clock_now_ms(), key, &id, &t->w.arena, &ec),
                     ERR_OK);
    assert_int_equal(auth_bearer_of(&m, NULL, t->w.store.state, key, 5000, &who, &ec),
                     ERR_OK);
    assert_int_equal(who.account, t->account);
    assert_int_equal(key_revoke(t->w.store.state, 0, id, clock_now_ms(), &ec),
                     ERR_OK);
    assert_int_equal(auth_bearer_of(&m, NULL, t->w.store.state, key, 5999, &who, &ec),
                     ERR_OK);
    assert_int_equal(auth_bearer_of(&m, NULL, t->w.store.state, key, 6000, &who, &ec),
                     ERR_AUTH);
}

static void a_broken_database_is_told_without_its_words(void **state)
{
    struct webapp t;
    char path[64], id[UUID_LEN + 1];

    (void)state;
    webapp_open(&t, NULL);
    create(&t, id);
    snprintf(path, sizeof path, "%s/state.db", t.dir);
    assert_int_equal(state_db_exec(path, "ALTER TABLE task RENAME TO gone"),
                     ERR_OK);
    wants_problem(&t, "POST", "/v1/research", RESEARCH, 503,
                  "STORAGE_UNREADABLE");
    wants_problem(&t, "GET",
                  "/v1/research/0b8f3a3e-0000-4000-8000-000000000000", NULL,
                  503, "STORAGE_UNREADABLE");
    wants_problem(&t, "GET", "/v1/research", NULL, 503, "STORAGE_UNREADABLE");
    wants_degraded(&t, "\"state database\"");
    webapp_close(&t);
}

static void one_helper_is_silent(struct app *app, struct helpers *out)
{
    (void)app;
    *out = (struct helpers){1, 1};
}

static void a_helper_without_a_sign_of_life_is_told(void **state)
{
    struct webapp *t = *state;

    t->app.helpers = one_helper_is_silent;
    wants_degraded(t, "\"research helpers\"");
    t->app.helpers = NULL;
}

static void small_answers_are_what_they_are(void **state)
{
    struct webapp *t = *state;
    struct ask q = {.method = "HEAD", .path = "/healthz"};
    struct response res;

    body_is(t, "GET", "/v1/credits/balance", NULL, "{\"balance\":1000000}");
    wants_degraded(t, "");
    webapp_ask(t, &q, &res);
    assert_int_equal(res.status, 200);
    assert_true(res.head);
    assert_int_equal(res.body.len, 0);
    response_fini(&res);
}

/* --- fetch
 * ---------------------------------------------------------------------------
 */

static bool reply(int fd, int status, const char *type, const char *body)
{
    return site_reply(fd, status, type, "", body, strlen(body));
}

static bool page_handler(struct site *s, struct site_request *rq)
{
    (void)s;
    if (strcmp(rq->path, "/missing") == 0)
        return reply(rq->fd, 404, "text/html", "no");
    if (strcmp(rq->path, "/gone") == 0)
        return reply(rq->fd, 410, "text/html", "no");
    if (strcmp(rq->path, "/refused") == 0)
        return reply(rq->fd, 403, "text/html", "no");
    if (strcmp(rq->path, "/notes.md") == 0)
        return reply(rq->fd, 200, "text/markdown", "# Notes\n\nJust words.");
    if (strcmp(rq->path, "/pdf") == 0)
        return reply(rq->fd, 200, "application/pdf", "%PDF");
    if (strcmp(rq->path, "/plain") == 0)
        return reply(rq->fd, 200, "text/plain", "Just words.");
    if (strcmp(rq->path, "/big") == 0) {
        static char big[80001];

        memset(big, 'a', sizeof big - 1);
        return reply(rq->fd, 200, "text/plain", big);
    }
    return reply(
        rq->fd, 200, "text/html; charset=utf-8",
        "<html><head><title>T</title><link rel=icon href=/f.ico></head>"
        "<body><h1>Heading</h1><p>A paragraph that is long enough to be the "
        "main text of this page, with several words and a full stop.</p>"
        "<img src=\"/i.png\" alt=\"Picture\" width=400 height=300>"
        "<p>Another paragraph that is long enough to be kept as main text, "
        "also with several words.</p></body></html>");
}

static void fetch(struct webapp *t, int port, const char *path,
                  const char *more, struct response *res)
{
    char body[256];

    snprintf(body, sizeof body, "{\"url\":\"http://127.0.0.1:%d%s\"%s}", port,
             path, more);
    ask(t, "POST", "/v1/fetch", body, res);
}

static void fetch_fails(struct webapp *t, int port, const char *path,
                        const char *code)
{
    struct response res;

    fetch(t, port, path, "", &res);
    is_problem(&res, 400, code);
    response_fini(&res);
}

static void raw_content_is(struct webapp *t, int port, const char *path,
                           const char *type, const char *part)
{
    struct response res;
    struct json *root;

    fetch(t, port, path,
          ",\"includeRawContent\":\"true\",\"renderJs\":false,"
          "\"mode\":\"standard\",\"schema\":null",
          &res);
    assert_int_equal(res.status, 200);
    root = webapp_json(&res);
    assert_string_equal(json_string(json_get(root, "contentType")), type);
    assert_non_null(strstr(json_string(json_get(root, "rawContent")), part));
    assert_null(json_get(root, "rawHtml"));
    json_free(root);
    response_fini(&res);
}

static void a_page_is_fetched_as_markdown(void **state)
{
    char *envp[] = {(char *)"CITED_NET_ALLOW_HOSTS=127.0.0.1",
                    (char *)"CITED_CRAWL_PAGE_BYTES=65536", NULL};
    struct webapp t;
    struct site *site = calloc(1, sizeof *site);
    struct response res;
    struct json *root;
    int port;

    (void)state;
    webapp_open(&t, envp);
    site_start(site, page_handler, NULL);
    port = site->port;
    fetch(&t, port, "/", ",\"includeRawHtml\":true,\"extractImages\":true",
          &res);
    assert_int_equal(res.status, 200);
    root = webapp_json(&res);
    assert_non_null(strstr(json_string(json_get(root, "markdown")),
                           "A paragraph that is long enough"));
    assert_non_null(strstr(json_string(json_get(root, "favicon")), "/f.ico"));
    assert_non_null(strstr(json_string(json_get(root, "rawHtml")), "<h1>"));
    assert_int_equal(json_type_of(json_get(root, "images")), JSON_ARRAY);
    json_free(root);
    response_fini(&res);
    fetch(&t, port, "/plain", "", &res);
    assert_int_equal(res.status, 200);
    root = webapp_json(&res);
    assert_non_null(
        strstr(json_string(json_get(root, "markdown")), "Just words."));
    assert_string_equal(json_string(json_get(root, "favicon")), "");
    assert_null(json_get(root, "rawHtml"));
    assert_null(json_get(root, "rawContent"));
    assert_null(json_get(root, "contentType"));
    assert_null(json_get(root, "images"));
    json_free(root);
    response_fini(&res);
    raw_content_is(&t, port, "/", "html", "<h1>Heading</h1>");
    raw_content_is(&t, port, "/plain", "text", "Just words.");
    raw_content_is(&t, port, "/notes.md", "markdown", "# Notes");
    fetch_fails(&t, port, "/missing", "FETCH_TARGET_NOT_FOUND");
    fetch_fails(&t, port, "/gone", "FETCH_TARGET_NOT_FOUND");
    fetch_fails(&t, port, "/refused", "FETCH_ERROR");
    fetch_fails(&t, port, "/pdf", "FETCH_UNSUPPORTED_CONTENT_TYPE");
    fetch_fails(&t, port, "/big", "FETCH_RESPONSE_TOO_LARGE");
    site_stop(site);
    free(site);
    fetch_fails(&t, port, "/", "FETCH_TARGET_UNREACHABLE");
    webapp_close(&t);
}

static void a_private_address_is_not_fetched(void **state)
{
    fetch_fails(*state, 80, "/", "FETCH_TARGET_UNREACHABLE");
}

static void a_problem_survives_the_lack_of_memory(void **state)
{
    struct response res;
    struct problem p;
    struct arena a;

    (void)state;
    arena_init(&a, 0);
    problem_init(&p, &a);
    for (int i = 0; i < 100; i++)
        problem_add(&p, "field", "message %d", i);
    assert_int_equal(p.count, PROBLEM_FIELDS_MAX);
    response_init(&res);
    problem_write_fields(&res, &p);
    assert_int_equal(res.status, 400);
    response_fini(&res);
    arena_fini(&a);
}

static int open_app(void **state)
{
    struct webapp *t = calloc(1, sizeof *t);

    webapp_open(t, NULL);
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
        cmocka_unit_test(a_sourced_answer_has_its_shape),
        cmocka_unit_test(images_stand_behind_the_sources_when_asked_for),
        cmocka_unit_test(search_results_have_their_shape),
        cmocka_unit_test(structured_is_bare_or_with_sources),
        cmocka_unit_test(every_field_reaches_the_search),
        cmocka_unit_test(each_outcome_of_a_search_has_its_own_answer),
        cmocka_unit_test(an_object_that_is_no_answer_is_an_error),
        cmocka_unit_test(a_task_is_shown_in_every_state),
        cmocka_unit_test(another_account_sees_no_task),
        cmocka_unit_test(a_list_pages_and_sorts),
        cmocka_unit_test(too_many_open_tasks_are_refused),
        cmocka_unit_test(a_task_is_cancelled_and_removed),
        cmocka_unit_test(steps_are_shown_with_what_they_cost),
        cmocka_unit_test(a_repeated_request_makes_one_task),
        cmocka_unit_test(a_callback_address_is_checked_and_echoed),
        cmocka_unit_test(the_gates_fill_the_rest_of_the_table),
        cmocka_unit_test(too_many_requests_are_refused),
        cmocka_unit_test(a_revoked_key_is_refused),
        cmocka_unit_test(a_revoked_key_is_remembered_for_a_second),
        cmocka_unit_test(a_broken_database_is_told_without_its_words),
        cmocka_unit_test(a_helper_without_a_sign_of_life_is_told),
        cmocka_unit_test(small_answers_are_what_they_are),
        cmocka_unit_test(a_page_is_fetched_as_markdown),
        cmocka_unit_test(a_private_address_is_not_fetched),
        cmocka_unit_test(a_problem_survives_the_lack_of_memory),
    };

    return cmocka_run_group_tests(tests, open_app, close_app);
}
