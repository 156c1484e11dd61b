/*
 * Numbers, units and months as the checks of verify.c and support.c compare
 * them: in one spelling each. Pure.
 */
#ifndef CITED_VERIFY_VERIFY_NUMBER_H
#define CITED_VERIFY_VERIFY_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
