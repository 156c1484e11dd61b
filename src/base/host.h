/*
 * The host part of a URL: percent-decoding, IDNA, odd IPv4 spellings and
 * IPv6 made canonical. Shared by url.c and domain.c; everybody else uses
 * url.h.
 */
#ifndef CITED_BASE_HOST_H
#define CITED_BASE_HOST_H

#include "base/url.h"

/* Longest result: a domain name, or a bracketed IPv6 address. */
enum { HOST_SIZE = HOST_MAX + 1 };

/*
 * The n bytes of a host as a URL spells it into out, canonical: lower case,
 * punycode, no final dot, a dotted IPv4 address, or a bracketed IPv6 one.
 *
 * A name may hold letters, digits, '-' and '_' only: stricter than the WHATWG
 * standard, which lets a host such as "a*b" through that no resolver knows.
 * ERR_INVALID says what is wrong; ERR_NOMEM.
 */
MUST_CHECK enum err host_parse(const char *p, size_t n, char out[HOST_SIZE],
                               struct errctx *ec);

/* host without a leading "www.", unless what remains is a public suffix:
 * "www.gov.uk" is a site, "gov.uk" a registry. Points into host. */
const char *host_without_www(const char *host);

#endif
