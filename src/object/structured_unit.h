/*
 * The smallest pieces of a passage that can tell a value: a sentence, a row of
 * a table, the headings above. Inside this room only; pure.
 */
#ifndef CITED_OBJECT_STRUCTURED_UNIT_H
#define CITED_OBJECT_STRUCTURED_UNIT_H

#include "base/str.h"
#include "index/page.h"

enum unit_kind { UNIT_SENTENCE, UNIT_ROW, UNIT_HEADING };

struct unit {
    enum unit_kind kind;
    struct str text;
    struct str before; /* what the same paragraph says ahead of it */
};

enum { UNITS_MAX = 80, CELLS_MAX = 16 };

/* The units of a passage, its title and its lowest heading first; at most
 * UNITS_MAX. ERR_NOMEM only. */
MUST_CHECK enum err units_read(const struct candidate *c, struct arena *a,
                               struct unit *out, size_t *count);

/* The lowest heading above the passage; empty without one. */
struct str unit_heading(const struct candidate *c);

/* A cell of a row: "Upper Limit: 1,600". */
struct cell {
    struct str head, value; /* head is empty when the table names none */
};

/* The cells of a row "Head: value | Head: value", at most max. 0: no row. */
size_t cells_read(struct str row, struct cell *out, size_t max);

/* Is it one of remarks ("Comment: …"), by its head? */
bool cell_is_remark(const struct cell *c);

#endif
