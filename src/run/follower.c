/* Following pages all the time; see follower.h. */
#include "run/follower.h"

#include "base/clock.h"
#include "base/log.h"
#include "find/vectors_make.h"
#include "index/board.h"
#include "index/follow.h"
#include "meaning/vectors.h"
#include "run/vectors_keep.h"
#include "store/share.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOK_MS = 300,   /* between two looks when all is in and nothing is told */
    FAULT_MS = 1000, /* after one that failed */
    VECTORS_MS = 5000, /* between two starts of whoever makes vectors */
    FORGET_MS = 3600 * 1000
};

struct following {
    struct follower *f;
    struct board *board;
    struct db *index;
    enum err last;      /* of the last look: a fault is told once */
    bool fresh;         /* pages came in that want vectors */
    int64_t vectors_ms; /* when they may be asked for, monotonic */
    int64_t forget_ms;  /* likewise, for removals */
};

/* Sleep for ms. False: stop. */
static bool nap(struct follower *f, int64_t ms)
{
    int64_t at = clock_mono_ms() + ms;
    struct timespec until = {at / 1000, at % 1000 * 1000000};
    int rc = 0;
    bool go;

    pthread_mutex_lock(&f->lock);
    while (!f->stop && rc == 0)
        rc = pthread_cond_timedwait(&f->wake, &f->lock, &until);
    go = !f->stop;
    pthread_mutex_unlock(&f->lock);
    return go;
}

static enum board_fault fault_of(enum err e)
{
    return e == ERR_CONFLICT ? BOARD_CONFLICT
           : e == ERR_FULL || e == ERR_READ_ONLY || e == ERR_NOMEM
               ? BOARD_BROKEN
               : BOARD_AWAY;
}

static void tell(struct following *w, enum err e, const struct errctx *ec)
{
    if (e != ERR_OK)
        board_set_fault(w->board, fault_of(e));
    if (e == w->last)
        return;
    if (e != ERR_OK)
        log_warn(NULL, "pages are not followed: %s", ec->msg);
    else
        log_info(NULL, "pages are followed again");
    w->last = e;
}

/* All of it goes, and its vectors, whose ids come again for other texts. */
static enum err begin_anew(struct following *w, struct errctx *ec)
{
    static const char *const names[] = {VECTORS_FILE, VECTORS_OF_WORDS_FILE};
    char path[CONF_PATH_MAX];

    log_warn(NULL, "the index begins anew: %s", ec->msg);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (conf_data_file(w->f->conf, names[i], path) != NULL)
            (void)unlink(path);
    return index_begin_anew(w->index, ec);
}

/* What is not due with each look. */
static void now_and_then(struct following *w)
{
    struct errctx ec = {ERR_OK, ""};
    int64_t now = clock_mono_ms();

    if (w->fresh && now >= w->vectors_ms) {
        if (vectors_make_words(w->f->conf, w->index, NULL, &ec) != ERR_OK)
            log_warn(NULL, "no vectors of words: %s", ec.msg);
        vectors_start(w->f->conf);
        w->fresh = false;
        w->vectors_ms = now + VECTORS_MS;
    }
    if (now < w->forget_ms)
        return;
    w->forget_ms = now + FORGET_MS;
    if (index_forget_removals(w->index, clock_now_ms(), &ec) != ERR_OK)
        log_warn(NULL, "removals of pages are not forgotten: %s", ec.msg);
    if (share_forget(w->index, &ec) != ERR_OK)
        log_warn(NULL, "turns are not forgotten: %s", ec.msg);
}

/* One step; how long to wait for the next. */
static int64_t look(struct following *w)
{
    struct follow_look l = {0};
    struct errctx ec = {ERR_OK, ""};
    enum err e =
        w->index != NULL ? ERR_OK : db_open(w->f->files->index, &w->index, &ec);

    if (e == ERR_OK)
        e = index_follow(w->index, &l, &ec);
    if (e == ERR_GONE)
        e = begin_anew(w, &ec);
    tell(w, e, &ec);
    if (e != ERR_OK)
        return FAULT_MS;
    board_set(w->board, l.seq, l.known, l.behind_ms);
    w->fresh = w->fresh || l.puts > 0;
    if (l.seq < l.known)
        return 0;
    now_and_then(w);
    return LOOK_MS;
}

/* Until somebody tells of a change, or it is time to look whether there was one
 * that was not heard of. */
static int64_t listen(struct following *w)
{
    struct errctx ec = {ERR_OK, ""};

    return index_wait(w->index, deadline_in(LOOK_MS), &ec) == ERR_OK ? 0
                                                                     : LOOK_MS;
}

static void *run(void *arg)
{
    struct following w = {.f = arg};
    bool mine = false;
    int64_t wait = 0;

    w.forget_ms = clock_mono_ms() + FORGET_MS;
    w.board = board_open(w.f->conf);
    while (w.board != NULL && nap(w.f, wait)) {
        mine = mine || board_take(w.board);
        wait = mine ? look(&w) : LOOK_MS;
        if (mine && wait == LOOK_MS)
            wait = listen(&w);
    }
    db_close(w.index);
    board_close(w.board);
    return NULL;
}

void follower_start(struct follower *f, const struct conf *c,
                    struct store_files *files)
{
    pthread_condattr_t attr;

    *f = (struct follower){.conf = c, .files = files};
    if (*c->database == '\0')
        return;
    pthread_mutex_init(&f->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&f->wake, &attr);
    pthread_condattr_destroy(&attr);
    f->started = pthread_create(&f->thread, NULL, run, f) == 0;
    if (!f->started)
        log_warn(NULL, "pages are not followed: no thread can be created");
}

void follower_stop(struct follower *f)
{
    if (!f->started)
        return;
    pthread_mutex_lock(&f->lock);
    f->stop = true;
    pthread_cond_signal(&f->wake);
    pthread_mutex_unlock(&f->lock);
    pthread_join(f->thread, NULL);
    pthread_cond_destroy(&f->wake);
    pthread_mutex_destroy(&f->lock);
    f->started = false;
}
