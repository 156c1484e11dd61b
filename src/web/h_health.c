/*
 * GET /healthz; see handlers.h. 200 whenever this process can answer:
 * restarting it does not mend what it names as degraded.
 */
#include "net/model.h"
#include "store/page.h"
#include "store/task.h"
#include "web/handlers.h"
#include "web/render_status.h"

/* Nothing in the index has this text; only that the question can be asked
 * matters. */
static bool index_answers(struct call *c)
{
    struct errctx ec = {0};
    struct page page;
    enum err e = page_find(c->w->store.index, "http://health.invalid/",
                           c->rq->arena, &page, &ec);

    return e == ERR_OK || e == ERR_NOT_FOUND;
}

/* Is any provider left out? */
static bool providers_answer(struct call *c)
{
    struct provider_set *set = c->w->app->providers;

    for (size_t i = 0; i < provider_set_count(set); i++) {
        struct provider_state st;

        provider_set_state(set, i, &st);
        if (st.lack != NULL || st.until_ms != 0)
            return false;
    }
    return true;
}

static bool model_answers(struct model *m)
{
    struct model_health h;

    if (m == NULL)
        return true;
    model_health_get(m, &h);
    return !h.suspended;
}

void h_health(struct call *c)
{
    struct task_work work = {0};
    struct errctx ec = {0};
    bool state =
        task_work(c->w->store.state, clock_now_ms(), &work, &ec) == ERR_OK;
    bool index = index_answers(c), providers = providers_answer(c);
    bool model = model_answers(c->w->app->model);
    struct json_out w;

    c->res->status = 200;
    jw_init(&w, &c->res->body);
    jw_object(&w);
    jw_kstring(&w, "status",
               state && index && providers && model ? "ok" : "degraded");
    jw_key(&w, "degraded");
    jw_array(&w);
    if (!state)
        jw_string(&w, "state database");
    if (!index)
        jw_string(&w, "page index");
    if (!providers)
        jw_string(&w, "search providers");
    if (!model)
        jw_string(&w, "model");
    jw_array_end(&w);
    render_providers(&w, c->w->app->providers);
    render_model(&w, c->w->app->model);
    jw_object_end(&w);
}
