/*
 * The vectors of passages kept up with the index: the work of `cited-worker
 * --vectors`, which runs on all processors at the lowest priority and leaves
 * when it is done.
 */
#ifndef CITED_RUN_VECTORS_KEEP_H
#define CITED_RUN_VECTORS_KEEP_H

#include "base/conf.h"
#include "store/db.h"

/*
 * Encode what has no vector yet, in the order of passages, until nothing is
 * left; vectors of passages that are gone are removed when they are many. What
 * is done stays done when the process is killed, which is how it is stopped.
 * ERR_OK also when another process is at it, or no model is configured. Makes
 * this process yield to all others.
 */
MUST_CHECK enum err vectors_keep(const struct conf *c, struct db *index,
                                 struct errctx *ec);

/* Start a process for it that outlives us, where a model is configured: after
 * pages came in. A failed start is a warning. */
void vectors_start(const struct conf *c);

#endif
