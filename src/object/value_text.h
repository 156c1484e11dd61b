/*
 * A sentence as tokens, and the values of text found in it: what the files of
 * structured_value.h share. Inside this room only; pure.
 */
#ifndef CITED_OBJECT_VALUE_TEXT_H
#define CITED_OBJECT_VALUE_TEXT_H

#include "object/structured_value.h"
#include "text/terms.h"

enum { TEXT_TOKENS_MAX = 192 };

struct text {
    const char *p;
    size_t n;
    struct term t[TEXT_TOKENS_MAX]; /* folded */
    size_t count;
    struct near near;
};

/* Fill all of x but near. */
void text_read(struct text *x, const char *p, size_t n);

/* "Read Committed is the default isolation level": does the label, and all of
 * it, follow a value that ends at byte end by way of a verb? */
bool text_is_subject(const struct text *x, size_t end);

/* The year 1000-2999 that token i is, -1 for none. */
int date_year(const struct text *x, size_t i);

/* Add dates; names, phrases, versions, quantities and years by what w's type
 * names; the items of an enumeration as one JSON array, each of the kind that
 * the list's schema asks for. */
void value_dates(const struct value_want *w, const struct text *x,
                 struct arena *a, struct value_choices *out);
void value_texts(const struct value_want *w, const struct text *x,
                 struct arena *a, struct value_choices *out);
MUST_CHECK enum err value_lists(const struct value_want *w,
                                const struct text *x, struct arena *a,
                                struct value_choices *out);

#endif
