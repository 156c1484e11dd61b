/*
 * Other words for a question's terms: those that mean nearly the same
 * (lang/words.h, word_near), of other languages what they are in English, the
 * two words of a compound, and a word of another language as English has it.
 * What they are worth is told by how near they are and by the index, where one
 * that stands everywhere tells little. Called by overlap.c.
 */
#ifndef CITED_QUESTION_OTHERS_H
#define CITED_QUESTION_OTHERS_H

#include "question/query.h"

struct errctx;

/* Is it as good as the term itself: worth three tenths of it? */
static inline bool other_is_kin(const struct query_other *o)
{
    return o->worth >= 0.3;
}

/* Set q->others anew, with q->rarity known. */
MUST_CHECK enum err others_read(struct query *q, struct db *index,
                                struct errctx *ec);

#endif
