/*
 * The look at HTML before the parser sees it: gumbo's cost grows with the
 * square of nesting depth and of attributes on one element, and half of a
 * page is nothing to read. Private to text/.
 */
#ifndef CITED_TEXT_HTML_GUARD_H
#define CITED_TEXT_HTML_GUARD_H

#include "base/err.h"

#include <stddef.h>

enum {
    HTML_BYTES_MAX = 8 * 1024 * 1024,
    HTML_DEPTH_MAX = 2000,
    HTML_ATTRS_MAX = 256 /* of one element */
};

/* p[0..n) without comments, styles, pictures in SVG, and scripts that are not
 * JSON, where leaving them out changes nothing else of the tree. out has room
 * for n bytes; *len of them are set. ERR_TOO_LARGE with the reason when parsing
 * would cost more than the limits allow. Linear in n times a small bound on
 * depth; allocates nothing. */
MUST_CHECK enum err html_guard_cut(const char *p, size_t n, char *out,
                                   size_t *len, struct errctx *ec);

#endif
