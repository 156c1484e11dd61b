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
    CLAUSE = 512,      /* a semicolon or the end of a sentence before it */
    DENIED = 1024,     /* a denier between it and the content word before */
    PASSIVE = 2048,    /* the same for a form of "be" */
    BE = 4096,
    LIGHT = 8192,           /* a claim may add it */
    BRACKETED = 16384,      /* within ( ) */
    STRICT = 32768,         /* "before", "above": must be the place's own */
    PARTICIPLE = 65536,     /* looks like one */
    QUOTED = 131072,        /* a quotation mark that opens stands before it */
    FUNCTION = 262144,      /* "all", "only": ends what stands before it */
    UNQUOTED = 524288,      /* a quotation mark that closes */
    PART = 1 << 20,         /* no condition reaches past it: ";", "(", "but" */
    MARK = 1 << 21,         /* begins a clause: "if", "because" */
    CONDITION = 1 << 22,    /* … without which its statement may not stand */
    NARROW = 1 << 23,       /* "only", "usually" */
    SEQUENCE = 1 << 24,     /* "then", "afterwards" */
    ROLE = 1 << 25,         /* says what a thing is: "option" */
    UNIT = 1 << 26,         /* of the number before it */
    DEFINE = 1 << 27,       /* "specifies": between a name and what it is */
    OPENING = 1 << 28,      /* "yes": ahead of a statement */
    NAMED = 1 << 29,        /* a name of code: "max_size" */
    GERUND = 1 << 30        /* "using" */
};

struct support_word {
    char z[TERM_MAX + 1]; /* stem, its group, number or unit */
    unsigned bits;
    const char *preposition; /* a preposition's class, or NULL */
    signed char opposite;    /* of words: a number, and it with a minus */
    bool glued;              /* to the word before it: "read-only" */
    bool ascribes;           /* "according" to a text …  */
    bool speaks;             /* … such as "the manual", up to a comma */
    unsigned char sentence;  /* of the place, from 0 */
    size_t start, end;       /* bytes of the text */
};

struct support_words {
    const char *text;
    struct support_word *w;
    size_t n, max;
};

/* Read p[0..n), numbers as on the continent or not; false
 * when it has more than max words or memory ends. */
bool support_words_read(const char *p, size_t n, bool continental, size_t max,
                        struct arena *a, struct support_words *out);

/* --- a match ----------------------------------------------------------------
 */

enum {
    WORDS_MAX = 512, /* of a place; a longer one supports nothing */
    CLAIM_MAX = 96
};

/* A claim's content words over a place. */
struct match {
    const struct support_words *claim, *place;
    size_t c[CLAIM_MAX]; /* indexes into claim */
    size_t n;
    size_t at[CLAIM_MAX];     /* found: index into place */
    size_t from;              /* those before it stand elsewhere */
    bool has_number;          /* the claim */
    bool no_moves;            /* its order is what it says */
    bool against;             /* denials, numbers and opposites do not count */
    bool in_claim[WORDS_MAX]; /* place's word is one of the claim's */
    bool used[WORDS_MAX];     /* found: place's word is one of at */
};

bool support_is_content(const struct support_word *w);
/* Does one of the words that say something have this form? */
bool support_says(const struct support_words *ws, const char *z);

/* What a match that is found leaves out may change what is said: NULL, or what
 * it is, for people ("its condition"). */
const char *support_veto(const struct match *m);

struct support_text;

/* Does a claim speak against the sentences lo..hi, whatever they mean: another
 * number, date or name, a denial, condition or restriction that only one of
 * them has, the opposite word, an order, extent or cause of its own? NULL, or
 * what it is, for people. What stands above them may give a name. */
const char *support_bars(const struct support_words *claim,
                         const struct support_text *t, size_t lo, size_t hi);

/* --- support ----------------------------------------------------------------
 */

/* A text's sentences as words. */
struct support_text {
    const char *text;
    struct support_words *all;
    struct span *spans;
    bool *label; /* a line of few words that is no sentence */
    size_t n;
    bool continental;
};

/* In the arena; false: no memory. */
bool support_text_read(const char *text, struct arena *a,
                       struct support_text *out);

/* A statement as words, without "Yes," and its like. False: too long, or no
 * memory; without words (it says nothing) it has n 0. */
bool support_claim_read(const char *claim, bool continental, struct arena *a,
                        struct support_words *out);

/*
 * True when one place of sentences lo..hi, a sentence or two in a row, says
 * all the claim says. Every word of the claim that carries meaning must be one
 * of the place's (same stem or group; numbers, dates and units in one
 * spelling), in the place's order; a claim may leave words out, within these
 * rules:
 *
 *   - behind "and", "but", ";" or a comma nothing is left out before the next
 *     word used: no clause loses its subject or its time;
 *   - a number keeps the word before it and the one that follows directly;
 *     in a claim with numbers, those left out in between must be in brackets,
 *     in a date, or in another clause;
 *   - it ends neither before a quotation nor before a word that follows its
 *     last one directly;
 *   - prepositions agree ("by", "before", "from" …), the passive stays, an
 *     owner ("Eiffel's") is not the thing;
 *   - dates may move when the sentence has no other number;
 *   - whole clauses may change places, and active may be passive;
 *   - support_veto says nothing.
 *
 * The subject may stand in the sentence before when this one begins with a
 * pronoun for it, or be the label on the line above. *where becomes the place;
 * *why what is missing, for people. False as well when memory runs out.
 *
 * against: does a place say the same but for a denial, another number or an
 * opposite word? Then it says something else.
 */
bool support_find(const struct support_words *claim,
                  const struct support_text *t, size_t lo, size_t hi,
                  bool against, struct span *where, const char **why,
                  struct arena *a);

/* Does sentence i begin with what points to the one before, or stand below a
 * label? */
bool support_points_back(const struct support_text *t, size_t i);

/* The first thing that the sentences lo..hi do not say, for people. */
const char *support_missing(const struct support_words *claim,
                            const struct support_text *t, size_t lo, size_t hi,
                            struct arena *a);

/* How many of the claim's words the sentences lo..hi have, in 0-1. */
double support_share(const struct support_words *claim,
                     const struct support_text *t, size_t lo, size_t hi);

/* The sentence of lo..hi, or two in a row, that has most of the claim's words;
 * the share of them in 0-1. */
double support_nearest(const struct support_words *claim,
                       const struct support_text *t, size_t lo, size_t hi,
                       struct span *where);

#endif
