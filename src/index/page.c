/*
 * Writing the index: putting, replacing, touching and removing pages with
 * their passages, postings and counts, all in step. Reading is page_read.c,
 * asking query.c, segments shelf.c. Called by crawl, search/read and the
 * operator's command.
 */
#include "index/page.h"

#include "base/buf.h"
#include "base/date.h"
#include "base/log.h"
#include "base/str.h"
#include "index/follow.h"
#include "index/page_sql.h"
#include "index/shelf.h"
#include "index/source.h"

#include <string.h>

enum { FIELD_MAX = 65536 };
/* What a put may merge on its way, and a batch: a few milliseconds, and less
 * than a second. */
enum { MERGE_PUT = 4096, MERGE_BATCH = 100000 };

enum err page_here_begin(struct db *index, struct errctx *ec)
{
    bool outer = index->batch == 0;
    enum err e = db_batch_begin(index, ec);

    /* Postings and counts of many pages go out together: give them room. */
    if (e == ERR_OK && outer)
        (void)sqlite3_exec(index->h, "PRAGMA cache_size=-16384", NULL, NULL,
                           NULL);
    return e;
}

static void small_cache(struct db *index)
{
    if (index->batch == 0)
        (void)sqlite3_exec(index->h, "PRAGMA cache_size=-1024", NULL, NULL,
                           NULL);
}

/* What was committed stands whether this succeeds or not. */
static void merge_some(struct db *index, int64_t passages)
{
    struct errctx ec = {0};

    if (index->batch == 0 &&
        shelf_merge(index, passages, false, NULL, &ec) != ERR_OK)
        log_warn(NULL, "segments of the index are not merged: %s", ec.msg);
}

enum err page_here_commit(struct db *index, struct errctx *ec)
{
    enum err e = db_batch_commit(index, ec);

    small_cache(index);
    if (e == ERR_OK)
        merge_some(index, MERGE_BATCH);
    return e;
}

void page_here_abort(struct db *index)
{
    db_batch_abort(index);
    small_cache(index);
}

/* Where its pages are true elsewhere, a batch is a transaction here, for what
 * else the index holds, and one there, for the pages; that one ends first. A
 * kill between the two leaves pages stored whose marks in a frontier are not:
 * they are read once more. */
enum err page_batch_begin(struct db *index, struct errctx *ec)
{
    enum err e = page_here_begin(index, ec);

    if (e != ERR_OK || index->source == NULL)
        return e;
    e = db_batch_begin(index->source, ec);
    if (e != ERR_OK)
        page_here_abort(index);
    return e;
}

enum err page_batch_commit(struct db *index, struct errctx *ec)
{
    enum err e =
        index->source == NULL ? ERR_OK : db_batch_commit(index->source, ec);

    if (e == ERR_OK)
        e = page_here_commit(index, ec);
    else
        page_here_abort(index);
    if (e == ERR_OK && index->source != NULL && index->batch == 0)
        index_reach(index, source_last(index->source));
    return e;
}

void page_batch_abort(struct db *index)
{
    if (index->source != NULL)
        db_batch_abort(index->source);
    page_here_abort(index);
}

/* --- what is stored ---------------------------------------------------- */

/* Control characters that mean nothing in a text become spaces; offsets
 * stay. The string itself when there are none. */
static const char *clean(const char *z, struct arena *a)
{
    static const char special[] = "\x01\x02";
    char *copy;

    if (z == NULL)
        return "";
    if (strpbrk(z, special) == NULL)
        return z;
    copy = arena_strdup(a, z);
    for (char *p = copy; p != NULL && (p = strpbrk(p, special)) != NULL; p++)
        *p = ' ';
    return copy;
}

static const char *image_lines(const struct page *p, struct arena *a)
{
    struct buf b;
    const char *z;

    buf_init(&b, FIELD_MAX);
    for (size_t i = 0; i < p->image_count; i++) {
        const char *alt = p->images[i].alt == NULL ? "" : p->images[i].alt;
        size_t at = b.len;

        if (buf_addf(&b, "%s\t%s\n", p->images[i].url, alt) != ERR_OK)
            break;
        for (at += strlen(p->images[i].url) + 1; at + 1 < b.len; at++)
            if (b.data[at] == '\t' || b.data[at] == '\n')
                b.data[at] = ' ';
    }
    if (buf_err(&b) == ERR_NOMEM)
        z = NULL;
    else
        z = buf_err(&b) == ERR_OK ? arena_strdup(a, buf_str(&b)) : "";
    buf_fini(&b);
    return z;
}

const char *page_rhost(const char *host, struct arena *a)
{
    size_t n = strlen(host), at = 0;
    char *out = arena_alloc(a, n + 2);

    if (out == NULL)
        return NULL;
    if (n == 0 || host[0] == '[' || ascii_is_digit(host[n - 1])) {
        memcpy(out, host, n);
        out[n] = '.';
        return out;
    }
    for (size_t end = n; end > 0;) {
        size_t begin = end;

        while (begin > 0 && host[begin - 1] != '.')
            begin--;
        memcpy(out + at, host + begin, end - begin);
        at += end - begin;
        out[at++] = '.';
        end = begin == 0 ? 0 : begin - 1;
    }
    return out;
}

/* --- the old version --------------------------------------------------- */

struct old {
    int64_t id, first, passages, text_bytes;
    const char *title;
    enum lang lang;
};

/* Columns: id, first, passages, text_bytes, title, lang. */
#define OLD_COLUMNS "id, first, passages, text_bytes, title, lang"

static enum err read_old(struct stmt *q, struct arena *a, struct old *out)
{
    out->id = sql_col_int(q, 0);
    out->first = sql_col_int(q, 1);
    out->passages = sql_col_int(q, 2);
    out->text_bytes = sql_col_int(q, 3);
    out->title = sql_col_text(q, 4, a);
    out->lang = lang_of_tag(sql_col_text(q, 5, a));
    return arena_failed(a) ? ERR_NOMEM : ERR_OK;
}

/* One of a page in that language. */
static enum err gather_one(struct db *db, enum lang page, const char *heading,
                           const char *text, const char *parts,
                           struct errctx *ec)
{
    enum lang l = passage_language(parts, page);
    struct stemmer *stem = NULL;
    enum err e = shelf_stemmer(db, l, &stem, ec);

    if (e == ERR_OK &&
        gather_passage(shelf_gather(db), l, stem, heading, text) != ERR_OK)
        e = err_set(ec, ERR_NOMEM, "out of memory");
    return e;
}

enum err page_gather_passages(struct db *db, int64_t first, int64_t count,
                              enum lang page, struct errctx *ec)
{
    struct stmt *q = sql_get(db, "SELECT heading, text, parts FROM passage"
                                 " WHERE id >= ?1 AND id < ?1 + ?2"
                                 " ORDER BY id");
    int64_t n = 0;
    bool row = true;
    enum err e;

    sql_int(q, 1, first);
    sql_int(q, 2, count);
    for (; (e = sql_step(q, &row, ec)) == ERR_OK && row; n++) {
        e = gather_one(db, page, (const char *)sqlite3_column_text(q->h, 0),
                       (const char *)sqlite3_column_text(q->h, 1),
                       (const char *)sqlite3_column_text(q->h, 2), ec);
        if (e != ERR_OK)
            break;
    }
    sql_end(q);
    if (e == ERR_OK && n != count)
        e = err_set(ec, ERR_DB, "passages of %lld are missing",
                    (long long)first);
    return e;
}

/* Out of the segments, or of what waits to become one. */
static enum err drop_postings(struct db *db, const struct old *o,
                              struct errctx *ec)
{
    bool indexed = false;
    enum err e = shelf_remove(db, o->first, &indexed, ec);

    if (e != ERR_OK || !indexed)
        return e;
    if (gather_removal(shelf_gather(db), o->title) != ERR_OK)
        return err_set(ec, ERR_NOMEM, "out of memory");
    return page_gather_passages(db, o->first, o->passages, o->lang, ec);
}

/* next: no passage has this id, nor one above it. */
static enum err count_pages(struct db *db, int64_t pages, int64_t passages,
                            int64_t bytes, int64_t next, struct errctx *ec)
{
    struct stmt *q = sql_get(db, "UPDATE counter SET pages = pages + ?1,"
                                 " passages = passages + ?2,"
                                 " text_bytes = text_bytes + ?3,"
                                 " next_passage = max(next_passage, ?4)");

    sql_int(q, 1, pages);
    sql_int(q, 2, passages);
    sql_int(q, 3, bytes);
    sql_int(q, 4, next);
    return sql_run(q, ec);
}

/* Passages and postings of a page; its row stays. */
static enum err drop_passages(struct db *db, const struct old *o,
                              struct errctx *ec)
{
    struct stmt *q;
    enum err e = o->passages > 0 ? drop_postings(db, o, ec) : ERR_OK;

    if (e != ERR_OK)
        return e;
    q = sql_get(db, "DELETE FROM passage WHERE id >= ?1 AND id < ?1 + ?2");
    sql_int(q, 1, o->first);
    sql_int(q, 2, o->passages);
    e = sql_run(q, ec);
    if (e == ERR_OK)
        e = count_pages(db, -1, -o->passages, -o->text_bytes, 0, ec);
    return e;
}

/* --- put --------------------------------------------------------------- */

static enum err find_old(struct db *db, const char *url, struct arena *a,
                         struct old *o, struct errctx *ec)
{
    struct stmt *q =
        sql_get(db, "SELECT " OLD_COLUMNS " FROM page WHERE url = ?1");
    bool row = false;
    enum err e;

    sql_text(q, 1, url);
    e = sql_step(q, &row, ec);
    if (e == ERR_OK && row)
        e = read_old(q, a, o);
    sql_end(q);
    return e;
}

static enum err next_passage(struct db *db, int64_t *out, struct errctx *ec)
{
    struct stmt *q = sql_get(db, "SELECT next_passage FROM counter");
    enum err e = sql_one(q, ec);

    if (e == ERR_OK)
        *out = sql_col_int(q, 0);
    sql_end(q);
    return e;
}

static enum err put_row(struct db *db, struct stored_page *p, struct errctx *ec)
{
    struct stmt *q =
        sql_get(db, "INSERT INTO page(" STORED_COLUMNS ")"
                    " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
                    " ?12, ?13, ?14, ?15)"
                    " ON CONFLICT(url) DO UPDATE SET host = excluded.host,"
                    " rhost = excluded.rhost, title = excluded.title,"
                    " lang = excluded.lang, favicon = excluded.favicon,"
                    " images = excluded.images, day = excluded.day,"
                    " fetched = excluded.fetched, etag = excluded.etag,"
                    " last_modified = excluded.last_modified,"
                    " text_bytes = excluded.text_bytes,"
                    " first = excluded.first, passages = excluded.passages"
                    " RETURNING id");
    enum err e;

    stored_bind(q, p);
    e = sql_one(q, ec);
    if (e == ERR_OK) {
        p->id = sql_col_int(q, 0);
        e = sql_run(q, ec);
    }
    sql_end(q);
    return e;
}

static enum err put_passage(struct db *db, const struct stored_page *p,
                            size_t i, struct errctx *ec)
{
    const struct stored_passage *t = &p->passages[i];
    enum err e =
        sql_do(db, ec,
               "INSERT INTO passage(id, page, start, heading, text, parts)"
               " VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
               as_int(p->first + (int64_t)i), as_int(p->id), as_int(t->start),
               as_text(t->heading), as_text(t->text), as_text(t->parts));

    return e == ERR_OK ? gather_one(db, lang_of_tag(p->lang), t->heading,
                                    t->text, t->parts, ec)
                       : e;
}

static enum err put_passages(struct db *db, const struct stored_page *p,
                             struct errctx *ec)
{
    struct gather *g = shelf_gather(db);
    enum err e = ERR_OK;

    if (g == NULL || gather_page(g, p->first, p->rhost, p->url, p->day,
                                 p->title) != ERR_OK)
        e = err_set(ec, ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < p->count && e == ERR_OK; i++)
        e = put_passage(db, p, i, ec);
    return e == ERR_OK ? shelf_spill(db, ec) : e;
}

struct put_arg {
    const struct stored_page *page;
    int64_t id; /* that it got */
};

static enum err put_in(struct db *db, void *arg, struct errctx *ec)
{
    struct put_arg *x = arg;
    struct stored_page p = *x->page;
    struct old o = {0};
    struct arena a;
    enum err e;

    arena_init(&a, 1 << 20);
    e = find_old(db, p.url, &a, &o, ec);
    if (e == ERR_OK && o.id != 0)
        e = drop_passages(db, &o, ec);
    if (e == ERR_OK && p.id == 0)
        e = next_passage(db, &p.first, ec);
    if (e == ERR_OK)
        e = put_row(db, &p, ec);
    if (e == ERR_OK && p.count > 0)
        e = put_passages(db, &p, ec);
    if (e == ERR_OK)
        e = count_pages(db, 1, (int64_t)p.count, p.text_bytes,
                        p.first + (int64_t)p.count, ec);
    arena_fini(&a);
    x->id = p.id;
    return e;
}

enum err page_here_put(struct db *index, const struct stored_page *p,
                       struct errctx *ec)
{
    struct put_arg x = {.page = p};

    return db_write(index, put_in, &x, ec);
}

/* What the passage is made of, with its language where that is another than
 * its page's. */
static const char *parts_of(const struct passage_text *t, const char *page,
                            struct arena *a)
{
    const char *parts = t->parts == NULL ? "" : t->parts;
    enum lang l =
        lang_of_tag(page_language(page, t->lang == NULL ? "" : t->lang));

    return l == lang_of_tag(page)
               ? parts
               : arena_printf(a, "%s %s", lang_code(l), parts);
}

static const char *text_or_empty(const char *z)
{
    return z == NULL ? "" : z;
}

/* A page as it will be stored, not numbered. */
static enum err to_stored(const struct page *p,
                          const struct passage_text *passages, size_t count,
                          struct arena *a, struct stored_page *out,
                          struct errctx *ec)
{
    struct stored_passage *list = arena_array(a, count + 1, sizeof *list);

    *out = (struct stored_page){.url = p->url,
                                .host = p->host,
                                .rhost = page_rhost(p->host, a),
                                .title = clean(p->title, a),
                                .lang = text_or_empty(p->lang),
                                .favicon = text_or_empty(p->favicon),
                                .images = image_lines(p, a),
                                .day = p->day,
                                .fetched = p->fetched_ms,
                                .etag = text_or_empty(p->etag),
                                .last_modified =
                                    text_or_empty(p->last_modified),
                                .passages = list,
                                .count = count};
    for (size_t i = 0; list != NULL && i < count; i++) {
        const struct passage_text *t = &passages[i];

        list[i] = (struct stored_passage){(int64_t)t->start,
                                          clean(t->heading, a),
                                          clean(t->text, a),
                                          parts_of(t, p->lang, a)};
        out->text_bytes += (int64_t)strlen(t->text);
    }
    return out->images == NULL || arena_failed(a)
               ? err_set(ec, ERR_NOMEM, "out of memory")
               : ERR_OK;
}

static enum err check_put(const struct page *p, size_t count, struct errctx *ec)
{
    if (p->url == NULL || p->url[0] == '\0' || p->host == NULL)
        return err_set(ec, ERR_INVALID, "a page needs URL and host");
    if (count > PASSAGES_MAX)
        return err_set(ec, ERR_TOO_LARGE, "more than %d passages",
                       PASSAGES_MAX);
    if (p->day != DAY_NONE &&
        (p->day < date_to_day(1, 1, 1) || p->day > date_to_day(9999, 12, 31)))
        return err_set(ec, ERR_INVALID, "no such day");
    return ERR_OK;
}

/* A single change is in the index before its call ends; what was done within a
 * batch, when that does. */
static void after_change(struct db *index)
{
    if (index->batch > 0)
        return;
    if (index->source != NULL)
        index_reach(index, source_last(index->source));
    else
        merge_some(index, MERGE_PUT);
}

enum err page_put(struct db *index, const struct page *p,
                  const struct passage_text *passages, size_t count,
                  int64_t *id, struct errctx *ec)
{
    struct stored_page row;
    struct put_arg x = {.page = &row};
    struct arena a;
    enum err e = check_put(p, count, ec);

    if (e != ERR_OK)
        return e;
    arena_init(&a, 256 << 20);
    e = to_stored(p, passages, count, &a, &row, ec);
    if (e == ERR_OK && index->source != NULL) {
        e = source_put(index->source, &row, ec);
        x.id = row.id;
    } else if (e == ERR_OK) {
        e = db_write(index, put_in, &x, ec);
    }
    arena_fini(&a);
    if (e != ERR_OK)
        return e;
    *id = x.id;
    after_change(index);
    return ERR_OK;
}

/* --- touch, remove ----------------------------------------------------- */

struct touch_arg {
    int64_t id, now_ms;
};

static enum err touch_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct touch_arg *t = arg;
    struct stmt *q = sql_get(db, "UPDATE page SET fetched = ?2 WHERE id = ?1");
    enum err e;

    sql_int(q, 1, t->id);
    sql_int(q, 2, t->now_ms);
    e = sql_run(q, ec);
    if (e == ERR_OK && sql_changes(db) == 0)
        e = err_set(ec, ERR_NOT_FOUND, "no page %lld", (long long)t->id);
    return e;
}

enum err page_touch(struct db *index, int64_t id, int64_t now_ms,
                    struct errctx *ec)
{
    struct touch_arg t = {id, now_ms};
    enum err e;

    if (index->source == NULL)
        return db_write(index, touch_in, &t, ec);
    e = source_touch(index->source, id, now_ms, ec);
    if (e == ERR_OK)
        after_change(index);
    return e;
}

enum err page_here_touch(struct db *index, int64_t id, int64_t fetched,
                         struct errctx *ec)
{
    struct touch_arg t = {id, fetched};
    enum err e = db_write(index, touch_in, &t, ec);

    return e == ERR_NOT_FOUND ? ERR_OK : e;
}

struct remove_arg {
    int64_t id;        /* or 0 */
    const char *url;   /* or NULL */
    const char *rhost; /* of a domain */
    int64_t removed;
};

static enum err find_doomed(struct db *db, const struct remove_arg *r,
                            struct arena *a, struct old *o, struct errctx *ec)
{
    struct stmt *q;
    bool row = false;
    enum err e;

    if (r->id != 0) {
        q = sql_get(db, "SELECT " OLD_COLUMNS " FROM page WHERE id = ?1");
        sql_int(q, 1, r->id);
    } else if (r->url != NULL) {
        q = sql_get(db, "SELECT " OLD_COLUMNS " FROM page WHERE url = ?1");
        sql_text(q, 1, r->url);
    } else {
        /* '/' is the character behind '.': the end of the range. */
        q = sql_get(db, "SELECT " OLD_COLUMNS " FROM page WHERE rhost >= ?1"
                        " AND rhost < rtrim(?1, '.') || '/' LIMIT 1");
        sql_text(q, 1, r->rhost);
    }
    e = sql_step(q, &row, ec);
    if (e == ERR_OK && row)
        e = read_old(q, a, o);
    sql_end(q);
    return e;
}

static enum err remove_one(struct db *db, const struct old *o,
                           struct errctx *ec)
{
    struct stmt *q;
    enum err e = drop_passages(db, o, ec);

    if (e != ERR_OK)
        return e;
    q = sql_get(db, "DELETE FROM page WHERE id = ?1");
    sql_int(q, 1, o->id);
    return sql_run(q, ec);
}

static enum err remove_in(struct db *db, void *arg, struct errctx *ec)
{
    struct remove_arg *r = arg;
    struct arena a;
    enum err e = ERR_OK;

    arena_init(&a, 1 << 20);
    r->removed = 0;
    for (;;) {
        struct old o = {0};

        e = find_doomed(db, r, &a, &o, ec);
        if (e != ERR_OK || o.id == 0)
            break;
        e = remove_one(db, &o, ec);
        if (e != ERR_OK)
            break;
        r->removed++;
        arena_reset(&a);
    }
    arena_fini(&a);
    return e;
}

enum err page_here_remove(struct db *index, int64_t id, struct errctx *ec)
{
    struct remove_arg r = {.id = id};

    return db_write(index, remove_in, &r, ec);
}

enum err page_remove(struct db *index, const char *url_or_host, bool is_host,
                     int64_t *removed, struct errctx *ec)
{
    struct arena a;
    struct remove_arg r = {0};
    enum err e = ERR_OK;

    arena_init(&a, 65536);
    if (is_host)
        r.rhost = page_rhost(url_or_host, &a);
    else
        r.url = url_or_host;
    if (arena_failed(&a) || url_or_host[0] == '\0')
        e = err_set(ec, ERR_INVALID, "not a %s", is_host ? "host" : "URL");
    if (e == ERR_OK && index->source != NULL)
        e = source_remove(index->source, r.url, r.rhost, &r.removed, ec);
    else if (e == ERR_OK)
        e = db_write(index, remove_in, &r, ec);
    arena_fini(&a);
    if (e == ERR_OK && r.removed == 0)
        e = err_set(ec, ERR_NOT_FOUND, "no page of %s", url_or_host);
    if (e != ERR_OK)
        return e;
    *removed = r.removed;
    after_change(index);
    return ERR_OK;
}

/* --- upkeep ------------------------------------------------------------ */

static enum err drop_outgrown(struct db *db, void *arg, struct errctx *ec)
{
    (void)arg;
    return db_drop_outgrown(db, ec);
}

/* The full text of an earlier version, when all is in segments. */
static enum err forget_full_text(struct db *index, struct errctx *ec)
{
    struct index_size size;
    enum err e = index_size(index, &size, ec);

    if (e != ERR_OK || !size.outgrown || size.missing > 0 || size.lost > 0)
        return e;
    return db_write(index, drop_outgrown, NULL, ec);
}

enum err index_upkeep(struct db *index, const _Atomic bool *stop,
                      struct errctx *ec)
{
    enum err e = shelf_repair(index, stop, ec);

    if (e == ERR_OK)
        e = shelf_merge(index, INT64_MAX, false, stop, ec);
    return e == ERR_OK ? forget_full_text(index, ec) : e;
}

enum err index_optimize(struct db *index, struct errctx *ec)
{
    enum err e;

    if (index->batch > 0)
        return err_set(ec, ERR_INTERNAL, "optimize inside a batch");
    e = shelf_repair(index, NULL, ec);
    if (e == ERR_OK)
        e = shelf_merge(index, INT64_MAX, true, NULL, ec);
    if (e == ERR_OK)
        e = sql_exec(index, "PRAGMA optimize", ec);
    if (e == ERR_OK)
        e = sql_exec(index, "PRAGMA wal_checkpoint(TRUNCATE)", ec);
    return e;
}
