/*
 * Names of options, functions and settings in a question, as it writes them: a
 * page that does not write them so does not speak of them. Pure.
 */
#ifndef CITED_QUESTION_IDENTIFIER_H
#define CITED_QUESTION_IDENTIFIER_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* The first max of a text, as parts of it; returns how many. */
size_t identifiers_read(const char *text, struct str *out, size_t max);

/* Does it stand in a text, by itself or behind a prefix? */
bool identifier_in(struct str name, const char *p, size_t n);

/* Is a heading or a term a name that the text writes, or a compound with
 * hyphens of it? */
bool identifier_heads(const char *text, const char *p, size_t n);

#endif
