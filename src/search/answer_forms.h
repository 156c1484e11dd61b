/*
 * What an answer's form asks of the choice of sentences: rows of tables
 * counted as statements, both sides of a comparison named, the items behind
 * "the following:" delivered with it. Private to the writer; called by
 * answer_score.c and answer_extract.c.
 */
#ifndef CITED_SEARCH_ANSWER_FORMS_H
#define CITED_SEARCH_ANSWER_FORMS_H

#include "search/answer_score.h"

enum { ITEMS_MAX = 12 };

#define FORMS_REFUSED (-1e9) /* a score that is never chosen */

/* A byte range of a passage: one item behind a sentence that introduces
 * it. */
struct item {
    size_t passage;
    size_t start, len;
    size_t words;
};

/* Add to the scores what the forms are worth. After every other sign. */
void forms_weigh(struct pool *pool);

/* What the sentence introduces (a list's items by their names, steps and
 * commands as they stand), at most ITEMS_MAX; 0: it introduces nothing. */
size_t forms_items(const struct pool *pool, const struct sentence *s,
                   struct item *out);

/* Does the sentence end by introducing what follows it? */
bool forms_introduces(const struct pool *pool, const struct sentence *s);

/* s was taken: its items are no sentences of their own any more. Returns how
 * many words they add. */
size_t forms_take_items(struct pool *pool, const struct sentence *s);

/* Which sides of the comparison the sentence speaks of, as bits. */
unsigned forms_sides(const struct pool *pool, const struct sentence *s);

/* The best sentence for a side nobody taken speaks of; NULL: none is left to
 * be said, or none is good enough. */
struct sentence *forms_missing_side(struct pool *pool);

#endif
