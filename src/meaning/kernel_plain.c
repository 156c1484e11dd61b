/* Any processor; see kernel.h. */
#define FLOATS 4
#include "meaning/kernel_float.h"

/* One row of sums of a panel. */
static void panel_row(const struct matrix *m, size_t at, const uint8_t *x,
                      const struct bytes_row *row, float *out)
{
    const int8_t *w = m->cells + at * m->in;
    int32_t sum[KERNEL_STEP] = {0};

    for (size_t k = 0; k < m->in; k += 4, w += KERNEL_STEP * 4)
        for (size_t j = 0; j < KERNEL_STEP; j++)
            sum[j] += x[k] * w[j * 4] + x[k + 1] * w[j * 4 + 1] +
                      x[k + 2] * w[j * 4 + 2] + x[k + 3] * w[j * 4 + 3];
    for (size_t j = 0; j < KERNEL_STEP; j += FLOATS) {
        ivec v;

        memcpy(&v, sum + j, sizeof v);
        finish(m, at + j, v, row, out);
    }
}

static void multiply(const struct matrix *m, const uint8_t *x,
                     const struct bytes_row *row, size_t rows, float *out)
{
    for (size_t at = 0; at < m->out; at += KERNEL_STEP)
        for (size_t i = 0; i < rows; i++)
            panel_row(m, at, x + i * m->in, &row[i], out + i * m->out);
}

static int32_t dot(const int8_t *a, const int8_t *b, size_t width)
{
    int32_t sum = 0;

    for (size_t k = 0; k < width; k++)
        sum += a[k] * b[k];
    return sum;
}

const struct kernel kernel_plain = KERNEL("plain C", dot);
