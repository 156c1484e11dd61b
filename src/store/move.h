/*
 * What is in a file to PostgreSQL and back: the state database, and of an index
 * the frontiers of crawls (its pages are index/page_move.h's). Used by `cited
 * move`, while nobody else writes.
 */
#ifndef CITED_STORE_MOVE_H
#define CITED_STORE_MOVE_H

#include "store/db.h"

#include <stdint.h>

enum { MOVE_TABLES = 13 };

struct move_count {
    const char *table;
    int64_t from, to; /* rows at the end */
};

/* Told of each batch of rows; false stops (ERR_GONE). */
typedef bool move_fn(void *user, const char *table, int64_t rows);

/*
 * Copy every row that to does not have, and compare: each batch is read back
 * and must be equal in every column, in the end all tables are counted on both
 * sides. One that was stopped goes on when it is called again. One of the two
 * is a file, of whose kind the tables are that are moved; in out these are
 * written. The frontiers of an index that follows pages are of before it did:
 * they go before others take their place. ERR_CONFLICT: to holds something
 * else.
 */
MUST_CHECK enum err db_move(struct db_file *from, struct db_file *to,
                            move_fn *tell, void *user,
                            struct move_count out[MOVE_TABLES],
                            struct errctx *ec);

#endif
