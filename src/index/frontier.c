/*
 * The crawl frontier; see frontier.h. Order of discovery is the row id, which
 * is breadth first for a crawler that takes URLs in that order. Called by
 * crawl.
 */
#include "index/frontier.h"

#include "base/buf.h"
#include "store/share.h"
#include "store/sql.h"
#include "json/json.h"

#include <string.h>

enum { SUMMARY_MAX = 1000, REASON_MAX = 200, ITEMS_MAX = 256 << 20 };
enum { HELD_MS = 15000 };

/* In index.db, or with the pages that it follows. */
static struct db *place(struct db *index)
{
    return index->source == NULL ? index : index->source;
}

/* --- crawls ------------------------------------------------------------ */

struct begin_arg {
    const char *name;
    int64_t now_ms, id;
    bool resumed;
};

static enum err begin_in(struct db *db, void *arg, struct errctx *ec)
{
    struct begin_arg *b = arg;
    enum err e = sql_do(db, ec,
                        "INSERT INTO crawl(name, started) VALUES(?1, ?2)"
                        " ON CONFLICT(name) DO NOTHING",
                        as_text(b->name), as_int(b->now_ms));

    b->resumed = e == ERR_OK && sql_changes(db) == 0;
    return e != ERR_OK
               ? e
               : sql_number(sql_with(db, "SELECT id FROM crawl WHERE name = ?1",
                                     as_text(b->name)),
                            &b->id, ec);
}

enum err crawl_begin(struct db *index, const char *name, int64_t now_ms,
                     int64_t *crawl, bool *resumed, struct errctx *ec)
{
    struct begin_arg b = {.name = name, .now_ms = now_ms};
    enum err e = db_write(place(index), begin_in, &b, ec);

    if (e != ERR_OK)
        return e;
    *crawl = b.id;
    *resumed = b.resumed;
    return ERR_OK;
}

enum err crawl_end(struct db *index, int64_t crawl, struct errctx *ec)
{
    return db_do(place(index), NULL, ec, "DELETE FROM crawl WHERE id = ?1",
                 as_int(crawl));
}

enum err crawl_hold(struct db *index, int64_t crawl, struct errctx *ec)
{
    enum err e;

    if (index->source == NULL)
        return ERR_OK;
    e = sql_do(
        index->source, ec,
        "UPDATE crawl SET holder = ?2, beat = " REMOTE_NOW " WHERE id = ?1"
        " AND (holder = ?2 OR beat <= " REMOTE_NOW " - ?3)",
        as_int(crawl), as_int(share_self(index->file->path)), as_int(HELD_MS));
    if (e == ERR_OK && sql_changes(index->source) == 0)
        e = err_set(ec, ERR_BUSY,
                    "another machine is at this crawl; wait for its end");
    return e;
}

enum err crawl_release(struct db *index, int64_t crawl, struct errctx *ec)
{
    if (index->source == NULL)
        return ERR_OK;
    return sql_do(index->source, ec,
                  "UPDATE crawl SET beat = 0 WHERE id = ?1 AND holder = ?2",
                  as_int(crawl), as_int(share_self(index->file->path)));
}

/* --- URLs -------------------------------------------------------------- */

struct add_arg {
    int64_t crawl;
    const struct frontier_item *items;
    size_t count;
    int64_t added;
};

/* All with one statement, where each is a way to the server and back. */
static enum err add_remote(struct db *db, struct add_arg *x, struct errctx *ec)
{
    struct json_out w;
    struct buf rows;
    enum err e;

    buf_init(&rows, ITEMS_MAX);
    jw_init(&w, &rows);
    jw_array(&w);
    for (size_t i = 0; i < x->count; i++) {
        jw_object(&w);
        jw_kint(&w, "n", (int64_t)i);
        jw_kstring(&w, "url", x->items[i].url);
        jw_kint(&w, "depth", x->items[i].depth);
        jw_kint(&w, "tries", x->items[i].tries);
        jw_object_end(&w);
    }
    jw_array_end(&w);
    e = buf_err(&rows);
    if (e != ERR_OK)
        err_set(ec, e, "too many addresses at once");
    else
        e = sql_do(db, ec,
                   "INSERT INTO frontier(crawl, url, depth, tries, state,"
                   " reason) SELECT ?1, url, depth, tries, 0, ''"
                   " FROM json_to_recordset(CAST(?2 AS json)) AS one("
                   "n INTEGER, url TEXT, depth BIGINT, tries BIGINT)"
                   " ORDER BY n ON CONFLICT(crawl, url) DO NOTHING",
                   as_int(x->crawl), as_text(buf_str(&rows)));
    if (e == ERR_OK)
        x->added = sql_changes(db);
    buf_fini(&rows);
    return e;
}

static enum err add_in(struct db *db, void *arg, struct errctx *ec)
{
    struct add_arg *x = arg;
    enum err e = ERR_OK;

    x->added = 0;
    if (db->pg != NULL)
        return add_remote(db, x, ec);
    for (size_t i = 0; i < x->count && e == ERR_OK; i++) {
        e = sql_do(db, ec,
                   "INSERT INTO frontier(crawl, url, depth, tries, state,"
                   " reason) VALUES(?1, ?2, ?3, ?4, 0, '')"
                   " ON CONFLICT(crawl, url) DO NOTHING",
                   as_int(x->crawl), as_text(x->items[i].url),
                   as_int(x->items[i].depth), as_int(x->items[i].tries));
        if (e == ERR_OK)
            x->added += sql_changes(db);
    }
    return e;
}

enum err frontier_add(struct db *index, int64_t crawl,
                      const struct frontier_item *items, size_t count,
                      int64_t *added, struct errctx *ec)
{
    struct add_arg x = {crawl, items, count, 0};
    enum err e = db_write(place(index), add_in, &x, ec);

    if (e == ERR_OK)
        *added = x.added;
    return e;
}

static void item_read(struct stmt *q, struct arena *a, void *element)
{
    *(struct frontier_item *)element =
        (struct frontier_item){sql_col_text(q, 1, a), (int)sql_col_int(q, 2),
                               (int)sql_col_int(q, 3), sql_col_int(q, 0)};
}

enum err frontier_due(struct db *index, int64_t crawl, int64_t *after,
                      size_t limit, struct arena *a, struct frontier_item **out,
                      size_t *count, struct errctx *ec)
{
    static const struct sql_shape shape = {sizeof **out, item_read};
    enum err e = sql_rows(sql_with(place(index),
                                   "SELECT id, url, depth, tries FROM frontier"
                                   " WHERE crawl = ?1 AND state = 0 AND id > ?2"
                                   " ORDER BY id LIMIT ?3",
                                   as_int(crawl), as_int(*after),
                                   as_int((int64_t)limit)),
                          &shape, limit, a, out, count, ec);

    if (e == ERR_OK && *count > 0)
        *after = (*out)[*count - 1].seq;
    return e;
}

enum err frontier_mark(struct db *index, int64_t crawl, const char *url,
                       enum frontier_state state, const char *reason,
                       struct errctx *ec)
{
    const char *why = reason == NULL ? "" : reason;
    int64_t changed = 0;
    enum err e = db_do(place(index), &changed, ec,
                       "UPDATE frontier SET state = ?3, reason = ?4,"
                       " tries = tries + 1 WHERE crawl = ?1 AND url = ?2",
                       as_int(crawl), as_text(url), as_int(state),
                       as_bytes(why, strnlen(why, REASON_MAX)));

    return e == ERR_OK && changed == 0
               ? err_set(ec, ERR_NOT_FOUND, "not in the frontier: %.200s", url)
               : e;
}

static void count_read(struct stmt *q, struct arena *a, void *element)
{
    *(struct frontier_count *)element =
        (struct frontier_count){(enum frontier_state)sql_col_int(q, 0),
                                sql_col_text(q, 1, a), sql_col_int(q, 2)};
}

enum err frontier_summary(struct db *index, int64_t crawl, struct arena *a,
                          struct frontier_count **out, size_t *count,
                          struct errctx *ec)
{
    static const struct sql_shape shape = {sizeof **out, count_read};

    return sql_rows(sql_with(place(index),
                             "SELECT state, reason, count(*)"
                             " FROM frontier WHERE crawl = ?1"
                             " GROUP BY state, reason"
                             " ORDER BY state, count(*) DESC, reason LIMIT ?2",
                             as_int(crawl), as_int(SUMMARY_MAX)),
                    &shape, SUMMARY_MAX, a, out, count, ec);
}
