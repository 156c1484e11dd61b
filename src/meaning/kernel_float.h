/*
 * Private to the kernels: what they do in floating point, and with bits, in
 * vectors of FLOATS numbers, which each names before it includes this. The
 * compiler makes of it what its processor has.
 */
#ifndef CITED_MEANING_KERNEL_FLOAT_H
#define CITED_MEANING_KERNEL_FLOAT_H

#include "meaning/kernel.h"

#include <string.h>

typedef float vec __attribute__((vector_size(FLOATS * 4)));
typedef int32_t ivec __attribute__((vector_size(FLOATS * 4)));
typedef uint32_t uvec __attribute__((vector_size(FLOATS * 4)));
typedef uint8_t bvec __attribute__((vector_size(FLOATS)));
#define INLINE static inline __attribute__((always_inline))

enum {
    VECS = KERNEL_STEP / FLOATS, /* in a step */
    PRODUCT_ROWS = VECS == 1 ? KERNEL_ROWS : KERNEL_ROWS / 2
};

INLINE vec load(const float *p)
{
    vec v;

    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void store(float *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

INLINE vec splat(float x)
{
    return x - (vec){0};
}

/* a where it is greater, else b: also where a is not a number. */
INLINE vec greater(vec a, vec b)
{
    ivec m = a > b;

    return (vec)((m & (ivec)a) | (~m & (ivec)b));
}

INLINE vec lesser(vec a, vec b)
{
    ivec m = a < b;

    return (vec)((m & (ivec)a) | (~m & (ivec)b));
}

INLINE float sum_of(vec v)
{
    float s = 0;

    for (size_t i = 0; i < FLOATS; i++)
        s += v[i];
    return s;
}

INLINE float greatest_of(vec v)
{
    float s = v[0];

    for (size_t i = 1; i < FLOATS; i++)
        s = v[i] > s ? v[i] : s;
    return s;
}

/* e to the power of x <= 0: a power of two, and a polynomial over half of one
 * to each side (Cephes, expf). */
INLINE vec power(vec x)
{
    const vec magic = splat(12582912.0f); /* 1.5 * 2^23: rounds by adding */
    vec n, r, p;

    x = greater(x, splat(-87.0f));
    n = x * 1.44269504f + magic;
    r = n - magic;
    x = x - r * 0.693359375f + r * 2.12194440e-4f;
    p = x * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * x + 8.3334519073e-3f;
    p = p * x + 4.1665795894e-2f;
    p = p * x + 1.6666665459e-1f;
    p = p * x + 5.0000001201e-1f;
    p = p * x * x + x + 1.0f;
    return (vec)((uvec)p + ((uvec)n << 23));
}

/* x times the normal distribution up to x (Abramowitz and Stegun, 7.1.26). */
INLINE vec gelu_of(vec x)
{
    vec z = greater(x, -x) * 0.70710678f;
    vec t = 1.0f / (1.0f + 0.3275911f * z);
    vec p = t * 1.061405429f - 1.453152027f;
    ivec below = x < splat(0);
    vec tail;

    p = p * t + 1.421413741f;
    p = p * t - 0.284496736f;
    p = p * t + 0.254829592f;
    tail = 0.5f * p * t * power(-z * z); /* beyond |x| on one side */
    return x * (vec)((below & (ivec)tail) | (~below & (ivec)(1.0f - tail)));
}

static void gelu(float *x, size_t count)
{
    for (size_t i = 0; i < count; i += FLOATS)
        store(x + i, gelu_of(load(x + i)));
}

static void normalise(float *x, const float *more, size_t rows, size_t width,
                      const float *gain, const float *bias)
{
    for (size_t i = 0; i < rows; i++, x += width) {
        vec sum = splat(0), square = splat(0), mean, scale;

        for (size_t k = 0; k < width; k += FLOATS) {
            vec v = load(x + k);

            if (more != NULL)
                v += load(more + i * width + k);
            store(x + k, v);
            sum += v;
        }
        mean = splat(sum_of(sum) / (float)width);
        for (size_t k = 0; k < width; k += FLOATS) {
            vec v = load(x + k) - mean;

            square += v * v;
        }
        scale = splat(1.0f /
                      __builtin_sqrtf(sum_of(square) / (float)width + 1e-12f));
        for (size_t k = 0; k < width; k += FLOATS)
            store(x + k, (load(x + k) - mean) * scale * load(gain + k) +
                             load(bias + k));
    }
}

static void shorten(const float *x, size_t rows, size_t width, uint8_t *out,
                    struct bytes_row *row)
{
    const vec magic = splat(12582912.0f);

    for (size_t i = 0; i < rows; i++, x += width, out += width) {
        vec lo = splat(0), hi = splat(0), by, zero;
        float least, range;

        for (size_t k = 0; k < width; k += FLOATS) {
            lo = lesser(load(x + k), lo);
            hi = greater(load(x + k), hi);
        }
        least = -greatest_of(-lo);
        range = greatest_of(hi) - least;
        if (!(range > 1e-30f && range < 1e30f)) {
            least = 0; /* nothing but zeros, or weights that are none */
            range = 1;
        }
        row[i].scale = range / 255.0f;
        row[i].zero = (int32_t)(-least / row[i].scale + 0.5f);
        by = splat(255.0f / range);
        zero = splat((float)row[i].zero);
        for (size_t k = 0; k < width; k += FLOATS) {
            vec v = greater(load(x + k) * by + zero, splat(0));
            uvec q = (uvec)(lesser(v, splat(255.0f)) + magic) & 255;
            bvec b = __builtin_convertvector(q, bvec);

            memcpy(out + k, &b, sizeof b);
        }
    }
}

/* out = a times b, KERNEL_ROWS rows of one step of columns, as many at a time
 * as stay in registers; a has rows of a_next, b rows of b_next, out rows of
 * out_next. */
INLINE void product(const float *a, size_t a_next, size_t inner, const float *b,
                    size_t b_next, float *out, size_t out_next)
{
    for (size_t at = 0; at < KERNEL_ROWS; at += PRODUCT_ROWS) {
        const float *x = a + at * a_next, *y = b;
        vec c[PRODUCT_ROWS][VECS] = {{{0}}};

        for (size_t k = 0; k < inner; k++, y += b_next)
#pragma GCC unroll 8
            for (size_t i = 0; i < PRODUCT_ROWS; i++)
#pragma GCC unroll 4
                for (size_t j = 0; j < VECS; j++)
                    c[i][j] += x[i * a_next + k] * load(y + j * FLOATS);
#pragma GCC unroll 8
        for (size_t i = 0; i < PRODUCT_ROWS; i++)
            for (size_t j = 0; j < VECS; j++)
                store(out + (at + i) * out_next + j * FLOATS, c[i][j]);
    }
}

/* Scores to shares of one; those beyond count become nothing. */
static void share(float *score, size_t count, size_t room, float scale)
{
    vec most = splat(-1e30f), sum = splat(0);
    float top;

    for (size_t k = count; k < room; k++)
        score[k] = -1e30f;
    for (size_t k = 0; k < room; k += FLOATS)
        most = greater(load(score + k), most);
    top = greatest_of(most);
    for (size_t k = 0; k < room; k += FLOATS) {
        vec v = power((load(score + k) - top) * scale);

        store(score + k, v);
        sum += v;
    }
    sum = splat(1.0f / sum_of(sum));
    for (size_t k = 0; k < room; k += FLOATS)
        store(score + k, load(score + k) * sum);
}

static void attend(const struct attention *t, float *out)
{
    size_t deep = t->width / t->heads, next = 3 * t->width;
    size_t room = (t->rows + KERNEL_STEP - 1) / KERNEL_STEP * KERNEL_STEP;
    float scale = 1.0f / __builtin_sqrtf((float)deep);

    for (size_t h = 0; h < t->heads; h++) {
        const float *q = t->qkv + h * deep, *k = q + t->width;
        const float *v = k + t->width;

        for (size_t d = 0; d < deep; d++)
            for (size_t j = 0; j < room; j++)
                t->keys[d * room + j] = j < t->tokens ? k[j * next + d] : 0;
        for (size_t i = 0; i < t->rows; i += KERNEL_ROWS) {
            for (size_t j = 0; j < room; j += KERNEL_STEP)
                product(q + i * next, next, deep, t->keys + j, room,
                        t->scores + j, room);
            for (size_t r = 0; r < KERNEL_ROWS; r++)
                share(t->scores + r * room, t->tokens, room, scale);
            for (size_t d = 0; d < deep; d += KERNEL_STEP)
                product(t->scores, room, t->tokens, v + d, next,
                        out + i * t->width + h * deep + d, t->width);
        }
    }
}

static void add(const int8_t *row, float scale, size_t width, float *sum)
{
    for (size_t k = 0; k < width; k++)
        sum[k] += (float)row[k] * scale;
}

static float inner(const float *a, const float *b, size_t width)
{
    vec sum[VECS] = {{0}};

    for (size_t k = 0; k < width; k += KERNEL_STEP)
#pragma GCC unroll 4
        for (size_t i = 0; i < VECS; i++)
            sum[i] += load(a + k + i * FLOATS) * load(b + k + i * FLOATS);
#pragma GCC unroll 4
    for (size_t i = 1; i < VECS; i++)
        sum[0] += sum[i];
    return sum_of(sum[0]);
}

INLINE void differ_in(const uint64_t *query, const uint64_t *rows, size_t words,
                      size_t count, uint16_t *out)
{
    for (size_t i = 0; i < count; i++, rows += words) {
        int n = 0;

        for (size_t k = 0; k < words; k++)
            n += __builtin_popcountll(query[k] ^ rows[k]);
        out[i] = (uint16_t)n;
    }
}

/* The vectors of words have few words of signs: their loop is laid out. */
static void differ(const uint64_t *query, const uint64_t *rows, size_t words,
                   size_t count, uint16_t *out)
{
    if (words == 2)
        differ_in(query, rows, 2, count, out);
    else
        differ_in(query, rows, words, count, out);
}

/* From the whole numbers of a row of sums to what they stand for. */
INLINE void finish(const struct matrix *m, size_t at, ivec sum,
                   const struct bytes_row *row, float *out)
{
    ivec cells;
    vec v;

    memcpy(&cells, m->sum + at, sizeof cells);
    v = __builtin_convertvector(sum - cells * row->zero, vec);
    store(out + at, v * row->scale * load(m->scale + at) + load(m->bias + at));
}

#define KERNEL(title, dot)                                                     \
    {                                                                          \
        title, shorten, multiply, attend, normalise, gelu, add, inner, dot,    \
            differ                                                             \
    }

#endif
