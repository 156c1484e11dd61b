/* Tables of data as blocks: a row each, its cells with the names of their
 * columns. Private to text/. */
#ifndef CITED_TEXT_HTML_TABLE_H
#define CITED_TEXT_HTML_TABLE_H

#include "text/block_list.h"
#include "text/dom.h"

enum { COLUMNS_MAX = 64 };

struct column {
    const char *header; /* NULL: it has no name */
    const char *text;   /* of a cell that … */
    size_t rows;        /* … goes on in so many more rows */
    bool names;         /* … and names what is beside it */
};

/* A table that is being read. All zero: none is. */
struct table {
    const struct dom *d;
    struct arena *a;
    struct block_list *out;
    uint32_t end;     /* of its nodes; 0: none is read */
    uint32_t group;   /* of rows, which cells do not go on behind */
    size_t rows;      /* read */
    size_t columns;   /* that the rows of names have; 0: there were none */
    size_t member;    /* the block of Doxygen's member that nothing is said of
                         yet, from 1 on; 0: none is the last */
    size_t carried;   /* bytes of cells that were said again */
    bool header_used; /* a row below them has their names */
    bool failed;      /* no memory */
    struct column column[COLUMNS_MAX];
};

/* Is table i one of data, not of layout: no table or heading inside, rows and
 * columns that say something, short cells? */
bool table_is_data(const struct dom *d, uint32_t i);

/* Is row i of another table one of a few words in cells beside each other? */
bool table_is_row(const struct dom *d, uint32_t i);

/* Table i begins, or a row that is one; its rows go to out. */
void table_open(struct table *t, const struct dom *d, uint32_t i,
                struct arena *a, struct block_list *out);

/* The row: the names of its columns, or a block "name: value | name: value". A
 * cell that spans several rows is said in each. */
void table_take_row(struct table *t, uint32_t row);

/* It ends. Names of columns without rows are a row. */
void table_close(struct table *t);

#endif
