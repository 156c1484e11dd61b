/*
 * A helper's thread that keeps the index in order (index/page.h, index_upkeep):
 * once when the helper begins, and every hour it stays.
 */
#ifndef CITED_RUN_UPKEEP_H
#define CITED_RUN_UPKEEP_H

#include "store/db.h"

#include <pthread.h>
#include <stdatomic.h>

struct upkeep {
    struct store_files *files;
    pthread_t thread;
    bool started;
    _Atomic bool stop;
    _Atomic bool busy; /* at it just now */
};

/* Nothing happens where no thread can be had. */
void upkeep_start(struct upkeep *u, struct store_files *files);
/* It ends within about a second. */
void upkeep_stop(struct upkeep *u);

#endif
