/*
 * Comparisons in a question: "Compare A with B in C", "A versus B", "what is
 * the difference between A, B and C", "how do A and B differ", "is A faster
 * than B", and in short "A or B?", "A and B - how do they differ". Pure. Called
 * by query.c and the research room.
 */
#ifndef CITED_QUESTION_COMPARE_H
#define CITED_QUESTION_COMPARE_H

#include "base/str.h"
#include "text/lang.h"

enum { COMPARE_MEMBERS_MAX = 5 };

struct comparison {
    struct str member[COMPARE_MEMBERS_MAX];
    size_t count;       /* at least 2 */
    struct str context; /* "in SQLite", or empty */
    bool picks;         /* one of them is chosen: "why A instead of B" */
};

/* Is s a comparison, in the words of its language (lang/words.h)? False leaves
 * *c undefined. */
bool compare_find(enum lang l, struct str s, struct comparison *c);

#endif
