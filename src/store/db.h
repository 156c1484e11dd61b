/*
 * Databases as the rest of store/ uses them; store/ is the only home of
 * sqlite3 and of libpq. The state database is a file like the other one, or in
 * PostgreSQL, where several machines share it: the same calls, the same order.
 *
 * Two files, both WAL: state.db (accounts, keys, tasks, steps, evidence) and
 * index.db (pages, passages, full text, crawl frontier). A struct db_file is
 * one per process and file and shared by threads; a struct db is one
 * connection and used by one thread at a time. Nobody outside store/ sees a
 * sqlite3 object; the declarations for store/ itself are in store/sql.h.
 *
 * What a call acknowledged survives the death of every process. A power cut
 * may take the last moments before it, never the integrity of a file
 * (synchronous NORMAL; see db.c).
 */
#ifndef CITED_STORE_DB_H
#define CITED_STORE_DB_H

#include "base/clock.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum db_kind { DB_STATE, DB_INDEX };

struct db_file; /* path, write queue */
struct db;      /* a connection */

/* path is copied. Creates nothing on disk. */
MUST_CHECK enum err db_file_new(enum db_kind kind, const char *path,
                                struct db_file **out);
/* The state database at a postgresql:// address instead. ERR_INVALID: it is
 * none; ERR_INTERNAL: libpq cannot be loaded. Connects to nothing. */
MUST_CHECK enum err db_remote_new(const char *address, struct db_file **out,
                                  struct errctx *ec);
void db_file_free(struct db_file *f);
/* The pages of this index are true there (index/follow.h); before it is first
 * opened. Errors as db_remote_new has them. */
MUST_CHECK enum err db_file_follow(struct db_file *index, const char *address,
                                   struct errctx *ec);

/* Open a connection; creates or migrates the file (mode 0600, its folder
 * 0700 when it has to be made): a file that is there is whole, also when
 * whoever made it was killed. ERR_DB: not our file (application_id), newer than
 * this program, empty or damaged. ERR_FULL, ERR_READ_ONLY, ERR_IO: cannot be
 * created. */
MUST_CHECK enum err db_open(struct db_file *f, struct db **out,
                            struct errctx *ec);
/* In PostgreSQL? Such a one is connected to when it is first needed: it opens,
 * and may fail with ERR_DB or ERR_TIMEOUT at any time, and be well later. */
bool db_is_remote(const struct db *db);
/* Is it an index whose pages are true in PostgreSQL? */
bool db_is_followed(const struct db *db);
void db_close(struct db *db);
/* A connection to PostgreSQL waits for nothing beyond d from now on: the
 * deadline of the request that it serves; so does what a followed index asks
 * its source. Files have a bound of their own. */
void db_until(struct db *db, struct deadline d);

/* Channels of PostgreSQL, on which machines tell each other that there is
 * something new: a name, without words. What was committed before is seen by
 * who is told. For a file nothing is told. Words may be lost (a connection, a
 * pooler): they save waiting, and nobody relies on them. */
MUST_CHECK enum err db_tell(struct db *db, const char *channel,
                            struct errctx *ec);
/* Sleep until somebody told something there, or d has passed; *told is also
 * true when it may have been missed, so at first. A connection hears of
 * one channel. ERR_DB, ERR_TIMEOUT: not to be reached. */
MUST_CHECK enum err db_wait(struct db *db, const char *channel,
                            struct deadline d, bool *told, struct errctx *ec);

/*
 * What is amiss with the file: ERR_OK; ERR_FULL, ERR_READ_ONLY or ERR_DB, by
 * what has failed in this process and has not succeeded since, and by whether
 * the file is still there. After a failure it tries a write of its own, once a
 * second at most; it never writes while all is well.
 */
enum err db_health(struct db *db);

/* What a thread or process holds of both files. */
struct store {
    struct db *state;
    struct db *index;
};

struct store_files {
    struct db_file *state;
    struct db_file *index;
};

struct conf;
MUST_CHECK enum err store_files_open(const struct conf *c,
                                     struct store_files *out,
                                     struct errctx *ec);
void store_files_close(struct store_files *f);
MUST_CHECK enum err store_open(struct store_files *f, struct store *out,
                               struct errctx *ec);
void store_close(struct store *s);

#endif
