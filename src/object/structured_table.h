/*
 * An array of objects out of the rows of a table: properties are the columns
 * whose heads name them. Inside this room only.
 */
#ifndef CITED_OBJECT_STRUCTURED_TABLE_H
#define CITED_OBJECT_STRUCTURED_TABLE_H

#include "object/structured_field.h"

/* The rows among the passages, with what stands behind them on the same page,
 * as the elements of an array that property `name` asks for; item is the
 * schema of an element. At least one column must be the item's for each
 * required property, and two for an item of several; no value is taken that
 * its schema refuses. *c and *row: where the first row stands. ERR_NO_RESULT:
 * no such table. */
MUST_CHECK enum err table_rows(struct fill *f, const struct json *array,
                               const struct json *item, const char *name,
                               const struct ranked *r, size_t count,
                               const char **json, const struct candidate **c,
                               const char **row);

#endif
