/*
 * A task from claim to end; see research.h. Decides what an error means for
 * the task: given back for a passing fault, failed with a message for a
 * lasting one, left alone when the lease is lost.
 */
#include "research/research.h"

#include "base/clock.h"
#include "base/log.h"
#include "research/gather.h"
#include "research/input.h"
#include "research/resume.h"
#include "research/run.h"
#include "research/write.h"

#include <stdlib.h>
#include <string.h>

enum { STEP_BYTES_MAX = 16 << 10 };

/* --- setting up -------------------------------------------------------- */

/* Entries that both the request and the guidance block allow: of each pair
 * in which one lies within the other, the narrower one. */
static bool rule_within(const struct domain_rule *a,
                        const struct domain_rule *b)
{
    size_t n = strlen(b->path);

    return host_within(a->host, b->host) && strncmp(a->path, b->path, n) == 0 &&
           (a->path[n] == '\0' || a->path[n] == '/' || n == 0);
}

static enum err rules_both(const struct domain_rules *a,
                           const struct domain_rules *b, struct arena *arena,
                           struct domain_rules *out, struct errctx *ec)
{
    struct domain_rule *v =
        arena_array(arena, a->count * b->count + 1, sizeof *v);
    size_t n = 0;

    if (v == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) {
            if (rule_within(&a->rules[i], &b->rules[j]))
                v[n++] = a->rules[i];
            else if (rule_within(&b->rules[j], &a->rules[i]))
                v[n++] = b->rules[j];
        }
    if (n == 0)
        return err_set(ec, ERR_NO_RESULT,
                       "includeDomains and the guidance in the question have "
                       "no domain in common");
    out->rules = v;
    out->count = n;
    return ERR_OK;
}

static enum err set_filter(struct run *r, struct errctx *ec)
{
    const struct search_params *p = &r->params->search;
    const struct domain_rules *only = &r->query.restricted;
    enum err e = ERR_OK;

    if (p->include.count > 0 && only->count > 0)
        e = rules_both(&p->include, only, &r->keep, &r->include, ec);
    else
        r->include = p->include.count > 0 ? p->include : *only;
    r->filter.include = &r->include;
    r->filter.exclude = &p->exclude;
    r->filter.day_from = p->from_day;
    r->filter.day_to = p->to_day;
    return e;
}

static enum err set_up(struct run *r, struct errctx *ec)
{
    enum err e = query_parse(r->params->search.q, &r->keep, &r->query);

    r->budget = research_budget_of(r->params->reasoning);
    r->request = r->query.text;
    if (e == ERR_OK)
        e = plan_wishes_drop(&r->query);
    if (e == ERR_OK)
        e = set_filter(r, ec);
    if (e == ERR_OK)
        e = resume_run(r, ec);
    return e;
}

/* --- the end ----------------------------------------------------------- */

static void verified_write(struct json_out *w, const struct verify_tally *v)
{
    jw_key(w, "verified");
    jw_object(w);
    jw_kint(w, "held", (int64_t)v->held);
    jw_kint(w, "moved", (int64_t)v->moved);
    jw_kint(w, "dropped", (int64_t)v->dropped);
    if (v->why != NULL)
        jw_kstring(w, "why", v->why);
    jw_object_end(w);
}

static enum err write_step(struct run *r, const struct report *rep,
                           int64_t since, struct errctx *ec)
{
    struct buf b;
    struct json_out w;
    enum err e;

    if (r->written)
        return ERR_OK;
    buf_init(&b, STEP_BYTES_MAX);
    jw_init(&w, &b);
    jw_object(&w);
    jw_kint(&w, "sections", (int64_t)rep->sections);
    jw_kint(&w, "sentences", (int64_t)rep->sentences);
    jw_kint(&w, "sources", (int64_t)rep->sources);
    jw_kint(&w, "missing", (int64_t)rep->missing);
    if (r->params->search.output == OUTPUT_SOURCED)
        verified_write(&w, &rep->verified);
    jw_kint(&w, "ms", clock_mono_ms() - since);
    jw_object_end(&w);
    e = buf_err(&b);
    if (e == ERR_OK)
        e = run_add_step(r, "write", buf_str(&b), NULL, 0, ec);
    buf_fini(&b);
    r->written = e == ERR_OK;
    return e;
}

/* Was what could be written all there is? Not while somebody who was asked did
 * not answer: then nothing is said to be missing, as long as the task may be
 * tried again. */
static enum err weigh(const struct run *r, enum err e, const struct report *rep,
                      struct errctx *ec)
{
    const char *failed = run_failed(r);

    if (e == ERR_NO_RESULT && *failed != '\0')
        return run_tell_failed(failed, ec);
    if (e == ERR_OK && rep->missing > 0 && !r->written)
        return run_make_do(r, failed, ec);
    return e;
}

static enum err finish(struct run *r, struct errctx *ec)
{
    int64_t since = clock_mono_ms();
    struct report rep;
    enum err e;

    arena_reset(&r->step);
    e = r->params->search.output == OUTPUT_STRUCTURED
            ? write_structured(r, &r->step, &rep, ec)
            : write_report(r, &r->step, &rep, ec);
    e = weigh(r, e, &rep, ec);
    if (e == ERR_OK)
        e = write_step(r, &rep, since, ec);
    if (e == ERR_OK)
        e = run_check_stop(r, ec);
    if (e == ERR_OK)
        e = task_finish(r->state, r->lease, rep.output, clock_now_ms(), ec);
    if (e == ERR_OK)
        log_info(r->lease->task.id,
                 "completed: %zu passages of %zu pages, %zu sources",
                 r->evidence_count, run_pages(r, -1), rep.sources);
    return e;
}

static enum err work(struct run *r, struct errctx *ec)
{
    enum err e = set_up(r, ec);

    if (e == ERR_OK)
        e = run_check_stop(r, ec);
    if (e == ERR_OK)
        e = gather_plan(r, ec);
    if (e == ERR_OK)
        e = gather_run(r, ec);
    if (e == ERR_OK)
        e = finish(r, ec);
    return e;
}

/* --- what an error means ----------------------------------------------- */

/* Will it pass by itself? */
static bool is_passing(enum err e)
{
    return e == ERR_BUSY || e == ERR_TIMEOUT || e == ERR_UPSTREAM ||
           e == ERR_NOMEM || err_is_storage(e);
}

static const char *message_for(enum err e, const struct errctx *ec,
                               const struct run *r, struct arena *a)
{
    const char *why = err_words(e, ec);

    if (e != ERR_NO_RESULT)
        return arena_strndup(a, why, strlen(why));
    return arena_printf(
        a,
        "nothing was found that answers the question (%zu passages of %zu "
        "pages were read: %s); add pages to the index, configure a provider, "
        "or widen the domain and date filters",
        r->evidence_count, run_pages(r, -1), why);
}

/* What the caller reads: not our tables, statements and paths, which the
 * log has. */
static const char *told_of(enum err e, const char *message)
{
    return err_is_storage(e) || e == ERR_INTERNAL
               ? "a fault of the service itself; its log says more"
               : message;
}

static struct task_terms terms_of(const struct conf *c)
{
    return (struct task_terms){c->lease_ms, c->attempts_max, c->patience_ms};
}

/* The task's record tells how it ended; e itself is returned. */
static enum err settle(struct run *r, enum err e, struct errctx *ec)
{
    struct errctx own = {ERR_OK, ""};
    const char *z = message_for(e, ec, r, &r->keep);
    const char *id = r->lease->task.id;
    enum err told;

    if (z == NULL)
        z = err_name(e);
    if (e == ERR_BUSY && r->stop != NULL && atomic_load(r->stop)) {
        log_info(id, "put back: %s", z);
        told = task_put_back(r->state, r->lease, &own);
    } else if (is_passing(e)) {
        struct task_terms t = terms_of(r->env->conf);

        log_warn(id, "given back: %s", z);
        told = task_release(r->state, r->lease, told_of(e, z), &t,
                            clock_now_ms(), &own);
    } else {
        log_warn(id, "failed: %s", z);
        told =
            task_fail(r->state, r->lease, told_of(e, z), clock_now_ms(), &own);
    }
    if (told == ERR_LEASE_LOST)
        return told;
    if (told != ERR_OK) /* the lease will run out and another goes on */
        log_error(id, "cannot tell the end: %s", own.msg);
    return e;
}

enum err research_run(const struct search_env *env, struct db *state,
                      const struct task_lease *lease, const atomic_bool *stop,
                      struct errctx *ec)
{
    struct errctx own = {ERR_OK, ""};
    struct research_params params;
    struct json *schema = NULL;
    struct run *r = calloc(1, sizeof *r);
    enum err e;

    if (r == NULL) {
        struct task_terms t = terms_of(env->conf);

        e = task_release(state, lease, "out of memory", &t, clock_now_ms(), ec);
        return e != ERR_OK ? e : err_set(ec, ERR_NOMEM, "out of memory");
    }
    arena_init(&r->keep, RUN_KEEP_MAX);
    arena_init(&r->step, RUN_STEP_MAX);
    r->env = env;
    r->state = state;
    r->lease = lease;
    r->stop = stop;
    r->params = &params;
    e = research_input_parse(lease->task.input, &r->keep, &params, &schema,
                             &own);
    if (e == ERR_OK)
        e = work(r, &own);
    if (e == ERR_LEASE_LOST)
        log_warn(lease->task.id, "the lease went to another helper");
    else if (e != ERR_OK)
        e = settle(r, e, &own);
    if (e != ERR_OK)
        err_set(ec, e, "%s", own.msg);
    json_free(schema);
    arena_fini(&r->step);
    arena_fini(&r->keep);
    free(r);
    return e;
}
