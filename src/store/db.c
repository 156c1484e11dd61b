/*
 * Opening the two database files: creating, checking, migrating, tuning;
 * waiting for other processes. A state database that is no file is opened by
 * remote.c. Knows no table. Called through db.h by
 * everybody who needs a connection.
 *
 * synchronous is NORMAL for both files: nothing committed is lost when our
 * processes die, at any instruction. A power cut may take the last commits
 * (never the file's integrity). FULL would close that too, at one fsync for
 * each group of writers.
 */
#include "store/db.h"

#include "base/conf.h"
#include "base/id.h"
#include "store/fts.h"
#include "store/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUSY_BOUND_MS = 10000 };

enum { VERSIONS_MAX = 7 };

/* Forward only: migration i brings a file from user_version i to i + 1. */
struct kind {
    const char *name;
    int application_id;
    int version; /* how many migrations there are */
    const char *tuning;
    const char *migrations[VERSIONS_MAX];
    const char *outgrown; /* SQL to drop what only earlier versions need … */
    const char *beside; /* … or NULL, and what counts what the last migration
                           adds: while both are there a file keeps the number
                           before, so that programs that read what is outgrown
                           go on with it */
};

static const struct kind kinds[] = {
    [DB_STATE] = {"state",
                  0x43697453,
                  7,
                  "PRAGMA cache_size=-512;"
                  "PRAGMA wal_autocheckpoint=4000;",
                  {state_sql, state_2_sql, state_3_sql, state_4_sql,
                   state_5_sql, state_6_sql, state_7_sql},
                  NULL,
                  NULL},
    [DB_INDEX] = {"index",
                  0x43697449,
                  3,
                  "PRAGMA cache_size=-1024;"
                  "PRAGMA wal_autocheckpoint=4000;",
                  {index_sql, index_2_sql, index_3_sql},
                  "DROP TABLE IF EXISTS passage_fts;"
                  " DROP TABLE IF EXISTS term;",
                  "SELECT count(*) FROM sqlite_schema WHERE name = 'segment'"},
};

static const char common_tuning[] = "PRAGMA synchronous=NORMAL;"
                                    "PRAGMA foreign_keys=ON;"
                                    "PRAGMA trusted_schema=OFF;"
                                    "PRAGMA mmap_size=0;"
                                    "PRAGMA journal_size_limit=33554432;";

void db_marks(enum db_kind kind, int64_t *application_id, int64_t *version)
{
    *application_id = kinds[kind].application_id;
    *version = kinds[kind].version;
}

/* --- the file ---------------------------------------------------------- */

/* Nobody reads SQLite's memory statistics; keeping them takes a lock for
 * every allocation. Refused, harmlessly, once SQLite has started. */
static pthread_once_t configured = PTHREAD_ONCE_INIT;

static void configure(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

enum err db_file_new(enum db_kind kind, const char *path, struct db_file **out)
{
    struct db_file *f = calloc(1, sizeof *f);

    if (f == NULL)
        return ERR_NOMEM;
    pthread_once(&configured, configure);
    f->kind = kind;
    f->path = strdup(path);
    if (f->path == NULL) {
        free(f);
        return ERR_NOMEM;
    }
    pthread_mutex_init(&f->lock, NULL);
    *out = f;
    return ERR_OK;
}

enum err db_remote_new(const char *address, struct db_file **out,
                       struct errctx *ec)
{
    struct pg_server *server = NULL;
    enum err e = pg_server_new(address, &server, ec);

    if (e != ERR_OK)
        return e;
    e = db_file_new(DB_STATE, pg_server_name(server), out);
    if (e != ERR_OK)
        pg_server_free(server);
    else
        (*out)->server = server;
    return e == ERR_OK ? e : err_set(ec, e, "out of memory");
}

enum err db_file_follow(struct db_file *index, const char *address,
                        struct errctx *ec)
{
    return db_remote_new(address, &index->source, ec);
}

static void count_connection(struct db_file *f, int by)
{
    pthread_mutex_lock(&f->lock);
    f->connections += by;
    pthread_mutex_unlock(&f->lock);
}

void db_file_free(struct db_file *f)
{
    if (f == NULL)
        return;
    if (f->writer != NULL)
        count_connection(f, 1);
    db_close(f->writer);
    if (f->shared_free != NULL)
        f->shared_free(f->shared);
    db_file_free(f->source);
    pthread_mutex_destroy(&f->lock);
    pg_server_free(f->server);
    free(f->path);
    free(f);
}

/* Make the folders of path; those that are there are left as they are. */
static enum err make_folders(const char *path, struct errctx *ec)
{
    char *copy = strdup(path);
    enum err e = ERR_OK;

    if (copy == NULL)
        return ERR_NOMEM;
    for (char *p = strchr(copy + 1, '/'); p != NULL; p = strchr(p + 1, '/')) {
        *p = '\0';
        if (mkdir(copy, 0700) != 0 && errno != EEXIST && errno != EROFS &&
            errno != EACCES) {
            e = err_set(ec, err_of_errno(errno), "cannot make folder %s: %s",
                        copy, strerror(errno));
            break;
        }
        *p = '/';
    }
    free(copy);
    return e;
}

/* --- waiting ----------------------------------------------------------- */

/* SQLite's own handler backs off to 100 ms and is unfair. */
static int busy(void *arg, int tries)
{
    struct db *db = arg;

    if (db->no_wait)
        return 0;
    if (tries == 0)
        db->busy_until_ms = clock_mono_ms() + BUSY_BOUND_MS;
    else if (clock_mono_ms() >= db->busy_until_ms)
        return 0;
    clock_sleep_us(tries < 10 ? 100 + 90 * tries : 1000);
    return 1;
}

/* --- opening ----------------------------------------------------------- */

/* Changing the journal mode does not ask the busy handler. */
static enum err set_wal(struct db *db, struct errctx *ec)
{
    int64_t until = clock_mono_ms() + BUSY_BOUND_MS;
    enum err e;

    do {
        e = sql_exec(db, "PRAGMA journal_mode=WAL", ec);
        if (e == ERR_BUSY)
            clock_sleep_us(1000);
    } while (e == ERR_BUSY && clock_mono_ms() < until);
    return e;
}

/* *current: nothing is to be done. */
static enum err check_ours(struct db *db, int64_t *version, bool *current,
                           struct errctx *ec)
{
    const struct kind *k = &kinds[db->file->kind];
    int64_t app = 0, v = 0, objects = 0, added = 0;
    enum err e = sql_number(sql_get(db, "PRAGMA application_id"), &app, ec);

    if (e == ERR_OK)
        e = sql_number(sql_get(db, "PRAGMA user_version"), &v, ec);
    if (e == ERR_OK)
        e = sql_number(sql_get(db, "SELECT count(*) FROM sqlite_master"),
                       &objects, ec);
    if (e != ERR_OK)
        return e;
    if (app != k->application_id && (app != 0 || v != 0 || objects != 0))
        return err_set(ec, ERR_DB, "%s is not the %s database of cited",
                       db->file->path, k->name);
    if (v > k->version)
        return err_set(ec, ERR_DB,
                       "%s has version %lld, this program knows up to %d",
                       db->file->path, (long long)v, k->version);
    if (k->beside != NULL && v == k->version - 1)
        e = sql_number(sql_get(db, k->beside), &added, ec);
    *version = v;
    *current = v == k->version || added > 0;
    return e;
}

static enum err set_marks(struct db *db, int version, struct errctx *ec)
{
    char mark[96];

    snprintf(mark, sizeof mark,
             "PRAGMA application_id=%d; PRAGMA user_version=%d",
             kinds[db->file->kind].application_id, version);
    return sql_exec(db, mark, ec);
}

enum err db_drop_outgrown(struct db *db, struct errctx *ec)
{
    const struct kind *k = &kinds[db->file->kind];
    enum err e = k->outgrown == NULL ? ERR_OK : sql_exec(db, k->outgrown, ec);

    return e == ERR_OK ? set_marks(db, k->version, ec) : e;
}

/* Inside a write transaction; another process may have been faster. */
static enum err migrate(struct db *db, struct errctx *ec)
{
    const struct kind *k = &kinds[db->file->kind];
    int64_t v = 0;
    bool current = false;
    enum err e = check_ours(db, &v, &current, ec);
    bool is_new = v == 0;

    if (e != ERR_OK || current)
        return e;
    for (; e == ERR_OK && v < k->version; v++)
        e = sql_exec(db, k->migrations[v], ec);
    if (e != ERR_OK)
        return e;
    return is_new ? db_drop_outgrown(db, ec)
                  : set_marks(db, k->version - (k->beside != NULL), ec);
}

/* In one snapshot: another process may be making the file just now, and its
 * marks are looked at one after the other. */
static enum err check_at_once(struct db *db, bool *current, struct errctx *ec)
{
    enum err e = sql_exec(db, "BEGIN", ec), end;
    int64_t v;

    if (e != ERR_OK)
        return e;
    e = check_ours(db, &v, current, ec);
    end = sql_exec(db, "COMMIT", e == ERR_OK ? ec : NULL);
    return e == ERR_OK ? end : e;
}

static enum err make_current(struct db *db, struct errctx *ec)
{
    bool current = false;
    enum err e = check_at_once(db, &current, ec);

    if (e != ERR_OK || current)
        return e;
    e = set_wal(db, ec);
    if (e == ERR_OK)
        e = sql_exec(db, "BEGIN IMMEDIATE", ec);
    if (e != ERR_OK)
        return e;
    e = migrate(db, ec);
    if (e == ERR_OK)
        e = sql_exec(db, "COMMIT", ec);
    if (e != ERR_OK && !sqlite3_get_autocommit(db->h))
        (void)sqlite3_exec(db->h, "ROLLBACK", NULL, NULL, NULL);
    return e;
}

static enum err open_handle(struct db *db, struct errctx *ec)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    int rc = sqlite3_open_v2(db->file->path, &db->h, flags, NULL);

    if (rc != SQLITE_OK)
        return sql_fail(db, rc, db->file->path, ec);
    sqlite3_extended_result_codes(db->h, 1);
    sqlite3_busy_handler(db->h, busy, db);
    if (db->file->kind == DB_INDEX)
        fts_register(db->h);
    return ERR_OK;
}

static enum err open_file(struct db *db, struct errctx *ec)
{
    enum err e = open_handle(db, ec);

    if (e == ERR_OK)
        e = make_current(db, ec);
    if (e == ERR_OK)
        e = sql_exec(db, common_tuning, ec);
    if (e == ERR_OK)
        e = sql_exec(db, kinds[db->file->kind].tuning, ec);
    return e;
}

/* A connection of f, the file at its path being there. */
static enum err connect_to(struct db_file *f, struct db **out,
                           struct errctx *ec)
{
    struct db *db = calloc(1, sizeof *db);
    enum err e;

    if (db == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    db->file = f;
    sem_init(&db->wake, 0, 0);
    count_connection(f, 1);
    e = f->server != NULL ? remote_open(db, ec) : open_file(db, ec);
    if (e == ERR_OK && f->source != NULL)
        e = sql_exec(db, index_followed_sql, ec);
    if (e == ERR_OK && f->source != NULL)
        e = connect_to(f->source, &db->source, ec);
    if (e != ERR_OK)
        db_close(db);
    else
        *out = db;
    return e;
}

/* --- making the file --------------------------------------------------- */

/* An empty file at path, for its mode, that will be the one named in errors.
 * ERR_CONFLICT: there is one. */
static enum err make_empty(const char *path, const char *named,
                           struct errctx *ec)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0)
        return err_set(ec, errno == EEXIST ? ERR_CONFLICT : err_of_errno(errno),
                       "cannot create %s: %s", named, strerror(errno));
    close(fd);
    return ERR_OK;
}

/* Give the file at from the name to, unless that is taken. */
static enum err put_in_place(const char *from, const char *to,
                             struct errctx *ec)
{
    if (link(from, to) == 0 || errno == EEXIST)
        return ERR_OK;
    /* A file system without links; another process makes an equal one. */
    if ((errno == EPERM || errno == ENOTSUP || errno == ENOSYS) &&
        (access(to, F_OK) == 0 || rename(from, to) == 0))
        return ERR_OK;
    return err_set(ec, err_of_errno(errno), "cannot create %s: %s", to,
                   strerror(errno));
}

static void remove_made(const char *path)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    char name[PATH_MAX];

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (snprintf(name, sizeof name, "%s%s", path, suffixes[i]) <
            (int)sizeof name)
            (void)unlink(name);
}

/* The whole database under another name, then its own: nobody sees one that
 * is half made, so that an empty one is known to be a fault. */
static enum err make_file(struct db_file *f, struct errctx *ec)
{
    char path[PATH_MAX], id[UUID_LEN + 1];
    struct db_file *made = NULL;
    struct db *db = NULL;
    enum err e = make_folders(f->path, ec);

    if (e == ERR_OK)
        e = id_uuid(id);
    if (e != ERR_OK)
        return e;
    if (snprintf(path, sizeof path, "%s.%.8s", f->path, id) >= (int)sizeof path)
        return err_set(ec, ERR_TOO_LARGE, "the path is too long: %s", f->path);
    e = db_file_new(f->kind, path, &made);
    if (e == ERR_OK)
        e = make_empty(path, f->path, ec);
    if (e == ERR_OK)
        e = connect_to(made, &db, ec);
    if (e == ERR_OK)
        e = sql_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", ec);
    db_close(db);
    if (e == ERR_OK)
        e = put_in_place(path, f->path, ec);
    if (e != ERR_CONFLICT)
        remove_made(path);
    db_file_free(made);
    return e;
}

/* There it is, not empty, and the one that this process has open already. */
static enum err check_file(struct db_file *f, struct errctx *ec)
{
    struct stat st;

    if (f->opened)
        return db_still_there(f, ec);
    if (stat(f->path, &st) != 0 && errno == ENOENT) {
        enum err e = make_file(f, ec);

        if (e != ERR_OK)
            return e;
    }
    if (stat(f->path, &st) != 0)
        return err_set(ec, err_of_errno(errno), "cannot open %s: %s", f->path,
                       strerror(errno));
    if (st.st_size == 0)
        return err_set(ec, ERR_DB,
                       "%.120s is empty (0 bytes): bring a backup back (cited "
                       "restore), or, to begin anew, remove the file",
                       f->path);
    f->device = st.st_dev;
    f->inode = st.st_ino;
    return ERR_OK;
}

enum err db_open(struct db_file *f, struct db **out, struct errctx *ec)
{
    enum err e = ERR_OK;

    pthread_mutex_lock(&f->lock);
    if (f->server == NULL)
        e = check_file(f, ec);
    pthread_mutex_unlock(&f->lock);
    if (e == ERR_OK)
        e = connect_to(f, out, ec);
    if (e != ERR_OK) {
        if (err_is_storage(e))
            atomic_store(&f->fault, (int)e);
        return e;
    }
    pthread_mutex_lock(&f->lock);
    f->opened = true;
    pthread_mutex_unlock(&f->lock);
    return ERR_OK;
}

void db_close(struct db *db)
{
    if (db == NULL)
        return;
    if (db->h != NULL || db->pg != NULL)
        db_batch_abort(db);
    for (int i = 0; i < STMT_SLOTS; i++) {
        sqlite3_finalize(db->slot[i].h);
        pg_stmt_free(db->slot[i].pg);
    }
    sqlite3_close(db->h);
    pg_close(db->pg);
    db_close(db->source);
    if (db->guest != NULL)
        db->guest->free(db->guest);
    sem_destroy(&db->wake);
    count_connection(db->file, -1);
    free(db);
}

struct db *db_writer(struct db *db)
{
    struct db_file *f = db->file;
    struct db *writer = NULL;
    struct errctx ec;
    bool alone;

    pthread_mutex_lock(&f->lock);
    alone = f->connections == 1 || f->server != NULL;
    pthread_mutex_unlock(&f->lock);
    /* Only the leader is here, so nobody else opens it or uses it. */
    if (f->writer == NULL && !alone && db_open(f, &writer, &ec) == ERR_OK) {
        f->writer = writer;
        count_connection(f, -1);
    }
    return f->writer == NULL ? db : f->writer;
}

bool db_is_remote(const struct db *db)
{
    return db->pg != NULL;
}

bool db_is_followed(const struct db *db)
{
    return db->source != NULL;
}

void db_until(struct db *db, struct deadline d)
{
    if (db->pg != NULL)
        pg_until(db->pg, d);
    if (db->source != NULL)
        db_until(db->source, d);
}

/* --- both files -------------------------------------------------------- */

enum err store_files_open(const struct conf *c, struct store_files *out,
                          struct errctx *ec)
{
    struct store_files f = {NULL, NULL};
    struct arena a;
    const char *state, *index;
    enum err e = ERR_NOMEM;

    arena_init(&a, 65536);
    state = conf_data_path(c, &a, "state.db");
    index = conf_data_path(c, &a, "index.db");
    if (state != NULL && index != NULL)
        e = *c->database != '\0' ? db_remote_new(c->database, &f.state, ec)
                                 : db_file_new(DB_STATE, state, &f.state);
    if (e == ERR_OK)
        e = db_file_new(DB_INDEX, index, &f.index);
    if (e == ERR_OK && *c->database != '\0')
        e = db_file_follow(f.index, c->database, ec);
    arena_fini(&a);
    if (e != ERR_OK) {
        store_files_close(&f);
        return e == ERR_NOMEM ? err_set(ec, e, "out of memory") : e;
    }
    *out = f;
    return ERR_OK;
}

void store_files_close(struct store_files *f)
{
    db_file_free(f->state);
    db_file_free(f->index);
    f->state = f->index = NULL;
}

enum err store_open(struct store_files *f, struct store *out, struct errctx *ec)
{
    struct store s = {NULL, NULL};
    enum err e = db_open(f->state, &s.state, ec);

    if (e == ERR_OK)
        e = db_open(f->index, &s.index, ec);
    if (e != ERR_OK) {
        store_close(&s);
        return e;
    }
    *out = s;
    return ERR_OK;
}

void store_close(struct store *s)
{
    db_close(s->state);
    db_close(s->index);
    s->state = s->index = NULL;
}
