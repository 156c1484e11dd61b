/* The class of a page; see page_class.h. */
#include "text/page_class.h"

#include "base/str.h"
#include "text/passage.h"

#include <string.h>

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

static bool has_any(const char *z, size_t n, const char *const *words,
                    size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (mem_find_i(z, n, words[i]) != NULL)
            return true;
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

static bool is_source(const char *z, size_t n)
{
    bool year = false;

    for (size_t i = 0; n < 600 && i + 4 <= n && !year; i++)
        year = ((z[i] == '1' && z[i + 1] == '9') ||
                (z[i] == '2' && z[i + 1] == '0')) &&
               ascii_is_digit(z[i + 2]) && ascii_is_digit(z[i + 3]);
    return year && HAS_ANY(z, n, source_marks);
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
    return PAGE_TEXT;
}
