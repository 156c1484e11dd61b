/*
 * The application as a test sees it: a temporary data folder with real
 * databases, one account with a key, one serving thread's context, and a way
 * to ask it something as a web server would. Header only; for cmocka tests.
 */
#ifndef CITED_TESTS_WEBAPP_H
#define CITED_TESTS_WEBAPP_H

#include "base/log.h"
#include "base/str.h"
#include "store/account.h"
#include "web/app.h"
#include "web/limit.h"
#include "web/route.h"
#include "web/usage.h"
#include "json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"
#include "state_db.h"

struct webapp {
    char dir[32];
    struct conf conf;
    struct store_files files;
    struct app app;
    struct worker_ctx w;
    int64_t account;
    char key[KEY_LEN + 1];
    char bearer[KEY_LEN + 32];
};

/* A request; what is NULL is not sent. */
struct ask {
    const char *method, *path; /* path may hold "?query" */
    const char *authorization, *content_type, *origin;
    const char *idempotency, *mcp_version;
    const char *address; /* of who asks */
    const char *body;
    size_t body_len; /* 0: strlen(body) */
    bool no_length;  /* without CONTENT_LENGTH */
    bool late;       /* its deadline has passed */
};

/* envp: configuration as CITED_… variables, NULL-terminated, or NULL. */
static inline void webapp_open(struct webapp *t, char *const envp[])
{
    static char *const none[] = {NULL};
    struct errctx ec = {0};
    char path[64];
    const char *id = NULL;
    FILE *f;

    memset(t, 0, sizeof *t);
    log_set_level(LOG_OFF);
    strcpy(t->dir, "/tmp/cited-web-XXXXXX");
    assert_non_null(mkdtemp(t->dir));
    snprintf(path, sizeof path, "%s/cited.conf", t->dir);
    f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
    assert_int_equal(
        conf_load(&t->conf, path, t->dir, envp == NULL ? none : envp, &ec),
        ERR_OK);
    assert_int_equal(state_db_configure(&t->conf), ERR_OK);
    assert_int_equal(store_files_open(&t->conf, &t->files, &ec), ERR_OK);
    t->app = (struct app){.conf = &t->conf, .files = &t->files};
    assert_int_equal(limits_open(&t->conf, &t->app.limits), ERR_OK);
    assert_int_equal(usage_new(&t->app.usage), ERR_OK);
    worker_ctx_init(&t->w, &t->app);
    assert_int_equal(worker_ctx_store(&t->w, &ec), ERR_OK);
    assert_int_equal(account_create(t->w.store.state, "a@example.org",
                                    clock_now_ms(), &t->account, &ec),
                     ERR_OK);
    assert_int_equal(key_create(t->w.store.state, t->account, "test",
                                clock_now_ms(), t->key, &id, &t->w.arena, &ec),
                     ERR_OK);
    snprintf(t->bearer, sizeof t->bearer, "Bearer %s", t->key);
}

static inline void webapp_close(struct webapp *t)
{
    worker_ctx_fini(&t->w);
    usage_free(t->app.usage, t->files.state);
    limits_free(t->app.limits);
    store_files_close(&t->files);
    conf_fini(&t->conf);
    folder_remove(t->dir);
}

/* Ask through request_from_env and app_handle. The caller ends with
 * response_fini; the arena is reset by the next question. */
static inline void webapp_ask(struct webapp *t, const struct ask *q,
                              struct response *res)
{
    size_t n = q->body == NULL   ? 0
               : q->body_len > 0 ? q->body_len
                                 : strlen(q->body);
    char *vars[13] = {NULL};
    char *const *envp = vars;
    struct arena *a = &t->w.arena;
    char *key = NULL; /* a block of its own: the sanitizer sees its end */
    struct request rq;
    size_t k = 0, path_len = strcspn(q->path, "?");
    const char *query = q->path[path_len] == '?' ? q->path + path_len + 1 : "";

    arena_reset(a);
    vars[k++] = arena_printf(a, "REQUEST_METHOD=%s", q->method);
    vars[k++] = arena_strdup(a, "SCRIPT_NAME=");
    vars[k++] = arena_printf(a, "PATH_INFO=%.*s", (int)path_len, q->path);
    vars[k++] = arena_printf(a, "QUERY_STRING=%s", query);
    if (q->authorization != NULL)
        vars[k++] = arena_printf(a, "HTTP_AUTHORIZATION=%s", q->authorization);
    if (q->content_type != NULL)
        vars[k++] = arena_printf(a, "CONTENT_TYPE=%s", q->content_type);
    if (q->origin != NULL)
        vars[k++] = arena_printf(a, "HTTP_ORIGIN=%s", q->origin);
    if (q->idempotency != NULL) {
        assert_true(asprintf(&key, "HTTP_IDEMPOTENCY_KEY=%s", q->idempotency) >
                    0);
        vars[k++] = key;
    }
    if (q->address != NULL)
        vars[k++] = arena_printf(a, "REMOTE_ADDR=%s", q->address);
    if (q->mcp_version != NULL)
        vars[k++] =
            arena_printf(a, "HTTP_MCP_PROTOCOL_VERSION=%s", q->mcp_version);
    if (q->body != NULL && !q->no_length)
        vars[k++] = arena_printf(a, "CONTENT_LENGTH=%zu", n);
    assert_int_equal(request_from_env(&rq, envp, t->conf.base_path,
                                      t->conf.key_headers,
                                      deadline_in(q->late ? -1 : 30000), a),
                     ERR_OK);
    rq.body_too_large = n > (size_t)route_body_max(&t->w, &rq);
    if (q->body != NULL && !rq.body_too_large) {
        rq.body = q->body;
        rq.body_len = n;
    }
    response_init(res);
    app_handle(&t->w, &rq, res);
    free(key);
}

/* The header's value, or NULL. */
static inline const char *webapp_header(const struct response *r,
                                        const char *name)
{
    for (size_t i = 0; i < r->header_count; i++)
        if (ascii_casecmp(r->name[i], name) == 0)
            return r->value[i];
    return NULL;
}

/* The body as a tree, to json_free. */
static inline struct json *webapp_json(const struct response *r)
{
    struct json *root = NULL;
    struct errctx ec = {0};

    assert_int_equal(json_parse(buf_str(&r->body), r->body.len,
                                &json_limits_request, &root, &ec),
                     ERR_OK);
    return root;
}

/* Is r the one error envelope with this status and code? field is that of
 * the first detail, NULL for no details. A difference is printed. */
MUST_CHECK static inline bool webapp_is_problem(const struct response *r,
                                                int status, const char *code,
                                                const char *field,
                                                const char *name)
{
    struct json *root = webapp_json(r);
    const struct json *error = json_get(root, "error");
    const struct json *details = json_get(error, "details");
    const char *got_code = json_string(json_get(error, "code"));
    const char *got = json_string(json_get(json_first(details), "field"));
    bool same = r->status == status &&
                json_number(json_get(root, "statusCode")) == status &&
                got_code != NULL && strcmp(got_code, code) == 0 &&
                json_string(json_get(error, "message")) != NULL &&
                json_type_of(details) == JSON_ARRAY &&
                (field == NULL ? json_count(details) == 0
                               : got != NULL && strcmp(got, field) == 0);

    if (!same)
        print_error("%s: wanted %d %s %s, got %d %s\n", name, status, code,
                    field == NULL ? "(no field)" : field, r->status,
                    buf_str(&r->body));
    json_free(root);
    return same;
}

#endif
