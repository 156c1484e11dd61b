/*
 * Looking at a database from outside: is it ours, sound and current, and
 * what stands in it. Creates no database and migrates none. Called by `cited
 * doctor`, `cited backup` and `cited restore`.
 */
#ifndef CITED_STORE_INSPECT_H
#define CITED_STORE_INSPECT_H

#include "base/clock.h"
#include "store/db.h"

#include <stdint.h>

enum db_fault {
    DB_SOUND,
    DB_ABSENT,
    DB_EMPTY,      /* 0 bytes: what was in it is gone */
    DB_UNREADABLE, /* cannot be opened or read by us */
    DB_FOREIGN,    /* not a database of cited, or the other one of the two */
    DB_NEWER,      /* made by a later version of cited */
    DB_OLDER,      /* sound; migrated when the service opens it next */
    DB_DAMAGED     /* SQLite's quick_check found faults, or cannot read it */
};

struct db_look {
    char msg[256];          /* what was found wrong, or "" */
    char server[160];       /* of PostgreSQL: hosts and database; else "" */
    int64_t version, known; /* the file's; the latest of this program */
    int64_t bytes, wal_bytes;
    bool checked; /* quick_check ran to its end */

    /* of state.db */
    int64_t accounts, keys; /* that are not disabled or revoked */
    int64_t waiting;        /* tasks nobody holds … */
    int64_t waiting_ms;     /* … the oldest of them since, UTC, or 0 */
    int64_t expired;        /* tasks whose lease has ended … */
    int64_t expired_ms;     /* … the first of them, UTC, or 0 */
    /* of index.db */
    int64_t pages, passages;
};

/* *out is always filled as far as it was read. quick_check is left out when d
 * has passed and broken off when it passes. */
enum db_fault db_inspect(enum db_kind kind, const char *path, struct deadline d,
                         struct db_look *out);

/* The same of the state database in PostgreSQL. Its files are PostgreSQL's
 * affair: DB_ABSENT there are no tables of ours, DB_UNREADABLE it cannot be
 * reached or asked. */
enum db_fault db_inspect_remote(const char *address, struct db_look *out);

/* Has another process the file open? *pid: one of them, or 0 when unknown.
 * By the lock that every connection to a WAL database holds on the file (see
 * "Shared-Memory Locks" and "The Lock-Byte Page" of SQLite's file format). */
bool db_in_use(const char *path, int64_t *pid);

#endif
