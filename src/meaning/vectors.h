/*
 * Vectors of passages in a file beside the index: written in the order of the
 * passages' ids, searched in all of them.
 *
 * A vector is kept twice: a sign a number, which a search compares first, and
 * a byte a number, by which the best of those are put in order. What is in the
 * file stays: passages that are gone from the index are still found here, and
 * who asks drops them (vectors_sift removes them for good).
 *
 * One process writes, any number read; a reader sees what was complete when it
 * last looked. A writer may be killed at any instruction: it goes on behind
 * the last complete vector.
 */
#ifndef CITED_MEANING_VECTORS_H
#define CITED_MEANING_VECTORS_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the data folder: those of the encoder, and of words. */
#define VECTORS_FILE "index.vectors"
#define VECTORS_OF_WORDS_FILE "index.words"

enum { VECTORS_FOUND_MAX = 1000 };

/* Passages of these ids, both inclusive. */
struct id_range {
    int64_t first, last;
};

struct vector_hit {
    int64_t passage;
    float cosine;
};

/* --- reading ---------------------------------------------------------------
 */

struct vectors; /* of one thread at a time */

/* Nothing needs to be there yet: path is looked at by each search. Vectors of
 * width numbers made by another model than name count as none. ERR_NOMEM. */
MUST_CHECK enum err vectors_new(const char *path, uint64_t name, size_t width,
                                struct vectors **out);
void vectors_free(struct vectors *v); /* NULL is fine */

/* How many there are now. */
size_t vectors_count(struct vectors *v);

/* The passage with the last one, 0: none; those before it have theirs. */
int64_t vectors_newest(struct vectors *v);

/*
 * The k (at most VECTORS_FOUND_MAX) nearest to the query, of the passages in
 * ranges (ascending, not overlapping; NULL: of all), best first, in a.
 * ERR_NO_RESULT: there are none. ERR_NOMEM.
 */
MUST_CHECK enum err vectors_search(struct vectors *v, const float *query,
                                   size_t k, const struct id_range *ranges,
                                   size_t range_count, struct arena *a,
                                   struct vector_hit **out, size_t *count);

/* How near each of n passages is to the query, into out; 0 when it has no
 * vector. Of what was there at the last search. */
void vectors_cosines(const struct vectors *v, const float *query,
                     const int64_t *passages, size_t n, float *out);

/* --- writing ---------------------------------------------------------------
 */

struct vectors_writer;

/* Go on with the file at path, or begin it: where it is not there, damaged, or
 * of another model. ERR_BUSY: somebody else is writing. ERR_FULL,
 * ERR_READ_ONLY, ERR_IO. */
MUST_CHECK enum err vectors_write(const char *path, uint64_t name, size_t width,
                                  struct vectors_writer **out,
                                  struct errctx *ec);
void vectors_write_end(struct vectors_writer *w); /* NULL is fine */

/* Passages of what is written, and the id of the last; 0: none. */
size_t vectors_written(const struct vectors_writer *w);
int64_t vectors_last(const struct vectors_writer *w);

/* Add count vectors (rows of width numbers) of passages with ascending ids
 * above the last one's. All of them or, on an error, none. */
MUST_CHECK enum err vectors_add(struct vectors_writer *w, const int64_t *ids,
                                const float *rows, size_t count,
                                struct errctx *ec);

/* Write those anew that keep says yes to, in the place of the file. */
MUST_CHECK enum err vectors_sift(struct vectors_writer *w,
                                 bool (*keep)(void *ctx, int64_t passage),
                                 void *ctx, struct errctx *ec);

#endif
