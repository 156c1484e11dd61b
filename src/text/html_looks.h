/* How a node is set: what its block is to a reader, by the elements it stands
 * in and what these are called. Called by html_blocks.c. Private to text/. */
#ifndef CITED_TEXT_HTML_LOOKS_H
#define CITED_TEXT_HTML_LOOKS_H

#include "text/dom.h"

enum {
    LABEL_BYTES = 120, /* of the title of a box */
    BOX_NAME_MAX = 12  /* letters of a box's name as a page says it */
};

/* Of a page with next to no <h2> to <h6>, makes headings of the blocks that are
 * called so with a level, "section2-title", "Heading3", or have a place's name
 * and a number, "2.1.3 Why". Texts are measured. */
void headings_name(struct dom *d);

/* The quotation that tells of paragraph i as of a term, as docutils sets what
 * is moved in: where three such pairs or more follow each other. *behind is the
 * node behind the last one, 0 at first. 0: there is none. */
uint32_t looks_told(const struct dom *d, uint32_t i, uint32_t *behind);

/* Is block i called a number, and no more than that of the heading behind it,
 * "2.1"? */
bool looks_numbering(const struct dom *d, uint32_t i);

/* Does the block stand in a figure? Then it says what a picture is called, and
 * heads nothing. */
bool looks_captioned(const struct dom *d, uint32_t i);

/* Is one of the words of the class name z (NULL has none) what boxes beside the
 * text are called? */
bool looks_box_name(const char *z);

/* The box of a note, a warning or an example whose name is all that block i
 * says; 0: it does not. */
uint32_t looks_box_of(const struct dom *d, uint32_t i);

/* Is it one of Doxygen's listings: a block of lines that are blocks? */
bool looks_listing(const struct dom *d, uint32_t i);

/* Are lines of block i set as they are typed, each with a break? */
bool looks_literal(const struct dom *d, uint32_t i);

/* Is it a table that is set as one line: what a function is called with? */
bool looks_prototype(const struct dom *d, uint32_t i);

/* Is the text node inside <b>, <strong> or <summary> within its block?
 * *slanted: or in what marks a part of a name or of code in a line that is? */
bool looks_bold(const struct dom *d, uint32_t i, bool *slanted);

/* Is the text node in an element of code within its block, or space? */
bool looks_typed(const struct dom *d, uint32_t i);

/* Is it a note beside the text, in the sentence that it is about? */
bool looks_side_note(const struct dom *d, uint32_t i);

/* How far groff moves a paragraph in, in percent; 0: it is another's. */
int looks_margin(const struct node *x);

#endif
