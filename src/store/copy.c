/*
 * A consistent copy of a database file; see copy.h. The reader holds one read
 * transaction from begin to end: a backup whose source does not move never
 * starts over, however much is written meanwhile.
 */
#include "store/copy.h"

#include "store/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEP_PAGES = 1024, WAIT_MS = 10000 };

struct db_copy {
    sqlite3 *from;
};

static enum err fail(sqlite3 *h, int rc, const char *path, struct errctx *ec)
{
    return err_set(ec, ERR_DB, "%.150s: %.80s", path,
                   h == NULL ? sqlite3_errstr(rc) : sqlite3_errmsg(h));
}

enum err db_copy_begin(const char *from, struct db_copy **out,
                       struct errctx *ec)
{
    struct db_copy *c;
    enum err e = ERR_OK;
    int rc;

    if (access(from, R_OK) != 0)
        return err_set(ec, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: %s",
                       from, strerror(errno));
    c = calloc(1, sizeof *c);
    if (c == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    rc = sqlite3_open_v2(from, &c->from, SQLITE_OPEN_READONLY, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_busy_timeout(c->from, WAIT_MS);
    /* BEGIN takes nothing; the first read takes the snapshot. */
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(c->from, "BEGIN; SELECT count(*) FROM sqlite_master",
                          NULL, NULL, NULL);
    if (rc != SQLITE_OK) {
        e = fail(c->from, rc, from, ec);
        db_copy_end(c);
    } else {
        *out = c;
    }
    return e;
}

void db_copy_end(struct db_copy *c)
{
    if (c == NULL)
        return;
    sqlite3_close(c->from);
    free(c);
}

void db_remove(const char *path)
{
    static const char *const ends[] = {"-journal", "-wal", "-shm", ""};
    char name[4096];

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (snprintf(name, sizeof name, "%s%s", path, ends[i]) <
            (int)sizeof name)
            (void)unlink(name);
}

/* --- writing ----------------------------------------------------------- */

static enum err make_file(const char *to, struct errctx *ec)
{
    int fd = open(to, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0)
        return err_set(ec, ERR_IO, "cannot make %s: %s", to, strerror(errno));
    close(fd);
    return ERR_OK;
}

static enum err sync_file(const char *to, struct errctx *ec)
{
    int fd = open(to, O_RDWR | O_CLOEXEC);
    enum err e = ERR_OK;

    if (fd < 0 || fsync(fd) != 0)
        e = err_set(ec, ERR_IO, "cannot sync %s: %s", to, strerror(errno));
    if (fd >= 0)
        close(fd);
    return e;
}

static enum err copy_pages(struct db_copy *c, sqlite3 *h, const char *to,
                           db_copy_fn *tell, void *user, struct errctx *ec)
{
    sqlite3_backup *b = sqlite3_backup_init(h, "main", c->from, "main");
    bool go = true;
    int rc = SQLITE_OK, end;

    if (b == NULL)
        return fail(h, sqlite3_errcode(h), to, ec);
    while (go && rc == SQLITE_OK) {
        int64_t left, total;

        rc = sqlite3_backup_step(b, STEP_PAGES);
        left = sqlite3_backup_remaining(b);
        total = sqlite3_backup_pagecount(b);
        go = tell(user, total - left, total);
    }
    end = sqlite3_backup_finish(b);
    if (rc == SQLITE_DONE && end == SQLITE_OK)
        return ERR_OK;
    if (!go)
        return err_set(ec, ERR_GONE, "stopped");
    return fail(h, rc, to, ec);
}

enum err db_copy_run(struct db_copy *c, const char *to, db_copy_fn *tell,
                     void *user, struct errctx *ec)
{
    sqlite3 *h = NULL;
    enum err e = make_file(to, ec);
    int rc;

    if (e != ERR_OK)
        return e;
    rc = sqlite3_open_v2(to, &h, SQLITE_OPEN_READWRITE, NULL);
    /* A half copy is of no use to anybody: no journal, one sync at the end. */
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(h, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF",
                          NULL, NULL, NULL);
    e = rc == SQLITE_OK ? copy_pages(c, h, to, tell, user, ec)
                        : fail(h, rc, to, ec);
    if (sqlite3_close(h) != SQLITE_OK && e == ERR_OK)
        e = err_set(ec, ERR_DB, "cannot close %s", to);
    if (e == ERR_OK)
        e = sync_file(to, ec);
    if (e != ERR_OK)
        db_remove(to);
    return e;
}
