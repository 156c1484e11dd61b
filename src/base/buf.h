/*
 * Growable bytes with a cap. Every buffer is born with the most it may hold;
 * reaching that is ERR_TOO_LARGE, an allocator that says no is ERR_NOMEM.
 *
 * The first failure sticks: later adds do nothing and buf_err() tells it,
 * so a renderer may add freely and check once at its end. data is always
 * NUL-terminated when not NULL (the NUL is not counted in len).
 */
#ifndef CITED_BASE_BUF_H
#define CITED_BASE_BUF_H

#include "base/err.h"

#include <stddef.h>

struct arena;

struct buf {
    char *data;
    size_t len;
    size_t size; /* bytes allocated */
    size_t cap;  /* most bytes of payload */
    enum err err;
};

/* Ready a buffer for at most cap bytes. Allocates nothing yet. */
void buf_init(struct buf *b, size_t cap);

/* Give the memory back; the buffer is as after buf_init. */
void buf_fini(struct buf *b);

/* Empty it and forget a failure; keeps the memory. */
void buf_reset(struct buf *b);

/* Take back what was added behind the first len bytes. */
void buf_cut(struct buf *b, size_t len);

/* Append. Each returns the sticky error state after the call. */
enum err buf_add(struct buf *b, const void *p, size_t n);
enum err buf_adds(struct buf *b, const char *s);
enum err buf_addc(struct buf *b, char c);
enum err buf_addf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* ERR_OK, or the first thing that went wrong. */
enum err buf_err(const struct buf *b);

/* The end of what was built in b when all went as e says: a copy of it in the
 * arena. Gives b back. e, what went wrong with b, or ERR_NOMEM. */
MUST_CHECK enum err buf_keep(struct buf *b, enum err e, struct arena *a,
                             const char **out);

/* The content as a C string: "" for an empty buffer, never NULL. */
const char *buf_str(const struct buf *b);

#endif
