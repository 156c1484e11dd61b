/* The forward pass of a BERT encoder (Devlin and others, 2019), the mean over
 * the tokens and its length made 1 (Reimers and Gurevych, 2019); see
 * encoder.h. */
#include "meaning/encoder.h"

#include "meaning/kernel.h"
#include "meaning/model_file.h"
#include "meaning/wordpiece.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct encoder {
    struct model_file file;
    const struct kernel *kernel;
};

_Static_assert((int)ENCODER_WIDTH_MAX >= (int)MODEL_WIDTH_MAX, "raise it");

/* What one text takes, of rows tokens. */
struct work {
    size_t tokens, rows; /* rows: tokens, rounded up for the kernels */
    float *x, *more;     /* rows of width */
    float *wide;         /* rows of 3 * width or of inner */
    float *keys, *scores;
    uint8_t *bytes; /* rows of inner */
    struct bytes_row *row;
};

static size_t up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* count things of size bytes out of the block at *at; base NULL only counts. */
static void *share(char *base, size_t *at, size_t count, size_t size)
{
    void *p = base == NULL ? NULL : base + *at;

    *at += up(count * size, KERNEL_ALIGN);
    return p;
}

static size_t work_lay(struct work *w, const struct model_shape *s, char *base)
{
    size_t rows = w->rows, at = 0,
           deep = s->heads > 0 ? s->width / s->heads : 0;
    size_t wide = 3 * (size_t)s->width;
    size_t most = s->inner > s->width ? s->inner : s->width;

    wide = s->inner > wide ? s->inner : wide;
    w->x = share(base, &at, rows * s->width, sizeof(float));
    w->more = share(base, &at, rows * s->width, sizeof(float));
    w->wide = share(base, &at, rows * wide, sizeof(float));
    w->keys = share(base, &at, up(rows, KERNEL_STEP) * deep, sizeof(float));
    w->scores =
        share(base, &at, up(rows, KERNEL_STEP) * KERNEL_ROWS, sizeof(float));
    w->bytes = share(base, &at, rows * most, 1);
    w->row = share(base, &at, rows, sizeof(struct bytes_row));
    return at;
}

static void embed(const struct model_file *m, const uint32_t *ids,
                  struct work *w)
{
    size_t width = m->shape.width;

    for (size_t i = 0; i < w->rows; i++) {
        float *x = w->x + i * width;

        memset(x, 0, width * sizeof *x);
        if (i >= w->tokens)
            continue;
        for (size_t k = 0; k < width; k++)
            x[k] = (float)m->word[ids[i] * width + k] * m->word_scale[ids[i]];
        for (size_t k = 0; m->shape.layers > 0 && k < width; k++)
            x[k] += m->position[i * width + k];
    }
}

static void layer_run(const struct kernel *k, const struct model_shape *s,
                      const struct model_layer *l, struct work *w)
{
    struct attention t = {w->wide,  w->tokens, w->rows,  s->width,
                          s->heads, w->keys,   w->scores};

    k->shorten(w->x, w->rows, s->width, w->bytes, w->row);
    k->multiply(&l->qkv, w->bytes, w->row, w->rows, w->wide);
    k->attend(&t, w->more);
    k->shorten(w->more, w->rows, s->width, w->bytes, w->row);
    k->multiply(&l->mixed, w->bytes, w->row, w->rows, w->more);
    k->normalise(w->x, w->more, w->rows, s->width, l->mixed_gain,
                 l->mixed_bias);
    k->shorten(w->x, w->rows, s->width, w->bytes, w->row);
    k->multiply(&l->up, w->bytes, w->row, w->rows, w->wide);
    k->gelu(w->wide, w->rows * s->inner);
    k->shorten(w->wide, w->rows, s->inner, w->bytes, w->row);
    k->multiply(&l->down, w->bytes, w->row, w->rows, w->more);
    k->normalise(w->x, w->more, w->rows, s->width, l->down_gain, l->down_bias);
}

/* The tokens' mean, of length 1. */
static enum err pool(const struct work *w, size_t width, float *out)
{
    double square = 0, by;

    memset(out, 0, width * sizeof *out);
    for (size_t i = 0; i < w->tokens; i++)
        for (size_t k = 0; k < width; k++)
            out[k] += w->x[i * width + k];
    for (size_t k = 0; k < width; k++)
        square += (double)out[k] * out[k];
    if (!(square > 0 && isfinite(square)))
        return ERR_MALFORMED;
    by = 1 / sqrt(square);
    for (size_t k = 0; k < width; k++)
        out[k] = (float)(out[k] * by);
    return ERR_OK;
}

/* The tokens of a text in w->x; at as wordpiece has it. The block to be freed
 * behind it; NULL: no memory. */
static char *run(const struct model_file *m, const struct kernel *k,
                 const char *text, size_t n, size_t *at, struct work *w)
{
    const struct model_shape *s = &m->shape;
    size_t max = s->layers == 0 || s->positions > ENCODER_TOKENS_MAX
                     ? ENCODER_TOKENS_MAX
                     : s->positions;
    uint32_t ids[ENCODER_TOKENS_MAX];
    char *block;

    w->tokens = wordpiece(m, text, n, ids, at, max);
    w->rows = up(w->tokens, KERNEL_ROWS);
    block = aligned_alloc(KERNEL_ALIGN, work_lay(w, s, NULL));
    if (block == NULL)
        return NULL;
    work_lay(w, s, block);
    embed(m, ids, w);
    if (s->layers > 0)
        k->normalise(w->x, NULL, w->rows, s->width, m->gain, m->bias);
    for (uint32_t i = 0; i < s->layers; i++)
        layer_run(k, s, &m->layer[i], w);
    return block;
}

static void row_scale(const struct kernel *k, float *row, size_t width)
{
    float square = k->inner(row, row, width);
    float by = square > 0 && isfinite(square) ? 1 / sqrtf(square) : 0;

    for (size_t i = 0; i < width; i++)
        row[i] = by > 0 ? row[i] * by : 0;
}

/* --- words alone -------------------------------------------------------------
 */

/* How near words of a model without layers are to some pieces: SEEN of them,
 * each at the place of its number. */
enum { SEEN = 1024 };

struct meant_seen {
    uint32_t id[SEEN]; /* and 1; 0: none */
    float *near;       /* SEEN rows of as many as there are pieces */
};

static bool seen_new(struct arena *a, size_t count, struct meant *m)
{
    m->seen = arena_alloc(a, sizeof *m->seen);
    if (m->seen == NULL)
        return false;
    memset(m->seen->id, 0, sizeof m->seen->id);
    m->seen->near = arena_array(a, SEEN * (count + 1), sizeof(float));
    return m->seen->near != NULL;
}

/* Add a word's row to a sum. */
static void row_add(const struct model_file *m, const struct kernel *k,
                    uint32_t id, float *sum)
{
    size_t width = m->shape.width;

    k->add(m->word + id * width, m->word_scale[id], width, sum);
}

/* How near a word that did not come yet is to each of the pieces. */
static void word_see(const struct model_file *m, const struct kernel *k,
                     const struct meant *pieces, uint32_t id, float *near)
{
    size_t width = m->shape.width;
    float row[ENCODER_WIDTH_MAX];

    memset(row, 0, width * sizeof *row);
    row_add(m, k, id, row);
    row_scale(k, row, width);
    for (size_t i = 0; i < pieces->count; i++)
        near[i] = k->inner(pieces->rows + i * width, row, width);
}

static const float *word_near(const struct model_file *m,
                              const struct kernel *k,
                              const struct meant *pieces, uint32_t id)
{
    size_t place = id % SEEN;
    float *near = pieces->seen->near + place * pieces->count;

    if (pieces->seen->id[place] != id + 1)
        word_see(m, k, pieces, id, near);
    pieces->seen->id[place] = id + 1;
    return near;
}

static enum err words_sum(const struct model_file *m, const struct kernel *k,
                          const char *text, size_t n, float *out)
{
    uint32_t ids[ENCODER_TOKENS_MAX];
    size_t count = wordpiece(m, text, n, ids, NULL, ENCODER_TOKENS_MAX);

    memset(out, 0, m->shape.width * sizeof *out);
    for (size_t i = 1; i + 1 < count; i++)
        row_add(m, k, ids[i], out);
    row_scale(k, out, m->shape.width);
    return ERR_OK;
}

void encode_words(const struct encoder *e, const struct meant *pieces,
                  const char *text, size_t n, float *near, float *sum)
{
    const struct model_file *m = &e->file;
    uint32_t ids[ENCODER_TOKENS_MAX];
    size_t count = wordpiece(m, text, n, ids, NULL, ENCODER_TOKENS_MAX);

    for (size_t i = 1; i + 1 < count; i++)
        __builtin_prefetch(m->word + ids[i] * m->shape.width);
    for (size_t i = 1; i + 1 < count; i++) {
        const float *its = word_near(m, e->kernel, pieces, ids[i]);

        row_add(m, e->kernel, ids[i], sum);
        for (size_t k = 0; k < pieces->count; k++)
            near[k] = its[k] > near[k] ? its[k] : near[k];
    }
}

/* --- texts -------------------------------------------------------------------
 */

enum err encode_by(const struct model_file *m, const struct kernel *k,
                   const char *text, size_t n, float *out)
{
    struct work w;
    enum err e;
    char *block;

    if (m->shape.layers == 0)
        return words_sum(m, k, text, n, out);
    block = run(m, k, text, n, NULL, &w);
    e = block == NULL ? ERR_NOMEM : pool(&w, m->shape.width, out);
    free(block);
    return e;
}

enum err encode(const struct encoder *e, const char *text, size_t n, float *out)
{
    return encode_by(&e->file, e->kernel, text, n, out);
}

/* --- pieces of texts ---------------------------------------------------------
 */

/* Those between the first and the last token, which stand around every text. */
enum err encode_pieces(const struct encoder *e, const char *text, size_t n,
                       struct arena *a, float *out, struct meant *pieces)
{
    size_t at[ENCODER_TOKENS_MAX], width = encoder_width(e);
    struct work w;
    char *block = run(&e->file, e->kernel, text, n, at, &w);
    enum err err = block == NULL ? ERR_NOMEM : pool(&w, width, out);

    if (err == ERR_OK) {
        pieces->count = w.tokens - 2;
        pieces->rows = arena_array(a, pieces->count + 1, width * sizeof(float));
        pieces->at = arena_array(a, pieces->count + 1, sizeof(size_t));
        pieces->seen = NULL;
        if (pieces->rows == NULL || pieces->at == NULL ||
            (e->file.shape.layers == 0 && !seen_new(a, pieces->count, pieces)))
            err = ERR_NOMEM;
    }
    if (err == ERR_OK) {
        memcpy(pieces->rows, w.x + width,
               pieces->count * width * sizeof(float));
        memcpy(pieces->at, at + 1, pieces->count * sizeof(size_t));
        for (size_t i = 0; i < pieces->count; i++)
            row_scale(e->kernel, pieces->rows + i * width, width);
    }
    free(block);
    return err;
}

enum err encode_nearest(const struct encoder *e, const struct meant *pieces,
                        const char *text, size_t n, float *out, float *vector)
{
    size_t width = encoder_width(e);
    struct work w;
    enum err err;
    char *block;

    for (size_t k = 0; k < pieces->count; k++)
        out[k] = -1;
    if (e->file.shape.layers == 0) {
        memset(vector, 0, width * sizeof *vector);
        encode_words(e, pieces, text, n, out, vector);
        row_scale(e->kernel, vector, width);
        return ERR_OK;
    }
    block = run(&e->file, e->kernel, text, n, NULL, &w);
    err = block == NULL ? ERR_NOMEM : pool(&w, width, vector);
    if (block == NULL)
        return err;
    for (size_t i = 1; i + 1 < w.tokens; i++) {
        float *row = w.x + i * width;

        row_scale(e->kernel, row, width);
        for (size_t k = 0; k < pieces->count; k++)
            out[k] = fmaxf(
                out[k], e->kernel->inner(pieces->rows + k * width, row, width));
    }
    free(block);
    return err;
}

/* --- opening ----------------------------------------------------------------
 */

enum err encoder_open(const char *path, struct encoder **out, struct errctx *ec)
{
    struct encoder *e = calloc(1, sizeof *e);
    size_t count;
    enum err err;

    if (e == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    e->kernel = kernels(&count)[0];
    err = model_file_open(path, &e->file, ec);
    if (err == ERR_OK)
        *out = e;
    else
        free(e);
    return err;
}

/* The file of words as it is, aligned as a mapped one would be. */
__asm__(".pushsection .rodata\n"
        ".balign 64\n"
        "cited_words_model:\n"
        ".incbin \"src/meaning/words.model\"\n"
        "cited_words_model_end:\n"
        ".popsection\n");
extern const char cited_words_model[] __attribute__((visibility("hidden")));
extern const char cited_words_model_end[] __attribute__((visibility("hidden")));

static struct encoder words;
static bool words_are_there;

static void words_open(void)
{
    size_t size = (size_t)(cited_words_model_end - cited_words_model), count;
    struct errctx ec;

    words.kernel = kernels(&count)[0];
    words_are_there = model_file_read(cited_words_model, size, "words.model",
                                      &words.file, &ec) == ERR_OK;
}

const struct encoder *encoder_words(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, words_open);
    return words_are_there ? &words : NULL;
}

void encoder_close(struct encoder *e)
{
    if (e == NULL)
        return;
    model_file_close(&e->file);
    free(e);
}

size_t encoder_width(const struct encoder *e)
{
    return e->file.shape.width;
}

uint64_t encoder_name(const struct encoder *e)
{
    return e->file.checksum;
}

const char *encoder_kernel(const struct encoder *e)
{
    return e->kernel->name;
}
