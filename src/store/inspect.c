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

static bool look_state(sqlite3 *h, struct db_look *out, int *rc)
{
    int64_t v[6] = {0};

    if (!ask(h,
             "SELECT (SELECT count(*) FROM account WHERE disabled = 0),"
             " (SELECT count(*) FROM api_key k JOIN account a"
             "  ON a.id = k.account WHERE k.revoked = 0 AND a.disabled = 0)",
             v, 2, rc) ||
        !ask(h,
             "SELECT count(*), ifnull(min(updated), 0) FROM task"
             " WHERE state < 2 AND lease_until = 0",
             v + 2, 2, rc) ||
        !ask(h,
             "SELECT count(*), ifnull(min(lease_until), 0) FROM task"
             " WHERE state < 2 AND lease_until > 0"
             " AND lease_until < CAST(unixepoch('now') AS INTEGER) * 1000",
             v + 4, 2, rc))
        return false;
    out->accounts = v[0];
    out->keys = v[1];
    out->waiting = v[2];
    out->waiting_ms = v[3];
    out->expired = v[4];
    out->expired_ms = v[5];
    return true;
}

static bool look_index(sqlite3 *h, struct db_look *out, int *rc)
{
    int64_t v[2] = {0};

    if (!ask(h, "SELECT pages, passages FROM counter WHERE one = 1", v, 2, rc))
        return false;
    out->pages = v[0];
    out->passages = v[1];
    return true;
}

static enum db_fault look(sqlite3 *h, enum db_kind kind, struct deadline *d,
                          struct db_look *out)
{
    enum db_fault fault = look_marks(h, kind, out), damage;
    int rc = SQLITE_OK;

    if (fault != DB_SOUND && fault != DB_OLDER)
        return fault;
    if (kind == DB_INDEX)
        fts_register(h);
    damage = check(h, d, out);
    if (damage != DB_SOUND)
        return damage;
    if (!(kind == DB_STATE ? look_state(h, out, &rc) : look_index(h, out, &rc)))
        return fail(h, rc, out);
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
