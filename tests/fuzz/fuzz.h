/*
 * What the fuzzers share: how a promise is held, and input taken apart. Each
 * is a program of its own under libFuzzer (`make fuzz`); the unit programs
 * test_seeds_… hand them the files of seeds/ once.
 */
#ifndef CITED_TESTS_FUZZ_H
#define CITED_TESTS_FUZZ_H

#include "base/arena.h"
#include "base/str.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise that the code under test gives; broken, the run ends. */
#define HOLDS(promise)                                                         \
    ((promise) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #promise))

static inline void fuzz_broken(const char *file, int line, const char *promise)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, promise);
    abort();
}

/* Both take from a text that is not NULL. */

/* The first byte, taken off; 0 when there is none. */
static inline unsigned fuzz_take(struct str *in)
{
    unsigned c = in->n == 0 ? 0 : (unsigned char)in->p[0];

    if (in->n > 0)
        *in = (struct str){in->p + 1, in->n - 1};
    return c;
}

/* What stands before the first byte `end`, or all of it, taken off with that
 * byte. */
static inline struct str fuzz_take_until(struct str *in, char end)
{
    const char *p = in->n == 0 ? NULL : memchr(in->p, end, in->n);
    struct str part = {in->p, p == NULL ? in->n : (size_t)(p - in->p)};

    if (p == NULL)
        *in = (struct str){"", 0};
    else
        *in = (struct str){p + 1, in->n - part.n - 1};
    return part;
}

/* A copy that ends at its first NUL, on the heap of its own so that a read
 * beyond it is seen; the caller frees it. */
static inline char *fuzz_copy(struct str s)
{
    char *z = strndup(s.n == 0 ? "" : s.p, s.n);

    HOLDS(z != NULL);
    return z;
}

/* A function or its state in the place of the library's; weak, so that
 * several fuzzers in one program share it. */
#define STANDS_IN __attribute__((weak))

#endif
