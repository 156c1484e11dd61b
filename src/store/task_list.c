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

/* SQLite is told which index, and to put what it found in order by itself. */
#define LIST_SQL(indexed, order, outer)                                        \
    "SELECT " TASK_COLUMNS " FROM task WHERE seq IN"                           \
    " (SELECT seq FROM task " indexed " WHERE account = ?1"                    \
    " AND type = 0 ORDER BY " order " LIMIT ?2 OFFSET ?3) ORDER BY " outer
#define EITHER_SQL(db, column, way)                                            \
    sql_either(db,                                                             \
               LIST_SQL("INDEXED BY task_" column, column way ", id" way,      \
                        "+" column way ", +id" way),                           \
               LIST_SQL("", column way ", id" way, column way ", id" way))

static const char *list_sql(const struct db *db, enum task_sort sort, bool down)
{
    if (sort == TASK_BY_CREATED)
        return down ? EITHER_SQL(db, "created", " DESC")
                    : EITHER_SQL(db, "created", "");
    return down ? EITHER_SQL(db, "updated", " DESC")
                : EITHER_SQL(db, "updated", "");
}

static enum err total_of(struct db *db, int64_t account, int64_t *total,
                         struct errctx *ec)
{
    return sql_number(sql_with(db,
                               "SELECT coalesce(max(total), 0)"
                               " FROM task_count WHERE account = ?1",
                               as_int(account)),
                      total, ec);
}

static void turn(struct task *t, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        struct task swap = t[i];

        t[i] = t[n - 1 - i];
        t[n - 1 - i] = swap;
    }
}

/* The rows of q, whose parameters are bound. */
static enum err read_rows(struct stmt *q, const struct walk *w, struct arena *a,
                          struct task_page *out, struct errctx *ec)
{
    enum err e =
        sql_rows(q, &task_shape, w->n, a, &out->tasks, &out->count, ec);

    if (e == ERR_OK && w->reverse)
        turn(out->tasks, out->count);
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

        e = read_rows(sql_with(state, list_sql(state, sort, w.down),
                               as_int(account), as_int((int64_t)w.n),
                               as_int(w.offset)),
                      &w, a, &got, ec);
    }
    db_read_end(state);
    if (e == ERR_OK)
        *out = got;
    return e;
}

/* --- of any type --------------------------------------------------------- */

#define SOME                                                                   \
    " FROM task WHERE account = ?1 AND type IN (0, 1, 2)"                      \
    " AND (?2 >> type) & 1 = 1 AND (?3 >> state) & 1 = 1"
#define SOME_SQL(order)                                                        \
    "SELECT " TASK_COLUMNS SOME " ORDER BY " order " LIMIT ?4 OFFSET ?5"

static const char *some_sql(enum task_sort sort, bool down)
{
    if (sort == TASK_BY_CREATED)
        return down ? SOME_SQL("created DESC, id DESC")
                    : SOME_SQL("created, id");
    return down ? SOME_SQL("updated DESC, id DESC") : SOME_SQL("updated, id");
}

enum err task_list_some(struct db *state, int64_t account, unsigned types,
                        unsigned states, enum task_sort sort, bool descending,
                        int64_t page, int64_t page_size, struct arena *a,
                        struct task_page *out, struct errctx *ec)
{
    struct walk w = {.n = (size_t)page_size};
    struct task_page got = {0};
    enum err e = db_read_begin(state, ec);

    if (e != ERR_OK)
        return e;
    e = sql_number(sql_with(state, "SELECT count(*)" SOME, as_int(account),
                            as_int(types), as_int(states)),
                   &got.total, ec);
    if (e == ERR_OK)
        e = read_rows(sql_with(state, some_sql(sort, descending),
                               as_int(account), as_int(types), as_int(states),
                               as_int(page_size),
                               as_int((page - 1) * page_size)),
                      &w, a, &got, ec);
    db_read_end(state);
    if (e == ERR_OK)
        *out = got;
    return e;
}
