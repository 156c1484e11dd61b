/*
 * Bump allocator for everything that lives as long as one request or one
 * step of a task. Freed in one call; nothing in it is freed by itself.
 *
 * An arena is born with a cap. Reaching it, or the allocator saying no, is
 * remembered: the call returns NULL and arena_failed() stays true, so a
 * caller may check once after a group of allocations.
 */
#ifndef CITED_BASE_ARENA_H
#define CITED_BASE_ARENA_H

#include "base/err.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena_chunk;
struct arena_end;

struct arena {
    struct arena_chunk *head; /* the chunk being filled */
    struct arena_end *ends;   /* what to call when all is given back */
    size_t used;              /* bytes handed out since the last reset */
    size_t cap;               /* most bytes it will ever hand out */
    bool failed;
};

/* Ready an arena that hands out at most cap bytes. Allocates nothing yet. */
void arena_init(struct arena *a, size_t cap);

/* Give every chunk back. The arena may be used again at once. */
void arena_fini(struct arena *a);

/* Forget everything handed out; keeps one ordinary chunk for the next use. */
void arena_reset(struct arena *a);

/* n zeroed bytes aligned for any type, or NULL. n of 0 gives one byte. */
void *arena_alloc(struct arena *a, size_t n);

/* count * size zeroed bytes with an overflow check, or NULL. */
void *arena_array(struct arena *a, size_t count, size_t size);

/* The array of count things, of each bytes, to which the pointer at v points
 * and which has room for *room, gets room for more: where it has not, a copy
 * takes its place that has twice as much, or all that is needed. False: no
 * memory, and nothing has changed. */
bool arena_grow(struct arena *a, void *v, size_t count, size_t more,
                size_t *room, size_t each);

/* NUL-terminated copies; NULL on failure or when s is NULL. */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Call end(p) at the next reset or fini, the last one asked for first: for
 * what the arena's things hold outside it. False: no memory, end is not
 * called. */
bool arena_at_end(struct arena *a, void (*end)(void *p), void *p);

/* True once any allocation failed since init or reset. */
bool arena_failed(const struct arena *a);

#endif
