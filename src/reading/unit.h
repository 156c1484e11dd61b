/*
 * Units of measure: their one spelling, and how those of one dimension are
 * converted into each other. Pure.
 */
#ifndef CITED_READING_UNIT_H
#define CITED_READING_UNIT_H

#include <stdbool.h>

/* UNIT_OTHER: never converted, and no value is asked for in it. */
enum unit_dimension {
    UNIT_OTHER,
    UNIT_DATA,
    UNIT_TIME,
    UNIT_LENGTH,
    UNIT_SHARE
};

struct measure {
    const char *name; /* its one spelling */
    enum unit_dimension dim;
    double factor;     /* to bytes, seconds, metres, percent */
    const char *words; /* folded */
};

/* The unit that a folded word is, or NULL. */
const struct measure *unit_find(const char *word);

/* Is the folded word a number? */
bool unit_counts(const char *word);

/* Does it say how much there is of something: "300km", "40k", or a unit behind
 * a number? */
bool unit_measures(const char *word, bool behind_number);

#endif
