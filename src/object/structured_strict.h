/*
 * A schema as strict model servers take it, and the answers to it. Inside this
 * room only; pure.
 */
#ifndef CITED_OBJECT_STRUCTURED_STRICT_H
#define CITED_OBJECT_STRUCTURED_STRICT_H

#include "object/structured_field.h"

/*
 * The root's schema with every object closed and every property required, an
 * optional one nullable instead, references written out; limits and formats
 * only as words in descriptions. *text stays NULL when the schema has what
 * cannot be written so (a union, a map, recursion). ERR_NOMEM.
 */
MUST_CHECK enum err strict_schema(struct fill *f, const char **text);

/* A copy of an answer without the nulls that stand for what is left out.
 * ERR_NOMEM, ERR_TOO_LARGE. */
MUST_CHECK enum err strict_answer(struct fill *f, const struct json *answer,
                                  struct json **out);

#endif
