/* POST /v1/search; see handlers.h. */
#include "web/handlers.h"

#include "find/provider.h"
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
    struct deadline d = deadline_in(search_deadline_ms(app->conf, app->model, p->depth));
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

enum err h_search(struct call *c)
{
    struct input in = {c->body, "", c->rq->arena, &c->problem};
    struct search_params p = {0};
    struct json *schema = NULL;
    enum err e;

    input_search(&in, c->w->app->conf, &p, &schema);
    e = call_checked(c);
    if (e == ERR_OK)
        e = search(c, &p);
    json_free(schema);
    return e;
}
