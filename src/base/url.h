/*
 * URLs as the service compares, stores and follows them: absolute http and
 * https only, in one canonical spelling, plus the domain filters of the wire
 * contract (section 2). Pure functions over libidn2 and libpsl.
 *
 * Parsing follows the WHATWG URL standard where the two differ from
 * RFC 3986 (backslashes, tabs, odd IPv4 spellings), because that is what
 * decides which host a browser would ask.
 */
#ifndef CITED_BASE_URL_H
#define CITED_BASE_URL_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum { URL_MAX = 2048, HOST_MAX = 253 };

/* Every member points into the arena; never NULL after url_parse. */
struct url {
    const char *href;   /* canonical: scheme://host[:port]path[?query] */
    const char *scheme; /* "http" or "https" */
    const char *host;   /* lower case, punycode or IP, no final dot;
                           IPv6 in brackets */
    int port;           /* the effective port: 80 and 443 by scheme */
    const char *path;   /* begins with '/', dot segments resolved,
                           percent-encoding normalised */
    const char *query;  /* without '?', or "" */
};

/*
 * Parse text (n bytes) relative to base (NULL for none) into *out. User and
 * password, fragment and default port are dropped; the host goes through
 * IDNA; a stray '%' becomes "%25", an empty query is none. ERR_INVALID with a
 * message: not http(s), no host, bytes in the host other than letters, digits,
 * '-' and '_', an empty label, longer than URL_MAX, port not 1 to 65535.
 * Parsing a href again gives the same href.
 */
MUST_CHECK enum err url_parse(const char *text, size_t n,
                              const struct url *base, struct arena *a,
                              struct url *out, struct errctx *ec);

/* A canonical lower-case ASCII host of a name that may be an IDN, without
 * leading "www." (unless a public suffix would remain) and final dot.
 * ERR_INVALID when it is no host name. */
MUST_CHECK enum err host_canonical(const char *name, size_t n, struct arena *a,
                                   const char **out);

/* The registrable domain (public suffix + one label) of a canonical host; the
 * host itself when it has none or is an IP address. Points into host. */
const char *host_registrable(const char *host);

/* Is host domain itself or one of its subdomains (both canonical)? */
bool host_within(const char *host, const char *domain);

/* One entry of includeDomains, excludeDomains or a priority list. */
struct domain_rule {
    const char *host; /* canonical, without "www." */
    const char *path; /* "" or a path prefix beginning with '/', no final '/' */
};

struct domain_rules {
    const struct domain_rule *rules;
    size_t count;
};

/*
 * Parse one entry: a domain or a URL; scheme, port, case, "www.", a leading
 * "*." and a trailing slash are ignored; query and fragment dropped.
 * ERR_INVALID when it is neither.
 */
MUST_CHECK enum err domain_rule_parse(const char *entry, size_t n,
                                      struct arena *a, struct domain_rule *out);

/* Does the URL match the rule: its host within the rule's domain and the
 * rule's path a prefix of its path on a segment border? */
bool domain_rule_matches(const struct domain_rule *r, const struct url *u);
bool domain_rules_match(const struct domain_rules *rs, const struct url *u);

/* The filter as a whole: with inclusions they decide alone, else a URL is
 * allowed unless an exclusion matches it. */
bool domains_allow(const struct domain_rules *include,
                   const struct domain_rules *exclude, const struct url *u);

#endif
