/* Raised and lowered text (<sup>, <sub>) as plain text. Private to text/. */
#ifndef CITED_TEXT_RAISED_H
#define CITED_TEXT_RAISED_H

#include <stdbool.h>
#include <stddef.h>

enum {
    RAISED_TEXT_MAX = 24, /* bytes; longer texts are no exponent or index */
    RAISED_MAX = RAISED_TEXT_MAX + 4
};

/*
 * What stands for p[0..n), raised or lowered behind before[0..m), so that it
 * is not read as part of what it stands behind: "^64" behind "2", "^(n+1)",
 * "_i" behind "x". Its length in out, which is terminated; 0 where the text
 * is best written as it is: an ordinal's end ("1st"), a mark ("TM"), a
 * footnote's number behind a word, a formula's number ("H2O"), nothing to
 * stand behind.
 */
size_t raised_format(bool lowered, const char *before, size_t m, const char *p,
                     size_t n, char out[RAISED_MAX]);

#endif
