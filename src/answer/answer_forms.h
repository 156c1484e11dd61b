/*
 * What an answer's form asks of the choice of sentences: rows of tables
 * counted as statements, both sides of a comparison named, the items behind
 * "the following:" delivered with it. Private to the writer; called by
 * answer_score.c and answer_extract.c.
 */
#ifndef CITED_ANSWER_ANSWER_FORMS_H
#define CITED_ANSWER_ANSWER_FORMS_H

#include "answer/answer_score.h"

#define FORMS_REFUSED (-1e9) /* a score that is never chosen */

enum { FORMS_COMPLETE = 100000 };

/* Add to the scores what the forms are worth. After every other sign. */
void forms_weigh(struct pool *pool);

/* s was taken: its items are no sentences of their own any more. Returns how
 * many words they add. */
size_t forms_take_items(struct pool *pool, const struct sentence *s);

/* The same for the answer's first sentence: the rest of its entry goes with
 * it; with a list's items it is complete, and FORMS_COMPLETE words long. */
size_t forms_take_lead(struct pool *pool, const struct sentence *lead);

/* The best sentence for a side nobody taken speaks of; NULL: none is left to
 * be said, or none is good enough. */
struct sentence *forms_missing_side(struct pool *pool);

#endif
