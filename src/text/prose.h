/*
 * Pages that somebody typed: running text whose lines were broken by hand and
 * stand in <pre> though they are no listing (manuals, letters and licences that
 * were plain text once). Private to text/.
 */
#ifndef CITED_TEXT_PROSE_H
#define CITED_TEXT_PROSE_H

#include "text/block_list.h"

/* Where more than half of a page's bytes are sentences in listings, take the
 * listings apart: paragraphs and list items with their lines joined, entries of
 * terms and what is set as far in below them, lines of capitals over something
 * indented as headings, and what is none of these as listings. False: the page stays as it is, as an example may be a sentence. */
bool prose_read(struct block_list *l);

#endif
