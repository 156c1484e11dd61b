/*
 * Words of a question that no page of the index holds, misspelled: "brnach",
 * "diffrence"; versions that pages say with a ".0" more or less, and numbers in
 * the plural. Called by ask.c, on a question that overlap_weigh weighed.
 */
#ifndef CITED_FIND_SPELLING_H
#define CITED_FIND_SPELLING_H

#include "question/query.h"

/*
 * Put in the place of each such word the one that one slip away from it and
 * that stands in its pages; *mended: there was one, q->text has them, and q is
 * read anew and not weighed. Names, identifiers, other numbers, what is quoted
 * and words of other scripts stay. d: nothing is mended behind it. ERR_DB,
 * ERR_NOMEM.
 */
MUST_CHECK enum err spelling_mend(struct db *index, struct query *q,
                                  const struct deadline *d, bool *mended,
                                  struct errctx *ec);

#endif
