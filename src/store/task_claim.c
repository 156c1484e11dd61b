/*
 * How a helper comes by a task: under a lease, accounts taking turns. Called by
 * prog.
 */
#include "store/task.h"
#include "store/task_sql.h"

enum { GIVE_UP_MAX = 1000 };

struct claim_arg {
    const char *id; /* or NULL: whose turn it is */
    int64_t until_ms, now_ms, far_ms, attempts_max;
    struct arena *a;
    struct task_lease lease;
    bool found;
};

/*
 * The one statement of a claim. Attempts left: processing, new token. Used
 * up: failed. At ?1 a task is free whose lease has run out, or ends after ?5,
 * further ahead than any lease lasts: then the clock was set back.
 */
#define CLAIM_SQL                                                              \
    "UPDATE task SET"                                                          \
    " updated = CASE WHEN state = 0 OR attempt >= ?4 THEN ?1 ELSE updated"     \
    "  END,"                                                                   \
    " state = CASE WHEN attempt >= ?4 THEN 3 ELSE 1 END,"                      \
    " error = CASE WHEN attempt >= ?4 THEN 'gave up after ' || attempt ||"     \
    "  CASE attempt WHEN 1 THEN ' attempt: ' ELSE ' attempts: ' END ||"        \
    "  'the helper stopped unexpectedly' END,"                                 \
    " attempt = CASE WHEN attempt >= ?4 THEN attempt ELSE attempt + 1 END,"    \
    " lease_until = CASE WHEN attempt >= ?4 THEN 0 ELSE ?2 END,"               \
    " token = ?3"

/* The oldest free task of account c; each part is one step in an index. */
#define FREE_OF_C                                                              \
    "(SELECT min(seq) FROM ("                                                  \
    " SELECT * FROM (SELECT seq FROM task WHERE account = c.account"           \
    "  AND state < 2 AND lease_until = 0 ORDER BY seq LIMIT 1) AS fresh"       \
    " UNION ALL SELECT * FROM (SELECT seq FROM task"                           \
    "  WHERE account = c.account AND state < 2"                                \
    "  AND lease_until BETWEEN 1 AND ?1 ORDER BY lease_until LIMIT 1) AS "     \
    "left_"                                                                    \
    " UNION ALL SELECT * FROM (SELECT seq FROM task"                           \
    "  WHERE account = c.account AND state < 2 AND lease_until > ?5"           \
    "  ORDER BY lease_until DESC LIMIT 1) AS ahead) AS free)"

/* Of the account whose last turn is longest ago. */
#define CLAIM_ANY                                                              \
    CLAIM_SQL                                                                  \
    " WHERE seq = (SELECT " FREE_OF_C " FROM task_count c WHERE open > 0"      \
    "  AND " FREE_OF_C " IS NOT NULL ORDER BY turn LIMIT 1)"                   \
    " RETURNING " TASK_COLUMNS

/*
 * The same in PostgreSQL, where several claim at once: of each account, those
 * whose turn it is first, what nobody else is just taking. The places that are
 * looked at are held until the end of the claim. Not "= 0": the planner would
 * then take the index of seq, and walk past all that was ever claimed. Several
 * at once would be claimed 1.5 times as fast, but one by one is a thousand
 * times a second, and who holds some in stock keeps them from helpers that are
 * idle.
 */
#define PLACE_OF_C                                                             \
    "SELECT * FROM (SELECT seq FROM task WHERE account = c.account"            \
    "  AND state < 2 AND lease_until "
#define UNLOCKED " LIMIT 1 FOR UPDATE SKIP LOCKED) AS "
#define CLAIM_ANY_PG                                                           \
    CLAIM_SQL                                                                  \
    " WHERE seq = (SELECT free.seq FROM (SELECT account FROM task_count"       \
    "  WHERE open > 0 ORDER BY turn) AS c CROSS JOIN LATERAL"                  \
    "  (SELECT min(seq) AS seq FROM ("                                         \
    "  " PLACE_OF_C "<= 0 ORDER BY lease_until, seq" UNLOCKED "fresh"          \
    "  UNION ALL " PLACE_OF_C "BETWEEN 1 AND ?1 ORDER BY lease_until" UNLOCKED \
    "late UNION ALL " PLACE_OF_C "> ?5 ORDER BY lease_until DESC" UNLOCKED     \
    "ahead) AS one) AS free WHERE free.seq IS NOT NULL LIMIT 1)"               \
    " RETURNING " TASK_COLUMNS

/* Who names a task does not wait until it is due again. */
#define CLAIM_ONE                                                              \
    CLAIM_SQL                                                                  \
    " WHERE id = lower(?6) AND state < 2"                                      \
    " AND (lease_until <= ?1 OR lease_until > ?5 OR token IS NULL)"            \
    " RETURNING " TASK_COLUMNS

static enum err claim_step(struct db *db, struct claim_arg *c,
                           struct errctx *ec)
{
    struct stmt *q = sql_with(
        db, c->id != NULL ? CLAIM_ONE : sql_either(db, CLAIM_ANY, CLAIM_ANY_PG),
        as_int(c->now_ms), as_int(c->until_ms),
        as_bytes(c->lease.token, UUID_LEN), as_int(c->attempts_max),
        as_int(c->far_ms));
    bool row = false;
    enum err e;

    if (c->id != NULL)
        sql_text(q, 6, c->id);
    e = sql_step(q, &row, ec);
    c->found = e == ERR_OK && row;
    if (c->found) {
        task_read_row(q, c->a, &c->lease.task);
        e = sql_run(q, ec);
    }
    if (e == ERR_OK && arena_failed(c->a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    return e;
}

static enum err take_turn(struct db *db, int64_t account, struct errctx *ec)
{
    return sql_do(db, ec,
                  "UPDATE task_count SET turn ="
                  " (SELECT max(turn) FROM task_count) + 1"
                  " WHERE account = ?1",
                  as_int(account));
}

enum err task_count_ended(struct db *db, int64_t account, struct errctx *ec)
{
    return sql_do(db, ec,
                  "UPDATE task_count SET open = open - 1"
                  " WHERE account = ?1",
                  as_int(account));
}

/* Succeeds also when nothing is left to claim, so that tasks given up on
 * the way are committed. */
static enum err claim_in(struct db *db, void *arg, struct errctx *ec)
{
    struct claim_arg *c = arg;

    for (int i = 0; i < GIVE_UP_MAX; i++) {
        enum err e = claim_step(db, c, ec);

        if (e != ERR_OK || !c->found)
            return e;
        if (c->lease.task.state == TASK_PROCESSING)
            return take_turn(db, c->lease.task.account, ec);
        e = task_count_ended(db, c->lease.task.account, ec);
        if (e == ERR_OK)
            e = callback_arm(db, c->lease.task.id, c->now_ms, ec);
        if (e != ERR_OK)
            return e;
        c->found = false;
    }
    return ERR_OK;
}

enum err task_claim(struct db *state, const char *id, int64_t lease_ms,
                    int64_t attempts_max, int64_t now_ms, struct arena *a,
                    struct task_lease *out, struct errctx *ec)
{
    struct claim_arg c = {.id = id,
                          .until_ms = now_ms + lease_ms,
                          .now_ms = now_ms,
                          .far_ms = now_ms + TASK_LEASES_MAX * lease_ms,
                          .attempts_max = attempts_max,
                          .a = a};
    enum err e = id_uuid(c.lease.token);

    if (e != ERR_OK)
        return err_set(ec, e, "the system gives no random bytes");
    e = db_write(state, claim_in, &c, ec);
    if (e == ERR_OK && !c.found)
        e = err_set(ec, ERR_NOT_FOUND, "nothing to do");
    if (e == ERR_OK)
        *out = c.lease;
    return e;
}
