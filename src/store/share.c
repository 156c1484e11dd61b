/* What nodes agree on; see share.h. The clock is PostgreSQL's. */
#include "store/share.h"

#include "base/id.h"
#include "store/sql.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HOST_MAX = 256, NAME_MAX_BYTES = 8192 };

#define DAY "86400000"

/* The connection to PostgreSQL, or NULL. */
static struct db *shared(struct db *db)
{
    if (db->source != NULL)
        db = db->source;
    return db->pg == NULL ? NULL : db;
}

uint32_t share_self(const char *path)
{
    unsigned char digest[SHA256_BYTES];
    char name[NAME_MAX_BYTES] = "";
    size_t n;
    uint32_t self;

    (void)gethostname(name, HOST_MAX);
    name[HOST_MAX] = '\0';
    n = strlen(name);
    snprintf(name + n, sizeof name - n, " %s", path);
    id_sha256(name, strlen(name), digest);
    memcpy(&self, digest, sizeof self);
    return self;
}

/* A sign of life is nothing to wait for a standby for. */
enum err share_count_nodes(struct db *db, uint32_t self, int64_t *count,
                           struct errctx *ec)
{
    char sql[320];
    enum err e;

    *count = 1;
    if ((db = shared(db)) == NULL)
        return ERR_OK;
    snprintf(sql, sizeof sql,
             "BEGIN; SET LOCAL synchronous_commit = off;"
             " INSERT INTO node(id, seen) VALUES(%lld, " REMOTE_NOW ")"
             " ON CONFLICT(id) DO UPDATE SET seen = excluded.seen; COMMIT",
             (long long)self);
    e = sql_exec(db, sql, ec);
    if (e != ERR_OK)
        return e;
    return sql_number(sql_with(db,
                               "SELECT count(*) FROM node"
                               " WHERE seen > " REMOTE_NOW " - ?1",
                               as_int(SHARE_SEEN_MS)),
                      count, ec);
}

enum err share_take_turn(struct db *db, const char *origin, int64_t pause_ms,
                         int64_t *wait_ms, struct errctx *ec)
{
    enum err e;

    *wait_ms = 0;
    if ((db = shared(db)) == NULL)
        return ERR_OK;
    e = sql_number(sql_with(db,
                            "INSERT INTO turn AS t(origin, next)"
                            " VALUES(?1, " REMOTE_NOW " + ?2)"
                            " ON CONFLICT(origin) DO UPDATE"
                            " SET next = greatest(t.next, " REMOTE_NOW ") + ?2"
                            " RETURNING next - ?2 - " REMOTE_NOW,
                            as_text(origin), as_int(pause_ms)),
                   wait_ms, ec);
    if (e == ERR_OK && *wait_ms < 0)
        *wait_ms = 0;
    return e;
}

enum err share_try_turn(struct db *db, const char *origin, int64_t pause_ms,
                        bool *taken, struct errctx *ec)
{
    int64_t one = 0;
    enum err e;

    *taken = true;
    if ((db = shared(db)) == NULL)
        return ERR_OK;
    e = sql_number(
        sql_with(db,
                 "INSERT INTO turn AS t(origin, next)"
                 " VALUES(?1, " REMOTE_NOW " + ?2)"
                 " ON CONFLICT(origin) DO UPDATE"
                 " SET next = excluded.next WHERE t.next <= " REMOTE_NOW
                 " RETURNING 1",
                 as_text(origin), as_int(pause_ms)),
        &one, ec);
    *taken = e == ERR_OK;
    return e == ERR_NOT_FOUND ? ERR_OK : e;
}

enum err share_pause(struct db *db, const char *origin, int64_t pause_ms,
                     struct errctx *ec)
{
    if ((db = shared(db)) == NULL)
        return ERR_OK;
    return sql_do(db, ec,
                  "INSERT INTO turn AS t(origin, next) VALUES(?1, " REMOTE_NOW
                  " + ?2) ON CONFLICT(origin) DO UPDATE"
                  " SET next = greatest(t.next, excluded.next)",
                  as_text(origin), as_int(pause_ms));
}

enum err share_forget(struct db *db, struct errctx *ec)
{
    if ((db = shared(db)) == NULL)
        return ERR_OK;
    return sql_exec(db,
                    "DELETE FROM turn WHERE next < " REMOTE_NOW " - " DAY
                    "; DELETE FROM node WHERE seen < " REMOTE_NOW " - " DAY,
                    ec);
}
