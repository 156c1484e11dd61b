/* What the steps of a run share; see run.h. */
#include "research/run.h"

#include "base/clock.h"
#include "base/log.h"

#include <string.h>

enum { WRITE_PERCENT = 15 }; /* of the time, for a model */

enum err run_add_step(struct run *r, const char *kind, const char *data,
                      const struct evidence *ev, size_t count,
                      struct errctx *ec)
{
    log_debug(r->lease->task.id, "step %s, %zu passages", kind, count);
    return task_add_step(r->state, r->lease, kind, data, ev, count,
                         r->env->conf->lease_ms, clock_now_ms(), ec);
}

static const char *kept(struct run *r, const char *z)
{
    return arena_strdup(&r->keep, z == NULL ? "" : z);
}

enum err run_keep_evidence(struct run *r, const struct evidence *ev,
                           size_t count)
{
    if (!arena_grow(&r->keep, &r->evidence, r->evidence_count, count,
                    &r->evidence_size, sizeof *r->evidence))
        return ERR_NOMEM;
    for (size_t i = 0; i < count; i++) {
        struct evidence *x = &r->evidence[r->evidence_count];

        *x = ev[i];
        x->n = (int64_t)r->evidence_count;
        x->url = kept(r, ev[i].url);
        x->title = kept(r, ev[i].title);
        x->favicon = kept(r, ev[i].favicon);
        x->heading = kept(r, ev[i].heading);
        x->text = kept(r, ev[i].text);
        if (arena_failed(&r->keep))
            return ERR_NOMEM;
        r->evidence_count++;
    }
    return ERR_OK;
}

enum err run_keep_unit(struct run *r, const struct run_unit *u)
{
    struct run_block *blocks =
        arena_array(&r->keep, u->count + 1, sizeof *blocks);

    if (blocks == NULL || !arena_grow(&r->keep, &r->units, r->unit_count, 1,
                                      &r->unit_size, sizeof *r->units))
        return ERR_NOMEM;
    memcpy(blocks, u->blocks, u->count * sizeof *blocks);
    r->units[r->unit_count] = *u;
    r->units[r->unit_count++].blocks = blocks;
    return ERR_OK;
}

enum err run_check_stop(const struct run *r, struct errctx *ec)
{
    if (r->stop != NULL && atomic_load(r->stop))
        return err_set(ec, ERR_BUSY, "the helper was asked to leave");
    return ERR_OK;
}

static bool is_last_try(const struct run *r)
{
    return r->lease->task.faults + 1 >= r->env->conf->attempts_max;
}

enum err run_make_do(const struct run *r, const char *failed, struct errctx *ec)
{
    return *failed == '\0' || is_last_try(r) ? ERR_OK
                                             : run_tell_failed(failed, ec);
}

enum err run_tell_failed(const char *failed, struct errctx *ec)
{
    const char *why = strstr(failed, ": ");
    int name = why == NULL ? 0 : (int)(why - failed);

    return why == NULL
               ? err_set(ec, ERR_UPSTREAM, "%s", failed)
               : err_set(ec, ERR_UPSTREAM, "the provider %.*s did not answer%s",
                         name, failed, why);
}

const char *run_failed(const struct run *r)
{
    for (size_t i = 0; i < r->queue_count; i++)
        if (*r->queue[i].failed != '\0')
            return r->queue[i].failed;
    return r->failed == NULL ? "" : r->failed;
}

bool run_has_query(const struct run *r, size_t sub, const char *text)
{
    for (size_t i = 0; i < r->queue_count; i++)
        if (r->queue[i].sub == sub && strcmp(r->queue[i].text, text) == 0)
            return true;
    return false;
}

bool run_add_query(struct run *r, size_t sub, int round, const char *text)
{
    struct run_query *q = &r->queue[r->queue_count];

    if (r->queue_count == RUN_QUERIES_MAX || run_has_query(r, sub, text))
        return false;
    memset(q, 0, sizeof *q);
    q->sub = sub;
    q->round = round;
    q->text = arena_strdup(&r->keep, text);
    q->failed = "";
    if (q->text == NULL)
        return false;
    r->queue_count++;
    return true;
}

bool run_has_page(const struct run *r, int64_t sub, const char *url)
{
    for (size_t i = 0; i < r->evidence_count; i++)
        if ((sub < 0 || r->evidence[i].sub == sub) &&
            strcmp(r->evidence[i].url, url) == 0)
            return true;
    return false;
}

static bool seen_before(const struct run *r, int64_t sub, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if ((sub < 0 || r->evidence[j].sub == sub) &&
            strcmp(r->evidence[j].url, r->evidence[i].url) == 0)
            return true;
    return false;
}

size_t run_pages(const struct run *r, int64_t sub)
{
    size_t n = 0;

    for (size_t i = 0; i < r->evidence_count; i++)
        if ((sub < 0 || r->evidence[i].sub == sub) && !seen_before(r, sub, i))
            n++;
    return n;
}

size_t run_passages(const struct run *r, size_t sub)
{
    size_t n = 0;

    for (size_t i = 0; i < r->evidence_count; i++)
        n += r->evidence[i].sub == (int64_t)sub;
    return n;
}

size_t run_share(const struct run *r, int all)
{
    size_t share = (size_t)all / r->plan.count;

    return share > 2 ? share : all > 0 ? 2 : 0;
}

int64_t run_time_to_write(const struct run *r)
{
    int64_t left = r->budget.time_ms - r->spent_ms;
    int64_t least = r->budget.time_ms * WRITE_PERCENT / 100;

    return left > least ? left : least;
}
