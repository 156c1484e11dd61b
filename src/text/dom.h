/*
 * A parsed page as a flat array: every node of its tree in document order
 * with its parent and the end of its subtree, so that every pass over a page
 * is a loop. Private to text/; owns all memory it takes.
 */
#ifndef CITED_TEXT_DOM_H
#define CITED_TEXT_DOM_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "text/raised.h"
#include "text/tag.h"

#include <stdbool.h>
#include <stdint.h>

struct attr {
    const char *name; /* lower case */
    char *value;      /* NUL-terminated */
    size_t len;
};

struct node {
    const char *data; /* of a text, NUL-terminated; NULL: an element */
    const struct attr *attrs;
    uint32_t parent; /* index; the root is its own parent */
    uint32_t end;    /* the subtree is [own index, end) */
    uint32_t text;   /* characters of text in the subtree, space folded */
    uint32_t linked; /* of them, inside links */
    float score;     /* of main-text candidates */
    uint16_t commas; /* of the subtree, saturating */
    uint8_t tag;     /* enum tag; TAG_UNKNOWN also for text and math */
    uint8_t attr_count;
    bool is_text, block, holds_block; /* dom_is_block */
    bool foreign;                     /* of math */
    bool dropped, keep;
    uint8_t sections, several; /* which headings its parts begin with
                                  (html_main.c) */
};

struct dom {
    struct arena mem;  /* the attributes */
    struct str source; /* what was parsed, the caller's */
    char *page;        /* a copy of it, which the nodes point into */
    struct node *nodes;
    uint32_t count;
    bool cut; /* only the beginning of the page is in it */
};

enum { HTML_BYTES_MAX = 8 * 1024 * 1024, DOM_BYTES_MAX = 16 * 1024 * 1024 };

/* ERR_TOO_LARGE above HTML_BYTES_MAX; of a page whose tree would be too large
 * (html_tree.h), the beginning. dom_fini always releases, also after a
 * failure. */
MUST_CHECK enum err dom_parse(struct dom *d, const char *p, size_t n,
                              struct errctx *ec);
void dom_fini(struct dom *d);

/* Value of an attribute, NULL when absent or no element. */
const char *dom_attr(const struct node *x, const char *name);
bool dom_attr_is(const struct node *x, const char *name, const char *value);

/* Is node i inside (or itself) an element with the tag? */
bool dom_within(const struct dom *d, uint32_t i, enum tag tag);

/* First element with the tag from index from on; d->count if none. */
uint32_t dom_find(const struct dom *d, uint32_t from, enum tag tag);

/* Is there an element with the tag below node i? */
bool dom_holds(const struct dom *d, uint32_t i, enum tag tag);

/* All text below node i, white space folded, at most max bytes; skip_dropped
 * leaves out dropped subtrees. In the arena a; NULL when it is full. */
char *dom_text(const struct dom *d, uint32_t i, size_t max, bool skip_dropped,
               struct arena *a);

/* Is node i the mark of a footnote: a short number, letter or sign, raised and
 * a link to a place in a page? Not part of the text it stands in. */
bool dom_is_note(const struct dom *d, uint32_t i);

/* Is it what such a mark says: "1", "12,13", "[note 3]", "a", a dagger? */
bool dom_is_note_text(const char *z, size_t n);

/* The text of a <sup> or <sub> at node i as it is written behind
 * before[0..m) (raised.h); its length, or 0 where it is read like any text. */
size_t dom_raised(const struct dom *d, uint32_t i, const char *before, size_t m,
                  char out[RAISED_MAX]);

/* Does an element of this tag begin a new block of text? */
bool dom_is_block(enum tag tag);

/* <h1> to <h6>. */
static inline bool dom_is_heading(const struct node *x)
{
    return x->tag >= TAG_H1 && x->tag <= TAG_H6;
}

#endif
