/*
 * Tasks as they come in: one or several of an account, all or none, once for
 * each Idempotency-Key; or one that is done from the beginning. Called by web.
 */
#include "base/str.h"
#include "store/task.h"
#include "store/task_sql.h"
#include "json/json.h"

#include <stdio.h>
#include <string.h>

enum {
    MANY_MAX = 1 << 20
}; /* bytes that go with one statement, or little more */

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
#define VALUES_SQL " VALUES(?1, ?2, ?3, ?3, ?4, ?5)"
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
    return sql_new_id(
        sql_with(db,
                 sql_either(db, INSERT_SQL VALUES_SQL,
                            INSERT_SQL VALUES_SQL " RETURNING seq"),
                 as_bytes(t->id, UUID_LEN), as_int(t->account),
                 as_int(t->created_ms), as_text(t->input), as_int(t->type)),
        seq, ec);
}

static enum err put_task(struct db *db, const struct task *t, int64_t open_max,
                         int64_t *seq, struct errctx *ec)
{
    enum err e = count_new(db, t, open_max, ec);

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

/*
 * Plain ones of any accounts with one statement, which is a transaction of its
 * own: one way to the server and back. ?1 is an array of objects, n their
 * places in it; of an account all fit into its quota, or none is taken. What
 * was taken is told.
 */
#define MANY_SQL                                                               \
    "WITH fresh AS (SELECT * FROM json_to_recordset(CAST(?1 AS json)) AS one(" \
    "  n INTEGER, id TEXT, account BIGINT, at BIGINT, type INTEGER,"           \
    "  input TEXT)),"                                                          \
    " counted AS (INSERT INTO task_count(account, total, open)"                \
    "  SELECT account, count(*) FILTER (WHERE type = 0), count(*) FROM fresh"  \
    "  GROUP BY account HAVING count(*) <= ?2 ORDER BY account"                \
    "  ON CONFLICT(account) DO UPDATE"                                         \
    "  SET total = task_count.total + excluded.total,"                         \
    "  open = task_count.open + excluded.open"                                 \
    "  WHERE task_count.open + excluded.open <= ?2 RETURNING account),"        \
    " made AS (" INSERT_SQL                                                    \
    "  SELECT id, account, at, at, input, type FROM fresh JOIN counted"        \
    "  USING(account) ORDER BY n RETURNING id)"                                \
    " SELECT n FROM made JOIN fresh USING(id)"

/* Which of them are there. */
#define THERE_SQL                                                              \
    "SELECT n FROM json_to_recordset(CAST(?1 AS json)) AS one(n INTEGER,"      \
    " id TEXT) JOIN task ON task.id = one.id"

static bool is_plain(const struct task_order *o, int64_t open_max)
{
    return o->key == NULL && o->callback_url == NULL && o->open_max == open_max;
}

static void write_order(struct json_out *w, size_t n, const struct task *t)
{
    jw_object(w);
    jw_kint(w, "n", (int64_t)n);
    jw_kstring(w, "id", t->id);
    jw_kint(w, "account", t->account);
    jw_kint(w, "at", t->created_ms);
    jw_kint(w, "type", t->type);
    jw_kstring(w, "input", t->input);
    jw_object_end(w);
}

/* Mark what the rows of q name. */
static enum err note_done(struct stmt *q, size_t count, bool *done,
                          struct errctx *ec)
{
    bool row = false;
    enum err e;

    while ((e = sql_step(q, &row, ec)) == ERR_OK && row) {
        int64_t n = sql_col_int(q, 0);

        if (n >= 0 && (size_t)n < count)
            done[n] = true;
    }
    sql_end(q);
    return e;
}

/* See write_many_fn. What was asked on a connection that was found lost is
 * asked again on a new one: had it come through, its ids are there already. */
static enum err submit_many(struct db *db, void *const *args, size_t count,
                            bool *done, struct errctx *ec)
{
    int64_t open_max = ((const struct submit_arg *)args[0])->order->open_max;
    struct json_out w;
    struct buf rows;
    size_t plain = 0;
    enum err e;

    buf_init(&rows, MANY_MAX + 8 * (size_t)TASK_TEXT_MAX);
    jw_init(&w, &rows);
    jw_array(&w);
    for (size_t i = 0; i < count && rows.len < MANY_MAX; i++) {
        const struct submit_arg *s = args[i];

        if (!is_plain(s->order, open_max))
            continue;
        write_order(&w, i, s->task);
        plain++;
    }
    jw_array_end(&w);
    e = buf_err(&rows);
    if (e == ERR_OK && plain > 0)
        e = note_done(
            sql_with(db, MANY_SQL, as_text(buf_str(&rows)), as_int(open_max)),
            count, done, ec);
    if (e == ERR_INTERNAL && plain > 0)
        e = note_done(sql_with(db, THERE_SQL, as_text(buf_str(&rows))), count,
                      done, ec);
    buf_fini(&rows);
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
    if (n > TASK_TEXT_MAX)
        return err_set(ec, ERR_TOO_LARGE, "input longer than %d bytes",
                       TASK_TEXT_MAX);
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
        e = db_write_for(state, account, submit_in, submit_many, &s, ec);
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
        e = db_write_for(state, account, submit_all_in, NULL, &all, ec);
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

enum err task_keep(struct db *state, int64_t account, enum task_type type,
                   const char *input, const char *output, int64_t now_ms,
                   char id[UUID_LEN + 1], struct errctx *ec)
{
    char fresh[UUID_LEN + 1];
    enum err e;

    if (strlen(input) > TASK_TEXT_MAX || strlen(output) > TASK_TEXT_MAX)
        return err_set(ec, ERR_TOO_LARGE, "longer than %d bytes",
                       TASK_TEXT_MAX);
    e = draw_id(now_ms, fresh);
    if (e != ERR_OK)
        return err_set(ec, e, "the system gives no random bytes");
    e = db_do(state, NULL, ec,
              "INSERT INTO task(id, account, created, updated, input,"
              " type, state, output) VALUES(?1, ?2, ?3, ?3, ?4, ?5, 2, ?6)",
              as_bytes(fresh, UUID_LEN), as_int(account), as_int(now_ms),
              as_text(input), as_int(type), as_text(output));
    if (e == ERR_OK)
        memcpy(id, fresh, sizeof fresh);
    return e;
}
