/*
 * Transactions. Writers of one process queue on the db_file; the first is the
 * leader and runs everything queued in one transaction on the file's writing
 * connection (group commit). Across
 * processes the busy handler of db.c decides. Called by the other files of
 * store/.
 *
 * PostgreSQL lets writers in side by side, each on its own connection. There
 * only those queue that wait for the same row anyway: the orders of accounts,
 * in the order of accounts, so that groups of two machines do not wait for each
 * other in a circle.
 */
#include "store/sql.h"

#include <sched.h>
#include <stdio.h>

enum { GROUP_MAX = 256, YIELDS_MAX = 16 };
enum { GATHER_US_MAX = 5000, GATHER_STEP_US = 100 };

struct write_op {
    write_fn *fn;
    write_many_fn *many; /* or NULL */
    void *arg;
    struct errctx *ec;
    enum err result;
    bool done, settled;
    struct db *owner; /* whose thread waits */
    int64_t account;  /* whose row it changes, where that was told */
    struct write_op *next;
};

static void roll_back(struct db *db)
{
    sql_roll_back(db);
    if (db->guest != NULL)
        db->guest->ended(db, false);
}

static enum err commit(struct db *db, struct errctx *ec)
{
    enum err e = ERR_OK;

    if (db->guest != NULL)
        e = db->guest->commit(db, ec);
    if (e == ERR_OK)
        e = sql_commit(db, ec);
    if (e != ERR_OK)
        return e;
    db_note_commit(db);
    if (db->guest != NULL)
        db->guest->ended(db, true);
    return ERR_OK;
}

static bool harmless(enum err e)
{
    return e == ERR_NOT_FOUND || e == ERR_INVALID || e == ERR_CONFLICT ||
           e == ERR_LIMIT || e == ERR_LEASE_LOST;
}

/* May a failure have left something half done? Not every trace is a changed
 * row: postings wait in memory. */
static bool left_traces(struct db *db, enum err e, int64_t changes_before)
{
    return e != ERR_OK && (!harmless(e) || !sql_in_transaction(db) ||
                           sql_total_changes(db) != changes_before);
}

/* One after the other inside a transaction, until one leaves something half
 * done: true, and the transaction must not be committed. */
static bool run_each(struct db *db, struct write_op *ops)
{
    for (struct write_op *op = ops; op != NULL; op = op->next) {
        int64_t before = sql_total_changes(db);

        op->result = op->fn(db, op->arg, op->ec);
        if (left_traces(db, op->result, before))
            return true;
    }
    return false;
}

static enum err run_group_once(struct db *db, struct write_op *ops,
                               bool *spoilt, struct errctx *ec)
{
    enum err e = sql_begin_write(db, ec);

    if (e != ERR_OK)
        return e;
    e = db_still_there(db->file, ec);
    if (e == ERR_OK)
        *spoilt = run_each(db, ops);
    if (e == ERR_OK && !*spoilt)
        e = commit(db, ec);
    if (*spoilt || e != ERR_OK)
        roll_back(db);
    return e;
}

/* No savepoint around each operation: it would copy every page they touch.
 * The rare failure half-way through one undoes all, and each is then run
 * again in a transaction of its own; also a single one, when it failed for
 * nothing of its own. */
static enum err run_all(struct db *db, struct write_op *ops, struct errctx *ec)
{
    bool spoilt = false;
    enum err e = run_group_once(db, ops, &spoilt, ec);

    if (e != ERR_OK || !spoilt ||
        (ops->next == NULL && !sql_may_repeat(db, ops->result)))
        return e;
    for (struct write_op *op = ops, *next; op != NULL; op = next) {
        next = op->next;
        op->next = NULL;
        e = run_group_once(db, op, &spoilt, op->ec);
        if (e != ERR_OK)
            op->result = e;
        op->next = next;
    }
    return ERR_OK;
}

/* A transaction that failed as a whole fails every operation in it. */
static void run_group(struct db *db, struct write_op *ops)
{
    struct errctx ec = {0};
    enum err e = run_all(db, ops, &ec);

    if (e == ERR_OK)
        return;
    for (struct write_op *op = ops; op != NULL; op = op->next) {
        op->result = e;
        err_set(op->ec, e, "%s", ec.msg);
    }
}

/* With one statement what can be, all of one kind. What no server answered to may have been
 * done: then it has failed. */
static void run_many(struct db *db, struct write_op *ops)
{
    struct write_op *all[GROUP_MAX];
    void *args[GROUP_MAX];
    bool done[GROUP_MAX] = {false};
    struct errctx ec = {0};
    size_t n = 0;
    enum err e;

    for (struct write_op *op = ops; op != NULL; op = op->next)
        if (op->many != NULL && (n == 0 || op->many == all[0]->many)) {
            all[n] = op;
            args[n++] = op->arg;
        }
    if (n == 0)
        return;
    e = all[0]->many(db, args, n, done, &ec);
    for (size_t i = 0; i < n; i++) {
        all[i]->settled = done[i] || e == ERR_DB || e == ERR_TIMEOUT;
        all[i]->result = e;
        if (all[i]->settled && !done[i])
            err_set(all[i]->ec, e, "%s", ec.msg);
    }
}

/* Those that are not settled yet, as a list of their own. */
static struct write_op *take_rest(struct write_op **ops)
{
    struct write_op *rest = NULL, **end = &rest, **settled = ops;

    for (struct write_op *op = *ops; op != NULL; op = op->next) {
        struct write_op ***list = op->settled ? &settled : &end;

        **list = op;
        *list = &op->next;
    }
    *end = *settled = NULL;
    return rest;
}

static void run_together(struct db *db, struct write_op **ops)
{
    struct write_op *rest = *ops, **end = ops;

    if (db->pg != NULL) {
        run_many(db, *ops);
        rest = take_rest(ops);
    }
    if (rest != NULL)
        run_group(db, rest);
    if (rest == *ops)
        return;
    while (*end != NULL)
        end = &(*end)->next;
    *end = rest;
}

/* op is on its thread's stack: gone as soon as that thread is woken. The
 * semaphore is the connection's and stays. */
static void wake_group(struct write_op *ops, const struct write_op *mine)
{
    while (ops != NULL) {
        struct write_op *op = ops;

        ops = op->next;
        if (op != mine) {
            op->done = true;
            sem_post(&op->owner->wake);
        }
    }
}

/* Become the leader at once, or queue and wait; true when op must lead. */
static bool wait_turn(struct db_file *f, struct write_op *op)
{
    bool lead;

    pthread_mutex_lock(&f->lock);
    lead = !f->writing;
    f->writing = true;
    if (!lead) {
        if (f->tail != NULL)
            f->tail->next = op;
        else
            f->head = op;
        f->tail = op;
        f->queued++;
    }
    pthread_mutex_unlock(&f->lock);
    if (lead)
        return true;
    while (sem_wait(&op->owner->wake) != 0)
        ;
    return !op->done;
}

static int queued_now(struct db_file *f)
{
    int n;

    pthread_mutex_lock(&f->lock);
    n = f->queued;
    pthread_mutex_unlock(&f->lock);
    return n;
}

/* A commit costs as much as several operations. Under load, let the threads
 * whose work was just done come back before the next group is closed: wait
 * while more of them do. A writer that was alone last time does not wait. */
static void gather(struct db_file *f)
{
    int before = queued_now(f), still = 0;

    if (before == 0 && f->group <= 1)
        return;
    for (int i = 0; i < YIELDS_MAX && still < 1; i++) {
        int now;

        sched_yield();
        now = queued_now(f);
        still = now > before ? 0 : still + 1;
        before = now;
    }
}

/* A server's commit takes longer than a client's next request: wait for all who
 * were there when the last group ended, for as long as that took. */
static void gather_remote(struct db_file *f, const struct write_op *mine)
{
    int64_t most = f->took_us < GATHER_US_MAX ? f->took_us : GATHER_US_MAX;
    int64_t until = clock_mono_us() + most;

    while (clock_mono_us() < until) {
        bool all;

        pthread_mutex_lock(&f->lock);
        all = f->queued + (f->head != mine) >= f->writers;
        pthread_mutex_unlock(&f->lock);
        if (all)
            return;
        clock_sleep_us(GATHER_STEP_US);
    }
}

/* By account, what came first first. */
static struct write_op *sorted(struct write_op *ops)
{
    struct write_op *first = NULL;

    for (struct write_op *next; ops != NULL; ops = next) {
        struct write_op **place = &first;

        next = ops->next;
        while (*place != NULL && (*place)->account <= ops->account)
            place = &(*place)->next;
        ops->next = *place;
        *place = ops;
    }
    return first;
}

/* The operations to run with mine: those queued behind it that are no
 * batches. mine is the head of the queue unless it never queued. */
static struct write_op *take_group(struct db_file *f, struct write_op *mine)
{
    struct write_op *last = mine;
    int n = 1;

    if (mine->owner->pg == NULL)
        gather(f);
    else
        gather_remote(f, mine);
    pthread_mutex_lock(&f->lock);
    if (f->head != mine)
        mine->next = f->head;
    for (; n < GROUP_MAX && last->next != NULL && last->next->fn != NULL; n++)
        last = last->next;
    f->group = n;
    f->queued -= f->head == mine ? n : n - 1;
    f->head = last->next;
    if (f->head == NULL)
        f->tail = NULL;
    pthread_mutex_unlock(&f->lock);
    last->next = NULL;
    return mine->owner->pg == NULL ? mine : sorted(mine);
}

/* How many write side by side, those who wait included; how long it took. */
static void note_group(struct db_file *f, int64_t took_us)
{
    pthread_mutex_lock(&f->lock);
    f->writers = f->group + f->queued;
    f->took_us = took_us;
    pthread_mutex_unlock(&f->lock);
}

/* Stop leading: the head of the queue does, if there is one. */
static void pass_on(struct db_file *f)
{
    struct db *next;

    pthread_mutex_lock(&f->lock);
    f->writing = f->head != NULL;
    next = f->head == NULL ? NULL : f->head->owner;
    pthread_mutex_unlock(&f->lock);
    if (next != NULL)
        sem_post(&next->wake);
}

/* No savepoints in a batch: postings that wait in memory know none. So a
 * failure that may have left something makes it fail. */
static enum err run_in_batch(struct db *db, write_fn *fn, void *arg,
                             struct errctx *ec)
{
    int64_t before = sql_total_changes(db);
    enum err e;

    if (db->batch_broken != ERR_OK)
        return err_set(ec, db->batch_broken,
                       "an earlier write of the batch failed");
    e = fn(db, arg, ec);
    if (left_traces(db, e, before))
        db->batch_broken = harmless(e) ? ERR_INTERNAL : e;
    return e;
}

enum err db_write_for(struct db *db, int64_t account, write_fn *fn,
                      write_many_fn *many, void *arg, struct errctx *ec)
{
    struct write_op op = {.fn = fn,
                          .many = many,
                          .arg = arg,
                          .ec = ec,
                          .owner = db,
                          .account = account};

    if (db->batch > 0)
        return run_in_batch(db, fn, arg, ec);
    if (db->pg != NULL && account == 0) {
        run_group(db, &op);
    } else if (wait_turn(db->file, &op)) {
        struct write_op *group = take_group(db->file, &op);
        int64_t since_us = clock_mono_us();

        run_together(db_writer(db), &group);
        note_group(db->file, clock_mono_us() - since_us);
        pass_on(db->file);
        wake_group(group, &op);
    }
    return op.result;
}

enum err db_write(struct db *db, write_fn *fn, void *arg, struct errctx *ec)
{
    return db_write_for(db, 0, fn, NULL, arg, ec);
}

struct one_statement {
    const char *sql;
    const struct sql_value *v;
    size_t count;
    int64_t changed;
};

static enum err run_one(struct db *db, void *arg, struct errctx *ec)
{
    struct one_statement *x = arg;
    enum err e = sql_run(sql_bound(db, x->sql, x->v, x->count), ec);

    x->changed = e == ERR_OK ? sql_changes(db) : 0;
    return e;
}

enum err db_write_one(struct db *db, int64_t *changed, struct errctx *ec,
                      const char *sql, const struct sql_value *v, size_t count)
{
    struct one_statement x = {sql, v, count, 0};
    enum err e = db_write(db, run_one, &x, ec);

    if (e == ERR_OK && changed != NULL)
        *changed = x.changed;
    return e;
}

enum err db_try_write(struct db *db, write_fn *fn, void *arg, struct errctx *ec)
{
    struct db_file *f = db->file;
    struct write_op op = {.fn = fn, .arg = arg, .ec = ec, .owner = db};
    struct db *writer;
    bool free;

    if (db->batch > 0)
        return run_in_batch(db, fn, arg, ec);
    if (db->pg != NULL) {
        db->no_wait = true;
        run_group(db, &op);
        db->no_wait = false;
        return op.result;
    }
    pthread_mutex_lock(&f->lock);
    free = !f->writing;
    f->writing = true;
    pthread_mutex_unlock(&f->lock);
    if (!free)
        return err_set(ec, ERR_BUSY, "another write is going on");
    writer = db_writer(db);
    writer->no_wait = true;
    run_group(writer, &op);
    writer->no_wait = false;
    pass_on(f);
    return op.result;
}

/* --- batches ----------------------------------------------------------- */

/* Become the leader and stay it. An operation without fn is in no group. */
static void lead(struct db *db)
{
    struct write_op op = {.owner = db};
    struct db_file *f = db->file;

    (void)wait_turn(f, &op);
    pthread_mutex_lock(&f->lock);
    if (f->head == &op) {
        f->queued--;
        f->head = op.next;
        if (f->head == NULL)
            f->tail = NULL;
    }
    pthread_mutex_unlock(&f->lock);
}

enum err db_batch_begin(struct db *db, struct errctx *ec)
{
    enum err e;

    if (db->batch > 0) {
        db->batch++;
        return ERR_OK;
    }
    lead(db);
    e = sql_begin_write(db, ec);
    if (e == ERR_OK)
        e = db_still_there(db->file, ec);
    if (e != ERR_OK) {
        roll_back(db);
        pass_on(db->file);
        return e;
    }
    db->batch = 1;
    db->batch_broken = ERR_OK;
    return ERR_OK;
}

enum err db_batch_commit(struct db *db, struct errctx *ec)
{
    enum err e = ERR_OK;

    if (db->batch == 0)
        return err_set(ec, ERR_INTERNAL, "commit without a batch");
    if (db->batch > 1) {
        db->batch--;
        return ERR_OK;
    }
    if (db->batch_broken != ERR_OK)
        e = err_set(ec, db->batch_broken, "a write of the batch failed: %.200s",
                    db->msg);
    if (e == ERR_OK)
        e = commit(db, ec);
    if (e != ERR_OK)
        roll_back(db);
    db->batch = 0;
    pass_on(db->file);
    return e;
}

void db_batch_abort(struct db *db)
{
    if (db->batch == 0)
        return;
    roll_back(db);
    db->batch = 0;
    pass_on(db->file);
}

enum err db_read_begin(struct db *db, struct errctx *ec)
{
    if (db->batch > 0)
        return ERR_OK;
    return sql_begin_read(db, ec);
}

void db_read_end(struct db *db)
{
    if (db->batch == 0)
        sql_roll_back(db);
}
