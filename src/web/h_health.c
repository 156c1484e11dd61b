/*
 * GET /healthz; see handlers.h. 200 whenever this process can answer:
 * restarting it does not mend what it names as degraded.
 */
#include "store/page.h"
#include "store/task.h"
#include "web/handlers.h"
#include "json/json.h"

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

void h_health(struct call *c)
{
    struct task_work work = {0};
    struct errctx ec = {0};
    bool state =
        task_work(c->w->store.state, clock_now_ms(), &work, &ec) == ERR_OK;
    bool index = index_answers(c);
    struct json_out w;

    c->res->status = 200;
    jw_init(&w, &c->res->body);
    jw_object(&w);
    jw_kstring(&w, "status", state && index ? "ok" : "degraded");
    jw_key(&w, "degraded");
    jw_array(&w);
    if (!state)
        jw_string(&w, "state database");
    if (!index)
        jw_string(&w, "page index");
    jw_array_end(&w);
    jw_object_end(&w);
}
