/*
 * Pages where they are true; see source.h.
 *
 * A change is numbered out of the one row of page_count, which is read for
 * update at the first change of a transaction and written at its end. Whoever
 * comes next waits for that end, so that numbers commit in their order: a
 * reader that has seen a number will never find a lower one that it has not.
 * Numbers from a sequence commit in any order, and a reader would have to wait
 * for the oldest transaction that is still open, of whatever program. The price
 * is that pages are written by one transaction at a time, as in a file; it is
 * held for some statements, and for no reading of texts and no indexing.
 */
#include "index/source.h"

#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 128 << 20 };

/* The numbers, from a transaction's first change on; the connection's guest. */
struct numbers {
    struct guest guest;
    bool held;
    int64_t seq, begun; /* as they were at its beginning */
    int64_t next_page, next_passage;
    int64_t last; /* committed by this connection */
};

static enum err before_commit(struct db *db, struct errctx *ec)
{
    struct numbers *n = (struct numbers *)db->guest;
    enum err e;

    if (!n->held || n->seq == n->begun)
        return ERR_OK;
    e = sql_do(db, ec,
               "UPDATE page_count SET seq = ?1, next_page = ?2,"
               " next_passage = ?3 WHERE one = 1",
               as_int(n->seq), as_int(n->next_page), as_int(n->next_passage));
    if (e != ERR_OK)
        return e;
    return sql_do(db, ec,
                  "INSERT INTO page_turn(seq, mark, at) VALUES(?1,"
                  " CAST(floor(random() * 9e15) AS BIGINT), " REMOTE_NOW ")"
                  " RETURNING pg_notify('" SOURCE_CHANNEL "', '')",
                  as_int(n->seq));
}

static void after_end(struct db *db, bool committed)
{
    struct numbers *n = (struct numbers *)db->guest;

    if (n->held && committed && n->seq > n->begun)
        n->last = n->seq;
    n->held = false;
}

static void numbers_free(struct guest *g)
{
    free(g);
}

/* Inside a transaction. */
static enum err take_numbers(struct db *db, struct numbers **out,
                             struct errctx *ec)
{
    struct numbers *n = (struct numbers *)db->guest;
    enum err e;

    if (n == NULL) {
        n = calloc(1, sizeof *n);
        if (n == NULL)
            return err_set(ec, ERR_NOMEM, "out of memory");
        n->guest = (struct guest){before_commit, after_end, numbers_free};
        db->guest = &n->guest;
    }
    *out = n;
    if (n->held)
        return ERR_OK;
    e = sql_numbers(
        sql_get(db, "SELECT seq, next_page, next_passage FROM page_count"
                    " WHERE one = 1 FOR UPDATE"),
        (int64_t *[]){&n->seq, &n->next_page, &n->next_passage}, 3, ec);
    n->held = e == ERR_OK;
    if (n->held)
        n->begun = n->seq;
    return e;
}

int64_t source_last(const struct db *source)
{
    const struct numbers *n = (const struct numbers *)source->guest;

    return n == NULL ? 0 : n->last;
}

/* --- putting ------------------------------------------------------------ */

struct put_arg {
    struct stored_page *page;
    const char *body;
    size_t len;
};

static enum err put_in(struct db *db, void *arg, struct errctx *ec)
{
    struct put_arg *x = arg;
    struct numbers *n;
    struct stmt *q;
    enum err e = take_numbers(db, &n, ec);

    if (e != ERR_OK)
        return e;
    x->page->id = n->next_page;
    x->page->first = n->next_passage;
    q = sql_get(db, "INSERT INTO page(" STORED_COLUMNS ", body, put, seq)"
                    " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
                    " ?12, ?13, ?14, ?15, ?16, ?17, ?17)" STORED_UPDATE
                    ", body = excluded.body, put = excluded.put,"
                    " seq = excluded.seq RETURNING id");
    stored_bind(q, x->page);
    sql_blob(q, 16, x->body, x->len);
    sql_int(q, 17, n->seq + 1);
    e = sql_number(q, &x->page->id, ec);
    if (e != ERR_OK)
        return e;
    n->seq++;
    n->next_passage += (int64_t)x->page->count;
    if (x->page->id == n->next_page)
        n->next_page++;
    return ERR_OK;
}

enum err source_put(struct db *source, struct stored_page *p, struct errctx *ec)
{
    struct put_arg x = {.page = p};
    struct arena a;
    enum err e;

    arena_init(&a, 256 << 20);
    x.body = stored_pack(p, &a, &x.len);
    e = x.body == NULL ? err_set(ec, ERR_NOMEM, "out of memory")
                       : db_write(source, put_in, &x, ec);
    arena_fini(&a);
    return e;
}

/* --- touching, removing -------------------------------------------------- */

struct touch_arg {
    int64_t id, now_ms;
};

static enum err touch_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct touch_arg *x = arg;
    struct numbers *n;
    enum err e = take_numbers(db, &n, ec);

    if (e == ERR_OK)
        e = sql_do(db, ec,
                   "UPDATE page SET fetched = ?2, seq = ?3 WHERE id = ?1",
                   as_int(x->id), as_int(x->now_ms), as_int(n->seq + 1));
    if (e == ERR_OK && sql_changes(db) == 0)
        return err_set(ec, ERR_NOT_FOUND, "no page %lld", (long long)x->id);
    if (e == ERR_OK)
        n->seq++;
    return e;
}

enum err source_touch(struct db *source, int64_t id, int64_t now_ms,
                      struct errctx *ec)
{
    struct touch_arg x = {id, now_ms};

    return db_write(source, touch_in, &x, ec);
}

struct remove_arg {
    const struct page_choice *which;
    int64_t removed;
};

#define REMOVE_WHERE(condition)                                                \
    "WITH gone AS (DELETE FROM page WHERE " condition " RETURNING id)"         \
    " INSERT INTO page_gone(seq, page)"                                        \
    " SELECT ?2 + row_number() OVER (ORDER BY id), id FROM gone"

static enum err remove_in(struct db *db, void *arg, struct errctx *ec)
{
    struct remove_arg *x = arg;
    struct numbers *n;
    enum err e = take_numbers(db, &n, ec);

    x->removed = 0;
    if (e == ERR_OK && x->which->url != NULL)
        e = sql_do(db, ec, REMOVE_WHERE("url = ?1"), as_text(x->which->url),
                   as_int(n->seq));
    else if (e == ERR_OK)
        e = sql_do(
            db, ec,
            REMOVE_WHERE("rhost >= ?1 AND rhost < rtrim(?1, '.') || '/'"),
            as_text(x->which->rhost), as_int(n->seq));
    if (e != ERR_OK)
        return e;
    x->removed = sql_changes(db);
    n->seq += x->removed;
    return ERR_OK;
}

enum err source_remove(struct db *source, const struct page_choice *which,
                       int64_t *removed, struct errctx *ec)
{
    struct remove_arg x = {which, 0};
    enum err e = db_write(source, remove_in, &x, ec);

    if (e == ERR_OK)
        *removed = x.removed;
    return e;
}

/* --- forgetting ---------------------------------------------------------- */

/* The last turn of that time, but never the last of all, stays: it has the mark
 * of who is just there. */
static enum err cut_in(struct db *db, void *arg, struct errctx *ec)
{
    const int64_t *before_ms = arg;
    int64_t to = 0;
    enum err e =
        sql_number(sql_with(db,
                            "SELECT coalesce(max(t.seq), 0) FROM page_turn t,"
                            " page_count c WHERE t.at < ?1 AND t.seq < c.seq",
                            as_int(*before_ms)),
                   &to, ec);

    if (e != ERR_OK || to == 0)
        return e;
    e = sql_do(db, ec, "UPDATE page_count SET cut = ?1 WHERE cut < ?1",
               as_int(to));
    if (e == ERR_OK)
        e = sql_do(db, ec, "DELETE FROM page_gone WHERE seq <= ?1", as_int(to));
    if (e == ERR_OK)
        e = sql_do(db, ec, "DELETE FROM page_turn WHERE seq < ?1", as_int(to));
    return e;
}

enum err source_cut(struct db *source, int64_t before_ms, struct errctx *ec)
{
    return db_write(source, cut_in, &before_ms, ec);
}

/* --- reading ------------------------------------------------------------- */

const char *source_bytes(struct stmt *q, int i, struct arena *a, size_t *len)
{
    char *p;

    *len = sql_col_blob(q, i, NULL, 0);
    p = arena_alloc(a, *len + 1);
    if (p != NULL)
        (void)sql_col_blob(q, i, p, *len);
    return p;
}

static enum err join(const struct stored_page *p, struct arena *a,
                     const char **out, struct errctx *ec)
{
    struct buf b;
    const char *z = NULL;
    enum err e;

    buf_init(&b, TEXT_MAX);
    for (size_t i = 0; i < p->count; i++) {
        if (i > 0)
            buf_adds(&b, "\n\n");
        buf_adds(&b, p->passages[i].text);
    }
    e = buf_err(&b);
    if (e == ERR_OK)
        z = arena_strndup(a, buf_str(&b), b.len);
    buf_fini(&b);
    if (e == ERR_OK && z == NULL)
        e = err_set(ec, ERR_NOMEM, "out of memory");
    if (e == ERR_OK)
        *out = z;
    return e;
}

enum err source_text(struct db *source, int64_t id, struct arena *a,
                     const char **out, struct errctx *ec)
{
    struct stmt *q = sql_with(
        source, "SELECT passages, body FROM page WHERE id = ?1", as_int(id));
    struct stored_page p = {.id = id};
    const char *body = NULL;
    size_t len = 0;
    enum err e = sql_one(q, ec);

    if (e == ERR_OK) {
        p.count = (size_t)sql_col_int(q, 0);
        body = source_bytes(q, 1, a, &len);
    }
    sql_end(q);
    if (e == ERR_OK && body == NULL)
        e = err_set(ec, ERR_NOMEM, "out of memory");
    if (e == ERR_OK)
        e = stored_unpack(body, len, &p, a, ec);
    return e == ERR_OK ? join(&p, a, out, ec) : e;
}
