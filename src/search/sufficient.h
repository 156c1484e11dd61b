/*
 * When is the evidence sufficient? The best sentence of the best passages may
 * still say nothing of what is asked; then there is no answer. Private to the
 * writer: answer_extract.c asks before it answers.
 */
#ifndef CITED_SEARCH_SUFFICIENT_H
#define CITED_SEARCH_SUFFICIENT_H

#include "search/answer_score.h"

/* Is the sentence evidence enough to answer with? Above 0: yes. */
double sufficient_confidence(const struct pool *pool, const struct sentence *s);

#endif
