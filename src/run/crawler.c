/* One crawl with its row; see crawler.h. The calling thread crawls; another
 * waits for signals and tells the row how far it is. Called by kick.c, worker.c
 * and main_worker.c. */
#include "run/crawler.h"

#include "base/clock.h"
#include "base/log.h"
#include "crawl/crawl.h"
#include "net/http.h"
#include "run/spawn.h"
#include "store/crawl_job.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { ARENA_MAX = 512 << 20, ROW_ARENA_MAX = 1 << 20, TICK_MS = 100 };

struct job {
    const struct crawler *with;
    struct crawl_lease lease;
    struct db *state; /* the beating thread's own */
    sigset_t signals;
    volatile sig_atomic_t stop;
    atomic_bool over;
    bool lost;            /* it is over, or another helper's */
    bool seen;            /* progress was told */
    pthread_mutex_t lock; /* guards count, which the crawling thread writes */
    struct crawl_count count;
};

static struct crawl_count count_of(const struct crawl_progress *p)
{
    return (struct crawl_count){p->stored + p->unchanged, p->skipped, p->failed,
                                p->queued};
}

static void count_pages(struct meter *m, const char *outcome, int64_t was,
                        int64_t is)
{
    char name[METER_NAME_MAX];

    snprintf(name, sizeof name, "cited_crawl_pages_total{outcome=\"%s\"}",
             outcome);
    if (is > was)
        meter_add(m, name, (uint64_t)(is - was));
}

/* What came since the last time. */
static void count_more(struct meter *m, const struct crawl_count *was,
                       const struct crawl_count *is)
{
    count_pages(m, "stored", was->stored, is->stored);
    count_pages(m, "skipped", was->skipped, is->skipped);
    count_pages(m, "failed", was->failed, is->failed);
}

static void on_progress(void *user, const struct crawl_progress *p)
{
    static const struct crawl_count none = {0};
    struct job *x = user;
    struct crawl_count n = count_of(p);

    /* A crawl that goes on begins with the figures of the one before. */
    if (x->seen || !p->resumed)
        count_more(x->with->meter, x->seen ? &x->count : &none, &n);
    x->seen = true;
    pthread_mutex_lock(&x->lock);
    x->count = n;
    pthread_mutex_unlock(&x->lock);
}

static void tell(struct job *x)
{
    struct crawl_count n;
    struct errctx ec = {0};
    enum err e;

    pthread_mutex_lock(&x->lock);
    n = x->count;
    pthread_mutex_unlock(&x->lock);
    e = crawl_job_beat(x->state, &x->lease, &n, clock_now_ms(), &ec);
    if (e != ERR_OK)
        log_warn(x->lease.job.id, "the crawl's row cannot be written: %s",
                 ec.msg);
    x->lost = e == ERR_LEASE_LOST;
}

static void *beat_on(void *arg)
{
    static const struct timespec tick = {0, TICK_MS * 1000000L};
    struct job *x = arg;
    int64_t next = clock_mono_ms();

    while (!atomic_load(&x->over) && !x->lost) {
        if (sigtimedwait(&x->signals, NULL, &tick) > 0)
            x->stop = 1;
        if (clock_mono_ms() < next)
            continue;
        tell(x);
        if (x->lost)
            x->stop = 1;
        next = clock_mono_ms() + CRAWL_BEAT_MS;
    }
    return NULL;
}

static enum err crawl(struct job *x, struct db *index, struct arena *a,
                      struct crawl_summary *sum, struct errctx *ec)
{
    const struct conf *c = x->with->conf;
    const struct crawl_order *order = &x->lease.job.order;
    const char *const seeds[] = {order->url};
    struct crawl_params p;
    struct http *http = NULL;
    enum err e = http_new(c, &http);

    if (e != ERR_OK)
        return err_set(ec, e, "the HTTP client cannot be made");
    crawl_params_init(&p, c);
    p.seeds = seeds;
    p.seed_count = 1;
    p.pages = order->pages;
    if (order->delay_ms >= 0)
        p.delay_ms = order->delay_ms;
    p.pdf = x->with->pdf;
    e = crawl_run(c, index, http, &p, &x->stop, on_progress, x, a, sum, ec);
    http_free(http);
    return e;
}

/* May another helper succeed where this one could not? A shared database goes
 * away for a moment, or another machine still holds the frontier. */
static bool is_passing(const struct db *state, enum err e)
{
    return db_is_remote(state) && (e == ERR_DB || e == ERR_BUSY);
}

/* Write down what became of it. */
static enum err put_down(struct job *x, struct db *state, enum err e,
                         const struct crawl_summary *sum,
                         const struct errctx *why, struct errctx *ec)
{
    struct crawl_count n = count_of(&sum->progress);
    enum crawl_state end = e == ERR_OK ? CRAWL_DONE : CRAWL_FAILED;

    if (e == ERR_OK && sum->interrupted)
        return crawl_job_put_back(state, &x->lease, &n, ec);
    if (is_passing(state, e)) {
        log_warn(x->lease.job.id, "the crawl waits for another helper: %s",
                 why->msg);
        return crawl_job_release(state, &x->lease, why->msg, ec);
    }
    log_info(x->lease.job.id, "crawl %s: %lld pages", crawl_state_name(end),
             (long long)n.stored);
    return crawl_job_end(state, &x->lease, end, e == ERR_OK ? &n : NULL,
                         e == ERR_OK ? NULL : why->msg, clock_now_ms(), ec);
}

/* Crawl beside a beating thread. */
static enum err work(struct job *x, struct store *store, struct arena *a,
                     struct errctx *ec)
{
    struct crawl_summary sum = {.reason_count = 0};
    struct errctx why = {0};
    struct crawl_count n;
    pthread_t beat;
    enum err e;

    x->count = x->lease.job.count;
    if (pthread_create(&beat, NULL, beat_on, x) != 0)
        return err_set(ec, ERR_NOMEM, "no thread can be created");
    e = crawl(x, store->index, a, &sum, &why);
    atomic_store(&x->over, true);
    pthread_join(beat, NULL);
    n = count_of(&sum.progress);
    if (e == ERR_OK && (x->seen || !sum.progress.resumed))
        count_more(x->with->meter, &x->count, &n);
    if (x->lost)
        return err_set(ec, ERR_LEASE_LOST, "crawl %s is another helper's",
                       x->lease.job.id);
    return put_down(x, store->state, e, &sum, &why, ec);
}

enum err crawler_run(const struct crawler *c, const char *id,
                     const sigset_t *stop, struct errctx *ec)
{
    struct job x = {.with = c, .signals = *stop};
    struct store store = {NULL, NULL};
    struct arena a;
    enum err e = store_open(c->files, &store, ec);

    arena_init(&a, ARENA_MAX);
    pthread_mutex_init(&x.lock, NULL);
    if (e == ERR_OK)
        e = db_open(c->files->state, &x.state, ec);
    if (e == ERR_OK)
        e = crawl_job_claim(store.state, id, clock_now_ms(), &a, &x.lease, ec);
    if (e == ERR_OK)
        e = work(&x, &store, &a, ec);
    db_close(x.state);
    store_close(&store);
    pthread_mutex_destroy(&x.lock);
    arena_fini(&a);
    return e;
}

int64_t crawler_start_free(const struct conf *c, struct db *state)
{
    struct crawl_work work = {0};
    struct errctx ec = {0};
    struct arena a;
    enum err e = crawl_job_work(state, clock_now_ms(), &work, &ec);

    arena_init(&a, ROW_ARENA_MAX);
    for (int64_t i = 0; i < work.free && e == ERR_OK; i++) {
        struct crawl_job job;

        e = crawl_job_take(state, c->attempts_max, clock_now_ms(), &a, &job,
                           &ec);
        if (e == ERR_OK)
            e = spawn_helper(c, "--crawl", job.id, &ec);
        if (e == ERR_OK)
            log_info(job.id, "helper of a crawl started");
    }
    if (e != ERR_OK && e != ERR_NOT_FOUND)
        log_warn(NULL, "cannot look for waiting crawls: %s", ec.msg);
    arena_fini(&a);
    return work.open;
}
