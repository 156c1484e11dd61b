/*
 * Passages and their pages as candidates; see candidate.h and, for
 * index_passages, page.h. What is said of a page is read once for passages of
 * it in a row, which share it.
 */
#include "index/candidate.h"
#include "index/page_sql.h"

#include <stdlib.h>

enum { FETCH_MAX = 1000, /* of one page at once */ BATCH = 32 };

#define PASSAGE_COLUMNS "t.id, t.page, t.start, t.heading, t.text, t.parts"
#define ORIGIN_COLUMNS                                                         \
    "p.url, p.host, p.title, p.favicon, p.lang, p.day, p.text_bytes,"          \
    " p.first, p.passages"

/* Rows in the order of their ids' places; a place without one gives none. */
#define FOUR "(?), (?), (?), (?)"
#define SIXTEEN FOUR ", " FOUR ", " FOUR ", " FOUR
static const char batch_sql[] =
    "SELECT " PASSAGE_COLUMNS ", " ORIGIN_COLUMNS " FROM (VALUES " SIXTEEN
    ", " SIXTEEN ") v CROSS JOIN passage t ON t.id = v.column1"
    " CROSS JOIN page p ON p.id = t.page";
enum { PASSAGE_COUNT = 6 }; /* columns before those of the page */

/* A page, as candidates tell of it. */
struct origin {
    struct candidate c; /* only what all its passages share */
    int64_t first, passages;
};

/* Its columns begin with number i. */
static void origin_columns(struct stmt *q, int i, int64_t page, struct arena *a,
                           struct origin *out)
{
    *out = (struct origin){{.page = page,
                            .url = sql_col_text(q, i, a),
                            .host = sql_col_text(q, i + 1, a),
                            .title = sql_col_text(q, i + 2, a),
                            .favicon = sql_col_text(q, i + 3, a),
                            .lang = sql_col_text(q, i + 4, a),
                            .day = page_col_day(q, i + 5),
                            .page_bytes = sql_col_int(q, i + 6)},
                           sql_col_int(q, i + 7),
                           sql_col_int(q, i + 8)};
}

static enum err read_origin(struct db *db, int64_t page, struct arena *a,
                            struct origin *out, struct errctx *ec)
{
    struct stmt *q =
        sql_with(db, "SELECT " ORIGIN_COLUMNS " FROM page p WHERE p.id = ?1",
                 as_int(page));
    enum err e = sql_one(q, ec);

    if (e == ERR_OK)
        origin_columns(q, 0, page, a, out);
    sql_end(q);
    return e;
}

static void read_passage(struct stmt *q, const struct origin *o,
                         struct arena *a, struct candidate *c)
{
    *c = o->c;
    c->passage = sql_col_int(q, 0);
    c->seq = c->passage - o->first;
    c->start = (size_t)sql_col_int(q, 2);
    c->heading = sql_col_text(q, 3, a);
    c->text = sql_col_text(q, 4, a);
    c->parts = sql_col_text(q, 5, a);
}

static int by_passage(const void *x, const void *y)
{
    int64_t a = (*(const struct found *const *)x)->passage;
    int64_t b = (*(const struct found *const *)y)->passage;

    return a < b ? -1 : a > b;
}

/* At most BATCH of them into their places of list, which stays empty where one
 * is gone; o is the page of the last one read. */
static enum err read_batch(struct db *db, const struct found *found,
                           const struct found *const *order, size_t n,
                           struct arena *a, struct origin *o,
                           struct candidate *list, struct errctx *ec)
{
    struct stmt *q = sql_get(db, batch_sql);
    bool row = true;
    enum err e = ERR_OK;

    for (size_t i = 0; i < n; i++)
        sql_int(q, (int)i + 1, order[i]->passage);
    for (size_t i = 0; i < n && (e = sql_step(q, &row, ec)) == ERR_OK && row;
         i++) {
        while (i + 1 < n && order[i]->passage != sql_col_int(q, 0))
            i++;
        if (sql_col_int(q, 1) != o->c.page)
            origin_columns(q, PASSAGE_COUNT, sql_col_int(q, 1), a, o);
        read_passage(q, o, a, &list[order[i] - found]);
        list[order[i] - found].score = order[i]->score;
    }
    sql_end(q);
    return e;
}

/* In the order in which they are stored. */
enum err candidates_read(struct db *db, const struct found *found, size_t n,
                         struct arena *a, struct candidate **out, size_t *count,
                         struct errctx *ec)
{
    struct candidate *list = arena_array(a, n, sizeof *list);
    const struct found **order = arena_array(a, n, sizeof *order);
    struct origin o = {{.page = -1}, 0, 0};
    size_t kept = 0;
    enum err e = ERR_OK;

    if (list == NULL || order == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        order[i] = &found[i];
    if (n > 0)
        qsort(order, n, sizeof *order, by_passage);
    for (size_t i = 0; i < n && e == ERR_OK; i += BATCH)
        e = read_batch(db, found, order + i, n - i < BATCH ? n - i : BATCH, a,
                       &o, list, ec);
    if (e == ERR_OK && arena_failed(a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < n; i++)
        if (list[i].passage != 0)
            list[kept++] = list[i];
    *out = list;
    *count = kept;
    return ERR_OK;
}

enum err index_passages(struct db *index, int64_t page, int64_t seq,
                        size_t limit, struct arena *a, struct candidate **out,
                        size_t *count, struct errctx *ec)
{
    struct candidate *list;
    struct origin o;
    struct stmt *q;
    bool row = true;
    size_t n = 0;
    enum err e = read_origin(index, page, a, &o, ec);

    *out = NULL;
    *count = 0;
    if (e != ERR_OK)
        return e == ERR_NOT_FOUND ? ERR_OK : e;
    if (limit > FETCH_MAX)
        limit = FETCH_MAX;
    list = arena_array(a, limit, sizeof *list);
    q = sql_with(index,
                 "SELECT " PASSAGE_COLUMNS " FROM passage t WHERE t.id >= ?1"
                 " AND t.id < ?2 ORDER BY t.id LIMIT ?3",
                 as_int(o.first + (seq > 0 ? seq : 0)),
                 as_int(o.first + o.passages), as_int((int64_t)limit));
    for (; list != NULL && n < limit; n++) {
        e = sql_step(q, &row, ec);
        if (e != ERR_OK || !row)
            break;
        read_passage(q, &o, a, &list[n]);
    }
    sql_end(q);
    if (e == ERR_OK && arena_failed(a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    if (e != ERR_OK)
        return e;
    *out = list;
    *count = n;
    return ERR_OK;
}
