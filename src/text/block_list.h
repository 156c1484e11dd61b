/* A growing list of blocks in an arena, and their text. Private to text/. */
#ifndef CITED_TEXT_BLOCK_LIST_H
#define CITED_TEXT_BLOCK_LIST_H

#include "base/arena.h"
#include "base/buf.h"
#include "text/html.h"

enum { LISTS_NUMBERED = 8 /* deeper ones have no numbers */ };

struct block_list {
    struct arena *a;
    struct block *list;
    size_t count, size;
    const struct definition *entry; /* of the blocks to come */
    int number;                     /* of the next item; 0: none */
    int depth;                      /* lists around the blocks to come */
    int next[LISTS_NUMBERED]; /* of the lists that are open, by how deep */
    bool failed;              /* the arena is full; later adds do nothing */
};

/* Append a block with a copy of text[0..n). */
void block_list_add(struct block_list *l, enum block_kind kind, int level,
                    const char *text, size_t n);

/* A list opens, depth others around it, whose items are numbered from first
 * on; 0: they have no numbers. */
void block_list_open(struct block_list *l, int depth, int first);

/* An item begins of the list that depth others are around. */
void block_list_item(struct block_list *l, int depth);

/* The entry that begins with a term, inside the one at hand; NULL: the term
 * says nothing. */
const struct definition *block_entry(struct block_list *l, const char *term,
                                     size_t n);

/* Append running text as a block holds it: white space, U+00A0 too, folded to
 * single spaces, none in front; soft hyphens and zero-width marks left out. */
void block_text_add(struct buf *line, const char *p, size_t n);

#endif
