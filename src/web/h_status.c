/* How the service is, for operators, and two answers that never change; see
 * handlers.h. What is counted comes from base/meter.h, all processes together;
 * providers and model are as the answering process sees them. */
#include "base/meter.h"
#include "store/task.h"
#include "web/handlers.h"
#include "web/render.h"

static void write_queue(struct call *c, struct json_out *w, int64_t open,
                        int64_t leased)
{
    struct app *app = c->w->app;
    struct helpers at_work = {0, 0};

    if (app->helpers != NULL)
        app->helpers(app, &at_work);
    jw_kobject(w, "queue");
    jw_kint(w, "pending", open > leased ? open - leased : 0);
    jw_kint(w, "processing", leased);
    jw_kint(w, "helpers", at_work.live);
    jw_object_end(w);
}

static void write_errors(struct json_out *w, const struct meter_error *e,
                         size_t n)
{
    jw_karray(w, "errors");
    for (size_t i = 0; i < n; i++) {
        jw_object(w);
        jw_kstamp(w, "at", e[i].at_ms);
        jw_kstring(w, "requestId", e[i].id);
        jw_kstring(w, "message", e[i].message);
        jw_object_end(w);
    }
    jw_array_end(w);
}

static void write_requests(struct json_out *w, const struct meter_hour *h)
{
    jw_kobject(w, "requests");
    jw_karray(w, "perMinute");
    for (int i = 0; i < METER_MINUTES; i++)
        jw_int(w, h->per_minute[i]);
    jw_array_end(w);
    jw_kknown(w, "p50Ms", h->p50_ms); /* null without a request */
    jw_kknown(w, "p95Ms", h->p95_ms);
    jw_object_end(w);
}

enum err h_status(struct call *c)
{
    struct app *app = c->w->app;
    struct db *state = c->w->store.state;
    struct meter_error errors[METER_ERRORS];
    struct meter_hour hour;
    struct task_work work = {0};
    struct json_out *w;
    int64_t now = clock_now_ms(), open = 0;
    enum err e = task_open_count(state, 0, &open, &c->ec);

    if (e == ERR_OK)
        e = task_work(state, app->conf->lease_ms, now, &work, &c->ec);
    if (e != ERR_OK)
        return e;
    meter_hour(app->meter, now, &hour);
    w = call_object(c);
    render_providers(w, app->providers);
    render_model(w, app->model);
    write_queue(c, w, open, work.leased);
    write_errors(w, errors, meter_errors(app->meter, errors));
    write_requests(w, &hour);
    jw_object_end(w);
    return ERR_OK;
}

/* Clients use it to try a key; nothing is billed. */
enum err h_balance(struct call *c)
{
    buf_adds(&c->res->body, "{\"balance\":1000000}");
    return ERR_OK;
}

/* src/web/openapi.json, compiled in, so that it is that of the program that
 * answers. */
extern const char openapi_json[];

enum err h_openapi(struct call *c)
{
    buf_adds(&c->res->body, openapi_json);
    return ERR_OK;
}
