/*
 * Raised and lowered text as plain text; see raised.h. What was raised behind
 * a number, a variable, a unit or a parenthesis is an exponent; behind other
 * words it is a footnote's mark and the like, and stays as it is. Pure.
 */
#include "text/raised.h"

#include "base/str.h"

#include <stdio.h>
#include <string.h>

enum { BASE_BYTES = 64 }; /* of what is in front that are looked at */

static bool is_one_of(struct str s, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_ieq(s, words[i]))
            return true;
    return false;
}

/* "1st", "n-th", "20e"; trade marks. */
static bool is_ordinal_or_mark(struct str s, char base)
{
    static const char *const words[] = {
        "st",       "nd",           "rd",           "th",          "er",
        "re",       "\xC3\xA8re",   "eme",          "i\xC3\xA8me", "nde",
        "tm",       "sm",           "\xC3\xA8me",   "(tm)",        "(sm)",
        "(r)",      "\xE2\x84\xA2", "\xE2\x84\xA0", "\xC2\xAE",    "\xC2\xA9",
        "\xC2\xAA", "\xC2\xBA"};
    static const char *const after_digit[] = {"e", "o", "a", "r"};

    return is_one_of(s, words, sizeof words / sizeof words[0]) ||
           (ascii_is_digit(base) &&
            is_one_of(s, after_digit, sizeof after_digit / sizeof *words));
}

/* A letter of any script, or a sign such as U+221E. */
static bool is_letter(char c)
{
    return ascii_is_alpha(c) || (unsigned char)c >= 128;
}

static bool is_word_char(char c)
{
    return is_letter(c) || ascii_is_digit(c);
}

/* The bytes of a minus at p, ASCII or not. */
static size_t minus_at(const char *p, size_t n)
{
    if (n > 0 && p[0] == '-')
        return 1;
    return n > 2 && (memcmp(p, "\xE2\x88\x92", 3) == 0 ||
                     memcmp(p, "\xE2\x80\x93", 3) == 0)
               ? 3
               : 0;
}

/* Digits, perhaps with a point and, when sign says so, with a sign before. */
static bool is_number(struct str s, bool sign)
{
    size_t skip = sign && s.n > 0 && s.p[0] == '+' ? 1 : 0, digits = 0;

    if (sign && skip == 0)
        skip = minus_at(s.p, s.n);
    for (size_t i = skip; i < s.n; i++) {
        if (!ascii_is_digit(s.p[i]) && s.p[i] != '.')
            return false;
        digits += ascii_is_digit(s.p[i]);
    }
    return digits > 0;
}

/* "2+", "3-", "+": the charge of an ion. */
static bool is_charge(struct str s)
{
    size_t i = 0;

    while (i < s.n && ascii_is_digit(s.p[i]))
        i++;
    return i < s.n && (s.p[i] == '+' || minus_at(s.p + i, s.n - i) > 0) &&
           i + (s.p[i] == '+' ? 1 : minus_at(s.p + i, s.n - i)) == s.n;
}

/* Only letters and digits, of any script? */
static bool is_plain(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!is_word_char(s.p[i]))
            return false;
    return s.n > 0;
}

/* Numbers, single letters and what joins them: "n+1", "-x/2". */
static bool is_expression(struct str s, bool words)
{
    size_t operands = 0;

    for (size_t i = 0; i < s.n; i++) {
        bool letter = ascii_is_alpha(s.p[i]);

        if (letter && !words && i > 0 && ascii_is_alpha(s.p[i - 1]))
            return false;
        if (!is_word_char(s.p[i]) && strchr("+-*/.()^_ '", s.p[i]) == NULL)
            return false;
        operands += is_word_char(s.p[i]);
    }
    return operands > 0;
}

/* The letters it ends with. */
static struct str last_letters(struct str before)
{
    size_t n = before.n;

    while (n > 0 && is_letter(before.p[n - 1]))
        n--;
    return (struct str){before.p + n, before.n - n};
}

/* "x", the "y" of "2y", the "mc" of "E = mc", the "max" of "v_max". */
static bool ends_with_variable(struct str before)
{
    struct str word = last_letters(before);
    size_t letters = utf8_count(word.p, word.n), n = before.n - word.n;

    if (letters <= 1)
        return letters == 1;
    if (n > 0 && before.p[n - 1] == '_')
        return true;
    if (letters > 3)
        return false;
    if (n > 0 && ascii_is_digit(before.p[n - 1]))
        return true;
    while (n > 0 && before.p[n - 1] == ' ')
        n--;
    return n > 0 && before.p[n - 1] == '=';
}

/* Does what is in front end with a chemical element's sign? */
static bool ends_with_element(struct str before)
{
    size_t n = before.n;

    if (n > 1 && before.p[n - 1] >= 'a' && before.p[n - 1] <= 'z')
        n--;
    return n > 0 && before.p[n - 1] >= 'A' && before.p[n - 1] <= 'Z';
}

static bool is_unit(struct str word)
{
    static const char *const units[] = {
        "cm", "dm", "ft",        "in",        "km",  "mi", "mm",
        "nm", "yd", "\xC2\xB5m", "\xCE\xBCm", "sec", "kg", "hm"};

    return is_one_of(word, units, sizeof units / sizeof units[0]);
}

/* Does it end with "(a+b)", not with words in parentheses? */
static bool ends_with_group(struct str before)
{
    size_t letters = 0;

    if (before.n == 0 || before.p[before.n - 1] != ')')
        return false;
    for (size_t i = before.n - 1; i-- > 0 && before.n - i < 32;) {
        if (before.p[i] == '(')
            return true;
        letters = ascii_is_alpha(before.p[i]) ? letters + 1 : 0;
        if (letters > 2)
            return false;
    }
    return false;
}

static bool is_exponent(struct str before, struct str s)
{
    char base = before.p[before.n - 1];

    if (is_ordinal_or_mark(s, base))
        return false;
    if (is_charge(s) && (ends_with_element(before) || ascii_is_digit(base)))
        return true;
    if (is_unit(last_letters(before)))
        return is_number(s, true);
    if (ends_with_variable(before))
        return is_expression(s, base >= 'a' && base <= 'z');
    return (ascii_is_digit(base) || ends_with_group(before)) &&
           is_expression(s, false);
}

static bool is_index(struct str before, struct str s)
{
    char base = before.p[before.n - 1];

    if (!is_word_char(base) && base != ')' && base != ']')
        return false;
    if (is_number(s, false))
        return !ends_with_element(before) && is_word_char(base);
    for (size_t i = 0; i < s.n; i++)
        if (!is_word_char(s.p[i]) && strchr("+-*/.,=()^_", s.p[i]) == NULL)
            return false;
    return true;
}

/* One number or one name, perhaps with a sign: needs no parentheses. */
static bool is_one_operand(struct str s)
{
    size_t letters = 0;

    if (is_number(s, true) || is_charge(s))
        return true;
    if (minus_at(s.p, s.n) > 0 || s.p[0] == '+') {
        size_t skip = s.p[0] == '+' ? 1 : minus_at(s.p, s.n);

        s.p += skip;
        s.n -= skip;
    }
    for (size_t i = 0; i < s.n; i++)
        letters += is_letter(s.p[i]);
    return s.n > 0 && letters == s.n;
}

size_t raised_format(bool lowered, const char *before, size_t m, const char *p,
                     size_t n, char out[RAISED_MAX])
{
    const size_t near = m < BASE_BYTES ? m : (size_t)BASE_BYTES;
    struct str base = {before + (m - near), near};
    struct str s = str_trim((struct str){p, n});
    bool bare;

    if (m == 0 || s.n == 0 || s.n > RAISED_TEXT_MAX ||
        !(lowered ? is_index(base, s) : is_exponent(base, s)))
        return 0;
    bare = lowered ? is_plain(s) || is_number(s, false) : is_one_operand(s);
    return (size_t)snprintf(out, RAISED_MAX, bare ? "%c%.*s" : "%c(%.*s)",
                            lowered ? '_' : '^', (int)s.n, s.p);
}
