/* The helper's main thread: leases, signals, when to leave; see worker.h. */
#include "prog/worker.h"

#include "base/clock.h"
#include "base/log.h"
#include "run/crawler.h"
#include "run/slot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DRIFT_MS = 1000 }; /* clocks apart by more: one was set */
enum { CRAWLS_MS = 1000 }; /* between two looks for crawls */

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
    pthread_cond_broadcast(&h->work);
    pthread_mutex_unlock(&h->lock);
}

static int64_t slots(const struct helper *h)
{
    return h->conf.workers > 0 ? h->conf.workers : 1;
}

/* We were stopped, or the machine was, for so long that another helper may
 * have been started in our place. */
static void see_who_is_here(struct helper *h, int64_t gap_ms)
{
    struct slots now;

    slot_look(h->conf.data_dir, h->conf.lease_ms, &now);
    log_warn(NULL, "stood still for %lld s", (long long)(gap_ms / 1000));
    if (now.live <= slots(h))
        return;
    log_info(NULL, "another helper took our place");
    tell_all_to_stop(h);
}

/* Give the sign of life. */
static void show_up(struct helper *h)
{
    int64_t now = clock_mono_ms(), gap = now - h->seen_ms;
    bool first = h->seen_ms == 0;

    h->seen_ms = now;
    if (h->slot < 0)
        return;
    slot_beat(h->slot);
    if (!first && gap > h->conf.lease_ms)
        see_who_is_here(h, gap);
}

static void wait_tick(struct helper *h, const sigset_t *set)
{
    struct timespec tick = {0, WORKER_TICK_MS * 1000000L};
    int sig = sigtimedwait(set, NULL, &tick);

    if (sig > 0) {
        log_info(NULL, "asked to stop");
        tell_all_to_stop(h);
    }
    show_up(h);
}

/* Prolong the leases when it is time, and at once when the clock was set:
 * before others take them for expired. */
static void renew(struct helper *h, struct db *state)
{
    int64_t now = clock_mono_ms(), drift = clock_now_ms() - now;
    bool was_set = llabs(drift - h->drift_ms) > DRIFT_MS;

    if (now < h->renewal_ms && !was_set)
        return;
    h->drift_ms = drift;
    if (was_set)
        atomic_store(&h->clock_set, true);
    beat(h, state);
    h->renewal_ms = now + h->conf.lease_ms / 3;
}

/* Start the helpers of crawls that nobody is at. */
static void start_crawls(struct helper *h, struct db *state)
{
    int64_t now = clock_mono_ms();

    if (h->o.mode == MODE_ONCE || now < h->crawls_ms)
        return;
    h->crawls_ms = now + CRAWLS_MS;
    (void)crawler_start_free(&h->conf, state);
}

/* No hand has found anything since it looked last, and no record is due: all
 * leave, together. */
static void end_if_idle(struct helper *h)
{
    pthread_mutex_lock(&h->lock);
    if (h->o.mode == MODE_SWEEP && h->idle == h->working && !h->posting)
        h->ending = true;
    if (h->ending)
        pthread_cond_broadcast(&h->work);
    pthread_mutex_unlock(&h->lock);
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
    bool courier = h->o.mode != MODE_ONCE, listens = false;

    h->retention.conf = &h->conf;
    h->retention.files = &h->files;
    if (courier) {
        worker_mark_courier(h, true);
        retention_run(&h->retention);
        upkeep_start(&h->upkeep, &h->files);
    }
    worker_start_hands(h, threads);
    if (courier)
        courier = worker_start_courier(h);
    if (h->o.mode == MODE_STAY && db_is_remote(state))
        listens = worker_start_listener(h);
    while (still_running(h) > 0 ||
           ((h->retention.going || atomic_load(&h->upkeep.busy)) &&
            !worker_is_leaving(h))) {
        wait_tick(h, set);
        if (h->o.mode != MODE_ONCE)
            retention_run(&h->retention);
        renew(h, state);
        start_crawls(h, state);
        end_if_idle(h);
    }
    for (size_t i = 0; i < h->count; i++)
        if (h->hands[i].started)
            pthread_join(h->hands[i].thread, NULL);
    if (courier)
        pthread_join(h->courier, NULL);
    if (listens)
        pthread_join(h->listener, NULL);
    upkeep_stop(&h->upkeep);
}

/* Is there work? A live lease while no other helper is alive belongs to a
 * dead one, or its task was given back: it waits for us. */
static bool has_work(struct helper *h, struct db *state, bool have_slot,
                     bool *orphans)
{
    struct task_work w = {0, 0};
    struct errctx ec = {ERR_OK, ""};
    struct slots now;

    *orphans = false;
    if (task_work(state, h->conf.lease_ms, clock_now_ms(), &w, &ec) != ERR_OK) {
        log_error(NULL, "cannot look for tasks: %s", ec.msg);
        return false;
    }
    slot_look(h->conf.data_dir, h->conf.lease_ms, &now);
    *orphans = w.leased > 0 && now.live - have_slot <= 0;
    return w.waiting > 0;
}

/* Before leaving: wait for leases of dead helpers to run out and for what was
 * given back to be due, at most as long as that may be. True: there is work
 * again. */
static bool second_look(struct helper *h, struct db *state, const sigset_t *set)
{
    int64_t until = clock_mono_ms() + 2 * h->conf.lease_ms + WORKER_IDLE_MS;
    bool orphans = false;

    for (;;) {
        if (worker_is_leaving(h))
            return false;
        if (has_work(h, state, true, &orphans))
            return true;
        if (!orphans || clock_mono_ms() > until)
            return false;
        wait_tick(h, set);
    }
}

/* One slot's life. *again: work came up just as we left. */
static enum err work_in_slot(struct helper *h, struct db *state,
                             const sigset_t *set, bool *again,
                             struct errctx *ec)
{
    size_t threads = (size_t)h->conf.worker_tasks;
    bool orphans;
    enum err e =
        slot_take(h->conf.data_dir, slots(h), h->conf.lease_ms, &h->slot, ec);

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
    close(h->slot);
    h->slot = -1;
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
    int status = -1;

    h->slot = -1;
    atomic_store(&h->clock_set, true); /* when there was no helper, perhaps */
    h->drift_ms = clock_now_ms() - clock_mono_ms();
    h->renewal_ms = clock_mono_ms() + h->conf.lease_ms / 3;
    if (h->o.mode == MODE_ONCE)
        return run_once(h, state, set);
    if (h->o.mode == MODE_STAY)
        follower_start(&h->follower, &h->conf, &h->files);
    while (again && status < 0) {
        enum err e = work_in_slot(h, state, set, &again, &ec);

        if (e == ERR_BUSY) /* enough helpers are at work */
            status = 0;
        else if (e != ERR_OK)
            status = 1;
        if (status == 1)
            log_error(NULL, "%s", ec.msg);
    }
    follower_stop(&h->follower);
    return status >= 0 ? status : h->failed ? 1 : 0;
}
