/*
 * The state database in PostgreSQL: its connections, and the tables in it,
 * made by whoever comes first. Called by db.c and inspect.c.
 */
#include "store/sql.h"

/* Forward only, as in db.c: migration i brings the tables from version i to
 * i + 1. */
static const char *const migrations[] = {state_pg_sql, state_pg_2_sql,
                                         state_pg_3_sql, state_pg_4_sql};
enum { VERSION = sizeof migrations / sizeof *migrations };

int64_t remote_known(void)
{
    return VERSION;
}

/* 0: there are no tables. */
static enum err version_of(struct db *db, int64_t *version, struct errctx *ec)
{
    int64_t made = 0;
    enum err e = sql_number(sql_get(db, REMOTE_IS_MADE), &made, ec);

    *version = 0;
    if (e == ERR_OK && made != 0)
        e = sql_number(sql_get(db, REMOTE_VERSION), version, ec);
    if (e == ERR_OK && *version > VERSION)
        e = err_set(ec, ERR_DB,
                    "%.120s has version %lld, this program knows up to %d",
                    db->file->path, (long long)*version, VERSION);
    return e;
}

/* Alone; another program may have been faster. */
static enum err migrate(struct db *db, struct errctx *ec)
{
    int64_t v = 0;
    enum err e = version_of(db, &v, ec);

    for (; e == ERR_OK && v < VERSION; v++)
        e = sql_exec(db, migrations[v], ec);
    if (e != ERR_OK)
        return e;
    return sql_do(db, ec,
                  "INSERT INTO cited_schema(one, version) VALUES(1, ?1)"
                  " ON CONFLICT(one) DO UPDATE SET version = ?1",
                  as_int(VERSION));
}

/* On each new connection: a server may have come back as another one. */
static enum err make_current(void *arg, struct errctx *ec)
{
    struct db *db = arg;
    int64_t v = 0;
    enum err e = version_of(db, &v, ec);

    if (e != ERR_OK || v == VERSION)
        return e;
    e = sql_begin_write(db, ec);
    if (e == ERR_OK)
        e = sql_lock(db, LOCK_TABLES, 0, ec);
    if (e == ERR_OK)
        e = migrate(db, ec);
    if (e == ERR_OK)
        e = sql_commit(db, ec);
    sql_roll_back(db);
    return e;
}

enum err remote_open(struct db *db, struct errctx *ec)
{
    return pg_open(db->file->server, make_current, db, &db->pg, ec);
}
