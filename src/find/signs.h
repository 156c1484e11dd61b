/*
 * What of a question is written in signs ("&&", "-e", "2>&1") stands in no
 * index. Of what the question's other words find, further down than else, those
 * passages count that hold it as it is written. Called by ask.c.
 */
#ifndef CITED_FIND_SIGNS_H
#define CITED_FIND_SIGNS_H

#include "index/page.h"
#include "question/query.h"
#include "question/sign.h"

enum { SIGNS_MAX = 6, SIGNS_LOOKED = 1000 /* passages */ };

struct signs {
    struct str v[SIGNS_MAX];
    size_t count;
};

/*
 * Leave of n candidates, which the question's terms found, those that hold a
 * sign; these stand as high as if it were one of the terms. Signs that none
 * holds leave s, the others become terms of q. ERR_NOMEM.
 */
MUST_CHECK enum err signs_meet(struct signs *s, struct query *q,
                               struct candidate *v, size_t n, size_t *kept);

/* A candidate found otherwise, to stand beside them. */
void signs_raise(const struct signs *s, struct candidate *c);

#endif
