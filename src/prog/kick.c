/* Keep a helper at work; see kick.h. Slots are open-file-description locks:
 * they end with their process, and can be looked at without being taken. */
#include "prog/kick.h"

#include "base/log.h"
#include "prog/spawn.h"
#include "store/task.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_MS = 200, BACKOFF_MAX_MS = 5000 };

struct kick {
    char worker[PATH_MAX];
    const char *conf_path;
    _Atomic int64_t next_ms;    /* no look before (monotonic) */
    _Atomic int64_t backoff_ms; /* after a start */
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

/* Only one thread gets to look, and not too soon. */
static bool is_time(struct kick *k)
{
    int64_t now = clock_mono_ms();
    int64_t next = atomic_load_explicit(&k->next_ms, memory_order_relaxed);

    return now >= next &&
           atomic_compare_exchange_strong(&k->next_ms, &next, now + LOOK_MS);
}

static void start_helper(const struct kick *k, const struct conf *c)
{
    const char *argv[8] = {k->worker};
    size_t n = 1;
    struct errctx ec = {0};

    if (k->conf_path != NULL) {
        argv[n++] = "--conf";
        argv[n++] = k->conf_path;
    }
    argv[n++] = "--data";
    argv[n++] = c->data_dir;
    if (spawn_detached(argv, NULL, &ec) != ERR_OK)
        log_warn(NULL, "%s", ec.msg);
    else
        log_info(NULL, "helper started");
}

void kick_run(struct app *app, struct db *state)
{
    struct kick *k = app->prog;
    const struct conf *c = app->conf;
    struct task_work work = {0};
    struct errctx ec = {0};
    int64_t wait;

    if (!is_time(k))
        return;
    if (task_work(state, clock_now_ms(), &work, &ec) != ERR_OK) {
        log_warn(NULL, "cannot look for waiting tasks: %s", ec.msg);
        return;
    }
    /* Leases are proof of a helper that lived. */
    if (work.waiting == 0 || work.leased > 0)
        atomic_store(&k->backoff_ms, LOOK_MS);
    if (work.waiting == 0 || slot_count(c->data_dir, c->workers) >= c->workers)
        return;
    start_helper(k, c);
    wait = atomic_load(&k->backoff_ms);
    atomic_store(&k->next_ms, clock_mono_ms() + wait);
    atomic_store(&k->backoff_ms,
                 wait * 2 > BACKOFF_MAX_MS ? BACKOFF_MAX_MS : wait * 2);
}

/* cited-worker beside the running program. */
static bool beside_us(char out[PATH_MAX])
{
    static const char name[] = "cited-worker";
    ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - sizeof name - 1);
    char *slash;

    if (n <= 0)
        return false;
    out[n] = '\0';
    slash = strrchr(out, '/');
    if (slash == NULL)
        return false;
    memcpy(slash + 1, name, sizeof name);
    return true;
}

enum err kick_new(struct app *app, const char *conf_path, struct errctx *ec)
{
    const struct conf *c = app->conf;
    struct kick *k;

    if (c->workers <= 0)
        return ERR_OK;
    k = calloc(1, sizeof *k);
    if (k == NULL)
        return err_set(ec, ERR_NOMEM, "no memory to start");
    k->conf_path = conf_path;
    atomic_init(&k->backoff_ms, LOOK_MS);
    if (*c->worker_path != '\0')
        snprintf(k->worker, sizeof k->worker, "%s", c->worker_path);
    else if (!beside_us(k->worker)) {
        free(k);
        return err_set(ec, ERR_IO,
                       "the helper's path cannot be found; set "
                       "research.worker");
    }
    app->prog = k;
    app->kick = kick_run;
    return ERR_OK;
}

void kick_free(struct app *app)
{
    free(app->prog);
    app->prog = NULL;
    app->kick = NULL;
}
