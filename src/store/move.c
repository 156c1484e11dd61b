/*
 * Moving tables; see move.h. Rows are read in ranges of a number
 * that each table has, so that no range is large and none is read twice; a row
 * that is there already is left as it is, and found by the comparison if it is
 * another one. To PostgreSQL, where each statement is a way to the server and
 * back, go as many with one as SENT_BYTES hold.
 */
#include "store/move.h"

#include "base/buf.h"
#include "base/str.h"
#include "store/sql.h"
#include "json/json.h"

#include <stdio.h>
#include <string.h>

enum { CHUNK_MAX = 1 << 30, SENT_BYTES = 1 << 20 };

/* Numbers in a range: of what has large rows, or many for each; of the rest. */
enum { FEW = 50, MANY = 1000 };

/* In an order in which what is referred to comes first. */
static const struct table {
    const char *name;
    const char *columns;
    const char *types;  /* of each: i number, r real, t text, b bytes */
    const char *by;     /* the number of the ranges … */
    int64_t range;      /* … and how many of it one has */
    const char *order;  /* of rows, the same in both databases */
    const char *counts; /* the column that PostgreSQL numbers, or NULL */
} tables[MOVE_TABLES] = {
    {"account", "id, email, created, disabled, callback_secret, password, role",
     "itiibti", "id", MANY, "id", "id"},
    {"api_key",
     "hash, id, account, label, created, last_used, revoked, requests",
     "btitiiii", "account", FEW, "hash", NULL},
    {"session", "hash, account, created, expires", "biii", "account", FEW,
     "hash", NULL},
    {"throttle", "name, failures, until, last", "biii", "last", MANY, "name",
     NULL},
    {"task_count", "account, total, open, turn", "iiii", "account", MANY,
     "account", NULL},
    {"task",
     "seq, id, account, state, attempt, created, updated, lease_until, token,"
     " last_error, error, input, output, type, faults",
     "itiiiiiitttttii", "seq", FEW, "seq", "seq"},
    {"task_step", "task, n, at, kind, data", "iiitt", "task", FEW, "task, n",
     NULL},
    {"evidence",
     "task, n, step, sub, page, passage, start, day, score, url, title,"
     " favicon, heading, text",
     "iiiiiiiirttttt", "task", FEW, "task, n", NULL},
    {"callback", "task, url, state, due, tries, error", "itiiit", "task", MANY,
     "task", NULL},
    {"request_key", "account, key, digest, task, created", "itbii", "task", FEW,
     "task, created, digest", NULL},
    {"crawl_job",
     "seq, id, account, url, pages, state, beat, stored, skipped, failed,"
     " queued, started, ended, error, delay, token, attempt",
     "ititiiiiiiiiititi", "seq", MANY, "seq", "seq"},
    /* Of an index. Who is at a crawl is for PostgreSQL alone to know. */
    {"crawl", "id, name, started", "iti", "id", MANY, "id", "id"},
    {"frontier", "id, crawl, url, depth, tries, state, reason", "iitiiit", "id",
     MANY, "id", "id"},
};
enum { STATE_TABLES = 11 };

struct move {
    struct db *from, *to;
    const struct table *t;
    size_t width;     /* columns */
    struct arena sql; /* texts of statements: as long as the connections have
                         them prepared */
    const char *select, *insert, *next;
    struct arena rows; /* of one range */
};

/* Rows of a range, width values each. */
struct rows {
    struct sql_value *v;
    size_t count;
};

/* --- statements -------------------------------------------------------- */

/* What to insert: a row of parameters, or, in PostgreSQL, those of a JSON text,
 * each an array. */
static const char *insert_what(struct move *m)
{
    bool remote = db_is_remote(m->to);
    struct arena *a = &m->sql;
    const char *list = "";

    for (size_t i = 0; i < m->width; i++) {
        char type = m->t->types[i];

        list = arena_printf(a, "%s%s%s%zu%s", list, i == 0 ? "" : ", ",
                            !remote       ? "?"
                            : type == 't' ? "r->>"
                            : type == 'b' ? "decode(r->>"
                                          : "CAST(r->>",
                            remote ? i : i + 1,
                            !remote || type == 't' ? ""
                            : type == 'b'          ? ", 'hex')"
                            : type == 'r'          ? " AS FLOAT8)"
                                                   : " AS BIGINT)");
    }
    return remote ? arena_printf(a,
                                 "SELECT %s FROM jsonb_array_elements("
                                 "CAST(?1 AS jsonb)) AS rows(r)",
                                 list)
                  : arena_printf(a, "VALUES(%s)", list);
}

static enum err prepare(struct move *m, struct errctx *ec)
{
    const struct table *t = m->t;
    struct arena *a = &m->sql;

    m->width = strlen(t->types);
    m->select = arena_printf(a,
                             "SELECT %s FROM %s WHERE %s >= ?1 AND %s < ?2"
                             " ORDER BY %s",
                             t->columns, t->name, t->by, t->by, t->order);
    m->insert = arena_printf(a, "INSERT INTO %s(%s) %s ON CONFLICT DO NOTHING",
                             t->name, t->columns, insert_what(m));
    m->next = arena_printf(a, "SELECT min(%s) FROM %s WHERE %s >= ?1", t->by,
                           t->name, t->by);
    return arena_failed(a) ? err_set(ec, ERR_NOMEM, "out of memory") : ERR_OK;
}

/* A column that a later version adds is not left behind unnoticed. */
static enum err check_width(struct move *m, struct errctx *ec)
{
    struct db *file = db_is_remote(m->from) ? m->to : m->from;
    int64_t n = 0;
    enum err e =
        sql_number(sql_with(file, "SELECT count(*) FROM pragma_table_info(?1)",
                            as_text(m->t->name)),
                   &n, ec);

    if (e == ERR_OK && n != (int64_t)m->width)
        e = err_set(ec, ERR_INTERNAL, "%s has %lld columns, %zu are known",
                    m->t->name, (long long)n, m->width);
    return e;
}

/* --- rows -------------------------------------------------------------- */

static struct sql_value read_value(struct stmt *q, int i, char type,
                                   struct arena *a)
{
    void *bytes;
    size_t n;

    if (sql_col_is_null(q, i))
        return as_text(NULL);
    if (type == 'i')
        return as_int(sql_col_int(q, i));
    if (type == 'r')
        return as_real(sql_col_real(q, i));
    if (type == 't')
        return as_text(sql_col_text(q, i, a));
    n = sql_col_blob(q, i, NULL, 0);
    bytes = arena_alloc(a, n);
    if (bytes != NULL)
        (void)sql_col_blob(q, i, bytes, n);
    return as_blob(bytes, n);
}

static enum err read_rows(struct move *m, struct db *db, int64_t first,
                          struct rows *out, struct errctx *ec)
{
    struct stmt *q =
        sql_with(db, m->select, as_int(first), as_int(first + m->t->range));
    struct arena *a = &m->rows;
    struct sql_value *v = NULL;
    size_t n = 0, room = 0;
    bool row = true;
    enum err e;

    while ((e = sql_step(q, &row, ec)) == ERR_OK && row) {
        if (!arena_grow(a, &v, n, 1, &room, m->width * sizeof *v))
            break;
        for (size_t i = 0; i < m->width; i++)
            v[n * m->width + i] = read_value(q, (int)i, m->t->types[i], a);
        n++;
    }
    sql_end(q);
    if (e == ERR_OK && arena_failed(a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    *out = (struct rows){v, n};
    return e;
}

static bool same_value(const struct sql_value *a, const struct sql_value *b)
{
    return a->bind == b->bind && a->whole == b->whole && !(a->real < b->real) &&
           !(a->real > b->real) && (a->p == NULL) == (b->p == NULL) &&
           a->n == b->n && (a->n == 0 || memcmp(a->p, b->p, a->n) == 0);
}

static bool same_rows(const struct move *m, const struct rows *a,
                      const struct rows *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; same && i < a->count * m->width; i++)
        same = same_value(&a->v[i], &b->v[i]);
    return same;
}

struct insert_arg {
    struct move *m;
    const struct rows *rows;
};

static void write_value(struct json_out *w, const struct sql_value *v,
                        char type, struct arena *a)
{
    char *z = NULL;

    if (v->bind == as_text(NULL).bind && v->p == NULL) {
        jw_null(w);
        return;
    }
    switch (type) {
    case 'i':
        jw_int(w, v->whole);
        return;
    case 't':
        jw_string_n(w, v->p, v->n);
        return;
    case 'r': /* as it is, whatever it is */
        z = arena_printf(a, "%.17g", v->real);
        break;
    default:
        z = arena_alloc(a, 2 * v->n + 1);
        if (z != NULL)
            hex_format(v->p, v->n, z);
    }
    jw_string(w, z);
}

/* Rows from *at on, until they are many or no more. */
static enum err write_rows(const struct insert_arg *x, size_t *at,
                           struct buf *b, struct errctx *ec)
{
    const struct move *m = x->m;
    struct json_out w;

    buf_reset(b);
    jw_init(&w, b);
    jw_array(&w);
    for (; *at < x->rows->count && b->len < SENT_BYTES; ++*at) {
        const struct sql_value *v = &x->rows->v[*at * m->width];

        jw_array(&w);
        for (size_t i = 0; i < m->width; i++) {
            if (m->t->types[i] == 't' && v[i].p != NULL &&
                !utf8_valid(v[i].p, v[i].n))
                return err_set(ec, ERR_INVALID, "a text of %s is no UTF-8",
                               m->t->name);
            write_value(&w, &v[i], m->t->types[i], &x->m->rows);
        }
        jw_array_end(&w);
    }
    jw_array_end(&w);
    if (arena_failed(&x->m->rows))
        return err_set(ec, ERR_NOMEM, "out of memory");
    return buf_err(b) == ERR_OK
               ? ERR_OK
               : err_set(ec, buf_err(b), "a row of %s is too large",
                         m->t->name);
}

static enum err insert_remote(struct db *db, const struct insert_arg *x,
                              struct errctx *ec)
{
    struct buf b;
    size_t at = 0;
    enum err e = ERR_OK;

    buf_init(&b, CHUNK_MAX);
    while (at < x->rows->count && e == ERR_OK) {
        e = write_rows(x, &at, &b, ec);
        if (e == ERR_OK)
            e = sql_do(db, ec, x->m->insert, as_text(buf_str(&b)));
    }
    buf_fini(&b);
    return e;
}

static enum err insert_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct insert_arg *x = arg;
    size_t width = x->m->width;
    enum err e = ERR_OK;

    if (db_is_remote(db))
        return insert_remote(db, x, ec);

    for (size_t i = 0; i < x->rows->count && e == ERR_OK; i++)
        e = sql_run(sql_bound(db, x->m->insert, &x->rows->v[i * width], width),
                    ec);
    return e;
}

static enum err move_range(struct move *m, int64_t first, int64_t *count,
                           struct errctx *ec)
{
    struct rows from = {0}, to = {0};
    struct insert_arg x = {m, &from};
    enum err e = read_rows(m, m->from, first, &from, ec);

    if (e == ERR_OK)
        e = db_write(m->to, insert_in, &x, ec);
    if (e == ERR_OK)
        e = read_rows(m, m->to, first, &to, ec);
    if (e == ERR_OK && !same_rows(m, &from, &to))
        e = err_set(
            ec, ERR_CONFLICT,
            "the target holds other rows of %s, from number %lld on: only "
            "an empty one, or one that this move began, can take it",
            m->t->name, (long long)first);
    *count += (int64_t)from.count;
    return e;
}

/* --- tables ------------------------------------------------------------ */

/* The first number at or behind *at; ERR_NOT_FOUND: no more. */
static enum err next_number(struct move *m, int64_t *at, struct errctx *ec)
{
    struct stmt *q = sql_with(m->from, m->next, as_int(*at));
    enum err e = sql_one(q, ec);

    if (e == ERR_OK && sql_col_is_null(q, 0))
        e = ERR_NOT_FOUND;
    else if (e == ERR_OK)
        *at = sql_col_int(q, 0);
    sql_end(q);
    return e;
}

static enum err move_rows(struct move *m, move_fn *tell, void *user,
                          struct errctx *ec)
{
    int64_t at = INT64_MIN + 1, count = 0;
    enum err e = prepare(m, ec);

    if (e == ERR_OK)
        e = check_width(m, ec);
    while (e == ERR_OK && (e = next_number(m, &at, ec)) == ERR_OK) {
        e = move_range(m, at, &count, ec);
        arena_reset(&m->rows);
        at += m->t->range;
        if (e == ERR_OK && !tell(user, m->t->name, count))
            e = err_set(ec, ERR_GONE,
                        "stopped; it goes on when it is begun "
                        "again");
    }
    return e == ERR_NOT_FOUND ? ERR_OK : e;
}

/* New rows get numbers behind those that were moved. */
static enum err go_on_counting(struct move *m, struct errctx *ec)
{
    const struct table *t = m->t;
    const char *sql;

    if (!db_is_remote(m->to) || t->counts == NULL)
        return ERR_OK;
    sql = arena_printf(&m->sql,
                       "SELECT setval(pg_get_serial_sequence('%s', '%s'),"
                       " (SELECT coalesce(max(%s), 0) + 1 FROM %s), false)",
                       t->name, t->counts, t->counts, t->name);
    return sql == NULL ? err_set(ec, ERR_NOMEM, "out of memory")
                       : sql_exec(m->to, sql, ec);
}

static enum err count_rows(struct move *m, struct move_count *out,
                           struct errctx *ec)
{
    const char *sql =
        arena_printf(&m->sql, "SELECT count(*) FROM %s", m->t->name);
    enum err e = sql == NULL
                     ? err_set(ec, ERR_NOMEM, "out of memory")
                     : sql_number(sql_get(m->from, sql), &out->from, ec);

    if (e == ERR_OK)
        e = sql_number(sql_get(m->to, sql), &out->to, ec);
    if (e == ERR_OK && out->from != out->to)
        e = err_set(ec, ERR_CONFLICT,
                    "%s has %lld rows, the target %lld: it holds something "
                    "else",
                    m->t->name, (long long)out->from, (long long)out->to);
    out->table = m->t->name;
    return e;
}

static enum err move_tables(struct move *m, bool index, move_fn *tell,
                            void *user, struct move_count out[MOVE_TABLES],
                            struct errctx *ec)
{
    int first = index ? STATE_TABLES : 0;
    int end = index ? MOVE_TABLES : STATE_TABLES;
    enum err e = ERR_OK;

    for (int i = first; i < end && e == ERR_OK; i++) {
        m->t = &tables[i];
        e = move_rows(m, tell, user, ec);
        if (e == ERR_OK)
            e = go_on_counting(m, ec);
    }
    for (int i = first; i < end && e == ERR_OK; i++) {
        m->t = &tables[i];
        e = count_rows(m, &out[i], ec);
    }
    return e;
}

/* In an index that follows pages. */
static enum err forget_old_crawls(struct db *index, struct errctx *ec)
{
    enum err e = sql_exec(index, index_followed_sql, ec);

    if (e != ERR_OK)
        return e;
    return db_do(index, NULL, ec,
                 "DELETE FROM crawl WHERE EXISTS(SELECT 1 FROM followed"
                 " WHERE one = ?1)",
                 as_int(1));
}

enum err db_move(struct db_file *from, struct db_file *to, move_fn *tell,
                 void *user, struct move_count out[MOVE_TABLES],
                 struct errctx *ec)
{
    struct move m = {0};
    bool index = from->kind == DB_INDEX || to->kind == DB_INDEX;
    enum err e = db_open(from, &m.from, ec);

    arena_init(&m.sql, 1 << 20);
    arena_init(&m.rows, CHUNK_MAX);
    if (e == ERR_OK)
        e = db_open(to, &m.to, ec);
    if (e == ERR_OK && index && !db_is_remote(m.to))
        e = forget_old_crawls(m.to, ec);
    if (e == ERR_OK)
        e = move_tables(&m, index, tell, user, out, ec);
    db_close(m.from);
    db_close(m.to);
    arena_fini(&m.rows);
    arena_fini(&m.sql);
    return e;
}
