/*
 * Names of options, functions and settings in a question: "--all",
 * "work_mem", "list.sort()", "RowStore". The tokenizer takes them apart; here
 * they stay as written. Called by answer/units.c and object/structured_field.c.
 */
#include "question/identifier.h"

#include "base/str.h"

#include <string.h>

enum { SHORTEST = 3 };

/* What belongs to a name and is no letter. */
static bool joins(char c)
{
    return c == '_' || c == '.' || c == ':' || c == '-';
}

static bool is_camel(char before, char c)
{
    return before >= 'a' && before <= 'z' && c >= 'A' && c <= 'Z';
}

/* A full stop between two words, not within "e.g.". */
static bool parts(struct str s, size_t i)
{
    return s.p[i] == '.' && i > 1 && i + 2 < s.n &&
           ascii_is_alpha(s.p[i - 1]) && ascii_is_alpha(s.p[i + 1]);
}

/* Without what the sentence put around it, or the call behind it. */
static struct str bare(const char *p, size_t n)
{
    size_t to = 0;

    while (n > 0 && !ascii_is_alnum(*p) && *p != '-' && *p != '.' && *p != '_')
        p++, n--;
    while (to < n && ((unsigned char)p[to] >= 0x80 || ascii_is_alnum(p[to]) ||
                      joins(p[to])))
        to++;
    while (to > 0 && (p[to - 1] == '.' || p[to - 1] == ':' || p[to - 1] == '-'))
        to--;
    return (struct str){p, to};
}

static bool is_identifier(struct str s)
{
    size_t letters = 0;

    for (size_t i = 0; i < s.n; i++)
        letters += (unsigned char)s.p[i] >= 0x80 || ascii_is_alpha(s.p[i]);
    if (s.n < SHORTEST || letters == 0)
        return false;
    if (s.p[0] == '-' || s.p[0] == '.')
        return ascii_is_alpha(s.p[1]) || s.p[1] == '-';
    for (size_t i = 1; i + 1 < s.n; i++)
        if (s.p[i] == '_' || s.p[i] == ':' || parts(s, i) ||
            is_camel(s.p[i - 1], s.p[i]))
            return true;
    return false;
}

size_t identifiers_read(const char *text, struct str *out, size_t max)
{
    size_t n = 0;

    for (const char *p = text; *p != '\0' && n < max;) {
        size_t len = strcspn(p, " \t\n\r");
        struct str s = bare(p, len);

        if (is_identifier(s))
            out[n++] = s;
        p += len;
        p += strspn(p, " \t\n\r");
    }
    return n;
}

bool identifier_in(struct str name, const char *p, size_t n)
{
    const char *end = p + n;

    while ((p = memmem(p, (size_t)(end - p), name.p, name.n)) != NULL) {
        const char *behind = p + name.n;

        if (behind == end || !(ascii_is_alnum(*behind) || *behind == '_'))
            return true;
        p = behind;
    }
    return false;
}
