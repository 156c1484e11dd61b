/*
 * Pages from an index to PostgreSQL, whose tables are then what is true of
 * them, and back. Used by `cited move`, while nobody else writes.
 */
#ifndef CITED_INDEX_PAGE_MOVE_H
#define CITED_INDEX_PAGE_MOVE_H

#include "store/db.h"

#include <stdint.h>

struct page_move_count {
    int64_t pages, passages;       /* where they come from */
    int64_t pages_to, passages_to; /* where they went */
};

/* Told how many pages are done; false stops (ERR_GONE). */
typedef bool page_move_fn(void *user, int64_t pages);

/*
 * Copy every page with its passages and ids to source, each read back and
 * compared in every column. The index follows source then, and need not be made
 * anew. One that was stopped goes on when it is called again. ERR_CONFLICT:
 * source holds other pages.
 */
MUST_CHECK enum err pages_move_to(struct db *index, struct db *source,
                                  page_move_fn *tell, void *user,
                                  struct page_move_count *out,
                                  struct errctx *ec);

/*
 * The reverse: the index (db_file_follow) follows to the end, every page is
 * compared, and then it follows no longer. Errors of index_follow, besides.
 */
MUST_CHECK enum err pages_move_back(struct db *index, page_move_fn *tell,
                                    void *user, struct page_move_count *out,
                                    struct errctx *ec);

#endif
