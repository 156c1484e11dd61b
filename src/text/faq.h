/* Pages of questions and answers that mark them with letters. */
#ifndef CITED_TEXT_FAQ_H
#define CITED_TEXT_FAQ_H

#include "text/html.h"

/* "Q: …" that "A: …" follows, which may be several blocks: the question becomes
 * the heading of its answer, one level below the heading they stand under, and
 * both lose their marks. */
void faq_read(struct page_doc *doc);

#endif
