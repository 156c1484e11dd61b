/*
 * The thread that keeps the node's index up with the pages in PostgreSQL
 * (index/follow.h). The responder and a helper that stays have one each; one of
 * all of a data folder's follows, the others see that it does. Nothing happens
 * where no database is configured.
 */
#ifndef CITED_RUN_FOLLOWER_H
#define CITED_RUN_FOLLOWER_H

#include "base/conf.h"
#include "store/db.h"

#include <pthread.h>
#include <stdbool.h>

struct follower {
    const struct conf *conf;
    struct store_files *files;
    pthread_t thread;
    bool started;
    bool stop; /* under the lock */
    pthread_mutex_t lock;
    pthread_cond_t wake; /* stop */
};

/* A warning where no thread can be had. The data folder is there. */
void follower_start(struct follower *f, const struct conf *c,
                    struct store_files *files);
/* It ends within about a second. */
void follower_stop(struct follower *f);

#endif
