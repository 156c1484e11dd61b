/* Character references; see char_ref.h. The names are in char_refs.inc. */
#include "text/char_ref.h"

#include "base/str.h"

#include <string.h>

enum { NAME_BYTES_MAX = 31, LEGACY_BYTES_MAX = 6, CODES_MAX = 2 };

struct name {
    const char *name;
    uint32_t codes[CODES_MAX]; /* 0: only one */
};

/* Of "nGt" and "nLt" only the first sign: both would be longer than the
 * reference. */
static const struct name names[] = {
#include "text/char_refs.inc"
};

/* Those that need no semicolon. */
static const char legacy[] =
    "AElig AMP Aacute Acirc Agrave Aring Atilde Auml COPY Ccedil ETH Eacute "
    "Ecirc Egrave Euml GT Iacute Icirc Igrave Iuml LT Ntilde Oacute Ocirc "
    "Ograve Oslash Otilde Ouml QUOT REG THORN Uacute Ucirc Ugrave Uuml Yacute "
    "aacute acirc acute aelig agrave amp aring atilde auml brvbar ccedil "
    "cedil cent copy curren deg divide eacute ecirc egrave eth euml frac12 "
    "frac14 frac34 gt iacute icirc iexcl igrave iquest iuml laquo lt macr "
    "micro middot nbsp not ntilde oacute ocirc ograve ordf ordm oslash otilde "
    "ouml para plusmn pound quot raquo reg sect shy sup1 sup2 sup3 szlig "
    "thorn times uacute ucirc ugrave uml uuml yacute yen yuml";

/* What the code points 0x80 to 0x9F are meant to be: windows-1252. */
static const uint16_t western[32] = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

static const struct name *find_name(const char *p, size_t n)
{
    size_t lo = 0, hi = sizeof names / sizeof *names;

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int c = strncmp(p, names[mid].name, n);

        if (c == 0 && names[mid].name[n] == '\0')
            return &names[mid];
        if (c <= 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return NULL;
}

/* The name in p[0..n), the longest: its bytes with the semicolon go to *len. */
static const struct name *read_name(const char *p, size_t n, size_t *len)
{
    char z[LEGACY_BYTES_MAX + 1];
    size_t most = 0;

    while (most < n && most <= NAME_BYTES_MAX && ascii_is_alnum(p[most]))
        most++;
    *len = most + 1;
    if (most < n && p[most] == ';' && most > 0) {
        const struct name *found = find_name(p, most);

        if (found != NULL)
            return found;
    }
    for (size_t k = most < LEGACY_BYTES_MAX ? most : LEGACY_BYTES_MAX; k > 1;
         k--) {
        memcpy(z, p, k);
        z[k] = '\0';
        *len = k;
        if (word_in(z, legacy))
            return find_name(z, k);
    }
    return NULL;
}

/* "#x20;" at p: its code point, and its bytes to *len; 0 is none. */
static uint32_t read_number(const char *p, size_t n, size_t *len)
{
    bool hex = n > 1 && (p[1] == 'x' || p[1] == 'X');
    size_t from = hex ? 2 : 1, i = from;
    uint32_t cp = 0, base = hex ? 16 : 10;

    for (; i < n; i++) {
        char c = ascii_lower(p[i]);
        uint32_t digit = ascii_is_digit(c) ? (uint32_t)(c - '0')
                         : hex && c >= 'a' && c <= 'f'
                             ? (uint32_t)(c - 'a') + 10
                             : base;

        if (digit == base)
            break;
        if (cp <= 0x10FFFF)
            cp = cp * base + digit;
    }
    if (i == from)
        return 0;
    *len = i < n && p[i] == ';' ? i + 1 : i;
    if (cp == 0 || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
        return 0xFFFD;
    return cp >= 0x80 && cp < 0xA0 ? western[cp - 0x80] : cp;
}

/* The reference behind the '&' at p[0..n) to out; the bytes it had, 0 when
 * it is none. */
static size_t decode(const char *p, size_t n, bool in_attribute, char *out,
                     size_t *put)
{
    const struct name *name;
    size_t len = 0;

    *put = 0;
    if (n > 0 && p[0] == '#') {
        uint32_t cp = read_number(p, n, &len);

        if (cp != 0)
            *put = utf8_encode(cp, out);
        return len;
    }
    name = read_name(p, n, &len);
    if (name == NULL || (in_attribute && p[len - 1] != ';' && len < n &&
                         (p[len] == '=' || ascii_is_alnum(p[len]))))
        return 0;
    for (size_t i = 0; i < CODES_MAX && name->codes[i] != 0; i++)
        *put += utf8_encode(name->codes[i], out + *put);
    return len;
}

size_t char_refs_decode(char *p, size_t n, bool in_attribute)
{
    size_t at = 0, len = 0;

    while (at < n) {
        const char *amp = memchr(p + at, '&', n - at);
        size_t upto = amp == NULL ? n : (size_t)(amp - p), took, put;
        char out[CODES_MAX * 4];

        if (len < at)
            memmove(p + len, p + at, upto - at);
        len += upto - at;
        at = upto;
        if (amp == NULL)
            break;
        took = decode(amp + 1, n - at - 1, in_attribute, out, &put);
        if (took == 0) {
            p[len++] = '&';
            at++;
            continue;
        }
        memcpy(p + len, out, put);
        len += put;
        at += took + 1;
    }
    return len;
}
