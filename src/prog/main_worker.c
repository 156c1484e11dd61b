/*
 * `cited-worker`, the research helper: claims tasks and works on them until
 * none is left. (With --crawl it does one crawl instead: crawler.h.) The main
 * thread waits for signals and prolongs the leases; one sends the records that
 * are due (courier.h); each other thread works on one task at a time. May be
 * killed at any instruction: what it held is taken by another when its lease
 * has run out.
 */
#include "base/clock.h"
#include "base/conf.h"
#include "base/log.h"
#include "base/meter.h"
#include "base/version.h"
#include "net/http.h"
#include "net/model.h"
#include "net/relevance.h"
#include "prog/courier.h"
#include "prog/crawler.h"
#include "prog/kick.h"
#include "prog/pdf.h"
#include "prog/retention.h"
#include "research/research.h"
#include "search/provider.h"
#include "store/task.h"
#include "web/task_call.h"

#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    THREADS_MAX = 64,
    TICK_MS = 100,     /* the main thread looks at signals and leases */
    IDLE_MS = 200,     /* between two looks for work while others work */
    STAY_MS = 1000,    /* the same, waiting for ever */
    FAULTS_MAX = 10,   /* failed looks in a row before a helper gives up */
    BACKOFF_MS = 1000, /* after a task given back, doubled with each
                          of its attempts */
    BACKOFF_DOUBLES = 4,
    FAULT_MS = 1000, /* between them */
    SOON_MS = 15000, /* a record due within is waited for */
    CLAIM_ARENA_MAX = 32 << 20
};

extern char **environ;

enum mode { MODE_SWEEP, MODE_STAY, MODE_ONCE, MODE_CRAWL };

struct options {
    const char *conf, *data, *once, *crawl;
    enum mode mode;
};

struct helper;

/* A thread and the task it works on. */
struct hand {
    struct helper *helper;
    pthread_t thread;
    bool started;
    bool holds;              /* under helper->lock: lease is live */
    struct task_lease lease; /* for the beat; strings are not used */
    atomic_bool stop;        /* leave the task at its next step */
};

struct helper {
    struct conf conf;
    struct options o;
    struct store_files files;
    struct provider_set *providers;
    struct model *model;
    struct relevance *relevance;
    struct pdf_reader pdf;
    struct meter *meter; /* shared with the responder */
    struct app app;      /* what handlers see, for tasks they answer */
    struct retention retention;
    pthread_mutex_t lock;
    struct hand hands[THREADS_MAX];
    size_t count; /* of hands */
    pthread_t courier;
    bool has_courier;
    bool posting;   /* records are due soon, or a look for them is */
    size_t running; /* threads that have not ended */
    size_t working; /* of them, hands */
    size_t busy;    /* of them, at a task */
    int64_t ended;  /* tasks put down */
    bool leaving;   /* told to stop */
    bool failed;    /* a thread could not work */
    bool found;     /* --once: the task was there */
};

/* --- waiting ----------------------------------------------------------- */

static void nap(int64_t ms)
{
    struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000};

    nanosleep(&t, NULL);
}

static bool is_leaving(struct helper *h)
{
    bool leaving;

    pthread_mutex_lock(&h->lock);
    leaving = h->leaving;
    pthread_mutex_unlock(&h->lock);
    return leaving;
}

static void nap_or_leave(struct helper *h, int64_t ms)
{
    for (; ms > 0 && !is_leaving(h); ms -= TICK_MS)
        nap(ms < TICK_MS ? ms : TICK_MS);
}

/* --- a thread ---------------------------------------------------------- */

static void take_up(struct hand *x, const struct task_lease *l)
{
    pthread_mutex_lock(&x->helper->lock);
    x->lease = *l;
    x->holds = true;
    atomic_store(&x->stop, x->helper->leaving);
    x->helper->busy++;
    x->helper->found = true;
    pthread_mutex_unlock(&x->helper->lock);
}

static void put_down(struct hand *x)
{
    pthread_mutex_lock(&x->helper->lock);
    x->holds = false;
    x->helper->busy--;
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

/* A task given back for a passing fault is the first to be claimed again. */
static void back_off(struct helper *h, int attempt)
{
    int doubles = attempt < BACKOFF_DOUBLES ? attempt : BACKOFF_DOUBLES;

    nap_or_leave(h, (int64_t)BACKOFF_MS << (doubles > 0 ? doubles - 1 : 0));
}

static bool is_passing(enum err e)
{
    return e != ERR_OK && e != ERR_NO_RESULT && e != ERR_INVALID &&
           e != ERR_LEASE_LOST;
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

    log_info(l->task.id, "taken up, attempt %d", l->task.attempt);
    take_up(x, l);
    e = l->task.type == TASK_RESEARCH
            ? research_run(&env, store->state, l, &x->stop, &ec)
            : task_call(&h->app, store, l, &ec);
    put_down(x);
    count_end(h, l->task.type, e);
    if (e != ERR_OK)
        log_info(l->task.id, "put down: %s", err_name(e));
    if (is_passing(e) && h->o.mode != MODE_ONCE)
        back_off(h, l->task.attempt);
}

/* Nothing to claim: may this thread leave? Not while another works or
 * records are sent, since tasks that come meanwhile would have to wait for
 * it. */
static bool may_leave(struct helper *h)
{
    bool may;

    pthread_mutex_lock(&h->lock);
    may = h->leaving || h->o.mode == MODE_ONCE ||
          (h->o.mode == MODE_SWEEP && h->busy == 0 && !h->posting);
    pthread_mutex_unlock(&h->lock);
    return may;
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
    while (!is_leaving(h) && faults < FAULTS_MAX) {
        enum err e = look(x, store, http, &a);

        if (h->o.mode == MODE_ONCE)
            break;
        if (e == ERR_OK) {
            faults = 0;
        } else if (e != ERR_NOT_FOUND) {
            faults++;
            nap_or_leave(h, FAULT_MS);
        } else if (may_leave(h)) {
            break;
        } else {
            nap_or_leave(h, h->o.mode == MODE_STAY ? STAY_MS : IDLE_MS);
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

/* --- the courier ------------------------------------------------------- */

/* Send all that is due; *next is when more will be. The HTTP client is made
 * when first needed. */
static enum err send_due(struct helper *h, struct db *state, struct http **http,
                         int64_t *next, struct errctx *ec)
{
    size_t sent = 1;
    enum err e = callback_next(state, next, ec);

    if (e == ERR_OK && *next <= clock_now_ms() && *http == NULL)
        e = http_new(&h->conf, http);
    while (e == ERR_OK && sent > 0 && *next <= clock_now_ms() &&
           !is_leaving(h)) {
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
    done = h->leaving || (h->working == 0 && !h->posting);
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
            log_error(NULL, "cannot send records: %s",
                      ec.msg[0] == '\0' ? err_name(e) : ec.msg);
        done = is_delivered(h, seen,
                            e == ERR_OK && next - clock_now_ms() <= SOON_MS);
        if (!done)
            nap_or_leave(h, e == ERR_OK ? IDLE_MS : FAULT_MS);
    }
    http_free(http);
}

/* Marked before the hands start, so that none leaves before the courier has
 * looked; started after them, so that it does not leave before they have. */
static void mark_courier(struct helper *h, bool there)
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
    mark_courier(h, false);
    return NULL;
}

static bool start_courier(struct helper *h)
{
    bool started = pthread_create(&h->courier, NULL, courier_main, h) == 0;

    if (!started) {
        log_error(NULL, "cannot start a thread");
        mark_courier(h, false);
    }
    return started;
}

/* --- the main thread --------------------------------------------------- */

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
    struct timespec tick = {0, TICK_MS * 1000000L};
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

static void start_hands(struct helper *h, size_t count)
{
    h->count = count;
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

/* Threads at work until all have left. */
static void work_session(struct helper *h, struct db *state,
                         const sigset_t *set, size_t threads)
{
    int64_t next = clock_mono_ms() + h->conf.lease_ms / 3;
    bool courier = h->o.mode != MODE_ONCE;

    h->retention.conf = &h->conf;
    h->retention.files = &h->files;
    if (courier) {
        mark_courier(h, true);
        retention_run(&h->retention);
    }
    start_hands(h, threads);
    if (courier)
        courier = start_courier(h);
    while (still_running(h) > 0 || (h->retention.going && !is_leaving(h))) {
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
    int64_t until = clock_mono_ms() + h->conf.lease_ms + IDLE_MS;
    bool orphans = false;

    for (;;) {
        if (is_leaving(h))
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
                     threads < THREADS_MAX ? threads : THREADS_MAX);
    while (!h->failed && second_look(h, state, set));
    close(fd);
    /* A task created while the slot was still ours had no helper started
     * for it. */
    *again =
        !h->failed && !is_leaving(h) && has_work(h, state, false, &orphans);
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

static int run(struct helper *h, struct db *state, const sigset_t *set)
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

/* --- starting ---------------------------------------------------------- */

static void block_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
    pthread_sigmask(SIG_BLOCK, set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static void set_log_level(const char *name)
{
    static const char *const names[] = {"debug", "info", "warn", "error",
                                        "off"};

    for (int i = 0; i <= LOG_OFF; i++)
        if (strcmp(names[i], name) == 0)
            log_set_level((enum log_level)i);
}

/* The crawl of --crawl; the exit status. */
static int run_crawl(struct helper *h, const sigset_t *set, struct errctx *ec)
{
    struct crawler c = {.conf = &h->conf,
                        .files = &h->files,
                        .pdf = &h->pdf,
                        .meter = h->meter};

    return crawler_run(&c, h->o.crawl, set, ec) == ERR_OK ? 0 : 1;
}

/* The tasks; the exit status. */
static int run_tasks(struct helper *h, const sigset_t *set, struct errctx *ec)
{
    struct store store = {NULL, NULL};
    int status = 1;

    if (provider_set_new(&h->conf, &h->providers, ec) == ERR_OK &&
        model_new(&h->conf, &h->model, ec) == ERR_OK &&
        relevance_new(&h->conf, &h->relevance, ec) == ERR_OK) {
        provider_set_count_in(h->providers, h->meter);
        model_count_in(h->model, h->meter);
        relevance_count_in(h->relevance, h->meter);
        h->app = (struct app){.conf = &h->conf,
                              .files = &h->files,
                              .providers = h->providers,
                              .model = h->model,
                              .relevance = h->relevance,
                              .pdf = &h->pdf,
                              .meter = h->meter};
        if (store_open(&h->files, &store, ec) == ERR_OK) {
            status = run(h, store.state, set);
            store_close(&store);
        }
    }
    relevance_free(h->relevance);
    model_free(h->model);
    provider_set_free(h->providers);
    return status;
}

static int open_and_run(struct helper *h, const sigset_t *set,
                        struct errctx *ec)
{
    int status = 1;

    if (store_files_open(&h->conf, &h->files, ec) != ERR_OK)
        return 1;
    pdf_reader_init(&h->pdf, &h->conf);
    if (meter_open(&h->conf, &h->meter) == ERR_OK)
        status = h->o.mode == MODE_CRAWL ? run_crawl(h, set, ec)
                                         : run_tasks(h, set, ec);
    meter_free(h->meter);
    store_files_close(&h->files);
    return status;
}

static int start(struct helper *h)
{
    const char *data = h->o.data != NULL ? h->o.data : getenv("CITED_DATA");
    struct errctx ec = {ERR_OK, ""};
    sigset_t set;
    int status = 1;

    if (data != NULL && *data == '\0')
        data = NULL;
    block_signals(&set);
    if (conf_load(&h->conf, h->o.conf, data, environ, &ec) != ERR_OK) {
        fprintf(stderr, "cited-worker: %s\n", ec.msg);
        return 1;
    }
    set_log_level(h->conf.log_level);
    pthread_mutex_init(&h->lock, NULL);
    status = open_and_run(h, &set, &ec);
    http_global_fini();
    if (status != 0 && ec.msg[0] != '\0')
        fprintf(stderr, "cited-worker: %s\n", ec.msg);
    pthread_mutex_destroy(&h->lock);
    conf_fini(&h->conf);
    return status;
}

static int usage(FILE *f)
{
    fputs("Usage: cited-worker [--conf FILE] [--data DIR] [--sweep | --stay | "
          "--once ID | --crawl ID]\n\n"
          "  --sweep    work on what waits, then leave (the default)\n"
          "  --stay     wait for tasks until stopped\n"
          "  --once ID  work on this task only\n"
          "  --crawl ID do this crawl, started over the API\n"
          "  --version, --help\n",
          f);
    return f == stdout ? 0 : 2;
}

/* 0 to go on, else the exit status + 1. */
static int read_options(struct options *o, int argc, char **argv)
{
    static const struct option options[] = {
        {"conf", required_argument, NULL, 'c'},
        {"data", required_argument, NULL, 'd'},
        {"sweep", no_argument, NULL, 's'},
        {"stay", no_argument, NULL, 't'},
        {"once", required_argument, NULL, 'o'},
        {"crawl", required_argument, NULL, 'w'},
        {"version", no_argument, NULL, 'v'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    int c;

    while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (c == 'c')
            o->conf = optarg;
        else if (c == 'd')
            o->data = optarg;
        else if (c == 's')
            o->mode = MODE_SWEEP;
        else if (c == 't')
            o->mode = MODE_STAY;
        else if (c == 'v')
            return puts("cited-worker " CITED_VERSION) < 0 ? 2 : 1;
        else if (c == 'h')
            return usage(stdout) + 1;
        else if (c == 'o' && id_is_uuid(optarg)) {
            o->mode = MODE_ONCE;
            o->once = optarg;
        } else if (c == 'w' && id_is_uuid(optarg)) {
            o->mode = MODE_CRAWL;
            o->crawl = optarg;
        } else {
            return usage(stderr) + 1;
        }
    }
    return optind < argc ? usage(stderr) + 1 : 0;
}

int main(int argc, char **argv)
{
    struct helper *h = calloc(1, sizeof *h);
    int status;

    if (h == NULL)
        return 1;
    status = read_options(&h->o, argc, argv);
    status = status != 0 ? status - 1 : start(h);
    free(h);
    return status;
}
