/*
 * A finished answer taken apart again, by rules of its own: fenced listings,
 * items and sentences without our numbers, for tests that hold each against
 * the pages it came from.
 */
#ifndef CITED_TESTS_CITED_TEXT_H
#define CITED_TESTS_CITED_TEXT_H

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { CITED_TEXT_MAX = 16384 };

/* Length of " [12]" at z, which begins a line or stands behind a blank. */
static inline size_t cited_mark(const char *z)
{
    size_t i = z[0] == ' ' ? 1 : 0, digits = 0;

    if (z[i] != '[')
        return 0;
    while (isdigit((unsigned char)z[i + 1 + digits]))
        digits++;
    return digits > 0 && z[i + 1 + digits] == ']' ? i + digits + 2 : 0;
}

/* The n bytes at z, which may begin a line, stand in one of the pages: a
 * number in brackets without its backslashes, a sign without its one. */
static inline void assert_stands(const char *z, size_t n,
                                 const char *const *pages, size_t count)
{
    static char plain[CITED_TEXT_MAX];
    size_t len = 0, sign = strspn(z, "0123456789");

    while (n > 0 && isspace((unsigned char)z[n - 1]))
        n--;
    assert_true(n < sizeof plain);
    if (sign + 1 >= n || z[sign] != '\\' ||
        strchr(sign > 0 ? ".)" : "#>-+*=`~", z[sign + 1]) == NULL)
        sign = n;
    for (size_t i = 0; i < n; i++) {
        size_t digits =
            strncmp(z + i, "\\[", 2) == 0 ? strspn(z + i + 2, "0123456789") : 0;

        if (i == sign)
            continue;
        if (digits == 0 || strncmp(z + i + 2 + digits, "\\]", 2) != 0) {
            plain[len++] = z[i];
            continue;
        }
        plain[len++] = '[';
        memcpy(plain + len, z + i + 2, digits);
        len += digits;
        plain[len++] = ']';
        i += digits + 3;
    }
    plain[len] = '\0';
    for (size_t i = 0; i < count; i++)
        if (strstr(pages[i], plain) != NULL)
            return;
    fail_msg("no page says: %s", plain);
}

/* Every part of the answer stands in a page as it is. With numbers only:
 * they part the sentences. */
static inline void assert_verbatim(const char *answer, const char *const *pages,
                                   size_t count)
{
    while (*answer != '\0') {
        size_t n = strcspn(answer, "\n"), from = 0;

        if (strncmp(answer, "```", 3) == 0) {
            size_t ticks = strspn(answer, "`");
            const char *code = answer + ticks + 1, *end = code;

            while ((end = strchr(end, '\n')) != NULL &&
                   (strspn(end + 1, "`") != ticks ||
                    strchr("\n", end[1 + ticks]) == NULL))
                end++;
            assert_non_null(end);
            assert_stands(code, (size_t)(end - code), pages, count);
            answer = end + 1 + ticks;
            continue;
        }
        if (strncmp(answer, "- ", 2) == 0)
            from = 2;
        if (strncmp(answer, "## ", 3) == 0) /* the program's own */
            from = n;
        for (size_t i = from; i < n; i++) {
            size_t mark =
                i == from || answer[i] == ' ' ? cited_mark(answer + i) : 0;

            if (mark == 0)
                continue;
            assert_stands(answer + from, i - from, pages, count);
            from = i + mark + (answer[i + mark] == ' ' ? 1 : 0);
            i = from - 1;
        }
        if (from < n)
            assert_stands(answer + from, n - from, pages, count);
        answer += n + (answer[n] == '\n' ? 1 : 0);
    }
}

#endif
