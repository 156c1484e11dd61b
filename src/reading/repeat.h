/* What repeats what: texts by the runs of words they share. Pure. */
#ifndef CITED_READING_REPEAT_H
#define CITED_READING_REPEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
