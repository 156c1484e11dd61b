/*
 * The pages behind ranked passages, best first, and all that they say: a
 * reader finds the page, reads it, and finds the place in it.
 */
#ifndef CITED_FIND_PAGES_H
#define CITED_FIND_PAGES_H

#include "find/rank.h"
#include "question/query.h"

enum {
    PAGES_READ = 8,           /* the best ones … */
    PAGES_LISTED = 12,        /* … for a list of results, … */
    PAGES_WHOLE = 4,          /* … of which so many are read whole */
    PAGE_PASSAGES = 60,       /* … around their best passages, */
    PAGE_PASSAGES_MAX = 300,  /* … of a report or of values */
    PAGES_BYTES_MAX = 1 << 20 /* of all that is read for a question */
};

/* What of a page was found, and what stands on it. */
struct found_page {
    const struct candidate *c; /* its best passage (of a definition: the one
                                  that gives it): url, title, host, page */
    double score;              /* pages are in its order */
    double topic;              /* how well its title names what a definition
                                  is asked of, */
    double defines;            /* … and the best of its passages says it */
    double best, three;        /* its best passage's, its three best
                                  passages' share of the best page's */
    size_t hits;               /* how many of its passages were found */
    uint64_t title, host;      /* terms of the question in those */
    uint64_t all;              /* … and in any of its passages found */
    const struct candidate *passages; /* in reading order */
    size_t count;
};

/*
 * Group candidates by page, the best max pages first. Nothing is read: every
 * page's passages are those that were found, in reading order. opened: how many
 * passages pages_open is to read of each that it reads, 0: of none; what another
 * page says farther off makes none its copy. ERR_NOMEM.
 */
MUST_CHECK enum err pages_rank(const struct query *q,
                               const struct ranked *found, size_t count,
                               size_t max, size_t opened, struct arena *a,
                               struct found_page **out, size_t *out_count);

/* How many of the count best ones are read whole: what is found of the others
 * says enough of them, unless the encoder is to find the place. */
static inline size_t pages_whole(const struct query *q, size_t count)
{
    return q->meant_by == MEANT_BY_ENCODER || count < PAGES_WHOLE ? count
                                                                  : PAGES_WHOLE;
}

/* Read those that are in the index whole, of each so many passages around the
 * best one, within the bytes above; those that are not keep what was found.
 * index may be NULL; m, too, where q->meaning is. ERR_NOMEM, ERR_DB. */
MUST_CHECK enum err pages_open(struct db *index, const struct meaning *m,
                               const struct query *q, struct found_page *pages,
                               size_t count, size_t passages, struct arena *a,
                               struct errctx *ec);

#endif
