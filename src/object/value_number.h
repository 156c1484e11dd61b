/* Numbers out of sentences, with magnitudes and units; inside this room. */
#ifndef CITED_OBJECT_VALUE_NUMBER_H
#define CITED_OBJECT_VALUE_NUMBER_H

#include "object/structured_value.h"

/* Add the numbers in the text that w may mean: in the unit its label names
 * (converted between units of data, time and length when needed), never one
 * that is part of a version, a date, a time or a section's number; years only
 * when it asks for one. */
void value_numbers(const struct value_want *w, const struct near *x,
                   struct arena *a, struct value_choices *out);

/* The same as text, number and unit as they are written: "281 terabytes".
 * Only those whose unit the label may mean. */
void value_quantities(const struct value_want *w, const struct near *x,
                      struct arena *a, struct value_choices *out);

/* Is the folded token a unit of measure? */
bool value_is_unit(const char *token);

#endif
