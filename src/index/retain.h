/*
 * Removing what is older than it has to be kept: finished tasks and pages.
 * Little at a time, so that nobody waits. Called by the helper
 * (run/retention.c).
 */
#ifndef CITED_INDEX_RETAIN_H
#define CITED_INDEX_RETAIN_H

#include "store/db.h"

#include <stdint.h>

enum { RETAIN_AT_ONCE = 100 };

/* Remove at most RETAIN_AT_ONCE finished tasks whose state last changed before
 * that time, with steps and evidence; those whose record is still to be sent
 * stay. *removed: how many. */
MUST_CHECK enum err retain_tasks(struct db *state, int64_t before_ms,
                                 int64_t *removed, struct errctx *ec);

/* The same for pages last fetched, or found unchanged, before that time. */
MUST_CHECK enum err retain_pages(struct db *index, int64_t before_ms,
                                 int64_t *removed, struct errctx *ec);

#endif
