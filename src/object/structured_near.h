/*
 * Does a value in a text belong to the field's words, by where it stands?
 * Inside this room only; pure.
 */
#ifndef CITED_OBJECT_STRUCTURED_NEAR_H
#define CITED_OBJECT_STRUCTURED_NEAR_H

#include "object/structured_label.h"
#include "object/structured_unit.h"

/* A text and where the label's words stand in it. */
struct near {
    struct str text;
    struct label_hit hits[LABEL_HITS_MAX];
    size_t hit_count;
    struct cell cells[CELLS_MAX];
    size_t cell_count; /* 0: no row of a table */
    const struct label *label;
    bool event; /* of a date or a person: the past is no reason against it */
};

void near_read(const struct label *l, struct str text, bool event,
               struct near *out);

/* How well a value in bytes start..end fits there, about -0.6 to 0.6: more
 * when only words like "is", "defaults to" stand between it and the label's,
 * when the thing counted follows it, or when the head of its column says what
 * is asked; less when it tells of the past or of a comparison. */
double near_fit(const struct near *x, size_t start, size_t end);

/* Tokens between the value and the nearest word of the label before it;
 * SIZE_MAX when there is none. */
size_t near_gap(const struct near *x, size_t start);

#endif
