/*
 * What is kept of pages that were read whole: the paragraph each opens with
 * and the units that speak most of what is asked, lists and listings to
 * their end. Inside this room only.
 */
#ifndef CITED_RESEARCH_KEEP_H
#define CITED_RESEARCH_KEEP_H

#include "research/run.h"
#include "research/steps.h"

/* Cut the pages, best first, and add evidence rows and units of a
 * sub-question to found, in front what a search for `asked` would begin with,
 * where that is on its subject; NULL: nothing.
 * ERR_NOMEM. */
MUST_CHECK enum err keep_pages(const struct run *r, size_t sub,
                               const struct query *q,
                               const struct query *asked,
                               const struct found_page *pages, size_t count,
                               struct arena *a, struct found *found);

#endif
