/*
 * A schema's object proposed by a language model. Nothing in it is believed:
 * the caller takes a value only when model_holds finds it in a passage.
 * Inside this room only.
 */
#ifndef CITED_OBJECT_STRUCTURED_MODEL_H
#define CITED_OBJECT_STRUCTURED_MODEL_H

#include "object/structured_field.h"

/* What the model was shown, and what it said. */
struct proposal {
    struct json *object;     /* or NULL; the caller gives it back */
    struct candidate *shown; /* text without orders to machines */
    size_t count;
};

/*
 * Ask the model for the whole object, over passages for the question and for
 * each property at the root; when its answer is no JSON or breaks the schema it
 * is told so, at most twice. ERR_OK with out->object NULL when there is no
 * model, no passage, or no usable answer (logged); ERR_NOMEM, and what
 * f->ask->passages returns.
 */
MUST_CHECK enum err model_propose(struct fill *f, struct proposal *out);

/* Does a passage that speaks of property `name` hold the value, a number, a
 * date, a name, a word of an enumeration; or say what a boolean says, or a
 * longer text? Then *json is the value as text and its page a source.
 * ERR_NO_RESULT: none does. */
MUST_CHECK enum err model_holds(struct fill *f, const struct proposal *p,
                                const struct json *leaf, const char *name,
                                const struct json *value, const char **json);

#endif
