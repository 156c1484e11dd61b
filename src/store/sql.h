/*
 * Private to store/ and index/: a thin layer over sqlite3 and, for the state
 * database where the configuration says so, over PostgreSQL (store/pg.h).
 * Statements are prepared once per connection and remember their SQL for
 * messages; writers of one process are grouped into one transaction.
 *
 * Statements on the state database are written in what both understand:
 * parameters ?1, ?2 …, ON CONFLICT, RETURNING, CASE, a name for each subquery,
 * conditions that are conditions. sql_either says where they differ.
 */
#ifndef CITED_STORE_SQL_H
#define CITED_STORE_SQL_H

#include "base/arena.h"
#include "base/clock.h"
#include "store/db.h"
#include "store/pg.h"

#include <pthread.h>
#include <semaphore.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdint.h>

/* A slot of a connection's statement cache. The first failure of preparing
 * or binding sticks until sql_end and is what sql_step then returns, so
 * that callers bind freely and check once. */
struct stmt {
    struct db *db;
    const char *sql; /* static; its address is the key of the cache */
    sqlite3_stmt *h;
    struct pg_stmt *pg; /* in its place on a connection to PostgreSQL */
    int rc;             /* sticky SQLite code */
};

enum { STMT_SLOTS = 128 };

/* What a room above keeps with a connection. */
struct guest {
    /* A transaction that wrote is about to be committed; no other error undoes
     * it. */
    enum err (*commit)(struct db *db, struct errctx *ec);
    void (*ended)(struct db *db, bool committed);
    void (*free)(struct guest *g);
};

struct db {
    sqlite3 *h;
    struct pg *pg; /* in its place: a connection to PostgreSQL */
    struct db_file *file;
    struct db *source; /* where its pages are true, or NULL: here */
    struct stmt slot[STMT_SLOTS];
    struct stmt no_slot;   /* handed out when the cache is full */
    int batch;             /* depth of page_batch_begin */
    enum err batch_broken; /* how a write of the batch failed half-way */
    bool no_wait;          /* do not wait for another process's lock */
    sem_t wake;            /* the turn of its thread, or its work done */
    int64_t busy_until_ms;
    struct guest *guest; /* or NULL */
    char msg[512];
};

struct write_op;

struct db_file {
    enum db_kind kind;
    char *path;               /* in messages only, where there is … */
    struct pg_server *server; /* … PostgreSQL; else NULL */
    struct db_file *source;   /* of an index that follows one; or NULL */
    pthread_mutex_t lock;     /* guards what follows */
    bool opened;              /* once; then it is the file with these numbers */
    uint64_t device, inode;
    bool writing;      /* somebody is the leader, or holds a batch */
    int connections;   /* open now, the writer's not counted */
    struct db *writer; /* the leader's, once several connections are open:
                          its page cache stays true, as nobody else of
                          this process writes */
    struct write_op *head, *tail;
    int queued, group; /* operations waiting; in the last transaction */
    int writers;       /* both, when that ended … */
    int64_t took_us;   /* … after so long */
    void *shared;      /* of a room above, or NULL, … */
    void (*shared_free)(void *shared); /* … and how it goes */
    _Atomic bool news; /* tasks came in that nobody was told of */
    /* db_health's; not guarded */
    _Atomic int fault;    /* enum err of the last that failed, 0 since a
                             write succeeded */
    _Atomic bool damaged; /* for good */
    _Atomic int64_t probed_ms;
};

/* --- statements -------------------------------------------------------- */

/* The prepared statement for this string literal; never NULL. */
struct stmt *sql_get(struct db *db, const char *sql);

/* The text for SQLite or that for PostgreSQL. */
const char *sql_either(const struct db *db, const char *lite, const char *pg);

/* Bind parameter i (from 1). Bytes are not copied: they must stay until
 * sql_end. A NULL pointer binds NULL. */
void sql_int(struct stmt *q, int i, int64_t v);
void sql_real(struct stmt *q, int i, double v);
void sql_text(struct stmt *q, int i, const char *z);
void sql_bytes(struct stmt *q, int i, const char *p, size_t n);
void sql_blob(struct stmt *q, int i, const void *p, size_t n);

/* A value for a parameter. */
struct sql_value {
    void (*bind)(struct stmt *q, int i, const struct sql_value *v);
    int64_t whole;
    double real;
    const void *p;
    size_t n;
};
struct sql_value as_int(int64_t v);
struct sql_value as_real(double v);
struct sql_value as_text(const char *z);
struct sql_value as_bytes(const char *p, size_t n);
struct sql_value as_blob(const void *p, size_t n);

/* sql_get with its parameters bound, from the first on; and run at once. */
struct stmt *sql_bound(struct db *db, const char *sql,
                       const struct sql_value *v, size_t count);
#define SQL_VALUES(...) ((const struct sql_value[]){__VA_ARGS__})
#define sql_with(db, sql, ...)                                                 \
    sql_bound(db, sql, SQL_VALUES(__VA_ARGS__),                                \
              sizeof SQL_VALUES(__VA_ARGS__) / sizeof(struct sql_value))
#define sql_do(db, ec, ...) sql_run(sql_with(db, __VA_ARGS__), ec)

/* Advance; *row tells whether there is one. After an error or the last row
 * the statement is reset. */
MUST_CHECK enum err sql_step(struct stmt *q, bool *row, struct errctx *ec);
/* Run to the end, ignoring rows, and reset. */
MUST_CHECK enum err sql_run(struct stmt *q, struct errctx *ec);
/* sql_step that insists on a row: ERR_NOT_FOUND without one. */
MUST_CHECK enum err sql_one(struct stmt *q, struct errctx *ec);
/* How rows of one kind are read into elements of an array. */
struct sql_shape {
    size_t size; /* bytes of an element, zeros before it is read */
    void (*read)(struct stmt *q, struct arena *a, void *element);
};
/* The one row of q, whose parameters are bound, into *out; ERR_NOT_FOUND. q is
 * ended. */
MUST_CHECK enum err sql_row(struct stmt *q, const struct sql_shape *shape,
                            struct arena *a, void *out, struct errctx *ec);
/* Its rows, at most max, as an array in the arena, to which the pointer at out
 * then points; NULL for none. */
MUST_CHECK enum err sql_rows(struct stmt *q, const struct sql_shape *shape,
                             size_t max, struct arena *a, void *out,
                             size_t *count, struct errctx *ec);
/* The whole number in the first column of its one row, or those in its first n
 * columns. */
MUST_CHECK enum err sql_number(struct stmt *q, int64_t *out, struct errctx *ec);
MUST_CHECK enum err sql_numbers(struct stmt *q, int64_t *const *out, size_t n,
                                struct errctx *ec);
/* Run an INSERT of one row and tell its number, which for PostgreSQL alone is
 * RETURNING: SQLite knows it, and would take half as long again. */
MUST_CHECK enum err sql_new_id(struct stmt *q, int64_t *id, struct errctx *ec);
/* Reset, forget bindings. Always allowed. */
void sql_end(struct stmt *q);

/* Columns (from 0) of the current row. A condition is 0 or 1. Text is copied
 * into the arena; NULL when the value is NULL or the arena is full
 * (arena_failed tells). */
int64_t sql_col_int(struct stmt *q, int i);
double sql_col_real(struct stmt *q, int i);
char *sql_col_text(struct stmt *q, int i, struct arena *a);
bool sql_col_is_null(struct stmt *q, int i);
/* Bytes, at most size of them; how many there are. */
size_t sql_col_blob(struct stmt *q, int i, void *out, size_t size);

/* Rows changed by the last statement of this connection, and since it was
 * opened. */
int64_t sql_changes(struct db *db);
int64_t sql_total_changes(struct db *db);

/* Run SQL without parameters or rows of interest; not cached. */
MUST_CHECK enum err sql_exec(struct db *db, const char *sql, struct errctx *ec);

/* The transaction of this connection. Whoever writes a file is alone: no other
 * connection of any program writes until the end. In PostgreSQL each statement
 * sees what others committed before it, and a row that one has changed waits
 * for its end; what must not change beside a writer otherwise has a lock.
 * ERR_BUSY: somebody else writes, for longer than is waited, or db->no_wait. */
MUST_CHECK enum err sql_begin_write(struct db *db, struct errctx *ec);
MUST_CHECK enum err sql_begin_read(struct db *db, struct errctx *ec);
MUST_CHECK enum err sql_commit(struct db *db, struct errctx *ec);
void sql_roll_back(struct db *db);      /* fine without one */
bool sql_in_transaction(struct db *db); /* that can be committed */
/* Did a write fail with e for nothing of its own: its connection was lost, or
 * others waited for it as it for them? */
bool sql_may_repeat(const struct db *db, enum err e);

/* Until the end of the transaction nobody else holds the same lock. Nothing for
 * a file, whose writer is alone. */
enum sql_lock { LOCK_TABLES, LOCK_THROTTLE, LOCK_CRAWLS, LOCK_KEYS, LOCK_OLD };
MUST_CHECK enum err sql_lock(struct db *db, enum sql_lock what, int64_t which,
                             struct errctx *ec);

/* This moment by PostgreSQL's clock, in ms: asked once where it stands in a
 * statement, when it is first needed, for however many rows. */
#define REMOTE_NOW                                                             \
    "(SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT))"

/* db's connection to its server, made when it is first needed; then the tables
 * are made or brought up to date, too. */
MUST_CHECK enum err remote_open(struct db *db, struct errctx *ec);
/* The latest version of its tables that this program knows; what asks whether
 * there are any, and which. */
int64_t remote_known(void);
#define REMOTE_IS_MADE                                                         \
    "SELECT count(*) FROM pg_tables WHERE tablename = 'cited_schema'"          \
    " AND schemaname = ANY(current_schemas(false))"
#define REMOTE_VERSION "SELECT version FROM cited_schema"

/* The connection a leader writes on: the file's writer, opened when first
 * needed, or db itself while it is the only one. */
struct db *db_writer(struct db *db);

/* The marks of a file of that kind: its application id, and the version this
 * program makes and knows. */
void db_marks(enum db_kind kind, int64_t *application_id, int64_t *version);
/* Inside a write transaction: drop what only earlier versions need; from then
 * on they refuse the file. */
MUST_CHECK enum err db_drop_outgrown(struct db *db, struct errctx *ec);

/* Keep in mind for db_health that a step failed with this SQLite code, and that
 * a transaction was committed. */
void db_note(struct db *db, int rc, enum err e);
void db_note_commit(struct db *db);
/* ERR_DB when the file is no longer the one that was opened first: removed, or
 * another one in its place. What is written would be lost. */
MUST_CHECK enum err db_still_there(struct db_file *f, struct errctx *ec);

/* The error value for the last failure of this connection, with message. */
enum err sql_fail(struct db *db, int rc, const char *sql, struct errctx *ec);

/* --- transactions ------------------------------------------------------ */

typedef enum err write_fn(struct db *db, void *arg, struct errctx *ec);

/*
 * Run fn inside a write transaction. Operations of several threads on the
 * same db_file that wait at once are run by one of them, on one connection,
 * in one transaction: fn must only use the db it is given. ERR_OK only after
 * the commit. When fn fails, what it wrote is undone, and nothing else.
 * Inside a page batch fn runs at once and is committed with the batch.
 */
MUST_CHECK enum err db_write(struct db *db, write_fn *fn, void *arg,
                             struct errctx *ec);
/* The same of what changes this account's row of task_count and no other row
 * that was there: in PostgreSQL these alone share a transaction. many, or NULL,
 * may do several of them there with one statement of its own: it is given the
 * args of count, of any accounts, and marks what is done; it must be the same
 * function for all callers. ERR_DB, ERR_TIMEOUT: it is not known whether it
 * was, and all fail; else what is not marked was not done, and is by itself. */
typedef enum err write_many_fn(struct db *db, void *const *args, size_t count,
                               bool *done, struct errctx *ec);
MUST_CHECK enum err db_write_for(struct db *db, int64_t account, write_fn *fn,
                                 write_many_fn *many, void *arg,
                                 struct errctx *ec);

/* db_write of one statement; *changed, unless NULL, tells how many rows that
 * changed. */
MUST_CHECK enum err db_write_one(struct db *db, int64_t *changed,
                                 struct errctx *ec, const char *sql,
                                 const struct sql_value *v, size_t count);
#define db_do(db, changed, ec, sql, ...)                                       \
    db_write_one(db, changed, ec, sql, SQL_VALUES(__VA_ARGS__),                \
                 sizeof SQL_VALUES(__VA_ARGS__) / sizeof(struct sql_value))

/* db_write, but ERR_BUSY at once when anybody else is writing. */
MUST_CHECK enum err db_try_write(struct db *db, write_fn *fn, void *arg,
                                 struct errctx *ec);

/* A transaction held over several calls; nests. Everybody else waits. A
 * write that failed half-way makes the commit fail (and roll back). */
MUST_CHECK enum err db_batch_begin(struct db *db, struct errctx *ec);
MUST_CHECK enum err db_batch_commit(struct db *db, struct errctx *ec);
void db_batch_abort(struct db *db);

/* One snapshot over several reads. Nothing happens inside a batch. */
MUST_CHECK enum err db_read_begin(struct db *db, struct errctx *ec);
void db_read_end(struct db *db);

/* SQL of the two schemas and what later versions change, generated from the
 * .sql files. */
extern const char state_sql[];
extern const char state_2_sql[];
extern const char state_3_sql[];
extern const char state_4_sql[];
extern const char state_5_sql[];
extern const char state_6_sql[];
extern const char state_7_sql[];
extern const char state_pg_sql[];
extern const char state_pg_2_sql[];
extern const char state_pg_3_sql[];
extern const char state_pg_4_sql[];
extern const char index_sql[];
extern const char index_2_sql[];
extern const char index_3_sql[];
extern const char index_followed_sql[];

#endif
