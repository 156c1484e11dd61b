/* x86-64 with AVX-512 and VNNI; see kernel.h. */
#if defined(__AVX512VNNI__)
#define FLOATS 16
#include "meaning/kernel_float.h"

#include <immintrin.h>

enum { PANELS = 3 }; /* at once: with KERNEL_ROWS rows 24 of 32 registers */

/* sum += x times w. As an instruction, because compilers that get to see the
 * function move all sums about between two of them. */
INLINE void multiply_add(__m512i *sum, __m512i x, __m512i w)
{
    __asm__("vpdpbusd %2, %1, %0" : "+v"(*sum) : "v"(x), "v"(w));
}

/* KERNEL_ROWS rows of n panels from column at on. */
INLINE void tile(const struct matrix *m, size_t at, size_t n, const uint8_t *x,
                 const struct bytes_row *row, float *out)
{
    __m512i c[KERNEL_ROWS][PANELS];

#pragma GCC unroll 8
    for (size_t i = 0; i < KERNEL_ROWS; i++)
#pragma GCC unroll 3
        for (size_t j = 0; j < n; j++)
            c[i][j] = _mm512_setzero_si512();
    for (size_t k = 0; k < m->in; k += 4) {
        const int8_t *w = m->cells + at * m->in + k * KERNEL_STEP;
        __m512i p[PANELS];

#pragma GCC unroll 3
        for (size_t j = 0; j < n; j++)
            p[j] = _mm512_loadu_si512(w + j * KERNEL_STEP * m->in);
#pragma GCC unroll 8
        for (size_t i = 0; i < KERNEL_ROWS; i++) {
            int32_t four;

            memcpy(&four, x + i * m->in + k, sizeof four);
#pragma GCC unroll 3
            for (size_t j = 0; j < n; j++)
                multiply_add(&c[i][j], _mm512_set1_epi32(four), p[j]);
        }
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < KERNEL_ROWS; i++)
#pragma GCC unroll 3
        for (size_t j = 0; j < n; j++)
            finish(m, at + j * KERNEL_STEP, (ivec)c[i][j], &row[i],
                   out + i * m->out);
}

static void multiply(const struct matrix *m, const uint8_t *x,
                     const struct bytes_row *row, size_t rows, float *out)
{
    size_t at = 0;

    for (; at + PANELS * KERNEL_STEP <= m->out; at += PANELS * KERNEL_STEP)
        for (size_t i = 0; i < rows; i += KERNEL_ROWS)
            tile(m, at, PANELS, x + i * m->in, &row[i], out + i * m->out);
    for (; at < m->out; at += KERNEL_STEP)
        for (size_t i = 0; i < rows; i += KERNEL_ROWS)
            tile(m, at, 1, x + i * m->in, &row[i], out + i * m->out);
}

static int32_t dot(const int8_t *a, const int8_t *b, size_t width)
{
    __m512i sum = _mm512_setzero_si512();

    for (size_t k = 0; k < width; k += 32) {
        __m256i p = _mm256_loadu_si256((const __m256i *)(a + k));
        __m256i q = _mm256_loadu_si256((const __m256i *)(b + k));

        sum = _mm512_dpwssd_epi32(sum, _mm512_cvtepi8_epi16(p),
                                  _mm512_cvtepi8_epi16(q));
    }
    return _mm512_reduce_add_epi32(sum);
}

static const struct kernel k = KERNEL("AVX-512 VNNI", dot);
const struct kernel *const kernel_vnni = &k;
#else
#include "meaning/kernel.h"
const struct kernel *const kernel_vnni = NULL;
#endif
