/*
 * Reading pages back: one, a list, their text, statistics. See page.h.
 * Writing is page.c, asking query.c.
 */
#include "index/page.h"

#include "base/buf.h"
#include "base/date.h"
#include "index/page_sql.h"
#include "index/shelf.h"
#include "index/source.h"

#include <string.h>

enum { TEXT_MAX = 128 << 20, HOSTS_MAX = 1000, IMAGES_MAX = 1000 };

int32_t page_col_day(struct stmt *q, int i)
{
    return sql_col_is_null(q, i) ? DAY_NONE : (int32_t)sql_col_int(q, i);
}

static size_t count_lines(const char *z)
{
    size_t n = 0;

    for (; (z = strchr(z, '\n')) != NULL; z++)
        n++;
    return n < IMAGES_MAX ? n : IMAGES_MAX;
}

/* Lines of url TAB alternative text; cut up in place. */
static void read_images(char *lines, struct arena *a, struct page *out)
{
    struct image *list;
    size_t n = lines == NULL ? 0 : count_lines(lines);

    if (n == 0)
        return;
    list = arena_array(a, n, sizeof *list);
    if (list == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        char *end = strchr(lines, '\n');
        char *tab = memchr(lines, '\t', (size_t)(end - lines));

        *end = '\0';
        if (tab != NULL)
            *tab = '\0';
        list[i].url = lines;
        list[i].alt = tab == NULL ? "" : tab + 1;
        lines = end + 1;
    }
    out->images = list;
    out->image_count = n;
}

static void read_page(struct stmt *q, struct arena *a, void *element)
{
    struct page *out = element;

    out->id = sql_col_int(q, 0);
    out->url = sql_col_text(q, 1, a);
    out->host = sql_col_text(q, 2, a);
    out->title = sql_col_text(q, 3, a);
    out->lang = sql_col_text(q, 4, a);
    out->favicon = sql_col_text(q, 5, a);
    read_images(sql_col_text(q, 6, a), a, out);
    out->day = page_col_day(q, 7);
    out->fetched_ms = sql_col_int(q, 8);
    out->etag = sql_col_text(q, 9, a);
    out->last_modified = sql_col_text(q, 10, a);
    out->text_bytes = sql_col_int(q, 11);
    out->passage_count = sql_col_int(q, 12);
}

static const struct sql_shape page_shape = {sizeof(struct page), read_page};

/* One bound statement, one page. */
static enum err one_page(struct stmt *q, struct arena *a, struct page *out,
                         struct errctx *ec)
{
    enum err e = sql_row(q, &page_shape, a, out, ec);

    return e == ERR_NOT_FOUND ? err_set(ec, e, "no such page") : e;
}

/* A batch reads what it wrote: where that is, until it ends. The columns have
 * the same names there. */
static struct db *where_written(struct db *index)
{
    return index->source != NULL && index->batch > 0 ? index->source : index;
}

enum err page_get(struct db *index, int64_t id, struct arena *a,
                  struct page *out, struct errctx *ec)
{
    return one_page(sql_with(where_written(index),
                             "SELECT " PAGE_COLUMNS
                             " FROM page p WHERE p.id = ?1",
                             as_int(id)),
                    a, out, ec);
}

enum err page_find(struct db *index, const char *url, struct arena *a,
                   struct page *out, struct errctx *ec)
{
    return one_page(sql_with(where_written(index),
                             "SELECT " PAGE_COLUMNS
                             " FROM page p WHERE p.url = ?1",
                             as_text(url)),
                    a, out, ec);
}

static struct stmt *list_stmt(struct db *db, const char *rhost,
                              int64_t after_id, size_t limit)
{
    if (rhost == NULL)
        return sql_with(db,
                        "SELECT " PAGE_COLUMNS " FROM page p WHERE p.id > ?1"
                        " ORDER BY p.id LIMIT ?2",
                        as_int(after_id), as_int((int64_t)limit));
    return sql_with(db,
                    "SELECT " PAGE_COLUMNS " FROM page p WHERE p.id IN"
                    " (SELECT id FROM page WHERE rhost >= ?3 AND rhost <"
                    " rtrim(?3, '.') || '/' AND id > ?1 ORDER BY id"
                    " LIMIT ?2) ORDER BY p.id",
                    as_int(after_id), as_int((int64_t)limit), as_text(rhost));
}

enum err page_list(struct db *index, const char *host, int64_t after_id,
                   size_t limit, struct arena *a, struct page **out,
                   size_t *count, struct errctx *ec)
{
    const char *rhost = host == NULL ? NULL : page_rhost(host, a);

    if (arena_failed(a))
        return err_set(ec, ERR_NOMEM, "out of memory");
    return sql_rows(list_stmt(index, rhost, after_id, limit), &page_shape,
                    limit, a, out, count, ec);
}

/* --- text -------------------------------------------------------------- */

static enum err join_text(struct stmt *q, struct buf *b, bool *found,
                          struct errctx *ec)
{
    bool row = true;
    enum err e;

    *found = false;
    while ((e = sql_step(q, &row, ec)) == ERR_OK && row) {
        const void *p = sqlite3_column_text(q->h, 0);

        if (p != NULL && *found)
            buf_adds(b, "\n\n");
        if (p != NULL)
            buf_add(b, p, (size_t)sqlite3_column_bytes(q->h, 0));
        *found = *found || p != NULL;
    }
    if (e == ERR_OK)
        e = buf_err(b);
    return e;
}

static enum err text_here(struct db *index, int64_t id, struct arena *a,
                          const char **out, struct errctx *ec)
{
    struct stmt *q = sql_with(index,
                              "SELECT t.text FROM page p, passage t"
                              " WHERE p.id = ?1 AND t.id >= p.first"
                              " AND t.id < p.first + p.passages ORDER BY t.id",
                              as_int(id));
    struct buf b;
    struct page p;
    const char *z = NULL;
    bool found = false;
    enum err e;

    buf_init(&b, TEXT_MAX);
    e = join_text(q, &b, &found, ec);
    sql_end(q);
    if (e == ERR_OK && !found)
        e = page_get(index, id, a, &p, ec);
    if (e == ERR_OK)
        z = arena_strndup(a, buf_str(&b), b.len);
    if (e == ERR_OK && z == NULL)
        e = err_set(ec, ERR_NOMEM, "out of memory");
    buf_fini(&b);
    if (e == ERR_OK)
        *out = z;
    return e;
}

enum err page_text(struct db *index, int64_t id, struct arena *a,
                   const char **out, struct errctx *ec)
{
    struct db *db = where_written(index);

    return db == index ? text_here(db, id, a, out, ec)
                       : source_text(db, id, a, out, ec);
}

/* --- statistics -------------------------------------------------------- */

static enum err read_counters(struct db *db, struct index_stats *out,
                              struct errctx *ec)
{
    return sql_numbers(
        sql_get(db, "SELECT pages, passages, text_bytes,"
                    " (SELECT page_count FROM pragma_page_count) *"
                    " (SELECT page_size FROM pragma_page_size) FROM counter"),
        (int64_t *[]){&out->pages, &out->passages, &out->text_bytes,
                      &out->file_bytes},
        4, ec);
}

/* In one transaction, what is quick. *out: for what is not. */
static enum err read_size(struct db *db, struct index_stats *s,
                          struct manifest **out, struct errctx *ec)
{
    struct manifest_sums sums;
    enum err e = read_counters(db, s, ec);

    if (e == ERR_OK)
        e = shelf_read(db, MANIFEST_LAST, out, ec);
    if (e != ERR_OK)
        return e;
    manifest_sum(*out, &sums);
    s->segments = sums.segments;
    s->segment_bytes = sums.bytes;
    s->file_bytes += sums.bytes;
    s->removed = sums.removed;
    s->lost = sums.lost;
    s->missing = s->passages > sums.passages ? s->passages - sums.passages : 0;
    return ERR_OK;
}

static void read_host(struct stmt *q, struct arena *a, void *element)
{
    *(struct index_host_stats *)element = (struct index_host_stats){
        sql_col_text(q, 0, a), sql_col_int(q, 1), sql_col_int(q, 2)};
}

static enum err read_hosts(struct db *db, struct arena *a,
                           struct index_stats *out, struct errctx *ec)
{
    static const struct sql_shape shape = {sizeof *out->hosts, read_host};

    return sql_rows(sql_with(db,
                             "SELECT host, count(*), sum(passages)"
                             " FROM page GROUP BY rhost"
                             " ORDER BY count(*) DESC, host LIMIT ?1",
                             as_int(HOSTS_MAX)),
                    &shape, HOSTS_MAX, a, &out->hosts, &out->host_count, ec);
}

enum err index_stats(struct db *index, struct arena *a, struct index_stats *out,
                     struct errctx *ec)
{
    struct index_stats s = {0};
    struct manifest *v = NULL;
    enum err e = db_read_begin(index, ec);

    if (e != ERR_OK)
        return e;
    e = read_size(index, &s, &v, ec);
    if (e == ERR_OK)
        e = read_hosts(index, a, &s, ec);
    db_read_end(index);
    if (e == ERR_OK)
        e = manifest_count_terms(v, &s.terms, ec);
    manifest_free(v);
    if (e == ERR_OK && arena_failed(a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    if (e == ERR_OK)
        *out = s;
    return e;
}

static enum err size_at(struct db *index, const struct deadline *check,
                        struct index_size *out, struct errctx *ec)
{
    struct index_stats s = {0};
    struct manifest *v = NULL;
    int64_t outgrown = 0;
    enum err e = db_read_begin(index, ec);

    if (e != ERR_OK)
        return e;
    e = read_size(index, &s, &v, ec);
    if (e == ERR_OK)
        e = sql_number(sql_get(index, "SELECT count(*) FROM sqlite_schema"
                                      " WHERE name = 'passage_fts'"),
                       &outgrown, ec);
    for (size_t i = 0; check != NULL && e == ERR_OK && i < v->count; i++)
        if (v->v[i].s != NULL && !deadline_passed(check))
            (void)segment_check(v->v[i].s);
    if (check != NULL && e == ERR_OK) {
        manifest_free(v);
        v = NULL;
        e = read_size(index, &s, &v, ec);
    }
    db_read_end(index);
    manifest_free(v);
    if (e == ERR_OK)
        *out = (struct index_size){s.pages,    s.passages,  s.file_bytes,
                                   s.segments, s.removed,   s.lost,
                                   s.missing,  outgrown > 0};
    return e;
}

enum err index_size(struct db *index, struct index_size *out, struct errctx *ec)
{
    return size_at(index, NULL, out, ec);
}

enum err index_check(struct db *index, const struct deadline *d,
                     struct index_size *out, struct errctx *ec)
{
    return size_at(index, d, out, ec);
}
