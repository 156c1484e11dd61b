/*
 * A sentence as words with what stands around each: the reading half of
 * support.c, and private to it. English word lists, with the deniers of some
 * other languages.
 */
#ifndef CITED_VERIFY_SUPPORT_WORDS_H
#define CITED_VERIFY_SUPPORT_WORDS_H

#include "base/arena.h"
#include "text/terms.h"

#include <stdbool.h>
#include <stddef.h>

/* What a word is, and what stands around it. */
enum support_bit {
    CONTENT = 1,
    NUMBER = 2,
    DATE = 4, /* a month, or a number beside one, or a year */
    CAPITAL = 8,
    OWNER = 16, /* with 's */
    DENIER = 32,
    HEDGE = 64,
    BREAK = 128,       /* a comma, bracket, dash or colon stands before it */
    COORDINATOR = 256, /* "and", "but" */
    CLAUSE = 512,      /* a semicolon stands before it */
    DENIED = 1024,     /* a denier between it and the content word before */
    PASSIVE = 2048,    /* the same for a form of "be" */
    BE = 4096,
    LIGHT = 8192,       /* a claim may add it */
    BRACKETED = 16384,  /* within ( ) */
    PARTICIPLE = 65536, /* looks like one */
    FUNCTION = 262144,  /* "because", "only": ends what stands before it */
    QUOTED = 131072,    /* a quotation mark that opens stands before it */
    UNQUOTED = 524288,  /* one that closes */
    JOINED = 32768      /* follows the token before directly */
};

struct support_word {
    char z[TERM_MAX + 1]; /* stem, number or unit */
    unsigned bits;
    const char *preposition; /* that it hangs on, or NULL */
};

struct support_words {
    struct support_word *w;
    size_t n;
};

/* Read p[0..n), numbers as on the continent or not (verify_number.h); false
 * when it has more than max words or memory ends. */
bool support_words_read(const char *p, size_t n, bool continental, size_t max,
                        struct arena *a, struct support_words *out);

#endif
