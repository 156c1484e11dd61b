/*
 * JSON Schema: the caller's schema for structured output. Checked when a
 * request comes in, and every output validated before it leaves.
 *
 * Vocabulary: draft-07 and 2020-12 as zod and pydantic emit it: type (also
 * an array of types), properties, required, additionalProperties,
 * patternProperties, propertyNames, items, prefixItems, enum, const, anyOf,
 * oneOf, allOf, not, if/then/else, $ref and $dynamicRef (within the document,
 * which for the latter means the same), $anchor, $defs, definitions, minimum
 * and its family, multipleOf, minLength, maxLength, pattern (see pattern.h),
 * minItems, maxItems, uniqueItems, contains, minProperties, maxProperties,
 * dependentRequired, dependentSchemas, dependencies, additionalItems,
 * min/maxContains, unevaluatedProperties, unevaluatedItems; format as listed
 * in schema_format.c. $recursiveRef and references to other documents are
 * refused rather than ignored; docs/structured.md names what is ignored.
 */
#ifndef CITED_JSON_SCHEMA_H
#define CITED_JSON_SCHEMA_H

#include "json/json.h"

/*
 * Is it a schema we can honour: an object whose root type is object, every
 * keyword of the right form, every $ref local and resolvable, at most
 * depth 32? ERR_INVALID; the message names the place as a path,
 * "properties.age.minimum must be a number, not a string".
 */
MUST_CHECK enum err schema_check(const struct json *schema, struct errctx *ec);

/* Does value satisfy schema (checked before)? ERR_INVALID names the first
 * failing place in the value and the rule, or says that the schema is too
 * complex: work and depth are bounded (about 50 ms). */
MUST_CHECK enum err schema_validate(const struct json *schema,
                                    const struct json *value,
                                    struct errctx *ec);

/* The same against sub, which is part of the schema root: references in it
 * are the root's. */
MUST_CHECK enum err schema_validate_part(const struct json *root,
                                         const struct json *sub,
                                         const struct json *value,
                                         struct errctx *ec);

/* Follow $ref until a schema without one; NULL when it does not resolve or
 * loops. root is the whole document. */
const struct json *schema_resolve(const struct json *root,
                                  const struct json *sub);

#endif
