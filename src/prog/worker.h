/*
 * Private to cited-worker: the helper and its threads. Each hand works on one
 * task at a time (worker_hand.c), the listener hears of new ones
 * (worker_listen.c), the courier sends the records that are due (worker_post.c), the main thread waits for signals, prolongs the leases,
 * gives the slot's sign of life, starts the helpers of crawls, removes what is
 * old (retention.h) and decides when all of them leave (worker.c): none does
 * before, since it would be missing when work comes. Called by main_worker.c.
 */
#ifndef CITED_PROG_WORKER_H
#define CITED_PROG_WORKER_H

#include "base/conf.h"
#include "base/meter.h"
#include "model/model.h"
#include "model/relevance.h"
#include "run/follower.h"
#include "run/pdf.h"
#include "run/retention.h"
#include "run/upkeep.h"
#include "find/provider.h"
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

enum mode { MODE_SWEEP, MODE_STAY, MODE_ONCE, MODE_CRAWL, MODE_VECTORS };

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
    bool idle;               /* under it: between two looks for work */
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
    struct upkeep upkeep;
    struct follower follower; /* of one that stays */
    pthread_mutex_t lock;
    pthread_cond_t work; /* there may be, or all leave */
    bool news;           /* under lock: a hand is to look at once */
    pthread_t listener;  /* hears of tasks that came in elsewhere */
    struct hand hands[WORKER_THREADS_MAX];
    size_t count; /* of hands */
    pthread_t courier;
    bool has_courier;
    bool posting;   /* records are due soon, or a look for them is */
    size_t running; /* threads that have not ended */
    size_t working; /* of them, hands */
    size_t idle;    /* of them, those whose last look found nothing */
    int64_t ended;  /* tasks put down */
    bool ending;    /* nothing is left: all leave */
    bool leaving;   /* told to stop */
    bool failed;    /* a thread could not work */
    bool found;     /* --once: the task was there */
    atomic_bool clock_set; /* the courier has not looked since */
    /* the main thread's own */
    int slot;           /* -1 = none */
    int64_t seen_ms;    /* of its last tick, monotonic; 0 none */
    int64_t drift_ms;   /* of the wall clock against the monotonic one */
    int64_t renewal_ms; /* when the leases are prolonged next */
    int64_t crawls_ms;  /* when crawls are looked for next */
};

/* Has the helper been told to stop? */
bool worker_is_leaving(struct helper *h);

/* Sleep so long, or until the helper is told to stop. */
void worker_nap(struct helper *h, int64_t ms);

/* There may be work: one hand that rests looks at once, and when it finds some,
 * the next one does. */
void worker_wake(struct helper *h);

/* Hear of tasks that come in on other machines, where there are any, until no
 * hand is left. False: nobody does, and hands look by themselves alone. */
bool worker_start_listener(struct helper *h);

/* Start count hands; h->failed when not even one started. */
void worker_start_hands(struct helper *h, size_t count);

/* Marked before the hands start, so that none leaves before the courier has
 * looked; started after them, so that it does not leave before they have. */
void worker_mark_courier(struct helper *h, bool there);
bool worker_start_courier(struct helper *h);

/* Work as h->o.mode says, with the signals of set blocked; the exit status. */
int worker_run(struct helper *h, struct db *state, const sigset_t *set);

#endif
