/*
 * How far a task is, read from its stored steps: what it has spent of its
 * budget. For whoever shows progress; the run itself counts in run.h.
 */
#ifndef CITED_RESEARCH_PROGRESS_H
#define CITED_RESEARCH_PROGRESS_H

#include "research/research.h"

struct progress {
    struct research_budget budget;
    int sub_questions; /* 0: not planned yet */
    int rounds;        /* begun */
    int queries, pages, passages;
    int64_t ms;    /* working time of the steps */
    bool gathered; /* searching has ended */
    bool written;
};

/* input is the task's, as echoed; steps those of task_steps. Scratch memory
 * comes from the arena. ERR_MALFORMED when the input or a step is not what
 * this program writes; ERR_NOMEM. */
MUST_CHECK enum err progress_read(const char *input,
                                  const struct task_step *steps, size_t count,
                                  struct arena *a, struct progress *out,
                                  struct errctx *ec);

#endif
