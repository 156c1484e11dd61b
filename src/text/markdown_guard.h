/* What Markdown would cost MD4C, before it sees it. Private to text/. */
#ifndef CITED_TEXT_MARKDOWN_GUARD_H
#define CITED_TEXT_MARKDOWN_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/*
 * May p[0..n) be given to MD4C? Not when one of its costs would grow faster
 * than the text, or its memory above tens of megabytes:
 * - list and quote marks that stand more than 1,000 bytes behind the start of
 *   their line, or these bytes times the text's lines above 10^9;
 * - lines times closed brackets, paragraph by paragraph, above 5 * 10^9;
 * - more than 400,000 brackets in a paragraph;
 * - in a text that may define links, more than 16 brackets open at once in a
 *   paragraph, or closed brackets times the longest word above 10^9.
 */
bool markdown_is_bounded(const char *p, size_t n);

#endif
