/*
 * Private to store/: shared by task.c, task_list.c and task_step.c. A row of
 * table task as the columns TASK_COLUMNS, in that order.
 */
#ifndef CITED_STORE_TASK_SQL_H
#define CITED_STORE_TASK_SQL_H

#include "store/sql.h"
#include "store/task.h"

#define TASK_COLUMNS                                                           \
    "id, account, state, attempt, created, updated, input, output, error"

/* Copy the row; arena_failed tells whether it fits. */
void task_read_row(struct stmt *q, struct arena *a, struct task *out);

/* Prolong the lease by token; ERR_LEASE_LOST. For use inside db_write. */
MUST_CHECK enum err task_hold(struct db *db, const struct task_lease *l,
                              int64_t until_ms, struct errctx *ec);

#endif
