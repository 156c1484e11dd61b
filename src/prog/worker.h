/*
 * Private to cited-worker: the helper and its threads. Each hand works on one
 * task at a time (worker_hand.c), the courier sends the records that are due
 * (worker_post.c), the main thread waits for signals, prolongs the leases,
 * removes what is old (retention.h) and decides when the helper may leave
 * (worker.c). Called by main_worker.c.
 */
#ifndef CITED_PROG_WORKER_H
#define CITED_PROG_WORKER_H

#include "base/conf.h"
#include "base/meter.h"
#include "net/model.h"
#include "net/relevance.h"
#include "prog/pdf.h"
#include "prog/retention.h"
#include "search/provider.h"
#include "store/task.h"
#include "web/task_call.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

enum {
    WORKER_THREADS_MAX = 64,
    WORKER_TICK_MS = 100,  /* the main thread looks at signals and leases */
    WORKER_IDLE_MS = 200,  /* between two looks for work while others work */
    WORKER_FAULT_MS = 1000 /* after a look that failed */
};

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
    struct hand hands[WORKER_THREADS_MAX];
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

/* Has the helper been told to stop? */
bool worker_is_leaving(struct helper *h);

/* Sleep so long, or until the helper is told to stop. */
void worker_nap(struct helper *h, int64_t ms);

/* Start count hands; h->failed when not even one started. */
void worker_start_hands(struct helper *h, size_t count);

/* Marked before the hands start, so that none leaves before the courier has
 * looked; started after them, so that it does not leave before they have. */
void worker_mark_courier(struct helper *h, bool there);
bool worker_start_courier(struct helper *h);

/* Work as h->o.mode says, with the signals of set blocked; the exit status. */
int worker_run(struct helper *h, struct db *state, const sigset_t *set);

#endif
