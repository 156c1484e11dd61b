/* The helper's main thread: leases, signals, when to leave; see worker.h. */
#include "prog/worker.h"

#include "base/clock.h"
#include "base/log.h"
#include "prog/kick.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool take_lease(struct hand *x, struct task_lease *out)
{
    bool holds;

    pthread_mutex_lock(&x->helper->lock);
    holds = x->holds;
    if (holds)
        *out = x->lease;
    pthread_mutex_unlock(&x->helper->lock);
    return holds;
}

/* The lease is gone: nothing the thread does would count any more. */
static void drop_lease(struct hand *x, const char *token)
{
    pthread_mutex_lock(&x->helper->lock);
    if (x->holds && strcmp(x->lease.token, token) == 0)
        atomic_store(&x->stop, true);
    pthread_mutex_unlock(&x->helper->lock);
}

static void beat(struct helper *h, struct db *state)
{
    for (size_t i = 0; i < h->count; i++) {
        struct errctx ec = {ERR_OK, ""};
        struct task_lease l;
        enum err e;

        if (!take_lease(&h->hands[i], &l))
            continue;
        e = task_beat(state, &l, h->conf.lease_ms, clock_now_ms(), &ec);
        if (e == ERR_LEASE_LOST)
            drop_lease(&h->hands[i], l.token);
        else if (e != ERR_OK)
            log_warn(l.task.id, "cannot prolong the lease: %s", ec.msg);
    }
}

static void tell_all_to_stop(struct helper *h)
{
    pthread_mutex_lock(&h->lock);
    h->leaving = true;
    for (size_t i = 0; i < h->count; i++)
        atomic_store(&h->hands[i].stop, true);
    pthread_mutex_unlock(&h->lock);
}

static void wait_signal(struct helper *h, const sigset_t *set)
{
    struct timespec tick = {0, WORKER_TICK_MS * 1000000L};
    int sig = sigtimedwait(set, NULL, &tick);

    if (sig > 0) {
        log_info(NULL, "asked to stop");
        tell_all_to_stop(h);
    }
}

static size_t still_running(struct helper *h)
{
    size_t n;

    pthread_mutex_lock(&h->lock);
    n = h->running;
    pthread_mutex_unlock(&h->lock);
    return n;
}

/* Threads at work until all have left. */
static void work_session(struct helper *h, struct db *state,
                         const sigset_t *set, size_t threads)
{
    int64_t next = clock_mono_ms() + h->conf.lease_ms / 3;
    bool courier = h->o.mode != MODE_ONCE;

    h->retention.conf = &h->conf;
    h->retention.files = &h->files;
    if (courier) {
        worker_mark_courier(h, true);
        retention_run(&h->retention);
    }
    worker_start_hands(h, threads);
    if (courier)
        courier = worker_start_courier(h);
    while (still_running(h) > 0 ||
           (h->retention.going && !worker_is_leaving(h))) {
        wait_signal(h, set);
        if (h->o.mode != MODE_ONCE)
            retention_run(&h->retention);
        if (clock_mono_ms() < next)
            continue;
        beat(h, state);
        next = clock_mono_ms() + h->conf.lease_ms / 3;
    }
    for (size_t i = 0; i < h->count; i++)
        if (h->hands[i].started)
            pthread_join(h->hands[i].thread, NULL);
    if (courier)
        pthread_join(h->courier, NULL);
}

static int64_t slots(const struct helper *h)
{
    return h->conf.workers > 0 ? h->conf.workers : 1;
}

/* Is there work? A live lease while no other helper is alive belongs to a
 * dead one: its task waits for us. */
static bool has_work(struct helper *h, struct db *state, bool have_slot,
                     bool *orphans)
{
    struct task_work w = {0, 0};
    struct errctx ec = {ERR_OK, ""};
    int64_t others;

    *orphans = false;
    if (task_work(state, clock_now_ms(), &w, &ec) != ERR_OK) {
        log_error(NULL, "cannot look for tasks: %s", ec.msg);
        return false;
    }
    others = slot_count(h->conf.data_dir, slots(h)) - have_slot;
    *orphans = w.leased > 0 && others <= 0;
    return w.waiting > 0;
}

/* Before leaving: wait for leases of dead helpers to run out, at most as
 * long as a lease lasts. True: there is work again. */
static bool second_look(struct helper *h, struct db *state, const sigset_t *set)
{
    int64_t until = clock_mono_ms() + h->conf.lease_ms + WORKER_IDLE_MS;
    bool orphans = false;

    for (;;) {
        if (worker_is_leaving(h))
            return false;
        if (has_work(h, state, true, &orphans))
            return true;
        if (!orphans || clock_mono_ms() > until)
            return false;
        wait_signal(h, set);
    }
}

/* One slot's life. *again: work came up just as we left. */
static enum err work_in_slot(struct helper *h, struct db *state,
                             const sigset_t *set, bool *again,
                             struct errctx *ec)
{
    size_t threads = (size_t)h->conf.worker_tasks;
    bool orphans;
    int fd = -1;
    enum err e = slot_take(h->conf.data_dir, slots(h), &fd, ec);

    *again = false;
    if (e != ERR_OK)
        return e;
    if (threads < 1)
        threads = 1;
    do
        work_session(h, state, set,
                     threads < WORKER_THREADS_MAX ? threads
                                                  : WORKER_THREADS_MAX);
    while (!h->failed && second_look(h, state, set));
    close(fd);
    /* A task created while the slot was still ours had no helper started
     * for it. */
    *again = !h->failed && !worker_is_leaving(h) &&
             has_work(h, state, false, &orphans);
    return ERR_OK;
}

static int run_once(struct helper *h, struct db *state, const sigset_t *set)
{
    work_session(h, state, set, 1);
    if (h->failed)
        return 1;
    if (h->found)
        return 0;
    fprintf(stderr,
            "cited-worker: task %s is not there, or not to be worked on\n",
            h->o.once);
    return 1;
}

int worker_run(struct helper *h, struct db *state, const sigset_t *set)
{
    struct errctx ec = {ERR_OK, ""};
    bool again = true;

    if (h->o.mode == MODE_ONCE)
        return run_once(h, state, set);
    while (again) {
        enum err e = work_in_slot(h, state, set, &again, &ec);

        if (e == ERR_BUSY)
            return 0; /* enough helpers are at work */
        if (e != ERR_OK) {
            log_error(NULL, "%s", ec.msg);
            return 1;
        }
    }
    return h->failed ? 1 : 0;
}
