/*
 * A thread of the helper that claims tasks and works on them until none is
 * left; see worker.h.
 */
#include "find/meaning_find.h"
#include "prog/worker.h"

#include "base/clock.h"
#include "base/log.h"
#include "net/http.h"
#include "research/research.h"

#include <stdio.h>
#include <string.h>

enum {
    STAY_MS = 1000,  /* between two looks for work, waiting for ever */
    FAULTS_MAX = 10, /* failed looks in a row before a helper gives up */
    CLAIM_ARENA_MAX = 32 << 20
};

/* --- waiting ----------------------------------------------------------- */

bool worker_is_leaving(struct helper *h)
{
    bool leaving;

    pthread_mutex_lock(&h->lock);
    leaving = h->leaving;
    pthread_mutex_unlock(&h->lock);
    return leaving;
}

void worker_nap(struct helper *h, int64_t ms)
{
    for (; ms > 0 && !worker_is_leaving(h); ms -= WORKER_TICK_MS)
        clock_sleep_us((ms < WORKER_TICK_MS ? ms : WORKER_TICK_MS) * 1000);
}

void worker_wake(struct helper *h)
{
    pthread_mutex_lock(&h->lock);
    h->news = true;
    pthread_cond_signal(&h->work);
    pthread_mutex_unlock(&h->lock);
}

/* --- a task ------------------------------------------------------------ */

static void take_up(struct hand *x, const struct task_lease *l)
{
    pthread_mutex_lock(&x->helper->lock);
    x->lease = *l;
    x->holds = true;
    atomic_store(&x->stop, x->helper->leaving);
    x->helper->found = true;
    pthread_mutex_unlock(&x->helper->lock);
    worker_wake(x->helper);
}

static void put_down(struct hand *x)
{
    pthread_mutex_lock(&x->helper->lock);
    x->holds = false;
    x->helper->ended++;
    x->helper->posting = x->helper->has_courier;
    pthread_mutex_unlock(&x->helper->lock);
}

static void count_end(struct helper *h, enum task_type type, enum err e)
{
    char name[METER_NAME_MAX];

    snprintf(name, sizeof name, "cited_tasks_total{type=\"%s\",outcome=\"%s\"}",
             task_type_name(type), err_name(e));
    meter_add(h->meter, name, 1);
}

static void work_on(struct hand *x, struct store *store, struct http *http,
                    const struct task_lease *l)
{
    struct helper *h = x->helper;
    struct search_env env = {.conf = &h->conf,
                             .index = store->index,
                             .http = http,
                             .providers = h->providers,
                             .model = h->model,
                             .relevance = h->relevance,
                             .pdf = &h->pdf};
    struct errctx ec = {ERR_OK, ""};
    enum err e;

    if (meaning_new(&h->conf, &env.meaning) != ERR_OK)
        log_warn(l->task.id, "out of memory: words only");
    log_info(l->task.id, "taken up, attempt %d",
             l->task.attempt + l->task.faults);
    take_up(x, l);
    e = l->task.type == TASK_RESEARCH
            ? research_run(&env, store->state, l, &x->stop, &ec)
            : task_call(&h->app, store, l, &ec);
    meaning_free(env.meaning);
    put_down(x);
    count_end(h, l->task.type, e);
    if (e != ERR_OK)
        log_info(l->task.id, "put down: %s", err_name(e));
}

/* Before a look. From here until rest() the helper does not end; false: all
 * leave. */
static bool wake(struct hand *x)
{
    struct helper *h = x->helper;
    bool go;

    pthread_mutex_lock(&h->lock);
    h->idle -= x->idle;
    x->idle = false;
    go = !h->leaving && !h->ending;
    pthread_mutex_unlock(&h->lock);
    return go;
}

/* After a look that found nothing: until there may be work, or it is time to
 * look anyway. */
static void rest(struct hand *x)
{
    struct helper *h = x->helper;
    int64_t at = clock_mono_ms() +
                 (h->o.mode == MODE_STAY ? STAY_MS : WORKER_IDLE_MS);
    struct timespec until = {.tv_sec = at / 1000,
                             .tv_nsec = at % 1000 * 1000000};
    int rc = 0;

    pthread_mutex_lock(&h->lock);
    h->idle++;
    x->idle = true;
    while (rc == 0 && !h->news && !h->leaving && !h->ending)
        rc = pthread_cond_timedwait(&h->work, &h->lock, &until);
    h->news = false;
    pthread_mutex_unlock(&h->lock);
}

/* One look for work. ERR_NOT_FOUND: none. */
static enum err look(struct hand *x, struct store *store, struct http *http,
                     struct arena *a)
{
    struct helper *h = x->helper;
    struct task_lease lease;
    struct errctx ec = {ERR_OK, ""};
    enum err e;

    arena_reset(a);
    e = task_claim(store->state, h->o.once, h->conf.lease_ms,
                   h->conf.attempts_max, clock_now_ms(), a, &lease, &ec);
    if (e == ERR_OK)
        work_on(x, store, http, &lease);
    else if (e != ERR_NOT_FOUND)
        log_error(NULL, "cannot look for tasks: %s", ec.msg);
    return e;
}

static void work_all(struct hand *x, struct store *store, struct http *http)
{
    struct helper *h = x->helper;
    struct arena a;
    int faults = 0;

    arena_init(&a, CLAIM_ARENA_MAX);
    while (wake(x) && faults < FAULTS_MAX) {
        enum err e = look(x, store, http, &a);

        if (h->o.mode == MODE_ONCE)
            break;
        if (e == ERR_OK) {
            faults = 0;
        } else if (e != ERR_NOT_FOUND) {
            faults++;
            worker_nap(h, WORKER_FAULT_MS);
        } else {
            rest(x);
        }
    }
    arena_fini(&a);
    if (faults >= FAULTS_MAX) {
        pthread_mutex_lock(&h->lock);
        h->failed = true;
        pthread_mutex_unlock(&h->lock);
    }
}

static bool open_and_work(struct hand *x)
{
    struct store store = {NULL, NULL};
    struct http *http = NULL;
    struct errctx ec = {ERR_OK, ""};
    bool ok = false;

    if (store_open(&x->helper->files, &store, &ec) != ERR_OK) {
        log_error(NULL, "cannot open the databases: %s", ec.msg);
        return false;
    }
    if (provider_set_count(x->helper->providers) == 0 ||
        http_new(&x->helper->conf, &http) == ERR_OK) {
        work_all(x, &store, http);
        http_free(http);
        ok = true;
    } else {
        log_error(NULL, "cannot start the HTTP client");
    }
    store_close(&store);
    return ok;
}

static void *hand_main(void *arg)
{
    struct hand *x = arg;
    bool ok = open_and_work(x);

    pthread_mutex_lock(&x->helper->lock);
    x->helper->running--;
    x->helper->working--;
    x->helper->failed = x->helper->failed || !ok;
    pthread_mutex_unlock(&x->helper->lock);
    return NULL;
}

void worker_start_hands(struct helper *h, size_t count)
{
    h->count = count;
    h->idle = 0;
    h->ending = false;
    for (size_t i = 0; i < count; i++) {
        struct hand *x = &h->hands[i];

        memset(x, 0, sizeof *x);
        x->helper = h;
        pthread_mutex_lock(&h->lock);
        h->running++;
        h->working++;
        pthread_mutex_unlock(&h->lock);
        x->started = pthread_create(&x->thread, NULL, hand_main, x) == 0;
        if (x->started)
            continue;
        log_error(NULL, "cannot start a thread");
        pthread_mutex_lock(&h->lock);
        h->running--;
        h->working--;
        h->failed = h->failed || i == 0;
        pthread_mutex_unlock(&h->lock);
    }
}
