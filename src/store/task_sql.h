/*
 * Private to store/: shared by the files of tasks and callbacks. A row of
 * table task as the columns TASK_COLUMNS, in that order.
 */
#ifndef CITED_STORE_TASK_SQL_H
#define CITED_STORE_TASK_SQL_H

#include "store/sql.h"
#include "store/task.h"

#define TASK_COLUMNS                                                           \
    "task.id, task.account, task.state, task.attempt, task.created,"           \
    " task.updated, task.input, task.output, task.error,"                      \
    " (SELECT callback.state = 1 FROM callback"                                \
    " WHERE callback.task = task.seq), task.type, task.faults"
enum { TASK_COLUMN_COUNT = 12 };

enum {
    TASK_TEXT_MAX = 16 << 20, /* bytes of an input, of an output */
    TASK_LEASES_MAX = 2       /* no task is held or given back for longer than
                                 so many leases; one is too few, since who
                                 looks may have read the clock before who
                                 holds */
};

/* A struct task of the row; arena_failed tells whether it fits. */
void task_read_row(struct stmt *q, struct arena *a, void *out);
extern const struct sql_shape task_shape;

/* Prolong the lease by token; ERR_LEASE_LOST. For use inside db_write. */
MUST_CHECK enum err task_hold(struct db *db, const struct task_lease *l,
                              int64_t until_ms, struct errctx *ec);

/* The account has one unfinished task less. */
MUST_CHECK enum err task_count_ended(struct db *db, int64_t account,
                                     struct errctx *ec);

/* For use inside db_write: where the record of task (its seq) goes, and a
 * secret for its account if that has none; the task has ended, what it has to
 * send is due. */
MUST_CHECK enum err callback_put(struct db *db, int64_t account, int64_t task,
                                 const char *url,
                                 const unsigned char secret[SHA256_BYTES],
                                 struct errctx *ec);
MUST_CHECK enum err callback_arm(struct db *db, const char *id, int64_t now_ms,
                                 struct errctx *ec);

#endif
