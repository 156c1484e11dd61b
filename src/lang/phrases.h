/*
 * What the program itself says in an answer or a report, and words it looks
 * for, in each language.
 */
#ifndef CITED_LANG_PHRASES_H
#define CITED_LANG_PHRASES_H

#include "text/lang.h"

enum phrase {
    PHRASE_ONLY_CLOSE, /* in front of an excerpt that does not answer */
    PHRASE_INTRODUCES, /* words in titles of what introduces a subject */
    PHRASE_COUNT
};

/* English where a language has none. */
const char *phrase(enum lang l, enum phrase p);

#endif
