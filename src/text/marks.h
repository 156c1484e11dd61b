/* What pages mark by letters and numbers of their own. */
#ifndef CITED_TEXT_MARKS_H
#define CITED_TEXT_MARKS_H

#include "text/html.h"

/*
 * "Q: …" that "A: …" follows, which may be several blocks: the question becomes
 * the heading of its answer, one level below the heading they stand under, and
 * loses its mark; so does an answer right behind it. Paragraphs that are
 * nothing but numbers which rise through the page, as those of pages and of
 * paragraphs do, go; so do lines that lead to other pages ("Next Previous
 * Contents") and, at the end, those that say who made the page ("Last modified
 * …").
 */
void marks_read(struct page_doc *doc);

#endif
