/* What stands in the file of vectors; see vectors_file.h. */
#include "meaning/vectors_file.h"

#include <math.h>
#include <string.h>

static const char magic[8] = "citedvec";

static size_t up(size_t n)
{
    return (n + VECTORS_PAGE - 1) / VECTORS_PAGE * VECTORS_PAGE;
}

size_t vectors_words(size_t width)
{
    return (width + 63) / 64;
}

struct vectors_block vectors_block_of(size_t width)
{
    struct vectors_block b;

    b.scales = VECTORS_ROWS * sizeof(int64_t);
    b.signs = b.scales + VECTORS_ROWS * sizeof(float);
    b.bytes = b.signs + VECTORS_ROWS * vectors_words(width) * sizeof(uint64_t);
    b.size = up(b.bytes + VECTORS_ROWS * width);
    return b;
}

float vectors_shorten(const float *x, size_t width, int8_t *out)
{
    float most = 0, scale;

    for (size_t k = 0; k < width; k++)
        most = fabsf(x[k]) > most ? fabsf(x[k]) : most;
    scale = most > 0 ? most / 127.0f : 1.0f;
    for (size_t k = 0; k < width; k++)
        out[k] = (int8_t)lrintf(x[k] / scale);
    return scale;
}

void vectors_signs(const float *x, size_t width, uint64_t *out)
{
    memset(out, 0, vectors_words(width) * sizeof *out);
    for (size_t k = 0; k < width; k++)
        out[k / 64] |= (uint64_t)(x[k] > 0) << k % 64;
}

void vectors_head_make(struct vectors_head *h, uint64_t name, size_t width)
{
    memset(h, 0, sizeof *h);
    memcpy(h->magic, magic, sizeof magic);
    h->version = VECTORS_VERSION;
    h->width = (uint32_t)width;
    h->name = name;
}

bool vectors_head_is_good(const struct vectors_head *h, uint64_t name,
                          size_t width, uint64_t size)
{
    uint64_t blocks = (h->count + VECTORS_ROWS - 1) / VECTORS_ROWS;

    return memcmp(h->magic, magic, sizeof magic) == 0 &&
           h->version == VECTORS_VERSION && h->width == width &&
           h->name == name && h->count < UINT64_MAX / (1 << 24) &&
           size >= VECTORS_PAGE &&
           (size - VECTORS_PAGE) / vectors_block_of(width).size >= blocks;
}
