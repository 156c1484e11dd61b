/*
 * Units as whole thoughts: with what their first words lean on, what their
 * last ones announce, and what a page says of a listing that only repeats the
 * question. Pure.
 */
#ifndef CITED_ANSWER_UNIT_WHOLE_H
#define CITED_ANSWER_UNIT_WHOLE_H

#include "answer/units.h"

/* Let x, of u's, go on over what stands around it in its section, as far as its
 * thought does and each of these is short; what it announces and is too long
 * to be said is not announced. far: of a list of which it says less than that,
 * the head of each item may be said, of an entry all from its term on, and of a
 * section below a question all from its beginning. more: words that may be said
 * so, 80 at most, or behind a message that was asked about and quoted, 70 at
 * most and of its section: its cause and remedy. ERR_NOMEM. */
MUST_CHECK enum err unit_make_whole(const struct query *q,
                                    const struct units *u, struct unit *x,
                                    bool far, size_t more, struct arena *a);

#endif
