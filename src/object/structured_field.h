/*
 * One field of a schema from evidence: asks for passages, takes the value by
 * type, checks it against the field's schema. Inside this room only.
 */
#ifndef CITED_OBJECT_STRUCTURED_FIELD_H
#define CITED_OBJECT_STRUCTURED_FIELD_H

#include "object/structured_fill.h"

/* The value of property `name` as JSON text, valid against leaf. Its page
 * becomes a source. ERR_NO_RESULT: no sufficient evidence. */
MUST_CHECK enum err field_value(struct fill *f, const struct json *leaf,
                                const char *type, const char *name,
                                const char **json);

/* An array of plain values; item is the schema of its items or NULL. */
MUST_CHECK enum err field_list(struct fill *f, const struct json *array,
                               const struct json *item, const char *name,
                               const char **json);

/* An array of objects from the rows of a table; item is the resolved schema of
 * its elements. ERR_NO_RESULT: there is no such table. */
MUST_CHECK enum err field_table(struct fill *f, const struct json *array,
                                const struct json *item, const char *name,
                                const char **json);

#endif
