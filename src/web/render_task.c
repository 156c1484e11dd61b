/* Task records and their steps as JSON; see render.h. input and output are
 * stored as JSON and go out as they are; a stored step is read back and written
 * anew, so that what is stored may change without the wire. */
#include "web/render.h"

#include "json/json.h"

#include <string.h>

enum { EVENTS_RETRY_MS = 500 };

static void record(struct json_out *w, const struct task *t)
{
    jw_object(w);
    jw_kstring(w, "id", t->id);
    jw_kstring(w, "type", task_type_name(t->type));
    jw_kstring(w, "status", task_state_name(t->state));
    jw_kstamp(w, "createdAt", t->created_ms);
    jw_kstamp(w, "updatedAt", t->updated_ms);
    jw_kstring(w, "error", t->state == TASK_FAILED ? t->error : NULL);
    jw_kraw(w, "input", t->input);
    jw_kraw(w, "output",
            t->state == TASK_COMPLETED && t->output != NULL ? t->output
                                                            : "null");
    jw_object_end(w);
}

void render_task(const struct task *t, struct buf *out)
{
    struct json_out w;

    jw_init(&w, out);
    record(&w, t);
}

/* "data" and "metadata" of an object that is open. */
static void list(struct json_out *w, const struct task_page *page,
                 const struct list_params *p)
{
    jw_karray(w, "data");
    for (size_t i = 0; i < page->count; i++)
        record(w, &page->tasks[i]);
    jw_array_end(w);
    jw_kobject(w, "metadata");
    jw_kint(w, "page", p->page);
    jw_kint(w, "pageSize", p->page_size);
    jw_kint(w, "total", page->total);
    jw_kint(w, "totalPages",
            page->total / p->page_size + (page->total % p->page_size != 0));
    jw_object_end(w);
}

void render_task_list(const struct task_page *page, const struct list_params *p,
                      const struct task_quota *quota, struct buf *out)
{
    struct json_out w;

    jw_init(&w, out);
    jw_object(&w);
    list(&w, page, p);
    if (quota != NULL) {
        jw_kobject(&w, "quota");
        jw_kint(&w, "inFlight", quota->open);
        jw_kint(&w, "limit", quota->most);
        jw_object_end(&w);
    }
    jw_object_end(&w);
}

void render_task_array(const struct task *tasks, size_t count, struct buf *out)
{
    struct json_out w;

    jw_init(&w, out);
    jw_array(&w);
    for (size_t i = 0; i < count; i++)
        record(&w, &tasks[i]);
    jw_array_end(&w);
}

/* --- steps --------------------------------------------------------------- */

static const struct json_limits limits = {.bytes_max = 64u << 20,
                                          .depth_max = 512};

static void copy_int(struct json_out *w, const char *name, const struct json *v,
                     const char *from)
{
    int64_t n = 0;

    json_is_whole(json_get(v, from), &n);
    jw_kint(w, name, n);
}

static void copy_string(struct json_out *w, const char *name,
                        const struct json *v, const char *from)
{
    jw_kstring(w, name, json_string(json_get(v, from)));
}

/* The text of sub-question n of the plan, or NULL. */
static const char *question_of(const struct json *plan, int64_t n)
{
    const struct json *q = json_first(json_get(plan, "questions"));

    for (; q != NULL && n > 0; n--)
        q = json_next(q);
    return json_string(json_get(q, "question"));
}

static void write_plan(struct json_out *w, const struct json *v)
{
    const struct json *q = json_first(json_get(v, "questions"));

    copy_string(w, "mode", v, "mode");
    jw_karray(w, "subQuestions");
    for (; q != NULL; q = json_next(q))
        jw_string(w, json_string(json_get(q, "question")));
    jw_array_end(w);
}

static void write_search(struct json_out *w, const struct json *v)
{
    const struct json *pages = json_get(v, "pages");

    copy_int(w, "round", v, "round");
    copy_string(w, "subQuestion", v, "question");
    copy_string(w, "query", v, "query");
    copy_int(w, "candidates", v, "found");
    copy_int(w, "passagesKept", v, "kept");
    if (pages != NULL)
        jw_kvalue(w, "pages", pages);
    else
        jw_kraw(w, "pages", "[]");
    copy_string(w, "failed", v, "failed");
}

static void write_gap(struct json_out *w, const struct json *v,
                      const struct json *plan)
{
    const struct json *g = json_first(json_get(v, "gaps"));
    const struct json *q = json_first(json_get(v, "queries"));
    int64_t n;

    copy_int(w, "round", v, "round");
    copy_int(w, "newPassages", v, "new");
    jw_karray(w, "open");
    for (; g != NULL; g = json_next(g))
        if (json_is_whole(g, &n))
            jw_string(w, question_of(plan, n));
    jw_array_end(w);
    jw_karray(w, "nextQueries");
    for (; q != NULL; q = json_next(q))
        jw_string(w, json_string(json_get(q, "query")));
    jw_array_end(w);
    copy_string(w, "ended", v, "end");
}

static void write_report(struct json_out *w, const struct json *v)
{
    const struct json *verified = json_get(v, "verified");

    copy_int(w, "sections", v, "sections");
    copy_int(w, "sentences", v, "sentences");
    copy_int(w, "sources", v, "sources");
    copy_int(w, "notFound", v, "missing");
    if (verified != NULL)
        jw_kvalue(w, "verified", verified);
}

static void write_step(struct json_out *w, const struct task_step *s,
                       const struct json *v, const struct json *plan)
{
    jw_object(w);
    jw_kint(w, "number", s->n);
    jw_kstring(w, "type", s->kind);
    jw_kstamp(w, "at", s->at_ms);
    copy_int(w, "durationMs", v, "ms");
    if (strcmp(s->kind, "plan") == 0)
        write_plan(w, v);
    else if (strcmp(s->kind, "search") == 0)
        write_search(w, v);
    else if (strcmp(s->kind, "gap") == 0)
        write_gap(w, v, plan);
    else if (strcmp(s->kind, "write") == 0)
        write_report(w, v);
    jw_object_end(w);
}

/* Called for each step in order, with its data parsed (NULL: damaged, its
 * number and time still stand) and the plan's. */
typedef void step_writer(void *user, const struct task_step *s,
                         const struct json *v, const struct json *plan);

static void each_step(const struct steps_view *x, step_writer *write,
                      void *user)
{
    struct json *plan = NULL;

    for (size_t i = 0; i < x->count; i++) {
        const char *data = x->steps[i].data;
        struct json *v = NULL;

        if (json_parse(data, strlen(data), &limits, &v, NULL) != ERR_OK)
            v = NULL;
        write(user, &x->steps[i], v, plan);
        if (plan == NULL && strcmp(x->steps[i].kind, "plan") == 0)
            plan = v;
        else
            json_free(v);
    }
    json_free(plan);
}

static void add_step(void *user, const struct task_step *s,
                     const struct json *v, const struct json *plan)
{
    write_step(user, s, v, plan);
}

static void write_amounts(struct json_out *w, const char *name, int64_t rounds,
                          int64_t queries, int64_t pages, int64_t ms)
{
    jw_kobject(w, name);
    jw_kint(w, "rounds", rounds);
    jw_kint(w, "queries", queries);
    jw_kint(w, "pages", pages);
    jw_kint(w, "milliseconds", ms);
    jw_object_end(w);
}

static void write_callback(struct json_out *w, const struct callback *c)
{
    jw_key(w, "callback");
    if (c == NULL) {
        jw_null(w);
        return;
    }
    jw_object(w);
    jw_kstring(w, "url", c->url);
    jw_kstring(w, "status", callback_state_name(c->state));
    jw_kint(w, "tries", c->tries);
    jw_kstring(w, "error", c->error);
    if (c->state == CALLBACK_DUE)
        jw_kstamp(w, "nextAt", c->due_ms);
    jw_object_end(w);
}

/* Begins an object with it. */
static void write_progress(struct json_out *w, const struct steps_view *v)
{
    const struct progress *p = v->progress;

    jw_object(w);
    jw_kstring(w, "id", v->task->id);
    jw_kstring(w, "status", task_state_name(v->task->state));
    write_amounts(w, "budget", p->budget.rounds, p->budget.queries,
                  p->budget.pages, p->budget.time_ms);
    write_amounts(w, "spent", p->rounds, p->queries, p->pages, p->ms);
}

void render_steps(const struct steps_view *v, struct buf *out)
{
    struct json_out w;

    jw_init(&w, out);
    write_progress(&w, v);
    jw_karray(&w, "steps");
    each_step(v, add_step, &w);
    jw_array_end(&w);
    write_callback(&w, v->callback);
    jw_object_end(&w);
}

struct events {
    int64_t from;
    struct buf *out;
};

static void add_event(void *user, const struct task_step *s,
                      const struct json *v, const struct json *plan)
{
    struct events *x = user;
    struct json_out w;

    if (s->n < x->from)
        return;
    buf_addf(x->out, "id: %lld\nevent: step\ndata: ", (long long)s->n);
    jw_init(&w, x->out);
    write_step(&w, s, v, plan);
    buf_adds(x->out, "\n\n");
}

void render_events(const struct steps_view *v, int64_t from, struct buf *out)
{
    enum task_state state = v->task->state;
    struct events x = {from, out};
    struct json_out w;

    buf_addf(out, "retry: %d\n\n", EVENTS_RETRY_MS);
    each_step(v, add_event, &x);
    buf_adds(out, "event: progress\ndata: ");
    jw_init(&w, out);
    write_progress(&w, v);
    jw_object_end(&w);
    buf_adds(out, "\n\n");
    if (state != TASK_PENDING && state != TASK_PROCESSING)
        buf_addf(out, "event: end\ndata: {\"id\":\"%s\",\"status\":\"%s\"}\n\n",
                 v->task->id, task_state_name(state));
}
