/*
 * Names of options, functions and settings in a question: "--all",
 * "work_mem", "list.sort()", "RowStore". The tokenizer takes them apart; here
 * they stay as written. Called by answer/units.c and object/structured_field.c.
 */
#include "question/identifier.h"

#include "base/str.h"

#include <string.h>

enum { SHORTEST = 3 };

#define BLANKS " \t\n\r"

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
        size_t len = strcspn(p, BLANKS);
        struct str s = bare(p, len);

        if (is_identifier(s))
            out[n++] = s;
        p += len;
        p += strspn(p, BLANKS);
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

/* "enable-remote-toggle": words that hyphens join are a name where something is
 * called so, as nothing is called "read-only". */
static bool is_compound(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!ascii_is_alnum(s.p[i]) && s.p[i] != '-')
            return false;
    return memchr(s.p, '-', s.n) != NULL;
}

/* Is there nothing but the name, what it takes and marks: "$work_mem",
 * "work_mem (integer)", "--all=PATTERN"? */
static bool is_called(struct str s, const char *z, size_t n)
{
    const char *p = memmem(z, n, s.p, s.n), *end = z + n, *behind;

    if (p == NULL)
        return false;
    for (; z < p; z++)
        if (ascii_is_alpha(*z))
            return false;
    behind = p + s.n;
    behind += behind < end && *behind == ' ';
    return behind == end ||
           !(ascii_is_alnum(*behind) || *behind == '_' || *behind == '-');
}

bool identifier_heads(const char *text, const char *p, size_t n)
{
    for (const char *z = text; *z != '\0';) {
        size_t len = strcspn(z, BLANKS);
        struct str s = bare(z, len);

        if ((is_identifier(s) || is_compound(s)) && is_called(s, p, n))
            return true;
        z += len;
        z += strspn(z, BLANKS);
    }
    return false;
}
