/*
 * Private to store/: document counts. While passages are tokenized for the
 * full-text index, their distinct terms are counted here; once for each
 * transaction the sums go to the table term. Called by fts.c (adding), page.c
 * (direction, flushing) and write.c (forgetting what was rolled back).
 */
#ifndef CITED_STORE_DF_H
#define CITED_STORE_DF_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct db;
struct df;

struct df *df_new(void); /* NULL: no memory */
void df_free(struct df *df);

/* A passage begins: its terms count +1 (added) or -1 (removed) each. */
void df_passage(struct df *df, int sign);
/* No passage: what is tokenized from now on is not counted. */
void df_pause(struct df *df);

/* A term of the passage; the first occurrence counts. False: no memory. */
bool df_add(struct df *df, const char *p, size_t n);

/* Forget all sums and pause. */
void df_clear(struct df *df);

/* So many terms gathered that they should be flushed. */
bool df_is_full(const struct df *df);

/* Write the sums of db->df to the table term and clear them. */
MUST_CHECK enum err df_flush(struct db *db, struct errctx *ec);

#endif
