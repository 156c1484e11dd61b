/*
 * What stands around a question and asks nothing: "Hi, please tell me: …?
 * Thanks!" says no more than what is between. The words are lang/words.h's.
 * Pure. Called by query.c.
 */
#ifndef CITED_QUESTION_WORDING_H
#define CITED_QUESTION_WORDING_H

#include "base/str.h"
#include "lang/words.h"

/* The text without such words in front and behind, a view into it; all of it
 * where nothing would be left. One word in front has a mark behind it ("Hi,").
 */
struct str question_bare(enum lang l, const char *text);

#endif
