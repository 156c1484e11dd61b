/* What tasks have to send at their end; see callback.h. Called by task.c
 * (making and arming), prog (sending) and web (reading). */
#include "store/callback.h"

#include "base/str.h"
#include "store/task_sql.h"

#include <string.h>

enum { MESSAGE_MAX = 500 };

const char *callback_state_name(enum callback_state s)
{
    static const char *const names[] = {"waiting", "due", "delivered",
                                        "givenUp"};

    return (unsigned)s < 4 ? names[s] : "unknown";
}

/* --- secrets ----------------------------------------------------------- */

struct secret_arg {
    int64_t account;
    bool renew;
    unsigned char fresh[SHA256_BYTES], found[SHA256_BYTES];
};

static enum err put_secret(struct db *db, int64_t account, bool renew,
                           const unsigned char *secret, struct errctx *ec)
{
    return sql_do(db, ec,
                  "UPDATE account SET callback_secret = ?2"
                  " WHERE id = ?1"
                  " AND (?3 = 1 OR callback_secret IS NULL)",
                  as_int(account), as_blob(secret, SHA256_BYTES),
                  as_int(renew));
}

static enum err get_secret(struct db *db, int64_t account,
                           unsigned char out[SHA256_BYTES], struct errctx *ec)
{
    struct stmt *q =
        sql_with(db,
                 "SELECT callback_secret FROM account WHERE id = ?1"
                 " AND length(callback_secret) = 32",
                 as_int(account));
    enum err e = sql_one(q, ec);

    if (e == ERR_OK)
        (void)sql_col_blob(q, 0, out, SHA256_BYTES);
    else if (e == ERR_NOT_FOUND)
        err_set(ec, e, "no account with this number");
    sql_end(q);
    return e;
}

static enum err secret_in(struct db *db, void *arg, struct errctx *ec)
{
    struct secret_arg *s = arg;
    enum err e = put_secret(db, s->account, s->renew, s->fresh, ec);

    return e == ERR_OK ? get_secret(db, s->account, s->found, ec) : e;
}

enum err callback_secret(struct db *state, int64_t account, bool renew,
                         unsigned char out[SHA256_BYTES], struct errctx *ec)
{
    struct secret_arg s = {.account = account, .renew = renew};
    enum err e = id_random(s.fresh, sizeof s.fresh);

    if (e != ERR_OK)
        return err_set(ec, e, "the system gives no random bytes");
    e = db_write(state, secret_in, &s, ec);
    if (e == ERR_OK)
        memcpy(out, s.found, sizeof s.found);
    return e;
}

/* --- with the task ----------------------------------------------------- */

enum err callback_put(struct db *db, int64_t account, int64_t task,
                      const char *url, const unsigned char secret[SHA256_BYTES],
                      struct errctx *ec)
{
    enum err e = put_secret(db, account, false, secret, ec);

    if (e != ERR_OK)
        return e;
    return sql_do(db, ec, "INSERT INTO callback(task, url) VALUES(?1, ?2)",
                  as_int(task), as_text(url));
}

enum err callback_arm(struct db *db, const char *id, int64_t now_ms,
                      struct errctx *ec)
{
    return sql_do(
        db, ec,
        "UPDATE callback SET state = 1, due = ?2"
        " WHERE task = (SELECT seq FROM task WHERE id = ?1) AND state = 0",
        as_text(id), as_int(now_ms));
}

static void read_callback(struct stmt *q, struct arena *a, void *element)
{
    *(struct callback *)element =
        (struct callback){.url = sql_col_text(q, 0, a),
                          .state = (enum callback_state)sql_col_int(q, 1),
                          .due_ms = sql_col_int(q, 2),
                          .tries = sql_col_int(q, 3),
                          .error = sql_col_text(q, 4, a)};
}

enum err callback_get(struct db *state, const char *id, struct arena *a,
                      struct callback *out, struct errctx *ec)
{
    static const struct sql_shape shape = {sizeof *out, read_callback};

    return sql_row(sql_with(state,
                            "SELECT url, state, due, tries, error"
                            " FROM callback WHERE task ="
                            " (SELECT seq FROM task WHERE id = ?1)",
                            as_text(id)),
                   &shape, a, out, ec);
}

/* --- sending ----------------------------------------------------------- */

struct take_arg {
    int64_t now_ms, hold_ms;
    size_t max, count;
    struct arena *a;
    struct callback_job *jobs;
};

/* In PostgreSQL one that somebody else is taking is passed over. */
#define TAKE_SQL(pass_over)                                                    \
    "UPDATE callback SET due = ?1 + ?2, tries = tries + 1"                     \
    " WHERE task = (SELECT task FROM callback WHERE state = 1"                 \
    " AND due <= ?1 ORDER BY due LIMIT 1" pass_over                            \
    ") RETURNING task, url, tries"

static enum err take_one(struct db *db, const struct take_arg *t, int64_t *seq,
                         struct callback_job *j, struct errctx *ec)
{
    struct stmt *q = sql_with(
        db, sql_either(db, TAKE_SQL(""), TAKE_SQL(" FOR UPDATE SKIP LOCKED")),
        as_int(t->now_ms), as_int(t->hold_ms));
    enum err e = sql_one(q, ec);

    if (e != ERR_OK)
        return e;
    *seq = sql_col_int(q, 0);
    j->url = sql_col_text(q, 1, t->a);
    j->tries = sql_col_int(q, 2);
    return sql_run(q, ec);
}

static enum err take_in(struct db *db, void *arg, struct errctx *ec)
{
    struct take_arg *t = arg;
    enum err e = ERR_OK;

    for (t->count = 0; t->count < t->max; t->count++) {
        struct callback_job *j = &t->jobs[t->count];
        int64_t seq = 0;

        e = take_one(db, t, &seq, j, ec);
        if (e == ERR_NOT_FOUND)
            return ERR_OK;
        if (e == ERR_OK)
            e = sql_row(
                sql_with(db, "SELECT " TASK_COLUMNS " FROM task WHERE seq = ?1",
                         as_int(seq)),
                &task_shape, t->a, &j->task, ec);
        if (e == ERR_OK)
            e = get_secret(db, j->task.account, j->secret, ec);
        if (e == ERR_OK && arena_failed(t->a))
            e = err_set(ec, ERR_NOMEM, "out of memory");
        if (e != ERR_OK)
            return e;
    }
    return ERR_OK;
}

enum err callback_take(struct db *state, int64_t now_ms, int64_t hold_ms,
                       size_t max, struct arena *a, struct callback_job **out,
                       size_t *count, struct errctx *ec)
{
    struct take_arg t = {
        .now_ms = now_ms, .hold_ms = hold_ms, .max = max, .a = a};
    int64_t next = INT64_MAX;
    enum err e = callback_next(state, &next, ec);

    if (e == ERR_OK && next > now_ms)
        *count = 0;
    if (e != ERR_OK || next > now_ms)
        return e;
    t.jobs = arena_array(a, max, sizeof *t.jobs);
    if (t.jobs == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    e = db_write(state, take_in, &t, ec);
    if (e == ERR_OK) {
        *out = t.jobs;
        *count = t.count;
    }
    return e;
}

enum err callback_settle(struct db *state, const struct callback_job *j,
                         enum callback_state s, int64_t due_ms,
                         const char *error, struct errctx *ec)
{
    size_t n = error == NULL ? 0 : utf8_cut(error, strlen(error), MESSAGE_MAX);

    return db_do(state, NULL, ec,
                 "UPDATE callback SET state = ?3, due = ?4, error = ?5"
                 " WHERE task = (SELECT seq FROM task WHERE id = ?1)"
                 " AND state = 1 AND tries = ?2",
                 as_text(j->task.id), as_int(j->tries), as_int(s),
                 as_int(due_ms), as_bytes(error, n));
}

enum err callback_mend(struct db *state, int64_t now_ms, int64_t hold_ms,
                       struct errctx *ec)
{
    return db_do(state, NULL, ec,
                 "UPDATE callback SET due = ?1 WHERE state = 1"
                 " AND due > ?1 + ?2 + (CAST(2000 AS BIGINT) << (3 * tries))",
                 as_int(now_ms), as_int(hold_ms));
}

enum err callback_next(struct db *state, int64_t *due_ms, struct errctx *ec)
{
    enum err e = sql_number(sql_get(state, "SELECT due FROM callback"
                                           " WHERE state = 1"
                                           " ORDER BY due LIMIT 1"),
                            due_ms, ec);

    if (e == ERR_NOT_FOUND)
        *due_ms = INT64_MAX;
    return e == ERR_NOT_FOUND ? ERR_OK : e;
}
