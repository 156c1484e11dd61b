/*
 * Following pages; see follow.h.
 *
 * A step reads the changes after the index's number out of one snapshot there,
 * then writes them here in one transaction with the new number, if nobody else
 * has moved it meanwhile. Pages come in the order in which they were put, which
 * is that of their passages' ids (vectors are made in that order); a page that
 * was only found unchanged since brings its time alone.
 *
 * What a page's change leaves there is its last state, so changes in between
 * are never seen, and need not be.
 */
#include "index/follow.h"

#include "base/log.h"
#include "index/shelf.h"
#include "index/source.h"

#include <string.h>

enum {
    STEP_PAGES = 5000,
    STEP_BYTES = 16 << 20, /* of text */
    STEP_CHANGES = 20000,  /* numbers */
    ARENA_BYTES = 1 << 30, /* one page may be large */
    REACH_MS = 2000
};

/* Where the index is, and what there is; of a moment. */
struct place {
    bool begun;
    int64_t base, seq, mark;
    const char *source;
};

struct there {
    const char *name;
    int64_t seq, cut, mark, behind_ms;
    bool marked;
};

struct touched {
    int64_t id, fetched;
};

struct changes {
    int64_t from, to, mark;
    struct stored_page *put;
    int64_t *gone;
    struct touched *touched;
    size_t put_count, gone_count, touched_count;
};

static enum err read_place(struct db *index, struct arena *a, struct place *out,
                           struct errctx *ec)
{
    struct stmt *q =
        sql_get(index, "SELECT source, base, seq, mark FROM followed");
    bool row = false;
    enum err e = sql_step(q, &row, ec);

    *out = (struct place){.begun = row};
    if (e == ERR_OK && row) {
        out->source = sql_col_text(q, 0, a);
        out->base = sql_col_int(q, 1);
        out->seq = sql_col_int(q, 2);
        out->mark = sql_col_int(q, 3);
    }
    sql_end(q);
    return e == ERR_OK && arena_failed(a)
               ? err_set(ec, ERR_NOMEM, "out of memory")
               : e;
}

static void there_read(struct stmt *q, struct arena *a, void *element)
{
    struct there *t = element;

    t->name = sql_col_text(q, 0, a);
    t->seq = sql_col_int(q, 1);
    t->cut = sql_col_int(q, 2);
    t->marked = !sql_col_is_null(q, 3);
    t->mark = sql_col_int(q, 3);
    t->behind_ms = sql_col_int(q, 4);
}

static enum err look_there(struct db *source, int64_t seq, struct arena *a,
                           struct there *out, struct errctx *ec)
{
    static const struct sql_shape shape = {sizeof(struct there), there_read};

    return sql_row(sql_with(source,
                            "SELECT c.name, c.seq, c.cut,"
                            " (SELECT mark FROM page_turn WHERE seq >= ?1"
                            "  ORDER BY seq LIMIT 1),"
                            " (SELECT " REMOTE_NOW
                            " - at FROM page_turn WHERE seq > ?1"
                            "  ORDER BY seq LIMIT 1)"
                            " FROM page_count c WHERE c.one = 1",
                            as_int(seq)),
                   &shape, a, out, ec);
}

/* --- beginning ----------------------------------------------------------- */

static enum err begin_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct there *t = arg;
    int64_t pages = 0;
    enum err e =
        sql_number(sql_get(db, "SELECT pages FROM counter"), &pages, ec);

    if (e == ERR_OK && pages > 0)
        return err_set(ec, ERR_CONFLICT,
                       "the data folder's index holds %lld pages of its own: "
                       "bring them to PostgreSQL with cited move, or remove "
                       "index.db and the folder index",
                       (long long)pages);
    if (e != ERR_OK)
        return e;
    return sql_do(db, ec,
                  "INSERT INTO followed(one, source, base, seq, mark)"
                  " VALUES(1, ?1, ?2, 0, 0) ON CONFLICT DO NOTHING",
                  as_text(t->name), as_int(t->seq));
}

/* May the index go on from where it is? A page that went before it was begun
 * never came in; so removals count from base on. */
static enum err check_place(const struct place *p, const struct there *t,
                            struct errctx *ec)
{
    int64_t since = p->base > p->seq ? p->base : p->seq;

    if (strcmp(p->source, t->name) != 0)
        return err_set(ec, ERR_CONFLICT,
                       "the data folder's index follows the pages of another "
                       "database: remove index.db, index.vectors and the "
                       "folder index, and it is made anew");
    if (p->seq > 0 && (!t->marked || t->mark != p->mark))
        return err_set(ec, ERR_GONE,
                       "PostgreSQL has taken back changes that were followed");
    if (since < t->cut)
        return err_set(ec, ERR_GONE,
                       "removals were forgotten since the index followed "
                       "last");
    return ERR_OK;
}

/* --- reading there ------------------------------------------------------- */

static void number_read(struct stmt *q, struct arena *a, void *element)
{
    (void)a;
    *(int64_t *)element = sql_col_int(q, 0);
}

static void touched_read(struct stmt *q, struct arena *a, void *element)
{
    (void)a;
    *(struct touched *)element =
        (struct touched){sql_col_int(q, 0), sql_col_int(q, 1)};
}

/* A page with its body, which is told apart later: that may fail. */
static void page_read(struct stmt *q, struct arena *a, void *element)
{
    struct stored_page *p = element;
    size_t len;
    const char *body;
    struct errctx ec;

    stored_read(q, a, p);
    body = source_bytes(q, STORED_WIDTH, a, &len);
    if (body == NULL || stored_unpack(body, len, p, a, &ec) != ERR_OK)
        p->passages = NULL;
}

/* The last change of the step: as many pages as are read at once. */
static enum err choose_end(struct db *source, int64_t from, int64_t known,
                           int64_t *to, struct errctx *ec)
{
    int64_t last = from + STEP_CHANGES < known ? from + STEP_CHANGES : known;
    int64_t count = 0, put = 0;
    struct stmt *q = sql_with(
        source,
        "SELECT count(*), coalesce(max(put), 0) FROM (SELECT put, sum("
        "text_bytes) OVER (ORDER BY put) - text_bytes AS before FROM (SELECT"
        " put, text_bytes FROM page WHERE put > ?1 AND put <= ?2 ORDER BY put"
        " LIMIT ?3) AS few) AS sums WHERE before < ?4",
        as_int(from), as_int(last), as_int(STEP_PAGES), as_int(STEP_BYTES));
    enum err e = sql_one(q, ec);

    if (e == ERR_OK) {
        count = sql_col_int(q, 0);
        put = sql_col_int(q, 1);
    }
    sql_end(q);
    if (e == ERR_OK && count > 0)
        e = sql_number(sql_with(source,
                                "SELECT coalesce(min(put) - 1, ?2) FROM page"
                                " WHERE put > ?1 AND put <= ?2",
                                as_int(put), as_int(last)),
                       &put, ec);
    if (e == ERR_OK)
        *to = count > 0 ? put : last;
    return e;
}

static enum err read_rows(struct db *source, struct changes *c, struct arena *a,
                          struct errctx *ec)
{
    static const struct sql_shape of_page = {sizeof(struct stored_page),
                                             page_read};
    static const struct sql_shape of_number = {sizeof(int64_t), number_read};
    static const struct sql_shape of_touched = {sizeof(struct touched),
                                                touched_read};
    enum err e = sql_rows(
        sql_with(source,
                 "SELECT page FROM page_gone WHERE seq > ?1 AND seq <= ?2",
                 as_int(c->from), as_int(c->to)),
        &of_number, SIZE_MAX, a, &c->gone, &c->gone_count, ec);

    if (e == ERR_OK)
        e = sql_rows(sql_with(source,
                              "SELECT " STORED_COLUMNS ", body FROM page"
                              " WHERE put > ?1 AND put <= ?2 ORDER BY put",
                              as_int(c->from), as_int(c->to)),
                     &of_page, SIZE_MAX, a, &c->put, &c->put_count, ec);
    if (e == ERR_OK)
        e = sql_rows(sql_with(source,
                              "SELECT id, fetched FROM page WHERE seq > ?1"
                              " AND seq <= ?2 AND put <= ?1",
                              as_int(c->from), as_int(c->to)),
                     &of_touched, SIZE_MAX, a, &c->touched, &c->touched_count,
                     ec);
    if (e == ERR_OK)
        e = sql_number(sql_with(source,
                                "SELECT mark FROM page_turn WHERE seq >= ?1"
                                " ORDER BY seq LIMIT 1",
                                as_int(c->to)),
                       &c->mark, ec);
    return e;
}

/* known: there are as many. */
static enum err read_changes(struct db *source, int64_t known,
                             struct changes *c, struct arena *a,
                             struct errctx *ec)
{
    enum err e = db_read_begin(source, ec);

    if (e != ERR_OK)
        return e;
    e = choose_end(source, c->from, known, &c->to, ec);
    if (e == ERR_OK)
        e = read_rows(source, c, a, ec);
    db_read_end(source);
    return e;
}

/* --- writing here -------------------------------------------------------- */

/* Removals first: an address may have come back as another page. */
static enum err write_changes(struct db *index, const struct changes *c,
                              struct errctx *ec)
{
    int64_t ignored;
    enum err e = ERR_OK;

    for (size_t i = 0; i < c->gone_count && e == ERR_OK; i++) {
        struct page_choice which = {.id = c->gone[i]};

        e = page_here_remove(index, &which, &ignored, ec);
    }
    for (size_t i = 0; i < c->put_count && e == ERR_OK; i++)
        e = c->put[i].passages == NULL
                ? err_set(ec, ERR_DB,
                          "the passages of page %lld are damaged in "
                          "PostgreSQL",
                          (long long)c->put[i].id)
                : page_here_put(index, &c->put[i], &ignored, ec);
    for (size_t i = 0; i < c->touched_count && e == ERR_OK; i++) {
        e = page_here_touch(index, c->touched[i].id, c->touched[i].fetched, ec);
        if (e == ERR_NOT_FOUND)
            e = ERR_OK;
    }
    return e;
}

static enum err move_on(struct db *db, void *arg, struct errctx *ec)
{
    const struct changes *c = arg;

    return sql_do(db, ec, "UPDATE followed SET seq = ?1, mark = ?2",
                  as_int(c->to), as_int(c->mark));
}

/* *done: the index was still where the changes begin. */
static enum err apply(struct db *index, struct changes *c, bool *done,
                      struct errctx *ec)
{
    int64_t seq = 0;
    enum err e = page_here_begin(index, ec);

    if (e != ERR_OK)
        return e;
    e = sql_number(sql_get(index, "SELECT coalesce(max(seq), -1)"
                                  " FROM followed"),
                   &seq, ec);
    *done = e == ERR_OK && seq == c->from;
    if (*done)
        e = write_changes(index, c, ec);
    if (*done && e == ERR_OK)
        e = db_write(index, move_on, c, ec);
    if (*done && e == ERR_OK)
        return page_here_commit(index, ec);
    page_here_abort(index);
    return e;
}

/* --- a step -------------------------------------------------------------- */

static enum err step(struct db *index, struct follow_look *out, struct arena *a,
                     struct errctx *ec)
{
    struct place p;
    struct there t;
    struct changes c = {0};
    bool done = false;
    enum err e = read_place(index, a, &p, ec);

    if (e == ERR_OK)
        e = look_there(index->source, p.seq, a, &t, ec);
    if (e == ERR_OK && !p.begun) {
        e = db_write(index, begin_in, &t, ec);
        p.source = t.name;
        p.base = t.seq;
    }
    if (e == ERR_OK)
        e = check_place(&p, &t, ec);
    if (e != ERR_OK)
        return e;
    *out = (struct follow_look){p.seq, t.seq, t.behind_ms, 0};
    if (p.seq == t.seq)
        return ERR_OK;
    c.from = p.seq;
    e = read_changes(index->source, t.seq, &c, a, ec);
    if (e == ERR_OK)
        e = apply(index, &c, &done, ec);
    if (e == ERR_OK && done) {
        out->seq = c.to;
        out->puts = (int64_t)c.put_count;
        out->behind_ms = c.to == t.seq ? 0 : t.behind_ms;
    }
    return e;
}

enum err index_follow(struct db *index, struct follow_look *out,
                      struct errctx *ec)
{
    struct arena a;
    enum err e;

    if (index->source == NULL)
        return err_set(ec, ERR_INTERNAL, "the index follows nothing");
    arena_init(&a, ARENA_BYTES);
    e = step(index, out, &a, ec);
    arena_fini(&a);
    return e;
}

void index_reach(struct db *index, int64_t seq)
{
    struct deadline d = deadline_in(REACH_MS);
    struct follow_look look = {0};
    struct errctx ec = {ERR_OK, ""};
    enum err e = ERR_OK;

    while (e == ERR_OK && look.seq < seq && !deadline_passed(&d) &&
           look.known - look.seq <= STEP_CHANGES)
        e = index_follow(index, &look, &ec);
    if (e != ERR_OK)
        log_warn(NULL, "pages are stored, but not yet in this index: %s",
                 ec.msg);
}

/* --- anew, and what is forgotten ----------------------------------------- */

static enum err empty_in(struct db *db, void *arg, struct errctx *ec)
{
    (void)arg;
    return sql_exec(db,
                    "DELETE FROM followed; DELETE FROM page;"
                    " DELETE FROM passage; DELETE FROM segment;"
                    " DELETE FROM removed;"
                    " UPDATE counter SET pages = 0, passages = 0,"
                    " text_bytes = 0, next_passage = 1,"
                    " generation = generation + 1",
                    ec);
}

enum err index_begin_anew(struct db *index, struct errctx *ec)
{
    enum err e = db_write(index, empty_in, NULL, ec);

    return e == ERR_OK ? shelf_repair(index, NULL, ec) : e;
}

enum err index_forget_removals(struct db *index, int64_t now_ms,
                               struct errctx *ec)
{
    return source_cut(index->source,
                      now_ms - FOLLOW_KEEP_DAYS * INT64_C(86400000), ec);
}

enum err index_wait(struct db *index, struct deadline d, struct errctx *ec)
{
    bool told;

    return db_wait(index->source, SOURCE_CHANNEL, d, &told, ec);
}
