/* What a task did so far, as the wire shows it (contract, section 5). */
#ifndef CITED_WEB_RENDER_STEPS_H
#define CITED_WEB_RENDER_STEPS_H

#include "research/progress.h"
#include "store/callback.h"
#include "store/task.h"

struct steps_view {
    const struct task *task;
    const struct progress *progress;
    const struct task_step *steps;
    size_t count;
    const struct callback *callback; /* or NULL */
};

/* Onto out; failures stick in out. The plan's sub-questions are named in the
 * steps that served them. Steps of a kind this program does not know show
 * only number, type and time. */
void render_steps(const struct steps_view *v, struct buf *out);

#endif
