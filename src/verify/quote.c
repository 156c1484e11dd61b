/* Words in a text whatever its typography; see quote.h. */
#include "verify/quote.h"

#include "base/str.h"

#include <string.h>

/* What a character of typography is in plain text: NULL as it is, "" nothing.
 */
static const char *plain_of(uint32_t cp)
{
    switch (cp) {
    case 0xA0:
    case 0x2007:
    case 0x2009:
    case 0x202F:
    case 0x3000:
        return " ";
    case 0xAD:
    case 0x200B:
    case 0x2060:
    case 0xFEFF:
        return "";
    case 0x2018:
    case 0x2019:
    case 0x201A:
    case 0x2032:
        return "'";
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0xAB:
    case 0xBB:
        return "\"";
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2014:
    case 0x2212:
        return "-";
    default:
        return NULL;
    }
}

bool plain_read(const char *p, size_t n, struct arena *a, struct plain *out)
{
    *out = (struct plain){.source = p, .source_n = n};
    if (n >= UINT32_MAX)
        return false;
    out->z = arena_alloc(a, n + 1);
    out->at = arena_array(a, n + 1, sizeof(*out->at));
    if (out->z == NULL || out->at == NULL)
        return false;
    for (size_t i = 0, len; i < n; i += len) {
        uint32_t cp;
        const char *z;

        len = utf8_decode(p + i, n - i, &cp);
        z = ascii_is_space(p[i]) ? " " : plain_of(cp);
        if (z != NULL && *z == ' ' &&
            (out->n == 0 || out->z[out->n - 1] == ' '))
            continue;
        for (size_t k = 0; z == NULL ? k < len : z[k] != '\0'; k++) {
            out->at[out->n] = (uint32_t)(i + (z == NULL ? k : 0));
            out->z[out->n++] = z == NULL ? p[i + k] : z[k];
        }
    }
    while (out->n > 0 && out->z[out->n - 1] == ' ')
        out->n--;
    out->z[out->n] = '\0';
    return true;
}

/* Where the character ends in the source whose last byte is z[i]. */
static size_t end_of(const struct plain *t, size_t i)
{
    const char *p = t->source + t->at[i];
    uint32_t cp;

    /* A lead byte here is that of a character that became another one. */
    return t->at[i] + ((unsigned char)*p < 0xC0
                           ? 1
                           : utf8_decode(p, t->source_n - t->at[i], &cp));
}

bool plain_find(const struct plain *text, const struct plain *what, size_t *at,
                struct span *where)
{
    const char *z;
    size_t from, end;

    if (what->n == 0 || *at >= text->n)
        return false;
    z = memmem(text->z + *at, text->n - *at, what->z, what->n);
    if (z == NULL)
        return false;
    from = (size_t)(z - text->z);
    *at = from + 1;
    end = from + what->n;
    where->start = text->at[from];
    where->len = end_of(text, end - 1) - where->start;
    return true;
}
