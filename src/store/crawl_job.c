/*
 * Rows of crawls; see crawl_job.h. Called by web/h_index and prog/crawler.
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
    "id, url, pages, coalesce(delay, -1), state, beat, stored, skipped,"       \
    " failed, queued, started, ended, error"

static void read_job(struct stmt *q, struct arena *a, void *element)
{
    *(struct crawl_job *)element = (struct crawl_job){
        .id = sql_col_text(q, 0, a),
        .order = {sql_col_text(q, 1, a), sql_col_int(q, 2), sql_col_int(q, 3)},
        .state = (enum crawl_state)(sql_col_int(q, 4) & 3),
        .beat_ms = sql_col_int(q, 5),
        .count = {sql_col_int(q, 6), sql_col_int(q, 7), sql_col_int(q, 8),
                  sql_col_int(q, 9)},
        .started_ms = sql_col_int(q, 10),
        .ended_ms = sql_col_int(q, 11),
        .error = sql_col_text(q, 12, a)};
}

static const struct sql_shape job_shape = {sizeof(struct crawl_job), read_job};

/* One whose helper is silent is over. */
static void look_at(struct crawl_job *j, int64_t now_ms)
{
    if (j->state != CRAWL_RUNNING || now_ms - j->beat_ms <= CRAWL_SILENT_MS)
        return;
    j->state = CRAWL_INTERRUPTED;
    j->ended_ms = j->beat_ms;
}

/* The one row of q, whose parameters are bound. */
static enum err one_job(struct stmt *q, int64_t now_ms, struct arena *a,
                        struct crawl_job *out, struct errctx *ec)
{
    enum err e = sql_row(q, &job_shape, a, out, ec);

    if (e == ERR_OK)
        look_at(out, now_ms);
    return e;
}

enum err crawl_job_get(struct db *state, const char *id, int64_t now_ms,
                       struct arena *a, struct crawl_job *out,
                       struct errctx *ec)
{
    struct stmt *q = sql_with(
        state, "SELECT " COLUMNS " FROM crawl_job WHERE id = ?1", as_text(id));
    enum err e = one_job(q, now_ms, a, out, ec);

    return e == ERR_NOT_FOUND ? err_set(ec, e, "no crawl %.40s", id) : e;
}

enum err crawl_job_list(struct db *state, size_t limit, int64_t now_ms,
                        struct arena *a, struct crawl_job **out, size_t *count,
                        struct errctx *ec)
{
    struct stmt *q =
        sql_get(state, "SELECT " COLUMNS " FROM crawl_job ORDER BY seq DESC");
    void *list = NULL;
    enum err e = sql_rows(q, &job_shape, limit, a, &list, count, ec);

    if (e != ERR_OK)
        return e;
    *out = list;
    for (size_t i = 0; i < *count; i++)
        look_at(&(*out)[i], now_ms);
    return ERR_OK;
}

/* --- beginning --------------------------------------------------------- */

struct create_arg {
    char id[UUID_LEN + 1];
    int64_t account, running_max, now_ms;
    const struct crawl_order *order;
    struct arena *a;
    struct crawl_job job;
    bool fresh;
};

/* Crawls whose helper lives. */
static enum err count_running(struct db *db, const struct create_arg *c,
                              int64_t *n, struct errctx *ec)
{
    return sql_number(sql_with(db,
                               "SELECT count(*) FROM crawl_job"
                               " WHERE state = 0 AND beat >= ?1",
                               as_int(c->now_ms - CRAWL_SILENT_MS)),
                      n, ec);
}

static enum err find_running(struct db *db, struct create_arg *c,
                             struct errctx *ec)
{
    struct stmt *q =
        sql_with(db,
                 "SELECT " COLUMNS " FROM crawl_job"
                 " WHERE state = 0 AND beat >= ?1 AND url = ?2 LIMIT 1",
                 as_int(c->now_ms - CRAWL_SILENT_MS), as_text(c->order->url));

    return one_job(q, c->now_ms, c->a, &c->job, ec);
}

static enum err insert(struct db *db, const struct create_arg *c,
                       struct errctx *ec)
{
    enum err e =
        sql_do(db, ec,
               "INSERT INTO crawl_job(id, account, url, pages, beat,"
               " started, delay) VALUES(?1, ?2, ?3, ?4, ?5, ?5,"
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
    struct stmt *q;
    enum err e = sql_lock(db, LOCK_CRAWLS, 0, ec);

    if (e == ERR_OK)
        e = find_running(db, c, ec);
    c->fresh = e == ERR_NOT_FOUND;
    if (!c->fresh)
        return e;
    e = count_running(db, c, &running, ec);
    if (e == ERR_OK && running >= c->running_max)
        e = err_set(ec, ERR_LIMIT, "%lld crawls are running",
                    (long long)running);
    if (e == ERR_OK)
        e = insert(db, c, ec);
    if (e != ERR_OK)
        return e;
    q = sql_with(db, "SELECT " COLUMNS " FROM crawl_job WHERE id = ?1",
                 as_text(c->id));
    return one_job(q, c->now_ms, c->a, &c->job, ec);
}

enum err crawl_job_create(struct db *state, int64_t account,
                          const struct crawl_order *order, int64_t running_max,
                          int64_t now_ms, struct arena *a,
                          struct crawl_job *out, bool *fresh, struct errctx *ec)
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
    if (e == ERR_OK) {
        *out = c.job;
        *fresh = c.fresh;
    }
    return e;
}

/* --- going on and ending ----------------------------------------------- */

struct change_arg {
    const char *id, *error;
    enum crawl_state state;
    const struct crawl_count *n;
    int64_t now_ms;
};

static enum err change_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct change_arg *c = arg;
    const struct crawl_count *n = c->n;
    struct stmt *q = sql_with(
        db,
        "UPDATE crawl_job SET state = ?2, beat = ?3,"
        " ended = CASE WHEN ?2 = 0 THEN 0 ELSE ?3 END, error = ?4,"
        " stored = coalesce(?5, stored), skipped = coalesce(?6, skipped),"
        " failed = coalesce(?7, failed), queued = coalesce(?8, queued)"
        " WHERE id = ?1 AND state = 0",
        as_text(c->id), as_int(c->state), as_int(c->now_ms), as_text(c->error));
    enum err e;

    if (n != NULL) {
        sql_int(q, 5, n->stored);
        sql_int(q, 6, n->skipped);
        sql_int(q, 7, n->failed);
        sql_int(q, 8, n->queued);
    }
    e = sql_run(q, ec);
    if (e == ERR_OK && sql_changes(db) == 0)
        e = err_set(ec, ERR_NOT_FOUND, "no running crawl %.40s", c->id);
    return e;
}

enum err crawl_job_beat(struct db *state, const char *id,
                        const struct crawl_count *n, int64_t now_ms,
                        struct errctx *ec)
{
    struct change_arg c = {.id = id, .n = n, .now_ms = now_ms};

    return db_write(state, change_in, &c, ec);
}

enum err crawl_job_end(struct db *state, const char *id, enum crawl_state s,
                       const struct crawl_count *n, const char *error,
                       int64_t now_ms, struct errctx *ec)
{
    struct change_arg c = {id, error, s, n, now_ms};

    return db_write(state, change_in, &c, ec);
}
