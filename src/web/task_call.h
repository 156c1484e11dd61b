/*
 * A search or fetch task: the helper answers it as the responder would have
 * answered the request, by the same handler, and stores the answer.
 */
#ifndef CITED_WEB_TASK_CALL_H
#define CITED_WEB_TASK_CALL_H

#include "store/task.h"
#include "web/app.h"

/*
 * Work on a claimed task of type search or fetch until it ends. An answer
 * completes it; a problem below 500 fails it with its message; any other
 * gives it back, so that it is tried again. ERR_LEASE_LOST: somebody else
 * goes on. Another error: it was given back.
 */
MUST_CHECK enum err task_call(struct app *app, const struct store *store,
                              const struct task_lease *lease,
                              struct errctx *ec);

#endif
