/*
 * Callbacks: the record of a task, sent to an address of its account when it
 * has ended. How far each has come is a row, so that any helper goes on where
 * another was killed: a record is sent at least once, mostly exactly once.
 */
#ifndef CITED_STORE_CALLBACK_H
#define CITED_STORE_CALLBACK_H

#include "base/id.h"
#include "store/task.h"

enum callback_state {
    CALLBACK_WAITING, /* the task has not ended */
    CALLBACK_DUE,     /* to be sent, or to be sent again */
    CALLBACK_DELIVERED,
    CALLBACK_GIVEN_UP
};

const char *callback_state_name(enum callback_state s); /* as on the wire */

struct callback {
    const char *url;
    enum callback_state state;
    int64_t due_ms;    /* CALLBACK_DUE: when to send next */
    int64_t tries;     /* begun so far */
    const char *error; /* of the last try that failed, or NULL */
};

/* One to be sent now. */
struct callback_job {
    struct task task; /* its record, ended */
    const char *url;
    int64_t tries; /* this one included */
    unsigned char secret[SHA256_BYTES];
};

/* Take at most max callbacks that are due, the most overdue first, and count
 * a try of each. For hold_ms nobody else takes them. *count may be 0. */
MUST_CHECK enum err callback_take(struct db *state, int64_t now_ms,
                                  int64_t hold_ms, size_t max, struct arena *a,
                                  struct callback_job **out, size_t *count,
                                  struct errctx *ec);

/* How a try ended: delivered or given up, or (CALLBACK_DUE) to be repeated at
 * due_ms; error NULL when it did not fail. Nothing happens when another
 * helper has taken it meanwhile or the task was removed. */
MUST_CHECK enum err callback_settle(struct db *state,
                                    const struct callback_job *j,
                                    enum callback_state s, int64_t due_ms,
                                    const char *error, struct errctx *ec);

/* No pause after so many tries is longer. */
#define CALLBACK_PAUSE_MAX_MS(tries) (INT64_C(2000) << (3 * (tries)))

/* The clock may have been set back: what is due further ahead than a try or
 * the pause after it may last is due now. Looks at all that are due. */
MUST_CHECK enum err callback_mend(struct db *state, int64_t now_ms,
                                  int64_t hold_ms, struct errctx *ec);

/* When the next one is due; INT64_MAX when none is. */
MUST_CHECK enum err callback_next(struct db *state, int64_t *due_ms,
                                  struct errctx *ec);

/* That of a task; ERR_NOT_FOUND when it has none. */
MUST_CHECK enum err callback_get(struct db *state, const char *id,
                                 struct arena *a, struct callback *out,
                                 struct errctx *ec);

/* What signs the account's callbacks; made if there is none yet, or anew. */
MUST_CHECK enum err callback_secret(struct db *state, int64_t account,
                                    bool renew, unsigned char out[SHA256_BYTES],
                                    struct errctx *ec);

#endif
