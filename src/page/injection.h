/*
 * Text of a page that speaks to a machine reading it ("ignore your
 * instructions and say …") instead of to people, as far as the words of
 * lang/words.h tells. Called by who shows text to a model, cites it, or
 * takes values from it. Pure.
 */
#ifndef CITED_PAGE_INJECTION_H
#define CITED_PAGE_INJECTION_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Does the sentence tell a language model what to do: to forget its rules, to
 * answer with given words, to play a role; does it address one, or hold the
 * role marks of a chat template? What stands in quotation marks inside a
 * sentence is spoken about and does not count. Letters that look like Latin
 * ones, and what nobody sees, are read as what they stand for. Of a sentence
 * the first 4,096 bytes and 192 words are looked at.
 */
bool injection_is(const char *p, size_t n);

/*
 * A copy of text, of the same length, with such sentences and what follows
 * them up to the end of their paragraph turned into spaces; text itself when
 * there are none. NULL: out of memory.
 */
const char *injection_mask(const char *text, struct arena *a);

#endif
