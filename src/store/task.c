/*
 * The life of a task: created, claimed under a lease, ended once. Each call
 * is one atomic batch. What a helper notes meanwhile is in task_step.c, the
 * list in task_list.c. Called by web (create, get) and research (the rest).
 */
#include "store/task.h"

#include "base/str.h"
#include "store/task_sql.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 16 << 20, MESSAGE_MAX = 2000 };
enum { GIVE_UP_MAX = 1000, WAITING_MAX = 1000, LEASED_MAX = 10000 };
enum {
    BACKOFF_MS = 2000, /* after a task's first fault; then 4 times as long */
    LEASES_MAX = 2     /* no task is held or given back for longer than so
                          many leases; one is too few, since who looks may
                          have read the clock before who holds */
};

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

/* --- create ------------------------------------------------------------ */

/*
 * A UUID that begins with the time (RFC 9562, version 7) and ends in 74
 * random bits: new tasks then land side by side in every index, which makes a
 * group of inserts several times cheaper than with wholly random ids.
 */
static enum err draw_id(int64_t now_ms, char out[UUID_LEN + 1])
{
    uint64_t ms = (uint64_t)now_ms & 0xFFFFFFFFFFFF;
    unsigned char b[10];
    char hex[21];
    enum err e = id_random(b, sizeof b);

    if (e != ERR_OK)
        return e;
    b[0] = (unsigned char)((b[0] & 0x0F) | 0x70);
    b[2] = (unsigned char)((b[2] & 0x3F) | 0x80);
    hex_format(b, sizeof b, hex);
    snprintf(out, UUID_LEN + 1, "%08llx-%04llx-%.4s-%.4s-%.12s",
             (unsigned long long)(ms >> 16), (unsigned long long)(ms & 0xFFFF),
             hex, hex + 4, hex + 8);
    return ERR_OK;
}

struct submit_arg {
    const struct task_order *order;
    struct task *task;
    struct arena *a;
    unsigned char secret[SHA256_BYTES]; /* for an account without one */
    unsigned char digest[SHA256_BYTES]; /* of the input */
};

#define INSERT_SQL                                                             \
    "INSERT INTO task(id, account, created, updated, input, type)"
#define COUNT_SQL                                                              \
    "INSERT INTO task_count(account, total, open)"                             \
    " SELECT ?1, ?3, 1 WHERE ?2 > 0"                                           \
    " ON CONFLICT(account) DO UPDATE"                                          \
    " SET total = task_count.total + ?3, open = task_count.open + 1"           \
    " WHERE task_count.open < ?2"

static enum err full(int64_t open_max, struct errctx *ec)
{
    return err_set(ec, ERR_LIMIT, "%lld tasks are unfinished already",
                   (long long)open_max);
}

/* Count the new task, or find the quota used up. The account's row is made
 * with its first task. */
static enum err count_new(struct db *db, const struct task *t, int64_t open_max,
                          struct errctx *ec)
{
    enum err e = sql_do(db, ec, COUNT_SQL, as_int(t->account), as_int(open_max),
                        as_int(t->type == TASK_RESEARCH));

    return e == ERR_OK && sql_changes(db) == 0 ? full(open_max, ec) : e;
}

static enum err insert(struct db *db, const struct task *t, int64_t *seq,
                       struct errctx *ec)
{
    return sql_new_id(sql_with(db, INSERT_SQL " VALUES(?1, ?2, ?3, ?3, ?4, ?5)",
                               as_bytes(t->id, UUID_LEN), as_int(t->account),
                               as_int(t->created_ms), as_text(t->input),
                               as_int(t->type)),
                      seq, ec);
}

/* Both in one statement, where each is a way to the server and back. */
static enum err count_and_insert(struct db *db, const struct task *t,
                                 int64_t open_max, int64_t *seq,
                                 struct errctx *ec)
{
    enum err e = sql_number(
        sql_with(db,
                 "WITH counted AS (" COUNT_SQL " RETURNING account) " INSERT_SQL
                 " SELECT ?4, account, ?5, ?5, ?6, ?7 FROM counted"
                 " RETURNING seq",
                 as_int(t->account), as_int(open_max),
                 as_int(t->type == TASK_RESEARCH), as_bytes(t->id, UUID_LEN),
                 as_int(t->created_ms), as_text(t->input), as_int(t->type)),
        seq, ec);

    return e == ERR_NOT_FOUND ? full(open_max, ec) : e;
}

static enum err put_task(struct db *db, const struct task *t, int64_t open_max,
                         int64_t *seq, struct errctx *ec)
{
    enum err e;

    if (db->pg != NULL)
        return count_and_insert(db, t, open_max, seq, ec);
    e = count_new(db, t, open_max, ec);
    return e == ERR_OK ? insert(db, t, seq, ec) : e;
}

static enum err forget_keys(struct db *db, int64_t before_ms, struct errctx *ec)
{
    return sql_do(db, ec, "DELETE FROM request_key WHERE created <= ?1",
                  as_int(before_ms));
}

static enum err put_key(struct db *db, const struct submit_arg *s, int64_t seq,
                        struct errctx *ec)
{
    struct stmt *q =
        sql_with(db,
                 "INSERT INTO request_key(account, key, digest, task,"
                 " created) VALUES(?1, ?2, ?3, ?4, ?5)",
                 as_int(s->task->account), as_text(s->order->key),
                 as_blob(s->digest, sizeof s->digest), as_int(seq),
                 as_int(s->task->created_ms));

    return sql_run(q, ec);
}

/* The task this key made. ERR_NOT_FOUND: none; ERR_CONFLICT: of another
 * input. */
static enum err find_key(struct db *db, const struct submit_arg *s,
                         struct errctx *ec)
{
    struct stmt *q = sql_with(db,
                              "SELECT " TASK_COLUMNS ", digest = ?3"
                              " FROM request_key k JOIN task"
                              " ON task.seq = k.task"
                              " WHERE k.account = ?1 AND k.key = ?2",
                              as_int(s->task->account), as_text(s->order->key),
                              as_blob(s->digest, sizeof s->digest));
    struct task t = {0};
    bool same = false;
    enum err e = sql_one(q, ec);

    if (e == ERR_OK) {
        task_read_row(q, s->a, &t);
        same = sql_col_int(q, TASK_COLUMN_COUNT) != 0;
    }
    sql_end(q);
    if (e == ERR_OK && !same)
        e = err_set(ec, ERR_CONFLICT, "the key belongs to another request");
    if (e == ERR_OK && arena_failed(s->a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    if (e == ERR_OK)
        *s->task = t;
    return e;
}

static enum err submit_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct submit_arg *s = arg;
    const struct task_order *o = s->order;
    int64_t now_ms = s->task->created_ms, seq = 0;
    enum err e = ERR_OK;

    if (o->key != NULL) {
        e = sql_lock(db, LOCK_KEYS, s->task->account, ec);
        if (e == ERR_OK)
            e = forget_keys(db, now_ms - TASK_KEY_MS, ec);
        if (e == ERR_OK)
            e = find_key(db, s, ec);
        if (e != ERR_NOT_FOUND)
            return e;
    }
    e = put_task(db, s->task, o->open_max, &seq, ec);
    if (e == ERR_OK && o->key != NULL)
        e = put_key(db, s, seq, ec);
    if (e == ERR_OK && o->callback_url != NULL)
        e = callback_put(db, s->task->account, seq, o->callback_url, s->secret,
                         ec);
    return e;
}

/* The task of an order, not stored yet. */
static enum err make_task(int64_t account, int64_t now_ms, struct submit_arg *s,
                          struct errctx *ec)
{
    const struct task_order *o = s->order;
    size_t n = strlen(o->input);
    struct task *t = s->task;
    enum err e;

    *t = (struct task){.type = o->type,
                       .account = account,
                       .state = TASK_PENDING,
                       .created_ms = now_ms,
                       .updated_ms = now_ms};
    if (n > TEXT_MAX)
        return err_set(ec, ERR_TOO_LARGE, "input longer than %d bytes",
                       TEXT_MAX);
    t->input = arena_strndup(s->a, o->input, n);
    if (t->input == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    if (o->key != NULL)
        id_sha256(o->input, n, s->digest);
    e = draw_id(now_ms, t->id);
    if (e == ERR_OK && o->callback_url != NULL)
        e = id_random(s->secret, sizeof s->secret);
    return e == ERR_OK ? e : err_set(ec, e, "the system gives no random bytes");
}

enum err task_submit(struct db *state, int64_t account,
                     const struct task_order *o, int64_t now_ms,
                     struct arena *a, struct task *out, struct errctx *ec)
{
    struct task t;
    struct submit_arg s = {.order = o, .task = &t, .a = a};
    enum err e = make_task(account, now_ms, &s, ec);

    if (e == ERR_OK)
        e = db_write_for(state, account, submit_in, &s, ec);
    if (e == ERR_OK) {
        *out = t;
        atomic_store(&state->file->news, true);
    }
    return e;
}

struct submit_all_arg {
    struct submit_arg *each;
    size_t count;
};

static enum err submit_all_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct submit_all_arg *all = arg;
    enum err e = ERR_OK;

    for (size_t i = 0; i < all->count && e == ERR_OK; i++)
        e = submit_in(db, &all->each[i], ec);
    return e;
}

enum err task_submit_all(struct db *state, int64_t account,
                         const struct task_order *o, size_t count,
                         int64_t now_ms, struct arena *a, struct task *out,
                         struct errctx *ec)
{
    struct submit_all_arg all = {arena_array(a, count + 1, sizeof *all.each),
                                 count};
    enum err e = ERR_OK;

    if (all.each == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < count && e == ERR_OK; i++) {
        all.each[i] =
            (struct submit_arg){.order = &o[i], .task = &out[i], .a = a};
        e = make_task(account, now_ms, &all.each[i], ec);
    }
    if (e == ERR_OK)
        e = db_write_for(state, account, submit_all_in, &all, ec);
    if (e == ERR_OK)
        atomic_store(&state->file->news, true);
    return e;
}

enum err task_create(struct db *state, int64_t account, const char *input,
                     int64_t open_max, int64_t now_ms, struct arena *a,
                     struct task *out, struct errctx *ec)
{
    struct task_order o = {.input = input, .open_max = open_max};

    return task_submit(state, account, &o, now_ms, a, out, ec);
}

static enum err keep_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct task *t = arg;

    return sql_run(
        sql_with(db,
                 "INSERT INTO task(id, account, created, updated, input,"
                 " type, state, output) VALUES(?1, ?2, ?3, ?3, ?4, ?5, 2, ?6)",
                 as_bytes(t->id, UUID_LEN), as_int(t->account),
                 as_int(t->created_ms), as_text(t->input), as_int(t->type),
                 as_text(t->output)),
        ec);
}

enum err task_keep(struct db *state, int64_t account, enum task_type type,
                   const char *input, const char *output, int64_t now_ms,
                   char id[UUID_LEN + 1], struct errctx *ec)
{
    struct task t = {.type = type,
                     .account = account,
                     .created_ms = now_ms,
                     .input = input,
                     .output = output};
    enum err e;

    if (strlen(input) > TEXT_MAX || strlen(output) > TEXT_MAX)
        return err_set(ec, ERR_TOO_LARGE, "longer than %d bytes", TEXT_MAX);
    e = draw_id(now_ms, t.id);
    if (e != ERR_OK)
        return err_set(ec, e, "the system gives no random bytes");
    e = db_write(state, keep_in, &t, ec);
    if (e == ERR_OK)
        memcpy(id, t.id, sizeof t.id);
    return e;
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

/* --- claim ------------------------------------------------------------- */

struct claim_arg {
    const char *id; /* or NULL: whose turn it is */
    int64_t until_ms, now_ms, far_ms, attempts_max;
    struct arena *a;
    struct task_lease lease;
    bool found;
};

/*
 * The one statement of a claim. Attempts left: processing, new token. Used
 * up: failed. At ?1 a task is free whose lease has run out, or ends after ?5,
 * further ahead than any lease lasts: then the clock was set back.
 */
#define CLAIM_SQL                                                              \
    "UPDATE task SET"                                                          \
    " updated = CASE WHEN state = 0 OR attempt >= ?4 THEN ?1 ELSE updated"     \
    "  END,"                                                                   \
    " state = CASE WHEN attempt >= ?4 THEN 3 ELSE 1 END,"                      \
    " error = CASE WHEN attempt >= ?4 THEN 'gave up after ' || attempt ||"     \
    "  CASE attempt WHEN 1 THEN ' attempt: ' ELSE ' attempts: ' END ||"        \
    "  'the helper stopped unexpectedly' END,"                                 \
    " attempt = CASE WHEN attempt >= ?4 THEN attempt ELSE attempt + 1 END,"    \
    " lease_until = CASE WHEN attempt >= ?4 THEN 0 ELSE ?2 END,"               \
    " token = ?3"

/* The oldest free task of account c; each part is one step in an index. */
#define FREE_OF_C                                                              \
    "(SELECT min(seq) FROM ("                                                  \
    " SELECT * FROM (SELECT seq FROM task WHERE account = c.account"           \
    "  AND state < 2 AND lease_until = 0 ORDER BY seq LIMIT 1) AS fresh"       \
    " UNION ALL SELECT * FROM (SELECT seq FROM task"                           \
    "  WHERE account = c.account AND state < 2"                                \
    "  AND lease_until BETWEEN 1 AND ?1 ORDER BY lease_until LIMIT 1) AS "     \
    "left_"                                                                    \
    " UNION ALL SELECT * FROM (SELECT seq FROM task"                           \
    "  WHERE account = c.account AND state < 2 AND lease_until > ?5"           \
    "  ORDER BY lease_until DESC LIMIT 1) AS ahead) AS free)"

/* Of the account whose last turn is longest ago. */
#define CLAIM_ANY                                                              \
    CLAIM_SQL                                                                  \
    " WHERE seq = (SELECT " FREE_OF_C " FROM task_count c WHERE open > 0"      \
    "  AND " FREE_OF_C " IS NOT NULL ORDER BY turn LIMIT 1)"                   \
    " RETURNING " TASK_COLUMNS

/*
 * The same in PostgreSQL, where several claim at once: of each account, those
 * whose turn it is first, what nobody else is just taking. The places that are
 * looked at are held until the end of the claim.
 */
#define PLACE_OF_C(where, order)                                               \
    "SELECT * FROM (SELECT seq FROM task WHERE account = c.account"            \
    "  AND state < 2 AND " where " ORDER BY " order                            \
    "  LIMIT 1 FOR UPDATE SKIP LOCKED) AS "
#define CLAIM_ANY_PG                                                                                       \
    CLAIM_SQL                                                                                              \
    " WHERE seq = (SELECT free.seq FROM (SELECT account FROM task_count"                                   \
    "  WHERE open > 0 ORDER BY turn) AS c CROSS JOIN LATERAL"                                              \
    "  (SELECT min(seq) AS seq FROM (" PLACE_OF_C("lease_until = 0", "seq") "fresh UNION ALL " PLACE_OF_C( \
        "lease_until BETWEEN 1 AND ?1",                                                                    \
        "lease_until") "late UNION ALL " PLACE_OF_C("lease_until > ?5",                                    \
                                                    "lease_until DESC") "ahea"                             \
                                                                        "d"                                \
                                                                        "  ) "                             \
                                                                        "AS "                              \
                                                                        "one)"                             \
                                                                        " AS "                             \
                                                                        "free"                             \
                                                                        " WHE"                             \
                                                                        "RE "                              \
                                                                        "free"                             \
                                                                        ".seq"                             \
                                                                        " IS "                             \
                                                                        "NOT "                             \
                                                                        "NULL"                             \
                                                                        " LIM"                             \
                                                                        "IT "                              \
                                                                        "1)"                               \
                                                                        " RET"                             \
                                                                        "URNI"                             \
                                                                        "NG"                               \
                                                                        " " TASK_COLUMNS

/* Who names a task does not wait until it is due again. */
#define CLAIM_ONE                                                              \
    CLAIM_SQL                                                                  \
    " WHERE id = lower(?6) AND state < 2"                                      \
    " AND (lease_until <= ?1 OR lease_until > ?5 OR token IS NULL)"            \
    " RETURNING " TASK_COLUMNS

static enum err claim_step(struct db *db, struct claim_arg *c,
                           struct errctx *ec)
{
    struct stmt *q = sql_with(
        db, c->id != NULL ? CLAIM_ONE : sql_either(db, CLAIM_ANY, CLAIM_ANY_PG),
        as_int(c->now_ms), as_int(c->until_ms),
        as_bytes(c->lease.token, UUID_LEN), as_int(c->attempts_max),
        as_int(c->far_ms));
    bool row = false;
    enum err e;

    if (c->id != NULL)
        sql_text(q, 6, c->id);
    e = sql_step(q, &row, ec);
    c->found = e == ERR_OK && row;
    if (c->found) {
        task_read_row(q, c->a, &c->lease.task);
        e = sql_run(q, ec);
    }
    if (e == ERR_OK && arena_failed(c->a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    return e;
}

static enum err take_turn(struct db *db, int64_t account, struct errctx *ec)
{
    return sql_do(db, ec,
                  "UPDATE task_count SET turn ="
                  " (SELECT max(turn) FROM task_count) + 1"
                  " WHERE account = ?1",
                  as_int(account));
}

enum err task_count_ended(struct db *db, int64_t account, struct errctx *ec)
{
    return sql_do(db, ec,
                  "UPDATE task_count SET open = open - 1"
                  " WHERE account = ?1",
                  as_int(account));
}

/* Succeeds also when nothing is left to claim, so that tasks given up on
 * the way are committed. */
static enum err claim_in(struct db *db, void *arg, struct errctx *ec)
{
    struct claim_arg *c = arg;

    for (int i = 0; i < GIVE_UP_MAX; i++) {
        enum err e = claim_step(db, c, ec);

        if (e != ERR_OK || !c->found)
            return e;
        if (c->lease.task.state == TASK_PROCESSING)
            return take_turn(db, c->lease.task.account, ec);
        e = task_count_ended(db, c->lease.task.account, ec);
        if (e == ERR_OK)
            e = callback_arm(db, c->lease.task.id, c->now_ms, ec);
        if (e != ERR_OK)
            return e;
        c->found = false;
    }
    return ERR_OK;
}

enum err task_claim(struct db *state, const char *id, int64_t lease_ms,
                    int64_t attempts_max, int64_t now_ms, struct arena *a,
                    struct task_lease *out, struct errctx *ec)
{
    struct claim_arg c = {.id = id,
                          .until_ms = now_ms + lease_ms,
                          .now_ms = now_ms,
                          .far_ms = now_ms + LEASES_MAX * lease_ms,
                          .attempts_max = attempts_max,
                          .a = a};
    enum err e = id_uuid(c.lease.token);

    if (e != ERR_OK)
        return err_set(ec, e, "the system gives no random bytes");
    e = db_write(state, claim_in, &c, ec);
    if (e == ERR_OK && !c.found)
        e = err_set(ec, ERR_NOT_FOUND, "nothing to do");
    if (e == ERR_OK)
        *out = c.lease;
    return e;
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

    if (strlen(output) > TEXT_MAX)
        return err_set(ec, ERR_TOO_LARGE, "output longer than %d bytes",
                       TEXT_MAX);
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
    int64_t most = LEASES_MAX * x->terms->lease_ms;

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

static enum err put_back_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct task_lease *l = arg;
    enum err e = sql_do(db, ec,
                        "UPDATE task SET lease_until = 0,"
                        " token = NULL, attempt = attempt - 1"
                        " WHERE id = ?1 AND token = ?2"
                        " AND state = 1 AND lease_until > 0",
                        as_text(l->task.id), as_text(l->token));

    if (e == ERR_OK && sql_changes(db) == 0)
        e = lost(l, ec);
    return e;
}

enum err task_put_back(struct db *state, const struct task_lease *l,
                       struct errctx *ec)
{
    struct task_lease copy = *l;

    return db_write(state, put_back_in, &copy, ec);
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
    struct stmt *q =
        sql_with(state,
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
                 as_int(now_ms + LEASES_MAX * lease_ms), as_int(LEASED_MAX));
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
