/*
 * Tasks: created by the responder, claimed by a helper under a lease, written
 * once. Status goes pending → processing → completed or failed and never
 * back, also when a helper dies and another continues.
 */
#ifndef CITED_STORE_TASK_H
#define CITED_STORE_TASK_H

#include "base/arena.h"
#include "base/id.h"
#include "store/db.h"

#include <stdint.h>

enum task_state { TASK_PENDING, TASK_PROCESSING, TASK_COMPLETED, TASK_FAILED };

const char *task_state_name(enum task_state s); /* as on the wire */

/* What is to be done: a research task in steps, or one search or fetch. */
enum task_type { TASK_RESEARCH, TASK_SEARCH, TASK_FETCH };

const char *task_type_name(enum task_type t); /* as on the wire */

struct task {
    enum task_type type;
    char id[UUID_LEN + 1];
    int64_t account;
    enum task_state state;
    const char *input;  /* JSON object, as echoed */
    const char *output; /* JSON, or NULL */
    const char *error;  /* or NULL */
    int64_t created_ms;
    int64_t updated_ms; /* of the last change of state */
    int attempt; /* claims since the last step that nothing was heard of */
    int faults;  /* times it was given back */
    bool sends;  /* it ended and its record is still to be sent */
};

/* What a task is made from. */
struct task_order {
    enum task_type type;
    const char *input;        /* JSON object, as echoed */
    int64_t open_max;         /* unfinished tasks the account may have */
    const char *callback_url; /* where its record goes at its end, or NULL */
    const char *key;          /* Idempotency-Key, or NULL */
};

enum { TASK_KEY_MS = 24 * 60 * 60 * 1000 }; /* how long a key is kept */

/*
 * Insert a pending task. ERR_LIMIT when the account has open_max unfinished
 * ones; ERR_INTERNAL when there is no such account. With a key that the account
 * used within TASK_KEY_MS nothing is inserted: *out is the task made then, as
 * it is now, or ERR_CONFLICT when its input was another. One atomic batch.
 * The id of a new task is a UUID that begins with the time.
 */
MUST_CHECK enum err task_submit(struct db *state, int64_t account,
                                const struct task_order *o, int64_t now_ms,
                                struct arena *a, struct task *out,
                                struct errctx *ec);

/* Insert count tasks (out has room for them), all or none; ERR_LIMIT when
 * not all of them fit into the quota. Keys do not count. */
MUST_CHECK enum err task_submit_all(struct db *state, int64_t account,
                                    const struct task_order *o, size_t count,
                                    int64_t now_ms, struct arena *a,
                                    struct task *out, struct errctx *ec);

/* task_submit of an input alone. */
MUST_CHECK enum err task_create(struct db *state, int64_t account,
                                const char *input, int64_t open_max,
                                int64_t now_ms, struct arena *a,
                                struct task *out, struct errctx *ec);

/* Insert a task that is done: what was asked and answered at once, kept. id
 * gets its name. */
MUST_CHECK enum err task_keep(struct db *state, int64_t account,
                              enum task_type type, const char *input,
                              const char *output, int64_t now_ms,
                              char id[UUID_LEN + 1], struct errctx *ec);

/* ERR_NOT_FOUND: unknown, or another account's. account 0 = any. */
MUST_CHECK enum err task_get(struct db *state, int64_t account, const char *id,
                             struct arena *a, struct task *out,
                             struct errctx *ec);

enum task_sort { TASK_BY_CREATED, TASK_BY_UPDATED };

struct task_page {
    struct task *tasks;
    size_t count;
    int64_t total;
};

/* Page (1-based) of the account's research tasks; ties broken by id. Reads from
 * the nearer end; total comes from a counter row. */
MUST_CHECK enum err task_list(struct db *state, int64_t account,
                              enum task_sort sort, bool descending,
                              int64_t page, int64_t page_size, struct arena *a,
                              struct task_page *out, struct errctx *ec);

/* The same of all types, or of some: types and states are sets of bits
 * 1 << enum. Costs in proportion to the account's tasks. */
MUST_CHECK enum err task_list_some(struct db *state, int64_t account,
                                   unsigned types, unsigned states,
                                   enum task_sort sort, bool descending,
                                   int64_t page, int64_t page_size,
                                   struct arena *a, struct task_page *out,
                                   struct errctx *ec);

/* A claimed task: what a helper holds. */
struct task_lease {
    struct task task;
    char token[UUID_LEN + 1]; /* proves ownership */
};

/*
 * Take a task that is free — pending, given back and due again, or left by a
 * helper whose lease has run out — for lease_ms: state processing, new token,
 * attempt + 1, in one statement. Accounts take turns: the one whose last turn
 * is longest ago is next, with the oldest of its tasks. A lease that ends more
 * than two leases ahead is none: the clock was set back since. A task whose
 * attempts are used up becomes failed instead ("gave up after N attempts: the
 * helper stopped unexpectedly"). ERR_NOT_FOUND: nothing to do. A stored step
 * sets the count back: only claims without progress use it up. id not NULL:
 * only that task, and also when it is not due yet.
 */
MUST_CHECK enum err task_claim(struct db *state, const char *id,
                               int64_t lease_ms, int64_t attempts_max,
                               int64_t now_ms, struct arena *a,
                               struct task_lease *out, struct errctx *ec);

/* Prolong; ERR_LEASE_LOST when the token no longer matches. */
MUST_CHECK enum err task_beat(struct db *state, const struct task_lease *l,
                              int64_t lease_ms, int64_t now_ms,
                              struct errctx *ec);

/* End a task, only if the token still matches (ERR_LEASE_LOST). output is
 * JSON; error is a message for the caller. */
MUST_CHECK enum err task_finish(struct db *state, const struct task_lease *l,
                                const char *output, int64_t now_ms,
                                struct errctx *ec);
MUST_CHECK enum err task_fail(struct db *state, const struct task_lease *l,
                              const char *error, int64_t now_ms,
                              struct errctx *ec);

/* How long and how often tasks are tried; of the configuration. */
struct task_terms {
    int64_t lease_ms, attempts_max, patience_ms;
};

/*
 * Give a task back after a passing fault: nobody holds it, and it is due again
 * after 2, 8, 32 … seconds, at most two leases. When it was given back
 * attempts_max times, and was begun patience_ms ago, it fails instead: "gave up
 * after N attempts: error".
 */
MUST_CHECK enum err task_release(struct db *state, const struct task_lease *l,
                                 const char *error,
                                 const struct task_terms *terms, int64_t now_ms,
                                 struct errctx *ec);
/* Give it back because the helper leaves: as if it had not been claimed. */
MUST_CHECK enum err task_put_back(struct db *state, const struct task_lease *l,
                                  struct errctx *ec);

/*
 * For the account that made it: an unfinished one becomes failed, with the
 * error "cancelled"; its helper loses the lease and stops at its next step. A
 * finished one is removed, with its steps and what it had to send. *out is the
 * record after the one or before the other. ERR_NOT_FOUND as task_get.
 */
MUST_CHECK enum err task_drop(struct db *state, int64_t account, const char *id,
                              int64_t now_ms, struct arena *a, struct task *out,
                              struct errctx *ec);

struct task_work {
    int64_t waiting; /* free to be claimed, or ended with a callback due;
                        each counted up to 1,000 */
    int64_t leased;  /* held, or given back and not due yet; up to 10,000 */
};

/* Is there work, and is anybody at it? Cheap: an index-only look. */
MUST_CHECK enum err task_work(struct db *state, int64_t lease_ms,
                              int64_t now_ms, struct task_work *out,
                              struct errctx *ec);

/* Tell those who wait for tasks on all machines of any that came in through
 * this process since it last did; and wait so, as db_wait. */
MUST_CHECK enum err task_tell(struct db *state, struct errctx *ec);
MUST_CHECK enum err task_wait(struct db *state, struct deadline d, bool *told,
                              struct errctx *ec);

/* Unfinished tasks of the account, or of all (0). */
MUST_CHECK enum err task_open_count(struct db *state, int64_t account,
                                    int64_t *out, struct errctx *ec);

/* --- steps and evidence: checkpoint, progress and audit trail in one --- */

struct task_step {
    int64_t n; /* 0, 1, … */
    int64_t at_ms;
    const char *kind; /* "plan", "search", "gap", "write" */
    const char *data; /* JSON object */
};

struct evidence {
    int64_t n;
    int64_t sub;           /* sub-question it answers, from 0 */
    int64_t page, passage; /* ids in the index when it was read */
    const char *url, *title, *favicon;
    const char *heading;
    const char *text; /* the passage, verbatim */
    size_t start;     /* byte offset in the page's text */
    int32_t day;
    double score;
};

/* One step and the evidence it brought, in one transaction, with the lease
 * checked and prolonged. ERR_LEASE_LOST. */
MUST_CHECK enum err task_add_step(struct db *state, const struct task_lease *l,
                                  const char *kind, const char *data,
                                  const struct evidence *ev, size_t ev_count,
                                  int64_t lease_ms, int64_t now_ms,
                                  struct errctx *ec);
MUST_CHECK enum err task_steps(struct db *state, const char *id,
                               struct arena *a, struct task_step **out,
                               size_t *count, struct errctx *ec);
MUST_CHECK enum err task_evidence(struct db *state, const char *id,
                                  struct arena *a, struct evidence **out,
                                  size_t *count, struct errctx *ec);

#endif
