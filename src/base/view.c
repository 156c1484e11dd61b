/* Looking at pieces of a text; see str.h. */
#include "base/str.h"

#include <string.h>

struct str view_of(const char *p, size_t n)
{
    struct str s = {p, n};

    return str_trim(s);
}

struct str view_from(struct str s, size_t at)
{
    return at >= s.n ? view_of(s.p + s.n, 0) : view_of(s.p + at, s.n - at);
}

bool view_line(const char **p, const char *end, struct str *line)
{
    const char *nl;

    if (*p >= end)
        return false;
    nl = memchr(*p, '\n', (size_t)(end - *p));
    *line = view_of(*p, (size_t)((nl == NULL ? end : nl) - *p));
    *p = nl == NULL ? end : nl + 1;
    return true;
}

static bool at_border(struct str s, size_t i)
{
    return i >= s.n || (!ascii_is_alnum((unsigned char)s.p[i]) &&
                        ((unsigned char)s.p[i] & 0x80) == 0);
}

/* Length of word at the start of s when it stands there whole, else 0. A
 * blank in word stands for one blank. */
size_t view_starts(struct str s, const char *word)
{
    size_t n = strlen(word);

    if (n > s.n)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (ascii_lower(s.p[i]) != word[i])
            return 0;
    return at_border(s, n) || word[n - 1] == ' ' ? n : 0;
}

size_t view_starts_any(struct str s, const char *const *words)
{
    size_t best = 0;

    for (; words != NULL && *words != NULL; words++) {
        size_t n = view_starts(s, *words);

        best = n > best ? n : best;
    }
    return best;
}

/* Offset of needle (lower case) in s, from the front or the back; s.n when
 * it is not there. */
size_t view_find(struct str s, const char *needle)
{
    const char *p = mem_find_i(s.p, s.n, needle);

    return p == NULL ? s.n : (size_t)(p - s.p);
}

size_t view_find_last(struct str s, const char *needle)
{
    size_t last = s.n, at = 0;

    while (at < s.n) {
        struct str rest = {s.p + at, s.n - at};
        size_t i = view_find(rest, needle);

        if (i == rest.n)
            break;
        last = at + i;
        at = last + 1;
    }
    return last;
}

struct str view_trim_marks(struct str s)
{
    while (s.n > 0 && strchr("?.!,;: ", s.p[s.n - 1]) != NULL)
        s.n--;
    return s;
}

size_t view_words(struct str s)
{
    size_t words = 0;

    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] != ' ' && (i == 0 || s.p[i - 1] == ' '))
            words++;
    return words;
}

bool view_same(struct str a, struct str b)
{
    return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}
