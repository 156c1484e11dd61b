/*
 * The slots of research helpers: files DATA/worker-<i>.lock, each write-locked
 * by the helper that has it until its process ends, with the helper's sign of
 * life as text. Where the responder and helpers see each other; called by
 * kick.c, worker.c and the commands.
 */
#ifndef CITED_PROG_SLOT_H
#define CITED_PROG_SLOT_H

#include "base/err.h"

#include <stdint.h>

struct slots {
    int64_t live;      /* helpers that gave a sign of life lately */
    int64_t silent;    /* that hold a slot and gave none: stopped, or hung */
    int64_t pid;       /* of the one silent for longest, 0 = unknown */
    int64_t silent_ms; /* for so long */
    int64_t taken_ms;  /* when one was taken last, by clock_mono_ms; 0 never */
};

/* Look at all slots without taking one. A helper is silent that gave no sign
 * of life for silent_ms. */
void slot_look(const char *data_dir, int64_t silent_ms, struct slots *out);

/*
 * Take one of as many slots as there may be helpers, and as there are silent
 * ones besides: those are replaced. *fd holds it until it is closed. ERR_BUSY:
 * all are taken and this helper is surplus. ERR_IO.
 *
 * A helper that leaves closes its slot first and then looks for work once
 * more: a task created while the slot was still taken started nobody.
 */
MUST_CHECK enum err slot_take(const char *data_dir, int64_t workers,
                              int64_t silent_ms, int *fd, struct errctx *ec);

/* The holder's sign of life. */
void slot_beat(int fd);

#endif
