/*
 * Pages that other pages name: by their titles, which stand as they are in
 * the text of a page of the same host. What a page on the subject names and
 * does not explain is explained there.
 */
#ifndef CITED_RESEARCH_NAMES_H
#define CITED_RESEARCH_NAMES_H

#include "find/pages.h"

enum { NAMED_MAX = 16 };

struct names_ask {
    struct db *index;
    const struct found_page *read; /* opened, best first */
    size_t read_count;
    const struct found_page *found; /* of the same query, best first: what is
                                       found too counts for more */
    size_t found_count;
    size_t max;      /* at most NAMED_MAX */
    struct arena *a; /* addresses, too */
};

/* A title without number in front and what stands behind a dash, a bar or a
 * bracket. */
struct str names_title(const char *title);

/* Addresses of the pages named, the most named first; none of those read.
 * ERR_NOMEM, ERR_DB. */
MUST_CHECK enum err names_find(const struct names_ask *x, const char **urls,
                               size_t *count, struct errctx *ec);

#endif
