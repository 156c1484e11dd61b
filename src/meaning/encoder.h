/*
 * Sentences to vectors: texts that mean the same lie close together, in
 * whatever words. A BERT encoder (MiniLM) in the process, over weights that
 * one file holds (model_file.h). English; other languages give vectors that
 * say little. Called by those who write and who search vectors (vectors.h).
 */
#ifndef CITED_MEANING_ENCODER_H
#define CITED_MEANING_ENCODER_H

#include "base/arena.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum {
    ENCODER_TOKENS_MAX = 256, /* of a text; what follows is not read */
    ENCODER_WIDTH_MAX = 1024  /* numbers of a vector */
};

struct encoder; /* read-only once open: any number of threads may use it */
struct kernel;

/* Open the weights at path. Errors as model_file_open has them; ERR_NOMEM. */
MUST_CHECK enum err encoder_open(const char *path, struct encoder **out,
                                 struct errctx *ec);
void encoder_close(struct encoder *e); /* NULL is fine */

/*
 * The vectors of words that are built in (words.model, written by tools/words):
 * a text's is the sum of those of its pieces, in whatever order. They say less
 * than an encoder with layers, and are a thousand times as fast. NULL: the
 * processor, or memory, cannot have them.
 */
const struct encoder *encoder_words(void);

/* Numbers of a vector. */
size_t encoder_width(const struct encoder *e);
/* Tells models apart: their weights' checksum. */
uint64_t encoder_name(const struct encoder *e);
/* What computes: "AVX2" … */
const char *encoder_kernel(const struct encoder *e);

/* The vector of n bytes of text, of length 1, into out (encoder_width
 * numbers). ERR_NOMEM; ERR_MALFORMED: the weights make none. */
MUST_CHECK enum err encode(const struct encoder *e, const char *text, size_t n,
                           float *out);

/* A text's pieces as it uses them, each a row of encoder_width numbers of
 * length 1. */
struct meant {
    size_t count;
    float *rows;
    size_t *at; /* the byte of the text where the word of each begins */
    struct meant_seen *seen; /* how near words were that came (encoder.c);
                                NULL with layers */
};

/* encode, and those pieces, into a. */
MUST_CHECK enum err encode_pieces(const struct encoder *e, const char *text,
                                  size_t n, struct arena *a, float *out,
                                  struct meant *pieces);

/* How near to each of some pieces the nearest one of n bytes of text comes, as
 * a cosine, into out; -1 where text has no word. And the text's vector, as
 * encode makes it. Errors likewise. */
MUST_CHECK enum err encode_nearest(const struct encoder *e,
                                   const struct meant *pieces, const char *text,
                                   size_t n, float *out, float *vector);

/* The same of vectors of words, for a text that is part of several: near[i] is
 * raised to what the text has, and its words' rows are added to sum. */
void encode_words(const struct encoder *e, const struct meant *pieces,
                  const char *text, size_t n, float *near, float *sum);

/* The same as encode over a mapped file (model_file.h), with a kernel of the
 * caller's choice (kernel.h). */
struct model_file;
MUST_CHECK enum err encode_by(const struct model_file *m,
                              const struct kernel *k, const char *text,
                              size_t n, float *out);

#endif
