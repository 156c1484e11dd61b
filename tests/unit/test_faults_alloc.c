/*
 * The nth allocation fails, for every n, once or from then on. What comes out
 * is the right answer or an error, never a crash, a leak or half an answer,
 * and the next call is as good as the first. malloc and its kin are wrapped
 * by the linker: calls from our own objects are counted, those inside
 * libraries are not.
 */
#include "webapp.h"

#include "base/date.h"
#include "index/page.h"
#include "page/document.h"
#include "research/research.h"
#include "text/html.h"
#include "json/schema.h"

#include <errno.h>

enum { ALLOCATIONS_MAX = 20000 };

/* --- the fault --------------------------------------------------------- */

/* The names are the linker's. */
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
char *__real_strdup(const char *z);
char *__real_strndup(const char *z, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *z);
char *__wrap_strndup(const char *z, size_t n);

static bool armed, for_good, fired;
static int left;

static bool fails(void)
{
    if (!armed || --left > 0)
        return false;
    armed = for_good;
    fired = true;
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    return fails() ? NULL : __real_realloc(p, n);
}

char *__wrap_strdup(const char *z)
{
    return fails() ? NULL : __real_strdup(z);
}

char *__wrap_strndup(const char *z, size_t n)
{
    return fails() ? NULL : __real_strndup(z, n);
}

static void arm(int n)
{
    left = n;
    fired = false;
    armed = true;
}

/* Did anything fail? */
static bool disarm(void)
{
    armed = false;
    return fired;
}

/* --- every n ----------------------------------------------------------- */

/* Run once with the nth allocation failing, checked. */
typedef void step_fn(void *user, int n);

static void torture(step_fn *step, void *user)
{
    for (int i = 0; i < 2; i++) {
        int n = 1;

        for_good = i == 1;
        do
            step(user, n);
        while (fired && ++n < ALLOCATIONS_MAX);
        assert_true(n > 1 && n < ALLOCATIONS_MAX);
    }
}

/* --- values ------------------------------------------------------------ */

static void parse_json(void *user, int n)
{
    static const char z[] =
        "{\"a\": [1, 2.5, \"x\\u00e4\", {\"b\": null}], \"c\": {\"d\": true, "
        "\"e\": \"\\ud83d\\ude00\", \"f\": {}, \"g\": 1, \"h\": 2}}";
    struct errctx ec = {0};
    struct json *root = NULL;
    enum err e;

    (void)user;
    arm(n);
    e = json_parse(z, sizeof z - 1, &json_limits_request, &root, &ec);
    disarm();
    if (e == ERR_OK) {
        assert_int_equal(json_count(json_get(root, "a")), 4);
        assert_int_equal(json_count(json_get(root, "c")), 5);
    } else {
        assert_int_equal(e, ERR_NOMEM);
    }
    json_free(root);
}

static void mend_json(void *user, int n)
{
    static const char z[] =
        "{\"a\": \"\\u0000\", \"a\": 2, \"b\": \"\\ud800\"}";
    struct errctx ec = {0};
    struct json *root = NULL;
    enum err e;

    (void)user;
    arm(n);
    e = json_parse(z, sizeof z - 1, &json_limits_foreign, &root, &ec);
    disarm();
    if (e == ERR_OK) {
        assert_int_equal(json_count(root), 2);
        assert_string_equal(json_string(json_get(root, "a")), "\xEF\xBF\xBD");
    } else {
        assert_int_equal(e, ERR_NOMEM);
    }
    json_free(root);
}

static void json_is_parsed_or_refused(void **state)
{
    (void)state;
    torture(parse_json, NULL);
    torture(mend_json, NULL);
}

static struct json *parsed(const char *z)
{
    struct errctx ec = {0};
    struct json *root = NULL;

    assert_int_equal(json_parse(z, strlen(z), &json_limits_request, &root, &ec),
                     ERR_OK);
    return root;
}

struct schema_case {
    struct json *schema, *good, *bad;
};

/* A value is never called valid, or invalid, by mistake. */
static void use_schema(void *user, int n)
{
    const struct schema_case *c = user;
    struct errctx ec = {0};
    enum err e;

    arm(n);
    e = schema_check(c->schema, &ec);
    if (e == ERR_OK)
        e = schema_validate(c->schema, c->good, &ec);
    if (e == ERR_OK) {
        e = schema_validate(c->schema, c->bad, &ec);
        disarm();
        if (e != ERR_NOMEM)
            assert_int_equal(e, ERR_INVALID);
        return;
    }
    disarm();
    if (e != ERR_NOMEM)
        fail_msg("allocation %d: %s: %s", n, err_name(e), ec.msg);
}

static void a_schema_judges_or_gives_up(void **state)
{
    struct schema_case c = {
        parsed(
            "{\"type\": \"object\", \"properties\": {"
            "\"name\": {\"type\": \"string\", \"pattern\": \"^[a-z]{2,}$\"},"
            "\"tags\": {\"type\": \"array\", \"uniqueItems\": true,"
            " \"items\": {\"$ref\": \"#/$defs/tag\"}},"
            "\"kind\": {\"enum\": [{\"a\": 1, \"b\": 2}, 3]}},"
            "\"patternProperties\": {\"^x-(a|b)+\": {\"type\": \"number\"}},"
            "\"required\": [\"name\"], \"$defs\": {\"tag\":"
            " {\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"null\"}]}}}"),
        parsed("{\"name\": \"abc\", \"tags\": [\"p\", \"q\", null],"
               " \"kind\": {\"b\": 2, \"a\": 1}, \"x-ab\": 1}"),
        parsed("{\"name\": \"abc\", \"tags\": [\"p\", \"p\"]}")};

    (void)state;
    torture(use_schema, &c);
    json_free(c.schema);
    json_free(c.good);
    json_free(c.bad);
}

static const char page_html[] =
    "<html lang=en><head><title>Halden lighthouse</title>"
    "<meta name=date content=2023-05-14><link rel=icon href=/i.png></head>"
    "<body><nav><a href=/a>a</a><a href=/b>b</a></nav><main>"
    "<h1>Halden lighthouse</h1><p>The Halden lighthouse stands on the northern "
    "cape of Orvik. It was built in 1874 by the engineer Marit Solheim. The "
    "tower is 41 metres tall.</p><img src=t.jpg alt=Tower width=800 height=600>"
    "<h2>Lamp</h2><ul><li>Its lamp can be seen from 28 nautical miles.<li>It "
    "was automated in 1988.</ul><table><tr><td>Height<td>41 m</table>"
    "<dl><dt>Keeper<dd>Marit<dt>Steps<dd>196</dl><pre>code\n  here</pre><p><a "
    "href=/more>More</a> about it.</p></main>";

struct html_case {
    struct url base;
    struct buf wanted; /* what a run without faults prints; empty at first */
};

/* Everything of the document, printed. */
static void print_doc(const struct page_doc *doc, struct arena *a,
                      struct buf *out)
{
    const char *markdown = NULL;

    assert_int_equal(page_markdown(doc, a, &markdown), ERR_OK);
    buf_addf(out, "%s|%s|%s|%s|%d\n%s\n", doc->title, doc->lang, doc->favicon,
             doc->canonical, doc->day, markdown);
    for (size_t i = 0; i < doc->link_count; i++)
        buf_addf(out, "%s %s\n", doc->links[i].url, doc->links[i].text);
    for (size_t i = 0; i < doc->image_count; i++)
        buf_addf(out, "%s %s\n", doc->images[i].url, doc->images[i].alt);
    assert_int_equal(buf_err(out), ERR_OK);
}

static void parse_html(void *user, int n)
{
    struct html_case *c = user;
    struct errctx ec = {0};
    struct page_doc doc;
    struct arena a;
    struct buf got;
    enum err e;

    memset(&doc, 0, sizeof doc);
    arena_init(&a, 16 << 20);
    buf_init(&got, 1 << 16);
    arm(n);
    e = html_parse(page_html, sizeof page_html - 1, &c->base, &a, &doc, &ec);
    disarm();
    if (e == ERR_OK) {
        print_doc(&doc, &a, &got);
        assert_string_equal(buf_str(&got), buf_str(&c->wanted));
    } else {
        assert_int_equal(e, ERR_NOMEM);
    }
    buf_fini(&got);
    arena_fini(&a);
}

static void html_is_read_whole_or_refused(void **state)
{
    static const char z[] = "https://lights.example/halden";
    struct html_case c;
    struct page_doc doc;
    struct arena a;
    struct errctx ec = {0};

    (void)state;
    arena_init(&a, 16 << 20);
    buf_init(&c.wanted, 1 << 16);
    assert_int_equal(url_parse(z, sizeof z - 1, NULL, &a, &c.base, &ec),
                     ERR_OK);
    assert_int_equal(
        html_parse(page_html, sizeof page_html - 1, &c.base, &a, &doc, &ec),
        ERR_OK);
    print_doc(&doc, &a, &c.wanted);
    assert_non_null(strstr(buf_str(&c.wanted), "Marit Solheim"));
    torture(parse_html, &c);
    buf_fini(&c.wanted);
    arena_fini(&a);
}

/* --- the application --------------------------------------------------- */

static const struct index_input page_in = {.url =
                                               "https://lights.example/halden",
                                           .type = "text/html",
                                           .body = page_html,
                                           .body_len = sizeof page_html - 1,
                                           .day = DAY_NONE,
                                           .now_ms = 1000};

static const char page_markdown_text[] =
    "---\ntitle: Kvist\ndate: 2024-03-01\n---\n# Kvist\n\nThe Kvist database "
    "has a *write-ahead* [journal](/j). It is folded back after 1000 pages.\n\n"
    "> It does not work over a network.\n\n1. One thing that is listed\n2. "
    "Another thing\n   - below it\n\n| Limit | Value |\n|---|---|\n| Size | "
    "281 "
    "terabytes |\n| Columns | 2000 |\n\n```\ncode here\n```\n\n    indented "
    "code\n\nMore\n====\nThe end of the page is here.\n";

static const struct index_input markdown_in = {
    .url = "https://docs.storage.example/kvist",
    .type = "text/markdown",
    .body = page_markdown_text,
    .body_len = sizeof page_markdown_text - 1,
    .day = DAY_NONE,
    .now_ms = 1000};

struct index_case {
    struct webapp t;
    const struct index_input *in;
    struct buf wanted; /* text of the page */
};

/* What is stored of the page. */
static void stored_text(struct index_case *c, struct buf *out)
{
    struct db *index = c->t.w.store.index;
    struct errctx ec = {0};
    struct page page;
    const char *text;

    assert_int_equal(page_find(index, c->in->url, &c->t.w.arena, &page, &ec),
                     ERR_OK);
    assert_int_equal(page_text(index, page.id, &c->t.w.arena, &text, &ec),
                     ERR_OK);
    assert_int_equal(buf_addf(out, "%s|%d|%zu|%s", page.title, page.day,
                              page.image_count, text),
                     ERR_OK);
}

static enum err index_it(struct index_case *c, struct errctx *ec)
{
    struct arena a;
    int64_t passages = 0;
    enum err e;

    arena_init(&a, DOCUMENT_ARENA_MAX);
    e = index_document(c->t.w.store.index, c->in, &a, &passages, ec);
    arena_fini(&a);
    return e;
}

static void index_page(void *user, int n)
{
    struct index_case *c = user;
    struct errctx ec = {0};
    struct buf got;
    enum err e;

    arena_reset(&c->t.w.arena);
    arm(n);
    e = index_it(c, &ec);
    disarm();
    if (e != ERR_OK && e != ERR_NOMEM)
        fail_msg("allocation %d: %s: %s", n, err_name(e), ec.msg);
    /* Also after a failure: what was there before stays. */
    buf_init(&got, 1 << 16);
    stored_text(c, &got);
    if (strcmp(buf_str(&got), buf_str(&c->wanted)) != 0)
        fail_msg("allocation %d: %s", n, buf_str(&got));
    buf_fini(&got);
}

static void torture_index(const struct index_input *in, const char *holds)
{
    struct index_case c = {.in = in};
    struct errctx ec = {0};

    webapp_open(&c.t, NULL);
    buf_init(&c.wanted, 1 << 16);
    assert_int_equal(index_it(&c, &ec), ERR_OK);
    stored_text(&c, &c.wanted);
    assert_non_null(strstr(buf_str(&c.wanted), holds));
    torture(index_page, &c);
    buf_fini(&c.wanted);
    webapp_close(&c.t);
}

static void a_document_is_indexed_or_refused(void **state)
{
    (void)state;
    torture_index(&page_in, "Marit Solheim");
    torture_index(&markdown_in, "281 terabytes");
}

static void fill_index(struct webapp *t)
{
    struct errctx ec = {0};
    struct arena a;
    int64_t passages;

    arena_init(&a, DOCUMENT_ARENA_MAX);
    assert_int_equal(
        index_document(t->w.store.index, &page_in, &a, &passages, &ec), ERR_OK);
    arena_fini(&a);
}

/* A request and its proper answer. */
struct expect {
    struct webapp t;
    struct ask q;
    const char *holds;
    struct buf wanted; /* the whole body; "" when it differs each time */
};

/* "status body", or a failure that names n. */
/* A tool of /mcp tells its failure inside an answer. */
static bool is_failed_tool(const struct expect *x, const struct response *res)
{
    const char *body = buf_str(&res->body);

    return strcmp(x->q.path, "/mcp") == 0 && res->status == 200 &&
           (strstr(body, "\"isError\":true") != NULL ||
            strstr(body, "\"code\":-32603") != NULL);
}

static void check_answer(const struct expect *x, const struct response *res,
                         int n)
{
    const char *body = buf_str(&res->body);
    struct buf head;

    buf_init(&head, 1 << 16);
    assert_int_equal(response_head(res, &head), ERR_OK);
    buf_fini(&head);
    if (res->status == 200 && strstr(body, x->holds) != NULL &&
        (x->wanted.len == 0 || strcmp(body, buf_str(&x->wanted)) == 0)) {
        json_free(webapp_json(res));
        return;
    }
    if (is_failed_tool(x, res)) {
        json_free(webapp_json(res));
        return;
    }
    if (res->status != 500 && res->status != 503)
        fail_msg("allocation %d%s: %d %s", n, for_good ? " and on" : "",
                 res->status, body);
    /* With no memory at all there is none for the envelope either. */
    if (for_good && res->body.len == 0)
        return;
    if (!webapp_is_problem(res, res->status,
                           res->status == 500 ? "INTERNAL_SERVER_ERROR"
                                              : "OUT_OF_MEMORY",
                           NULL, x->q.path))
        fail_msg("allocation %d%s", n, for_good ? " and on" : "");
}

/* webapp_ask with only app_handle under the fault. */
static void ask_faulty(void *user, int n)
{
    struct expect *x = user;
    struct arena *a = &x->t.w.arena;
    size_t len = x->q.body == NULL ? 0 : strlen(x->q.body);
    struct response res;
    struct request rq;
    char *vars[7] = {NULL};
    char *const *envp = vars;
    enum err e;

    arena_fini(a);
    arena_reset(a);
    vars[0] = arena_printf(a, "REQUEST_METHOD=%s", x->q.method);
    vars[1] = arena_printf(a, "PATH_INFO=%s", x->q.path);
    vars[2] = arena_printf(a, "HTTP_AUTHORIZATION=%s", x->t.bearer);
    vars[3] = arena_strdup(a, "CONTENT_TYPE=application/json");
    vars[4] = arena_printf(a, "CONTENT_LENGTH=%zu", len);
    response_init(&res);
    arm(n);
    e = request_from_env(&rq, envp, "", "", deadline_in(30000), a);
    if (e == ERR_OK) {
        rq.body = x->q.body == NULL ? "" : x->q.body;
        rq.body_len = len;
        app_handle(&x->t.w, &rq, &res);
    }
    disarm();
    if (e == ERR_OK)
        check_answer(x, &res, n);
    else
        assert_int_equal(e, ERR_NOMEM);
    response_fini(&res);
}

/* same: the body is the same each time. */
static void torture_expect(struct expect *x, bool same)
{
    struct ask q = x->q;
    struct response res;

    q.authorization = x->t.bearer;
    q.content_type = "application/json";
    buf_init(&x->wanted, 1 << 20);
    for (int i = 0; i < 2; i++) {
        webapp_ask(&x->t, &q, &res);
        if (res.status != 200 || strstr(buf_str(&res.body), x->holds) == NULL)
            fail_msg("%d %s", res.status, buf_str(&res.body));
        if (same && i == 0)
            assert_int_equal(buf_adds(&x->wanted, buf_str(&res.body)), ERR_OK);
        response_fini(&res);
        if (i == 0)
            torture(ask_faulty, x);
    }
    buf_fini(&x->wanted);
}

static void torture_request(const struct ask *q, const char *holds, bool same)
{
    struct expect x = {.q = *q, .holds = holds};

    webapp_open(&x.t, NULL);
    fill_index(&x.t);
    torture_expect(&x, same);
    webapp_close(&x.t);
}

static void an_answer_is_whole_or_an_error(void **state)
{
    static const struct ask q = {
        .method = "POST",
        .path = "/v1/search",
        .body = "{\"q\": \"When was the Halden lighthouse built?\","
                " \"depth\": \"standard\", \"outputType\": \"sourcedAnswer\","
                " \"includeImages\": true, \"includeDomains\":"
                " [\"lights.example\"], \"includeInlineCitations\": true}"};

    (void)state;
    torture_request(&q, "1874", true);
}

static void results_are_whole_or_an_error(void **state)
{
    static const struct ask q = {
        .method = "POST",
        .path = "/v1/search",
        .body = "{\"q\": \"<guidance><priority>- lights.example</priority>"
                "</guidance>Halden lighthouse\", \"depth\": \"deep\","
                " \"outputType\": \"searchResults\"}"};

    (void)state;
    torture_request(&q, "1874", true);
}

static void an_object_is_whole_or_an_error(void **state)
{
    static const struct ask q = {
        .method = "POST",
        .path = "/v1/search",
        .body =
            "{\"q\": \"When was the Halden lighthouse built?\","
            " \"depth\": \"standard\", \"outputType\": \"structured\","
            " \"includeSources\": true, \"structuredOutputSchema\":"
            " {\"type\": \"object\", \"properties\": {"
            "\"year\": {\"type\": \"integer\", \"description\": \"built in\"},"
            "\"height\": {\"type\": \"string\"},"
            "\"engineer\": {\"type\": \"string\"},"
            "\"automated\": {\"type\": \"boolean\"},"
            "\"page\": {\"type\": \"string\", \"format\": \"uri\"},"
            "\"facts\": {\"type\": \"array\","
            " \"items\": {\"type\": \"string\"}}}}}"};

    (void)state;
    torture_request(&q, "\"data\"", true);
}

static void a_task_is_created_or_an_error(void **state)
{
    static const struct ask q = {
        .method = "POST",
        .path = "/v1/research",
        .body = "{\"q\": \"Halden lighthouse\", \"outputType\":"
                " \"sourcedAnswer\", \"excludeDomains\": [\"a.example\"],"
                " \"fromDate\": \"2020-01-01\"}"};

    (void)state;
    torture_request(&q, "\"pending\"", false);
}

static void a_tool_is_whole_or_an_error(void **state)
{
    static const struct ask q = {
        .method = "POST",
        .path = "/mcp",
        .body = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\":"
                " \"tools/call\", \"params\": {\"name\": \"search\","
                " \"arguments\": {\"q\": \"When was the Halden lighthouse"
                " built?\"}}}"};

    (void)state;
    torture_request(&q, "\"structuredContent\"", true);
}

static void pages_are_put_in_or_an_error(void **state)
{
    struct expect x = {
        .q = {.method = "POST",
              .path = "/v1/pages",
              .body = "[{\"url\": \"https://wiki.example/1\", \"html\":"
                      " \"<title>Oil</title><p>Lamps burn rape oil, a barrel"
                      " lasts a month.\"}, {\"url\":"
                      " \"https://wiki.example/2\", \"markdown\":"
                      " \"# Wicks\\n\\nWicks are woven of cotton.\"}]"},
        .holds = "\"title\":\"Wicks\""};
    struct errctx ec = {0};

    (void)state;
    webapp_open(&x.t, NULL);
    assert_int_equal(
        account_set_role(x.t.w.store.state, x.t.account, ROLE_OPERATOR, &ec),
        ERR_OK);
    torture_expect(&x, true);
    webapp_close(&x.t);
}

static void a_list_is_whole_or_an_error(void **state)
{
    static const struct ask create = {
        .method = "POST",
        .path = "/v1/research",
        .content_type = "application/json",
        .body = "{\"q\": \"x\", \"outputType\": \"sourcedAnswer\"}"};
    struct expect x = {.q = {.method = "GET", .path = "/v1/research"},
                       .holds = "\"total\""};
    struct ask q = create;
    struct response res;

    (void)state;
    webapp_open(&x.t, NULL);
    q.authorization = x.t.bearer;
    for (int i = 0; i < 3; i++) {
        webapp_ask(&x.t, &q, &res);
        assert_int_equal(res.status, 200);
        response_fini(&res);
    }
    torture_expect(&x, true);
    webapp_close(&x.t);
}

static void health_is_told_or_an_error(void **state)
{
    static const struct ask q = {.method = "GET", .path = "/healthz"};

    (void)state;
    torture_request(&q, "\"status\"", false);
}

/* --- research ---------------------------------------------------------- */

struct research_case {
    struct webapp t;
    char *wanted; /* the report */
};

/* later_ms: when nobody could give the task back, its lease runs out. */
static void claim(struct webapp *t, const char *id, int64_t later_ms,
                  struct task_lease *out)
{
    struct errctx ec = {0};

    assert_int_equal(task_claim(t->w.store.state, id, 60000, 100,
                                clock_now_ms() + later_ms, &t->w.arena, out,
                                &ec),
                     ERR_OK);
}

static struct task_lease new_task(struct webapp *t)
{
    static const char input[] =
        "{\"q\": \"When was the Halden lighthouse built, and how tall is its "
        "tower?\", \"outputType\": \"sourcedAnswer\", \"includeDomains\": [],"
        " \"excludeDomains\": [], \"fromDate\": null, \"toDate\": null,"
        " \"includeImages\": true, \"structuredOutputSchema\": null,"
        " \"mode\": \"auto\", \"reasoningDepth\": \"S\"}";
    struct errctx ec = {0};
    struct task_lease lease;
    struct task made;

    assert_int_equal(task_create(t->w.store.state, t->account, input, 100000,
                                 clock_now_ms(), &t->w.arena, &made, &ec),
                     ERR_OK);
    claim(t, made.id, 0, &lease);
    return lease;
}

static enum err research(struct webapp *t, const struct task_lease *l)
{
    struct search_env env = {.conf = &t->conf, .index = t->w.store.index};
    struct errctx ec = {0};

    return research_run(&env, t->w.store.state, l, NULL, &ec);
}

static struct task task_of(struct webapp *t, const struct task_lease *l)
{
    struct errctx ec = {0};
    struct task got;

    assert_int_equal(task_get(t->w.store.state, t->account, l->task.id,
                              &t->w.arena, &got, &ec),
                     ERR_OK);
    return got;
}

/* A fault gives the task back, and the next attempt ends it as if nothing
 * had been. */
static void research_faulty(void *user, int n)
{
    struct research_case *c = user;
    struct task_lease l;
    struct task got;
    enum err e;

    arena_reset(&c->t.w.arena);
    l = new_task(&c->t);
    arm(n);
    e = research(&c->t, &l);
    disarm();
    got = task_of(&c->t, &l);
    if (e != ERR_OK) {
        if (e != ERR_NOMEM || got.state != TASK_PROCESSING)
            fail_msg("allocation %d: %s, %s: %s", n, err_name(e),
                     task_state_name(got.state),
                     got.error == NULL ? "" : got.error);
        claim(&c->t, l.task.id, 60001, &l);
        assert_int_equal(research(&c->t, &l), ERR_OK);
        got = task_of(&c->t, &l);
    }
    assert_int_equal(got.state, TASK_COMPLETED);
    if (strcmp(got.output, c->wanted) != 0)
        fail_msg("allocation %d: %s", n, got.output);
}

static void research_is_finished_or_given_back(void **state)
{
    struct research_case c;
    struct task_lease l;

    (void)state;
    webapp_open(&c.t, NULL);
    fill_index(&c.t);
    l = new_task(&c.t);
    assert_int_equal(research(&c.t, &l), ERR_OK);
    c.wanted = __real_strdup(task_of(&c.t, &l).output);
    assert_non_null(strstr(c.wanted, "1874"));
    torture(research_faulty, &c);
    free(c.wanted);
    webapp_close(&c.t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_is_parsed_or_refused),
        cmocka_unit_test(a_schema_judges_or_gives_up),
        cmocka_unit_test(html_is_read_whole_or_refused),
        cmocka_unit_test(a_document_is_indexed_or_refused),
        cmocka_unit_test(an_answer_is_whole_or_an_error),
        cmocka_unit_test(results_are_whole_or_an_error),
        cmocka_unit_test(an_object_is_whole_or_an_error),
        cmocka_unit_test(a_task_is_created_or_an_error),
        cmocka_unit_test(a_list_is_whole_or_an_error),
        cmocka_unit_test(pages_are_put_in_or_an_error),
        cmocka_unit_test(a_tool_is_whole_or_an_error),
        cmocka_unit_test(health_is_told_or_an_error),
        cmocka_unit_test(research_is_finished_or_given_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
