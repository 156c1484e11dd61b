/*
 * A research task from question to report: plan sub-questions, rounds of
 * search, keep evidence, test for gaps, write sections from the stored
 * passages, verify, finish. Every step is stored as it ends, so that a second
 * helper continues where the first was killed.
 */
#ifndef CITED_RESEARCH_RESEARCH_H
#define CITED_RESEARCH_RESEARCH_H

#include "search/search.h"
#include "store/task.h"

#include <stdatomic.h>

enum research_mode { MODE_AUTO, MODE_ANSWER, MODE_INVESTIGATE, MODE_RESEARCH };
enum reasoning_depth { REASONING_S, REASONING_M, REASONING_L, REASONING_XL };

struct research_params {
    struct search_params search; /* q, output (SOURCED or STRUCTURED), domains,
                                    dates, images, schema */
    enum research_mode mode;
    enum reasoning_depth reasoning;
};

/* What a depth may spend. */
struct research_budget {
    int sub_questions, rounds, queries, pages;
    int64_t time_ms;
    int opened; /* pages read whole in a round */
    int words;  /* of the report */
};
struct research_budget research_budget_of(enum reasoning_depth d);

/*
 * Work on a claimed task until it is finished, failed or the lease is lost.
 * Writes steps, evidence and the end state itself, at most once, only while
 * the token matches. ERR_LEASE_LOST: somebody else goes on. Another error:
 * the task was released or failed with its message; the helper goes on with
 * the next one. stop (may be NULL) turns true when the helper shall leave:
 * the task is released at the next step.
 */
MUST_CHECK enum err research_run(const struct search_env *env, struct db *state,
                                 const struct task_lease *lease,
                                 const atomic_bool *stop, struct errctx *ec);

#endif
