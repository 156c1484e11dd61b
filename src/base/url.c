/*
 * URLs in one canonical spelling; see url.h. A parser for http and https
 * after the WHATWG URL standard (sections 4.4 and 4.5), without the states
 * other schemes need. Writes into a fixed buffer; only the result goes to the
 * arena. Hosts are host.c's.
 */
#include "base/url.h"

#include "base/host.h"
#include "base/str.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 4 * URL_MAX };

/* The URL being written. */
struct draft {
    const char *scheme;
    char host[HOST_SIZE];
    int port;
    char path[URL_MAX + 1];
    size_t path_len;
    char query[URL_MAX + 1];
    size_t query_len;
    bool full; /* one of the two did not fit */
};

/* --- characters ---------------------------------------------------------- */

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

static bool is_unreserved(int c)
{
    return ascii_is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

/* May c stand unencoded in a path or a query (RFC 3986, 3.3 and 3.4)? */
static bool is_plain(char c, bool query)
{
    if (is_unreserved(c))
        return true;
    if (c == '\'' || c == '?') /* WHATWG: ' is encoded in queries */
        return query == (c == '?');
    return c != '\0' && strchr("!$&()*+,;=:@/", c) != NULL;
}

static void put(char *out, size_t *len, char c, bool *full)
{
    if (*len >= URL_MAX) {
        *full = true;
        return;
    }
    out[(*len)++] = c;
    out[*len] = '\0';
}

static void put_encoded(char *out, size_t *len, unsigned char c, bool *full)
{
    static const char hex[] = "0123456789ABCDEF";

    put(out, len, '%', full);
    put(out, len, hex[c >> 4], full);
    put(out, len, hex[c & 15], full);
}

/*
 * Append p[0..n) with its percent-encoding normalised: unreserved characters
 * decoded, hex in upper case, whatever may not stand alone encoded. A '%'
 * that encodes nothing is encoded itself: left alone it could become the
 * head of a new escape ("%%341").
 */
static void put_normalised(char *out, size_t *len, const char *p, size_t n,
                           bool query, bool *full)
{
    for (size_t i = 0; i < n; i++) {
        int c = percent_byte(p + i, n - i);

        i += c >= 0 ? 2 : 0;
        if (c >= 0 && is_unreserved(c)) {
            put(out, len, (char)c, full);
        } else if (c >= 0) {
            put_encoded(out, len, (unsigned char)c, full);
        } else if (is_plain(p[i], query)) {
            put(out, len, p[i], full);
        } else {
            put_encoded(out, len, (unsigned char)p[i], full);
        }
    }
}

/* --- parts --------------------------------------------------------------- */

/* Text without C0 controls and spaces at its ends, tabs and line ends
 * anywhere, and fragment, into out; false when it does not fit. */
static bool clean(const char *text, size_t n, char out[TEXT_MAX + 1],
                  size_t *out_len)
{
    size_t len = 0;

    while (n > 0 && (unsigned char)text[0] <= ' ') {
        text++;
        n--;
    }
    while (n > 0 && (unsigned char)text[n - 1] <= ' ')
        n--;
    for (size_t i = 0; i < n && text[i] != '#'; i++) {
        if (text[i] == '\t' || text[i] == '\n' || text[i] == '\r')
            continue;
        if (len == TEXT_MAX)
            return false;
        out[len++] = text[i];
    }
    out[len] = '\0';
    *out_len = len;
    return true;
}

/* Length of the scheme at the beginning, without its ':'; 0 for none. */
static size_t scheme_len(const char *p, size_t n)
{
    size_t i = 0;

    if (n == 0 || !ascii_is_alpha(p[0]))
        return 0;
    while (i < n &&
           (ascii_is_alnum(p[i]) || p[i] == '+' || p[i] == '-' || p[i] == '.'))
        i++;
    return i < n && p[i] == ':' ? i : 0;
}

/* "http" or "https", or NULL. */
static const char *known_scheme(const char *p, size_t n)
{
    struct str s = {p, n};

    if (str_ieq(s, "http"))
        return "http";
    return str_ieq(s, "https") ? "https" : NULL;
}

static int default_port(const char *scheme)
{
    return scheme[4] == 's' ? 443 : 80;
}

/* Digits behind a ':'; none at all mean the default. */
static enum err parse_port(struct draft *d, const char *p, size_t n,
                           struct errctx *ec)
{
    int port = 0;

    for (size_t i = 0; i < n; i++) {
        if (!ascii_is_digit(p[i]))
            return err_set(ec, ERR_INVALID, "the port is no number");
        port = port * 10 + (p[i] - '0');
        if (port > 65535)
            break;
    }
    if (n > 0 && (port < 1 || port > 65535))
        return err_set(ec, ERR_INVALID, "the port is not within 1 to 65535");
    d->port = n == 0 ? default_port(d->scheme) : port;
    return ERR_OK;
}

/* [user[:password]@]host[:port] */
static enum err parse_authority(struct draft *d, const char *p, size_t n,
                                struct errctx *ec)
{
    size_t colon = 0;
    bool bracket = false;
    enum err err;

    for (size_t i = n; i > 0; i--)
        if (p[i - 1] == '@') {
            p += i;
            n -= i;
            break;
        }
    for (; colon < n && (p[colon] != ':' || bracket); colon++)
        bracket = p[colon] == '[' || (bracket && p[colon] != ']');
    err = host_parse(p, colon, d->host, ec);
    if (err != ERR_OK)
        return err;
    if (colon == n)
        return parse_port(d, p, 0, ec);
    return parse_port(d, p + colon + 1, n - colon - 1, ec);
}

/* Remove the last segment and its slash. */
static void pop_segment(struct draft *d)
{
    while (d->path_len > 0 && d->path[--d->path_len] != '/')
        ;
    d->path[d->path_len] = '\0';
}

/* Append one segment p[0..n), resolving "." and "..". */
static void put_segment(struct draft *d, const char *p, size_t n, bool last)
{
    size_t start = d->path_len;
    const char *segment = d->path + start + 1;

    put(d->path, &d->path_len, '/', &d->full);
    put_normalised(d->path, &d->path_len, p, n, false, &d->full);
    if (d->full || (strcmp(segment, ".") != 0 && strcmp(segment, "..") != 0))
        return;
    if (segment[1] == '.') {
        pop_segment(d);
        pop_segment(d);
    } else {
        pop_segment(d);
    }
    if (last)
        put(d->path, &d->path_len, '/', &d->full);
}

/* Append the segments of p[0..n), which begins behind a slash. */
static void put_path(struct draft *d, const char *p, size_t n)
{
    for (size_t at = 0; at <= n && !d->full;) {
        size_t end = at;

        while (end < n && !is_slash(p[end]))
            end++;
        put_segment(d, p + at, end - at, end == n);
        at = end + 1;
    }
}

/* Path and query behind the authority, or relative to the base, whose path
 * and query are in the draft already. */
static void parse_rest(struct draft *d, const char *p, size_t n, bool relative)
{
    const char *mark = memchr(p, '?', n);
    size_t path_n = mark == NULL ? n : (size_t)(mark - p);

    if (!relative || path_n > 0 || mark != NULL) {
        d->query_len = 0;
        d->query[0] = '\0';
    }
    if (mark != NULL)
        put_normalised(d->query, &d->query_len, mark + 1, n - path_n - 1, true,
                       &d->full);
    if (relative && path_n == 0)
        return;
    if (path_n > 0 && is_slash(p[0])) {
        p++;
        path_n--;
        d->path_len = 0;
    } else if (relative) {
        pop_segment(d);
    }
    put_path(d, p, path_n);
}

static void copy_base(struct draft *d, const struct url *base)
{
    d->scheme = default_port(base->scheme) == 443 ? "https" : "http";
    d->port = base->port;
    snprintf(d->host, sizeof d->host, "%s", base->host);
    d->path_len = strlen(base->path);
    d->query_len = strlen(base->query);
    d->full = d->path_len > URL_MAX || d->query_len > URL_MAX;
    if (d->full)
        return;
    memcpy(d->path, base->path, d->path_len + 1);
    memcpy(d->query, base->query, d->query_len + 1);
}

/* The clean text p[0..n) into the draft. */
static enum err parse(struct draft *d, const char *p, size_t n,
                      const struct url *base, struct errctx *ec)
{
    size_t scheme_n = scheme_len(p, n), authority = 0;
    const char *scheme = NULL;

    if (scheme_n > 0) {
        scheme = known_scheme(p, scheme_n);
        if (scheme == NULL)
            return err_set(ec, ERR_INVALID,
                           "the scheme is \"%.*s\", not http or https",
                           (int)(scheme_n > 32 ? 32 : scheme_n), p);
        p += scheme_n + 1;
        n -= scheme_n + 1;
    } else if (base == NULL) {
        return err_set(ec, ERR_INVALID, "no scheme: expected http or https");
    }
    if (base != NULL)
        copy_base(d, base);
    if ((scheme == NULL || (base != NULL && strcmp(scheme, d->scheme) == 0)) &&
        !(n >= 2 && is_slash(p[0]) && is_slash(p[1]))) {
        parse_rest(d, p, n, true);
        return ERR_OK;
    }
    if (scheme != NULL)
        d->scheme = scheme;
    while (n > 0 && is_slash(*p)) {
        p++;
        n--;
    }
    d->path_len = 0;
    while (authority < n && !is_slash(p[authority]) && p[authority] != '?')
        authority++;
    parse_rest(d, p + authority, n - authority, false);
    return parse_authority(d, p, authority, ec);
}

/* The finished draft as a struct url in the arena. */
static enum err finish(const struct draft *d, struct arena *a, struct url *out,
                       struct errctx *ec)
{
    char href[URL_MAX + 1], port[8] = "";
    struct url u = {.scheme = d->scheme, .port = d->port};
    int n;

    if (d->port != default_port(d->scheme))
        snprintf(port, sizeof port, ":%d", d->port);
    n = snprintf(href, sizeof href, "%s://%s%s%s%s%s", d->scheme, d->host, port,
                 d->path, d->query_len > 0 ? "?" : "", d->query);
    if (d->full || n < 0 || n > URL_MAX)
        return err_set(ec, ERR_INVALID, "the URL is longer than %d bytes",
                       URL_MAX);
    u.href = arena_strndup(a, href, (size_t)n);
    u.host = arena_strdup(a, d->host);
    u.path = arena_strdup(a, d->path);
    u.query = arena_strdup(a, d->query);
    if (u.href == NULL || u.host == NULL || u.path == NULL || u.query == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    *out = u;
    return ERR_OK;
}

enum err url_parse(const char *text, size_t n, const struct url *base,
                   struct arena *a, struct url *out, struct errctx *ec)
{
    char cleaned[TEXT_MAX + 1];
    struct draft d = {.path_len = 0};
    size_t len;
    enum err err;

    if (!clean(text, n, cleaned, &len))
        return err_set(ec, ERR_INVALID, "the URL is longer than %d bytes",
                       URL_MAX);
    err = parse(&d, cleaned, len, base, ec);
    return err == ERR_OK ? finish(&d, a, out, ec) : err;
}
