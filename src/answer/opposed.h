/*
 * Does a sentence that holds a question's words say something else of them:
 * deny where the question affirms nothing of the kind, hold the opposite of
 * one of its words, or another number? English.
 */
#ifndef CITED_ANSWER_OPPOSED_H
#define CITED_ANSWER_OPPOSED_H

#include "question/query.h"

/* Is there a question word in it (who, what, which, how …)? */
bool opposed_asks(const char *question);

/* The question denies ("not", "never", "without") and the n bytes at p hold
 * no word of denial at all: what they affirm is not what is asked. */
bool opposed_denies(const char *question, const char *p, size_t n);

/* They hold the opposite of a word of the question ("smaller" of "larger",
 * "uncivilized" of "civilized"), and neither the word nor one that says the
 * same. A question that holds both ("harder or easier") is never opposed. */
bool opposed_words(const char *question, const char *p, size_t n);

/* Where the question has a number of three digits or more that is not in have,
 * they hold another one of as many digits: a year in place of a year. */
bool opposed_number(const struct query *q, uint64_t have, const char *p,
                    size_t n);

#endif
