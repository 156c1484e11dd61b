/*
 * A product that a question names tells where to look: "PostgreSQL" is the name
 * of postgresql.org, and a page there answers without saying it. So it is a
 * condition, met by the host or by what a page calls itself, and no word to
 * look for. Called by ask.c.
 */
#ifndef CITED_FIND_NAMED_H
#define CITED_FIND_NAMED_H

#include "index/page.h"
#include "question/query.h"

enum { NAMED_HOSTS_MAX = 16 };

struct named {
    uint64_t terms; /* bit i: terms[i] names one of the hosts; 0: none does */
    struct domain_rules hosts;
};

/*
 * Which terms of q name hosts of n candidates, and which hosts: a label of the
 * host is the term or, of 3 letters or more, its beginning ("postgres" for
 * "postgresql"), and half of the hosts or more are called otherwise. None in a
 * comparison, and none where nothing else would be left to look for. ERR_NOMEM.
 */
MUST_CHECK enum err named_read(const struct query *q, const struct candidate *v,
                               size_t n, struct arena *a, struct named *out);

/* Is c of one of the hosts, or do its title or heading hold the name? */
bool named_is_met(const struct named *x, const struct query *q,
                  const struct candidate *c);

#endif
