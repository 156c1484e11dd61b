/*
 * What the index has on a question by words, and what it has by meaning, as
 * one list. Words alone where no encoder is configured, where there are no
 * vectors yet, and for questions in languages the encoder did not learn.
 */
#ifndef CITED_FIND_MEANING_FIND_H
#define CITED_FIND_MEANING_FIND_H

#include "base/conf.h"
#include "index/page.h"
#include "question/query.h"

struct meaning; /* of one thread at a time */

/* What [meaning] names. *out NULL: nothing is configured, or it cannot be
 * used, which is a warning. ERR_NOMEM. */
MUST_CHECK enum err meaning_new(const struct conf *c, struct meaning **out);
void meaning_free(struct meaning *m); /* NULL is fine */

/* Set q->meaning and q->meant, in q->arena; they stay NULL where words are all
 * there is, and as long as more than a tenth of the passages have no vector;
 * meant also where the processor has no vector instructions. m may be NULL, and
 * outlives q. ERR_NOMEM. */
MUST_CHECK enum err meaning_read(struct meaning *m, struct db *index,
                                 struct query *q);

/*
 * Fuse the *count candidates of *found with the k passages nearest to the
 * question among those f lets through: by reciprocal ranks, best first, those
 * found both ways once. score becomes the fused one, in 0-1, and near is set.
 * q->meaning NULL: nothing happens. ERR_NOMEM, ERR_DB.
 */
MUST_CHECK enum err meaning_fuse(struct meaning *m, struct db *index,
                                 const struct query *q,
                                 const struct index_filter *f, size_t k,
                                 struct arena *a, struct candidate **found,
                                 size_t *count, struct errctx *ec);

/*
 * How near a text of n bytes comes to the question word by word: of each word
 * of the question that carries meaning the nearest one of the text, both as
 * they are used there; their mean, 0-1. A pass of the encoder over the text, at
 * most ENCODER_TOKENS_MAX pieces of it. q->meant is there. ERR_NOMEM.
 */
MUST_CHECK enum err meaning_meet(const struct query *q, const char *text,
                                 size_t n, double *out);

/* Set near of n passages, of what was there at the last meaning_fuse. */
void meaning_measure(const struct meaning *m, const struct query *q,
                     struct candidate *c, size_t n);

#endif
