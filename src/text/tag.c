/* Names of elements; see tag.h. */
#include "text/tag.h"

#include "base/str.h"

#include <string.h>

enum { NAME_MAX_BYTES = 10 /* blockquote, figcaption */ };

#define TAG_NAME(id, name, kind) #name,
static const char *const names[TAG_COUNT] = {TAGS(TAG_NAME) ""};
#undef TAG_NAME

#define TAG_KIND(id, name, kind) kind,
static const uint16_t kinds[TAG_COUNT] = {TAGS(TAG_KIND) 0};
#undef TAG_KIND

enum tag tag_find(const char *name, size_t n)
{
    char z[NAME_MAX_BYTES + 1] = {0};
    size_t lo = 0, hi = TAG_UNKNOWN;

    if (n > NAME_MAX_BYTES)
        return TAG_UNKNOWN;
    for (size_t i = 0; i < n; i++)
        z[i] = ascii_lower(name[i]);
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int c = strcmp(z, names[mid]);

        if (c == 0)
            return (enum tag)mid;
        if (c < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return TAG_UNKNOWN;
}

const char *tag_name(enum tag tag)
{
    return names[tag];
}

unsigned tag_kind(enum tag tag)
{
    return kinds[tag];
}
