/*
 * What nodes that share a PostgreSQL have to agree on from moment to moment:
 * how many they are, and whose turn it is to ask another server. db is a
 * connection to it, or to an index that follows pages there; for anything else
 * the process is alone, and each call says so without asking anybody. Rows, not
 * locks of a session: a pooler may give each statement another session. Called
 * by run, find and crawl.
 */
#ifndef CITED_STORE_SHARE_H
#define CITED_STORE_SHARE_H

#include "store/db.h"

#include <stdint.h>

/* A number that hardly another machine has, nor another data folder on this
 * one; path is the folder, or something in it. */
uint32_t share_self(const char *path);

enum { SHARE_SEEN_MS = 10000 }; /* a node that is silent for longer is gone */

/* How many nodes (machines' data folders) said within SHARE_SEEN_MS that they
 * are there; self, of share_self, does so now. 1 for a
 * file. */
MUST_CHECK enum err share_count_nodes(struct db *db, uint32_t self,
                                      int64_t *count, struct errctx *ec);

/* Take the next turn of all to ask origin (scheme://host[:port]), after which
 * nobody does for pause_ms: *wait_ms says how long from now it is. */
MUST_CHECK enum err share_take_turn(struct db *db, const char *origin,
                                    int64_t pause_ms, int64_t *wait_ms,
                                    struct errctx *ec);
/* The same, if it is now; else *taken is false. */
MUST_CHECK enum err share_try_turn(struct db *db, const char *origin,
                                   int64_t pause_ms, bool *taken,
                                   struct errctx *ec);
/* It asked to be left alone: nobody's next turn is within pause_ms. */
MUST_CHECK enum err share_pause(struct db *db, const char *origin,
                                int64_t pause_ms, struct errctx *ec);

/* Forget what is a day old. */
MUST_CHECK enum err share_forget(struct db *db, struct errctx *ec);

#endif
