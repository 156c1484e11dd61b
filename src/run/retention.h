/*
 * The helper's upkeep: once an hour, by whichever helper comes first, what is
 * older than [retention] allows is removed, a little at each call.
 */
#ifndef CITED_RUN_RETENTION_H
#define CITED_RUN_RETENTION_H

#include "base/conf.h"
#include "store/db.h"

#include <stdbool.h>
#include <stdint.h>

struct retention {
    const struct conf *conf;
    struct store_files *files;
    int64_t next_ms; /* monotonic: nothing is done before */
    bool going;      /* this hour's turn is ours, and more is left */
};

/* Does nothing most of the time; else a few tenths of a second. Errors are
 * logged, and it is tried again an hour later. Never creates a database. */
void retention_run(struct retention *r);

#endif
