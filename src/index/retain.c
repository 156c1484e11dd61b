/* Removing what is old; see retain.h. */
#include "index/retain.h"

#include "index/page.h"
#include "store/sql.h"

enum { URLS_MAX = 1 << 20 };

struct retain_arg {
    int64_t before_ms, removed;
};

/* --- tasks ------------------------------------------------------------- */

/* The counters first, while the rows can still be counted by account. The
 * index task_updated is used for each account and enum task_type. */
#define OLD_TASKS                                                              \
    "SELECT t.seq FROM account a CROSS JOIN task t WHERE t.account = a.id"     \
    " AND t.type IN (0, 1, 2) AND t.updated < ?1 AND t.state >= 2"             \
    " AND NOT EXISTS"                                                          \
    " (SELECT 1 FROM callback c WHERE c.task = t.seq AND c.state = 1)"         \
    " ORDER BY t.seq LIMIT ?2"

/* Nobody else removes them meanwhile: what is counted is what goes. */
static enum err hold_old_tasks(struct db *db, const struct retain_arg *r,
                               struct errctx *ec)
{
    enum err e = sql_lock(db, LOCK_OLD, 0, ec);

    if (e != ERR_OK || db->pg == NULL)
        return e;
    return sql_do(db, ec,
                  "SELECT 1 FROM task WHERE seq IN (" OLD_TASKS
                  ") ORDER BY seq FOR UPDATE",
                  as_int(r->before_ms), as_int(RETAIN_AT_ONCE));
}

static enum err tasks_in(struct db *db, void *arg, struct errctx *ec)
{
    struct retain_arg *r = arg;
    struct stmt *q;
    enum err e = hold_old_tasks(db, r, ec);

    if (e != ERR_OK)
        return e;
    q = sql_get(db, "UPDATE task_count SET total = total -"
                    " (SELECT count(*) FROM task WHERE seq IN (" OLD_TASKS
                    ") AND task.type = 0"
                    "  AND task.account = task_count.account)");
    sql_int(q, 1, r->before_ms);
    sql_int(q, 2, RETAIN_AT_ONCE);
    e = sql_run(q, ec);
    if (e != ERR_OK)
        return e;
    q = sql_get(db, "DELETE FROM task WHERE seq IN (" OLD_TASKS ")");
    sql_int(q, 1, r->before_ms);
    sql_int(q, 2, RETAIN_AT_ONCE);
    e = sql_run(q, ec);
    if (e == ERR_OK)
        r->removed = sql_changes(db);
    return e;
}

enum err retain_tasks(struct db *state, int64_t before_ms, int64_t *removed,
                      struct errctx *ec)
{
    struct retain_arg r = {before_ms, 0};
    enum err e = db_write(state, tasks_in, &r, ec);

    if (e == ERR_OK)
        *removed = r.removed;
    return e;
}

/* --- pages ------------------------------------------------------------- */

static enum err old_pages(struct db *db, int64_t before_ms, struct arena *a,
                          const char *urls[RETAIN_AT_ONCE], size_t *count,
                          struct errctx *ec)
{
    struct stmt *q =
        sql_get(db, "SELECT url FROM page WHERE fetched < ?1 LIMIT ?2");
    bool row = true;
    enum err e = ERR_OK;

    sql_int(q, 1, before_ms);
    sql_int(q, 2, RETAIN_AT_ONCE);
    while (e == ERR_OK && *count < RETAIN_AT_ONCE) {
        e = sql_step(q, &row, ec);
        if (e != ERR_OK || !row)
            break;
        urls[(*count)++] = sql_col_text(q, 0, a);
    }
    sql_end(q);
    if (e == ERR_OK && arena_failed(a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    return e;
}

static enum err remove_pages(struct db *index,
                             const char *const urls[RETAIN_AT_ONCE],
                             size_t count, struct errctx *ec)
{
    enum err e = page_batch_begin(index, ec);

    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < count && e == ERR_OK; i++) {
        int64_t n;

        e = page_remove(index, urls[i], false, &n, ec);
        if (e == ERR_NOT_FOUND) /* somebody else was faster */
            e = ERR_OK;
    }
    if (e == ERR_OK)
        return page_batch_commit(index, ec);
    page_batch_abort(index);
    return e;
}

enum err retain_pages(struct db *index, int64_t before_ms, int64_t *removed,
                      struct errctx *ec)
{
    const char *urls[RETAIN_AT_ONCE];
    struct arena a;
    size_t count = 0;
    enum err e;

    arena_init(&a, URLS_MAX);
    e = old_pages(index, before_ms, &a, urls, &count, ec);
    if (e == ERR_OK && count > 0)
        e = remove_pages(index, urls, count, ec);
    arena_fini(&a);
    if (e == ERR_OK)
        *removed = (int64_t)count;
    return e;
}
