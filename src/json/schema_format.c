/*
 * The formats that are checked: date, date-time, time, duration (RFC 3339),
 * uri, uri-reference (RFC 3986), email (RFC 5321, without quoted local parts'
 * every liberty), hostname (RFC 1123), ipv4, ipv6, json-pointer (RFC 6901),
 * regex (pattern.h) and uuid (RFC 9562). Pure functions on strings of valid
 * UTF-8.
 */
#include "json/pattern.h"
#include "json/schema_part.h"

#include "base/date.h"
#include "base/id.h"
#include "base/str.h"

#include <arpa/inet.h>
#include <string.h>

static bool is_date(const char *z)
{
    int32_t day;

    return strlen(z) == DATE_LEN && date_parse_iso(z, DATE_LEN, &day);
}

/* Two digits at p as a number, or -1. */
static int two(const char *p)
{
    return ascii_is_digit(p[0]) && ascii_is_digit(p[1])
               ? (p[0] - '0') * 10 + (p[1] - '0')
               : -1;
}

/* Minutes of "Z" or "±hh:mm", all of z; false for anything else. */
static bool parse_offset(const char *z, int *minutes)
{
    int h, m;

    *minutes = 0;
    if (strcmp(z, "Z") == 0 || strcmp(z, "z") == 0)
        return true;
    if (strlen(z) != 6 || (z[0] != '+' && z[0] != '-') || z[3] != ':')
        return false;
    h = two(z + 1);
    m = two(z + 4);
    *minutes = (h * 60 + m) * (z[0] == '-' ? -1 : 1);
    return h >= 0 && h <= 23 && m >= 0 && m <= 59;
}

/* hh:mm:ss[.f…] offset; a second 60 only where UTC has it. */
static bool is_time(const char *z)
{
    int h, m, s, offset;
    size_t i = 8;

    if (strlen(z) < 9 || z[2] != ':' || z[5] != ':')
        return false;
    h = two(z);
    m = two(z + 3);
    s = two(z + 6);
    if (h < 0 || h > 23 || m < 0 || m > 59 || s < 0 || s > 60)
        return false;
    if (z[i] == '.') {
        i += 1 + strspn(z + i + 1, "0123456789");
        if (i == 9)
            return false;
    }
    if (!parse_offset(z + i, &offset))
        return false;
    return s < 60 || (h * 60 + m - offset + 1440) % 1440 == 1439;
}

/* full-date "T" full-time */
static bool is_date_time(const char *z)
{
    int32_t day;

    return strlen(z) > DATE_LEN && date_parse_iso(z, DATE_LEN, &day) &&
           (z[DATE_LEN] == 'T' || z[DATE_LEN] == 't') &&
           is_time(z + DATE_LEN + 1);
}

/* Digits with the units in their order, none left out between two; *count:
 * how many there were. */
static const char *take_units(const char *z, const char *units, size_t *count)
{
    *count = 0;
    while (ascii_is_digit(*z)) {
        const char *end = z + strspn(z, "0123456789"), *unit;

        if (*end == '\0' || (unit = strchr(units, *end)) == NULL)
            return NULL;
        if (*count > 0 && units[0] != *end)
            return NULL;
        units = unit + 1;
        z = end + 1;
        (*count)++;
    }
    return z;
}

/* P1Y2M3DT4H5M6S, P2W (RFC 3339, appendix A). */
static bool is_duration(const char *z)
{
    size_t days = 0, times = 0;

    if (*z++ != 'P')
        return false;
    if (z[strspn(z, "0123456789")] == 'W')
        return ascii_is_digit(*z) && z[strspn(z, "0123456789") + 1] == '\0';
    z = take_units(z, "YMD", &days);
    if (z == NULL)
        return false;
    if (*z == 'T') {
        z = take_units(z + 1, "HMS", &times);
        if (z == NULL || times == 0)
            return false;
    }
    return *z == '\0' && days + times > 0;
}

/* Is z[0..n) of characters out of more, unreserved, sub-delims or escapes? */
static bool is_uri_part(const char *z, size_t n, const char *more)
{
    for (size_t i = 0; i < n; i++) {
        if (ascii_is_alnum(z[i]) || strchr("-._~!$&'()*+,;=", z[i]) != NULL ||
            strchr(more, z[i]) != NULL)
            continue;
        if (z[i] != '%' || n - i < 3 ||
            strspn(z + i + 1, "0123456789abcdefABCDEF") < 2)
            return false;
        i += 2;
    }
    return true;
}

/* What stands in brackets: an IPv6 address, or "v1.…". */
static bool is_ip_literal(const char *z, size_t n)
{
    char text[INET6_ADDRSTRLEN];
    unsigned char raw[16];

    if (n > 0 && ascii_lower(z[0]) == 'v')
        return is_uri_part(z, n, ":");
    if (n >= sizeof text)
        return false;
    memcpy(text, z, n);
    text[n] = '\0';
    return inet_pton(AF_INET6, text, raw) == 1;
}

/* [userinfo@]host[:port] */
static bool is_authority(const char *z, size_t n)
{
    const char *at = memchr(z, '@', n), *end = z + n, *p;

    if (at != NULL) {
        if (!is_uri_part(z, (size_t)(at - z), ":"))
            return false;
        z = at + 1;
    }
    if (z < end && *z == '[') {
        p = memchr(z, ']', (size_t)(end - z));
        if (p == NULL || !is_ip_literal(z + 1, (size_t)(p - z - 1)))
            return false;
        z = p + 1;
    } else {
        p = memchr(z, ':', (size_t)(end - z));
        p = p == NULL ? end : p;
        if (!is_uri_part(z, (size_t)(p - z), ""))
            return false;
        z = p;
    }
    if (z == end)
        return true;
    return *z == ':' && strspn(z + 1, "0123456789") >= (size_t)(end - z - 1);
}

/* "//authority", path, "?query" and "#fragment", each of which may lack. */
static bool is_hierarchy(const char *z)
{
    size_t n = 0;

    if (z[0] == '/' && z[1] == '/') {
        n = strcspn(z + 2, "/?#");
        if (!is_authority(z + 2, n))
            return false;
        z += 2 + n;
    }
    n = strcspn(z, "?#");
    if (!is_uri_part(z, n, ":@/"))
        return false;
    z += n;
    n = strcspn(z, "#");
    if (!is_uri_part(z, n, ":@/?"))
        return false;
    z += n;
    return *z == '\0' || is_uri_part(z + 1, strlen(z + 1), ":@/?");
}

static bool is_uri(const char *z)
{
    size_t n = 0;

    if (!ascii_is_alpha(z[0]))
        return false;
    while (ascii_is_alnum(z[n]) || (z[n] != '\0' && strchr("+-.", z[n])))
        n++;
    return z[n] == ':' && is_hierarchy(z + n + 1);
}

/* A colon in the first segment would make it a scheme. */
static bool is_uri_reference(const char *z)
{
    return is_uri(z) || (z[strcspn(z, ":/?#")] != ':' && is_hierarchy(z));
}

static bool is_ipv4(const char *z)
{
    unsigned char raw[4];

    return inet_pton(AF_INET, z, raw) == 1;
}

static bool is_ipv6(const char *z)
{
    unsigned char raw[16];

    return inet_pton(AF_INET6, z, raw) == 1;
}

/* Labels of at most 63 letters, digits and inner hyphens. A label with
 * hyphens in its third and fourth place is punycode or nothing. */
static bool is_hostname(const char *z)
{
    size_t n = strlen(z), label = 0;

    if (n == 0 || n > 253)
        return false;
    for (size_t i = 0; i <= n; i++) {
        if (i < n && z[i] != '.') {
            if (!ascii_is_alnum(z[i]) && z[i] != '-')
                return false;
            label++;
            continue;
        }
        if (label == 0 || label > 63 || z[i - 1] == '-' || z[i - label] == '-')
            return false;
        if (label >= 4 && memcmp(z + i - label + 2, "--", 2) == 0 &&
            !ascii_starts_i(z + i - label, "xn"))
            return false;
        label = 0;
    }
    return true;
}

static bool is_json_pointer(const char *z)
{
    if (*z != '\0' && *z != '/')
        return false;
    for (; *z != '\0'; z++)
        if (*z == '~' && z[1] != '0' && z[1] != '1')
            return false;
    return true;
}

/* Labels of letters, digits and inner hyphens, or an address in brackets. */
static bool is_mail_domain(const char *z)
{
    size_t n = strlen(z);

    if (n > 253 || n == 0)
        return false;
    if (z[0] == '[') {
        if (strncmp(z, "[IPv6:", 6) == 0)
            return n > 8 && strspn(z + 6, "0123456789abcdefABCDEF:.") == n - 7;
        for (int part = 0; part < 4; part++) {
            int v = 0, digits = 0;

            for (z++; ascii_is_digit(*z) && digits < 4; z++, digits++)
                v = v * 10 + (*z - '0');
            if (digits == 0 || v > 255 || *z != (part == 3 ? ']' : '.'))
                return false;
        }
        return z[1] == '\0';
    }
    for (size_t i = 0; i < n; i++) {
        bool edge = i == 0 || i + 1 == n || z[i - 1] == '.' || z[i + 1] == '.';

        if (!ascii_is_alnum(z[i]) && (edge || (z[i] != '-' && z[i] != '.')))
            return false;
    }
    return true;
}

static bool is_email(const char *z)
{
    const char *at = strrchr(z, '@');
    size_t n = at == NULL ? 0 : (size_t)(at - z);

    if (n == 0 || n > 64 || !is_mail_domain(at + 1))
        return false;
    if (z[0] == '"')
        return n > 2 && z[n - 1] == '"';
    for (size_t i = 0; i < n; i++) {
        bool edge = i == 0 || i + 1 == n || z[i - 1] == '.';

        if (!ascii_is_alnum(z[i]) &&
            strchr("!#$%&'*+-/=?^_`{|}~", z[i]) == NULL &&
            (z[i] != '.' || edge))
            return false;
    }
    return true;
}

/* A pattern; one that is not understood here may be one. */
static bool is_regex(const char *z)
{
    struct pattern *p = NULL;
    enum err err;

    if (strlen(z) > SCHEMA_PATTERN_BYTES)
        return true;
    err = pattern_parse(z, &p, NULL);
    if (err == ERR_OK)
        pattern_free(p);
    return err != ERR_INVALID;
}

bool schema_format_holds(const char *format, const char *z)
{
    static const struct {
        const char *name;
        bool (*holds)(const char *z);
    } rows[] = {
        {"date", is_date},         {"date-time", is_date_time},
        {"duration", is_duration}, {"email", is_email},
        {"hostname", is_hostname}, {"ipv4", is_ipv4},
        {"ipv6", is_ipv6},         {"json-pointer", is_json_pointer},
        {"regex", is_regex},       {"time", is_time},
        {"uri", is_uri},           {"uri-reference", is_uri_reference},
        {"uuid", id_is_uuid},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, format) == 0)
            return rows[i].holds(z);
    return true;
}
