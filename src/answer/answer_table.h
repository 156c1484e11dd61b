/*
 * Rows of a page's table, which are stored as "Name: port | Default: 80", as a
 * table of Markdown. Its heads are written once; each row can be read back as
 * it is stored. Private to answer_render.c.
 */
#ifndef CITED_ANSWER_TABLE_H
#define CITED_ANSWER_TABLE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum { TABLE_COLUMNS_MAX = 16 };

struct answer_table {
    struct str heads[TABLE_COLUMNS_MAX]; /* into the rows; empty: it has none */
    size_t columns;                      /* 2 or more */
};

/* What n rows have in common; false: they make no table that says all they
 * say, fewer than two make none. */
bool table_of(const struct str *rows, size_t n, struct answer_table *out);

/* "| Name | Default |" and the line below it. */
void table_head_add(const struct answer_table *t, struct buf *b);
/* "| port | 80 |", of one of the rows that t was made of. */
void table_row_add(const struct answer_table *t, struct str row, struct buf *b);

/* The row that table_row_add made z of, as it is stored; NULL: no memory. */
char *table_row_read(const struct answer_table *t, struct str z,
                     struct arena *a);

#endif
