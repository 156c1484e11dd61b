/*
 * The thread of a helper that stays and whose tasks are in PostgreSQL: it hears
 * of those that come in on any machine; see worker.h. The hands look without
 * it, too, only later.
 */
#include "prog/worker.h"

#include "base/clock.h"
#include "base/log.h"

enum { SLICE_MS = 500, LOST_MS = 5000 };

/* Has every hand left, or is to? */
static bool is_over(struct helper *h)
{
    bool over;

    pthread_mutex_lock(&h->lock);
    over = h->working == 0 || h->leaving || h->ending;
    pthread_mutex_unlock(&h->lock);
    return over;
}

static void listen_on(struct helper *h, struct db *state)
{
    while (!is_over(h)) {
        struct errctx ec = {ERR_OK, ""};
        bool told = false;
        enum err e = task_wait(state, deadline_in(SLICE_MS), &told, &ec);

        if (told)
            worker_wake(h);
        if (e == ERR_OK)
            continue;
        log_warn(NULL, "cannot hear of new tasks: %s", ec.msg);
        for (int64_t ms = 0; ms < LOST_MS && !is_over(h); ms += WORKER_TICK_MS)
            worker_nap(h, WORKER_TICK_MS);
    }
}

static void *listener_main(void *arg)
{
    struct helper *h = arg;
    struct db *state = NULL;
    struct errctx ec = {ERR_OK, ""};

    if (db_open(h->files.state, &state, &ec) == ERR_OK) {
        listen_on(h, state);
        db_close(state);
    } else {
        log_warn(NULL, "cannot hear of new tasks: %s", ec.msg);
    }
    return NULL;
}

bool worker_start_listener(struct helper *h)
{
    return pthread_create(&h->listener, NULL, listener_main, h) == 0;
}
