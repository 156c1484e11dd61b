/* Character references ("&amp;", "&#x20;") to UTF-8. Private to text/. */
#ifndef CITED_TEXT_CHAR_REF_H
#define CITED_TEXT_CHAR_REF_H

#include <stdbool.h>
#include <stddef.h>

/* p[0..n) with its references decoded, in place: its new length, never more.
 * In the value of an attribute some stay as they are. */
size_t char_refs_decode(char *p, size_t n, bool in_attribute);

#endif
