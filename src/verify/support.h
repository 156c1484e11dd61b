/*
 * What verify.c stands on; private to the room, and pure: numbers, units and
 * months in one spelling each; a sentence as words with what stands around
 * each; is a claim borne out by one place of a passage? The strict half of
 * verification, for sentences that do not stand in the passage word for word.
 */
#ifndef CITED_VERIFY_SUPPORT_H
#define CITED_VERIFY_SUPPORT_H

#include "base/arena.h"
#include "text/passage.h"
#include "text/terms.h"

#include <stdbool.h>
#include <stddef.h>

/* --- numbers ----------------------------------------------------------------
 */

enum { VERIFY_NUMBER_MAX = 48 };

/* A number as digits with a decimal point, separators of thousands and
 * trailing zeros behind the point removed. */
struct verify_number {
    char z[VERIFY_NUMBER_MAX + 1];
    size_t start, end; /* in the text */
};

/* Does a text write numbers as the continent does: "1.141,5", "18 000"? By its
 * language; a text too short to tell is taken as `other` is. */
bool verify_is_continental(const char *p, size_t n, bool other);

/* The next number at or after *at that is not the inside of a word, in ASCII
 * or full-width digits; *at moves behind it. */
bool verify_number_next(const char *p, size_t n, bool continental, size_t *at,
                        struct verify_number *out);

/* A unit's one spelling, or NULL when the folded word is no unit. */
const char *verify_unit_of(const char *z);

/* The unit behind a number that ends at `at`: a word, or the percent sign;
 * NULL if none. */
const char *verify_unit_after(const char *p, size_t n, size_t at);

/* 1-12 for a folded month, whole or its first three letters, in any language
 * known here; else 0. */
int verify_month_of(const char *z);

/* --- words ------------------------------------------------------------------
 */

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

/* Read p[0..n), numbers as on the continent or not; false
 * when it has more than max words or memory ends. */
bool support_words_read(const char *p, size_t n, bool continental, size_t max,
                        struct arena *a, struct support_words *out);

/* --- support ----------------------------------------------------------------
 */

/*
 * True when some sentence of the passage says all the claim says. Every word
 * of the claim that carries meaning must be one of the sentence's (same stem;
 * numbers and units in one spelling), in the sentence's order; a claim may
 * leave words out, within these rules:
 *
 *   - a word is denied in the claim when it is in the sentence, and no denied
 *     word is left out of the clauses used; hedges ("may", "if", "allegedly")
 *     stay;
 *   - behind "and", "but", ";" or a comma nothing is left out before the next
 *     word used: no clause loses its subject or its time;
 *   - a number keeps the word before it and the one that follows directly;
 *     in a claim with numbers, those left out in between must be in brackets,
 *     in a date, or in another clause;
 *   - it ends neither before a quotation nor before a word that follows its
 *     last one directly;
 *   - prepositions agree ("by", "before", "from" …), the passive stays, an
 *     owner ("Eiffel's") is not the thing;
 *   - dates may move when the sentence has no other number.
 *
 * The subject may stand in the sentence before when this one begins with a
 * pronoun for it. *where
 * becomes the sentence. Nothing is guessed: a true paraphrase that turns a
 * sentence round is not recognised. False as well when memory runs out.
 */
bool support_find(const char *claim, const char *passage, struct span *where,
                  struct arena *a);

#endif
