/*
 * What independent hosts say, for the writer: agreement counts for a
 * sentence, disagreement is said. Private to the writer.
 */
#ifndef CITED_ANSWER_ANSWER_AGREE_H
#define CITED_ANSWER_ANSWER_AGREE_H

#include "answer/answer_score.h"

/* Add to each sentence's score for the independent hosts that give the same
 * value. */
void agree_weigh(struct pool *pool);

/* The best sentence of an independent host that gives another value than
 * lead, as out's dissent; none: out is not touched. */
MUST_CHECK enum err agree_find(const struct pool *pool,
                               const struct sentence *lead, struct arena *a,
                               struct answer_draft *out);

#endif
