/* libFuzzer target: sitemap bytes, plain or gzipped. */
#include "base/url.h"
#include "crawl/sitemap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sitemap m;
    struct arena a;

    arena_init(&a, 192 << 20);
    if (sitemap_parse((const char *)data, size, &a, &m) == ERR_OK) {
        if (m.count > SITEMAP_URLS_MAX)
            abort();
        for (size_t i = 0; i < m.count; i++)
            if (m.locs[i] == NULL || strlen(m.locs[i]) > URL_MAX)
                abort();
    }
    arena_fini(&a);
    return 0;
}
