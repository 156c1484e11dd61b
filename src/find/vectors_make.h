/*
 * Vectors of passages made up with the index: with the encoder by a process of
 * its own (run/vectors_keep.h), with the vectors of words by whoever adds or
 * asks.
 */
#ifndef CITED_FIND_VECTORS_MAKE_H
#define CITED_FIND_VECTORS_MAKE_H

#include "base/clock.h"
#include "base/conf.h"
#include "meaning/encoder.h"
#include "store/db.h"

/*
 * Encode what has no vector yet in the file at path, in the order of passages,
 * until nothing is left or the deadline is over (d NULL: there is none), by so
 * many threads, eight at most;
 * vectors of passages that are gone are removed when they are many. What is
 * done stays done when the process is killed. *made: how many. ERR_OK also
 * when another process is at it.
 */
MUST_CHECK enum err vectors_make(const char *path,
                                 const struct encoder *encoder,
                                 struct db *index, const struct deadline *d,
                                 size_t threads, int64_t *made,
                                 struct errctx *ec);

/* Those of words, ten thousand of them a second, in the data folder: called by
 * whoever put pages into the index. */
MUST_CHECK enum err vectors_make_words(const struct conf *c, struct db *index,
                                       const struct deadline *d,
                                       struct errctx *ec);

#endif
