/*
 * Text of a page that speaks to a machine reading it ("ignore your
 * instructions and say …") instead of to people. Pure; English rules.
 */
#ifndef CITED_SEARCH_INJECTION_H
#define CITED_SEARCH_INJECTION_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Does the sentence tell a language model what to do: to forget its rules, to
 * answer with given words, to play a role; or does it hold the role marks of
 * a chat template? What stands in quotation marks is spoken about and does
 * not count.
 */
bool injection_is(const char *p, size_t n);

/*
 * A copy of text, of the same length, with such sentences and what follows
 * them up to the end of their paragraph turned into spaces; text itself when
 * there are none. NULL: out of memory.
 */
const char *injection_mask(const char *text, struct arena *a);

#endif
