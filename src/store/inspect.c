/*
 * Looking at a database file from outside; see inspect.h. Uses handles of its
 * own, opened for reading, so that nothing is made or migrated.
 */
#include "store/inspect.h"

#include "base/str.h"
#include "store/fts.h"
#include "store/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* SQLite's SHARED locks are taken in these bytes of the file. */
enum { SHARED_FIRST = 0x40000000 + 2, SHARED_SIZE = 510 };
enum { PROGRESS_STEPS = 20000, WAIT_MS = 5000 };

static int is_late(void *arg)
{
    return deadline_passed(arg);
}

static int64_t size_of(const char *path, const char *suffix)
{
    char name[4096];
    struct stat st;
    int n = snprintf(name, sizeof name, "%s%s", path, suffix);

    if (n < 0 || (size_t)n >= sizeof name || stat(name, &st) != 0)
        return 0;
    return st.st_size;
}

/* One row of numbers; false with *rc set. */
static bool ask(sqlite3 *h, const char *sql, int64_t *out, int columns, int *rc)
{
    sqlite3_stmt *q = NULL;

    *rc = sqlite3_prepare_v2(h, sql, -1, &q, NULL);
    if (*rc == SQLITE_OK)
        *rc = sqlite3_step(q);
    for (int i = 0; *rc == SQLITE_ROW && i < columns; i++)
        out[i] = sqlite3_column_int64(q, i);
    sqlite3_finalize(q);
    return *rc == SQLITE_ROW;
}

static enum db_fault fail(sqlite3 *h, int rc, struct db_look *out)
{
    snprintf(out->msg, sizeof out->msg, "%s",
             h == NULL ? sqlite3_errstr(rc) : sqlite3_errmsg(h));
    str_clean(out->msg);
    switch (rc & 0xFF) {
    case SQLITE_CORRUPT:
        return DB_DAMAGED;
    case SQLITE_NOTADB:
        return DB_FOREIGN;
    default:
        return DB_UNREADABLE;
    }
}

static enum db_fault look_marks(sqlite3 *h, enum db_kind kind,
                                struct db_look *out)
{
    int64_t app = 0, ours = 0;
    int rc;

    db_marks(kind, &ours, &out->known);
    if (!ask(h, "PRAGMA application_id", &app, 1, &rc) ||
        !ask(h, "PRAGMA user_version", &out->version, 1, &rc))
        return fail(h, rc, out);
    if (app != ours) {
        snprintf(out->msg, sizeof out->msg,
                 "application id %#llx, where %#llx is expected",
                 (unsigned long long)app, (unsigned long long)ours);
        return DB_FOREIGN;
    }
    if (out->version > out->known)
        return DB_NEWER;
    return out->version < out->known ? DB_OLDER : DB_SOUND;
}

/* The first fault quick_check names, in out->msg. */
static enum db_fault check(sqlite3 *h, struct deadline *d, struct db_look *out)
{
    sqlite3_stmt *q = NULL;
    enum db_fault fault = DB_SOUND;
    const char *z;
    int rc;

    if (deadline_passed(d))
        return DB_SOUND;
    sqlite3_progress_handler(h, PROGRESS_STEPS, is_late, d);
    rc = sqlite3_prepare_v2(h, "PRAGMA quick_check(1)", -1, &q, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(q);
    z = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(q, 0) : NULL;
    out->checked = z != NULL;
    if (z != NULL && strcmp(z, "ok") != 0) {
        snprintf(out->msg, sizeof out->msg, "%s", z);
        str_clean(out->msg);
        fault = DB_DAMAGED;
    } else if (z == NULL && rc != SQLITE_INTERRUPT) {
        fault = fail(h, rc, out);
    }
    sqlite3_finalize(q);
    sqlite3_progress_handler(h, 0, NULL, NULL);
    return fault;
}

/* One row of numbers of either database; false: it cannot be had. */
typedef bool ask_fn(void *from, const char *sql, int64_t *out, int columns);

static bool ask_file(void *from, const char *sql, int64_t *out, int columns)
{
    int rc;

    return ask(from, sql, out, columns, &rc);
}

/* What stands in the state database. */
static bool look_state(ask_fn *ask_it, void *from, struct db_look *out)
{
    int64_t v[6] = {0};
    char expired[192];

    snprintf(expired, sizeof expired,
             "SELECT count(*), coalesce(min(lease_until), 0) FROM task"
             " WHERE state < 2 AND lease_until > 0 AND lease_until < %lld",
             (long long)clock_now_ms());
    if (!ask_it(from,
                "SELECT (SELECT count(*) FROM account WHERE disabled = 0),"
                " (SELECT count(*) FROM api_key k JOIN account a"
                "  ON a.id = k.account WHERE k.revoked = 0 AND a.disabled = 0)",
                v, 2) ||
        !ask_it(from,
                "SELECT count(*), coalesce(min(updated), 0) FROM task"
                " WHERE state < 2 AND lease_until = 0",
                v + 2, 2) ||
        !ask_it(from, expired, v + 4, 2))
        return false;
    out->accounts = v[0];
    out->keys = v[1];
    out->waiting = v[2];
    out->waiting_ms = v[3];
    out->expired = v[4];
    out->expired_ms = v[5];
    return true;
}

static bool look_index(sqlite3 *h, struct db_look *out)
{
    int64_t v[2] = {0};

    if (!ask_file(h, "SELECT pages, passages FROM counter WHERE one = 1", v, 2))
        return false;
    out->pages = v[0];
    out->passages = v[1];
    return true;
}

static enum db_fault look(sqlite3 *h, enum db_kind kind, struct deadline *d,
                          struct db_look *out)
{
    enum db_fault fault = look_marks(h, kind, out), damage;

    if (fault != DB_SOUND && fault != DB_OLDER)
        return fault;
    if (kind == DB_INDEX)
        fts_register(h);
    damage = check(h, d, out);
    if (damage != DB_SOUND)
        return damage;
    if (!(kind == DB_STATE ? look_state(ask_file, h, out) : look_index(h, out)))
        return fail(h, sqlite3_extended_errcode(h), out);
    return fault;
}

enum db_fault db_inspect(enum db_kind kind, const char *path, struct deadline d,
                         struct db_look *out)
{
    sqlite3 *h = NULL;
    enum db_fault fault;
    struct stat st;
    int rc;

    memset(out, 0, sizeof *out);
    if (stat(path, &st) != 0) {
        snprintf(out->msg, sizeof out->msg, "%s", strerror(errno));
        return errno == ENOENT ? DB_ABSENT : DB_UNREADABLE;
    }
    if (st.st_size == 0) {
        snprintf(out->msg, sizeof out->msg, "it is empty (0 bytes)");
        return DB_EMPTY;
    }
    out->bytes = st.st_size;
    out->wal_bytes = size_of(path, "-wal");
    rc = sqlite3_open_v2(path, &h, SQLITE_OPEN_READONLY, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_busy_timeout(h, WAIT_MS);
    fault = rc == SQLITE_OK ? look(h, kind, &d, out) : fail(h, rc, out);
    sqlite3_close(h);
    return fault;
}

/* --- PostgreSQL -------------------------------------------------------- */

struct remote {
    struct pg *pg;
    struct errctx ec;
};

static bool ask_remote(void *from, const char *sql, int64_t *out, int columns)
{
    struct remote *r = from;
    struct pg_stmt *q = pg_stmt_new(sql);
    bool row = false;
    size_t n;

    if (q == NULL)
        return false;
    if (pg_step(r->pg, q, &row, &r->ec) != ERR_OK)
        row = false;
    for (int i = 0; row && i < columns; i++) {
        const char *z = pg_column(q, i, &n);

        out[i] = z == NULL ? 0 : strtoll(z, NULL, 10);
    }
    pg_stmt_free(q);
    return row;
}

static enum db_fault look_remote(struct remote *r, struct db_look *out)
{
    int64_t made = 0;

    out->known = remote_known();
    if (!ask_remote(r, REMOTE_IS_MADE, &made, 1))
        return DB_UNREADABLE;
    if (made == 0)
        return DB_ABSENT;
    if (!ask_remote(r, REMOTE_VERSION, &out->version, 1))
        return DB_UNREADABLE;
    if (out->version > out->known)
        return DB_NEWER;
    if (!look_state(ask_remote, r, out))
        return DB_UNREADABLE;
    out->checked = true;
    return out->version < out->known ? DB_OLDER : DB_SOUND;
}

enum db_fault db_inspect_remote(const char *address, struct db_look *out)
{
    struct pg_server *s = NULL;
    struct remote r = {NULL, {ERR_OK, ""}};
    enum db_fault fault = DB_UNREADABLE;

    memset(out, 0, sizeof *out);
    if (pg_server_new(address, &s, &r.ec) == ERR_OK)
        snprintf(out->server, sizeof out->server, "%s", pg_server_name(s));
    if (s != NULL && pg_open(s, NULL, NULL, &r.pg, &r.ec) == ERR_OK)
        fault = look_remote(&r, out);
    pg_close(r.pg);
    pg_server_free(s);
    snprintf(out->msg, sizeof out->msg, "%s", r.ec.msg);
    return fault;
}

bool db_in_use(const char *path, int64_t *pid)
{
    struct flock fl = {.l_type = F_WRLCK,
                       .l_whence = SEEK_SET,
                       .l_start = SHARED_FIRST,
                       .l_len = SHARED_SIZE};
    int fd = open(path, O_RDWR | O_CLOEXEC);
    bool used;

    if (fd < 0)
        return false;
    used = fcntl(fd, F_GETLK, &fl) == 0 && fl.l_type != F_UNLCK;
    *pid = used && fl.l_pid > 0 ? fl.l_pid : 0;
    close(fd);
    return used;
}
