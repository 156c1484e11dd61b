/*
 * What a process remembers of other people's servers between two searches:
 * the robots.txt of each origin for an hour, and until when a page is fresh.
 * Shared by all threads behind one mutex; the oldest is forgotten first.
 */
#ifndef CITED_FIND_READ_MEMORY_H
#define CITED_FIND_READ_MEMORY_H

#include "net/robots.h"

#include <stdbool.h>
#include <stdint.h>

struct read_memory;

MUST_CHECK enum err read_memory_new(struct read_memory **out);
void read_memory_free(struct read_memory *m); /* NULL is fine */

enum permission { PERMISSION_UNKNOWN, PERMISSION_YES, PERMISSION_NO };

/* May this path of origin ("https://host[:port]") be fetched? *slow: its
 * robots.txt asks for pauses between requests. */
enum permission read_memory_ask(struct read_memory *m, const char *origin,
                                const char *path, bool *slow);

/* Remember what the request for an origin's robots.txt said; body (n bytes)
 * counts when said is ROBOTS_RULES. */
void read_memory_put(struct read_memory *m, const char *origin,
                     enum robots_answer said, const char *body, size_t n,
                     const char *product);

/* Until when a page is fresh, UTC; -1 when nothing is remembered. */
int64_t read_memory_fresh(struct read_memory *m, const char *url);
void read_memory_set_fresh(struct read_memory *m, const char *url,
                           int64_t until_ms);

#endif
