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
    struct stmt *q = sql_get(
        db, "SELECT seq,"
            " (SELECT coalesce(max(n) + 1, 0) FROM task_step WHERE task = seq),"
            " (SELECT coalesce(max(n) + 1, 0) FROM evidence WHERE task = seq)"
            " FROM task WHERE id = ?1");
    enum err e;

    sql_text(q, 1, id);
    e = sql_one(q, ec);
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
    struct stmt *q = sql_get(db, "INSERT INTO task_step(task, n, at, kind,"
                                 " data) VALUES(?1, ?2, ?3, ?4, ?5)");

    sql_int(q, 1, task);
    sql_int(q, 2, n);
    sql_int(q, 3, s->now_ms);
    sql_text(q, 4, s->kind);
    sql_text(q, 5, s->data);
    return sql_run(q, ec);
}

static const char *or_empty(const char *z)
{
    return z == NULL ? "" : z;
}

static enum err put_evidence(struct db *db, const struct evidence *v,
                             int64_t task, int64_t n, int64_t step,
                             struct errctx *ec)
{
    struct stmt *q = sql_get(
        db, "INSERT INTO evidence(task, n, step, sub, page, passage, start,"
            " day, score, url, title, favicon, heading, text) VALUES(?1, ?2,"
            " ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)");

    sql_int(q, 1, task);
    sql_int(q, 2, n);
    sql_int(q, 3, step);
    sql_int(q, 4, v->sub);
    sql_int(q, 5, v->page);
    sql_int(q, 6, v->passage);
    sql_int(q, 7, (int64_t)v->start);
    if (v->day == DAY_NONE)
        sql_text(q, 8, NULL);
    else
        sql_int(q, 8, v->day);
    sql_real(q, 9, v->score);
    sql_text(q, 10, or_empty(v->url));
    sql_text(q, 11, or_empty(v->title));
    sql_text(q, 12, or_empty(v->favicon));
    sql_text(q, 13, or_empty(v->heading));
    sql_text(q, 14, or_empty(v->text));
    return sql_run(q, ec);
}

/* A stored step is progress: attempts count only claims that bring none, so
 * that a task outlives any number of killed helpers, and one that kills its
 * helper does not go on for ever. */
static enum err forgive(struct db *db, int64_t task, struct errctx *ec)
{
    struct stmt *q = sql_get(db, "UPDATE task SET attempt = 1 WHERE seq = ?1");

    sql_int(q, 1, task);
    return sql_run(q, ec);
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

/* Rows that belong to a task, in order: how to count and read them. */
struct rows {
    const char *count, *select; /* SQL; ?1 is the task's id */
    size_t size;                /* bytes of a row in memory */
    void (*read)(struct stmt *q, struct arena *a, void *row);
};

static enum err count_of(struct db *db, const char *sql, const char *id,
                         size_t *n, struct errctx *ec)
{
    struct stmt *q = sql_get(db, sql);
    enum err e;

    sql_text(q, 1, id);
    e = sql_one(q, ec);
    if (e == ERR_OK)
        *n = (size_t)sql_col_int(q, 0);
    else if (e == ERR_NOT_FOUND)
        err_set(ec, e, "no task with this id");
    sql_end(q);
    return e;
}

/* Inside one snapshot, so that there are as many as were counted. */
static enum err read_list(struct db *db, const struct rows *r, const char *id,
                          struct arena *a, void **out, size_t *count,
                          struct errctx *ec)
{
    struct stmt *q;
    char *list;
    size_t max = 0, n = 0;
    bool row = true;
    enum err e = count_of(db, r->count, id, &max, ec);

    if (e != ERR_OK)
        return e;
    list = arena_array(a, max, r->size);
    q = sql_get(db, r->select);
    sql_text(q, 1, id);
    for (; list != NULL && n < max; n++) {
        e = sql_step(q, &row, ec);
        if (e != ERR_OK || !row)
            break;
        r->read(q, a, list + n * r->size);
    }
    sql_end(q);
    if (e == ERR_OK && arena_failed(a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    *out = list;
    *count = n;
    return e;
}

static enum err read_rows(struct db *state, const struct rows *r,
                          const char *id, struct arena *a, void **out,
                          size_t *count, struct errctx *ec)
{
    enum err e = db_read_begin(state, ec);

    if (e != ERR_OK)
        return e;
    e = read_list(state, r, id, a, out, count, ec);
    db_read_end(state);
    return e;
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
#define COUNT(table)                                                           \
    "SELECT (SELECT count(*) FROM " table " WHERE task = seq)"                 \
    " FROM task WHERE id = ?1"

static const struct rows steps = {
    COUNT("task_step"), "SELECT n, at, kind, data FROM task_step" OF_TASK,
    sizeof(struct task_step), read_step};

static const struct rows evidences = {
    COUNT("evidence"),
    "SELECT n, sub, page, passage, start, day, score, url, title, favicon,"
    " heading, text FROM evidence" OF_TASK,
    sizeof(struct evidence), read_evidence};

enum err task_steps(struct db *state, const char *id, struct arena *a,
                    struct task_step **out, size_t *count, struct errctx *ec)
{
    void *list = NULL;
    size_t n = 0;
    enum err e = read_rows(state, &steps, id, a, &list, &n, ec);

    if (e != ERR_OK)
        return e;
    *out = list;
    *count = n;
    return ERR_OK;
}

enum err task_evidence(struct db *state, const char *id, struct arena *a,
                       struct evidence **out, size_t *count, struct errctx *ec)
{
    void *list = NULL;
    size_t n = 0;
    enum err e = read_rows(state, &evidences, id, a, &list, &n, ec);

    if (e != ERR_OK)
        return e;
    *out = list;
    *count = n;
    return ERR_OK;
}
