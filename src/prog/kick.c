/* Keep a helper at work; see kick.h. Slots are open-file-description locks:
 * they end with their process, and can be looked at without being taken. */
#include "prog/kick.h"

#include "base/log.h"
#include "prog/programs.h"
#include "prog/spawn.h"
#include "store/task.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 200, BACKOFF_MAX_MS = 5000 };

struct kick {
    char worker[PROGRAM_PATH_MAX];
    const char *conf_path;
    struct app *app;
    int64_t started_ms; /* of the last start, wall clock; 0 never */
    int64_t backoff_ms; /* after a start that brought nobody to life */
    int64_t wait_ms;    /* until the next look */
    /* in the background */
    bool background;
    pthread_t thread;
    struct db *state;
    _Atomic bool due;
    pthread_mutex_t lock;
    pthread_cond_t wake; /* due, or stop */
    bool stop;
};

/* --- slots --------------------------------------------------------------- */

static int slot_open(const char *data_dir, int64_t i, int flags)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/worker-%lld.lock", data_dir,
                     (long long)i);

    if (n < 0 || (size_t)n >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(path, flags | O_CLOEXEC, 0600);
}

static struct flock whole_file(void)
{
    struct flock fl;

    memset(&fl, 0, sizeof fl);
    fl.l_type = F_WRLCK;
    fl.l_whence = SEEK_SET;
    return fl;
}

enum err slot_take(const char *data_dir, int64_t workers, int *fd,
                   struct errctx *ec)
{
    for (int64_t i = 0; i < workers; i++) {
        struct flock fl = whole_file();
        int f = slot_open(data_dir, i, O_RDWR | O_CREAT);

        if (f < 0)
            return err_set(ec, ERR_IO, "%s/worker-%lld.lock: %s", data_dir,
                           (long long)i, strerror(errno));
        if (fcntl(f, F_OFD_SETLK, &fl) == 0) {
            /* The file's time is the sign of life that kick looks for. */
            (void)futimens(f, NULL);
            *fd = f;
            return ERR_OK;
        }
        close(f);
    }
    return err_set(ec, ERR_BUSY, "%lld helpers are at work already",
                   (long long)workers);
}

int64_t slot_count(const char *data_dir, int64_t workers)
{
    int64_t taken = 0;

    for (int64_t i = 0; i < workers; i++) {
        struct flock fl = whole_file();
        int f = slot_open(data_dir, i, O_RDWR);

        if (f < 0)
            continue;
        if (fcntl(f, F_OFD_GETLK, &fl) == 0 && fl.l_type != F_UNLCK)
            taken++;
        close(f);
    }
    return taken;
}

/* --- the responder's side ------------------------------------------------ */

/* Was any slot taken at or after that time? */
static bool slot_taken_since(const char *data_dir, int64_t workers,
                             int64_t wall_ms)
{
    bool taken = false;

    for (int64_t i = 0; i < workers && !taken; i++) {
        int f = slot_open(data_dir, i, O_RDONLY);
        struct stat st;

        if (f < 0)
            continue;
        taken =
            fstat(f, &st) == 0 &&
            st.st_mtim.tv_sec * INT64_C(1000) + st.st_mtim.tv_nsec / 1000000 >=
                wall_ms - 10; /* the file system's clock is coarser */
        close(f);
    }
    return taken;
}

/* With --crawl ID, or for tasks when crawl is NULL. */
static enum err start_helper(const struct kick *k, const struct conf *c,
                             const char *crawl, struct errctx *ec)
{
    const char *argv[8] = {k->worker};
    size_t n = 1;

    if (k->conf_path != NULL) {
        argv[n++] = "--conf";
        argv[n++] = k->conf_path;
    }
    argv[n++] = "--data";
    argv[n++] = c->data_dir;
    if (crawl != NULL) {
        argv[n++] = "--crawl";
        argv[n++] = crawl;
    }
    return spawn_detached(argv, NULL, ec);
}

static int64_t count_helpers(struct app *app)
{
    return slot_count(app->conf->data_dir, app->conf->workers);
}

static enum err start_crawl(struct app *app, const char *id, struct errctx *ec)
{
    return start_helper(app->prog, app->conf, id, ec);
}

void kick_run(struct app *app, struct db *state)
{
    struct kick *k = app->prog;
    const struct conf *c = app->conf;
    struct task_work work = {0};
    struct errctx ec = {0};

    k->wait_ms = LOOK_MS;
    if (task_work(state, clock_now_ms(), &work, &ec) != ERR_OK) {
        log_warn(NULL, "cannot look for waiting tasks: %s", ec.msg);
        return;
    }
    if (work.waiting == 0 || slot_count(c->data_dir, c->workers) >= c->workers)
        return;
    if (k->started_ms == 0 ||
        slot_taken_since(c->data_dir, c->workers, k->started_ms))
        k->backoff_ms = LOOK_MS;
    else if (k->backoff_ms < BACKOFF_MAX_MS)
        k->backoff_ms *= 2;
    k->wait_ms = k->backoff_ms;
    k->started_ms = clock_now_ms();
    if (start_helper(k, c, NULL, &ec) != ERR_OK)
        log_warn(NULL, "%s", ec.msg);
    else
        log_info(NULL, "helper started");
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

/* Sleep until a mark was left. False: stop. */
static bool wait_due(struct kick *k)
{
    bool go;

    pthread_mutex_lock(&k->lock);
    while (!k->stop && !atomic_load(&k->due))
        pthread_cond_wait(&k->wake, &k->lock);
    go = !k->stop;
    pthread_mutex_unlock(&k->lock);
    return go;
}

/* Sleep for wait_ms, marks or not; less when stopping. */
static void pause_looking(struct kick *k)
{
    int64_t until_ms = clock_mono_ms() + k->wait_ms;
    struct timespec until = {.tv_sec = until_ms / 1000,
                             .tv_nsec = until_ms % 1000 * 1000000};
    int rc = 0;

    pthread_mutex_lock(&k->lock);
    while (!k->stop && rc == 0)
        rc = pthread_cond_timedwait(&k->wake, &k->lock, &until);
    pthread_mutex_unlock(&k->lock);
}

static void *look_on(void *arg)
{
    struct kick *k = arg;

    while (wait_due(k)) {
        /* Before the look: what comes during it is looked for again. */
        atomic_store(&k->due, false);
        kick_run(k->app, k->state);
        pause_looking(k);
    }
    return NULL;
}

static enum err start_thread(struct kick *k, struct errctx *ec)
{
    enum err e = db_open(k->app->files->state, &k->state, ec);
    pthread_condattr_t attr;

    if (e != ERR_OK)
        return e;
    pthread_mutex_init(&k->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&k->wake, &attr);
    pthread_condattr_destroy(&attr);
    if (pthread_create(&k->thread, NULL, look_on, k) != 0) {
        db_close(k->state);
        return err_set(ec, ERR_NOMEM, "no thread can be created");
    }
    k->background = true;
    return ERR_OK;
}

enum err kick_new(struct app *app, const char *conf_path, bool background,
                  struct errctx *ec)
{
    const struct conf *c = app->conf;
    struct kick *k;
    enum err e = ERR_OK;

    if (c->workers <= 0)
        return ERR_OK;
    k = calloc(1, sizeof *k);
    if (k == NULL)
        return err_set(ec, ERR_NOMEM, "no memory to start");
    k->app = app;
    k->conf_path = conf_path;
    k->backoff_ms = LOOK_MS;
    if (*c->worker_path != '\0')
        snprintf(k->worker, sizeof k->worker, "%s", c->worker_path);
    else if (!program_find("cited-worker", k->worker) && k->worker[0] == '\0')
        e = err_set(ec, ERR_IO,
                    "the helper's path cannot be found; set "
                    "research.worker");
    if (e == ERR_OK && background)
        e = start_thread(k, ec);
    if (e != ERR_OK) {
        free(k);
        return e;
    }
    app->prog = k;
    app->kick = background ? kick_later : kick_run;
    app->crawl = start_crawl;
    app->helpers = count_helpers;
    return ERR_OK;
}

void kick_free(struct app *app)
{
    struct kick *k = app->prog;

    app->prog = NULL;
    app->kick = NULL;
    app->crawl = NULL;
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
