/*
 * What the index has on a question by words, and what it has by meaning, as
 * one list. The meaning is that of an encoder where one is configured and most
 * passages have its vectors, else that of the vectors of words that are built
 * in. Words alone for questions in languages that these did not learn.
 */
#ifndef CITED_FIND_MEANING_FIND_H
#define CITED_FIND_MEANING_FIND_H

#include "base/conf.h"
#include "index/page.h"
#include "question/query.h"

struct meaning; /* of one thread at a time */

/* With the encoder that [meaning] names; that it cannot be used is a warning.
 * ERR_NOMEM: *out is NULL. */
MUST_CHECK enum err meaning_new(const struct conf *c, struct meaning **out);
void meaning_free(struct meaning *m); /* NULL is fine */

/* Set q->meant_by, meaning and meant, in q->arena. An encoder has to wait until
 * nine tenths of the passages have its vectors, and without vector instructions
 * of the processor meant stays NULL. Vectors of words are made where
 * fewer have them, of up to 20,000 passages for a quarter of a second. m may be
 * NULL, and outlives q. ERR_NOMEM. */
MUST_CHECK enum err meaning_read(struct meaning *m, struct db *index,
                                 struct query *q);

/* The same with the encoder or not at all: for reports, whose many passages on
 * a subject the vectors of words do not tell apart. */
MUST_CHECK enum err meaning_read_closely(struct meaning *m, struct db *index,
                                         struct query *q);

/*
 * Fuse the *count candidates of *found with the k passages nearest to the
 * question among those f lets through, best first, those found both ways once:
 * with the encoder by reciprocal ranks, with the vectors of words by the mean
 * of both scores. score becomes the fused one, in 0-1, and near is set.
 * q->meaning NULL: nothing happens. ERR_NOMEM, ERR_DB.
 */
MUST_CHECK enum err meaning_fuse(struct meaning *m, struct db *index,
                                 const struct query *q,
                                 const struct index_filter *f, size_t k,
                                 struct arena *a, struct candidate **found,
                                 size_t *count, struct errctx *ec);

/* How near a text is to a question, each 0-1. */
struct met {
    double words; /* of each word of the question that carries meaning the
                     nearest one of the text, both as they are used there; their
                     mean */
    double whole; /* its vector to the question's */
};

/* Read n bytes of text by what read the question, at most ENCODER_TOKENS_MAX
 * pieces of it; q->meant is there. ERR_NOMEM. */
MUST_CHECK enum err meaning_meet(const struct query *q, const char *text,
                                 size_t n, struct met *out);

/* The same by vectors of words of a text that is said in parts, each at most
 * ENCODER_TOKENS_MAX pieces of which are read: what nothing says, in a (NULL:
 * no memory); it says n bytes of text, too; it says what another does, too; how
 * near that is. */
float *meaning_said(const struct query *q, struct arena *a);
void meaning_say(const struct query *q, const char *text, size_t n,
                 float *said);
void meaning_say_too(const struct query *q, const float *other, float *said);
struct met meaning_met(const struct query *q, const float *said);

/* Set near of n passages, of what was there at the last meaning_fuse. */
void meaning_measure(const struct meaning *m, const struct query *q,
                     struct candidate *c, size_t n);

#endif
