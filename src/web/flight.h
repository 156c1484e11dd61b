/*
 * Requests a key may have in flight: how many of each are being answered now,
 * in a table shared by the process's threads. Several processes each count
 * for themselves.
 */
#ifndef CITED_WEB_FLIGHT_H
#define CITED_WEB_FLIGHT_H

#include "base/err.h"
#include "base/id.h"

#include <stdbool.h>
#include <stdint.h>

struct flight_table;

/* At most that many at once of each key; 0: *out is NULL, nothing is
 * refused. */
MUST_CHECK enum err flight_new(int64_t most, struct flight_table **out);
void flight_free(struct flight_table *t);

/* False: the key (by its digest) has as many as it may. Whoever was let in
 * leaves again. t may be NULL. */
bool flight_enter(struct flight_table *t,
                  const unsigned char key[SHA256_BYTES]);
void flight_leave(struct flight_table *t,
                  const unsigned char key[SHA256_BYTES]);

#endif
