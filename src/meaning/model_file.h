/*
 * The encoder's weights in one mapped file: the vocabulary, the embeddings and
 * the layers of a BERT encoder, weights in a byte each. `make meaning` writes
 * it from published weights; everybody else only reads. One without layers,
 * heads, inner width and positions has the vectors of words alone.
 *
 * Little-endian. A header (struct model_head), then sections one behind the
 * other, each beginning at a multiple of MODEL_ALIGN; what they are and how
 * long follows from the header (model_file.c, sections). The checksum covers
 * all behind the header, and it is the model's name: vectors made by another
 * model say so by it.
 */
#ifndef CITED_MEANING_MODEL_FILE_H
#define CITED_MEANING_MODEL_FILE_H

#include "base/err.h"
#include "meaning/kernel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MODEL_VERSION = 2,
    MODEL_ALIGN = 64,
    MODEL_WIDTH_MAX = 1024,
    MODEL_INNER_MAX = 4096,
    MODEL_LAYERS_MAX = 24,
    MODEL_POSITIONS_MAX = 512,
    MODEL_WORDS_MAX = 1 << 18,
    MODEL_WORD_BYTES_MAX = 512 /* of one of them */
};

struct model_shape {
    uint32_t words, width, layers, heads, inner, positions;
    uint32_t unknown, first, last; /* the words for what is none, and around
                                      every text: [UNK], [CLS], [SEP] */
    uint32_t letters;              /* bytes of all words */
};

struct model_layer {
    struct matrix qkv, mixed, up, down;
    const float *mixed_gain, *mixed_bias, *down_gain, *down_bias;
};

/* A word by a hash of it: all that finding it reads lies together. */
struct model_slot {
    uint32_t at, len; /* its letters; len 0: no word */
    uint32_t id;
};

struct model_file {
    struct model_shape shape;
    uint64_t checksum;
    /* The vocabulary in the order of its bytes: word i is
     * letters[at[i] .. at[i + 1]), its number id[i]. */
    const uint32_t *at, *id;
    const char *letters;
    struct model_slot *slot; /* in memory of ours (wordpiece) */
    uint32_t slot_mask;
    const int8_t *word;      /* by number, rows of width */
    const float *word_scale; /* of each row */
    const float *position;   /* rows of width */
    const float *gain, *bias;
    struct model_layer layer[MODEL_LAYERS_MAX];
    const void *map; /* the file's bytes */
    size_t size;
};

/* FNV-1a, to go on from hash; MODEL_HASH begins it. */
#define MODEL_HASH 2166136261u
static inline uint32_t model_hash(uint32_t hash, char c)
{
    return (hash ^ (unsigned char)c) * 16777619u;
}

/* Map the file at path. ERR_NOT_FOUND, ERR_IO; ERR_MALFORMED: not such a file,
 * of another version, cut, or not what was written; the message says which. */
MUST_CHECK enum err model_file_open(const char *path, struct model_file *out,
                                    struct errctx *ec);
void model_file_close(struct model_file *m);

/* The same over size bytes at p (aligned to MODEL_ALIGN), which stay the
 * caller's; name is for messages. To be closed likewise. */
MUST_CHECK enum err model_file_read(const void *p, size_t size,
                                    const char *name, struct model_file *out,
                                    struct errctx *ec);

/* --- writing ------------------------------------------------------------- */

/* Rows of in numbers, as training left them. */
struct source_matrix {
    const float *weight, *bias;
};

struct source_layer {
    struct source_matrix query, key, value, mixed, up, down;
    const float *mixed_gain, *mixed_bias, *down_gain, *down_bias;
};

struct model_source {
    struct model_shape shape; /* letters is not read */
    const char *const *words; /* by number, each once */
    const float *word, *position, *type, *gain, *bias;
    struct source_layer layer[MODEL_LAYERS_MAX];
};

/* The file of s, in memory aligned for it that the caller frees; *size its
 * bytes. ERR_INVALID: the shape or a word breaks a bound. ERR_NOMEM. */
MUST_CHECK enum err model_file_make(const struct model_source *s, void **out,
                                    size_t *size);

/* The same of this shape without its content, for out to point into. */
MUST_CHECK enum err model_file_lay(const struct model_shape *shape,
                                   struct model_file *out, void **p,
                                   size_t *size);

/* Set the checksum of a file of size bytes at p; for those who made or changed
 * it. */
void model_file_seal(void *p, size_t size);

#endif
