/*
 * Requests a key may make each second: one token bucket a key, in a table of
 * fixed size shared by the process's threads. Several processes each count
 * for themselves.
 */
#ifndef CITED_WEB_RATE_H
#define CITED_WEB_RATE_H

#include "base/err.h"

#include <stdint.h>

struct rate_table;

/* Buckets that fill with per_second tokens and hold as many (at least 1).
 * per_second 0: *out is NULL, and nothing is ever refused. */
MUST_CHECK enum err rate_new(int64_t per_second, struct rate_table **out);
void rate_free(struct rate_table *t);

/*
 * Take one token of key at now_ms (monotonic). 0: taken. Otherwise the
 * milliseconds after which there will be one. t may be NULL. A key not seen
 * for long may be forgotten in favour of another: it starts full again.
 */
int64_t rate_take(struct rate_table *t, const char *key, int64_t now_ms);

#endif
