/*
 * What of a question is made of signs, as it is written: operators ("&&",
 * "2>&1"), short and long options ("-e", "--all"), variables, types, paths. No
 * tokenizer keeps them, so that a text is looked through for them as they
 * stand. Pure.
 */
#ifndef CITED_QUESTION_SIGN_H
#define CITED_QUESTION_SIGN_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* The first max of a text, each once, as parts of it; returns how many. */
size_t signs_read(const char *text, struct str *out, size_t max);

/* Where a text holds it by itself, not as a part of another sign or name; NULL:
 * nowhere. */
const char *sign_find(struct str sign, const char *p, size_t n);

#endif
