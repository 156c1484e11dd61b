/*
 * Private to vectors: the file. A head, then blocks of VECTORS_ROWS vectors:
 * their ids, their scales, their signs, their bytes, each together. Head and
 * blocks begin at multiples of VECTORS_PAGE. head.count is written last, so
 * that what it counts is complete.
 */
#ifndef CITED_MEANING_VECTORS_FILE_H
#define CITED_MEANING_VECTORS_FILE_H

#include "meaning/encoder.h"
#include "meaning/vectors.h"

enum { VECTORS_VERSION = 1, VECTORS_PAGE = 4096, VECTORS_ROWS = 1024 };

struct vectors_head {
    char magic[8];
    uint32_t version, width;
    uint64_t name, count;
};

/* Offsets of the parts of a block, and its size. */
struct vectors_block {
    size_t scales, signs, bytes, size;
};

struct vectors_block vectors_block_of(size_t width);

/* 64-bit words of a vector's signs. */
size_t vectors_words(size_t width);

/* The numbers in a byte each, at most 127 to both sides; x = byte * the scale
 * that is returned. */
float vectors_shorten(const float *x, size_t width, int8_t *out);

/* A bit for each that is above zero. */
void vectors_signs(const float *x, size_t width, uint64_t *out);

/* Is it a file of ours, of this model, as long as it says? size is the file's.
 */
bool vectors_head_is_good(const struct vectors_head *h, uint64_t name,
                          size_t width, uint64_t size);

void vectors_head_make(struct vectors_head *h, uint64_t name, size_t width);

#endif
