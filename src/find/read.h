/*
 * Reading the pages that providers found: the best of them in parallel under
 * the request's deadline, by the rules of a crawler (robots.txt, conditional
 * requests, noindex), into the index, so that the service grows with use.
 * What was read takes the place of the provider's own snippet.
 */
#ifndef CITED_FIND_READ_H
#define CITED_FIND_READ_H

#include "find/provider.h"

struct pages_read {
    const struct query *q;
    const struct index_filter *filter;
    size_t max; /* pages, at most READ_PAGES_MAX */
    struct deadline deadline;
    const char *id; /* for log lines */
};

enum { READ_PAGES_MAX = 40 };

/*
 * Read the best candidates of answers that are in no index (page 0), by turns
 * from each answer, and put the passages of each page that tell most about
 * the question where its candidate was. A page that cannot be read in time,
 * or may not be, keeps its snippet; one that is gone (404, 410), or leads
 * outside the filter's domains, is taken out. With read.keep the pages are in
 * the index afterwards. ERR_DB, ERR_NOMEM; a page's own failure is none.
 *
 * The http client must not be used otherwise meanwhile. env->providers holds
 * what is remembered of hosts; without it, or a client, nothing is read.
 */
MUST_CHECK enum err pages_read(const struct search_env *env,
                               const struct pages_read *p,
                               struct provider_answer *answers, size_t count,
                               struct arena *a, struct errctx *ec);

#endif
