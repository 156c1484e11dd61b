/*
 * An index that follows pages in PostgreSQL: what is true of pages stands
 * there (store/state_pg_2.sql), this index is made of it, the same on every
 * machine down to the ids. Each change has a number; what the index holds are
 * all changes up to one. Any process of the data folder may take it further:
 * run/follower.c does all the time, and who has written does, so as to find
 * what it wrote.
 */
#ifndef CITED_INDEX_FOLLOW_H
#define CITED_INDEX_FOLLOW_H

#include "store/db.h"

#include <stdint.h>

struct follow_look {
    int64_t seq;       /* changes up to here are in the index … */
    int64_t known;     /* … of so many that there are */
    int64_t behind_ms; /* since the first that is not was made; 0: all are */
    int64_t puts;      /* pages that came with this step */
};

/*
 * One step: the next changes there are, some thousand pages at most. out->seq
 * less than out->known: there are more. Nothing is taken from the index while
 * the network is waited for. ERR_DB, ERR_TIMEOUT: PostgreSQL is away.
 * ERR_CONFLICT: the index holds pages of its own, or of other tables, which a
 * person has to decide on. ERR_GONE: what it followed was taken back there, by
 * a failover or an old copy, or it was away for longer than removals are
 * remembered: it has to begin anew.
 */
MUST_CHECK enum err index_follow(struct db *index, struct follow_look *out,
                                 struct errctx *ec);

/* Take everything out, so that the index begins anew. Vectors beside it have to
 * go, too. */
MUST_CHECK enum err index_begin_anew(struct db *index, struct errctx *ec);

/* Sleep until somebody changed pages there, or d has passed, as db_wait. */
MUST_CHECK enum err index_wait(struct db *index, struct deadline d,
                               struct errctx *ec);

/* Forget removals of more than FOLLOW_KEEP_DAYS ago. */
enum { FOLLOW_KEEP_DAYS = 30 };
MUST_CHECK enum err index_forget_removals(struct db *index, int64_t now_ms,
                                          struct errctx *ec);

/* Follow until that change is in, for a while at most: what is not in by then
 * comes soon. Private to index/. */
void index_reach(struct db *index, int64_t seq);

#endif
