/*
 * A schema being filled: what all files that fill it share. Inside this room
 * only.
 */
#ifndef CITED_OBJECT_STRUCTURED_FILL_H
#define CITED_OBJECT_STRUCTURED_FILL_H

#include "answer/answer.h"
#include "object/structured.h"
#include "json/json.h"

enum { FILL_SOURCES_MAX = 100 };

/* A schema being filled. */
struct fill {
    const struct query *q;
    uint64_t subject; /* those of its names that say what all is about */
    const struct json *root;
    const struct structured_ask *ask;
    struct arena *a;
    struct errctx *ec;
    struct source *sources; /* pages the values came from, FILL_SOURCES_MAX */
    size_t source_count;
    size_t fields;                   /* asked for so far */
    size_t properties;               /* looked at so far */
    const struct proposal *proposal; /* of a model */
    size_t given;                    /* elements of it looked at so far */
    int only_given;                  /* > 0: within an array it proposes */
};

/* A schema with $ref followed and a null branch taken off. */
struct shape {
    const struct json *schema;
    bool nullable;
    const char *type; /* "" when the schema names none */
};

/* The schema, part of the root, as such. */
struct shape fill_shape(const struct fill *f, const struct json *schema);

/* The schema with $ref followed and a null branch taken off, NULL when there
 * is none; and the type it names, "" for none. */
const struct json *fill_leaf(const struct fill *f, const struct json *schema);
const char *fill_type(const struct json *leaf);

bool fill_is_required(const struct json *object, const char *name);

/* Does the schema, part of the root, take the JSON text? */
MUST_CHECK enum err fill_is_valid(const struct fill *f,
                                  const struct json *schema, const char *json,
                                  bool *valid);

/* Is the passage about what the question names? The height of another tower
 * is worse than none. *page: only its page as a whole is. A comparison names
 * several things. */
MUST_CHECK enum err fill_is_about(const struct fill *f,
                                  const struct candidate *c, bool *about,
                                  bool *page);

/* A parsed value as JSON text when the schema takes it; ERR_NO_RESULT: it does
 * not. */
MUST_CHECK enum err fill_print(struct fill *f, const struct json *schema,
                               const struct json *value, const char **json);

/* The page of a value becomes a source, once. sentence NULL: ERR_NOMEM. */
MUST_CHECK enum err fill_source(struct fill *f, const struct candidate *c,
                                const char *sentence);

#endif
