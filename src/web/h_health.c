/*
 * GET /healthz; see handlers.h. 200 whenever this process can answer:
 * restarting it does not mend what it names as degraded. Only where the
 * operator has set how far the index may be behind, 503 beyond that.
 */
#include "base/disk.h"
#include "base/log.h"
#include "index/board.h"
#include "index/page.h"
#include "model/model.h"
#include "store/task.h"
#include "web/handlers.h"
#include "web/render.h"

#include <stdatomic.h>

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

/* Does every helper that holds a place give a sign of life? */
static bool helpers_answer(struct app *app)
{
    struct helpers at_work = {0, 0};

    if (app->helpers != NULL)
        app->helpers(app, &at_work);
    return at_work.silent == 0;
}

/* --- the data folder ---------------------------------------------------- */

enum { FREE_MIN = 1 << 20, SHORT_MS = 60000, BEHIND_MS = 3000 };

/* What a fault of the data folder is called. */
struct amiss {
    bool full, read_only, state, index;
};

static void add_fault(struct amiss *a, enum err e, bool *unreadable)
{
    a->full |= e == ERR_FULL;
    a->read_only |= e == ERR_READ_ONLY;
    *unreadable |= err_is_storage(e) && e != ERR_FULL && e != ERR_READ_ONLY;
}

static void look_at_disk(struct call *c, struct amiss *a)
{
    struct errctx ec;
    struct disk disk;

    if (disk_look(c->w->app->conf->data_dir, &disk, &ec) != ERR_OK)
        return; /* the databases tell */
    a->full |= disk.free_bytes < FREE_MIN || disk.free_files == 0;
    a->read_only |= disk.read_only;
}

static void look_at_store(struct call *c, struct amiss *a)
{
    struct store *s = &c->w->store;
    struct task_work work = {0};
    struct errctx ec = {0};
    enum err e = worker_ctx_store(c->w, &ec);

    if (e != ERR_OK) {
        log_error(c->rq->id, "the databases cannot be opened: %s", ec.msg);
        add_fault(a, e, &a->state);
        return;
    }
    a->state = task_work(s->state, c->w->app->conf->lease_ms, clock_now_ms(),
                         &work, &ec) != ERR_OK;
    a->index = !index_answers(c);
    add_fault(a, db_health(s->state), &a->state);
    add_fault(a, db_health(s->index), &a->index);
}

static bool memory_is_short(struct app *app)
{
    int64_t at = atomic_load(&app->no_memory_ms);

    return at != 0 && clock_mono_ms() - at < SHORT_MS;
}

static struct amiss look(struct call *c)
{
    struct amiss a = {0};

    look_at_disk(c, &a);
    look_at_store(c, &a);
    return a;
}

/* --- pages in PostgreSQL ------------------------------------------------- */

static struct board_look look_at_board(struct call *c)
{
    const struct conf *conf = c->w->app->conf;
    struct board_look l = {.begun = false};

    if (*conf->database != '\0')
        board_look_once(conf, &l);
    return l;
}

/* Is the index further behind than a second or two, or following nothing? */
static bool is_behind(const struct board_look *l)
{
    return !l->begun || l->fault == BOARD_CONFLICT ||
           l->fault == BOARD_BROKEN || l->behind_ms >= BEHIND_MS;
}

/* Further than the operator lets it be; then this machine is no use. */
static bool is_out(const struct conf *c, const struct board_look *l)
{
    return c->behind_s > 0 && (!l->begun || l->fault == BOARD_CONFLICT ||
                               l->behind_ms > c->behind_s * 1000);
}

static void write_pages(struct json_out *w, const struct board_look *l)
{
    jw_kobject(w, "pages");
    jw_kint(w, "behind", l->behind_ms / 1000);
    jw_kint(w, "changes", l->changes);
    jw_object_end(w);
}

enum err h_health(struct call *c)
{
    const struct conf *conf = c->w->app->conf;
    bool follows = *conf->database != '\0';
    struct amiss a = look(c);
    struct board_look board = look_at_board(c);
    const struct {
        bool amiss;
        const char *name;
    } all[] = {
        {a.state, "state database"},
        {a.index, "page index"},
        {a.full, "disk full"},
        {a.read_only, "read-only folder"},
        {memory_is_short(c->w->app), "memory"},
        {!providers_answer(c), "search providers"},
        {!model_answers(c->w->app->model), "model"},
        {!helpers_answer(c->w->app), "research helpers"},
        {follows && is_behind(&board), "pages behind"},
    };
    struct json_out *w;
    bool ok = true;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ok = ok && !all[i].amiss;
    w = call_object(c);
    jw_kstring(w, "status", ok ? "ok" : "degraded");
    jw_karray(w, "degraded");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].amiss)
            jw_string(w, all[i].name);
    jw_array_end(w);
    render_providers(w, c->w->app->providers);
    render_model(w, c->w->app->model);
    if (follows)
        write_pages(w, &board);
    jw_object_end(w);
    if (follows && is_out(conf, &board)) {
        c->res->status = 503;
        response_header(c->res, "Retry-After", "2");
    }
    return ERR_OK;
}
