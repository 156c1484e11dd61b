/*
 * Does a sentence or a row speak of the field at all? Inside this room only;
 * pure.
 */
#ifndef CITED_OBJECT_STRUCTURED_COVER_H
#define CITED_OBJECT_STRUCTURED_COVER_H

#include "object/structured_value.h"

/* How much of the label stands in unit u of passage c: 1 for all of its words
 * by weight, less for those that stand only above it, more when the paragraph
 * or section is about nothing else. Below 0: too little, or a qualifier or a
 * number that the label insists on is not there. */
double cover_score(const struct label *l, enum value_kind kind,
                   const struct candidate *c, const struct unit *u);

/* Enough to believe a value that somebody else proposes: half of the label's
 * words stand by it or above it, and its qualifiers and numbers. A boolean
 * needs what cover_score asks for. */
bool cover_allows(const struct label *l, enum value_kind kind,
                  const struct candidate *c, const struct unit *u);

#endif
