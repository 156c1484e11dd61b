/* Keeping the index in order; see upkeep.h. */
#include "run/upkeep.h"

#include "base/clock.h"
#include "base/log.h"
#include "index/page.h"

#include <time.h>

enum { EVERY_MS = 3600 * 1000, TICK_MS = 100 };

static void run_once(struct upkeep *u)
{
    struct errctx ec = {ERR_OK, ""};
    struct db *index = NULL;
    enum err e = db_open(u->files->index, &index, &ec);

    if (e == ERR_OK)
        e = index_upkeep(index, &u->stop, &ec);
    db_close(index);
    if (e != ERR_OK && e != ERR_GONE)
        log_error(NULL, "the index is not kept in order: %s", ec.msg);
}

static void *run(void *arg)
{
    struct upkeep *u = arg;
    struct timespec tick = {0, TICK_MS * 1000000L};
    int64_t next = 0;

    while (!atomic_load(&u->stop)) {
        if (clock_mono_ms() >= next) {
            run_once(u);
            atomic_store(&u->busy, false);
            next = clock_mono_ms() + EVERY_MS;
        }
        (void)nanosleep(&tick, NULL);
    }
    return NULL;
}

void upkeep_start(struct upkeep *u, struct store_files *files)
{
    u->files = files;
    atomic_store(&u->stop, false);
    atomic_store(&u->busy, true);
    u->started = pthread_create(&u->thread, NULL, run, u) == 0;
    if (!u->started)
        atomic_store(&u->busy, false);
}

void upkeep_stop(struct upkeep *u)
{
    if (!u->started)
        return;
    atomic_store(&u->stop, true);
    pthread_join(u->thread, NULL);
    u->started = false;
}
