/*
 * The one entry from any transport: route, finish the answer, log one line.
 * Also what a serving thread opens and closes. See app.h.
 */
#include "web/app.h"
#include "find/meaning_find.h"

#include "base/log.h"
#include "net/http.h"
#include "web/figures.h"
#include "web/problem.h"
#include "web/route.h"

#include <stdatomic.h>
#include <string.h>

/* Most memory of one request: its values, its search, its answer. */
enum { ARENA_MAX = 256 * 1024 * 1024 };

void worker_ctx_init(struct worker_ctx *w, struct app *app)
{
    memset(w, 0, sizeof *w);
    w->app = app;
    arena_init(&w->arena, ARENA_MAX);
}

enum err worker_ctx_store(struct worker_ctx *w, struct errctx *ec)
{
    enum err e = ERR_OK;

    if (w->store.state == NULL)
        e = store_open(w->app->files, &w->store, ec);
    return e == ERR_IO ? err_set(ec, ERR_DB, "%.250s", ec->msg) : e;
}

void worker_ctx_fini(struct worker_ctx *w)
{
    if (w->http != NULL)
        http_free(w->http);
    w->http = NULL;
    meaning_free(w->meaning);
    w->meaning = NULL;
    store_close(&w->store);
    arena_fini(&w->arena);
}

enum err worker_ctx_http(struct worker_ctx *w, struct http **out)
{
    enum err e = ERR_OK;

    if (w->http == NULL)
        e = http_new(w->app->conf, &w->http);
    if (e == ERR_OK)
        *out = w->http;
    return e;
}

struct meaning *worker_ctx_meaning(struct worker_ctx *w)
{
    /* Out of memory: words only, and the next request tries again. */
    if (!w->has_meaning)
        w->has_meaning = meaning_new(w->app->conf, &w->meaning) == ERR_OK;
    return w->meaning;
}

/* A rendered answer that ran into a cap or out of memory is no answer. */
static void check_body(const struct request *rq, struct response *res)
{
    enum err e = buf_err(&res->body);

    if (e == ERR_OK)
        return;
    log_error(rq->id, "the answer could not be rendered: %s", err_name(e));
    buf_fini(&res->body);
    problem_write(res, e == ERR_NOMEM ? PROBLEM_MEMORY : PROBLEM_INTERNAL, NULL,
                  NULL);
}

void app_headers(struct response *res, const char *id)
{
    response_header(res, "X-Request-Id", id);
    response_header(res, "Cache-Control", "no-store");
    response_header(res, "X-Content-Type-Options", "nosniff");
}

void app_handle(struct worker_ctx *w, const struct request *rq,
                struct response *res)
{
    int64_t start = clock_mono_us();
    const char *pattern = "-";

    if (w->store.state != NULL)
        db_until(w->store.state, rq->deadline);
    if (w->store.index != NULL)
        db_until(w->store.index, rq->deadline);
    if (deadline_passed(&rq->deadline))
        problem_write(res, PROBLEM_UNAVAILABLE, NULL, NULL);
    else
        pattern = route_dispatch(route_table, route_table_count, w, rq, res);
    check_body(rq, res);
    if (res->no_memory)
        atomic_store(&w->app->no_memory_ms, clock_mono_ms());
    app_headers(res, arena_strdup(rq->arena, rq->id));
    figures_count(w->app->meter, pattern, rq, res, clock_mono_us() - start);
    log_info(rq->id, "%.16s %s %d %lld ms %zu bytes", rq->method, pattern,
             res->status, (long long)((clock_mono_us() - start) / 1000),
             res->body.len);
    if (strcmp(rq->method, "HEAD") == 0) {
        res->head = true;
        buf_reset(&res->body);
    }
}
