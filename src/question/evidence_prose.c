/*
 * Does a text read like a sentence of a page, and not like a menu, a table or
 * code? See evidence.h. Pure. Called by answer_extract.
 */
#include "question/evidence.h"

#include "base/str.h"
#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

/* Bytes that prose has few of and code, tables and menus have many of. */
static size_t odd_bytes(const char *p, size_t n)
{
    static const bool is_odd[256] = {
        ['{'] = true, ['}'] = true, ['['] = true, [']'] = true, ['<'] = true,
        ['>'] = true, ['='] = true, ['|'] = true, [';'] = true, ['\\'] = true,
        ['_'] = true, ['#'] = true, ['$'] = true, ['&'] = true, ['*'] = true,
        ['/'] = true, ['~'] = true, ['^'] = true};
    size_t odd = 0;

    for (size_t i = 0; i < n; i++)
        odd += is_odd[(unsigned char)p[i]];
    return odd;
}

/* Does it end as a sentence does? */
static bool is_closed(const char *p, size_t n)
{
    return n > 0 &&
           (strchr(".!?\"')]", p[n - 1]) != NULL || sentence_is_closed(p, n));
}

enum { FIRST_NOT_LATIN = 0xCE }; /* byte of a letter in UTF-8 */

/* Has a text without English stop words those of another language? Russian
 * does with few, unspaced scripts have none that are words of their own. */
static bool is_foreign_prose(const char *p, size_t n)
{
    size_t words = 0, stops[LANG_RU + 1] = {0};
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    for (; tokens_next(&it, &t); words++) {
        unsigned in = languages_of_stop(t.text, t.len);

        for (int l = LANG_EN + 1; in != 0 && l <= LANG_RU; l++)
            stops[l] += in >> l & 1;
        if ((unsigned char)t.text[0] >= FIRST_NOT_LATIN)
            return true;
    }
    for (int l = LANG_EN + 1; l <= LANG_RU; l++)
        if (stops[l] * 6 >= words && (stops[l] > 1 || words < 8))
            return true;
    return false;
}

/* Ends in the middle of what follows: "…, and", "as follows:". */
static bool is_open_ended(const char *p, size_t n)
{
    static const char *const ends[] = {",", ";", " and", " or", ":", NULL};

    for (size_t i = 0; ends[i] != NULL; i++) {
        size_t k = strlen(ends[i]);

        if (n > k && memcmp(p + n - k, ends[i], k) == 0)
            return true;
    }
    return false;
}

/* Does code go on so at p[i]? *open: where the last bracket opened, or 0. */
static bool is_code_mark(const char *z, size_t i, size_t len, size_t *open)
{
    const char *p = z + i;
    size_t n = len - i;

    switch (p[0]) {
    case '"':
    case '\'':
        return p[1] == ':';
    case '(':
        *open = i;
        return n > 2 && p[1] == ')' && p[2] == ';';
    case ')':
        /* "name(…);": a call, where a remark in brackets stands apart from the
         * word before it. */
        return p[1] == ';' && *open > 0 &&
               (ascii_is_alnum(z[*open - 1]) || z[*open - 1] == '_');
    case '{':
        return p[1] == '"';
    case '&':
        return p[1] == '&';
    case '|':
        return i > 0 && z[i - 1] == ' ' && p[1] == ' ';
    case '=':
        return p[1] == '>';
    default:
        return false;
    }
}

/* A command, its options, an object literal: it holds a question's words
 * without saying anything. */
static bool is_code(const char *p, size_t n)
{
    static const bool may_be[256] = {
        ['"'] = true, ['\''] = true, ['('] = true, [')'] = true,
        ['{'] = true, ['&'] = true,  ['|'] = true, ['='] = true};
    size_t open = 0;

    if (strchr("#$`{<@\\", p[0]) != NULL ||
        (p[0] == '[' && n > 1 && !ascii_is_digit(p[1])) ||
        (p[0] == '-' && n > 1 && !ascii_is_space(p[1])))
        return true;
    for (size_t i = 0; i + 1 < n; i++)
        if (may_be[(unsigned char)p[i]] && is_code_mark(p, i, n, &open))
            return true;
    return false;
}

static bool ends_with(const char *p, size_t n, const char *end)
{
    size_t k = strlen(end);

    return n >= k && memcmp(p + n - k, end, k) == 0;
}

static size_t first_word_bytes(const char *p, size_t n)
{
    size_t i = 0;

    while (i < n && !ascii_is_space(p[i]))
        i++;
    return i;
}

enum { ENOUGH = 12 }; /* words of a sentence that may do without an end */

double evidence_prose(const char *p, size_t n)
{
    struct term_iter it;
    struct term t;
    size_t words = 0, stops = 0;
    double score = 1.0;

    /* More of them say no more. */
    terms_init(&it, p, n);
    while ((words < ENOUGH || stops == 0) && tokens_next(&it, &t)) {
        words++;
        stops += stops == 0 && term_is_stop(t.text, t.len) ? 1 : 0;
    }
    if (words == 0)
        return 0;
    if (is_code(p, n))
        score *= 0.3;
    if (words < 4)
        score *= 0.4;
    else if (words < 6 && !is_closed(p, n))
        score *= 0.75;
    else if (words < ENOUGH && !is_closed(p, n))
        score *= 0.8;
    if (stops == 0 && !is_foreign_prose(p, n))
        score *= 0.6;
    if (odd_bytes(p, n) * 12 > n)
        score *= 0.5;
    if (strchr("*/#|=+", p[0]) != NULL ||
        mem_find(p, n, "\xE2\x86\x92") != NULL) /* an arrow */
        score *= 0.6;
    if (first_word_bytes(p, n) > 30 &&
        (unsigned char)p[0] < 0xE0) /* an identifier, a path */
        score *= 0.5;
    if (p[n - 1] == '?' || ends_with(p, n, "\xEF\xBC\x9F"))
        score *= 0.4;
    if (is_open_ended(p, n))
        score *= 0.6;
    return score;
}
