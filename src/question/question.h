/*
 * Questions in other languages than English: what kind of thing they ask for,
 * by tables of question words and nouns; and the same signs of an answer that
 * evidence.h knows, in their words. Pure. The tables are lang/words.h.
 */
#ifndef CITED_QUESTION_QUESTION_H
#define CITED_QUESTION_QUESTION_H

#include "question/query.h"

/* The words of an unspaced question that ask ("何メートル"), as a byte range:
 * no answer repeats them. False when there are none. */
bool question_asks_at(enum lang l, const char *text, size_t *from, size_t *to);

/* As query_type_of, for questions in l. */
enum answer_type question_type_in(enum lang l, const char *text,
                                  struct arena *a, const char **subject);

/* As query.focus: the noun behind "wie viele", "combien de"… */
size_t question_focus_in(const struct query *q);

/* As evidence_of, for questions that are not in English. */
double question_evidence(const struct query *q, const char *p, size_t n);

#endif
