/*
 * Forms as browsers and curl send them: multipart/form-data (RFC 7578, RFC
 * 2046 section 5.1). Taken apart in place; nothing is decoded and no part is
 * copied.
 */
#ifndef CITED_WEB_FORM_H
#define CITED_WEB_FORM_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum { FORM_PARTS_MAX = 16 };

/* Slices of the body; empty where the part does not say it. */
struct form_part {
    struct str name, file, type; /* type: a whole Content-Type value */
    struct str body;
};

struct form {
    struct form_part part[FORM_PARTS_MAX];
    size_t count;
};

/* Is content_type (or NULL) that of such a form? */
bool form_is(const char *content_type);

/* ERR_MALFORMED says what is wrong, in words for the sender: no boundary, not
 * cut by it to the end, a part without a name, two of one name, a part that is
 * encoded; ERR_TOO_LARGE: more parts or longer headers than there may be. */
MUST_CHECK enum err form_parse(const char *content_type, const char *p,
                               size_t n, struct form *out, struct errctx *ec);

/* The part of that name, or NULL. */
const struct form_part *form_find(const struct form *f, const char *name);

#endif
