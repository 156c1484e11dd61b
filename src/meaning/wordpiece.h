/*
 * Text to the numbers of a model's words, as BERT's uncased tokenizer does it:
 * small letters without Latin accents, control characters left out, every
 * punctuation mark and every Han character a word of its own, and each word
 * cut into the longest pieces the vocabulary has, from its front.
 * Called by encoder.c.
 */
#ifndef CITED_MEANING_WORDPIECE_H
#define CITED_MEANING_WORDPIECE_H

#include "meaning/model_file.h"

/* The numbers of the n bytes at p into out, between those that begin and end
 * every text; at most max (2 or more), what follows is left out. Into at, of as
 * many, unless it is NULL: the byte at which the word of each begins. */
size_t wordpiece(const struct model_file *m, const char *p, size_t n,
                 uint32_t *out, size_t *at, size_t max);

#endif
