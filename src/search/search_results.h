/* A list of results after its best pages were read; inside this room. */
#ifndef CITED_SEARCH_SEARCH_RESULTS_H
#define CITED_SEARCH_SEARCH_RESULTS_H

#include "answer/answer_units.h"

enum { CONTENT_BYTES_MAX = 1200 }; /* of what a result says */

/* Put the ranked pages into the order of how well they were found and what
 * those that were read say to the question; what a priority list names stays
 * in front. ERR_NOMEM. */
MUST_CHECK enum err results_order(const struct asked *read,
                                  struct ranked *ranked, size_t count,
                                  struct arena *a);

/* In place of the passage it was found by, of each page that was read the one
 * that answers best, with those around it that may answer, too, as the page has
 * them, within the bytes above. ERR_NOMEM. */
MUST_CHECK enum err results_excerpt(const struct asked *read,
                                    struct ranked *ranked, size_t count,
                                    struct arena *a);

/* Without those that say what one ahead of them does, at most max. ERR_NOMEM. */
MUST_CHECK enum err results_once(struct ranked *ranked, size_t *count,
                                 size_t max, struct arena *a);

#endif
