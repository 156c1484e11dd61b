/* Task records as the wire shows them (contract, sections 3 and 4). */
#ifndef CITED_WEB_RENDER_TASK_H
#define CITED_WEB_RENDER_TASK_H

#include "store/task.h"
#include "web/input_list.h"

/* One record, and a page of them with its metadata, onto out. Failures stick
 * in out. */
void render_task(const struct task *t, struct buf *out);
void render_task_list(const struct task_page *page, const struct list_params *p,
                      struct buf *out);

/* The list of tasks of all types, with how many are unfinished and may be. */
void render_task_quota_list(const struct task_page *page,
                            const struct list_params *p, int64_t open,
                            int64_t open_max, struct buf *out);

/* The records as a bare array. */
void render_task_array(const struct task *tasks, size_t count, struct buf *out);

#endif
