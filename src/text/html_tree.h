/*
 * HTML to a tree as browsers build it (WHATWG HTML, section 13.2.6): what is
 * left out, misplaced or badly nested is mended by the same rules. One pass,
 * bounded in depth, nodes and steps. Private to text/, called by dom.c.
 */
#ifndef CITED_TEXT_HTML_TREE_H
#define CITED_TEXT_HTML_TREE_H

#include "text/dom.h"

enum {
    TREE_DEPTH_MAX = 512,        /* what nests deeper stands beside it */
    TREE_NODES_MAX = 300 * 1000, /* the page ends behind them */
};

/* The tree of p[0..n) as d's nodes in document order. p has room for a byte
 * more, is changed, and is what the nodes point into. d->cut is set where a
 * limit ended the page. ERR_NOMEM. */
MUST_CHECK enum err html_tree_build(char *p, size_t n, struct dom *d);

#endif
