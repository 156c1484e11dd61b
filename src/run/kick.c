/* Keep a helper at work; see kick.h. Who is at work is told by slot.h. */

#include "run/kick.h"

#include "base/beside.h"
#include "base/log.h"
#include "index/page.h"
#include "run/crawler.h"
#include "run/slot.h"
#include "run/spawn.h"
#include "run/vectors_keep.h"
#include "store/share.h"
#include "store/task.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 200, BACKOFF_MAX_MS = 5000, TELL_MS = 20 };
enum { NODES_MS = 2000, NODES_GONE_MS = 10000 };

struct kick {
    struct app *app;
    int64_t started_ms; /* of the last start, monotonic; 0 never */
    int64_t backoff_ms; /* after a start that brought nobody to life */
    int64_t wait_ms;    /* until the next look */
    int64_t look_ms;    /* when that is, monotonic */
    bool owed;          /* a look is */
    uint32_t self;      /* this node, among those that share the state */
    int64_t nodes_ms;   /* when they are counted next */
    int64_t fewer_ms;   /* since when there are fewer than app->nodes; 0 */
    int64_t index_ns;   /* when index.db was last changed, as we last saw it */
    /* in the background */
    bool background;
    pthread_t thread;
    struct db *state;
    _Atomic bool due;
    pthread_mutex_t lock;
    pthread_cond_t wake; /* due, or stop */
    bool stop;
    bool open; /* tasks are held, or will be due: look again unasked */
};

/* --- the responder's side ------------------------------------------------ */

static void look_at_helpers(struct app *app, struct helpers *out)
{
    struct slots now;

    slot_look(app->conf->data_dir, app->conf->lease_ms, &now);
    *out = (struct helpers){now.live, now.silent};
}

/* Pages came in, perhaps: they need vectors. */
static void look_at_index(struct kick *k, const struct conf *c)
{
    static const char *const names[] = {"index.db", "index.db-wal"};
    int64_t latest = 0;

    if (*c->meaning_model == '\0')
        return;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[CONF_PATH_MAX];
        struct stat st;

        if (conf_data_file(c, names[i], path) != NULL && stat(path, &st) == 0) {
            int64_t ns =
                st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec;

            latest = ns > latest ? ns : latest;
        }
    }
    if (latest == k->index_ns)
        return;
    k->index_ns = latest;
    vectors_start(c);
}

/* Helpers that wait on other machines. */
static void tell(struct db *state)
{
    struct errctx ec = {0};

    if (task_tell(state, &ec) != ERR_OK)
        log_warn(NULL, "cannot tell of new tasks: %s", ec.msg);
}

/* Our own helpers, which wait for nobody when none are to be started. */
static void look(struct kick *k, struct db *state)
{
    const struct conf *c = k->app->conf;
    struct task_work work = {0};
    struct errctx ec = {0};
    struct slots now;
    int64_t crawls;

    k->wait_ms = LOOK_MS;
    if (c->workers <= 0)
        return;
    look_at_index(k, c);
    if (task_work(state, c->lease_ms, clock_now_ms(), &work, &ec) != ERR_OK) {
        log_warn(NULL, "cannot look for waiting tasks: %s", ec.msg);
        return;
    }
    crawls = crawler_start_free(c, state);
    slot_look(c->data_dir, c->lease_ms, &now);
    k->open = work.waiting > 0 || work.leased > 0 || crawls > 0;
    if (work.waiting == 0 || now.live >= c->workers)
        return;
    if (k->started_ms == 0 || now.taken_ms >= k->started_ms)
        k->backoff_ms = LOOK_MS;
    else if (k->backoff_ms < BACKOFF_MAX_MS)
        k->backoff_ms *= 2;
    k->wait_ms = k->backoff_ms;
    k->started_ms = clock_mono_ms();
    if (spawn_helper(c, NULL, NULL, &ec) != ERR_OK)
        log_warn(NULL, "%s", ec.msg);
    else
        log_info(NULL, "helper started");
}

void kick_run(struct app *app, struct db *state)
{
    tell(state);
    look(app->prog, state);
}

/* --- nodes -------------------------------------------------------------- */

/* Who shares the limits. One more counts at once; fewer only after a while, as
 * all are gone for a moment when another PostgreSQL took over. While it cannot
 * be reached, the last number holds, and this is false. */
static bool count_nodes(struct kick *k)
{
    int64_t now = clock_mono_ms(), n = 0;
    struct errctx ec = {0};

    if (share_count_nodes(k->state, k->self, &n, &ec) != ERR_OK || n < 1)
        return false;
    if (n >= atomic_load(&k->app->nodes))
        k->fewer_ms = 0;
    else if (k->fewer_ms == 0)
        k->fewer_ms = now;
    if (k->fewer_ms == 0 || now - k->fewer_ms >= NODES_GONE_MS) {
        atomic_store(&k->app->nodes, (int)(n < INT32_MAX ? n : INT32_MAX));
        k->fewer_ms = 0;
    }
    return true;
}

/* Now and then, though nobody asks here: how many are there, and did one leave
 * a crawl behind? */
static void look_at_nodes(struct kick *k)
{
    int64_t now = clock_mono_ms();

    if (now < k->nodes_ms)
        return;
    k->nodes_ms = now + NODES_MS;
    if (count_nodes(k) && db_is_remote(k->state) && k->app->conf->workers > 0)
        (void)crawler_start_free(k->app->conf, k->state);
}

/* --- in the background ---------------------------------------------------- */

static void kick_later(struct app *app, struct db *state)
{
    struct kick *k = app->prog;

    (void)state;
    if (atomic_exchange(&k->due, true))
        return;
    pthread_mutex_lock(&k->lock);
    pthread_cond_signal(&k->wake);
    pthread_mutex_unlock(&k->lock);
}

static struct timespec time_at(int64_t at)
{
    return (struct timespec){.tv_sec = at / 1000,
                             .tv_nsec = at % 1000 * 1000000};
}

/* The thread's connection, made when it is first needed. */
static bool ready_state(struct kick *k)
{
    struct errctx ec = {0};

    if (k->state != NULL ||
        db_open(k->app->files->state, &k->state, &ec) == ERR_OK)
        return true;
    k->wait_ms = BACKOFF_MAX_MS;
    log_warn(NULL, "cannot look for waiting tasks: %s", ec.msg);
    return false;
}

/* Sleep until a mark was left, a look is due or nodes are to be counted. While
 * tasks are open there is a look each half lease, so that a helper that died or
 * hangs is replaced although nobody asks. False: stop. */
static bool wait_due(struct kick *k)
{
    bool shared = k->state != NULL && db_is_remote(k->state);
    bool looks = k->owed || k->open;
    int64_t look_ms = k->look_ms + (k->owed ? 0 : k->app->conf->lease_ms / 2);
    struct timespec until = time_at(
        shared && (!looks || k->nodes_ms < look_ms) ? k->nodes_ms : look_ms);
    int rc = 0;
    bool go;

    pthread_mutex_lock(&k->lock);
    while (!k->stop && rc == 0 && !atomic_load(&k->due))
        rc = looks || shared
                 ? pthread_cond_timedwait(&k->wake, &k->lock, &until)
                 : pthread_cond_wait(&k->wake, &k->lock);
    go = !k->stop;
    pthread_mutex_unlock(&k->lock);
    k->owed = k->owed || atomic_load(&k->due) ||
              (k->open && clock_mono_ms() >= look_ms);
    return go;
}

/* Sleep so long, marks or not; less when stopping. */
static void pause_looking(struct kick *k, int64_t ms)
{
    struct timespec until = time_at(clock_mono_ms() + ms);
    int rc = 0;

    pthread_mutex_lock(&k->lock);
    while (!k->stop && rc == 0)
        rc = pthread_cond_timedwait(&k->wake, &k->lock, &until);
    pthread_mutex_unlock(&k->lock);
}

/* A helper for an index that is not whole: of an earlier version, out of a
 * backup, damaged. */
static void mend_index(struct kick *k)
{
    struct errctx ec = {0};
    struct index_size size = {0};
    struct db *index = NULL;
    enum err e = db_open(k->app->files->index, &index, &ec);

    if (e == ERR_OK)
        e = index_size(index, &size, &ec);
    db_close(index);
    if (e == ERR_OK && (size.missing > 0 || size.lost > 0))
        log_warn(NULL,
                 "%lld passages cannot be found yet: a helper makes their "
                 "index",
                 (long long)size.missing);
    if (e == ERR_OK && (size.missing > 0 || size.lost > 0 || size.outgrown))
        e = spawn_helper(k->app->conf, NULL, NULL, &ec);
    if (e != ERR_OK)
        log_warn(NULL, "cannot look after the index: %s", ec.msg);
}

static void *look_on(void *arg)
{
    struct kick *k = arg;

    if (k->app->conf->workers > 0)
        mend_index(k);
    while (wait_due(k)) {
        /* Before the look: what comes during it is looked for again. */
        atomic_store(&k->due, false);
        if (!ready_state(k)) {
            atomic_store(&k->due, true);
            pause_looking(k, k->wait_ms);
            continue;
        }
        tell(k->state);
        look_at_nodes(k);
        if (k->owed && clock_mono_ms() >= k->look_ms) {
            look(k, k->state);
            k->owed = false;
            k->look_ms = clock_mono_ms() + k->wait_ms;
        }
        pause_looking(k, TELL_MS);
    }
    return NULL;
}

static enum err start_thread(struct kick *k, struct errctx *ec)
{
    pthread_condattr_t attr;

    pthread_mutex_init(&k->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&k->wake, &attr);
    pthread_condattr_destroy(&attr);
    (void)ready_state(k); /* makes the data folder, where it is missing */
    if (pthread_create(&k->thread, NULL, look_on, k) != 0) {
        db_close(k->state);
        return err_set(ec, ERR_NOMEM, "no thread can be created");
    }
    k->background = true;
    return ERR_OK;
}

enum err kick_new(struct app *app, bool background, struct errctx *ec)
{
    const struct conf *c = app->conf;
    char found[PROGRAM_PATH_MAX];
    struct kick *k;
    enum err e = ERR_OK;

    app->helpers = look_at_helpers;
    if (c->workers <= 0 && *c->database == '\0')
        return ERR_OK;
    k = calloc(1, sizeof *k);
    if (k == NULL)
        return err_set(ec, ERR_NOMEM, "no memory to start");
    k->app = app;
    k->self = share_self(c->data_dir);
    k->backoff_ms = LOOK_MS;
    atomic_store(&k->due, true); /* for what an earlier responder left */
    if (c->workers > 0 && *c->worker_path == '\0' &&
        !program_find("cited-worker", found) && found[0] == '\0')
        e = err_set(ec, ERR_IO,
                    "the helper's path cannot be found; set "
                    "research.worker");
    app->prog = k; /* which the thread looks for at once */
    if (e == ERR_OK && background)
        e = start_thread(k, ec);
    if (e != ERR_OK) {
        app->prog = NULL;
        free(k);
        return e;
    }
    app->kick = background ? kick_later : kick_run;
    return ERR_OK;
}

void kick_free(struct app *app)
{
    struct kick *k = app->prog;

    app->prog = NULL;
    app->kick = NULL;
    app->helpers = NULL;
    if (k != NULL && k->background) {
        pthread_mutex_lock(&k->lock);
        k->stop = true;
        pthread_cond_signal(&k->wake);
        pthread_mutex_unlock(&k->lock);
        pthread_join(k->thread, NULL);
        pthread_cond_destroy(&k->wake);
        pthread_mutex_destroy(&k->lock);
        db_close(k->state);
    }
    free(k);
}
