/*
 * Rows of crawls; see crawl_job.h. beat is the last sign of life, or when the
 * crawl was taken for a helper that is being started; 0: nobody is at it.
 * Called by web and by run/crawler.
 */
#include "store/crawl_job.h"

#include "store/sql.h"

const char *crawl_state_name(enum crawl_state s)
{
    static const char *const names[] = {"running", "done", "failed",
                                        "interrupted"};

    return names[s];
}

#define COLUMNS                                                                \
    "id, url, pages, coalesce(delay, -1), state, stored, skipped, failed,"     \
    " queued, started, ended, CASE state WHEN 0 THEN NULL ELSE error END"

static void read_job(struct stmt *q, struct arena *a, void *element)
{
    *(struct crawl_job *)element = (struct crawl_job){
        .id = sql_col_text(q, 0, a),
        .order = {sql_col_text(q, 1, a), sql_col_int(q, 2), sql_col_int(q, 3)},
        .state = (enum crawl_state)(sql_col_int(q, 4) & 3),
        .count = {sql_col_int(q, 5), sql_col_int(q, 6), sql_col_int(q, 7),
                  sql_col_int(q, 8)},
        .started_ms = sql_col_int(q, 9),
        .ended_ms = sql_col_int(q, 10),
        .error = sql_col_text(q, 11, a)};
}

static const struct sql_shape job_shape = {sizeof(struct crawl_job), read_job};

enum err crawl_job_get(struct db *state, const char *id, struct arena *a,
                       struct crawl_job *out, struct errctx *ec)
{
    enum err e = sql_row(
        sql_with(state, "SELECT " COLUMNS " FROM crawl_job WHERE id = ?1",
                 as_text(id)),
        &job_shape, a, out, ec);

    return e == ERR_NOT_FOUND ? err_set(ec, e, "no crawl %.40s", id) : e;
}

enum err crawl_job_list(struct db *state, size_t limit, struct arena *a,
                        struct crawl_job **out, size_t *count,
                        struct errctx *ec)
{
    struct stmt *q =
        sql_get(state, "SELECT " COLUMNS " FROM crawl_job ORDER BY seq DESC");

    return sql_rows(q, &job_shape, limit, a, out, count, ec);
}

/* --- beginning --------------------------------------------------------- */

struct create_arg {
    char id[UUID_LEN + 1];
    int64_t account, running_max, now_ms;
    const struct crawl_order *order;
    struct arena *a;
    struct crawl_job job;
};

static enum err find_running(struct db *db, struct create_arg *c,
                             struct errctx *ec)
{
    return sql_row(sql_with(db,
                            "SELECT " COLUMNS " FROM crawl_job"
                            " WHERE state = 0 AND url = ?1 LIMIT 1",
                            as_text(c->order->url)),
                   &job_shape, c->a, &c->job, ec);
}

static enum err insert(struct db *db, const struct create_arg *c,
                       struct errctx *ec)
{
    enum err e =
        sql_do(db, ec,
               "INSERT INTO crawl_job(id, account, url, pages, beat,"
               " started, delay) VALUES(?1, ?2, ?3, ?4, 0, ?5,"
               " nullif(?6, -1))",
               as_text(c->id), as_int(c->account), as_text(c->order->url),
               as_int(c->order->pages), as_int(c->now_ms),
               as_int(c->order->delay_ms < 0 ? -1 : c->order->delay_ms));

    if (e != ERR_OK)
        return e;
    return sql_do(db, ec,
                  "DELETE FROM crawl_job WHERE seq <= (SELECT seq FROM"
                  " crawl_job ORDER BY seq DESC LIMIT 1 OFFSET ?1)",
                  as_int(CRAWL_ROWS_MAX));
}

static enum err create_in(struct db *db, void *arg, struct errctx *ec)
{
    struct create_arg *c = arg;
    int64_t running = 0;
    enum err e = sql_lock(db, LOCK_CRAWLS, 0, ec);

    if (e == ERR_OK)
        e = find_running(db, c, ec);
    if (e != ERR_NOT_FOUND)
        return e;
    e = sql_number(
        sql_get(db, "SELECT count(*) FROM crawl_job WHERE state = 0"), &running,
        ec);
    if (e == ERR_OK && running >= c->running_max)
        e = err_set(ec, ERR_LIMIT, "%lld crawls are running",
                    (long long)running);
    if (e == ERR_OK)
        e = insert(db, c, ec);
    return e == ERR_OK ? crawl_job_get(db, c->id, c->a, &c->job, ec) : e;
}

enum err crawl_job_create(struct db *state, int64_t account,
                          const struct crawl_order *order, int64_t running_max,
                          int64_t now_ms, struct arena *a,
                          struct crawl_job *out, struct errctx *ec)
{
    struct create_arg c = {.account = account,
                           .order = order,
                           .running_max = running_max,
                           .now_ms = now_ms,
                           .a = a};
    enum err e = id_uuid(c.id);

    if (e != ERR_OK)
        return err_set(ec, e, "the system gives no random bytes");
    e = db_write(state, create_in, &c, ec);
    if (e == ERR_OK)
        *out = c.job;
    return e;
}

/* --- helpers come by one ------------------------------------------------ */

/* At ?1, silent since before ?2. A beat far ahead of the clock is none: the
 * clock was set back since. */
#define IS_FREE "state = 0 AND (beat = 0 OR beat <= ?2 OR beat > 2 * ?1 - ?2)"

enum err crawl_job_work(struct db *state, int64_t now_ms,
                        struct crawl_work *out, struct errctx *ec)
{
    struct stmt *q =
        sql_with(state,
                 "SELECT count(CASE WHEN " IS_FREE " THEN 1 END), count(*)"
                 " FROM crawl_job WHERE state = 0",
                 as_int(now_ms), as_int(now_ms - CRAWL_SILENT_MS));
    enum err e = sql_one(q, ec);

    if (e == ERR_OK)
        *out = (struct crawl_work){sql_col_int(q, 0), sql_col_int(q, 1)};
    sql_end(q);
    return e;
}

struct take_arg {
    const char *id, *token; /* of a claim */
    int64_t attempts_max, now_ms;
    struct arena *a;
    struct crawl_job job;
};

#define TAKE_SQL                                                               \
    "UPDATE crawl_job SET beat = ?1, token = NULL,"                            \
    " state = CASE WHEN attempt >= ?3 THEN 2 ELSE 0 END,"                      \
    " ended = CASE WHEN attempt >= ?3 THEN ?1 ELSE 0 END,"                     \
    " error = CASE WHEN attempt >= ?3 THEN 'gave up after ' || attempt ||"     \
    "  CASE attempt WHEN 1 THEN ' attempt: ' ELSE ' attempts: ' END ||"        \
    "  coalesce(error, 'the helper stopped unexpectedly') END,"                \
    " attempt = attempt + 1 WHERE seq = (SELECT seq FROM crawl_job"            \
    "  WHERE " IS_FREE " ORDER BY seq LIMIT 1"
#define TAKEN ") RETURNING " COLUMNS

/* The row that q changed. */
static enum err changed_row(struct stmt *q, struct take_arg *t,
                            struct errctx *ec)
{
    enum err e = sql_one(q, ec);

    if (e != ERR_OK)
        return e;
    read_job(q, t->a, &t->job);
    e = sql_run(q, ec);
    if (e == ERR_OK && arena_failed(t->a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    return e;
}

/* Succeeds also when none is left, so that those that are given up on the way
 * are committed. */
static enum err take_in(struct db *db, void *arg, struct errctx *ec)
{
    const char *sql = sql_either(db, TAKE_SQL TAKEN,
                                 TAKE_SQL " FOR UPDATE SKIP LOCKED" TAKEN);
    struct take_arg *t = arg;
    enum err e = ERR_OK;

    t->job.state = CRAWL_FAILED;
    for (int i = 0;
         i < CRAWL_ROWS_MAX && e == ERR_OK && t->job.state == CRAWL_FAILED; i++)
        e = changed_row(sql_with(db, sql, as_int(t->now_ms),
                                 as_int(t->now_ms - CRAWL_SILENT_MS),
                                 as_int(t->attempts_max)),
                        t, ec);
    return e == ERR_NOT_FOUND ? ERR_OK : e;
}

enum err crawl_job_take(struct db *state, int64_t attempts_max, int64_t now_ms,
                        struct arena *a, struct crawl_job *out,
                        struct errctx *ec)
{
    struct take_arg t = {
        .attempts_max = attempts_max, .now_ms = now_ms, .a = a};
    enum err e = db_write(state, take_in, &t, ec);

    if (e == ERR_OK && t.job.state != CRAWL_RUNNING)
        e = err_set(ec, ERR_NOT_FOUND, "no crawl is free");
    if (e == ERR_OK)
        *out = t.job;
    return e;
}

static enum err claim_in(struct db *db, void *arg, struct errctx *ec)
{
    struct take_arg *t = arg;

    return changed_row(
        sql_with(db,
                 "UPDATE crawl_job SET beat = ?1, token = ?3 WHERE id = ?4"
                 " AND state = 0 AND (token IS NULL OR " IS_FREE ")"
                 " RETURNING " COLUMNS,
                 as_int(t->now_ms), as_int(t->now_ms - CRAWL_SILENT_MS),
                 as_text(t->token), as_text(t->id)),
        t, ec);
}

enum err crawl_job_claim(struct db *state, const char *id, int64_t now_ms,
                         struct arena *a, struct crawl_lease *out,
                         struct errctx *ec)
{
    struct crawl_lease l;
    struct take_arg t = {.id = id, .token = l.token, .now_ms = now_ms, .a = a};
    enum err e = id_uuid(l.token);

    if (e != ERR_OK)
        return err_set(ec, e, "the system gives no random bytes");
    e = db_write(state, claim_in, &t, ec);
    if (e == ERR_NOT_FOUND)
        e = err_set(ec, e, "crawl %.40s is over, or another helper is at it",
                    id);
    if (e != ERR_OK)
        return e;
    l.job = t.job;
    *out = l;
    return ERR_OK;
}

/* --- going on and ending ------------------------------------------------ */

struct change_arg {
    const char *id, *token, *error; /* token NULL: whoever holds it */
    const struct crawl_count *n;    /* NULL: as they are */
    enum crawl_state state;
    int64_t now_ms; /* 0: it is free from now on */
};

static enum err change_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct change_arg *c = arg;
    const struct crawl_count *n = c->n;
    struct stmt *q = sql_with(
        db,
        "UPDATE crawl_job SET state = ?2, beat = ?3,"
        " ended = CASE WHEN ?2 = 0 THEN 0 ELSE ?3 END, error = ?4,"
        " token = CASE WHEN ?3 = 0 THEN NULL ELSE token END,"
        " attempt = CASE WHEN coalesce(?6, stored) + coalesce(?7, skipped)"
        "  + coalesce(?8, failed) > stored + skipped + failed THEN 0 WHEN"
        "  ?3 = 0 AND attempt > 0 THEN attempt - 1 ELSE attempt END,"
        " stored = coalesce(?6, stored), skipped = coalesce(?7, skipped),"
        " failed = coalesce(?8, failed), queued = coalesce(?9, queued)"
        " WHERE id = ?1 AND state = 0"
        " AND coalesce(token, '') = coalesce(?5, token, '')",
        as_text(c->id), as_int(c->state), as_int(c->now_ms), as_text(c->error),
        as_text(c->token));
    enum err e;

    if (n != NULL) {
        sql_int(q, 6, n->stored);
        sql_int(q, 7, n->skipped);
        sql_int(q, 8, n->failed);
        sql_int(q, 9, n->queued);
    }
    e = sql_run(q, ec);
    if (e == ERR_OK && sql_changes(db) == 0)
        e = err_set(ec, c->token == NULL ? ERR_NOT_FOUND : ERR_LEASE_LOST,
                    "crawl %.40s is over, or another helper's", c->id);
    return e;
}

enum err crawl_job_beat(struct db *state, const struct crawl_lease *l,
                        const struct crawl_count *n, int64_t now_ms,
                        struct errctx *ec)
{
    struct change_arg c = {
        .id = l->job.id, .token = l->token, .n = n, .now_ms = now_ms};

    return db_write(state, change_in, &c, ec);
}

enum err crawl_job_put_back(struct db *state, const struct crawl_lease *l,
                            const struct crawl_count *n, struct errctx *ec)
{
    return crawl_job_beat(state, l, n, 0, ec);
}

enum err crawl_job_end(struct db *state, const struct crawl_lease *l,
                       enum crawl_state s, const struct crawl_count *n,
                       const char *error, int64_t now_ms, struct errctx *ec)
{
    struct change_arg c = {l->job.id, l->token, error, n, s, now_ms};

    return db_write(state, change_in, &c, ec);
}

enum err crawl_job_stop(struct db *state, const char *id, int64_t now_ms,
                        struct errctx *ec)
{
    struct change_arg c = {
        .id = id, .state = CRAWL_INTERRUPTED, .now_ms = now_ms};

    return db_write(state, change_in, &c, ec);
}

enum err crawl_job_release(struct db *state, const struct crawl_lease *l,
                           const char *error, struct errctx *ec)
{
    int64_t changed = 0;
    enum err e = db_do(state, &changed, ec,
                       "UPDATE crawl_job SET token = NULL, error = ?3"
                       " WHERE id = ?1 AND token = ?2 AND state = 0",
                       as_text(l->job.id), as_text(l->token), as_text(error));

    if (e == ERR_OK && changed == 0)
        e = err_set(ec, ERR_LEASE_LOST, "crawl %.40s is another helper's",
                    l->job.id);
    return e;
}
