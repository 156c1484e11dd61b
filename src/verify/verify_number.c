/* Numbers, units and months of a text; see support.h. */
#include "lang/words.h"
#include "reading/unit.h"
#include "verify/support.h"

#include "base/str.h"
#include "text/terms.h"

#include <string.h>

/* The digit at i, -1 if none; *len gets its bytes. */
static int digit_at(const char *p, size_t n, size_t i, size_t *len)
{
    *len = 1;
    if (i < n && ascii_is_digit(p[i]))
        return p[i] - '0';
    *len = 3;
    /* Full width: U+FF10-U+FF19. */
    if (i + 2 < n && memcmp(p + i, "\xEF\xBC", 2) == 0 &&
        (unsigned char)p[i + 2] >= 0x90 && (unsigned char)p[i + 2] <= 0x99)
        return (unsigned char)p[i + 2] - 0x90;
    return -1;
}

/* Is the comma or point at p[i] inside a number? */
static bool joins_digits(const char *p, size_t n, size_t i)
{
    return i + 1 < n && ascii_is_digit(p[i + 1]) &&
           (p[i] == ',' || p[i] == '.');
}

/* Exactly three digits at i? */
static bool three_follow(const char *p, size_t n, size_t i)
{
    size_t digits = 0;

    while (i + digits < n && digits < 4 && ascii_is_digit(p[i + digits]))
        digits++;
    return digits == 3;
}

/* Bytes of what groups thousands at i; 0 if nothing does: "1,000", but not
 * "1,2"; on the continent "1.000" and "1 000", also with a space that does
 * not break. */
static size_t group_mark(const char *p, size_t n, size_t i, bool continental)
{
    size_t len = i >= n                                               ? 0
                 : p[i] == (continental ? '.' : ',')                  ? 1
                 : !continental                                       ? 0
                 : p[i] == ' '                                        ? 1
                 : n - i > 2 && memcmp(p + i, "\xC2\xA0", 2) == 0     ? 2
                 : n - i > 3 && memcmp(p + i, "\xE2\x80\xAF", 3) == 0 ? 3
                                                                      : 0;

    return len > 0 && three_follow(p, n, i + len) ? len : 0;
}

static void number_trim(struct verify_number *out)
{
    char *dot = strchr(out->z, '.');
    size_t n = strlen(out->z);

    if (dot == NULL)
        return;
    while (n > 0 && out->z[n - 1] == '0')
        out->z[--n] = '\0';
    if (n > 0 && out->z[n - 1] == '.')
        out->z[n - 1] = '\0';
}

/* Read the number that begins at p[i], a digit. */
static void number_read(const char *p, size_t n, size_t i, bool continental,
                        struct verify_number *out)
{
    char point = continental ? ',' : '.';
    size_t k = 0;

    out->start = i;
    for (;;) {
        size_t len;
        int d = digit_at(p, n, i, &len);

        if (d >= 0 && k < VERIFY_NUMBER_MAX) {
            out->z[k++] = (char)('0' + d);
        } else if (d < 0 && (len = group_mark(p, n, i, continental)) == 0) {
            if (i >= n || p[i] != point || !joins_digits(p, n, i))
                break;
            len = 1;
            if (k < VERIFY_NUMBER_MAX)
                out->z[k++] = '.';
        }
        i += len;
    }
    out->z[k] = '\0';
    out->end = i;
    number_trim(out);
}

bool verify_is_continental(const char *p, size_t n, bool other)
{
    const char *code = text_language(p, n);
    enum lang l = lang_of_tag(code);

    return code[0] == '\0' ? other : l != LANG_EN && l < LANG_ZH;
}

bool verify_number_next(const char *p, size_t n, bool continental, size_t *at,
                        struct verify_number *out)
{
    for (size_t i = *at; i < n; i++) {
        size_t len;

        if (digit_at(p, n, i, &len) < 0 ||
            (i > 0 && (ascii_is_alnum(p[i - 1]) || p[i - 1] == '_')))
            continue;
        number_read(p, n, i, continental, out);
        *at = out->end;
        return true;
    }
    return false;
}

const char *verify_unit_of(const char *z)
{
    const struct measure *unit = unit_find(z);

    return unit == NULL ? NULL : unit->name;
}

/* The unit behind a number: a word, or the percent sign. */
const char *verify_unit_after(const char *p, size_t n, size_t at)
{
    struct term_iter it;
    struct term t;

    if (at < n && p[at] == '%')
        return "percent";
    if (at < n && (p[at] == ' ' || p[at] == '-'))
        at++;
    if (at >= n || !ascii_is_alpha(p[at]))
        return NULL;
    terms_init(&it, p + at, n - at < TERM_MAX ? n - at : (size_t)TERM_MAX);
    return tokens_next(&it, &t) && t.start == 0 ? verify_unit_of(t.text) : NULL;
}

int verify_month_of(const char *z)
{
    int month = 0;

    for (int l = LANG_EN; l < LANG_COUNT && month == 0; l++)
        month = question_month((enum lang)l, z);
    return month;
}
