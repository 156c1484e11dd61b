/* GET /v1/status: how the service is, for operators; see handlers.h. What is
 * counted comes from base/meter.h, all processes together; providers and
 * model are as the answering process sees them. */
#include "base/meter.h"
#include "store/task.h"
#include "web/handlers.h"
#include "web/problem.h"
#include "web/render_status.h"

static void write_queue(struct call *c, struct json_out *w, int64_t open,
                        int64_t leased)
{
    struct app *app = c->w->app;
    struct helpers at_work = {0, 0};

    if (app->helpers != NULL)
        app->helpers(app, &at_work);
    jw_key(w, "queue");
    jw_object(w);
    jw_kint(w, "pending", open > leased ? open - leased : 0);
    jw_kint(w, "processing", leased);
    jw_kint(w, "helpers", at_work.live);
    jw_object_end(w);
}

static void write_errors(struct json_out *w, const struct meter_error *e,
                         size_t n)
{
    jw_key(w, "errors");
    jw_array(w);
    for (size_t i = 0; i < n; i++) {
        jw_object(w);
        jw_kstamp(w, "at", e[i].at_ms);
        jw_kstring(w, "requestId", e[i].id);
        jw_kstring(w, "message", e[i].message);
        jw_object_end(w);
    }
    jw_array_end(w);
}

/* A duration; null when there was no request. */
static void write_ms(struct json_out *w, const char *name, int64_t ms)
{
    jw_key(w, name);
    if (ms < 0)
        jw_null(w);
    else
        jw_int(w, ms);
}

static void write_requests(struct json_out *w, const struct meter_hour *h)
{
    jw_key(w, "requests");
    jw_object(w);
    jw_key(w, "perMinute");
    jw_array(w);
    for (int i = 0; i < METER_MINUTES; i++)
        jw_int(w, h->per_minute[i]);
    jw_array_end(w);
    write_ms(w, "p50Ms", h->p50_ms);
    write_ms(w, "p95Ms", h->p95_ms);
    jw_object_end(w);
}

void h_status(struct call *c)
{
    struct app *app = c->w->app;
    struct meter_error errors[METER_ERRORS];
    struct meter_hour hour;
    struct task_work work = {0};
    struct errctx ec = {0};
    struct json_out w;
    int64_t now = clock_now_ms(), open = 0;
    enum err e = task_open_count(c->w->store.state, 0, &open, &ec);

    if (e == ERR_OK)
        e = task_work(c->w->store.state, app->conf->lease_ms, now,
                      &work, &ec);
    if (e != ERR_OK) {
        problem_write_err(c->res, c->rq, e, &ec);
        return;
    }
    meter_hour(app->meter, now, &hour);
    c->res->status = 200;
    jw_init(&w, &c->res->body);
    jw_object(&w);
    render_providers(&w, app->providers);
    render_model(&w, app->model);
    write_queue(c, &w, open, work.leased);
    write_errors(&w, errors, meter_errors(app->meter, errors));
    write_requests(&w, &hour);
    jw_object_end(&w);
}
