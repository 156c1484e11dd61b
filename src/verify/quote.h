/*
 * Finding words in a text whatever its white space and typography: blanks of
 * any kind are one blank, quotation marks, apostrophes and dashes one sign
 * each, soft hyphens nothing. Private to the room; pure.
 */
#ifndef CITED_VERIFY_QUOTE_H
#define CITED_VERIFY_QUOTE_H

#include "base/arena.h"
#include "text/passage.h"

#include <stdbool.h>
#include <stdint.h>

/* A text in its one typography, with where each byte came from. */
struct plain {
    char *z;
    uint32_t *at;
    size_t n;
    const char *source;
    size_t source_n;
};

/* In the arena; a text of 4 GiB and more has none. */
bool plain_read(const char *p, size_t n, struct arena *a, struct plain *out);

/* The next place of what in text from byte *at of text->z on, which goes one
 * behind its beginning; *where is the range of the source. */
bool plain_find(const struct plain *text, const struct plain *what, size_t *at,
                struct span *where);

#endif
