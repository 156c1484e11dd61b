/* POST /v1/search; see handlers.h. */
#include "web/handlers.h"

#include "find/provider.h"
#include "store/task.h"
#include "web/render.h"

static enum err search(struct call *c, const struct search_params *p)
{
    const struct app *app = c->w->app;
    struct search_env env = {.conf = app->conf,
                             .index = c->w->store.index,
                             .providers = app->providers,
                             .model = app->model,
                             .relevance = app->relevance,
                             .meaning = worker_ctx_meaning(c->w),
                             .pdf = app->pdf};
    struct deadline d =
        deadline_in(search_deadline_ms(app->conf, app->model, p->depth));
    struct search_result r = {0};
    enum err e = ERR_OK;

    if (provider_set_count(app->providers) > 0)
        e = worker_ctx_http(c->w, &env.http);
    d = deadline_min(d, c->rq->deadline);
    if (e == ERR_OK)
        e = search_run(&env, p, d, c->rq->id, c->rq->arena, &r, &c->ec);
    if (e == ERR_OK)
        render_search(p, &r, &c->res->body);
    return e;
}

/* Kept as a task that is done, for whoever wants to see it again. */
static enum err keep(struct call *c)
{
    struct arena *a = c->rq->arena;
    char *id = arena_alloc(a, UUID_LEN + 1);
    const char *input = NULL;
    enum err e = id == NULL ? ERR_NOMEM : buf_err(&c->res->body);

    if (e == ERR_OK)
        e = json_print(c->body, 8 * (size_t)c->w->app->conf->body_max + 4096, a,
                       &input);
    if (e == ERR_OK)
        e = task_keep(c->w->store.state, c->account, TASK_SEARCH, input,
                      buf_str(&c->res->body), clock_now_ms(), id, &c->ec);
    if (e == ERR_OK)
        response_header(c->res, "X-Task-Id", id);
    return e;
}

enum err h_search(struct call *c)
{
    struct input in = {c->body, "", c->rq->arena, &c->problem};
    struct search_params p = {0};
    struct json *schema = NULL;
    bool kept;
    enum err e;

    input_search(&in, c->w->app->conf, &p, &schema);
    kept = input_bool(&in, "store", false);
    e = call_checked(c);
    if (e == ERR_OK)
        e = search(c, &p);
    if (e == ERR_OK && kept)
        e = keep(c);
    json_free(schema);
    return e;
}
