/*
 * libFuzzer: a sitemap as its server compresses it, whole, then damaged or cut
 * at a place that the first two bytes name. Compressed bytes that a fuzzer
 * finds by itself hardly ever decompress.
 */
#include "fuzz.h"

#include "base/url.h"
#include "crawl/sitemap.h"

#include <zlib.h>

enum { INPUT_MAX = 4096, PACKED_MAX = 2 * INPUT_MAX };

static size_t packed(struct str in, unsigned char *out)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)in.p,
                  .avail_in = (unsigned)in.n,
                  .next_out = out,
                  .avail_out = PACKED_MAX};

    HOLDS(deflateInit2(&z, 1, Z_DEFLATED, MAX_WBITS + 16, 8,
                       Z_DEFAULT_STRATEGY) == Z_OK);
    HOLDS(deflate(&z, Z_FINISH) == Z_STREAM_END);
    HOLDS(deflateEnd(&z) == Z_OK);
    return PACKED_MAX - z.avail_out;
}

static enum err parse(const void *p, size_t n, struct arena *a,
                      struct sitemap *out)
{
    /* Of their own, so that a read beyond their end is seen. */
    char *copy = malloc(n + (n == 0));
    enum err e;

    HOLDS(copy != NULL);
    memcpy(copy, p == NULL ? "" : p, n);
    e = sitemap_parse(copy, n, a, out);
    free(copy);
    HOLDS(e == ERR_OK || e == ERR_MALFORMED || e == ERR_TOO_LARGE);
    for (size_t i = 0; e == ERR_OK && i < out->count; i++)
        HOLDS(out->locs[i] != NULL && strlen(out->locs[i]) <= URL_MAX);
    return e;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str in = {(const char *)data, size > INPUT_MAX ? INPUT_MAX : size};
    unsigned at = fuzz_take(&in) << 8 | fuzz_take(&in);
    unsigned char gz[PACKED_MAX];
    struct sitemap plain = {0}, whole = {0}, hurt = {0};
    struct arena a;
    size_t n;
    enum err e;

    arena_init(&a, 192 << 20);
    n = packed(in, gz);
    e = parse(in.p, in.n, &a, &plain);
    /* What is gzipped once more inside is no sitemap. */
    if (in.n < 2 || memcmp(in.p, "\x1F\x8B", 2) != 0) {
        HOLDS(parse(gz, n, &a, &whole) == e);
        HOLDS(e != ERR_OK || whole.count == plain.count);
    }
    (void)parse(gz, at % n, &a, &hurt);
    gz[at % n] ^= (unsigned char)(1U << (at >> 13));
    (void)parse(gz, n, &a, &hurt);
    arena_fini(&a);
    return 0;
}
