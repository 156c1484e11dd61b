/* One crawl with its row; see crawler.h. The calling thread crawls; another
 * waits for signals and tells the row how far it is. Called by
 * main_worker.c. */
#include "run/crawler.h"

#include "base/clock.h"
#include "base/log.h"
#include "crawl/crawl.h"
#include "net/http.h"
#include "store/crawl_job.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { ARENA_MAX = 512 << 20, TICK_MS = 100 };

struct job {
    const char *id;
    const struct crawler *with;
    struct db *state; /* the beating thread's own */
    sigset_t signals;
    volatile sig_atomic_t stop;
    atomic_bool over;
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
    struct job *x = user;
    struct crawl_count n = count_of(p);

    /* A crawl that goes on begins with the figures of the one before. */
    if (x->seen || !p->resumed)
        count_more(x->with->meter, &x->count, &n);
    x->seen = true;
    pthread_mutex_lock(&x->lock);
    x->count = n;
    pthread_mutex_unlock(&x->lock);
}

/* False: the crawl is over for everybody else. */
static bool tell(struct job *x)
{
    struct crawl_count n;
    struct errctx ec = {0};
    enum err e;

    pthread_mutex_lock(&x->lock);
    n = x->count;
    pthread_mutex_unlock(&x->lock);
    e = crawl_job_beat(x->state, x->id, &n, clock_now_ms(), &ec);
    if (e != ERR_OK)
        log_warn(x->id, "the crawl's row cannot be written: %s", ec.msg);
    return e != ERR_NOT_FOUND;
}

static void *beat_on(void *arg)
{
    static const struct timespec tick = {0, TICK_MS * 1000000L};
    struct job *x = arg;
    int64_t next = clock_mono_ms();

    while (!atomic_load(&x->over)) {
        if (sigtimedwait(&x->signals, NULL, &tick) > 0)
            x->stop = 1;
        if (clock_mono_ms() < next)
            continue;
        if (!tell(x))
            x->stop = 1;
        next = clock_mono_ms() + CRAWL_BEAT_MS;
    }
    return NULL;
}

static enum err crawl(struct job *x, struct db *index,
                      const struct crawl_job *job, struct arena *a,
                      struct crawl_summary *sum, struct errctx *ec)
{
    const struct conf *c = x->with->conf;
    const char *const seeds[] = {job->order.url};
    struct crawl_params p;
    struct http *http = NULL;
    enum err e = http_new(c, &http);

    if (e != ERR_OK)
        return err_set(ec, e, "the HTTP client cannot be made");
    crawl_params_init(&p, c);
    p.seeds = seeds;
    p.seed_count = 1;
    p.pages = job->order.pages;
    if (job->order.delay_ms >= 0)
        p.delay_ms = job->order.delay_ms;
    p.pdf = x->with->pdf;
    e = crawl_run(c, index, http, &p, &x->stop, on_progress, x, a, sum, ec);
    http_free(http);
    return e;
}

/* Crawl beside a beating thread, then write down how it ended. */
static enum err work(struct job *x, struct store *store,
                     const struct crawl_job *job, struct arena *a,
                     struct errctx *ec)
{
    struct crawl_summary sum = {.reason_count = 0};
    struct errctx why = {0};
    struct crawl_count n;
    enum crawl_state end;
    pthread_t beat;
    enum err e;

    if (pthread_create(&beat, NULL, beat_on, x) != 0)
        return err_set(ec, ERR_NOMEM, "no thread can be created");
    e = crawl(x, store->index, job, a, &sum, &why);
    atomic_store(&x->over, true);
    pthread_join(beat, NULL);
    n = count_of(&sum.progress);
    if (e == ERR_OK && (x->seen || !sum.progress.resumed))
        count_more(x->with->meter, &x->count, &n);
    end = e != ERR_OK       ? CRAWL_FAILED
          : sum.interrupted ? CRAWL_INTERRUPTED
                            : CRAWL_DONE;
    log_info(x->id, "crawl %s: %lld pages", crawl_state_name(end),
             (long long)n.stored);
    return crawl_job_end(store->state, x->id, end, e == ERR_OK ? &n : NULL,
                         e == ERR_OK ? NULL : why.msg, clock_now_ms(), ec);
}

enum err crawler_run(const struct crawler *c, const char *id,
                     const sigset_t *stop, struct errctx *ec)
{
    struct job x = {.id = id, .with = c, .signals = *stop};
    struct store store = {NULL, NULL};
    struct crawl_job job;
    struct arena a;
    enum err e = store_open(c->files, &store, ec);

    arena_init(&a, ARENA_MAX);
    pthread_mutex_init(&x.lock, NULL);
    if (e == ERR_OK)
        e = db_open(c->files->state, &x.state, ec);
    if (e == ERR_OK)
        e = crawl_job_get(store.state, id, clock_now_ms(), &a, &job, ec);
    if (e == ERR_OK && job.state != CRAWL_RUNNING)
        e = err_set(ec, ERR_NOT_FOUND, "crawl %s is over", id);
    if (e == ERR_OK)
        e = work(&x, &store, &job, &a, ec);
    db_close(x.state);
    store_close(&store);
    pthread_mutex_destroy(&x.lock);
    arena_fini(&a);
    return e;
}
