/*
 * Text to index terms: the one tokenizer, used by the full-text index and by
 * everything that scores text, so that both always agree.
 *
 * A token is a run of letters and digits (Unicode), case-folded, diacritics
 * of Latin letters removed; Han, Kana and Hangul give overlapping bigrams. An
 * apostrophe inside a word is dropped ("dont"), one behind an elided article
 * or pronoun parts two words ("l'eau").
 * A term is the stem of a token (Porter's stemmer for ASCII words; numbers
 * and words with digits stay as they are).
 */
#ifndef CITED_TEXT_TERMS_H
#define CITED_TEXT_TERMS_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum { TERM_MAX = 64 }; /* bytes of a term; longer tokens are cut */

struct term {
    char text[TERM_MAX + 1]; /* folded and stemmed */
    size_t len;
    size_t start, end; /* byte range of the token in the source */
};

/* Walks a text. Nothing is allocated. */
struct term_iter {
    const char *p;
    size_t n, at;
    bool cjk_pending; /* private */
};

void terms_init(struct term_iter *it, const char *p, size_t n);
bool terms_next(struct term_iter *it, struct term *out);

/* Folded but not stemmed: for names, stop words and exact matches. */
bool tokens_next(struct term_iter *it, struct term *out);

/* Stem a folded ASCII token in place; returns the new length. */
size_t term_stem(char *z, size_t n);

/* Is the folded token an English stop word (articles, pronouns, auxiliary
 * verbs, question words, common prepositions)? */
bool term_is_stop(const char *z, size_t n);

/* The same for a language: "en", "de", "fr", "es", "ru" (a longer tag counts
 * by its first two letters; "" is English); of others nothing is one. Apart
 * because "die", "on" and "son" are words of their own in English. */
bool term_is_stop_in(const char *lang, const char *z, size_t n);

/* The language of a text or a question by its script and stop words: one of
 * the above, "zh", "ja", or "" when it is none of them or cannot be told. */
const char *text_language(const char *p, size_t n);

#endif
