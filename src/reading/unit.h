/*
 * Units of measure: their one spelling, and how those of one dimension are
 * converted into each other. Pure.
 */
#ifndef CITED_READING_UNIT_H
#define CITED_READING_UNIT_H

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

#endif
