/*
 * How far the index of this data folder follows pages in PostgreSQL, for all
 * its processes: a file that they map, written by the one that follows
 * (run/follower.h). Who has the file locked is that one.
 */
#ifndef CITED_INDEX_BOARD_H
#define CITED_INDEX_BOARD_H

#include "base/conf.h"

#include <stdbool.h>
#include <stdint.h>

struct board;

enum board_fault {
    BOARD_FINE,
    BOARD_AWAY,     /* PostgreSQL does not answer */
    BOARD_CONFLICT, /* the index holds something else (ERR_CONFLICT of
                       index_follow) */
    BOARD_BROKEN    /* the index cannot be written */
};

/* NULL: no memory. Where the file cannot be had, this process's own. */
struct board *board_open(const struct conf *c);
void board_close(struct board *b); /* NULL is fine; gives the lock back */
/* Be the one that follows; false: another process is. */
bool board_take(struct board *b);

/* Changes up to seq are in the index, of known there are; the first that is not
 * was made behind_ms ago. */
void board_set(struct board *b, int64_t seq, int64_t known, int64_t behind_ms);
void board_set_fault(struct board *b, enum board_fault fault);

struct board_look {
    bool begun;        /* PostgreSQL was followed, now or at some time */
    int64_t changes;   /* that are not in the index, as far as is known */
    int64_t behind_ms; /* how old the first of them is; or, where nobody has
                          followed of late, since when */
    enum board_fault fault;
};
void board_look(const struct board *b, struct board_look *out);
/* The same with opening and closing; nothing has begun where it is not there.
 */
void board_look_once(const struct conf *c, struct board_look *out);

#endif
