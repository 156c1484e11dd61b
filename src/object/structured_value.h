/*
 * Typed values out of sentences: number, date, boolean, enumeration, name,
 * list. Inside this room only; pure.
 */
#ifndef CITED_OBJECT_STRUCTURED_VALUE_H
#define CITED_OBJECT_STRUCTURED_VALUE_H

#include "object/structured_near.h"
#include "json/json.h"

enum value_kind {
    VALUE_TEXT,
    VALUE_INTEGER,
    VALUE_NUMBER,
    VALUE_BOOLEAN,
    VALUE_DATE,
    VALUE_DATE_TIME,
    VALUE_ENUM,
    VALUE_LIST
};

enum { VALUE_CHOICES_MAX = 24 };

/* What a field asks for. */
struct value_want {
    enum value_kind kind;
    enum answer_type type;   /* of a text: what it names */
    const struct json *leaf; /* its schema, $ref and null branch resolved */
    const struct label *label;
    const struct query *q;   /* the question */
    const struct json *item; /* of a list: the schema of its items, or NULL */
};

/* A value and where it stands in the text it was found in. */
struct value_choice {
    const char *json; /* as JSON text, in the arena */
    size_t start, end;
    double fit; /* about -1 to 1 */
};

/* Possible values in a text, in reading order. Every one stands in it: none
 * is made up. */
struct value_choices {
    struct value_choice at[VALUE_CHOICES_MAX];
    size_t count;
    bool failed; /* no memory for one of them */
};
MUST_CHECK enum err value_find(const struct value_want *w, const struct unit *u,
                               struct arena *a, struct value_choices *out);

/* What kind of value the schema leaf of this type asks for. */
enum value_kind value_kind_of(const struct json *leaf, const char *type);

/* Add one; json NULL: out of memory. */
void value_add(struct value_choices *out, const char *json, size_t start,
               size_t end, double fit);

/* A JSON string of the n bytes, white space folded; NULL: no memory. */
const char *value_string(const char *p, size_t n, struct arena *a);

#endif
