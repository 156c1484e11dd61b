/*
 * A consistent copy of a database file while others use it, by SQLite's
 * backup interface. Used by `cited backup` and `cited restore`; knows no
 * table.
 */
#ifndef CITED_STORE_COPY_H
#define CITED_STORE_COPY_H

#include "store/db.h"

#include <stdint.h>

struct db_copy; /* a snapshot being read */

/* Told now and then; false stops the copy (ERR_GONE). */
typedef bool db_copy_fn(void *user, int64_t done, int64_t total);

/* Take the snapshot that will be copied: what is committed at this moment,
 * whatever is written later. Several taken one after the other are as close as
 * the calls are. While it is held the write-ahead log only grows. ERR_NOT_FOUND
 * no such file; ERR_DB it cannot be read. */
MUST_CHECK enum err db_copy_begin(const char *from, struct db_copy **out,
                                  struct errctx *ec);

/* Write it to a new file (mode 0600), synced. ERR_IO the file exists or cannot
 * be made; ERR_DB reading or writing failed, for instance a full disk; ERR_GONE
 * stopped. After an error the file is removed. */
MUST_CHECK enum err db_copy_run(struct db_copy *c, const char *to,
                                db_copy_fn *tell, void *user,
                                struct errctx *ec);

void db_copy_end(struct db_copy *c); /* NULL is fine */

/* Remove a database file with its log; what is not there is fine. */
void db_remove(const char *path);

#endif
