/*
 * Private to index/: pages being put and removed, gathered in memory until
 * they become a segment. Called by page.c and shelf.c.
 */
#ifndef CITED_INDEX_GATHER_H
#define CITED_INDEX_GATHER_H

#include "base/err.h"
#include "text/lang.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gather;
struct stemmer;

struct gather *gather_new(void); /* NULL: no memory */
void gather_free(struct gather *g);
void gather_clear(struct gather *g);

bool gather_is_empty(const struct gather *g);
/* So much that it should be written now. */
bool gather_is_full(const struct gather *g);

/* A page begins; its passages follow. first is the id its first one gets. */
MUST_CHECK enum err gather_page(struct gather *g, int64_t first,
                                const char *rhost, const char *url, int32_t day,
                                const char *title);
/* A page begins that is stored elsewhere and goes; likewise. */
MUST_CHECK enum err gather_removal(struct gather *g, const char *title);
/* stem is the stemmer of its language, NULL for English rules. */
MUST_CHECK enum err gather_passage(struct gather *g, enum lang l,
                                   struct stemmer *stem, const char *heading,
                                   const char *text);

/* Take a page out that was gathered; false: it was not. */
bool gather_drop(struct gather *g, int64_t first);

struct gathered {
    int64_t pages, passages, bytes;
};

/* Write all as one segment. */
MUST_CHECK enum err gather_write(struct gather *g, const char *path,
                                 struct gathered *out, struct errctx *ec);

#endif
