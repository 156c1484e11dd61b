/*
 * Passages and their pages as candidates; see candidate.h and, for
 * index_passages, page.h.
 */
#include "index/candidate.h"
#include "index/page_sql.h"

enum { FETCH_MAX = 1000 }; /* of one page at once */

#define CANDIDATE_SQL                                                          \
    "SELECT t.id, t.page, t.id - p.first, t.start, p.url, p.host, p.title,"    \
    " t.heading, t.text, p.favicon, p.lang, p.day, p.text_bytes,"              \
    " t.parts"                                                                 \
    " FROM passage t, page p"

static void read_row(struct stmt *q, struct arena *a, struct candidate *c)
{
    c->passage = sql_col_int(q, 0);
    c->page = sql_col_int(q, 1);
    c->seq = sql_col_int(q, 2);
    c->start = (size_t)sql_col_int(q, 3);
    c->url = sql_col_text(q, 4, a);
    c->host = sql_col_text(q, 5, a);
    c->title = sql_col_text(q, 6, a);
    c->heading = sql_col_text(q, 7, a);
    c->text = sql_col_text(q, 8, a);
    c->favicon = sql_col_text(q, 9, a);
    c->lang = sql_col_text(q, 10, a);
    c->day = page_col_day(q, 11);
    c->page_bytes = sql_col_int(q, 12);
    c->parts = sql_col_text(q, 13, a);
}

enum err candidates_read(struct db *db, const struct found *found, size_t n,
                         struct arena *a, struct candidate **out,
                         struct errctx *ec)
{
    struct candidate *list = arena_array(a, n, sizeof *list);
    enum err e = ERR_OK;

    for (size_t i = 0; list != NULL && i < n && e == ERR_OK; i++) {
        struct stmt *q =
            sql_get(db, CANDIDATE_SQL " WHERE t.id = ?1 AND p.id = t.page");

        sql_int(q, 1, found[i].passage);
        e = sql_one(q, ec);
        if (e == ERR_OK)
            read_row(q, a, &list[i]);
        list[i].score = found[i].score;
        sql_end(q);
    }
    if (e == ERR_OK && arena_failed(a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    if (e == ERR_OK)
        *out = list;
    return e;
}

enum err index_passages(struct db *index, int64_t page, int64_t seq,
                        size_t limit, struct arena *a, struct candidate **out,
                        size_t *count, struct errctx *ec)
{
    struct candidate *list;
    struct stmt *q;
    bool row = true;
    size_t n = 0;
    enum err e = ERR_OK;

    if (limit > FETCH_MAX)
        limit = FETCH_MAX;
    list = arena_array(a, limit, sizeof *list);
    q = sql_get(index, CANDIDATE_SQL " WHERE p.id = ?1"
                                     " AND t.id >= p.first + max(?2, 0)"
                                     " AND t.id < p.first + p.passages"
                                     " ORDER BY t.id LIMIT ?3");
    sql_int(q, 1, page);
    sql_int(q, 2, seq);
    sql_int(q, 3, (int64_t)limit);
    for (; list != NULL && n < limit; n++) {
        e = sql_step(q, &row, ec);
        if (e != ERR_OK || !row)
            break;
        read_row(q, a, &list[n]);
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
