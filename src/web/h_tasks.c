/* Tasks of every type: a batch at once, the list, one; see handlers.h. They
 * are worked on by helpers (research/, web/task_call.c); here rows are
 * written and read. */
#include "web/handlers.h"
#include "web/render.h"

#include <string.h>

enum { BATCH_MAX = 100 };

static const struct input_word types[] = {{"search", TASK_SEARCH},
                                          {"fetch", TASK_FETCH},
                                          {"research", TASK_RESEARCH}};

/* --- a batch ----------------------------------------------------------- */

static enum err research_order(struct call *c, const struct input *in,
                               size_t max, struct task_order *o)
{
    struct research_params p;
    struct json *schema = NULL;
    struct buf echo;
    enum err e = ERR_OK;

    input_research(in, c->w->app->conf, &p, &schema);
    o->callback_url = input_callback(in);
    buf_init(&echo, max);
    if (in->problem->count == 0)
        e = input_research_echo(in, &p, &echo);
    json_free(schema);
    return buf_keep(&echo, e, c->rq->arena, &o->input);
}

static enum err search_order(struct call *c, const struct input *in, size_t max,
                             struct task_order *o)
{
    struct search_params p = {0};
    struct json *schema = NULL;

    input_search(in, c->w->app->conf, &p, &schema);
    if (input_member(in, "store") != NULL)
        input_wrong(in, "store", "must be left out: a task is kept anyway");
    json_free(schema);
    return json_print(in->object, max, c->rq->arena, &o->input);
}

static enum err fetch_order(struct call *c, const struct input *in, size_t max,
                            struct task_order *o)
{
    struct fetch_params p;

    input_fetch(in, &p);
    return json_print(in->object, max, c->rq->arena, &o->input);
}

/* One element of the batch to an order, or field errors. */
static enum err read_order(struct call *c, const struct json *v, size_t i,
                           struct task_order *o)
{
    const struct conf *conf = c->w->app->conf;
    size_t max = 8 * (size_t)conf->body_max + 4096;
    struct arena *a = c->rq->arena;
    struct input in = {v, arena_printf(a, "%zu.", i), a, &c->problem};
    struct input inner = {json_get(v, "input"),
                          arena_printf(a, "%zu.input.", i), a, &c->problem};
    int type;

    *o = (struct task_order){.open_max = conf->tasks_open_max};
    if (in.prefix == NULL || inner.prefix == NULL)
        return ERR_NOMEM;
    if (!input_enum(&in, "type", types, 3, true, false, TASK_SEARCH, &type))
        return ERR_OK;
    if (json_type_of(inner.object) != JSON_OBJECT) {
        input_wrong(&in, "input", "must be an object");
        return ERR_OK;
    }
    o->type = (enum task_type)type;
    if (o->type == TASK_RESEARCH)
        return research_order(c, &inner, max, o);
    return o->type == TASK_SEARCH ? search_order(c, &inner, max, o)
                                  : fetch_order(c, &inner, max, o);
}

static enum err tasks_open(struct call *c)
{
    response_header(c->res, "Retry-After", "10");
    c->res->kick = true; /* somebody should be working these off */
    return call_refuse(
        c, PROBLEM_TASKS_OPEN,
        arena_printf(c->rq->arena,
                     "Too many unfinished tasks: at most %lld "
                     "are allowed, and these would be more; "
                     "none was accepted.",
                     (long long)c->w->app->conf->tasks_open_max));
}

static enum err submit(struct call *c, const struct task_order *orders,
                       size_t count)
{
    struct task *tasks = arena_array(c->rq->arena, count, sizeof *tasks);
    enum err e = ERR_NOMEM;

    if (tasks != NULL)
        e = task_submit_all(c->w->store.state, c->account, orders, count,
                            clock_now_ms(), c->rq->arena, tasks, &c->ec);
    if (e != ERR_OK)
        return e == ERR_LIMIT ? tasks_open(c) : e;
    c->res->kick = true;
    render_task_array(tasks, count, &c->res->body);
    return ERR_OK;
}

enum err h_tasks_create(struct call *c)
{
    size_t count = json_count(c->body), i = 0;
    struct task_order *orders =
        arena_array(c->rq->arena, count + 1, sizeof *orders);
    enum err e = orders == NULL ? ERR_NOMEM : ERR_OK;

    if (count < 1 || count > BATCH_MAX)
        problem_add(&c->problem, "",
                    "The body must hold 1 to %d tasks; it has %zu.", BATCH_MAX,
                    count);
    else
        for (const struct json *v = json_first(c->body);
             v != NULL && e == ERR_OK; v = json_next(v), i++)
            e = read_order(c, v, i, &orders[i]);
    if (e == ERR_OK)
        e = call_checked(c);
    return e == ERR_OK ? submit(c, orders, count) : e;
}

/* --- looking ----------------------------------------------------------- */

enum err h_tasks_get(struct call *c)
{
    struct task t = {0};
    enum err e = ERR_NOT_FOUND;

    if (id_is_uuid(c->id))
        e = task_get(c->w->store.state, c->account, c->id, c->rq->arena, &t,
                     &c->ec);
    if (e == ERR_NOT_FOUND)
        return call_refuse(c, PROBLEM_TASK_NOT_FOUND, NULL);
    if (e != ERR_OK)
        return e;
    c->res->kick =
        t.state == TASK_PENDING || t.state == TASK_PROCESSING || t.sends;
    render_task(&t, &c->res->body);
    return ERR_OK;
}

enum err h_tasks_drop(struct call *c)
{
    struct task t = {0};
    enum err e = ERR_NOT_FOUND;

    if (id_is_uuid(c->id))
        e = task_drop(c->w->store.state, c->account, c->id, clock_now_ms(),
                      c->rq->arena, &t, &c->ec);
    if (e == ERR_NOT_FOUND)
        return call_refuse(c, PROBLEM_TASK_NOT_FOUND, NULL);
    if (e != ERR_OK)
        return e;
    c->res->kick = true; /* a cancelled task may have a callback to send */
    render_task(&t, &c->res->body);
    return ERR_OK;
}

enum err h_tasks_list(struct call *c)
{
    /* In the order of their enums. */
    static const char *const kinds[] = {"research", "search", "fetch"};
    static const char *const states[] = {"pending", "processing", "completed",
                                         "failed"};
    struct db *db = c->w->store.state;
    struct task_page page = {0};
    struct list_params p;
    unsigned type, state;
    struct task_quota quota = {.most = c->w->app->conf->tasks_open_max};
    enum err e;

    input_list(c->rq->query, &c->problem, &p);
    type = input_words(c->rq->query, "type", kinds, 3, &c->problem);
    state = input_words(c->rq->query, "status", states, 4, &c->problem);
    e = call_checked(c);
    if (e == ERR_OK)
        e = task_list_some(db, c->account, type, state, p.sort, p.descending,
                           p.page, p.page_size, c->rq->arena, &page, &c->ec);
    if (e == ERR_OK)
        e = task_open_count(db, c->account, &quota.open, &c->ec);
    if (e == ERR_OK)
        render_task_list(&page, &p, &quota, &c->res->body);
    return e;
}
