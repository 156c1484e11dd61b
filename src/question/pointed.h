/*
 * "The book goes on about "context managers". What are those?": what a question
 * points at with a pronoun, in the words ahead of it. Pure. Called by
 * find/ask.c.
 */
#ifndef CITED_QUESTION_POINTED_H
#define CITED_QUESTION_POINTED_H

#include "question/query.h"

enum { POINTED_MAX = 24 };

struct pointed {
    const char *name[POINTED_MAX]; /* what may be meant, without articles */
    bool capital[POINTED_MAX];     /* written with one inside a sentence */
    size_t count;                  /* 0: q points at nothing that was named */
    bool sure;                     /* it is the first: quoted, or "called" so */
};

/* What q asks to be explained, where it says so with a pronoun or with "the
 * word" alone. The names live as long as q. ERR_NOMEM. */
MUST_CHECK enum err query_pointed(const struct query *q, struct pointed *out);

#endif
