/* libFuzzer target: robots.txt bytes, and a path from their end. */
#include "net/robots.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t path_len = size > 64 ? 64 : size / 2;
    char path[66] = "/";
    struct robots r;
    struct arena a;

    memcpy(path + 1, data + size - path_len, path_len);
    path[1 + path_len] = '\0';
    arena_init(&a, 64 << 20);
    if (robots_parse((const char *)data, size, "cited", &a, &r) == ERR_OK) {
        (void)robots_allows(&r, path);
        if (!robots_allows(&r, "/robots.txt") || r.crawl_delay > 60)
            abort();
        for (size_t i = 0; i < r.sitemap_count; i++)
            if (r.sitemaps[i] == NULL)
                abort();
    }
    arena_fini(&a);
    return 0;
}
