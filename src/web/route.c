/* Gates and dispatch; see route.h. */
#include "web/route.h"

#include "base/str.h"
#include "store/account.h"
#include "web/auth.h"
#include "web/figures.h"
#include "web/form.h"
#include "web/limit.h"
#include "web/problem.h"
#include "web/usage.h"

#include <string.h>

bool route_matches(const char *pattern, const char *path, struct str *id)
{
    while (*pattern != '\0') {
        if (*pattern == '{') {
            size_t n = strcspn(path, "/");

            if (n == 0)
                return false;
            id->p = path;
            id->n = n;
            path += n;
            pattern = strchr(pattern, '}') + 1;
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    return *path == '\0';
}

static unsigned method_bit(const char *method)
{
    if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0)
        return METHOD_GET;
    if (strcmp(method, "POST") == 0)
        return METHOD_POST;
    if (strcmp(method, "DELETE") == 0)
        return METHOD_DELETE;
    return 0;
}

static const char *allow_text(unsigned methods)
{
    static const char *const words[8] = {
        [METHOD_GET] = "GET, HEAD, OPTIONS",
        [METHOD_POST] = "POST, OPTIONS",
        [METHOD_GET | METHOD_POST] = "GET, HEAD, POST, OPTIONS",
        [METHOD_DELETE] = "DELETE, OPTIONS",
        [METHOD_DELETE | METHOD_GET] = "DELETE, GET, HEAD, OPTIONS",
        [METHOD_DELETE | METHOD_POST] = "DELETE, POST, OPTIONS",
        [METHOD_DELETE | METHOD_GET | METHOD_POST] =
            "DELETE, GET, HEAD, POST, OPTIONS",
    };

    return words[methods & 7u];
}

/* --- cross-origin ------------------------------------------------------- */

bool route_origin_allowed(const struct conf *c, const char *origin)
{
    const char *list = c->cors_origins;
    struct str want = str_of(origin);

    while (*list != '\0') {
        size_t n = strcspn(list, ",");
        struct str one = str_trim((struct str){list, n});

        if (one.n == want.n && one.n > 0 && memcmp(one.p, want.p, one.n) == 0)
            return true;
        list += n + (list[n] == ',');
    }
    return false;
}

static void add_cors(const struct conf *c, const struct request *rq,
                     struct response *res, const char *allow)
{
    if (*c->cors_origins != '\0')
        response_header(res, "Vary", "Origin");
    if (rq->origin == NULL || !route_origin_allowed(c, rq->origin))
        return;
    response_header(res, "Access-Control-Allow-Origin", rq->origin);
    if (allow == NULL) {
        response_header(res, "Access-Control-Expose-Headers",
                        "X-Request-Id, Retry-After");
        return;
    }
    response_header(res, "Access-Control-Allow-Methods", allow);
    response_header(
        res, "Access-Control-Allow-Headers",
        arena_printf(rq->arena,
                     "Authorization, Content-Type, "
                     "Idempotency-Key, Last-Event-ID, MCP-Protocol-Version%s%s",
                     *c->key_headers == '\0' ? "" : ", ", c->key_headers));
    response_header(res, "Access-Control-Max-Age", "600");
}

/* --- gates -------------------------------------------------------------- */

static void retry_after(struct response *res, struct arena *a, int64_t ms)
{
    response_header(res, "Retry-After",
                    arena_printf(a, "%lld", (long long)((ms + 999) / 1000)));
}

static bool pass_store(struct call *c)
{
    struct errctx ec = {0};
    enum err e = worker_ctx_store(c->w, &ec);

    if (e != ERR_OK)
        problem_write_err(c->res, c->rq, e, &ec);
    return e == ERR_OK;
}

static bool pass_key(struct call *c)
{
    struct errctx ec = {0};
    const struct request *rq = c->rq;
    const char *key = rq->key != NULL                     ? rq->key
                      : c->w->app->conf->clients_path_key ? rq->path_key
                                                          : NULL;
    enum err e = rq->authorization == NULL && key != NULL
                     ? auth_key(key, rq->arena, &c->token)
                     : auth_bearer(rq->authorization, rq->arena, &c->token);

    if (e == ERR_OK)
        e = auth_bearer_of(&c->w->keys, &c->w->app->keys_away,
                           c->w->store.state, c->token, clock_mono_ms(),
                           &c->who, &ec);
    if (e != ERR_OK)
        problem_write_err(c->res, c->rq, e, &ec);
    c->account = c->who.account;
    return e == ERR_OK;
}

static bool pass_role(struct call *c, unsigned needs)
{
    const char *why = NULL;

    if ((needs & NEED_SIGN_IN) != 0 && !c->who.session)
        why = "Sign in for this: it wants the token of POST /v1/sessions, not "
              "an API key.";
    else if ((needs & NEED_OPERATOR) != 0 && c->who.role != ROLE_OPERATOR)
        why = "Only operators may do this.";
    if (why != NULL)
        problem_write(c->res, PROBLEM_FORBIDDEN, why, NULL);
    return why == NULL;
}

static bool pass_rate(struct call *c)
{
    int64_t wait = limit_rate(c->w->app->limits, c->token, clock_mono_ms());

    if (wait > 0) {
        problem_write(c->res, PROBLEM_RATE, NULL, NULL);
        retry_after(c->res, c->rq->arena, wait);
    }
    return wait <= 0;
}

/* "utf-8" or "\"utf-8\"" in any case. */
static bool is_utf8_name(struct str v)
{
    if (v.n >= 2 && v.p[0] == '"' && v.p[v.n - 1] == '"') {
        v.p++;
        v.n -= 2;
    }
    return str_ieq(v, "utf-8") || str_ieq(v, "utf8");
}

/* application/json; another charset than UTF-8 is refused, other parameters
 * do not matter. */
static bool is_json_type(const char *type)
{
    size_t n = strcspn(type, ";");

    if (!str_ieq(str_trim((struct str){type, n}), "application/json"))
        return false;
    for (type += n; *type == ';'; type += n) {
        struct str one;

        type++;
        n = strcspn(type, ";");
        one = str_trim((struct str){type, n});
        if (one.n >= 8 && ascii_starts_i(one.p, "charset=") &&
            !is_utf8_name((struct str){one.p + 8, one.n - 8}))
            return false;
    }
    return true;
}

/* Nothing is unpacked here: a small body could become a large one. */
static bool pass_encoding(const struct call *c)
{
    const char *name = c->rq->encoding;
    char *shown;

    if (name == NULL || ascii_casecmp(name, "identity") == 0)
        return true;
    shown = arena_printf(c->rq->arena, "%.40s", name);
    if (shown != NULL)
        str_clean(shown);
    problem_write(c->res, PROBLEM_TYPE,
                  arena_printf(c->rq->arena,
                               "The body must come as it is, without a "
                               "Content-Encoding; \"%s\" was given.",
                               shown == NULL ? "?" : shown),
                  NULL);
    response_header(c->res, "Accept-Encoding", "identity");
    return false;
}

static int64_t body_max_of(const struct conf *c, const struct route *r)
{
    return r->body_max == BODY_PAGES ? c->pages_max
           : r->body_max > 0         ? r->body_max
                                     : c->body_max;
}

static bool is_form(const struct request *rq, const struct route *r)
{
    return (r->needs & OR_FORM) != 0 && form_is(rq->content_type);
}

static bool pass_body(const struct call *c, const struct route *r)
{
    const struct request *rq = c->rq;
    int64_t max = body_max_of(c->w->app->conf, r);
    bool some = rq->body_len > 0 || rq->body_too_large;

    if (!is_form(rq, r) &&
        (rq->content_type == NULL ? some : !is_json_type(rq->content_type))) {
        problem_write(c->res, PROBLEM_TYPE,
                      (r->needs & OR_FORM) == 0
                          ? NULL
                          : "The body must be JSON in UTF-8 (Content-Type: "
                            "application/json) or a form "
                            "(multipart/form-data).",
                      NULL);
        return false;
    }
    if (!pass_encoding(c))
        return false;
    if (!some && !rq->has_length) {
        problem_write(c->res, PROBLEM_LENGTH, NULL, NULL);
        return false;
    }
    if (rq->body_too_large || rq->body_len > (uint64_t)max) {
        problem_write(
            c->res, PROBLEM_TOO_LARGE,
            arena_printf(rq->arena,
                         "The request's body is too large: at most %lld "
                         "bytes are allowed.",
                         (long long)max),
            NULL);
        return false;
    }
    return true;
}

/* --- the call ----------------------------------------------------------- */

void call_run(struct call *c, call_handler *handle)
{
    enum err e;

    c->ec = (struct errctx){0};
    c->res->status = 200;
    problem_init(&c->problem, c->rq->arena);
    e = handle(c);
    if (e == ERR_OK || e == ERR_TOLD)
        return;
    if (c->problem.count > 0)
        problem_write_fields(c->res, &c->problem);
    else
        problem_write_err(c->res, c->rq, e, &c->ec);
}

enum err call_refuse(struct call *c, enum problem_kind kind,
                     const char *message)
{
    problem_write(c->res, kind, message, NULL);
    return ERR_TOLD;
}

enum err call_checked(const struct call *c)
{
    return c->problem.count > 0 ? ERR_INVALID : ERR_OK;
}

struct json_out *call_object(struct call *c)
{
    jw_init(&c->out, &c->res->body);
    jw_object(&c->out);
    return &c->out;
}

static void refuse_root(struct call *c, const char *message)
{
    problem_init(&c->problem, c->rq->arena);
    problem_add(&c->problem, "", "%s", message);
    problem_write_fields(c->res, &c->problem);
}

static void handle_with_body(struct call *c, const struct route *r)
{
    enum json_type want = (r->needs & NEED_ARRAY) ? JSON_ARRAY : JSON_OBJECT;
    bool any = (r->needs & OR_ARRAY) != 0;
    const struct conf *conf = c->w->app->conf;
    struct json_limits lim = json_limits_request;
    struct json *root = NULL;
    struct errctx ec = {0};
    enum err e;

    lim.bytes_max = (size_t)body_max_of(conf, r);
    lim.depth_max = (int)conf->depth_max;
    if (c->rq->body_len == 0) {
        refuse_root(c, want == JSON_ARRAY
                           ? "The body must be a JSON array; it is empty."
                           : "The body must be a JSON object; it is empty.");
        return;
    }
    e = json_parse(c->rq->body, c->rq->body_len, &lim, &root, &ec);
    if (e == ERR_MALFORMED || e == ERR_TOO_LARGE || e == ERR_INVALID) {
        refuse_root(c, ec.msg);
        return;
    }
    if (e != ERR_OK) {
        problem_write_err(c->res, c->rq, e, &ec);
        return;
    }
    if (json_type_of(root) != want &&
        !(any && json_type_of(root) == JSON_ARRAY)) {
        const char *name = json_type_name(json_type_of(root));
        const char *msg = arena_printf(
            c->rq->arena, "The body must be a JSON %s; it is of type %s.",
            json_type_name(want), name);

        refuse_root(c, msg == NULL ? "The body has the wrong type." : msg);
    } else {
        c->body = root;
        call_run(c, r->handle);
    }
    json_free(root);
}

/* Is all that it asks in the query string, where the route takes that? */
static bool is_query(const struct request *rq, const struct route *r)
{
    return (r->needs & OR_QUERY) != 0 && rq->body_len == 0 &&
           rq->query != NULL && *rq->query != '\0';
}

static void run_open(struct call *c, const struct route *r)
{
    if (is_query(c->rq, r)) {
        call_run(c, r->handle);
        return;
    }
    if ((r->needs & (NEED_BODY | NEED_TEXT)) != 0 && !pass_body(c, r))
        return;
    if ((r->needs & NEED_BODY) != 0 && !is_form(c->rq, r))
        handle_with_body(c, r);
    else
        call_run(c, r->handle);
}

/* One of its account's requests in flight. */
static void run_in_flight(struct call *c, const struct route *r)
{
    struct limits *limits = c->w->app->limits;
    unsigned char hash[SHA256_BYTES];
    int place;

    if (!limit_enter(limits, c->account, &place)) {
        problem_write(c->res, PROBLEM_RATE,
                      "Too many requests of this account at once; wait for "
                      "some to end.",
                      NULL);
        retry_after(c->res, c->rq->arena, 1000);
        return;
    }
    if (!c->who.session) {
        id_sha256(c->token, strlen(c->token), hash);
        usage_note(c->w->app->usage, c->w->store.state, hash);
    }
    run_open(c, r);
    limit_leave(limits, place);
}

static void run(struct call *c, const struct route *r)
{
    bool free_way =
        (r->needs & OR_WATCHER) != 0 &&
        figures_may_watch(c->w->app->conf->metrics_allow, c->rq->remote_addr);

    if ((r->needs & NO_STORE) == 0 && !pass_store(c))
        return;
    if ((r->needs & NEED_KEY) == 0 || free_way)
        run_open(c, r);
    else if (pass_key(c) && pass_role(c, r->needs) && pass_rate(c))
        run_in_flight(c, r);
}

static const struct route *find(const struct route *table, size_t count,
                                const struct request *rq, unsigned *methods,
                                const char **pattern, struct str *id)
{
    unsigned bit = method_bit(rq->method);
    const struct route *found = NULL;

    *methods = 0;
    for (size_t i = 0; i < count; i++) {
        struct str seg = {NULL, 0};

        if (!route_matches(table[i].pattern, rq->path, &seg))
            continue;
        *methods |= table[i].methods;
        *pattern = table[i].pattern;
        if ((table[i].methods & bit) != 0 && found == NULL) {
            found = &table[i];
            *id = seg;
        }
    }
    return found;
}

size_t route_body_cap(const struct conf *c)
{
    return (size_t)(c->pages_max > c->body_max ? c->pages_max : c->body_max);
}

int64_t route_body_max(struct worker_ctx *w, const struct request *rq)
{
    const struct conf *conf = w->app->conf;
    struct response told;
    struct call c = {.w = w, .rq = rq, .res = &told};
    struct str id = {NULL, 0};
    const char *pattern;
    unsigned methods;
    const struct route *r =
        find(route_table, route_table_count, rq, &methods, &pattern, &id);
    bool more = r != NULL && body_max_of(conf, r) > conf->body_max;

    if (!more)
        return conf->body_max;
    /* The gates say no again when it is their turn, and then it is sent. */
    response_init(&told);
    more = pass_store(&c) && pass_key(&c) && pass_role(&c, r->needs);
    response_fini(&told);
    return more ? body_max_of(conf, r) : conf->body_max;
}

/* A body without meaning here, but complete and empty of details. */
static void answer_options(struct response *res, const char *allow)
{
    res->status = 200;
    response_header(res, "Allow", allow);
    buf_reset(&res->body);
}

const char *route_dispatch(const struct route *table, size_t count,
                           struct worker_ctx *w, const struct request *rq,
                           struct response *res)
{
    struct call c = {.w = w, .rq = rq, .res = res};
    struct str id = {NULL, 0};
    const char *pattern = "-", *allow;
    unsigned methods;
    const struct route *r = find(table, count, rq, &methods, &pattern, &id);
    bool options = strcmp(rq->method, "OPTIONS") == 0;

    allow = methods == 0 ? NULL : allow_text(methods);
    add_cors(w->app->conf, rq, res, options ? allow : NULL);
    if (strlen(rq->path) + strlen(rq->query) > URI_MAX) {
        problem_write(res, PROBLEM_URI, NULL, NULL);
    } else if (methods == 0) {
        problem_write(res, PROBLEM_NOT_FOUND, NULL, NULL);
    } else if (options) {
        answer_options(res, allow);
    } else if (r == NULL) {
        problem_write(res, PROBLEM_METHOD, NULL, NULL);
        response_header(res, "Allow", allow);
    } else {
        c.id = id.p == NULL ? NULL : arena_strndup(rq->arena, id.p, id.n);
        if (id.p != NULL && c.id == NULL)
            problem_write_err(res, rq, ERR_NOMEM, NULL);
        else
            run(&c, r);
    }
    return pattern;
}
