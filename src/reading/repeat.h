/*
 * What repeats what: sentences by the words they share, texts by the runs of
 * words. Pure.
 */
#ifndef CITED_READING_REPEAT_H
#define CITED_READING_REPEAT_H

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

enum { SHINGLES_MAX = 64 };

/* Hashes of the runs of four words of a text: the smallest ones, sorted and
 * distinct (the bottom sketch of Broder 1997). */
struct shingles {
    uint32_t hash[SHINGLES_MAX];
    size_t count;
};

void shingles_read(struct shingles *out, const char *text);

/* What they share, of the smaller set: 0-1; 0 of an empty one. */
double shingles_share(const struct shingles *a, const struct shingles *b);

/* Do they share four fifths of the smaller set? Empty ones: no. */
bool shingles_same(const struct shingles *a, const struct shingles *b);

#endif
