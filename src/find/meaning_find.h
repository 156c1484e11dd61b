/*
 * What the index has on a question by words, and what it has by meaning, as
 * one list. Words alone where no encoder is configured, and where there are no
 * vectors yet.
 */
#ifndef CITED_FIND_MEANING_FIND_H
#define CITED_FIND_MEANING_FIND_H

#include "index/page.h"

struct encoder; /* meaning/encoder.h */
struct vectors; /* meaning/vectors.h */

/* The encoder is shared by all threads, the vectors are one thread's. */
struct meaning {
    const struct encoder *encoder;
    struct vectors *vectors;
};

/*
 * Fuse the *count candidates of *found, best first, with the k passages
 * nearest to the question among those f lets through: by reciprocal ranks,
 * best first, those found both ways once. score becomes the fused one, in 0-1;
 * (*cosine)[i], in a, is how near passage i is to the question, 0 for those
 * that have no vector. m NULL, or no vectors: *found stays as it is and
 * *cosine is NULL. ERR_NOMEM, ERR_DB.
 */
MUST_CHECK enum err meaning_fuse(const struct meaning *m, struct db *index,
                                 const char *question,
                                 const struct index_filter *f, size_t k,
                                 struct arena *a, struct candidate **found,
                                 size_t *count, float **cosine,
                                 struct errctx *ec);

#endif
