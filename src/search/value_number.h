/* Numbers out of sentences, with magnitudes and units; inside this room. */
#ifndef CITED_SEARCH_VALUE_NUMBER_H
#define CITED_SEARCH_VALUE_NUMBER_H

#include "search/structured_value.h"

/* Add the numbers in the text that w may mean, best first: those in the unit
 * its hint names (converted between units of data and of time when needed),
 * near its label's words; years only when it asks for one. */
void value_numbers(const struct value_want *w, const char *p, size_t n,
                   struct arena *a, struct value_choices *out);

#endif
