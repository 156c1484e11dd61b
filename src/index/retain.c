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
    enum err e = hold_old_tasks(db, r, ec);

    if (e != ERR_OK)
        return e;
    e = sql_do(db, ec,
               "UPDATE task_count SET total = total -"
               " (SELECT count(*) FROM task WHERE seq IN (" OLD_TASKS
               ") AND task.type = 0"
               "  AND task.account = task_count.account)",
               as_int(r->before_ms), as_int(RETAIN_AT_ONCE));
    if (e == ERR_OK)
        e = sql_do(db, ec, "DELETE FROM task WHERE seq IN (" OLD_TASKS ")",
                   as_int(r->before_ms), as_int(RETAIN_AT_ONCE));
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

static void url_read(struct stmt *q, struct arena *a, void *element)
{
    *(const char **)element = sql_col_text(q, 0, a);
}

static enum err remove_pages(struct db *index, const char *const *urls,
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
    static const struct sql_shape shape = {sizeof(char *), url_read};
    const char **urls = NULL;
    struct arena a;
    size_t count = 0;
    enum err e;

    arena_init(&a, URLS_MAX);
    e = sql_rows(sql_with(index, "SELECT url FROM page WHERE fetched < ?1",
                          as_int(before_ms)),
                 &shape, RETAIN_AT_ONCE, &a, &urls, &count, ec);
    if (e == ERR_OK && count > 0)
        e = remove_pages(index, urls, count, ec);
    arena_fini(&a);
    if (e == ERR_OK)
        *removed = (int64_t)count;
    return e;
}
