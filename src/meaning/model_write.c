/* Weights as training left them to the mapped file; see model_file.h. */
#include "meaning/model_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sections of a file that is being written are ours. */
static void *fill(const void *section)
{
    return (void *)(uintptr_t)section;
}

/* A row of count numbers as bytes times the scale that is returned; most: of
 * two that lie together, and less no byte has. */
static float shorten_row(const float *x, size_t count, int most, int8_t *out)
{
    float scale = 0;

    for (size_t k = 0; k < count; k++)
        scale = fmaxf(scale, fabsf(x[k]) / 127.0f);
    for (size_t k = 0; k + 1 < count; k += 2)
        scale = fmaxf(scale, fabsf(x[k] + x[k + 1]) / (float)most);
    scale = scale > 0 ? scale : 1.0f;
    for (size_t k = 0; k < count; k++) {
        int sum, v = (int)lrintf(x[k] / scale);

        sum = k % 2 == 0 ? 0 : out[k - 1] + v; /* both were rounded up */
        out[k] = (int8_t)(v - (sum > most) + (sum < -most));
    }
    return scale;
}

/* Rows of s become those of m from row at on; buffer has room for one. */
static void matrix_write(const struct matrix *m, size_t at, size_t rows,
                         const struct source_matrix *s, int8_t *buffer)
{
    float *scale = fill(m->scale), *bias = fill(m->bias);
    int32_t *sum = fill(m->sum);
    int8_t *cells = fill(m->cells);

    for (size_t i = 0; i < rows; i++) {
        size_t row = at + i;
        int8_t *panel = cells + row / KERNEL_STEP * KERNEL_STEP * m->in +
                        row % KERNEL_STEP * 4;

        scale[row] =
            shorten_row(s->weight + i * m->in, m->in, KERNEL_PAIR_MOST, buffer);
        bias[row] = s->bias[i];
        for (size_t k = 0; k < m->in; k++) {
            panel[k / 4 * KERNEL_STEP * 4 + k % 4] = buffer[k];
            sum[row] += buffer[k];
        }
    }
}

static void layer_write(const struct model_layer *l, size_t width,
                        const struct source_layer *s, int8_t *buffer)
{
    size_t bytes = width * sizeof(float);

    matrix_write(&l->qkv, 0, width, &s->query, buffer);
    matrix_write(&l->qkv, width, width, &s->key, buffer);
    matrix_write(&l->qkv, 2 * width, width, &s->value, buffer);
    matrix_write(&l->mixed, 0, width, &s->mixed, buffer);
    matrix_write(&l->up, 0, l->up.out, &s->up, buffer);
    matrix_write(&l->down, 0, width, &s->down, buffer);
    memcpy(fill(l->mixed_gain), s->mixed_gain, bytes);
    memcpy(fill(l->mixed_bias), s->mixed_bias, bytes);
    memcpy(fill(l->down_gain), s->down_gain, bytes);
    memcpy(fill(l->down_bias), s->down_bias, bytes);
}

struct numbered {
    const char *word;
    uint32_t id;
};

static int by_bytes(const void *x, const void *y)
{
    const struct numbered *a = x, *b = y;

    return strcmp(a->word, b->word);
}

static enum err words_write(const struct model_file *m,
                            const char *const *words)
{
    uint32_t count = m->shape.words, at = 0, *ats = fill(m->at);
    uint32_t *ids = fill(m->id);
    struct numbered *v = calloc(count, sizeof *v);

    if (v == NULL)
        return ERR_NOMEM;
    for (uint32_t i = 0; i < count; i++)
        v[i] = (struct numbered){words[i], i};
    qsort(v, count, sizeof *v, by_bytes);
    for (uint32_t i = 0; i < count; i++) {
        size_t n = strnlen(v[i].word, MODEL_WORD_BYTES_MAX);

        memcpy((char *)fill(m->letters) + at, v[i].word, n);
        ids[i] = v[i].id;
        ats[i] = at;
        at += (uint32_t)n;
    }
    ats[count] = at;
    free(v);
    return ERR_OK;
}

/* Every text is of the first kind: its embedding goes into the positions'. */
static void embeddings_write(const struct model_file *m,
                             const struct model_source *s)
{
    size_t width = s->shape.width, bytes = width * sizeof(float);
    float *position = fill(m->position), *scale = fill(m->word_scale);

    for (uint32_t i = 0; i < s->shape.words; i++)
        scale[i] = shorten_row(s->word + i * width, width, 2 * 127,
                               (int8_t *)fill(m->word) + i * width);
    for (size_t i = 0; i < s->shape.positions * width; i++)
        position[i] = s->position[i] + s->type[i % width];
    memcpy(fill(m->gain), s->gain, bytes);
    memcpy(fill(m->bias), s->bias, bytes);
}

enum err model_file_make(const struct model_source *s, void **out, size_t *size)
{
    struct model_shape shape = s->shape;
    int8_t buffer[MODEL_INNER_MAX];
    struct model_file m;
    enum err e;

    shape.letters = 0;
    for (uint32_t i = 0; i < shape.words && i < MODEL_WORDS_MAX; i++)
        shape.letters += (uint32_t)strnlen(s->words[i], MODEL_WORD_BYTES_MAX);
    e = model_file_lay(&shape, &m, out, size);
    if (e != ERR_OK)
        return e;
    embeddings_write(&m, s);
    for (uint32_t i = 0; i < shape.layers; i++)
        layer_write(&m.layer[i], shape.width, &s->layer[i], buffer);
    e = words_write(&m, s->words);
    if (e == ERR_OK)
        model_file_seal(*out, *size);
    else
        free(*out);
    return e;
}
