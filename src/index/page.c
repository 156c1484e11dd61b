/*
 * Writing the index: putting, replacing, touching and removing pages with
 * their passages, postings and counts, all in step (stored.h); its upkeep.
 * Reading is page_read.c, asking query.c, segments shelf.c. Called by
 * page_change.c and follow.c.
 */
#include "index/page.h"

#include "base/log.h"
#include "base/str.h"
#include "index/page_sql.h"
#include "index/shelf.h"
#include "index/stored.h"

#include <string.h>

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

void page_here_settle(struct db *index)
{
    merge_some(index, MERGE_PUT);
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

/* --- what is stored ---------------------------------------------------- */

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

static void old_read(struct stmt *q, struct arena *a, void *element)
{
    struct old *out = element;

    out->id = sql_col_int(q, 0);
    out->first = sql_col_int(q, 1);
    out->passages = sql_col_int(q, 2);
    out->text_bytes = sql_col_int(q, 3);
    out->title = sql_col_text(q, 4, a);
    out->lang = lang_of_tag(sql_col_text(q, 5, a));
}

/* The one page of a statement, if there is one; else *out stays. */
static enum err read_old(struct stmt *q, struct arena *a, struct old *out,
                         struct errctx *ec)
{
    static const struct sql_shape shape = {sizeof *out, old_read};
    struct errctx mine = {.msg = ""};
    enum err e = sql_row(q, &shape, a, out, &mine);

    if (e == ERR_NOT_FOUND)
        return ERR_OK;
    if (e != ERR_OK && ec != NULL)
        *ec = mine;
    return e;
}

static struct stmt *old_of_url(struct db *db, const char *url)
{
    return sql_with(db, "SELECT " OLD_COLUMNS " FROM page WHERE url = ?1",
                    as_text(url));
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
    struct stmt *q = sql_with(db,
                              "SELECT heading, text, parts FROM passage"
                              " WHERE id >= ?1 AND id < ?1 + ?2 ORDER BY id",
                              as_int(first), as_int(count));
    int64_t n = 0;
    bool row = true;
    enum err e;

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
    return sql_do(db, ec,
                  "UPDATE counter SET pages = pages + ?1,"
                  " passages = passages + ?2, text_bytes = text_bytes + ?3,"
                  " next_passage = max(next_passage, ?4)",
                  as_int(pages), as_int(passages), as_int(bytes), as_int(next));
}

/* Passages and postings of a page; its row stays. */
static enum err drop_passages(struct db *db, const struct old *o,
                              struct errctx *ec)
{
    enum err e = o->passages > 0 ? drop_postings(db, o, ec) : ERR_OK;

    if (e == ERR_OK)
        e = sql_do(db, ec,
                   "DELETE FROM passage WHERE id >= ?1 AND id < ?1 + ?2",
                   as_int(o->first), as_int(o->passages));
    if (e == ERR_OK)
        e = count_pages(db, -1, -o->passages, -o->text_bytes, 0, ec);
    return e;
}

/* --- put --------------------------------------------------------------- */

static enum err put_row(struct db *db, struct stored_page *p, struct errctx *ec)
{
    struct stmt *q =
        sql_get(db, "INSERT INTO page(" STORED_COLUMNS ")"
                    " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
                    " ?12, ?13, ?14, ?15)" STORED_UPDATE " RETURNING id");
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
    e = read_old(old_of_url(db, p.url), &a, &o, ec);
    if (e == ERR_OK && o.id != 0)
        e = drop_passages(db, &o, ec);
    if (e == ERR_OK && p.id == 0)
        e = sql_number(sql_get(db, "SELECT next_passage FROM counter"),
                       &p.first, ec);
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
                       int64_t *id, struct errctx *ec)
{
    struct put_arg x = {.page = p};
    enum err e = db_write(index, put_in, &x, ec);

    if (e == ERR_OK)
        *id = x.id;
    return e;
}

/* --- touch, remove ----------------------------------------------------- */

enum err page_here_touch(struct db *index, int64_t id, int64_t fetched,
                         struct errctx *ec)
{
    int64_t changed = 0;
    enum err e =
        db_do(index, &changed, ec, "UPDATE page SET fetched = ?2 WHERE id = ?1",
              as_int(id), as_int(fetched));

    return e == ERR_OK && changed == 0
               ? err_set(ec, ERR_NOT_FOUND, "no page %lld", (long long)id)
               : e;
}

struct remove_arg {
    const struct page_choice *which;
    int64_t removed;
};

static enum err find_doomed(struct db *db, const struct page_choice *r,
                            struct arena *a, struct old *o, struct errctx *ec)
{
    struct stmt *q;

    if (r->id != 0)
        q = sql_with(db, "SELECT " OLD_COLUMNS " FROM page WHERE id = ?1",
                     as_int(r->id));
    else if (r->url != NULL)
        q = old_of_url(db, r->url);
    else
        /* '/' is the character behind '.': the end of the range. */
        q = sql_with(db,
                     "SELECT " OLD_COLUMNS " FROM page WHERE rhost >= ?1"
                     " AND rhost < rtrim(?1, '.') || '/' LIMIT 1",
                     as_text(r->rhost));
    return read_old(q, a, o, ec);
}

static enum err remove_one(struct db *db, const struct old *o,
                           struct errctx *ec)
{
    enum err e = drop_passages(db, o, ec);

    return e == ERR_OK
               ? sql_do(db, ec, "DELETE FROM page WHERE id = ?1", as_int(o->id))
               : e;
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

        e = find_doomed(db, r->which, &a, &o, ec);
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

enum err page_here_remove(struct db *index, const struct page_choice *which,
                          int64_t *removed, struct errctx *ec)
{
    struct remove_arg r = {which, 0};
    enum err e = db_write(index, remove_in, &r, ec);

    if (e == ERR_OK)
        *removed = r.removed;
    return e;
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
