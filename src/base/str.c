/* Bytes and characters; see str.h. */
#include "base/str.h"

#include <string.h>

struct str str_of(const char *z)
{
    struct str s = {z == NULL ? "" : z, z == NULL ? 0 : strlen(z)};

    return s;
}

struct str str_trim(struct str s)
{
    while (s.n > 0 && ascii_is_space(s.p[0])) {
        s.p++;
        s.n--;
    }
    while (s.n > 0 && ascii_is_space(s.p[s.n - 1]))
        s.n--;
    return s;
}

bool str_eq(struct str a, const char *z)
{
    return strlen(z) == a.n && memcmp(a.p, z, a.n) == 0;
}

bool str_ieq(struct str a, const char *z)
{
    for (size_t i = 0; i < a.n; i++)
        if (z[i] == '\0' || ascii_lower(a.p[i]) != ascii_lower(z[i]))
            return false;
    return z[a.n] == '\0';
}

void ascii_lower_all(char *z)
{
    for (; *z != '\0'; z++)
        *z = ascii_lower(*z);
}

int ascii_casecmp(const char *a, const char *b)
{
    while (*a != '\0' && ascii_lower(*a) == ascii_lower(*b)) {
        a++;
        b++;
    }
    return (unsigned char)ascii_lower(*a) - (unsigned char)ascii_lower(*b);
}

bool ascii_starts_i(const char *s, const char *prefix)
{
    for (; *prefix != '\0'; s++, prefix++)
        if (ascii_lower(*s) != ascii_lower(*prefix))
            return false;
    return true;
}

const char *mem_find(const char *hay, size_t n, const char *needle)
{
    size_t m = strlen(needle);

    /* Often it stands in front. */
    return m > 0 && m <= n && memcmp(hay, needle, m) == 0
               ? hay
               : memmem(hay, n, needle, m);
}

const char *mem_find_i(const char *hay, size_t n, const char *needle)
{
    const char *at = hay, *end = hay + n, *big = NULL;
    size_t m = strlen(needle);
    char lower = ascii_lower(needle[0]);

    if (m == 0 || m > n)
        return m == 0 ? hay : NULL;
    if (ascii_is_alpha(lower))
        big = memchr(at, lower - 32, n);
    for (end -= m - 1; at < end; at++) {
        const char *small = memchr(at, lower, (size_t)(end - at));
        size_t k = 1;

        if (big != NULL && big < at)
            big = memchr(at, lower - 32, (size_t)(end - at));
        at = small == NULL || (big != NULL && big < small) ? big : small;
        if (at == NULL || at >= end)
            return NULL;
        while (k < m && ascii_lower(at[k]) == ascii_lower(needle[k]))
            k++;
        if (k == m)
            return at;
    }
    return NULL;
}

/* Length of the well-formed sequence at p, or 0 (RFC 3629, section 4). */
static size_t sequence_len(const unsigned char *p, size_t n)
{
    unsigned char lo = 0x80, hi = 0xBF;
    size_t len;

    if (p[0] < 0x80)
        return 1;
    if (p[0] < 0xC2 || p[0] > 0xF4)
        return 0;
    len = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (n < len)
        return 0;
    if (p[0] == 0xE0)
        lo = 0xA0;
    else if (p[0] == 0xED)
        hi = 0x9F;
    else if (p[0] == 0xF0)
        lo = 0x90;
    else if (p[0] == 0xF4)
        hi = 0x8F;
    if (p[1] < lo || p[1] > hi)
        return 0;
    for (size_t i = 2; i < len; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    return len;
}

size_t utf8_count(const char *p, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += ((unsigned char)p[i] & 0xC0) != 0x80;
    return count;
}

size_t str_distance(const char *a, const char *b)
{
    size_t row[STR_DISTANCE_MAX + 1], n = strnlen(b, STR_DISTANCE_MAX);

    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; i < STR_DISTANCE_MAX && a[i] != '\0'; i++) {
        size_t diagonal = row[0];

        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t least = diagonal + (ascii_lower(a[i]) != ascii_lower(b[j]));

            diagonal = row[j + 1];
            least = row[j] + 1 < least ? row[j] + 1 : least;
            row[j + 1] = diagonal + 1 < least ? diagonal + 1 : least;
        }
    }
    return row[n];
}

bool word_in(const char *z, const char *list)
{
    size_t n = strlen(z);

    if (list == NULL || n == 0)
        return false;
    for (const char *at = list; (at = strstr(at, z)) != NULL; at++)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

bool utf8_valid(const char *p, size_t n)
{
    const unsigned char *u = (const unsigned char *)p;

    for (size_t i = 0; i < n;) {
        size_t len = sequence_len(u + i, n - i);

        if (len == 0)
            return false;
        i += len;
    }
    return true;
}

size_t utf8_decode(const char *p, size_t n, uint32_t *cp)
{
    static const unsigned char mask[5] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    const unsigned char *u = (const unsigned char *)p;
    size_t len = sequence_len(u, n);
    uint32_t v;

    if (len == 0) {
        *cp = 0xFFFD;
        return 1;
    }
    v = u[0] & mask[len];
    for (size_t i = 1; i < len; i++)
        v = v << 6 | (u[i] & 0x3Fu);
    *cp = v;
    return len;
}

size_t utf8_encode(uint32_t cp, char *out)
{
    if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
        cp = 0xFFFD;
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    if (cp < 0x800) {
        out[0] = (char)(0xC0 | cp >> 6);
        out[1] = (char)(0x80 | (cp & 0x3F));
        return 2;
    }
    if (cp < 0x10000) {
        out[0] = (char)(0xE0 | cp >> 12);
        out[1] = (char)(0x80 | (cp >> 6 & 0x3F));
        out[2] = (char)(0x80 | (cp & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | cp >> 18);
    out[1] = (char)(0x80 | (cp >> 12 & 0x3F));
    out[2] = (char)(0x80 | (cp >> 6 & 0x3F));
    out[3] = (char)(0x80 | (cp & 0x3F));
    return 4;
}

size_t utf8_cut(const char *p, size_t n, size_t max)
{
    size_t k = n < max ? n : max;

    while (k > 0 && k < n && ((unsigned char)p[k] & 0xC0) == 0x80)
        k--;
    return k;
}

void str_clean(char *z)
{
    size_t n = strlen(z), len;

    for (; n > 0; z += len, n -= len) {
        uint32_t cp;

        len = utf8_decode(z, n, &cp);
        if (cp == '\n' || cp == '\t' || cp == '\r')
            *z = ' ';
        else if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0) ||
                 (cp == 0xFFFD && len == 1))
            memset(z, '?', len);
    }
}

bool parse_int(const char *z, int64_t lo, int64_t hi, int64_t *out)
{
    bool negative = *z == '-';
    int64_t v = 0;

    if (negative)
        z++;
    if (!ascii_is_digit(*z))
        return false;
    for (; ascii_is_digit(*z); z++) {
        int64_t digit = *z - '0';

        /* Kept negative: the negative range is the larger one. */
        if (__builtin_mul_overflow(v, (int64_t)10, &v) ||
            __builtin_sub_overflow(v, digit, &v))
            return false;
    }
    if (*z != '\0' || (!negative && v == INT64_MIN))
        return false;
    if (!negative)
        v = -v;
    if (v < lo || v > hi)
        return false;
    *out = v;
    return true;
}

int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool hex_read(const char *p, size_t n, uint32_t *out)
{
    uint32_t v = 0;

    for (size_t i = 0; i < n; i++) {
        int d = hex_digit(p[i]);

        if (d < 0)
            return false;
        v = v << 4 | (uint32_t)d;
    }
    *out = v;
    return true;
}

int percent_byte(const char *p, size_t n)
{
    uint32_t byte;

    return n > 2 && p[0] == '%' && hex_read(p + 1, 2, &byte) ? (int)byte : -1;
}

uint32_t hash_bytes(const char *p, size_t n)
{
    uint32_t h = 2166136261u;

    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)p[i]) * 16777619u;
    return h;
}

void hex_format(const unsigned char *p, size_t n, char *out)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < n; i++) {
        *out++ = digits[p[i] >> 4];
        *out++ = digits[p[i] & 15];
    }
    *out = '\0';
}
