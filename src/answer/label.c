/* Headings ahead of what is quoted; see label.h. */
#include "answer/label.h"

#include "base/str.h"
#include "page/injection.h"
#include "text/passage.h"

#include <string.h>

const char *label_name(const char *path)
{
    const char *z = heading_last(path);
    size_t digits = strspn(z, "0123456789.");

    return z + (digits > 0 && z[digits] == ' ' ? digits + 1 : 0);
}

bool label_may_be_said(const char *label)
{
    size_t n = strlen(label);

    return n > 0 && n <= LABEL_BYTES && !injection_is(label, n);
}

/* "max_wal_size": an underscore inside a word marks nothing. */
static bool is_inside(const char *text, const char *z)
{
    return *z == '_' && z > text && ascii_is_alnum(z[-1]) &&
           ascii_is_alnum(z[1]);
}

const char *label_escaped(const char *text, struct arena *a)
{
    char *out = arena_alloc(a, 2 * strlen(text) + 1);
    size_t n = 0;

    if (out == NULL)
        return NULL;
    for (const char *z = text; *z != '\0'; z++) {
        if (strchr("\\`*_[]<>#|", *z) != NULL && !is_inside(text, z))
            out[n++] = '\\';
        out[n++] = *z;
    }
    out[n] = '\0';
    return out;
}

const char *label_line(const char *label, struct arena *a)
{
    const char *z = label_escaped(label, a);

    return z == NULL ? NULL : arena_printf(a, "*%s*", z);
}
