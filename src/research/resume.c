/* Stored steps back to a run; see resume.h. */
#include "research/resume.h"

#include <string.h>

static const struct json_limits limits = {.bytes_max = 1u << 20,
                                          .depth_max = 16};

static enum err damaged(struct errctx *ec, const struct task_step *s)
{
    return err_set(ec, ERR_MALFORMED, "stored step %lld (%s) is damaged",
                   (long long)s->n, s->kind);
}

static int64_t whole(const struct json *v, const char *name, int64_t fallback)
{
    int64_t n;

    return json_is_whole(json_get(v, name), &n) ? n : fallback;
}

static const char *kept_string(struct run *r, const struct json *v,
                               const char *name)
{
    const char *z = json_string(json_get(v, name));

    return z == NULL ? NULL : arena_strdup(&r->keep, z);
}

static enum research_mode mode_of(const char *z)
{
    if (z != NULL && strcmp(z, "answer") == 0)
        return MODE_ANSWER;
    return z != NULL && strcmp(z, "investigate") == 0 ? MODE_INVESTIGATE
                                                      : MODE_RESEARCH;
}

static bool read_plan(struct run *r, const struct json *v)
{
    const struct json *list = json_get(v, "questions"), *q;
    struct plan p;

    memset(&p, 0, sizeof p);
    p.mode = mode_of(json_string(json_get(v, "mode")));
    p.subject = kept_string(r, v, "subject");
    p.lead = (size_t)whole(v, "lead", 0);
    for (q = json_first(list); q != NULL; q = json_next(q)) {
        struct plan_sub *s = &p.subs[p.count];

        if (p.count == PLAN_SUBS_MAX)
            return false;
        s->question = kept_string(r, q, "question");
        s->title = kept_string(r, q, "title");
        s->topic = kept_string(r, q, "topic");
        if (s->question == NULL || s->title == NULL || s->topic == NULL)
            return false;
        p.count++;
    }
    if (p.count == 0 || p.subject == NULL)
        return false;
    r->plan = p;
    r->round = 1;
    for (size_t i = 0; i < p.count; i++)
        if (!run_add_query(r, i, 1, p.subs[i].question))
            return false;
    return true;
}

static bool read_search(struct run *r, const struct json *v)
{
    const char *text = json_string(json_get(v, "query"));
    int64_t sub = whole(v, "sub", -1);

    for (size_t i = 0; i < r->queue_count && text != NULL; i++) {
        struct run_query *q = &r->queue[i];

        if ((int64_t)q->sub != sub || strcmp(q->text, text) != 0)
            continue;
        q->done = true;
        q->failed = kept_string(r, v, "failed");
        if (q->failed == NULL)
            q->failed = "";
        q->again = *q->failed != '\0';
        r->news += (size_t)whole(v, "kept", 0);
        return true;
    }
    return false;
}

static bool read_gap(struct run *r, const struct json *v)
{
    const struct json *q = json_first(json_get(v, "queries"));

    r->stale = r->news == 0 ? r->stale + 1 : 0;
    r->news = 0;
    r->round++;
    r->gathered = json_string(json_get(v, "end")) != NULL;
    for (; q != NULL; q = json_next(q)) {
        const char *text = json_string(json_get(q, "query"));
        int64_t sub = whole(q, "sub", -1);

        if (text == NULL || sub < 0 || (size_t)sub >= r->plan.count ||
            !run_add_query(r, (size_t)sub, r->round, text))
            return false;
    }
    return true;
}

static enum err read_step(struct run *r, const struct task_step *s,
                          struct errctx *ec)
{
    struct json *v = NULL;
    bool ok = true;
    enum err e = json_parse(s->data, strlen(s->data), &limits, &v, ec);

    if (e == ERR_NOMEM)
        return e;
    if (e != ERR_OK)
        return damaged(ec, s);
    if (strcmp(s->kind, "plan") == 0)
        ok = read_plan(r, v);
    else if (strcmp(s->kind, "search") == 0)
        ok = read_search(r, v);
    else if (strcmp(s->kind, "gap") == 0)
        ok = read_gap(r, v);
    else if (strcmp(s->kind, "write") == 0)
        r->written = true;
    r->spent_ms += whole(v, "ms", 0);
    json_free(v);
    if (arena_failed(&r->keep))
        return ERR_NOMEM;
    return ok ? ERR_OK : damaged(ec, s);
}

enum err resume_run(struct run *r, struct errctx *ec)
{
    struct task_step *steps = NULL;
    struct evidence *ev = NULL;
    size_t count = 0, rows = 0;
    enum err e =
        task_steps(r->state, r->lease->task.id, &r->step, &steps, &count, ec);

    for (size_t i = 0; i < count && e == ERR_OK; i++)
        e = read_step(r, &steps[i], ec);
    if (e == ERR_OK)
        e = task_evidence(r->state, r->lease->task.id, &r->step, &ev, &rows,
                          ec);
    if (e == ERR_OK)
        e = run_keep_evidence(r, ev, rows);
    arena_reset(&r->step);
    return e;
}
