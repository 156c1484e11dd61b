/*
 * Tasks of every type over the API: batches, the list, one; and the helper's
 * side of a search or fetch task. search_run is the test's own.
 */
#include "webapp.h"

#include "store/task.h"
#include "web/task_call.h"

#include <stdint.h>

static enum err search_says;
static struct search_result search_gives;

enum err search_run(const struct search_env *env, const struct search_params *p,
                    struct deadline d, const char *id, struct arena *a,
                    struct search_result *out, struct errctx *ec)
{
    (void)env;
    (void)d;
    (void)id;
    (void)a;
    assert_string_equal(p->q, "why?");
    if (search_says != ERR_OK)
        return err_set(ec, search_says, "said the search");
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

#define SEARCH                                                                 \
    "{\"type\":\"search\",\"input\":{\"q\":\"why?\",\"depth\":\"fast\","       \
    "\"outputType\":\"sourcedAnswer\"}}"
#define FETCH "{\"type\":\"fetch\",\"input\":{\"url\":\"http://127.0.0.1/\"}}"
#define RESEARCH                                                               \
    "{\"type\":\"research\",\"input\":{\"q\":\"why?\","                        \
    "\"outputType\":\"sourcedAnswer\"}}"

static char *const five[] = {"CITED_LIMITS_TASKS_OPEN=5", NULL};

static int setup(void **state)
{
    static struct webapp t;

    webapp_open(&t, five);
    search_says = ERR_OK;
    search_gives = (struct search_result){.answer = "Because."};
    *state = &t;
    return 0;
}

static int teardown(void **state)
{
    webapp_close(*state);
    return 0;
}

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

/* The answer's tree, to json_free. */
static struct json *good(struct webapp *t, const char *method, const char *path,
                         const char *body)
{
    struct response res;
    struct json *root;

    ask(t, method, path, body, &res);
    if (res.status != 200)
        fail_msg("%s %s: %s", method, path, buf_str(&res.body));
    root = webapp_json(&res);
    response_fini(&res);
    return root;
}

static void bad(struct webapp *t, const char *method, const char *path,
                const char *body, int status, const char *code,
                const char *field)
{
    struct response res;

    ask(t, method, path, body, &res);
    assert_true(webapp_is_problem(&res, status, code, field,
                                  body == NULL ? path : body));
    response_fini(&res);
}

static const char *text(const struct json *v, const char *name)
{
    const char *z = json_string(json_get(v, name));

    return z == NULL ? "(none)" : z;
}

static int64_t total(struct webapp *t, const char *path)
{
    struct json *root = good(t, "GET", path, NULL);
    double n = json_number(json_get(json_get(root, "metadata"), "total"));

    json_free(root);
    return (int64_t)n;
}

static void a_batch_is_accepted_and_listed(void **state)
{
    struct webapp *t = *state;
    struct json *root =
        good(t, "POST", "/v1/tasks", "[" SEARCH "," FETCH "," RESEARCH "]");
    const struct json *v = json_first(root), *quota;
    char path[64], id[UUID_LEN + 1];

    assert_int_equal(json_type_of(root), JSON_ARRAY);
    assert_int_equal(json_count(root), 3);
    assert_string_equal(text(v, "type"), "search");
    assert_string_equal(text(v, "status"), "pending");
    assert_string_equal(text(json_get(v, "input"), "q"), "why?");
    snprintf(id, sizeof id, "%s", text(v, "id"));
    v = json_next(v);
    assert_string_equal(text(v, "type"), "fetch");
    v = json_next(v);
    assert_string_equal(text(v, "type"), "research");
    assert_string_equal(text(json_get(v, "input"), "reasoningDepth"), "L");
    json_free(root);

    snprintf(path, sizeof path, "/v1/tasks/%s", id);
    root = good(t, "GET", path, NULL);
    assert_string_equal(text(root, "type"), "search");
    json_free(root);
    snprintf(path, sizeof path, "/v1/research/%s", id);
    bad(t, "GET", path, NULL, 404, "TASK_NOT_FOUND", NULL);
    bad(t, "DELETE", path, NULL, 404, "TASK_NOT_FOUND", NULL);

    assert_int_equal(total(t, "/v1/tasks"), 3);
    assert_int_equal(total(t, "/v1/research"), 1);
    assert_int_equal(total(t, "/v1/tasks?type=search&type=fetch"), 2);
    assert_int_equal(total(t, "/v1/tasks?status=completed"), 0);
    assert_int_equal(
        total(t, "/v1/tasks?status=completed&status=pending&type=fetch"), 1);
    root =
        good(t, "GET", "/v1/tasks?pageSize=2&page=2&sortDirection=desc", NULL);
    assert_int_equal(json_count(json_get(root, "data")), 1);
    quota = json_get(root, "quota");
    assert_true(json_number(json_get(quota, "inFlight")) == 3);
    assert_true(json_number(json_get(quota, "limit")) == 5);
    json_free(root);
}

static void all_or_none_are_accepted(void **state)
{
    struct webapp *t = *state;

    bad(t, "POST", "/v1/tasks", "[" SEARCH ",{\"type\":\"search\"}]", 400,
        "VALIDATION_ERROR", "1.input");
    bad(t, "POST", "/v1/tasks",
        "[" SEARCH "," SEARCH "," SEARCH "," FETCH "," FETCH "," RESEARCH "]",
        429, "TASKS_QUEUE_LIMIT_EXCEEDED", NULL);
    assert_int_equal(total(t, "/v1/tasks"), 0);
    assert_int_equal(total(t, "/v1/research"), 0);
    json_free(good(t, "POST", "/v1/tasks",
                   "[" SEARCH "," SEARCH "," SEARCH "," FETCH "," FETCH "]"));
    assert_int_equal(total(t, "/v1/tasks"), 5);
}

static void what_is_wrong_is_named_by_its_place(void **state)
{
    static const struct {
        const char *body, *field;
    } rows[] = {
        {"[]", ""},
        {"{}", ""},
        {"[7]", "0.type"},
        {"[{\"type\":\"guess\",\"input\":{}}]", "0.type"},
        {"[{\"type\":\"fetch\",\"input\":[]}]", "0.input"},
        {"[" SEARCH ",{\"type\":\"fetch\",\"input\":{}}]", "1.input.url"},
        {"[{\"type\":\"search\",\"input\":{\"q\":\"\",\"depth\":\"fast\","
         "\"outputType\":\"searchResults\"}}]",
         "0.input.q"},
        {"[{\"type\":\"research\",\"input\":{\"q\":\"why?\",\"outputType\":"
         "\"searchResults\"}}]",
         "0.input.outputType"},
    };
    char many[101 * sizeof FETCH + 2];
    size_t n = 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        bad(*state, "POST", "/v1/tasks", rows[i].body, 400, "VALIDATION_ERROR",
            rows[i].field);
    for (int i = 0; i < 101; i++)
        n += (size_t)sprintf(many + n, "%c" FETCH, i == 0 ? '[' : ',');
    strcpy(many + n, "]");
    bad(*state, "POST", "/v1/tasks", many, 400, "VALIDATION_ERROR", "");
    bad(*state, "GET", "/v1/tasks?type=guess", NULL, 400, "VALIDATION_ERROR",
        "type");
    bad(*state, "GET", "/v1/tasks?status=", NULL, 400, "VALIDATION_ERROR",
        "status");
    bad(*state, "GET", "/v1/tasks/x", NULL, 404, "TASK_NOT_FOUND", NULL);
}

/* --- the helper's side ------------------------------------------------- */

static struct task_lease claimed(struct webapp *t, const char *body)
{
    struct task_lease l;
    struct errctx ec;

    json_free(good(t, "POST", "/v1/tasks", body));
    assert_int_equal(task_claim(t->w.store.state, NULL, 1000, 2, clock_now_ms(),
                                &t->w.arena, &l, &ec),
                     ERR_OK);
    return l;
}

static struct task after(struct webapp *t, const struct task_lease *l)
{
    struct task got;
    struct errctx ec;

    assert_int_equal(task_get(t->w.store.state, t->account, l->task.id,
                              &t->w.arena, &got, &ec),
                     ERR_OK);
    return got;
}

static void an_answer_completes_a_task(void **state)
{
    struct webapp *t = *state;
    struct task_lease l = claimed(t, "[" SEARCH "]");
    struct errctx ec;
    struct task got;

    assert_int_equal(task_call(&t->app, &t->w.store, &l, &ec), ERR_OK);
    got = after(t, &l);
    assert_int_equal(got.state, TASK_COMPLETED);
    assert_string_equal(got.output, "{\"answer\":\"Because.\",\"sources\":[]}");
    assert_int_equal(task_call(&t->app, &t->w.store, &l, &ec), ERR_LEASE_LOST);
}

static void a_lasting_problem_fails_it(void **state)
{
    struct webapp *t = *state;
    struct task_lease l = claimed(t, "[" SEARCH "]");
    struct errctx ec;
    struct task got;

    search_says = ERR_NO_RESULT;
    assert_int_equal(task_call(&t->app, &t->w.store, &l, &ec), ERR_OK);
    got = after(t, &l);
    assert_int_equal(got.state, TASK_FAILED);
    assert_string_equal(got.error, "said the search");
}

static void a_passing_one_gives_it_back(void **state)
{
    struct webapp *t = *state;
    struct task_lease l = claimed(t, "[" SEARCH "]");
    struct errctx ec;

    search_says = ERR_UPSTREAM;
    t->conf.attempts_max = 2;
    t->conf.patience_ms = 0;
    assert_int_equal(task_call(&t->app, &t->w.store, &l, &ec), ERR_UPSTREAM);
    assert_int_equal(after(t, &l).state, TASK_PROCESSING);
    /* Others go first. */
    assert_int_equal(task_claim(t->w.store.state, NULL, 1000, 2,
                                clock_now_ms(), &t->w.arena, &l, &ec),
                     ERR_NOT_FOUND);
    assert_int_equal(task_claim(t->w.store.state, l.task.id, 1000, 2,
                                clock_now_ms(), &t->w.arena, &l, &ec),
                     ERR_OK);
    assert_int_equal(task_call(&t->app, &t->w.store, &l, &ec), ERR_UPSTREAM);
    assert_int_equal(after(t, &l).state, TASK_FAILED);
    assert_string_equal(after(t, &l).error,
                        "gave up after 2 attempts: Every search "
                        "provider failed.");
}

static void a_private_address_is_not_fetched(void **state)
{
    struct webapp *t = *state;
    struct task_lease l = claimed(t, "[" FETCH "]");
    struct errctx ec;
    struct task got;

    assert_int_equal(task_call(&t->app, &t->w.store, &l, &ec), ERR_OK);
    got = after(t, &l);
    assert_int_equal(got.state, TASK_FAILED);
    assert_string_equal(got.error,
                        "The page's address may not be fetched from here.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(a_batch_is_accepted_and_listed),      T(all_or_none_are_accepted),
        T(what_is_wrong_is_named_by_its_place), T(an_answer_completes_a_task),
        T(a_lasting_problem_fails_it),          T(a_passing_one_gives_it_back),
        T(a_private_address_is_not_fetched),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
