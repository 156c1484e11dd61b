/*
 * Does a sentence say what another has said? By the
 * words they share; numbers count apart. Pure.
 */
#ifndef CITED_READING_SAME_H
#define CITED_READING_SAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SAME_WORDS_MAX = 96, SAME_NUMBERS_MAX = 24 };

/* What is compared of a sentence: hashes of its distinct content words and
 * of its numbers. */
struct same_print {
    uint32_t words[SAME_WORDS_MAX];
    size_t word_count;
    uint32_t numbers[SAME_NUMBERS_MAX];
    size_t number_count;
};

void same_read(struct same_print *out, const char *p, size_t n);

/* Does b say nothing that a does not: most of the shorter one's words in the
 * other, and no number of b missing in a? */
bool same_repeats(const struct same_print *a, const struct same_print *b);

#endif
