/* The last look at what leaves a search, and its images; inside this room. */
#ifndef CITED_SEARCH_SEARCH_PAGES_H
#define CITED_SEARCH_SEARCH_PAGES_H

#include "find/rank.h"
#include "search/search.h"

enum { IMAGES_MAX = 30 };

/* Every source within the filter, every snippet verbatim in a ranked passage
 * of its page, or in those that stand together in a list (ranked NULL: not
 * checked here). ERR_INTERNAL otherwise: a
 * wrong citation must not be sent. */
MUST_CHECK enum err sources_check(const struct search_result *res,
                                  const struct index_filter *f,
                                  const struct ranked *ranked, size_t count,
                                  struct arena *a, struct errctx *ec);

/* Images of the pages behind res, in their order, then those the providers
 * sent with them; each URL once and within the filter, at most IMAGES_MAX.
 * index may be NULL. */
MUST_CHECK enum err images_collect(struct db *index,
                                   const struct provider_answer *answers,
                                   size_t count, struct search_result *res,
                                   const struct index_filter *f,
                                   struct arena *a, struct errctx *ec);

#endif
