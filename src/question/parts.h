/*
 * A question that asks for several things: "Which tool …, and how do I …?" Each
 * part has its own words, and is asked for by itself. Pure. Called by the
 * search room.
 */
#ifndef CITED_QUESTION_PARTS_H
#define CITED_QUESTION_PARTS_H

#include "question/query.h"

enum { QUERY_PARTS_MAX = 3 };

/* The parts of q, ranges of its text in their order; 1: it is one. A part
 * begins behind a question mark, or with what joins and then asks
 * (lang/words.h), and has words enough of its own. */
size_t query_parts(const struct query *q, struct str out[QUERY_PARTS_MAX]);

/* The sentences of q that ask, from the first one to the last, where others
 * stand around them that only tell ("I am new to Git.") and these say enough
 * themselves; else the whole text. ERR_NOMEM. */
MUST_CHECK enum err query_asked(const struct query *q, struct str *out);

/* A part of q's text as a question, in q's language and with its guidance.
 * Lives as long as q. ERR_NOMEM. */
MUST_CHECK enum err query_of_text(const struct query *q, struct str part,
                                  struct query *out);

/* The same of one of several parts, in which the other words of q count little.
 * ERR_NOMEM. */
MUST_CHECK enum err query_of_part(const struct query *q, struct str part,
                                  struct query *out);

#endif
