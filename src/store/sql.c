/*
 * Prepared statements, binding, columns and error values; see sql.h. What goes
 * to PostgreSQL is handed to pg.c. Knows nothing of tables. Called by every
 * other file of store/.
 */
#include "store/sql.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the file system said decides where SQLite only knows that it failed. */
static enum err err_of_file(int rc, int os)
{
    enum err e = rc == SQLITE_IOERR_NOMEM ? ERR_NOMEM : err_of_errno(os);

    return e == ERR_IO ? ERR_DB : e;
}

static enum err err_of(int rc, int os)
{
    switch (rc & 0xFF) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return ERR_OK;
    case SQLITE_NOMEM:
        return ERR_NOMEM;
    case SQLITE_BUSY:
        return ERR_BUSY;
    case SQLITE_INTERRUPT:
        return ERR_TIMEOUT;
    case SQLITE_TOOBIG:
        return ERR_TOO_LARGE;
    case SQLITE_FULL:
        return ERR_FULL;
    case SQLITE_READONLY:
        return ERR_READ_ONLY;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        return err_of_file(rc, os);
    case SQLITE_ERROR: /* a table is not as we made it */
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_PROTOCOL:
    case SQLITE_NOLFS:
    case SQLITE_PERM:
        return ERR_DB;
    default: /* what we asked for is wrong */
        return ERR_INTERNAL;
    }
}

enum err sql_fail(struct db *db, int rc, const char *sql, struct errctx *ec)
{
    bool ours = db->h == NULL || sqlite3_errcode(db->h) != rc;
    const char *words = ours ? sqlite3_errstr(rc) : sqlite3_errmsg(db->h);
    int base = rc & 0xFF, os = 0;
    enum err e;

    /* What cannot be opened may be a file beside it that cannot be made: then
     * SQLite's last attempt says less than the database itself. */
    if (base == SQLITE_CANTOPEN || base == SQLITE_READONLY)
        os = access(db->file->path, R_OK | W_OK) == 0 ? 0 : errno;
    if (os == 0 && db->h != NULL &&
        (base == SQLITE_IOERR || base == SQLITE_CANTOPEN))
        os = sqlite3_system_errno(db->h);
    e = err_of(rc, os);
    db_note(db, rc, e);
    if (err_is_storage(e))
        snprintf(db->msg, sizeof db->msg, "%.120s: %.80s%s%s (%d) in: %.160s",
                 db->file->path, words, os == 0 ? "" : ": ",
                 os == 0 ? "" : strerror(os), rc, sql);
    else
        snprintf(db->msg, sizeof db->msg, "%s (%d) in: %.160s", words, rc, sql);
    return err_set(ec, e, "%s", db->msg);
}

/* What pg.c says of a failure; kept like any other's. */
static enum err remote_fail(struct db *db, const struct errctx *why,
                            struct errctx *ec)
{
    db_note(db, SQLITE_IOERR, why->code);
    snprintf(db->msg, sizeof db->msg, "%s", why->msg);
    return err_set(ec, why->code, "%s", why->msg);
}

static size_t slot_of(const char *sql)
{
    uintptr_t p = (uintptr_t)sql;

    return (p ^ p >> 7 ^ p >> 15) % STMT_SLOTS;
}

static struct stmt *find_slot(struct db *db, const char *sql)
{
    size_t at = slot_of(sql);

    for (int i = 0; i < STMT_SLOTS; i++) {
        struct stmt *q = &db->slot[(at + (size_t)i) % STMT_SLOTS];

        if (q->sql == sql || q->sql == NULL)
            return q;
    }
    return NULL;
}

struct stmt *sql_get(struct db *db, const char *sql)
{
    struct stmt *q = find_slot(db, sql);

    if (q == NULL) {
        q = &db->no_slot;
        q->db = db;
        q->sql = sql;
        q->rc = SQLITE_INTERNAL;
        return q;
    }
    if (q->h != NULL || q->pg != NULL)
        return q;
    q->db = db;
    q->sql = sql;
    if (db->pg != NULL) {
        q->pg = pg_stmt_new(sql);
        q->rc = q->pg == NULL ? SQLITE_NOMEM : SQLITE_OK;
        return q;
    }
    q->rc = sqlite3_prepare_v3(db->h, sql, -1, SQLITE_PREPARE_PERSISTENT, &q->h,
                               NULL);
    return q;
}

const char *sql_either(const struct db *db, const char *lite, const char *pg)
{
    return db->pg == NULL ? lite : pg;
}

static void note(struct stmt *q, int rc)
{
    if (q->rc == SQLITE_OK)
        q->rc = rc;
}

void sql_int(struct stmt *q, int i, int64_t v)
{
    if (q->pg != NULL)
        pg_bind_int(q->pg, i, v);
    else if (q->rc == SQLITE_OK)
        note(q, sqlite3_bind_int64(q->h, i, v));
}

void sql_real(struct stmt *q, int i, double v)
{
    if (q->pg != NULL)
        pg_bind_real(q->pg, i, v);
    else if (q->rc == SQLITE_OK)
        note(q, sqlite3_bind_double(q->h, i, v));
}

void sql_text(struct stmt *q, int i, const char *z)
{
    sql_bytes(q, i, z, z == NULL ? 0 : strlen(z));
}

void sql_bytes(struct stmt *q, int i, const char *p, size_t n)
{
    if (q->pg != NULL)
        pg_bind_text(q->pg, i, p, n);
    else if (q->rc == SQLITE_OK && n > INT_MAX)
        note(q, SQLITE_TOOBIG);
    else if (q->rc == SQLITE_OK)
        note(q, sqlite3_bind_text(q->h, i, p, (int)n, SQLITE_STATIC));
}

void sql_blob(struct stmt *q, int i, const void *p, size_t n)
{
    if (q->pg != NULL)
        pg_bind_blob(q->pg, i, p, n);
    else if (q->rc == SQLITE_OK && n > INT_MAX)
        note(q, SQLITE_TOOBIG);
    else if (q->rc == SQLITE_OK)
        note(q, sqlite3_bind_blob(q->h, i, p, (int)n, SQLITE_STATIC));
}

static void bind_int(struct stmt *q, int i, const struct sql_value *v)
{
    sql_int(q, i, v->whole);
}

static void bind_real(struct stmt *q, int i, const struct sql_value *v)
{
    sql_real(q, i, v->real);
}

static void bind_bytes(struct stmt *q, int i, const struct sql_value *v)
{
    sql_bytes(q, i, v->p, v->n);
}

static void bind_blob(struct stmt *q, int i, const struct sql_value *v)
{
    sql_blob(q, i, v->p, v->n);
}

struct sql_value as_int(int64_t v)
{
    return (struct sql_value){.bind = bind_int, .whole = v};
}

struct sql_value as_real(double v)
{
    return (struct sql_value){.bind = bind_real, .real = v};
}

struct sql_value as_text(const char *z)
{
    return as_bytes(z, z == NULL ? 0 : strlen(z));
}

struct sql_value as_bytes(const char *p, size_t n)
{
    return (struct sql_value){.bind = bind_bytes, .p = p, .n = n};
}

struct sql_value as_blob(const void *p, size_t n)
{
    return (struct sql_value){.bind = bind_blob, .p = p, .n = n};
}

struct stmt *sql_bound(struct db *db, const char *sql,
                       const struct sql_value *v, size_t count)
{
    struct stmt *q = sql_get(db, sql);

    for (size_t i = 0; i < count; i++)
        v[i].bind(q, (int)i + 1, &v[i]);
    return q;
}

/* What a step gave, noted for db_health. */
static enum err remote_step(struct stmt *q, bool *row, struct errctx *ec)
{
    struct errctx own = {ERR_OK, ""};
    enum err e = pg_step(q->db->pg, q->pg, row, &own);

    if (e != ERR_OK)
        remote_fail(q->db, &own, ec);
    if (e != ERR_OK || !*row)
        sql_end(q);
    return e;
}

enum err sql_step(struct stmt *q, bool *row, struct errctx *ec)
{
    enum err e;

    if (q->pg != NULL)
        return remote_step(q, row, ec);
    if (q->rc == SQLITE_OK) {
        int rc = sqlite3_step(q->h);

        if (rc == SQLITE_ROW) {
            *row = true;
            return ERR_OK;
        }
        if (rc == SQLITE_DONE) {
            *row = false;
            sql_end(q);
            return ERR_OK;
        }
        q->rc = rc;
    }
    e = sql_fail(q->db, q->rc, q->sql, ec);
    sql_end(q);
    return e;
}

enum err sql_run(struct stmt *q, struct errctx *ec)
{
    bool row = true;
    enum err e = ERR_OK;

    while (e == ERR_OK && row)
        e = sql_step(q, &row, ec);
    return e;
}

enum err sql_one(struct stmt *q, struct errctx *ec)
{
    bool row = false;
    enum err e = sql_step(q, &row, ec);

    if (e == ERR_OK && !row)
        return err_set(ec, ERR_NOT_FOUND, "no such row");
    return e;
}

enum err sql_row(struct stmt *q, const struct sql_shape *shape, struct arena *a,
                 void *out, struct errctx *ec)
{
    void *got = arena_alloc(a, shape->size);
    enum err e = sql_one(q, ec);

    if (e == ERR_OK && got != NULL)
        shape->read(q, a, got);
    sql_end(q);
    if (e == ERR_OK && arena_failed(a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    if (e == ERR_OK)
        memcpy(out, got, shape->size);
    return e;
}

enum err sql_rows(struct stmt *q, const struct sql_shape *shape, size_t max,
                  struct arena *a, void *out, size_t *count, struct errctx *ec)
{
    char *list = NULL;
    size_t n = 0, room = 0;
    bool row = true;
    enum err e = ERR_OK;

    while (n < max && (e = sql_step(q, &row, ec)) == ERR_OK && row) {
        if (!arena_grow(a, &list, n, 1, &room, shape->size))
            break;
        shape->read(q, a, list + n++ * shape->size);
    }
    sql_end(q);
    if (e == ERR_OK && arena_failed(a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    if (e == ERR_OK) {
        memcpy(out, &list, sizeof list);
        *count = n;
    }
    return e;
}

enum err sql_numbers(struct stmt *q, int64_t *const *out, size_t n,
                     struct errctx *ec)
{
    enum err e = sql_one(q, ec);

    for (size_t i = 0; e == ERR_OK && i < n; i++)
        *out[i] = sql_col_int(q, (int)i);
    sql_end(q);
    return e;
}

enum err sql_number(struct stmt *q, int64_t *out, struct errctx *ec)
{
    return sql_numbers(q, &out, 1, ec);
}

enum err sql_new_id(struct stmt *q, int64_t *id, struct errctx *ec)
{
    enum err e;

    if (q->pg != NULL)
        return sql_number(q, id, ec);
    e = sql_run(q, ec);
    if (e == ERR_OK)
        *id = sqlite3_last_insert_rowid(q->db->h);
    return e;
}

void sql_end(struct stmt *q)
{
    if (q->h != NULL) {
        sqlite3_reset(q->h);
        sqlite3_clear_bindings(q->h);
    }
    if (q->pg != NULL)
        pg_end(q->pg);
    q->rc = SQLITE_OK;
    if (q->h == NULL && q->pg == NULL)
        q->sql = NULL; /* a slot whose statement never compiled is free */
}

/* --- columns ----------------------------------------------------------- */

int64_t sql_col_int(struct stmt *q, int i)
{
    const char *z;
    size_t n;

    if (q->pg == NULL)
        return sqlite3_column_int64(q->h, i);
    z = pg_column(q->pg, i, &n);
    if (z == NULL)
        return 0;
    return *z == 't' ? 1 : strtoll(z, NULL, 10);
}

double sql_col_real(struct stmt *q, int i)
{
    const char *z;
    size_t n;

    if (q->pg == NULL)
        return sqlite3_column_double(q->h, i);
    z = pg_column(q->pg, i, &n);
    return z == NULL ? 0 : strtod(z, NULL);
}

char *sql_col_text(struct stmt *q, int i, struct arena *a)
{
    const void *p;
    size_t n;

    if (q->pg != NULL) {
        p = pg_column(q->pg, i, &n);
    } else {
        p = sqlite3_column_text(q->h, i);
        n = (size_t)sqlite3_column_bytes(q->h, i);
    }
    return p == NULL ? NULL : arena_strndup(a, p, n);
}

bool sql_col_is_null(struct stmt *q, int i)
{
    size_t n;

    return q->pg != NULL ? pg_column(q->pg, i, &n) == NULL
                         : sqlite3_column_type(q->h, i) == SQLITE_NULL;
}

/* PostgreSQL's own digits: 0-9, a-f. Pages are read so. */
static unsigned nibble(char c)
{
    return ((unsigned)c & 15) + ((unsigned)c >> 6) * 9;
}

size_t sql_col_blob(struct stmt *q, int i, void *out, size_t size)
{
    const char *p;
    size_t n = 0;

    if (q->pg != NULL) {
        p = pg_column(q->pg, i, &n); /* "\\x" and two digits for each byte */
        n = p == NULL || n < 2 ? 0 : (n - 2) / 2;
        for (size_t k = 0; k < n && k < size; k++)
            ((unsigned char *)out)[k] =
                (unsigned char)(nibble(p[2 + 2 * k]) * 16 +
                                nibble(p[3 + 2 * k]));
        return n;
    }
    p = sqlite3_column_blob(q->h, i);
    n = (size_t)sqlite3_column_bytes(q->h, i);
    if (n > 0 && size > 0)
        memcpy(out, p, n < size ? n : size);
    return n;
}

/* --- transactions ------------------------------------------------------ */

int64_t sql_changes(struct db *db)
{
    return db->pg != NULL ? pg_changes(db->pg) : sqlite3_changes64(db->h);
}

int64_t sql_total_changes(struct db *db)
{
    return db->pg != NULL ? pg_total_changes(db->pg)
                          : sqlite3_total_changes64(db->h);
}

enum err sql_exec(struct db *db, const char *sql, struct errctx *ec)
{
    struct errctx own = {ERR_OK, ""};
    int rc;

    if (db->pg != NULL)
        return pg_exec(db->pg, sql, &own) == ERR_OK ? ERR_OK
                                                    : remote_fail(db, &own, ec);
    rc = sqlite3_exec(db->h, sql, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        return ERR_OK;
    return sql_fail(db, rc, sql, ec);
}

static enum err begin_remote(struct db *db, const char *begin,
                             struct errctx *ec)
{
    struct errctx own = {ERR_OK, ""};

    return pg_begin(db->pg, begin, &own) == ERR_OK ? ERR_OK
                                                   : remote_fail(db, &own, ec);
}

enum err sql_begin_write(struct db *db, struct errctx *ec)
{
    if (db->pg == NULL)
        return sql_run(sql_get(db, "BEGIN IMMEDIATE"), ec);
    return begin_remote(
        db, db->no_wait ? "BEGIN; SET LOCAL lock_timeout = 1" : "BEGIN", ec);
}

enum err sql_begin_read(struct db *db, struct errctx *ec)
{
    if (db->pg == NULL)
        return sql_run(sql_get(db, "BEGIN"), ec);
    return begin_remote(db, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                        ec);
}

enum err sql_commit(struct db *db, struct errctx *ec)
{
    struct errctx own = {ERR_OK, ""};

    if (db->pg == NULL)
        return sql_run(sql_get(db, "COMMIT"), ec);
    return pg_commit(db->pg, &own) == ERR_OK ? ERR_OK
                                             : remote_fail(db, &own, ec);
}

void sql_roll_back(struct db *db)
{
    if (db->pg != NULL)
        pg_roll_back(db->pg);
    else if (!sqlite3_get_autocommit(db->h))
        (void)sqlite3_exec(db->h, "ROLLBACK", NULL, NULL, NULL);
}

bool sql_in_transaction(struct db *db)
{
    return db->pg != NULL ? pg_in_transaction(db->pg) && !pg_is_broken(db->pg)
                          : !sqlite3_get_autocommit(db->h);
}

bool sql_may_repeat(const struct db *db, enum err e)
{
    return db->pg != NULL &&
           (pg_is_lost(db->pg) || (e == ERR_BUSY && !db->no_wait));
}

/* A word is nothing to wait for a standby for. */
enum err db_tell(struct db *db, const char *channel, struct errctx *ec)
{
    char sql[160];

    if (db->pg == NULL)
        return ERR_OK;
    snprintf(sql, sizeof sql,
             "BEGIN; SET LOCAL synchronous_commit = off; NOTIFY %s; COMMIT",
             channel);
    return sql_exec(db, sql, ec);
}

enum err db_wait(struct db *db, const char *channel, struct deadline d,
                 bool *told, struct errctx *ec)
{
    struct errctx own = {ERR_OK, ""};

    *told = false;
    if (db->pg == NULL)
        return ERR_OK;
    return pg_wait(db->pg, channel, d, told, &own) == ERR_OK
               ? ERR_OK
               : remote_fail(db, &own, ec);
}

/* Locks of PostgreSQL's that have two numbers; the first says whose they are.
 */
enum { LOCKS = 0x43697400 };

enum err sql_lock(struct db *db, enum sql_lock what, int64_t which,
                  struct errctx *ec)
{
    if (db->pg == NULL)
        return ERR_OK;
    return sql_do(db, ec,
                  "SELECT pg_advisory_xact_lock(CAST(?1 AS INTEGER),"
                  " CAST(?2 AS INTEGER))",
                  as_int(LOCKS + what), as_int(which % INT32_MAX));
}
