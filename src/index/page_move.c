/*
 * Moving pages; see page_move.h. They are numbered there in the order of their
 * passages' ids, as index/follow.h has changes; the same each time, so that a
 * page that is there already is left as it is, and found by the comparison if
 * it is another one.
 */
#include "index/page_move.h"

#include "index/follow.h"
#include "index/source.h"

#include <string.h>

enum { AT_ONCE = 100, PAGE_BYTES = 1 << 30 };

struct move {
    struct db *index, *source;
    page_move_fn *tell;
    void *user;
    struct page_move_count *count;
    int64_t there;  /* changes that others follow already: nothing is added */
    struct arena a; /* of a page */
};

/* A page of one side; body is packed. */
struct whole {
    struct stored_page page;
    const char *body;
    size_t len;
};

/* --- reading ------------------------------------------------------------- */

static void passage_read(struct stmt *q, struct arena *a, void *element)
{
    struct stored_passage *t = element;

    t->start = sql_col_int(q, 0);
    t->heading = sql_col_text(q, 1, a);
    t->text = sql_col_text(q, 2, a);
    t->parts = sql_col_text(q, 3, a);
}

static void whole_read(struct stmt *q, struct arena *a, void *element)
{
    struct whole *w = element;

    stored_read(q, a, &w->page);
    w->body = source_bytes(q, STORED_WIDTH, a, &w->len);
}

static enum err read_here(struct db *index, int64_t id, struct arena *a,
                          struct whole *out, struct errctx *ec)
{
    static const struct sql_shape of_page = {sizeof(struct stored_page),
                                             stored_read};
    static const struct sql_shape of_passage = {sizeof(struct stored_passage),
                                                passage_read};
    struct stored_page *p = &out->page;
    size_t n = 0;
    enum err e = sql_row(
        sql_with(index, "SELECT " STORED_COLUMNS " FROM page WHERE id = ?1",
                 as_int(id)),
        &of_page, a, p, ec);

    if (e == ERR_OK)
        e = sql_rows(sql_with(index,
                              "SELECT start, heading, text, parts FROM passage"
                              " WHERE id >= ?1 AND id < ?1 + ?2 ORDER BY id",
                              as_int(p->first), as_int((int64_t)p->count)),
                     &of_passage, SIZE_MAX, a, &p->passages, &n, ec);
    if (e == ERR_OK && n != p->count)
        e = err_set(ec, ERR_DB, "passages of page %lld are missing",
                    (long long)id);
    if (e != ERR_OK)
        return e;
    out->body = stored_pack(p, a, &out->len);
    return out->body == NULL ? err_set(ec, ERR_NOMEM, "out of memory") : ERR_OK;
}

static enum err read_there(struct db *source, int64_t id, struct arena *a,
                           struct whole *out, struct errctx *ec)
{
    static const struct sql_shape shape = {sizeof(struct whole), whole_read};

    return sql_row(sql_with(source,
                            "SELECT " STORED_COLUMNS ", body FROM page"
                            " WHERE id = ?1",
                            as_int(id)),
                   &shape, a, out, ec);
}

static bool same(const struct whole *x, const struct whole *y)
{
    const struct stored_page *p = &x->page, *q = &y->page;
    const char *const one[] = {p->url,    p->host, p->rhost,
                               p->title,  p->lang, p->favicon,
                               p->images, p->etag, p->last_modified};
    const char *const other[] = {q->url,    q->host, q->rhost,
                                 q->title,  q->lang, q->favicon,
                                 q->images, q->etag, q->last_modified};
    bool equal = p->id == q->id && p->first == q->first && p->day == q->day &&
                 p->fetched == q->fetched && p->text_bytes == q->text_bytes &&
                 p->count == q->count && x->len == y->len &&
                 memcmp(x->body, y->body, x->len) == 0;

    for (size_t i = 0; equal && i < sizeof one / sizeof *one; i++)
        equal = strcmp(one[i], other[i]) == 0;
    return equal;
}

/* Is the page the same on both sides? */
static enum err compare(struct move *m, const struct whole *here,
                        struct errctx *ec)
{
    struct whole there;
    enum err e = read_there(m->source, here->page.id, &m->a, &there, ec);

    if (e == ERR_NOT_FOUND || (e == ERR_OK && !same(here, &there)))
        e = err_set(ec, ERR_CONFLICT,
                    "page %lld (%.100s) is another one in PostgreSQL: only "
                    "tables without pages, or those that this move began, can "
                    "take them",
                    (long long)here->page.id, here->page.url);
    return e;
}

/* --- there --------------------------------------------------------------- */

/* The next pages, from a statement that goes on over them. */
struct batch {
    struct move *m;
    const int64_t *ids;
    size_t count;
    int64_t number; /* of the first */
};

static enum err insert_one(struct db *source, const struct whole *w,
                           int64_t number, struct errctx *ec)
{
    struct stmt *q = sql_get(
        source, "INSERT INTO page(" STORED_COLUMNS ", body, put, seq)"
                " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,"
                " ?13, ?14, ?15, ?16, ?17, ?17) ON CONFLICT DO NOTHING");

    stored_bind(q, &w->page);
    sql_blob(q, 16, w->body, w->len);
    sql_int(q, 17, number);
    return sql_run(q, ec);
}

static enum err insert_in(struct db *source, void *arg, struct errctx *ec)
{
    struct batch *b = arg;
    enum err e = ERR_OK;

    for (size_t i = 0; i < b->count && e == ERR_OK; i++) {
        struct whole w;

        arena_reset(&b->m->a);
        e = read_here(b->m->index, b->ids[i], &b->m->a, &w, ec);
        if (e == ERR_OK)
            e = insert_one(source, &w, b->number + (int64_t)i, ec);
    }
    return e;
}

static enum err move_batch(struct batch *b, struct errctx *ec)
{
    struct move *m = b->m;
    enum err e = m->there > 0 ? ERR_OK : db_write(m->source, insert_in, b, ec);

    for (size_t i = 0; i < b->count && e == ERR_OK; i++) {
        struct whole w;

        arena_reset(&m->a);
        e = read_here(m->index, b->ids[i], &m->a, &w, ec);
        if (e == ERR_OK)
            e = compare(m, &w, ec);
        if (e == ERR_OK)
            m->count->passages += (int64_t)w.page.count;
    }
    m->count->pages += (int64_t)b->count;
    if (e == ERR_OK && !m->tell(m->user, m->count->pages))
        e = err_set(ec, ERR_GONE, "stopped; it goes on when it is begun again");
    return e;
}

static enum err move_all(struct move *m, struct errctx *ec)
{
    struct stmt *q =
        sql_get(m->index, "SELECT id FROM page ORDER BY first, id");
    int64_t ids[AT_ONCE];
    bool row = true;
    enum err e = ERR_OK;

    while (e == ERR_OK && row) {
        struct batch b = {m, ids, 0, m->count->pages + 1};

        while (b.count < AT_ONCE && (e = sql_step(q, &row, ec)) == ERR_OK &&
               row)
            ids[b.count++] = sql_col_int(q, 0);
        if (e == ERR_OK && b.count > 0)
            e = move_batch(&b, ec);
    }
    sql_end(q);
    return e;
}

/* New pages and passages get numbers behind those that were moved. */
static enum err number_in(struct db *source, void *arg, struct errctx *ec)
{
    struct move *m = arg;
    int64_t page = 0, passage = 0;
    enum err e =
        sql_number(sql_get(m->index, "SELECT max((SELECT coalesce(max(id), 0)"
                                     " FROM page), (SELECT coalesce(max(seq),"
                                     " 0) FROM sqlite_sequence WHERE name ="
                                     " 'page'))"),
                   &page, ec);

    if (e == ERR_OK)
        e = sql_number(sql_get(m->index, "SELECT next_passage FROM counter"),
                       &passage, ec);
    if (e == ERR_OK)
        e = sql_do(source, ec,
                   "UPDATE page_count SET seq = greatest(seq, ?1),"
                   " next_page = greatest(next_page, ?2),"
                   " next_passage = greatest(next_passage, ?3)",
                   as_int(m->count->pages), as_int(page + 1), as_int(passage));
    if (e == ERR_OK)
        e = sql_do(source, ec,
                   "INSERT INTO page_turn(seq, mark, at) SELECT seq,"
                   " CAST(floor(random() * 9e15) AS BIGINT), " REMOTE_NOW
                   " FROM page_count WHERE seq > 0"
                   " ON CONFLICT DO NOTHING");
    return e;
}

static enum err count_there(struct move *m, struct errctx *ec)
{
    enum err e = sql_number(sql_get(m->source, "SELECT count(*) FROM page"),
                            &m->count->pages_to, ec);

    if (e == ERR_OK)
        e = sql_number(sql_get(m->source, "SELECT CAST(coalesce(sum(passages),"
                                          " 0) AS BIGINT) FROM page"),
                       &m->count->passages_to, ec);
    return e;
}

struct follows {
    const char *name;
    int64_t seq, mark;
};

static void follows_read(struct stmt *q, struct arena *a, void *element)
{
    struct follows *f = element;

    f->name = sql_col_text(q, 0, a);
    f->seq = sql_col_int(q, 1);
    f->mark = sql_col_int(q, 2);
}

/* The index is what is there now. */
static enum err begin_following(struct move *m, struct errctx *ec)
{
    static const struct sql_shape shape = {sizeof(struct follows),
                                           follows_read};
    struct follows f;
    enum err e = sql_exec(m->index, index_followed_sql, ec);

    if (e == ERR_OK)
        e = sql_row(sql_get(m->source,
                            "SELECT c.name, c.seq, coalesce((SELECT mark FROM"
                            " page_turn t WHERE t.seq = c.seq), 0)"
                            " FROM page_count c"),
                    &shape, &m->a, &f, ec);
    if (e != ERR_OK)
        return e;
    return db_do(m->index, NULL, ec,
                 "INSERT INTO followed(one, source, base, seq, mark)"
                 " VALUES(1, ?1, ?2, ?2, ?3) ON CONFLICT(one) DO UPDATE SET"
                 " source = ?1, base = ?2, seq = ?2, mark = ?3",
                 as_text(f.name), as_int(f.seq), as_int(f.mark));
}

enum err pages_move_to(struct db *index, struct db *source, page_move_fn *tell,
                       void *user, struct page_move_count *out,
                       struct errctx *ec)
{
    struct move m = {index, source, tell, user, out, 0, {0}};
    enum err e;

    *out = (struct page_move_count){.pages = 0};
    arena_init(&m.a, PAGE_BYTES);
    e = sql_number(sql_get(source, "SELECT seq FROM page_count"), &m.there, ec);
    if (e == ERR_OK)
        e = move_all(&m, ec);
    if (e == ERR_OK)
        e = count_there(&m, ec);
    if (e == ERR_OK && out->pages_to != out->pages)
        e = err_set(ec, ERR_CONFLICT,
                    "PostgreSQL holds %lld pages, of which %lld were moved",
                    (long long)out->pages_to, (long long)out->pages);
    if (e == ERR_OK)
        e = db_write(source, number_in, &m, ec);
    if (e == ERR_OK)
        e = begin_following(&m, ec);
    arena_fini(&m.a);
    return e;
}

/* --- back ---------------------------------------------------------------- */

static enum err follow_all(struct move *m, struct errctx *ec)
{
    struct follow_look l = {.known = 1};
    int64_t pages = 0;
    enum err e = ERR_OK;

    while (e == ERR_OK && l.seq < l.known) {
        e = index_follow(m->index, &l, ec);
        pages += l.puts;
        if (e == ERR_OK && !m->tell(m->user, pages))
            e = err_set(ec, ERR_GONE,
                        "stopped; it goes on when it is begun again");
    }
    return e;
}

static enum err compare_all(struct move *m, struct errctx *ec)
{
    struct stmt *q = sql_get(m->index, "SELECT id FROM page ORDER BY id");
    bool row = true;
    enum err e;

    while ((e = sql_step(q, &row, ec)) == ERR_OK && row) {
        struct whole here;

        arena_reset(&m->a);
        e = read_here(m->index, sql_col_int(q, 0), &m->a, &here, ec);
        if (e == ERR_OK)
            e = compare(m, &here, ec);
        if (e != ERR_OK)
            break;
        m->count->pages_to++;
        m->count->passages_to += (int64_t)here.page.count;
    }
    sql_end(q);
    return e;
}

enum err pages_move_back(struct db *index, page_move_fn *tell, void *user,
                         struct page_move_count *out, struct errctx *ec)
{
    struct page_move_count there;
    struct move m = {index, index->source, tell, user, &there, 0, {0}};
    enum err e;

    *out = there = (struct page_move_count){.pages = 0};
    arena_init(&m.a, PAGE_BYTES);
    e = follow_all(&m, ec);
    if (e == ERR_OK)
        e = count_there(&m, ec);
    out->pages = there.pages_to;
    out->passages = there.passages_to;
    m.count = out;
    if (e == ERR_OK)
        e = compare_all(&m, ec);
    if (e == ERR_OK && out->pages != out->pages_to)
        e = err_set(ec, ERR_CONFLICT, "of %lld pages %lld are here",
                    (long long)out->pages, (long long)out->pages_to);
    if (e == ERR_OK)
        e = db_write_one(index, NULL, ec, "DELETE FROM followed", NULL, 0);
    arena_fini(&m.a);
    return e;
}
