/*
 * What the index has on a question by words, and what it has by meaning, as
 * one list. Words alone where no encoder is configured, and where there are no
 * vectors yet.
 */
#ifndef CITED_FIND_MEANING_FIND_H
#define CITED_FIND_MEANING_FIND_H

#include "base/conf.h"
#include "index/page.h"

struct meaning; /* of one thread at a time */

/* What [meaning] names. *out NULL: nothing is configured, or it cannot be
 * used, which is a warning. ERR_NOMEM. */
MUST_CHECK enum err meaning_new(const struct conf *c, struct meaning **out);
void meaning_free(struct meaning *m); /* NULL is fine */

/*
 * Fuse the *count candidates of *found, best first, with the k passages
 * nearest to the question among those f lets through: by reciprocal ranks,
 * best first, those found both ways once. score becomes the fused one, in 0-1;
 * (*cosine)[i], in a, is how near passage i is to the question, 0 for those
 * that have no vector. m NULL, or no vectors: *found stays as it is and
 * *cosine is NULL. ERR_NOMEM, ERR_DB.
 */
MUST_CHECK enum err meaning_fuse(struct meaning *m, struct db *index,
                                 const char *question,
                                 const struct index_filter *f, size_t k,
                                 struct arena *a, struct candidate **found,
                                 size_t *count, float **cosine,
                                 struct errctx *ec);

#endif
