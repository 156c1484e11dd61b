/* What pages mark by letters and numbers of their own. */
#ifndef CITED_TEXT_MARKS_H
#define CITED_TEXT_MARKS_H

#include "text/html.h"

enum { MARK_PAIRS = 13 /* of a question and its answer */ };

/* Bytes of the mark, with its number, of the pair's question or answer that z
 * begins with: of "Q2: …" two; 0: it has none. */
size_t mark_bytes(const char *z, size_t pair, bool answer);

/* Is the mark a word, or the letter that next to nothing else begins with? */
bool mark_is_clear(size_t pair);

/*
 * "Q: …" that "A: …" follows, which may be several blocks, or what other
 * languages mark them by: the question becomes the heading of its answer, one
 * level below the heading they stand under, and loses its mark; so does an
 * answer right behind it. So they are where one of a page's asks; by "Q" and by
 * words also where there are several. Paragraphs that are
 * nothing but numbers which rise through the page, as those of pages and of
 * paragraphs do, go; so do lines that lead to other pages ("Next Previous
 * Contents") and, at the end, those that say who made the page ("Last modified
 * …").
 */
void marks_read(struct page_doc *doc);

#endif
