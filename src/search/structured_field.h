/*
 * One field of a schema from evidence: asks for passages, takes the value by
 * type, checks it against the field's schema. Inside this room only.
 */
#ifndef CITED_SEARCH_STRUCTURED_FIELD_H
#define CITED_SEARCH_STRUCTURED_FIELD_H

#include "search/answer.h"
#include "json/json.h"

enum { FILL_SOURCES_MAX = 100 };

/* A schema being filled. */
struct fill {
    const struct query *q;
    const struct json *root;
    const struct structured_ask *ask;
    struct arena *a;
    struct errctx *ec;
    struct source *sources; /* pages the values came from, FILL_SOURCES_MAX */
    size_t source_count;
    size_t fields;     /* asked for so far */
    size_t properties; /* looked at so far */
};

/* The value of property `name` as JSON text, valid against leaf. Its page
 * becomes a source. ERR_NO_RESULT: no sufficient evidence. */
MUST_CHECK enum err field_value(struct fill *f, const struct json *leaf,
                                const char *type, const char *name,
                                const char **json);

/* An array of plain values; item is the schema of its items or NULL. */
MUST_CHECK enum err field_list(struct fill *f, const struct json *array,
                               const struct json *item, const char *name,
                               const char **json);

#endif
