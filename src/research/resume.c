/* Stored steps back to a run; see resume.h. */
#include "research/resume.h"

#include <stdlib.h>
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

/* A list of strings in the run's memory; *count behind max is max + 1. */
static size_t kept_strings(struct run *r, const struct json *list,
                           const char **out, size_t max)
{
    size_t n = 0;

    for (const struct json *v = json_first(list); v != NULL && n <= max;
         v = json_next(v), n++) {
        const char *z = json_string(v);

        if (n < max)
            out[n] = arena_strdup(&r->keep, z == NULL ? "" : z);
    }
    return n;
}

static bool read_about(struct run *r, const struct json *list)
{
    struct about x;

    memset(&x, 0, sizeof x);
    for (const struct json *v = json_first(list); v != NULL; v = json_next(v)) {
        struct about_name *n = &x.names[x.count++];

        n->term = kept_string(r, v, "name");
        n->word = kept_string(r, v, "word");
        n->host_count =
            kept_strings(r, json_get(v, "hosts"), n->hosts, ABOUT_HOSTS_MAX);
        n->is_aside = json_bool(json_get(v, "aside"));
        if (n->term == NULL || n->host_count > ABOUT_HOSTS_MAX ||
            (x.count == ABOUT_NAMES_MAX && json_next(v) != NULL))
            return false;
    }
    r->about = x;
    return true;
}

static bool read_plan(struct run *r, const struct json *v)
{
    const struct json *list = json_get(v, "questions"), *q;
    struct plan p;

    memset(&p, 0, sizeof p);
    p.mode = mode_of(json_string(json_get(v, "mode")));
    p.title = kept_string(r, v, "title");
    p.title = p.title == NULL ? "" : p.title;
    p.side_count =
        kept_strings(r, json_get(v, "sides"), p.sides, PLAN_SIDES_MAX);
    p.is_named = json_bool(json_get(v, "named"));
    for (q = json_first(list); q != NULL; q = json_next(q)) {
        struct plan_sub *s = &p.subs[p.count];
        int64_t side = whole(q, "side", PLAN_SIDES_MAX);

        if (p.count == PLAN_SUBS_MAX || side < 0)
            return false;
        s->question = kept_string(r, q, "question");
        s->title = kept_string(r, q, "title");
        s->context = kept_string(r, q, "context");
        s->own = kept_string(r, q, "own");
        s->side = (size_t)side;
        if (s->question == NULL || s->title == NULL || s->context == NULL)
            return false;
        s->own = s->own == NULL ? s->question : s->own;
        p.count++;
    }
    if (p.count == 0 || p.side_count > PLAN_SIDES_MAX ||
        !read_about(r, json_get(v, "about")))
        return false;
    r->plan = p;
    r->round = 1;
    for (size_t i = 0; i < p.count; i++)
        if (!run_add_query(r, i, 1, p.subs[i].question))
            return false;
    return true;
}

/* As steps.c writes it; rows are looked at when the evidence is read. */
static bool read_unit(struct run *r, size_t sub, const char *z)
{
    struct run_block blocks[RUN_BLOCKS_MAX];
    struct run_unit u = {.sub = sub, .blocks = blocks};
    char *end;

    u.standing = (double)strtoll(z, &end, 10) / RUN_SCORES;
    for (; *end == '!' && u.leads < 3; end++)
        u.leads++;
    u.answers = *end == '+';
    end += u.answers;
    for (z = end; *z == ' '; z = end) {
        struct run_block *b = &blocks[u.count];
        bool with = z[1] == '~';

        if (u.count++ == RUN_BLOCKS_MAX)
            return false;
        u.behind += with && u.ahead + 1 < u.count;
        u.ahead += with && u.ahead + 1 == u.count;
        b->row = strtoul(z + 1 + with, &end, 10);
        b->start = *end == ':' ? strtoul(end + 1, &end, 10) : 0;
        b->len = *end == ':' ? strtoul(end + 1, &end, 10) : 0;
        if (*end != ':' || end[1] == '\0')
            return false;
        b->kind = end[1];
        end += 2;
        b->number = ascii_is_digit(*end) ? strtoul(end, &end, 10) : 0;
    }
    return *z == '\0' && u.count > u.ahead + u.behind &&
           run_keep_unit(r, &u) == ERR_OK;
}

static bool read_units(struct run *r, size_t sub, const struct json *list)
{
    for (const struct json *v = json_first(list); v != NULL; v = json_next(v)) {
        const char *z = json_string(v);

        if (z == NULL || !read_unit(r, sub, z))
            return false;
    }
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
        return read_units(r, q->sub, json_get(v, "units"));
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

/* Does every block lie within its row? */
static bool units_hold(const struct run *r)
{
    for (size_t i = 0; i < r->unit_count; i++)
        for (size_t k = 0; k < r->units[i].count; k++) {
            const struct run_block *b = &r->units[i].blocks[k];
            size_t n = b->row < r->evidence_count
                           ? strlen(r->evidence[b->row].text)
                           : 0;

            if (b->start > n || b->len > n - b->start || b->len == 0)
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
    if (e == ERR_OK && !units_hold(r))
        e = err_set(ec, ERR_MALFORMED, "a stored unit lies outside its page");
    arena_reset(&r->step);
    return e;
}
