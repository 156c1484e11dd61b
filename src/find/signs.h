/*
 * What of a question is written in signs ("&&", "-e", "2>&1") stands in no
 * index. Of what the question's other words find, further down than else, those
 * passages count that hold it as it is written; where few do, the index is
 * looked through. Called by ask.c.
 */
#ifndef CITED_FIND_SIGNS_H
#define CITED_FIND_SIGNS_H

#include "index/page.h"
#include "question/query.h"
#include "question/sign.h"

enum { SIGNS_MAX = 6 };

struct signs {
    struct str v[SIGNS_MAX];
    size_t count;
};

/*
 * Signs that none of n candidates holds leave s, the others become terms of q.
 * Those that hold some stand higher, as if it were one of the terms. ERR_NOMEM.
 */
MUST_CHECK enum err signs_meet(struct signs *s, struct query *q,
                               struct candidate *v, size_t n);

/* How many signs a candidate holds. */
size_t signs_held(const struct signs *s, const struct candidate *c);

#endif
