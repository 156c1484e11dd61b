/*
 * The life of a task: held under a lease, ended once. Each call is one atomic
 * batch. How it comes in is in task_submit.c, how a helper takes it in
 * task_claim.c, what that notes meanwhile in task_step.c, the list in
 * task_list.c. Called by web (get, drop) and prog (the rest).
 */
#include "store/task.h"

#include "base/str.h"
#include "store/task_sql.h"

#include <stdio.h>
#include <string.h>

enum { MESSAGE_MAX = 2000 };
enum { WAITING_MAX = 1000, LEASED_MAX = 10000 };
enum {
    BACKOFF_MS = 2000
}; /* after a task's first fault; then 4 times as
      long */

const char *task_state_name(enum task_state s)
{
    static const char *const names[] = {"pending", "processing", "completed",
                                        "failed"};

    return (unsigned)s < 4 ? names[s] : "unknown";
}

const char *task_type_name(enum task_type t)
{
    static const char *const names[] = {"research", "search", "fetch"};

    return (unsigned)t < 3 ? names[t] : "unknown";
}

const struct sql_shape task_shape = {sizeof(struct task), task_read_row};

void task_read_row(struct stmt *q, struct arena *a, void *element)
{
    struct task *out = element;
    const char *id = sql_col_text(q, 0, a);

    snprintf(out->id, sizeof out->id, "%s", id == NULL ? "" : id);
    out->account = sql_col_int(q, 1);
    out->state = (enum task_state)sql_col_int(q, 2);
    out->attempt = (int)sql_col_int(q, 3);
    out->created_ms = sql_col_int(q, 4);
    out->updated_ms = sql_col_int(q, 5);
    out->input = sql_col_text(q, 6, a);
    out->output = sql_col_text(q, 7, a);
    out->error = sql_col_text(q, 8, a);
    out->sends = sql_col_int(q, 9) != 0;
    out->type = (enum task_type)sql_col_int(q, 10);
    out->faults = (int)sql_col_int(q, 11);
}

/* --- get --------------------------------------------------------------- */

enum err task_get(struct db *state, int64_t account, const char *id,
                  struct arena *a, struct task *out, struct errctx *ec)
{
    enum err e = sql_row(sql_with(state,
                                  "SELECT " TASK_COLUMNS " FROM task"
                                  " WHERE id = lower(?1)"
                                  " AND (?2 = 0 OR account = ?2)",
                                  as_text(id), as_int(account)),
                         &task_shape, a, out, ec);

    return e == ERR_NOT_FOUND ? err_set(ec, e, "no task with this id") : e;
}

/* --- hold, end --------------------------------------------------------- */

static enum err lost(const struct task_lease *l, struct errctx *ec)
{
    return err_set(ec, ERR_LEASE_LOST, "task %s has another owner", l->task.id);
}

enum err task_hold(struct db *db, const struct task_lease *l, int64_t until_ms,
                   struct errctx *ec)
{
    enum err e =
        sql_do(db, ec,
               "UPDATE task SET lease_until = ?3"
               " WHERE id = ?1 AND token = ?2"
               " AND state = 1 AND lease_until > 0",
               as_text(l->task.id), as_text(l->token), as_int(until_ms));

    if (e == ERR_OK && sql_changes(db) == 0)
        e = lost(l, ec);
    return e;
}

struct end_arg {
    const struct task_lease *lease;
    enum task_state state;
    const char *output, *error;
    size_t error_len;
    int64_t now_ms; /* or the new end of the lease */
};

static enum err beat_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct end_arg *b = arg;

    return task_hold(db, b->lease, b->now_ms, ec);
}

enum err task_beat(struct db *state, const struct task_lease *l,
                   int64_t lease_ms, int64_t now_ms, struct errctx *ec)
{
    struct end_arg b = {.lease = l, .now_ms = now_ms + lease_ms};

    return db_write(state, beat_in, &b, ec);
}

static enum err end_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct end_arg *x = arg;
    enum err e = sql_do(
        db, ec,
        "UPDATE task SET state = ?3, output = ?4, error = ?5,"
        " updated = ?6, lease_until = 0"
        " WHERE id = ?1 AND token = ?2 AND state = 1 AND lease_until > 0",
        as_text(x->lease->task.id), as_text(x->lease->token), as_int(x->state),
        as_text(x->output), as_bytes(x->error, x->error_len),
        as_int(x->now_ms));

    if (e != ERR_OK)
        return e;
    if (sql_changes(db) == 0)
        return lost(x->lease, ec);
    e = task_count_ended(db, x->lease->task.account, ec);
    return e == ERR_OK ? callback_arm(db, x->lease->task.id, x->now_ms, ec) : e;
}

enum err task_finish(struct db *state, const struct task_lease *l,
                     const char *output, int64_t now_ms, struct errctx *ec)
{
    struct end_arg x = {.lease = l,
                        .state = TASK_COMPLETED,
                        .output = output,
                        .now_ms = now_ms};

    if (strlen(output) > TASK_TEXT_MAX)
        return err_set(ec, ERR_TOO_LARGE, "output longer than %d bytes",
                       TASK_TEXT_MAX);
    return db_write(state, end_in, &x, ec);
}

/* Messages are for people: cut, not refused. */
static size_t message_len(const char *z)
{
    return z == NULL ? 0 : utf8_cut(z, strlen(z), MESSAGE_MAX);
}

enum err task_fail(struct db *state, const struct task_lease *l,
                   const char *error, int64_t now_ms, struct errctx *ec)
{
    struct end_arg x = {.lease = l,
                        .state = TASK_FAILED,
                        .error = error,
                        .error_len = message_len(error),
                        .now_ms = now_ms};

    return db_write(state, end_in, &x, ec);
}

struct release_arg {
    const struct task_lease *lease;
    const struct task_terms *terms;
    const char *error;
    size_t error_len;
    int64_t now_ms;
    bool over; /* the task has failed */
};

/* Its time is over when it was tried often enough and for long enough. */
#define IS_OVER "faults + 1 >= ?5 AND ?4 - updated >= ?6"

#define RELEASE_SQL                                                            \
    "UPDATE task SET"                                                          \
    " state = CASE WHEN " IS_OVER " THEN 3 ELSE 1 END,"                        \
    " error = CASE WHEN " IS_OVER " THEN 'gave up after ' ||"                  \
    "  (attempt + faults) || CASE attempt + faults WHEN 1 THEN ' attempt: '"   \
    "  ELSE ' attempts: ' END || ?3 END,"                                      \
    " updated = CASE WHEN " IS_OVER " THEN ?4 ELSE updated END,"               \
    " lease_until = CASE WHEN " IS_OVER " THEN 0"                              \
    "  ELSE ?7 END,"                                                           \
    " token = NULL, attempt = attempt - 1, faults = faults + 1,"               \
    " last_error = ?3"                                                         \
    " WHERE id = ?1 AND token = ?2 AND state = 1 AND lease_until > 0"          \
    " RETURNING state"

/* When a task that was given back so often before is due again. */
static int64_t due_again(const struct release_arg *x)
{
    int faults = x->lease->task.faults;
    int64_t back = (int64_t)BACKOFF_MS << 2 * (faults < 8 ? faults : 8);
    int64_t most = TASK_LEASES_MAX * x->terms->lease_ms;

    return x->now_ms + (back < most ? back : most);
}

static enum err release_row(struct db *db, struct release_arg *x,
                            struct errctx *ec)
{
    const struct task_terms *t = x->terms;
    struct stmt *q = sql_with(
        db, RELEASE_SQL, as_text(x->lease->task.id), as_text(x->lease->token),
        as_bytes(x->error, x->error_len), as_int(x->now_ms),
        as_int(t->attempts_max), as_int(t->patience_ms), as_int(due_again(x)));
    enum err e = sql_one(q, ec);

    if (e == ERR_NOT_FOUND) {
        sql_end(q);
        return lost(x->lease, ec);
    }
    if (e == ERR_OK) {
        x->over = sql_col_int(q, 0) == TASK_FAILED;
        e = sql_run(q, ec);
    }
    return e;
}

static enum err release_in(struct db *db, void *arg, struct errctx *ec)
{
    struct release_arg *x = arg;
    const struct task *t = &x->lease->task;
    enum err e = release_row(db, x, ec);

    if (e == ERR_OK && x->over)
        e = task_count_ended(db, t->account, ec);
    if (e == ERR_OK && x->over)
        e = callback_arm(db, t->id, x->now_ms, ec);
    return e;
}

enum err task_release(struct db *state, const struct task_lease *l,
                      const char *error, const struct task_terms *terms,
                      int64_t now_ms, struct errctx *ec)
{
    struct release_arg x = {.lease = l,
                            .terms = terms,
                            .error = error,
                            .error_len = message_len(error),
                            .now_ms = now_ms};

    return db_write(state, release_in, &x, ec);
}

enum err task_put_back(struct db *state, const struct task_lease *l,
                       struct errctx *ec)
{
    int64_t changed = 0;
    enum err e = db_do(state, &changed, ec,
                       "UPDATE task SET lease_until = 0,"
                       " token = NULL, attempt = attempt - 1"
                       " WHERE id = ?1 AND token = ?2"
                       " AND state = 1 AND lease_until > 0",
                       as_text(l->task.id), as_text(l->token));

    return e == ERR_OK && changed == 0 ? lost(l, ec) : e;
}

/* --- drop -------------------------------------------------------------- */

struct drop_arg {
    int64_t account, now_ms;
    const char *id;
    struct arena *a;
    struct task task;
};

static enum err cancel(struct db *db, struct drop_arg *d, struct errctx *ec)
{
    struct stmt *q =
        sql_with(db,
                 "UPDATE task SET state = 3, error = 'cancelled', updated = ?3,"
                 " lease_until = 0, token = NULL"
                 " WHERE id = lower(?1) AND account = ?2 AND state < 2"
                 " RETURNING " TASK_COLUMNS,
                 as_text(d->id), as_int(d->account), as_int(d->now_ms));
    enum err e = sql_one(q, ec);

    if (e != ERR_OK)
        return e;
    task_read_row(q, d->a, &d->task);
    e = sql_run(q, ec);
    if (e == ERR_OK)
        e = task_count_ended(db, d->account, ec);
    return e == ERR_OK ? callback_arm(db, d->task.id, d->now_ms, ec) : e;
}

static enum err remove_ended(struct db *db, struct drop_arg *d,
                             struct errctx *ec)
{
    enum err e = task_get(db, d->account, d->id, d->a, &d->task, ec);

    if (e == ERR_OK)
        e = sql_do(db, ec, "DELETE FROM task WHERE id = ?1",
                   as_text(d->task.id));
    if (e != ERR_OK || d->task.type != TASK_RESEARCH)
        return e;
    return sql_do(db, ec,
                  "UPDATE task_count SET total = total - 1"
                  " WHERE account = ?1",
                  as_int(d->account));
}

static enum err drop_in(struct db *db, void *arg, struct errctx *ec)
{
    struct drop_arg *d = arg;
    enum err e = cancel(db, d, ec);

    if (e == ERR_NOT_FOUND)
        e = remove_ended(db, d, ec);
    if (e == ERR_OK && arena_failed(d->a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    return e;
}

enum err task_drop(struct db *state, int64_t account, const char *id,
                   int64_t now_ms, struct arena *a, struct task *out,
                   struct errctx *ec)
{
    struct drop_arg d = {
        .account = account, .now_ms = now_ms, .id = id, .a = a};
    enum err e = db_write(state, drop_in, &d, ec);

    if (e == ERR_OK)
        *out = d.task;
    return e;
}

/* --- work -------------------------------------------------------------- */

enum err task_work(struct db *state, int64_t lease_ms, int64_t now_ms,
                   struct task_work *out, struct errctx *ec)
{
    struct stmt *q = sql_with(
        state,
        "SELECT (SELECT count(*) FROM (SELECT 1 FROM task"
        " WHERE state < 2 AND lease_until <= ?1 LIMIT ?2) AS due)"
        " + (SELECT count(*) FROM (SELECT 1 FROM task"
        " WHERE state < 2 AND lease_until > ?3 LIMIT ?2) AS ahead)"
        " + (SELECT count(*) FROM (SELECT 1 FROM callback"
        " WHERE state = 1 AND due <= ?1 LIMIT ?2) AS calls),"
        " (SELECT count(*) FROM (SELECT 1 FROM task WHERE state < 2"
        " AND lease_until > ?1 AND lease_until <= ?3 LIMIT ?4) AS"
        " held)",
        as_int(now_ms), as_int(WAITING_MAX),
        as_int(now_ms + TASK_LEASES_MAX * lease_ms), as_int(LEASED_MAX));
    enum err e = sql_one(q, ec);

    if (e == ERR_OK)
        *out = (struct task_work){sql_col_int(q, 0), sql_col_int(q, 1)};
    sql_end(q);
    return e;
}

#define TASK_CHANNEL "cited_task"

enum err task_tell(struct db *state, struct errctx *ec)
{
    return atomic_exchange(&state->file->news, false)
               ? db_tell(state, TASK_CHANNEL, ec)
               : ERR_OK;
}

enum err task_wait(struct db *state, struct deadline d, bool *told,
                   struct errctx *ec)
{
    return db_wait(state, TASK_CHANNEL, d, told, ec);
}

enum err task_open_count(struct db *state, int64_t account, int64_t *out,
                         struct errctx *ec)
{
    return sql_number(sql_with(state,
                               "SELECT coalesce(sum(open), 0) FROM task_count"
                               " WHERE ?1 = 0 OR account = ?1",
                               as_int(account)),
                      out, ec);
}
