/* Documents parsed ahead; see cli_ahead.h. */
#include "prog/cli_ahead.h"

#include "prog/cli.h"
#include "json/json.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    THREADS_MAX = 3, /* one putter keeps up with no more */
    DOCS = 16,       /* under way at once */
    ARENA_MAX = 512 << 20,
    BYTES_AHEAD = 8 << 20, /* of files; more waits for what is under way */
    BYTES_KEPT = 1 << 20   /* of room for the next one's */
};

struct ahead {
    struct ahead_work work;
    struct ahead_doc docs[DOCS]; /* a ring; state is under the lock */
    size_t first, count;         /* under way; the owner's */
    size_t bytes;                /* of their files; the owner's */
    pthread_t thread[THREADS_MAX];
    int threads;
    pthread_mutex_t lock;
    pthread_cond_t waiting, ready;
    bool stop; /* under the lock */
};

static struct ahead_doc *at(struct ahead *a, size_t i)
{
    return &a->docs[(a->first + i) % DOCS];
}

/* Under the lock, which is let go meanwhile. */
static void prepare(struct ahead *a, struct ahead_doc *d)
{
    d->state = AHEAD_TAKEN;
    pthread_mutex_unlock(&a->lock);
    a->work.prepare(d, a->work.arg);
    pthread_mutex_lock(&a->lock);
    d->state = AHEAD_READY;
    pthread_cond_signal(&a->ready);
}

/* Under the lock: the oldest that waits from the place on that is looked at
 * next, NULL when none does. Documents begin to wait in the ring's order. */
static struct ahead_doc *waiting(struct ahead *a, size_t *next)
{
    for (size_t i = 0; i < DOCS; i++) {
        struct ahead_doc *d = &a->docs[(*next + i) % DOCS];

        if (d->state == AHEAD_WAITING) {
            *next = (*next + i + 1) % DOCS;
            return d;
        }
    }
    return NULL;
}

static void *run(void *arg)
{
    struct ahead *a = arg;
    size_t next = 0;

    pthread_mutex_lock(&a->lock);
    while (!a->stop) {
        struct ahead_doc *d = waiting(a, &next);

        if (d == NULL)
            pthread_cond_wait(&a->waiting, &a->lock);
        else
            prepare(a, d);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* Signals go to the owner, who waits for files. */
static void start_threads(struct ahead *a)
{
    long wanted = sysconf(_SC_NPROCESSORS_ONLN) - 1;
    sigset_t all, before;

    if (wanted > THREADS_MAX)
        wanted = THREADS_MAX;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (a->threads < wanted &&
           pthread_create(&a->thread[a->threads], NULL, run, a) == 0)
        a->threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct ahead *ahead_new(const struct ahead_work *work)
{
    struct ahead *a = calloc(1, sizeof *a);

    if (a == NULL)
        return NULL;
    a->work = *work;
    for (size_t i = 0; i < DOCS; i++) {
        arena_init(&a->docs[i].arena, ARENA_MAX);
        buf_init(&a->docs[i].bytes, CLI_IN_MAX);
    }
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->waiting, NULL);
    pthread_cond_init(&a->ready, NULL);
    start_threads(a);
    return a;
}

static void empty(struct ahead_doc *d)
{
    json_free(d->json);
    d->json = NULL;
    d->text = (struct str){NULL, 0};
    d->wrong = NULL;
    d->ec = (struct errctx){ERR_OK, ""};
    arena_reset(&d->arena);
    if (d->bytes.len > BYTES_KEPT) {
        buf_fini(&d->bytes);
        buf_init(&d->bytes, CLI_IN_MAX);
    }
    buf_reset(&d->bytes);
}

void ahead_free(struct ahead *a)
{
    if (a == NULL)
        return;
    pthread_mutex_lock(&a->lock);
    a->stop = true;
    pthread_cond_broadcast(&a->waiting);
    pthread_mutex_unlock(&a->lock);
    for (int i = 0; i < a->threads; i++)
        pthread_join(a->thread[i], NULL);
    for (size_t i = 0; i < DOCS; i++) {
        empty(&a->docs[i]);
        buf_fini(&a->docs[i].bytes);
        arena_fini(&a->docs[i].arena);
    }
    pthread_cond_destroy(&a->ready);
    pthread_cond_destroy(&a->waiting);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

/* The oldest, prepared here when nobody has begun with it. */
static void put_first(struct ahead *a)
{
    struct ahead_doc *d = at(a, 0);

    pthread_mutex_lock(&a->lock);
    if (d->state == AHEAD_WAITING)
        prepare(a, d);
    while (d->state != AHEAD_READY)
        pthread_cond_wait(&a->ready, &a->lock);
    d->state = AHEAD_EMPTY;
    pthread_mutex_unlock(&a->lock);
    a->bytes -= d->bytes.len;
    a->work.put(d, a->work.arg);
    empty(d);
    a->first = (a->first + 1) % DOCS;
    a->count--;
}

struct ahead_doc *ahead_next(struct ahead *a)
{
    if (a->count == DOCS)
        put_first(a);
    empty(at(a, a->count));
    return at(a, a->count);
}

void ahead_add(struct ahead *a)
{
    struct ahead_doc *d = at(a, a->count++);

    a->bytes += d->bytes.len;
    pthread_mutex_lock(&a->lock);
    d->state = AHEAD_WAITING;
    pthread_cond_signal(&a->waiting);
    pthread_mutex_unlock(&a->lock);
    while (a->bytes > BYTES_AHEAD)
        put_first(a);
}

void ahead_settle(struct ahead *a)
{
    while (a->count > 0)
        put_first(a);
}
