/*
 * Steps and evidence of a task: what its helper did, and the passages it
 * kept, so that another helper can continue. See task.h; called by research
 * (both ways) and web (reading).
 */
#include "store/task.h"

#include "base/date.h"
#include "store/task_sql.h"

#include <string.h>

enum { STEPS_MAX = 10000, EVIDENCE_MAX = 100000, DATA_MAX = 4 << 20 };

struct step_arg {
    const struct task_lease *lease;
    const char *kind, *data;
    const struct evidence *ev;
    size_t ev_count;
    int64_t until_ms, now_ms;
};

static enum err numbers(struct db *db, const char *id, int64_t *task,
                        int64_t *step, int64_t *evidence, struct errctx *ec)
{
    struct stmt *q = sql_with(
        db,
        "SELECT seq,"
        " (SELECT coalesce(max(n) + 1, 0) FROM task_step WHERE task = seq),"
        " (SELECT coalesce(max(n) + 1, 0) FROM evidence WHERE task = seq)"
        " FROM task WHERE id = ?1",
        as_text(id));
    enum err e = sql_one(q, ec);

    if (e == ERR_OK) {
        *task = sql_col_int(q, 0);
        *step = sql_col_int(q, 1);
        *evidence = sql_col_int(q, 2);
    }
    sql_end(q);
    return e;
}

static enum err put_step(struct db *db, const struct step_arg *s, int64_t task,
                         int64_t n, struct errctx *ec)
{
    return sql_do(db, ec,
                  "INSERT INTO task_step(task, n, at, kind,"
                  " data) VALUES(?1, ?2, ?3, ?4, ?5)",
                  as_int(task), as_int(n), as_int(s->now_ms), as_text(s->kind),
                  as_text(s->data));
}

static const char *or_empty(const char *z)
{
    return z == NULL ? "" : z;
}

static enum err put_evidence(struct db *db, const struct evidence *v,
                             int64_t task, int64_t n, int64_t step,
                             struct errctx *ec)
{
    return sql_do(
        db, ec,
        "INSERT INTO evidence(task, n, step, sub, page, passage, start,"
        " day, score, url, title, favicon, heading, text) VALUES(?1, ?2,"
        " ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        as_int(task), as_int(n), as_int(step), as_int(v->sub), as_int(v->page),
        as_int(v->passage), as_int((int64_t)v->start),
        v->day == DAY_NONE ? as_text(NULL) : as_int(v->day), as_real(v->score),
        as_text(or_empty(v->url)), as_text(or_empty(v->title)),
        as_text(or_empty(v->favicon)), as_text(or_empty(v->heading)),
        as_text(or_empty(v->text)));
}

/* A stored step is progress: attempts count only claims that bring none, so
 * that a task outlives any number of killed helpers, and one that kills its
 * helper does not go on for ever. */
static enum err forgive(struct db *db, int64_t task, struct errctx *ec)
{
    return sql_do(db, ec, "UPDATE task SET attempt = 1 WHERE seq = ?1",
                  as_int(task));
}

static enum err step_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct step_arg *s = arg;
    int64_t task = 0, step = 0, n = 0;
    enum err e = task_hold(db, s->lease, s->until_ms, ec);

    if (e == ERR_OK)
        e = numbers(db, s->lease->task.id, &task, &step, &n, ec);
    if (e == ERR_OK &&
        (step >= STEPS_MAX || n + (int64_t)s->ev_count > EVIDENCE_MAX))
        e = err_set(ec, ERR_TOO_LARGE, "too many steps or evidence");
    if (e == ERR_OK)
        e = put_step(db, s, task, step, ec);
    if (e == ERR_OK && s->lease->task.attempt > 1)
        e = forgive(db, task, ec);
    for (size_t i = 0; i < s->ev_count && e == ERR_OK; i++)
        e = put_evidence(db, &s->ev[i], task, n + (int64_t)i, step, ec);
    return e;
}

enum err task_add_step(struct db *state, const struct task_lease *l,
                       const char *kind, const char *data,
                       const struct evidence *ev, size_t ev_count,
                       int64_t lease_ms, int64_t now_ms, struct errctx *ec)
{
    struct step_arg s = {l,     kind, data, ev, ev_count, now_ms + lease_ms,
                         now_ms};

    if (strlen(data) > DATA_MAX)
        return err_set(ec, ERR_TOO_LARGE, "step longer than %d bytes",
                       DATA_MAX);
    return db_write(state, step_in, &s, ec);
}

/* --- reading ----------------------------------------------------------- */

/* The rows of q, which belong to the task; ERR_NOT_FOUND: there is no such
 * task. */
static enum err read_rows(struct db *state, struct stmt *q,
                          const struct sql_shape *shape, const char *id,
                          struct arena *a, void *out, size_t *count,
                          struct errctx *ec)
{
    enum err e = sql_rows(q, shape, EVIDENCE_MAX, a, out, count, ec);
    int64_t seq;

    if (e != ERR_OK || *count > 0)
        return e;
    e = sql_number(
        sql_with(state, "SELECT seq FROM task WHERE id = ?1", as_text(id)),
        &seq, ec);
    return e == ERR_NOT_FOUND ? err_set(ec, e, "no task with this id") : e;
}

static void read_step(struct stmt *q, struct arena *a, void *row)
{
    struct task_step *s = row;

    s->n = sql_col_int(q, 0);
    s->at_ms = sql_col_int(q, 1);
    s->kind = sql_col_text(q, 2, a);
    s->data = sql_col_text(q, 3, a);
}

static void read_evidence(struct stmt *q, struct arena *a, void *row)
{
    struct evidence *v = row;

    v->n = sql_col_int(q, 0);
    v->sub = sql_col_int(q, 1);
    v->page = sql_col_int(q, 2);
    v->passage = sql_col_int(q, 3);
    v->start = (size_t)sql_col_int(q, 4);
    v->day = sql_col_is_null(q, 5) ? DAY_NONE : (int32_t)sql_col_int(q, 5);
    v->score = sql_col_real(q, 6);
    v->url = sql_col_text(q, 7, a);
    v->title = sql_col_text(q, 8, a);
    v->favicon = sql_col_text(q, 9, a);
    v->heading = sql_col_text(q, 10, a);
    v->text = sql_col_text(q, 11, a);
}

#define OF_TASK " WHERE task = (SELECT seq FROM task WHERE id = ?1) ORDER BY n"

enum err task_steps(struct db *state, const char *id, struct arena *a,
                    struct task_step **out, size_t *count, struct errctx *ec)
{
    static const struct sql_shape shape = {sizeof **out, read_step};
    struct stmt *q = sql_with(
        state, "SELECT n, at, kind, data FROM task_step" OF_TASK, as_text(id));

    return read_rows(state, q, &shape, id, a, out, count, ec);
}

enum err task_evidence(struct db *state, const char *id, struct arena *a,
                       struct evidence **out, size_t *count, struct errctx *ec)
{
    static const struct sql_shape shape = {sizeof **out, read_evidence};
    struct stmt *q = sql_with(
        state,
        "SELECT n, sub, page, passage, start, day, score, url, title, favicon,"
        " heading, text FROM evidence" OF_TASK,
        as_text(id));

    return read_rows(state, q, &shape, id, a, out, count, ec);
}
