/*
 * Typed values out of sentences: number, date, boolean, enumeration, name,
 * list. Inside this room only; pure.
 */
#ifndef CITED_SEARCH_STRUCTURED_VALUE_H
#define CITED_SEARCH_STRUCTURED_VALUE_H

#include "search/query.h"
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

enum { VALUE_CHOICES_MAX = 12 };

/* What a field asks for. */
struct value_want {
    enum value_kind kind;
    const struct json *leaf;   /* its schema, $ref and null branch resolved */
    const char *hint;          /* its name in words, title and description */
    const struct query *q;     /* its question; q->type says what is named */
    const struct query *label; /* its name in words */
};

/* Possible values in the n bytes at p, best first, each as JSON text in the
 * arena. Every one stands in the text: none is made up. */
struct value_choices {
    const char *json[VALUE_CHOICES_MAX];
    size_t count;
};
MUST_CHECK enum err value_find(const struct value_want *w, const char *p,
                               size_t n, struct arena *a,
                               struct value_choices *out);

/* Does the text deny something ("not", "never", "no …")? */
bool value_denies(const char *p, size_t n);

/* A JSON string of the n bytes, white space folded; NULL: no memory. */
const char *value_string(const char *p, size_t n, struct arena *a);

#endif
