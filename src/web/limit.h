/*
 * What one caller may ask of the service: requests a key may make in a second,
 * and requests of an account that are answered at once. Both hold over all
 * processes of a data folder, FastCGI and CGI alike: they share one mapped
 * file of fixed size (base/shared). No lock is held at any time, so that a
 * process that is stopped or killed holds nobody up; what one that was killed
 * had in flight is given back when somebody needs the room.
 *
 * Where the file cannot be had, a process counts for itself. Nodes that share
 * their accounts share the limits out among themselves (limits_share), so that
 * no request asks another machine.
 */
#ifndef CITED_WEB_LIMIT_H
#define CITED_WEB_LIMIT_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct conf;
struct limits;

/* The file's name in the data folder; the number is that of its layout. */
#define LIMIT_FILE "limits-1"

/*
 * Map the file at path (NULL: this process's own memory). 0 for either limit
 * sets none; for both, *out is NULL and nothing is ever refused. ERR_NOMEM.
 * Processes that share the file are to have the same limits. Not to be used
 * across a fork: a child opens its own.
 */
MUST_CHECK enum err limits_new(const char *path, int64_t per_second,
                               int64_t in_flight, struct limits **out);
/* The file and the limits of the configuration. */
MUST_CHECK enum err limits_open(const struct conf *c, struct limits **out);
/* Both hold over so many nodes (0 as 1), among which each has an equal share,
 * rounded up. The number may change at any time. */
void limits_share(struct limits *l, const _Atomic int *nodes);
void limits_free(struct limits *l); /* NULL is fine, here and below */

/*
 * Take one of key's requests of a second at now_ms (monotonic). 0: taken.
 * Otherwise the milliseconds after which there will be one. A key may use the
 * requests of a second at once, and one that is idle gains no more than those.
 */
int64_t limit_rate(struct limits *l, const char *key, int64_t now_ms);

/* One more of the requests of account (above 0) is being answered; *place is
 * what limit_leave is given when it is done. False: it has as many as it may.
 */
bool limit_enter(struct limits *l, int64_t account, int *place);
void limit_leave(struct limits *l, int place);

#endif
