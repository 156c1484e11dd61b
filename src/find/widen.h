/*
 * More passages for an answer's form than the question's words alone find:
 * each side of a comparison, what stands behind "the following:". Inside this
 * room only.
 */
#ifndef CITED_FIND_WIDEN_H
#define CITED_FIND_WIDEN_H

#include "find/rank.h"

struct widen {
    struct db *index; /* NULL: nothing is added */
    const struct query *q;
    const struct index_filter *filter;
    const struct deadline *deadline;
    size_t max; /* passages that are read for an answer */
    struct arena *a;
    struct errctx *ec;
};

/*
 * For a comparison the best passages on each side take the places of the last
 * ones (of max in all). For lists and steps the page's next passages are
 * added behind those that introduce something, beyond max: they are at hand,
 * but no candidates of their own (score 0). Everything else stays as it is.
 * ERR_DB, ERR_TIMEOUT, ERR_NOMEM.
 */
MUST_CHECK enum err widen_passages(const struct widen *w,
                                   struct ranked **passages, size_t *count);

#endif
