/*
 * Does what was chosen bear on the request at all? An index that holds nothing
 * of what is asked about always has something that shares words with it.
 * Inside this room only.
 */
#ifndef CITED_RESEARCH_BEARING_H
#define CITED_RESEARCH_BEARING_H

#include "research/choices.h"

enum bearing {
    BEARS_NOT,     /* of another thing: no report is better */
    BEARS_PERHAPS, /* to be said so */
    BEARS
};

/* Of what is chosen in all; BEARS in languages without vectors and where
 * providers are asked, of which this was not learned. ERR_NOMEM. */
MUST_CHECK enum err bearing_read(const struct choices *x, enum bearing *out);

#endif
