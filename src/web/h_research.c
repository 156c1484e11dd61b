/* Research tasks: create, get, list, steps, drop; see handlers.h. The work
 * itself is done by a helper; here a row is written or read. */
#include "web/handlers.h"
#include "web/render.h"

#include <string.h>

enum { KEY_BYTES_MAX = 255 }; /* of Idempotency-Key */

/* Is there something left to do for a helper? */
static bool is_unfinished(const struct task *t)
{
    return t->state == TASK_PENDING || t->state == TASK_PROCESSING || t->sends;
}

static enum err tasks_open(struct call *c)
{
    const struct conf *conf = c->w->app->conf;

    response_header(c->res, "Retry-After", "10");
    /* Somebody should be working these off. */
    c->res->kick = true;
    return call_refuse(c, PROBLEM_TASKS_OPEN,
                       arena_printf(c->rq->arena,
                                    "Too many unfinished tasks: at most %lld "
                                    "are allowed; wait for some to end.",
                                    (long long)conf->tasks_open_max));
}

static enum err create(struct call *c, const struct task_order *o)
{
    struct task t = {0};
    enum err e = task_submit(c->w->store.state, c->account, o, clock_now_ms(),
                             c->rq->arena, &t, &c->ec);

    if (e == ERR_LIMIT)
        return tasks_open(c);
    /* The same key with another body. */
    if (e == ERR_CONFLICT)
        problem_add(&c->problem, "Idempotency-Key",
                    "was used for a request with another body within the last "
                    "24 hours; send a new key with a new request");
    if (e != ERR_OK)
        return e;
    c->res->kick = true;
    render_task(&t, &c->res->body);
    return ERR_OK;
}

static enum err echo_and_create(struct call *c, const struct input *in,
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
        e = create(c, &o);
    buf_fini(&echo);
    return e;
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

enum err h_research_create(struct call *c)
{
    struct input in = {c->body, "", c->rq->arena, &c->problem};
    struct research_params p;
    struct json *schema = NULL;
    const char *callback;
    enum err e;

    input_research(&in, c->w->app->conf, &p, &schema);
    callback = input_callback(&in);
    check_key(c->rq->idempotency, &c->problem);
    e = call_checked(c);
    if (e == ERR_OK)
        e = echo_and_create(c, &in, &p, callback);
    json_free(schema);
    return e;
}

/* What is no id of ours is not looked up, nor repeated to the caller. */
static enum err no_task(struct call *c)
{
    const char *words =
        id_is_uuid(c->id)
            ? arena_printf(c->rq->arena, "Task %.64s not found.", c->id)
            : NULL;

    return call_refuse(c, PROBLEM_TASK_NOT_FOUND, words);
}

/* The task of the call, if it is a research task. */
static enum err get(struct call *c, struct task *t)
{
    enum err e = ERR_NOT_FOUND;

    if (id_is_uuid(c->id))
        e = task_get(c->w->store.state, c->account, c->id, c->rq->arena, t,
                     &c->ec);
    if (e == ERR_NOT_FOUND || (e == ERR_OK && t->type != TASK_RESEARCH))
        return no_task(c);
    return e;
}

enum err h_research_get(struct call *c)
{
    struct task t = {0};
    enum err e = get(c, &t);

    if (e != ERR_OK)
        return e;
    c->res->kick = is_unfinished(&t);
    render_task(&t, &c->res->body);
    return ERR_OK;
}

enum err h_research_drop(struct call *c)
{
    struct task t = {0};
    enum err e = get(c, &t);

    if (e == ERR_OK)
        e = task_drop(c->w->store.state, c->account, c->id, clock_now_ms(),
                      c->rq->arena, &t, &c->ec);
    if (e != ERR_OK)
        return e == ERR_NOT_FOUND ? no_task(c) : e;
    c->res->kick = true; /* a cancelled task may have a callback to send */
    render_task(&t, &c->res->body);
    return ERR_OK;
}

/* The call's task into *t, and its steps. */
static enum err read_steps(struct call *c, struct task *t, struct steps_view *v)
{
    struct db *state = c->w->store.state;
    struct arena *a = c->rq->arena;
    struct callback *callback = arena_alloc(a, sizeof *callback);
    struct progress *progress = arena_alloc(a, sizeof *progress);
    struct task_step *steps = NULL;
    enum err e = get(c, t);

    if (e == ERR_OK && (callback == NULL || progress == NULL))
        e = err_set(&c->ec, ERR_NOMEM, "out of memory");
    if (e == ERR_OK)
        e = task_steps(state, t->id, a, &steps, &v->count, &c->ec);
    if (e == ERR_OK)
        e = progress_read(t->input, steps, v->count, a, progress, &c->ec);
    if (e == ERR_NOT_FOUND)
        return no_task(c);
    if (e != ERR_OK)
        return e;
    v->task = t;
    v->steps = steps;
    v->progress = progress;
    e = callback_get(state, t->id, a, callback, &c->ec);
    v->callback = e == ERR_OK ? callback : NULL;
    if (e != ERR_OK && e != ERR_NOT_FOUND)
        return e;
    c->res->kick = is_unfinished(t);
    return ERR_OK;
}

enum err h_research_steps(struct call *c)
{
    struct task t = {0};
    struct steps_view v = {0};
    enum err e = read_steps(c, &t, &v);

    if (e == ERR_OK)
        render_steps(&v, &c->res->body);
    return e;
}

/* The number behind the last step that the client has; all of them where it
 * names none. */
static int64_t next_event(const char *z)
{
    int64_t n = 0;

    return z != NULL && parse_int(z, 0, INT32_MAX, &n) ? n + 1 : 0;
}

enum err h_research_events(struct call *c)
{
    struct task t = {0};
    struct steps_view v = {0};
    enum err e = read_steps(c, &t, &v);

    if (e != ERR_OK)
        return e;
    c->res->type = "text/event-stream";
    render_events(&v, next_event(c->rq->last_event), &c->res->body);
    return ERR_OK;
}

enum err h_research_list(struct call *c)
{
    struct list_params p;
    struct task_page page = {0};
    enum err e;

    input_list(c->rq->query, &c->problem, &p);
    e = call_checked(c);
    if (e == ERR_OK)
        e = task_list(c->w->store.state, c->account, p.sort, p.descending,
                      p.page, p.page_size, c->rq->arena, &page, &c->ec);
    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < page.count; i++)
        c->res->kick = c->res->kick || is_unfinished(&page.tasks[i]);
    render_task_list(&page, &p, NULL, &c->res->body);
    return ERR_OK;
}
