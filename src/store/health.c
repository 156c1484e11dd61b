/*
 * What is amiss with a database file; see db_health in db.h. sql.c and write.c
 * tell what failed and what was written, web/h_health.c asks.
 */
#include "store/sql.h"

#include <stdio.h>
#include <sys/stat.h>

enum { PROBE_EVERY_MS = 1000 };

void db_note(struct db *db, int rc, enum err e)
{
    if (!err_is_storage(e) || (rc & 0xFF) == SQLITE_ERROR)
        return;
    /* A page that is damaged stays so, whatever is written elsewhere. */
    if ((rc & 0xFF) == SQLITE_CORRUPT || (rc & 0xFF) == SQLITE_NOTADB)
        atomic_store(&db->file->damaged, true);
    atomic_store(&db->file->fault, (int)e);
}

void db_note_commit(struct db *db)
{
    if (atomic_load_explicit(&db->file->fault, memory_order_relaxed) != ERR_OK)
        atomic_store(&db->file->fault, ERR_OK);
}

enum err db_still_there(struct db_file *f, struct errctx *ec)
{
    struct stat st;

    if (f->server != NULL)
        return ERR_OK;
    if (stat(f->path, &st) == 0 && st.st_dev == f->device &&
        st.st_ino == f->inode)
        return ERR_OK;
    return err_set(ec, ERR_DB,
                   "%.150s was removed or replaced while it was in use; stop "
                   "the service, bring it back (cited restore) and start",
                   f->path);
}

/* Writes the header, or the version, as it is. */
static enum err write_mark(struct db *db, void *arg, struct errctx *ec)
{
    char sql[48];
    int64_t v;
    enum err e;

    (void)arg;
    if (db->pg != NULL)
        return sql_do(db, ec,
                      "UPDATE cited_schema SET version = version"
                      " WHERE one = ?1",
                      as_int(1));
    e = sql_number(sql_get(db, "PRAGMA user_version"), &v, ec);
    if (e != ERR_OK)
        return e;
    snprintf(sql, sizeof sql, "PRAGMA user_version=%lld", (long long)v);
    return sql_exec(db, sql, ec);
}

/* One thread does, and its outcome is noted like any other's. */
static void probe(struct db *db)
{
    struct db_file *f = db->file;
    int64_t now = clock_mono_ms(), last = atomic_load(&f->probed_ms);
    struct errctx ec;

    if (last != 0 && now - last < PROBE_EVERY_MS)
        return;
    if (atomic_compare_exchange_strong(&f->probed_ms, &last, now))
        (void)!db_try_write(db, write_mark, NULL, &ec);
}

enum err db_health(struct db *db)
{
    struct db_file *f = db->file;
    struct errctx ec;

    if (atomic_load(&f->damaged) || db_still_there(f, &ec) != ERR_OK)
        return ERR_DB;
    if (atomic_load(&f->fault) != ERR_OK)
        probe(db);
    return (enum err)atomic_load(&f->fault);
}
