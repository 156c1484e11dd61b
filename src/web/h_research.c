/* Research tasks: create, get, list, steps, drop; see handlers.h. The work
 * itself is done by a helper; here a row is written or read. */
#include "web/handlers.h"
#include "web/input_list.h"
#include "web/input_research.h"
#include "web/problem.h"
#include "web/render_steps.h"
#include "web/render_task.h"

#include <string.h>

enum { KEY_BYTES_MAX = 255 }; /* of Idempotency-Key */

/* Is there something left to do for a helper? */
static bool is_unfinished(const struct task *t)
{
    return t->state == TASK_PENDING || t->state == TASK_PROCESSING || t->sends;
}

static void tasks_open(struct call *c)
{
    const struct conf *conf = c->w->app->conf;

    problem_write(c->res, PROBLEM_TASKS_OPEN,
                  arena_printf(c->rq->arena,
                               "Too many unfinished tasks: at most %lld are "
                               "allowed; wait for some to end.",
                               (long long)conf->tasks_open_max),
                  NULL);
    response_header(c->res, "Retry-After", "10");
    /* Somebody should be working these off. */
    c->res->kick = true;
}

/* The same key with another body. */
static void key_taken(struct call *c)
{
    struct problem p;

    problem_init(&p, c->rq->arena);
    problem_add(&p, "Idempotency-Key",
                "was used for a request with another body within the last 24 "
                "hours; send a new key with a new request");
    problem_write_fields(c->res, &p);
}

static void create(struct call *c, const struct task_order *o)
{
    struct task t = {0};
    struct errctx ec = {0};
    enum err e = task_submit(c->w->store.state, c->account, o, clock_now_ms(),
                             c->rq->arena, &t, &ec);

    if (e == ERR_LIMIT) {
        tasks_open(c);
        return;
    }
    if (e == ERR_CONFLICT) {
        key_taken(c);
        return;
    }
    if (e != ERR_OK) {
        problem_write_err(c->res, c->rq, e, &ec);
        return;
    }
    c->res->status = 200;
    c->res->kick = true;
    render_task(&t, &c->res->body);
}

static void echo_and_create(struct call *c, const struct input *in,
                            const struct research_params *p,
                            const char *callback)
{
    const struct conf *conf = c->w->app->conf;
    struct task_order o = {.open_max = conf->tasks_open_max,
                           .callback_url = callback,
                           .key = c->rq->idempotency};
    struct buf echo;
    enum err e;

    buf_init(&echo, 8 * (size_t)conf->body_max + 4096);
    e = input_research_echo(in, p, &echo);
    o.input = buf_str(&echo);
    if (e == ERR_OK)
        create(c, &o);
    else
        problem_write_err(c->res, c->rq, e, NULL);
    buf_fini(&echo);
}

/* Idempotency-Key: any printable ASCII. */
static void check_key(const char *z, struct problem *p)
{
    size_t n = z == NULL ? 0 : strlen(z);
    bool printable = true;

    for (size_t i = 0; i < n; i++)
        printable = printable && z[i] >= ' ' && z[i] <= '~';
    if (n > KEY_BYTES_MAX || !printable)
        problem_add(p, "Idempotency-Key",
                    "must be at most %d printable ASCII characters",
                    KEY_BYTES_MAX);
}

void h_research_create(struct call *c)
{
    struct problem problem;
    struct input in = {c->body, "", c->rq->arena, &problem};
    struct research_params p;
    struct json *schema = NULL;
    const char *callback;

    problem_init(&problem, c->rq->arena);
    input_research(&in, c->w->app->conf, &p, &schema);
    callback = input_callback(&in);
    check_key(c->rq->idempotency, &problem);
    if (problem.count > 0)
        problem_write_fields(c->res, &problem);
    else
        echo_and_create(c, &in, &p, callback);
    json_free(schema);
}

static void not_found(struct call *c)
{
    problem_write(c->res, PROBLEM_TASK_NOT_FOUND,
                  arena_printf(c->rq->arena, "Task %.64s not found.", c->id),
                  NULL);
}

/* The end of a handler that looks for one task. True: it is there. */
static bool has_task(struct call *c, enum err e, const struct errctx *ec)
{
    if (e == ERR_NOT_FOUND)
        not_found(c);
    else if (e != ERR_OK)
        problem_write_err(c->res, c->rq, e, ec);
    return e == ERR_OK;
}

/* What is no id of ours is not looked up, nor repeated to the caller. */
static bool has_id(struct call *c)
{
    if (!id_is_uuid(c->id))
        problem_write(c->res, PROBLEM_TASK_NOT_FOUND, NULL, NULL);
    return id_is_uuid(c->id);
}

/* The task of the call, if it is a research task. */
static enum err get(struct call *c, struct task *t, struct errctx *ec)
{
    enum err e =
        task_get(c->w->store.state, c->account, c->id, c->rq->arena, t, ec);

    return e == ERR_OK && t->type != TASK_RESEARCH ? ERR_NOT_FOUND : e;
}

void h_research_get(struct call *c)
{
    struct task t = {0};
    struct errctx ec = {0};
    enum err e;

    if (!has_id(c))
        return;
    e = get(c, &t, &ec);
    if (!has_task(c, e, &ec))
        return;
    c->res->status = 200;
    c->res->kick = is_unfinished(&t);
    render_task(&t, &c->res->body);
}

void h_research_drop(struct call *c)
{
    struct task t = {0};
    struct errctx ec = {0};
    enum err e;

    if (!has_id(c))
        return;
    e = task_drop(c->w->store.state, c->account, c->id, clock_now_ms(),
                  c->rq->arena, &t, &ec);
    if (!has_task(c, e, &ec))
        return;
    c->res->status = 200;
    c->res->kick = true; /* a cancelled task may have a callback to send */
    render_task(&t, &c->res->body);
}

static enum err read_steps(struct call *c, struct steps_view *v,
                           struct errctx *ec)
{
    struct db *state = c->w->store.state;
    struct arena *a = c->rq->arena;
    struct callback *callback = arena_alloc(a, sizeof *callback);
    struct progress *progress = arena_alloc(a, sizeof *progress);
    struct task_step *steps = NULL;
    enum err e;

    if (callback == NULL || progress == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    e = task_steps(state, v->task->id, a, &steps, &v->count, ec);
    if (e == ERR_OK)
        e = progress_read(v->task->input, steps, v->count, a, progress, ec);
    if (e != ERR_OK)
        return e;
    v->steps = steps;
    v->progress = progress;
    e = callback_get(state, v->task->id, a, callback, ec);
    v->callback = e == ERR_OK ? callback : NULL;
    return e == ERR_NOT_FOUND ? ERR_OK : e;
}

void h_research_steps(struct call *c)
{
    struct task t = {0};
    struct steps_view v = {.task = &t};
    struct errctx ec = {0};
    enum err e;

    if (!has_id(c))
        return;
    e = get(c, &t, &ec);
    if (e == ERR_OK)
        e = read_steps(c, &v, &ec);
    if (!has_task(c, e, &ec))
        return;
    c->res->status = 200;
    c->res->kick = is_unfinished(&t);
    render_steps(&v, &c->res->body);
}

void h_research_list(struct call *c)
{
    struct problem problem;
    struct list_params p;
    struct task_page page = {0};
    struct errctx ec = {0};
    enum err e;

    problem_init(&problem, c->rq->arena);
    input_list(c->rq->query, &problem, &p);
    if (problem.count > 0) {
        problem_write_fields(c->res, &problem);
        return;
    }
    e = task_list(c->w->store.state, c->account, p.sort, p.descending, p.page,
                  p.page_size, c->rq->arena, &page, &ec);
    if (e != ERR_OK) {
        problem_write_err(c->res, c->rq, e, &ec);
        return;
    }
    for (size_t i = 0; i < page.count; i++)
        c->res->kick = c->res->kick || is_unfinished(&page.tasks[i]);
    c->res->status = 200;
    render_task_list(&page, &p, &c->res->body);
}
