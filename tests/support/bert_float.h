/*
 * The encoder once more in plain floating point, by the book (Devlin and
 * others, 2019): what src/meaning is held against. Slow.
 */
#ifndef CITED_TESTS_BERT_FLOAT_H
#define CITED_TESTS_BERT_FLOAT_H

#include "meaning/model_file.h"

#include <math.h>
#include <stdlib.h>

static void bert_linear(const struct source_matrix *m, const float *x,
                        size_t rows, size_t in, size_t out, float *to)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t o = 0; o < out; o++) {
            const float *w = m->weight + o * in;
            float sum[8] = {0}, all = m->bias[o];

            for (size_t k = 0; k < in; k += 8)
                for (size_t j = 0; j < 8; j++)
                    sum[j] += x[i * in + k + j] * w[k + j];
            for (size_t j = 0; j < 8; j++)
                all += sum[j];
            to[i * out + o] = all;
        }
}

static void bert_normalise(float *x, const float *more, size_t rows,
                           size_t width, const float *gain, const float *bias)
{
    for (size_t i = 0; i < rows; i++, x += width) {
        double mean = 0, square = 0;

        for (size_t k = 0; k < width; k++) {
            x[k] += more == NULL ? 0 : more[i * width + k];
            mean += x[k] / (double)width;
        }
        for (size_t k = 0; k < width; k++)
            square += (x[k] - mean) * (x[k] - mean) / (double)width;
        for (size_t k = 0; k < width; k++)
            x[k] = (float)((x[k] - mean) / sqrt(square + 1e-12)) * gain[k] +
                   bias[k];
    }
}

static void bert_attend(const float *q, const float *k, const float *v,
                        size_t n, size_t width, size_t heads, float *out)
{
    size_t deep = width / heads;
    double score[MODEL_POSITIONS_MAX];

    for (size_t h = 0; h < heads; h++)
        for (size_t i = 0; i < n; i++) {
            double sum = 0, most = -1e300;

            for (size_t j = 0; j < n; j++) {
                score[j] = 0;
                for (size_t d = h * deep; d < (h + 1) * deep; d++)
                    score[j] += q[i * width + d] * k[j * width + d];
                score[j] /= sqrt((double)deep);
                most = score[j] > most ? score[j] : most;
            }
            for (size_t j = 0; j < n; j++)
                sum += score[j] = exp(score[j] - most);
            for (size_t d = h * deep; d < (h + 1) * deep; d++) {
                double all = 0;

                for (size_t j = 0; j < n; j++)
                    all += score[j] / sum * v[j * width + d];
                out[i * width + d] = (float)all;
            }
        }
}

static void bert_layer(const struct source_layer *l,
                       const struct model_shape *s, float *x, size_t n,
                       float *block)
{
    size_t width = s->width, inner = s->inner, all = n * width;
    float *q = block, *k = q + all, *v = k + all, *more = v + all;
    float *wide = more + all;

    bert_linear(&l->query, x, n, width, width, q);
    bert_linear(&l->key, x, n, width, width, k);
    bert_linear(&l->value, x, n, width, width, v);
    bert_attend(q, k, v, n, width, s->heads, wide);
    bert_linear(&l->mixed, wide, n, width, width, more);
    bert_normalise(x, more, n, width, l->mixed_gain, l->mixed_bias);
    bert_linear(&l->up, x, n, width, inner, wide);
    for (size_t i = 0; i < n * inner; i++)
        wide[i] = (float)(wide[i] * 0.5 * (1 + erf(wide[i] / sqrt(2.0))));
    bert_linear(&l->down, wide, n, inner, width, more);
    bert_normalise(x, more, n, width, l->down_gain, l->down_bias);
}

/* The vector of the n words in ids, of length 1, into out. */
static void bert_float(const struct model_source *s, const uint32_t *ids,
                       size_t n, float *out)
{
    size_t width = s->shape.width, most = s->shape.inner + width;
    float *x = calloc(n * width, sizeof *x);
    float *block = calloc(n * (4 * width + most), sizeof *block);
    double square = 0;

    if (x == NULL || block == NULL)
        abort();
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++)
            x[i * width + k] = s->word[ids[i] * width + k] +
                               s->position[i * width + k] + s->type[k];
    bert_normalise(x, NULL, n, width, s->gain, s->bias);
    for (uint32_t i = 0; i < s->shape.layers; i++)
        bert_layer(&s->layer[i], &s->shape, x, n, block);
    for (size_t k = 0; k < width; k++) {
        out[k] = 0;
        for (size_t i = 0; i < n; i++)
            out[k] += x[i * width + k];
        square += (double)out[k] * out[k];
    }
    for (size_t k = 0; k < width; k++)
        out[k] = (float)(out[k] / sqrt(square));
    free(x);
    free(block);
}

#endif
