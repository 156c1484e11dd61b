/* The class of a page; see page_class.h. */
#include "text/page_class.h"

#include "base/str.h"
#include "text/passage.h"

#include <stdint.h>
#include <string.h>

enum { CODE_LEAST = 1500 }; /* bytes: what is shorter may be an example */

/* What titles and headings of lists of changes say; lower case in ASCII. */
static const char *const change_words[] = {
    "changelog",        "change log",          "changes in ",
    "changes to ",      "release notes",       "release history",
    "version history",  "what's new",          "what\xE2\x80\x99s new",
    "what is new in",   "versionshinweise",    "neuerungen in",
    "notes de version", "nouveaut\xC3\xA9s d", "notas de la versi\xC3\xB3n",
    "novedades de",
};

static const char *const source_words[] = {
    "bibliography", "works cited", "literaturverzeichnis", "bibliographie",
    ("bibliograf\xC3\xAD"
     "a")};

/* What an entry of a bibliography has beside a year. */
static const char *const source_marks[] = {"ISBN", "ISSN",   "doi",   "et al",
                                           "Proc", "Vol.",   " pp. ", "Press",
                                           "Conf", "Journal"};

/* Words of two letters or more. */
static bool has_any(const char *z, size_t n, const char *const *words,
                    size_t count)
{
    uint32_t second[32] = {0}; /* letters, by the one before */

    for (size_t i = 0; i < count; i++)
        second[words[i][0] & 31] |= 1u << (words[i][1] & 31);
    for (size_t at = 0; at + 1 < n; at++) {
        if ((second[z[at] & 31] >> (z[at + 1] & 31) & 1) == 0)
            continue;
        for (size_t i = 0; i < count; i++) {
            struct str here = {z + at, 0};

            if (((words[i][0] ^ z[at]) & 31) != 0)
                continue;
            here.n = strlen(words[i]);
            if (here.n <= n - at && str_ieq(here, words[i]))
                return true;
        }
    }
    return false;
}

#define HAS_ANY(z, n, list) has_any(z, n, list, sizeof(list) / sizeof(list)[0])

/* "Release 15.10" anywhere, or "3.8.1 (2024-05-17)", "Version 2.1" and little
 * else: a number with a mark in it. */
static bool is_release(const char *z)
{
    const char *release = mem_find_i(z, strlen(z), "release ");
    size_t n, marks = 0, figures = 0;

    if (release != NULL && ascii_is_digit(release[8]))
        return true;
    if (ascii_starts_i(z, "version "))
        z += strlen("version ");
    n = strlen(z);
    for (size_t i = 0; i < n; i++) {
        figures += ascii_is_digit(z[i]);
        marks += i > 0 && (z[i] == '.' || z[i] == '-') &&
                 ascii_is_digit(z[i - 1]) && ascii_is_digit(z[i + 1]);
    }
    return marks > 0 && figures * 2 >= n;
}

/* 1900 to 2099. */
static bool has_year(const char *z, size_t n)
{
    /* Where a year's last figure may stand: what is none is in no year. */
    for (size_t i = 3; i < n; i += ascii_is_digit(z[i]) ? 1 : 4)
        if (ascii_is_digit(z[i]) && ascii_is_digit(z[i - 1]) &&
            ((z[i - 3] == '1' && z[i - 2] == '9') ||
             (z[i - 3] == '2' && z[i - 2] == '0')))
            return true;
    return false;
}

static bool is_source(const char *z, size_t n)
{
    return n < 600 && has_year(z, n) && HAS_ANY(z, n, source_marks);
}

/* Any of the headings in a path. */
static bool is_below_release(const char *path)
{
    char one[64];

    while (*path != '\0') {
        const char *end = strstr(path, " > ");
        size_t n = end == NULL ? strlen(path) : (size_t)(end - path);

        if (n < sizeof one) {
            memcpy(one, path, n);
            one[n] = '\0';
            if (is_release(one))
                return true;
        }
        path += end == NULL ? n : n + 3;
    }
    return false;
}

void page_shape_add(struct page_shape *s, const char *heading, const char *text,
                    const char *parts)
{
    size_t n = strlen(text);
    struct passage_part part;

    s->bytes += n;
    if (s->heading == NULL || strcmp(s->heading, heading) != 0)
        s->changes = is_below_release(heading) ||
                     HAS_ANY(heading, strlen(heading), change_words);
    s->heading = heading;
    if (s->changes)
        s->releases += n;
    while (parts != NULL && passage_part_next(&parts, n, &part)) {
        if (part.kind == 'c')
            s->code += part.len;
        if (part.links)
            s->links += part.len;
        else if (is_source(text + part.start, part.len))
            s->sources += part.len;
    }
}

enum page_class page_shape_class(const struct page_shape *s, const char *title)
{
    size_t n = strlen(title);

    if (s->links * 3 > s->bytes * 2)
        return PAGE_LINKS;
    if (s->releases * 2 > s->bytes || HAS_ANY(title, n, change_words) ||
        is_release(title))
        return PAGE_CHANGES;
    if (s->sources * 2 > s->bytes || HAS_ANY(title, n, source_words))
        return PAGE_SOURCES;
    if (s->bytes > CODE_LEAST && s->code * 20 > s->bytes * 19)
        return PAGE_CODE;
    return PAGE_TEXT;
}
