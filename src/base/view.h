/*
 * Looking at pieces of a text without copying: what the planner needs beyond
 * base/str. ASCII case never matters; needles are in lower case. Pure.
 */
#ifndef CITED_BASE_VIEW_H
#define CITED_BASE_VIEW_H

#include "base/str.h"

/* n bytes at p, or the rest of s from byte at, without blanks around. */
struct str view_of(const char *p, size_t n);
struct str view_from(struct str s, size_t at);

/* Without marks (? ! . , ; :) and blanks at its end. */
struct str view_trim_marks(struct str s);

/* Length of word at the start of s when it stands there whole, else 0. */
size_t view_starts(struct str s, const char *word);
/* The same for the first that fits; words ends with NULL. */
size_t view_starts_any(struct str s, const char *const *words);
bool view_is_one_of(struct str s, const char *const *words);

/* Offset of needle in s, from the front or the back; s.n: not there. */
size_t view_find(struct str s, const char *needle);
size_t view_find_last(struct str s, const char *needle);

size_t view_words(struct str s); /* between blanks */

#endif
