/*
 * The arithmetic of the encoder, once for each kind of processor: products of
 * whole numbers, and what a transformer does between them. Chosen once, by
 * what this processor can. The kernels give the same sums of whole numbers;
 * what they do in floating point differs in the last bits only.
 *
 * Rows are tokens. Their count is a multiple of KERNEL_ROWS wherever a kernel
 * is called: the last ones may be of nothing. Widths are multiples of
 * KERNEL_STEP.
 */
#ifndef CITED_MEANING_KERNEL_H
#define CITED_MEANING_KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum {
    KERNEL_ROWS = 8,
    KERNEL_STEP = 16,
    KERNEL_ALIGN = 64,
    KERNEL_PAIR_MOST = 128
};

/*
 * A matrix of weights, in the mapped file: out rows of in numbers, each row a
 * whole number times its scale. cells holds panels of KERNEL_STEP rows; in a
 * panel four columns of each row lie together:
 * cells[(row / 16 * in / 4 + column / 4) * 64 + row % 16 * 4 + column % 4].
 * Two that lie together, of columns 2 i and 2 i + 1, are KERNEL_PAIR_MOST
 * together at most, and no less than its negative: their products with bytes,
 * added, fit 16 bits.
 */
struct matrix {
    size_t in, out;
    const float *scale, *bias; /* of each row */
    const int32_t *sum;        /* of each row's cells */
    const int8_t *cells;
};

/* A token's numbers in a byte each: x = scale * (byte - zero). */
struct bytes_row {
    float scale;
    int32_t zero;
};

/* Queries, keys and values of all tokens, side by side. */
struct attention {
    const float *qkv; /* rows of 3 * width */
    size_t tokens, rows, width, heads;
    float *keys;   /* room for rows * width / heads, rounded up below */
    float *scores; /* room for KERNEL_ROWS * rows, likewise */
};

struct kernel {
    const char *name;
    /* Bytes of count rows of width numbers. */
    void (*shorten)(const float *x, size_t rows, size_t width, uint8_t *out,
                    struct bytes_row *row);
    /* out = x times m, plus its bias; out has rows of m->out. */
    void (*multiply)(const struct matrix *m, const uint8_t *x,
                     const struct bytes_row *row, size_t rows, float *out);
    /* What each token takes from the others, into rows of width. */
    void (*attend)(const struct attention *t, float *out);
    /* x = normalised (x + more), times gain plus bias; more may be NULL. */
    void (*normalise)(float *x, const float *more, size_t rows, size_t width,
                      const float *gain, const float *bias);
    void (*gelu)(float *x, size_t count);
    /* sum += row times scale, width numbers. */
    void (*add)(const int8_t *row, float scale, size_t width, float *sum);
    /* The product of two rows of width numbers. */
    float (*inner)(const float *a, const float *b, size_t width);
    /* … of bytes with signs. */
    int32_t (*dot)(const int8_t *a, const int8_t *b, size_t width);
    /* Bits in which each of count rows of words differs from the first. */
    void (*differ)(const uint64_t *query, const uint64_t *rows, size_t words,
                   size_t count, uint16_t *out);
};

/* The kernels of this program that this processor can run, the best first;
 * *count of them, at least one. */
const struct kernel *const *kernels(size_t *count);

/* NULL where the program was not built for them. */
extern const struct kernel *const kernel_vnni, *const kernel_avx2;
extern const struct kernel kernel_plain;

#endif
