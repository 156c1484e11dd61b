/*
 * Characters as the tokenizer sees them: what separates words, what joins
 * them, and how a letter is spelled after case folding and without Latin
 * diacritics. Compact tables of our own; no Unicode library, no locale.
 */
#ifndef CITED_TEXT_FOLD_H
#define CITED_TEXT_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum char_kind {
    CHAR_BREAK,  /* space, punctuation, symbol: ends a token */
    CHAR_WORD,   /* letter or digit */
    CHAR_CJK,    /* Han, Kana, Hangul, Thai…: written without spaces */
    CHAR_IGNORE, /* combining marks of Latin, soft hyphen, joiners */
    CHAR_QUOTE   /* an apostrophe: may join two letters */
};

/* The kind of any code point. */
enum char_kind char_kind_of(uint32_t cp);

/* The folded spelling of a CHAR_WORD or CHAR_CJK code point in UTF-8 into out
 * (room for 4); its length. Full-width forms become ASCII. */
size_t char_fold(uint32_t cp, char *out);

/* In lower case, diacritics kept. */
uint32_t char_lower(uint32_t cp);

/* Is it a capital letter? */
bool char_is_upper(uint32_t cp);

#endif
