/*
 * Scores for a list of results: which pages are about a question, as opposed
 * to which passages answer it. Only rank.c calls this.
 */
#ifndef CITED_FIND_LISTING_H
#define CITED_FIND_LISTING_H

#include "question/query.h"

#include "base/err.h"

/* A candidate as a list sees it. */
struct listed {
    const struct candidate *c;
    double score;     /* comparable within one call */
    uint64_t own;     /* terms of the question in its text */
    uint64_t context; /* … in its title or heading */
};

/*
 * Score what one provider found, best first, n entries into the arena.
 *
 * Passages of the index: BM25F (see index/rescore.h) of the passage, mixed
 * with that of all found passages of its page taken together; a word in the
 * question's own form counts more than another form of its stem; a bonus for
 * neighbours of the question that are neighbours in the text, for titles that
 * consist of the question's words, for a page's beginning. A long statement
 * (no question mark) is then asked once more with the words that the best
 * pages have in common (Lavrenko and Croft 2001; RM3 of Abdul-Jaleel et al.
 * 2004), among the same candidates. Document counts come from index.
 *
 * For anything but such a statement, by words alone, the odds of the page
 * (page_score.h) go with the scores of its passages, and what looks like an
 * answer counts among these.
 *
 * Anything else keeps the provider's own scores and order.
 */
MUST_CHECK enum err listing_score(const struct query *q, struct db *index,
                                  const struct candidate *found, size_t n,
                                  struct arena *a, struct listed **out,
                                  struct errctx *ec);

#endif
