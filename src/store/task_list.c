/*
 * The list of an account's tasks, a page at a time, in four orders. Deep
 * pages are counted from the nearer end, on an index that covers the order,
 * so that the worst case is the middle. See task.h; called by web.
 */
#include "store/task.h"

#include "store/task_sql.h"

/* Rows lo..lo+n-1 of the list as the client sees it are rows offset.. of one
 * of two index walks. */
struct walk {
    bool down;    /* against the order of the index */
    bool reverse; /* rows come last first */
    int64_t offset;
    size_t n;
};

static struct walk nearer_end(bool descending, int64_t first, int64_t n,
                              int64_t total)
{
    int64_t behind = total - first - n;

    if (first <= behind)
        return (struct walk){descending, false, first, (size_t)n};
    return (struct walk){!descending, true, behind, (size_t)n};
}

#define LIST_SQL(index, order, outer)                                          \
    "SELECT " TASK_COLUMNS " FROM task WHERE seq IN"                           \
    " (SELECT seq FROM task INDEXED BY " index " WHERE account = ?1"           \
    " AND type = 0 ORDER BY " order " LIMIT ?2 OFFSET ?3) ORDER BY " outer

static const char *list_sql(enum task_sort sort, bool down)
{
    if (sort == TASK_BY_CREATED)
        return down ? LIST_SQL("task_created", "created DESC, id DESC",
                               "+created DESC, +id DESC")
                    : LIST_SQL("task_created", "created, id", "+created, +id");
    return down ? LIST_SQL("task_updated", "updated DESC, id DESC",
                           "+updated DESC, +id DESC")
                : LIST_SQL("task_updated", "updated, id", "+updated, +id");
}

static enum err total_of(struct db *db, int64_t account, int64_t *total,
                         struct errctx *ec)
{
    struct stmt *q =
        sql_get(db, "SELECT total FROM task_count WHERE account = ?1");
    bool row = false;
    enum err e;

    sql_int(q, 1, account);
    e = sql_step(q, &row, ec);
    if (e == ERR_OK)
        *total = row ? sql_col_int(q, 0) : 0;
    sql_end(q);
    return e;
}

static void turn(struct task *t, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        struct task swap = t[i];

        t[i] = t[n - 1 - i];
        t[n - 1 - i] = swap;
    }
}

static enum err read_rows(struct stmt *q, const struct walk *w, struct arena *a,
                          struct task *list, size_t *count, struct errctx *ec)
{
    enum err e = ERR_OK;
    bool row = true;
    size_t n = 0;

    while (n < w->n && (e = sql_step(q, &row, ec)) == ERR_OK && row)
        task_read_row(q, a, &list[n++]);
    sql_end(q);
    if (w->reverse)
        turn(list, n);
    *count = n;
    return e;
}

static enum err read_page(struct db *db, int64_t account, enum task_sort sort,
                          const struct walk *w, struct arena *a,
                          struct task_page *out, struct errctx *ec)
{
    struct stmt *q = sql_get(db, list_sql(sort, w->down));
    enum err e;

    out->tasks = arena_array(a, w->n, sizeof *out->tasks);
    if (out->tasks == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    sql_int(q, 1, account);
    sql_int(q, 2, (int64_t)w->n);
    sql_int(q, 3, w->offset);
    e = read_rows(q, w, a, out->tasks, &out->count, ec);
    if (e == ERR_OK && arena_failed(a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    return e;
}

enum err task_list(struct db *state, int64_t account, enum task_sort sort,
                   bool descending, int64_t page, int64_t page_size,
                   struct arena *a, struct task_page *out, struct errctx *ec)
{
    struct task_page got = {0};
    enum err e;

    if (page < 1 || page_size < 1 || page_size > 10000)
        return err_set(ec, ERR_INVALID, "no such page");
    e = db_read_begin(state, ec);
    if (e != ERR_OK)
        return e;
    e = total_of(state, account, &got.total, ec);
    if (e == ERR_OK && page - 1 <= (got.total - 1) / page_size &&
        got.total > 0) {
        int64_t first = (page - 1) * page_size;
        int64_t left = got.total - first;
        struct walk w = nearer_end(
            descending, first, left < page_size ? left : page_size, got.total);

        e = read_page(state, account, sort, &w, a, &got, ec);
    }
    db_read_end(state);
    if (e == ERR_OK)
        *out = got;
    return e;
}

/* --- of any type --------------------------------------------------------- */

#define SOME                                                                   \
    " FROM task WHERE account = ?1 AND type IN (0, 1, 2)"                      \
    " AND (1 << type) & ?2 AND (1 << state) & ?3"
#define SOME_SQL(order)                                                        \
    "SELECT " TASK_COLUMNS SOME " ORDER BY " order " LIMIT ?4 OFFSET ?5"

static const char *some_sql(enum task_sort sort, bool down)
{
    if (sort == TASK_BY_CREATED)
        return down ? SOME_SQL("created DESC, id DESC")
                    : SOME_SQL("created, id");
    return down ? SOME_SQL("updated DESC, id DESC") : SOME_SQL("updated, id");
}

static enum err count_some(struct db *db, int64_t account, unsigned types,
                           unsigned states, int64_t *total, struct errctx *ec)
{
    struct stmt *q = sql_get(db, "SELECT count(*)" SOME);
    enum err e;

    sql_int(q, 1, account);
    sql_int(q, 2, types);
    sql_int(q, 3, states);
    e = sql_one(q, ec);
    if (e == ERR_OK)
        *total = sql_col_int(q, 0);
    sql_end(q);
    return e;
}

enum err task_list_some(struct db *state, int64_t account, unsigned types,
                        unsigned states, enum task_sort sort, bool descending,
                        int64_t page, int64_t page_size, struct arena *a,
                        struct task_page *out, struct errctx *ec)
{
    struct walk w = {.n = (size_t)page_size};
    struct task_page got = {.tasks = arena_array(a, w.n, sizeof *got.tasks)};
    struct stmt *q;
    enum err e;

    if (got.tasks == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    e = db_read_begin(state, ec);
    if (e != ERR_OK)
        return e;
    e = count_some(state, account, types, states, &got.total, ec);
    if (e == ERR_OK) {
        q = sql_get(state, some_sql(sort, descending));
        sql_int(q, 1, account);
        sql_int(q, 2, types);
        sql_int(q, 3, states);
        sql_int(q, 4, page_size);
        sql_int(q, 5, (page - 1) * page_size);
        e = read_rows(q, &w, a, got.tasks, &got.count, ec);
    }
    db_read_end(state);
    if (e == ERR_OK && arena_failed(a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    if (e == ERR_OK)
        *out = got;
    return e;
}
