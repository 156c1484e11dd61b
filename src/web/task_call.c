/* Search and fetch tasks; see task_call.h. Called by prog/worker_hand.c. */
#include "web/task_call.h"

#include "web/handlers.h"

#include <string.h>

enum { ARENA_MAX = 256 * 1024 * 1024, DEADLINE_MS = 120000 };

/* The message of the error envelope. */
static const char *message_of(const struct response *res, struct arena *a)
{
    struct json *root = NULL;
    struct errctx ec;
    const char *z = NULL;

    if (json_parse(buf_str(&res->body), res->body.len, &json_limits_request,
                   &root, &ec) == ERR_OK)
        z = json_string(json_get(json_get(root, "error"), "message"));
    z = z == NULL ? NULL : arena_strdup(a, z);
    json_free(root);
    return z == NULL ? "it failed" : z;
}

static enum err give_back(struct db *state, const struct task_lease *l,
                          const struct conf *c, const char *why,
                          struct errctx *ec)
{
    struct task_terms terms = {c->lease_ms, c->attempts_max, c->patience_ms};

    return task_release(state, l, why, &terms, clock_now_ms(), ec);
}

/* What the answer means for the task. */
static enum err settle(struct db *state, const struct conf *conf,
                       const struct task_lease *l, const struct response *res,
                       struct arena *a, struct errctx *ec)
{
    enum err e = buf_err(&res->body), given;
    const char *message;

    if (e != ERR_OK)
        return task_fail(state, l, "The answer is too large.", clock_now_ms(),
                         ec);
    if (res->status == 200) {
        e = task_finish(state, l, buf_str(&res->body), clock_now_ms(), ec);
        return e != ERR_TOO_LARGE
                   ? e
                   : task_fail(state, l, "The answer is too large.",
                               clock_now_ms(), ec);
    }
    message = message_of(res, a);
    if (res->status < 500)
        return task_fail(state, l, message, clock_now_ms(), ec);
    given = give_back(state, l, conf, message, ec);
    return given != ERR_OK ? given : err_set(ec, ERR_UPSTREAM, "%s", message);
}

static enum err answer(struct call *c, const struct task *t, struct errctx *ec)
{
    struct json_limits lim = json_limits_request;
    struct json *root = NULL;
    enum err e;

    /* As it was when it was accepted, whatever the limits are now. */
    lim.bytes_max = strlen(t->input) + 1;
    lim.depth_max = 512;
    e = json_parse(t->input, strlen(t->input), &lim, &root, ec);
    if (e != ERR_OK)
        return e;
    c->body = root;
    call_run(c, t->type == TASK_SEARCH ? h_search : h_fetch);
    json_free(root);
    return ERR_OK;
}

enum err task_call(struct app *app, const struct store *store,
                   const struct task_lease *lease, struct errctx *ec)
{
    struct worker_ctx w = {.app = app, .store = *store};
    struct request rq = {.method = "POST",
                         .path = "",
                         .query = "",
                         .remote_addr = "",
                         .body = "",
                         .deadline = deadline_in(DEADLINE_MS),
                         .arena = &w.arena};
    struct response res;
    struct call c = {
        .w = &w, .rq = &rq, .res = &res, .account = lease->task.account};
    enum err e;

    arena_init(&w.arena, ARENA_MAX);
    response_init(&res);
    request_new_id(rq.id);
    e = answer(&c, &lease->task, ec);
    if (e == ERR_OK)
        e = settle(store->state, app->conf, lease, &res, &w.arena, ec);
    else if (give_back(store->state, lease, app->conf, ec->msg, ec) ==
             ERR_LEASE_LOST)
        e = ERR_LEASE_LOST;
    response_fini(&res);
    w.store = (struct store){NULL, NULL}; /* the caller's */
    worker_ctx_fini(&w);
    return e;
}
