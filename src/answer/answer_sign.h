/*
 * The signs of a sentence that only show beside the others: what its
 * neighbours hold, which words are rare among the passages found, which of
 * the question's word pairs it repeats. Private to answer_score.c.
 */
#ifndef CITED_ANSWER_ANSWER_SIGN_H
#define CITED_ANSWER_ANSWER_SIGN_H

#include "answer/answer_score.h"

/* Is sentence k there, and in the passage of sentence i? */
bool signs_is_with(const struct pool *pool, size_t i, size_t k);

/* Set SIGN_LOCAL, PLAIN, EARLIER, AFTER, PHRASE, PLACE, NAMING and DATED of
 * every sentence. Their masks have been read. */
void signs_compare(struct pool *pool);

#endif
