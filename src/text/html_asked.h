/* Lists and tables of questions and their answers. Called by html_blocks.c and
 * html_table.c. Private to text/. */
#ifndef CITED_TEXT_HTML_ASKED_H
#define CITED_TEXT_HTML_ASKED_H

#include "text/dom.h"

/* Is list or table i one of questions and answers: are its terms marks that
 * take turns ("Q", "A"), are most of them questions, or has it DocBook's rows?
 */
bool asked_holds(const struct dom *d, uint32_t i);

/* Is node i, of the one at hand, a mark or the number in the first cell of a
 * row, and no text? */
bool asked_is_mark(const struct dom *d, uint32_t i, uint32_t asked);

/* Does node i of the one at hand ask? */
bool asked_is_question(const struct dom *d, uint32_t i, uint32_t asked);

#endif
