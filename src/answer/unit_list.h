/*
 * What a unit says of its parts: all, a range of one, or, of a list whose texts
 * are too long, the head of each item (its term, or its first sentence). Called
 * by units.c and by who says units.
 */
#ifndef CITED_ANSWER_UNIT_LIST_H
#define CITED_ANSWER_UNIT_LIST_H

#include "answer/units.h"

/* About how many words so many tokens are. */
size_t unit_words(size_t tokens);

/* A list that begins in x and goes on behind its end is said up to its own
 * end, or as far as UNIT_WORDS_LIST words go; v[0..n) are the page's parts.
 * ERR_NOMEM. */
MUST_CHECK enum err unit_list_read(struct part *v, size_t n, struct unit *x,
                                   struct arena *a);

/* The last part that a unit says something of. */
size_t unit_end(const struct unit *x);

/* What it says of part i, as a range of its passage; false: nothing. */
bool unit_says(const struct units *u, const struct unit *x, size_t i,
               size_t *start, size_t *len);

/* Let the items be said with what they are, the first sentence behind each
 * term, if that is at most max words and the list not longer than any other.
 * ERR_NOMEM. */
MUST_CHECK enum err unit_list_explain(struct part *v, struct unit *x,
                                      size_t max, struct arena *a);

#endif
