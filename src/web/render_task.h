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

#endif
