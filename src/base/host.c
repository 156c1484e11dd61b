/*
 * Hosts of URLs in one canonical spelling; see host.h and url.h. Follows the
 * host parser of the WHATWG URL standard, with libidn2 for names outside
 * ASCII and libpsl for public suffixes. Never resolves anything.
 */
#include "base/host.h"

#include "base/str.h"

#include <arpa/inet.h>
#include <idn2.h>
#include <inttypes.h>
#include <libpsl.h>
#include <stdio.h>
#include <string.h>

enum { RAW_MAX = 1024, LABEL_MAX = 63 };

/* Percent-decode p[0..n) into out (RAW_MAX + 1 bytes); false when a NUL or
 * broken UTF-8 comes out of it. */
static bool decode_percent(const char *p, size_t n, char *out)
{
    size_t len = 0;

    for (size_t i = 0; i < n; i++) {
        int byte = percent_byte(p + i, n - i);

        out[len] = byte >= 0 ? (char)byte : p[i];
        i += byte >= 0 ? 2 : 0;
        if (out[len++] == '\0')
            return false;
    }
    out[len] = '\0';
    return utf8_valid(out, len);
}

static bool is_ascii(const char *z)
{
    for (; *z != '\0'; z++)
        if ((unsigned char)*z >= 0x80)
            return false;
    return true;
}

/* The three other full stops of UTS #46 become '.', in place. */
static void map_dots(char *z)
{
    static const char *const dots[] = {"\xE3\x80\x82", "\xEF\xBC\x8E",
                                       "\xEF\xBD\xA1"};
    char *w = z;

    while (*z != '\0') {
        bool dot = false;

        for (size_t i = 0; i < 3 && !dot; i++)
            dot = strncmp(z, dots[i], 3) == 0;
        *w++ = dot ? '.' : *z;
        z += dot ? 3 : 1;
    }
    *w = '\0';
}

/*
 * One label, lower-cased in place, through IDNA into out (room for RAW_MAX +
 * 1). Plain ASCII labels do not pass through libidn2, which refuses hyphens
 * where the web has them ("r3---sn").
 */
static enum err label_to_ascii(char *label, char *out, size_t *out_len)
{
    char *ascii = NULL;
    size_t n = strlen(label);
    int rc = IDN2_OK;

    ascii_lower_all(label);
    if (is_ascii(label) && strncmp(label, "xn--", 4) != 0) {
        memcpy(out, label, n + 1);
    } else {
        rc = idn2_to_ascii_8z(label, &ascii,
                              IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
        if (rc != IDN2_OK)
            return rc == IDN2_MALLOC ? ERR_NOMEM : ERR_INVALID;
        n = strlen(ascii);
        if (n <= RAW_MAX)
            memcpy(out, ascii, n + 1);
        idn2_free(ascii);
    }
    if (n == 0 || n > RAW_MAX)
        return ERR_INVALID;
    ascii_lower_all(out);
    *out_len = n;
    return ERR_OK;
}

/* The decoded name z, spoiled on the way, into out: every label ASCII, one
 * final dot gone. */
static enum err name_to_ascii(char *z, char out[HOST_SIZE], struct errctx *ec)
{
    size_t len = 0;

    map_dots(z);
    for (char *next = z; next != NULL;) {
        char label[RAW_MAX + 1], *dot = strchr(next, '.');
        size_t n = 0;
        enum err err;

        if (dot != NULL)
            *dot++ = '\0';
        err = label_to_ascii(next, label, &n);
        if (err != ERR_OK)
            return err_set(ec, err,
                           err == ERR_NOMEM
                               ? "out of memory"
                               : "the host has a label that is empty or no "
                                 "IDN");
        if (len + n + 1 > HOST_MAX)
            return err_set(ec, ERR_INVALID, "the host is longer than %d bytes",
                           HOST_MAX);
        if (len > 0)
            out[len++] = '.';
        memcpy(out + len, label, n);
        len += n;
        next = dot == NULL || *dot == '\0' ? NULL : dot;
    }
    out[len] = '\0';
    return ERR_OK;
}

/* Letters, digits, '-' and '_' in labels of 1 to 63 bytes? */
static enum err name_check(const char *z, struct errctx *ec)
{
    size_t label = 0;

    for (; *z != '\0'; z++) {
        if (*z == '.') {
            if (label == 0)
                return err_set(ec, ERR_INVALID, "the host has an empty label");
            label = 0;
            continue;
        }
        if (!ascii_is_alnum(*z) && *z != '-' && *z != '_')
            return err_set(ec, ERR_INVALID,
                           "the host holds the forbidden byte 0x%02X",
                           (unsigned)(unsigned char)*z);
        if (++label > LABEL_MAX)
            return err_set(ec, ERR_INVALID,
                           "a label of the host is longer than %d bytes",
                           LABEL_MAX);
    }
    return label == 0 ? err_set(ec, ERR_INVALID, "the host has an empty label")
                      : ERR_OK;
}

/* A number as IPv4 addresses spell it: decimal, 0octal, 0xhex. False for
 * anything else; values above 32 bits are cut to UINT32_MAX + 1. */
static bool ipv4_number(const char *p, size_t n, uint64_t *out)
{
    int base = 10;
    uint64_t v = 0;

    if (n == 0)
        return false;
    if (n >= 2 && p[0] == '0' && p[1] == 'x') {
        base = 16;
        p += 2;
        n -= 2;
    } else if (n >= 2 && p[0] == '0') {
        base = 8;
        p++;
        n--;
    }
    for (; n > 0; p++, n--) {
        int d = hex_digit(*p);

        if (d < 0 || d >= base)
            return false;
        v = v * (uint64_t)base + (uint64_t)d;
        if (v > UINT32_MAX)
            v = (uint64_t)UINT32_MAX + 1;
    }
    *out = v;
    return true;
}

/* Is the last label a number, so that the host has to be an IPv4 address? */
static bool ends_in_number(const char *z)
{
    const char *last = strrchr(z, '.');
    uint64_t v;
    size_t n;

    last = last == NULL ? z : last + 1;
    n = strlen(last);
    return (n > 0 && strspn(last, "0123456789") == n) ||
           ipv4_number(last, n, &v);
}

/* One to four numbers, the last of which fills the remaining bytes. */
static bool ipv4_parse(const char *z, uint32_t *out)
{
    uint64_t part[4], address = 0;
    unsigned count = 0;

    for (const char *p = z;;) {
        size_t n = strcspn(p, ".");

        if (count == 4 || !ipv4_number(p, n, &part[count]))
            return false;
        count++;
        if (p[n] == '\0')
            break;
        p += n + 1;
    }
    for (unsigned i = 0; i + 1 < count; i++) {
        if (part[i] > 255)
            return false;
        address |= part[i] << (24 - 8 * i);
    }
    if (part[count - 1] >= (uint64_t)1 << (8 * (5 - count)))
        return false;
    *out = (uint32_t)(address | part[count - 1]);
    return true;
}

/* Where the longest run of at least two zero groups begins, and its length
 * in *run (0 for none). */
static int zero_run(const uint16_t g[8], int *run)
{
    int best = -1;

    *run = 0;
    for (int i = 0; i < 8; i++) {
        int n = 0;

        while (i + n < 8 && g[i + n] == 0)
            n++;
        if (n > 1 && n > *run) {
            best = i;
            *run = n;
        }
        i += n > 0 ? n - 1 : 0;
    }
    return best;
}

/* "[…]" with the address p[0..n) in between; RFC 5952, but IPv4 tails in hex
 * as the WHATWG standard writes them. */
static enum err ipv6_parse(const char *p, size_t n, char out[HOST_SIZE],
                           struct errctx *ec)
{
    char text[INET6_ADDRSTRLEN];
    unsigned char raw[16];
    uint16_t g[8];
    int run, at;
    size_t len = 0;

    if (n >= sizeof text)
        return err_set(ec, ERR_INVALID, "the host is no IPv6 address");
    memcpy(text, p, n);
    text[n] = '\0';
    if (memchr(text, '\0', n) != NULL || inet_pton(AF_INET6, text, raw) != 1)
        return err_set(ec, ERR_INVALID, "the host is no IPv6 address");
    for (int i = 0; i < 8; i++)
        g[i] = (uint16_t)(raw[2 * i] << 8 | raw[2 * i + 1]);
    at = zero_run(g, &run);
    out[len++] = '[';
    for (int i = 0; i < 8; i++) {
        if (i == at) {
            out[len++] = ':';
            if (i == 0)
                out[len++] = ':';
            i += run - 1;
            continue;
        }
        len += (size_t)snprintf(out + len, HOST_SIZE - len,
                                i == 7 ? "%" PRIx16 : "%" PRIx16 ":", g[i]);
    }
    out[len++] = ']';
    out[len] = '\0';
    return ERR_OK;
}

enum err host_parse(const char *p, size_t n, char out[HOST_SIZE],
                    struct errctx *ec)
{
    char raw[RAW_MAX + 1];
    uint32_t v4;
    enum err err;

    if (n == 0)
        return err_set(ec, ERR_INVALID, "there is no host");
    if (n > RAW_MAX)
        return err_set(ec, ERR_INVALID, "the host is longer than %d bytes",
                       HOST_MAX);
    if (p[0] == '[') {
        if (p[n - 1] != ']' || n < 2)
            return err_set(ec, ERR_INVALID, "the host lacks its ']'");
        return ipv6_parse(p + 1, n - 2, out, ec);
    }
    if (!decode_percent(p, n, raw))
        return err_set(ec, ERR_INVALID, "the host is not valid UTF-8");
    err = name_to_ascii(raw, out, ec);
    if (err != ERR_OK)
        return err;
    err = name_check(out, ec);
    if (err != ERR_OK || !ends_in_number(out))
        return err;
    if (!ipv4_parse(out, &v4))
        return err_set(ec, ERR_INVALID, "the host is no IPv4 address");
    snprintf(out, HOST_SIZE, "%u.%u.%u.%u", v4 >> 24, v4 >> 16 & 255u,
             v4 >> 8 & 255u, v4 & 255u);
    return ERR_OK;
}

/* A dotted or bracketed address, given that host is canonical? */
static bool is_address(const char *host)
{
    return host[0] == '[' || ends_in_number(host);
}

const char *host_without_www(const char *host)
{
    const psl_ctx_t *psl = psl_builtin();

    if (strncmp(host, "www.", 4) != 0 || host[4] == '\0' ||
        (psl != NULL && psl_is_public_suffix(psl, host + 4)))
        return host;
    return host + 4;
}

enum err host_canonical(const char *name, size_t n, struct arena *a,
                        const char **out)
{
    char host[HOST_SIZE];
    enum err err = host_parse(name, n, host, NULL);
    const char *copy;

    if (err != ERR_OK)
        return err;
    copy = arena_strdup(a, host_without_www(host));
    if (copy == NULL)
        return ERR_NOMEM;
    *out = copy;
    return ERR_OK;
}

const char *host_registrable(const char *host)
{
    const psl_ctx_t *psl = psl_builtin();
    const char *domain = NULL;

    if (psl != NULL && !is_address(host))
        domain = psl_registrable_domain(psl, host);
    return domain == NULL ? host : domain;
}

bool host_within(const char *host, const char *domain)
{
    size_t n = strlen(host), d = strlen(domain);

    if (n == d)
        return memcmp(host, domain, n) == 0;
    if (n < d || d == 0 || is_address(host))
        return false;
    return host[n - d - 1] == '.' && memcmp(host + n - d, domain, d) == 0;
}
