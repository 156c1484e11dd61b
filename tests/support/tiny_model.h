/*
 * An encoder of a few words with made-up weights, for tests and fuzzers: the
 * same ones every time.
 */
#ifndef CITED_TESTS_TINY_MODEL_H
#define CITED_TESTS_TINY_MODEL_H

#include "meaning/model_file.h"

#include <stdlib.h>

static const char *const tiny_words[] = {"[PAD]",
                                         "[UNK]",
                                         "[CLS]",
                                         "[SEP]",
                                         "the",
                                         "read",
                                         "##ing",
                                         "##er",
                                         "file",
                                         "##s",
                                         "cafe",
                                         "\xc3\xb8",
                                         "3",
                                         "##1",
                                         "##4",
                                         ".",
                                         "'",
                                         "don",
                                         "t",
                                         "a",
                                         "##a",
                                         "##b",
                                         "#",
                                         "\xe6\x9d\xb1",
                                         "b",
                                         "wr",
                                         "##ite",
                                         "?",
                                         "\xe2\x80\x94",
                                         "data"};

enum { TINY_WORDS = sizeof tiny_words / sizeof tiny_words[0] };

/* Numbers of about size, some of them ten times as large (xorshift64); of room
 * that is never given back. */
static const float *tiny_numbers(size_t count, float size)
{
    static float room[1 << 18];
    static size_t used;
    static uint64_t state = 88172645463325252u;
    float *v = room + used;

    used += count;
    if (used > sizeof room / sizeof room[0])
        abort();
    for (size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        v[i] = size * (float)((double)(int64_t)state / 9.2e18) *
               (i % 61 == 0 ? 10.0f : 1.0f);
    }
    return v;
}

static struct source_matrix tiny_matrix(size_t in, size_t out)
{
    return (struct source_matrix){tiny_numbers(in * out, 0.1f),
                                  tiny_numbers(out, 0.1f)};
}

static struct model_source tiny_source(uint32_t width, uint32_t heads,
                                       uint32_t inner, uint32_t layers,
                                       uint32_t positions)
{
    struct model_source s = {.shape = {TINY_WORDS, width, layers, heads, inner,
                                       positions, 1, 2, 3, 0},
                             .words = tiny_words,
                             .word = tiny_numbers(TINY_WORDS * width, 1),
                             .position = tiny_numbers(positions * width, 1),
                             .type = tiny_numbers(width, 0.1f),
                             .gain = tiny_numbers(width, 1),
                             .bias = tiny_numbers(width, 0.1f)};

    for (uint32_t i = 0; i < layers; i++) {
        struct source_layer *l = &s.layer[i];

        l->query = tiny_matrix(width, width);
        l->key = tiny_matrix(width, width);
        l->value = tiny_matrix(width, width);
        l->mixed = tiny_matrix(width, width);
        l->up = tiny_matrix(width, inner);
        l->down = tiny_matrix(inner, width);
        l->mixed_gain = tiny_numbers(width, 1);
        l->mixed_bias = tiny_numbers(width, 0.1f);
        l->down_gain = tiny_numbers(width, 1);
        l->down_bias = tiny_numbers(width, 0.1f);
    }
    return s;
}

#endif
