/* Research tasks: create, get, list; see handlers.h. The work itself is done
 * by a helper; here a row is written or read. */
#include "web/handlers.h"
#include "web/input_list.h"
#include "web/input_research.h"
#include "web/problem.h"
#include "web/render_task.h"

static bool is_unfinished(const struct task *t)
{
    return t->state == TASK_PENDING || t->state == TASK_PROCESSING;
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

static void create(struct call *c, const char *input)
{
    const struct conf *conf = c->w->app->conf;
    struct task t = {0};
    struct errctx ec = {0};
    enum err e =
        task_create(c->w->store.state, c->account, input, conf->tasks_open_max,
                    clock_now_ms(), c->rq->arena, &t, &ec);

    if (e == ERR_LIMIT) {
        tasks_open(c);
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
                            const struct research_params *p)
{
    struct buf echo;
    enum err e;

    buf_init(&echo, 8 * (size_t)c->w->app->conf->body_max + 4096);
    e = input_research_echo(in, p, &echo);
    if (e == ERR_OK)
        create(c, echo.data);
    else
        problem_write_err(c->res, c->rq, e, NULL);
    buf_fini(&echo);
}

void h_research_create(struct call *c)
{
    struct problem problem;
    struct input in = {c->body, "", c->rq->arena, &problem};
    struct research_params p;
    struct json *schema = NULL;

    problem_init(&problem, c->rq->arena);
    input_research(&in, c->w->app->conf, &p, &schema);
    if (problem.count > 0)
        problem_write_fields(c->res, &problem);
    else
        echo_and_create(c, &in, &p);
    json_free(schema);
}

static void not_found(struct call *c)
{
    problem_write(c->res, PROBLEM_TASK_NOT_FOUND,
                  arena_printf(c->rq->arena, "Task %.64s not found.", c->id),
                  NULL);
}

void h_research_get(struct call *c)
{
    struct task t = {0};
    struct errctx ec = {0};
    enum err e = ERR_NOT_FOUND;

    /* What is no id of ours is not looked up, nor repeated to the caller. */
    if (!id_is_uuid(c->id)) {
        problem_write(c->res, PROBLEM_TASK_NOT_FOUND, NULL, NULL);
        return;
    }
    e = task_get(c->w->store.state, c->account, c->id, c->rq->arena, &t, &ec);
    if (e == ERR_NOT_FOUND) {
        not_found(c);
        return;
    }
    if (e != ERR_OK) {
        problem_write_err(c->res, c->rq, e, &ec);
        return;
    }
    c->res->status = 200;
    c->res->kick = is_unfinished(&t);
    render_task(&t, &c->res->body);
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
