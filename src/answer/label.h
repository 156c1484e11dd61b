/*
 * What a place of a page stands under: the last of the headings above it, as
 * answers and reports say it ahead of what they quote. Pure.
 */
#ifndef CITED_ANSWER_LABEL_H
#define CITED_ANSWER_LABEL_H

#include "base/arena.h"

enum { LABEL_BYTES = 100 };

/* The last heading of a path (text/passage.h) without its number. */
const char *label_name(const char *path);

/* May it be said: is it a line's length, and speaks to no machine? */
bool label_may_be_said(const char *label);

/* A line of italics that says it, with backslashes where Markdown would take a
 * sign for its own. NULL: no memory. */
const char *label_line(const char *label, struct arena *a);

/* Words of somebody else, with those backslashes. NULL: no memory. */
const char *label_escaped(const char *text, struct arena *a);

#endif
