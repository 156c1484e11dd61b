/* x86-64 with AVX2 and FMA; see kernel.h. */
#if defined(__AVX2__) && defined(__FMA__)
#define FLOATS 8
#include "meaning/kernel_float.h"

#include <immintrin.h>

enum { TILE_ROWS = 4, HALVES = 2 };

/* TILE_ROWS rows of the panel at column at. Products of bytes are summed by two
 * in 16 bits: they fit, as cells do (kernel.h). */
INLINE void tile(const struct matrix *m, size_t at, const uint8_t *x,
                 const struct bytes_row *row, float *out)
{
    const int8_t *w = m->cells + at * m->in;
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i c[TILE_ROWS][HALVES];

#pragma GCC unroll 4
    for (size_t i = 0; i < TILE_ROWS; i++)
        c[i][0] = c[i][1] = _mm256_setzero_si256();
    for (size_t k = 0; k < m->in; k += 4, w += KERNEL_STEP * 4) {
        __m256i p = _mm256_loadu_si256((const __m256i *)w);
        __m256i q = _mm256_loadu_si256((const __m256i *)(w + 32));

#pragma GCC unroll 4
        for (size_t i = 0; i < TILE_ROWS; i++) {
            int32_t four;
            __m256i s;

            memcpy(&four, x + i * m->in + k, sizeof four);
            s = _mm256_set1_epi32(four);
            c[i][0] = _mm256_add_epi32(
                c[i][0], _mm256_madd_epi16(_mm256_maddubs_epi16(s, p), ones));
            c[i][1] = _mm256_add_epi32(
                c[i][1], _mm256_madd_epi16(_mm256_maddubs_epi16(s, q), ones));
            /* Row by row, or a sum is kept in memory. */
            __asm__("" : "+x"(c[i][0]), "+x"(c[i][1]));
        }
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < TILE_ROWS; i++) {
        finish(m, at, (ivec)c[i][0], &row[i], out + i * m->out);
        finish(m, at + FLOATS, (ivec)c[i][1], &row[i], out + i * m->out);
    }
}

static void multiply(const struct matrix *m, const uint8_t *x,
                     const struct bytes_row *row, size_t rows, float *out)
{
    for (size_t at = 0; at < m->out; at += KERNEL_STEP)
        for (size_t i = 0; i < rows; i += TILE_ROWS)
            tile(m, at, x + i * m->in, &row[i], out + i * m->out);
}

static int32_t dot(const int8_t *a, const int8_t *b, size_t width)
{
    ivec sum = {0};
    int32_t all = 0;

    for (size_t k = 0; k < width; k += 16) {
        __m128i p = _mm_loadu_si128((const __m128i *)(a + k));
        __m128i q = _mm_loadu_si128((const __m128i *)(b + k));

        sum += (ivec)_mm256_madd_epi16(_mm256_cvtepi8_epi16(p),
                                       _mm256_cvtepi8_epi16(q));
    }
    for (size_t k = 0; k < FLOATS; k++)
        all += sum[k];
    return all;
}

static const struct kernel k = KERNEL("AVX2", dot);
const struct kernel *const kernel_avx2 = &k;
#else
#include "meaning/kernel.h"
const struct kernel *const kernel_avx2 = NULL;
#endif
