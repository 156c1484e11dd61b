/* The thread of the helper that sends the records that are due; see worker.h
 * and courier.h. */
#include "prog/worker.h"

#include "base/clock.h"
#include "base/log.h"
#include "net/http.h"
#include "run/courier.h"
#include "store/callback.h"

enum { SOON_MS = 15000 }; /* a record due within is waited for */

/* Once after each time the clock was set. */
static enum err mend(struct helper *h, struct db *state, struct errctx *ec)
{
    enum err e = ERR_OK;

    if (atomic_exchange(&h->clock_set, false))
        e = callback_mend(state, clock_now_ms(), courier_hold_ms(&h->conf),
                          ec);
    if (e != ERR_OK)
        atomic_store(&h->clock_set, true);
    return e;
}

/* Send all that is due; *next is when more will be. The HTTP client is made
 * when first needed. */
static enum err send_due(struct helper *h, struct db *state, struct http **http,
                         int64_t *next, struct errctx *ec)
{
    size_t sent = 1;
    enum err e = mend(h, state, ec);

    if (e == ERR_OK)
        e = callback_next(state, next, ec);
    if (e == ERR_OK && *next <= clock_now_ms() && *http == NULL)
        e = http_new(&h->conf, http);
    while (e == ERR_OK && sent > 0 && *next <= clock_now_ms() &&
           !worker_is_leaving(h)) {
        e = courier_run(&h->conf, state, *http, clock_now_ms(), &sent, ec);
        if (e == ERR_OK)
            e = callback_next(state, next, ec);
    }
    return e;
}

/* May the courier leave? It must have looked since the last task ended. */
static bool is_delivered(struct helper *h, int64_t seen, bool soon)
{
    bool done;

    pthread_mutex_lock(&h->lock);
    h->posting = soon || h->ended != seen;
    done = h->leaving || h->ending;
    pthread_mutex_unlock(&h->lock);
    return done;
}

static int64_t tasks_ended(struct helper *h)
{
    int64_t n;

    pthread_mutex_lock(&h->lock);
    n = h->ended;
    pthread_mutex_unlock(&h->lock);
    return n;
}

static void send_on(struct helper *h, struct db *state)
{
    struct http *http = NULL;
    bool done = false;

    while (!done) {
        struct errctx ec = {ERR_OK, ""};
        int64_t seen = tasks_ended(h), next = INT64_MAX;
        enum err e = send_due(h, state, &http, &next, &ec);

        if (e != ERR_OK)
            log_error(NULL, "cannot send records: %s", err_words(e, &ec));
        done = is_delivered(h, seen,
                            e == ERR_OK && next - clock_now_ms() <= SOON_MS);
        if (!done)
            worker_nap(h, e == ERR_OK ? WORKER_IDLE_MS : WORKER_FAULT_MS);
    }
    http_free(http);
}

void worker_mark_courier(struct helper *h, bool there)
{
    pthread_mutex_lock(&h->lock);
    h->has_courier = h->posting = there;
    if (there)
        h->running++;
    else
        h->running--;
    pthread_mutex_unlock(&h->lock);
}

static void *courier_main(void *arg)
{
    struct helper *h = arg;
    struct db *state = NULL;
    struct errctx ec = {ERR_OK, ""};

    if (db_open(h->files.state, &state, &ec) == ERR_OK) {
        send_on(h, state);
        db_close(state);
    } else {
        log_error(NULL, "cannot open the database: %s", ec.msg);
    }
    worker_mark_courier(h, false);
    return NULL;
}

bool worker_start_courier(struct helper *h)
{
    bool started = pthread_create(&h->courier, NULL, courier_main, h) == 0;

    if (!started) {
        log_error(NULL, "cannot start a thread");
        worker_mark_courier(h, false);
    }
    return started;
}
