/*
 * libFuzzer: a whole request as a web server hands it on: method, path, query
 * string, header lines and body, from the CGI variables through the gates and
 * handlers to the answer's head, MCP messages among them. Databases are real;
 * what a search finds, what a page fetched says and the hashing of passwords
 * (which is slow on purpose) are made up.
 *
 * Input: 'k' for a request with the account's key or anything else for one
 * without, the request line "METHOD PATH?QUERY", lines "NAME: value" up to an
 * empty one, the body.
 */
#include "http_reply.h"

#include "webapp.h"

#include "base/date.h"
#include "base/password.h"
#include "web/h_mcp.h"

#define FETCHED                                                                \
    "200\ncontent-type: text/html\n\n"                                         \
    "<title>Tower</title><p>The tower is 330 metres tall."

enum { VARIABLES_MAX = 32 };

static struct webapp app;

/* --- what is made up ----------------------------------------------------- */

enum err search_run(const struct search_env *env, const struct search_params *p,
                    struct deadline d, const char *id, struct arena *a,
                    struct search_result *out, struct errctx *ec)
{
    static struct source one[] = {
        {"One", "https://a.example/1", NULL, "First.", DAY_NONE, 1, 1}};

    (void)env;
    (void)d;
    (void)id;
    (void)a;
    HOLDS(utf8_valid(p->q, strlen(p->q)) && p->max_results >= 1);
    HOLDS(p->output != OUTPUT_STRUCTURED || p->schema != NULL);
    if (strlen(p->q) % 2 == 1)
        return err_set(ec, ERR_NO_RESULT, "no page speaks of it");
    *out = (struct search_result){.answer = "Because [1].",
                                  .object = "{\"year\":1889}",
                                  .sources = one,
                                  .source_count = 1};
    return ERR_OK;
}

int64_t search_deadline_ms(const struct conf *c, struct model *model,
                           enum search_depth depth)
{
    (void)c;
    (void)model;
    (void)depth;
    return 1000;
}

enum err password_fits(const char *password, struct errctx *ec)
{
    return strlen(password) < 8 ? err_set(ec, ERR_INVALID, "too short")
                                : ERR_OK;
}

enum err password_hash(const char *password, char out[PASSWORD_HASH_MAX],
                       struct errctx *ec)
{
    enum err e = password_fits(password, ec);

    if (e == ERR_OK)
        strcpy(out, "hash");
    return e;
}

enum err password_check(const char *password, const char *hash)
{
    (void)password;
    return hash == NULL ? ERR_AUTH : ERR_OK;
}

/* --- the request --------------------------------------------------------- */

struct asked {
    char *vars[VARIABLES_MAX + 1];
    size_t count;
};

/* On the heap, so that a read beyond its end is seen. */
static void variable(struct asked *v, const char *name, struct str value)
{
    char *z = malloc(strlen(name) + value.n + 2);

    HOLDS(z != NULL && v->count < VARIABLES_MAX);
    sprintf(z, "%s=", name);
    memcpy(z + strlen(z), value.p == NULL ? "" : value.p, value.n);
    z[strlen(name) + 1 + value.n] = '\0';
    v->vars[v->count++] = z;
}

/* "Content-Type: x" as the variable that servers make of it. */
static void header(struct asked *v, struct str line)
{
    struct str name = fuzz_take_until(&line, ':');
    char key[64] = "HTTP_";
    size_t n = 5;

    if (name.n == 0 || name.n > 40 || v->count + 8 > VARIABLES_MAX)
        return;
    if (str_ieq(name, "content-type") || str_ieq(name, "remote-addr"))
        n = 0;
    for (size_t i = 0; i < name.n; i++, n++)
        key[n] = (char)(name.p[i] == '-'                       ? '_'
                        : name.p[i] >= 'a' && name.p[i] <= 'z' ? name.p[i] - 32
                                                               : name.p[i]);
    key[n] = '\0';
    variable(v, key, str_trim(line));
}

static void request_line(struct asked *v, struct str line)
{
    struct str method = fuzz_take_until(&line, ' ');
    struct str path = fuzz_take_until(&line, '?');

    variable(v, "REQUEST_METHOD", method);
    variable(v, "SCRIPT_NAME", str_of(""));
    variable(v, "PATH_INFO", path);
    variable(v, "QUERY_STRING", line);
}

/* --- the answer ---------------------------------------------------------- */

static void check_head(const struct response *res)
{
    size_t lines = 0;
    struct buf head;

    buf_init(&head, 1 << 16);
    HOLDS(response_head(res, &head) == ERR_OK);
    for (size_t i = 0; i < head.len; i++)
        lines += head.data[i] == '\n';
    /* Status, type, length and the empty line besides; no line more. */
    HOLDS(lines <= res->header_count + 4);
    HOLDS(utf8_valid(head.data, head.len));
    buf_fini(&head);
}

static void check_answer(const struct response *res)
{
    struct json *root = NULL;
    struct errctx ec;

    HOLDS(res->status >= 200 && res->status < 500);
    HOLDS(webapp_header(res, "X-Request-Id") != NULL);
    HOLDS(utf8_valid(buf_str(&res->body), res->body.len));
    if (res->body.len > 0 && res->type != NULL &&
        strstr(res->type, "json") != NULL) {
        HOLDS(json_parse(buf_str(&res->body), res->body.len,
                         &json_limits_foreign, &root, &ec) == ERR_OK);
        json_free(root);
    }
    check_head(res);
}

static bool may_have_written(const struct request *rq,
                             const struct response *res)
{
    return res->kick || (strcmp(rq->method, "GET") != 0 && res->status < 300 &&
                         strcmp(rq->path, "/v1/search") != 0 &&
                         strcmp(rq->path, "/mcp") != 0 &&
                         strcmp(rq->path, "/v1/fetch") != 0);
}

static void app_open(void)
{
    static char *envp[] = {
        (char *)(uintptr_t) "CITED_SERVER_CORS_ORIGINS=https://ui.example",
        (char *)(uintptr_t) "CITED_ACCOUNTS_REGISTRATION=open", NULL};
    struct errctx ec;

    webapp_open(&app, envp);
    HOLDS(account_set_role(app.w.store.state, app.account, ROLE_OPERATOR,
                           &ec) == ERR_OK);
}

static void app_close(void)
{
    webapp_close(&app);
}

/* Each input meets the same databases. */
static void app_ready(bool written)
{
    static bool is_open;

    if (is_open && !written)
        return;
    if (is_open)
        webapp_close(&app);
    app_open();
    if (!is_open)
        atexit(app_close);
    is_open = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str in = {(const char *)data, size}, line;
    struct asked v = {.count = 0};
    bool with_key = fuzz_take(&in) == 'k', written;
    struct response res;
    struct request rq;
    char length[24], *body;

    app_ready(false);
    arena_reset(&app.w.arena);
    replies_are(str_of(FETCHED));
    request_line(&v, fuzz_take_until(&in, '\n'));
    if (with_key)
        variable(&v, "HTTP_AUTHORIZATION", str_of(app.bearer));
    while (in.n > 0 && (line = fuzz_take_until(&in, '\n')).n > 0)
        header(&v, line);
    snprintf(length, sizeof length, "%zu", in.n);
    variable(&v, "CONTENT_LENGTH", str_of(length));
    HOLDS(request_from_env(&rq, v.vars, app.conf.base_path,
                           app.conf.key_headers, deadline_in(600000),
                           &app.w.arena) == ERR_OK);
    body = malloc(in.n + 1);
    HOLDS(body != NULL);
    memcpy(body, in.n == 0 ? "" : in.p, in.n);
    body[in.n] = '\0';
    rq.body = body;
    rq.body_len = in.n;
    response_init(&res);
    app_handle(&app.w, &rq, &res);
    check_answer(&res);
    written = may_have_written(&rq, &res);
    response_fini(&res);
    for (size_t i = 0; i < v.count; i++)
        free(v.vars[i]);
    free(body);
    if (written)
        app_ready(true);
    return 0;
}
