/*
 * Footnotes of a page: they stand at its end and are said where the text refers
 * to them. Their blocks go to the end of that section, as paragraphs without
 * their numbers. Notes under a heading of their own stay where they are.
 * Private to text/.
 */
#ifndef CITED_TEXT_FOOTNOTES_H
#define CITED_TEXT_FOOTNOTES_H

#include "text/block_list.h"
#include "text/dom.h"

struct footnote {
    const char *id;    /* of the element that holds it */
    size_t referrer;   /* the block with the mark */
    size_t start, end; /* its blocks; none yet: both 0 */
};

struct footnotes {
    struct arena *a;
    struct footnote *v; /* in the order of their marks */
    size_t count, size, next;
    struct footnote *open; /* whose blocks are being added; NULL */
    uint32_t open_at;      /* the node that ends it */
};

/* Node i is a mark (dom_is_note) in the block to be added next. */
void footnotes_refer(struct footnotes *f, const struct dom *d, uint32_t i,
                     const struct block_list *l);

/* Does node i, with an id, begin a note? It is then open until the node `until`
 * is left. */
bool footnotes_begin(struct footnotes *f, const struct dom *d, uint32_t i,
                     uint32_t until, const struct block_list *l);

/* Is nothing said yet of the note that is open? */
bool footnotes_at_start(const struct footnotes *f, const struct block_list *l);

/* Node i is left, or the page ends. */
void footnotes_leave(struct footnotes *f, uint32_t i,
                     const struct block_list *l);

/* Put the blocks of the notes where they belong. */
void footnotes_move(const struct footnotes *f, struct block_list *l);

#endif
