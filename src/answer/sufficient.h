/*
 * When is the evidence sufficient? The best sentence of the best passages may
 * still say nothing of what is asked, or say it of something else; then there
 * is no answer. Private to the writer: answer_extract.c asks before it
 * answers.
 */
#ifndef CITED_ANSWER_SUFFICIENT_H
#define CITED_ANSWER_SUFFICIENT_H

#include "answer/answer_score.h"

/* What speaks for and against a sentence. Weights are those of the question's
 * terms (overlap.h: 1 is a word that nobody else has). */
enum sufficient_sign {
    /* Does it speak of what the question speaks of? */
    SUFFICIENT_EXACT,   /* share of the question's weight it holds, in the
                           same forms of the words */
    SUFFICIENT_MASS,    /* weight in it, before it and above it; 1 is 3.0 */
    SUFFICIENT_LITTLE,  /* it holds less than the weight of one rare word */
    SUFFICIENT_OFTEN,   /* the share its passage holds, by how often */
    SUFFICIENT_ABSENT,  /* weight of what its passage does not hold at all */
    SUFFICIENT_MISSING, /* … in words */
    SUFFICIENT_NAMES,   /* … of names and numbers */
    SUFFICIENT_TERMS,   /* the question's words */
    SUFFICIENT_TYPE,    /* what the question word asks for is there */
    SUFFICIENT_UNTYPED, /* who, when, where, how many: and it is not */
    SUFFICIENT_HALF,    /* of few terms a heavy one is out of reach */
    SUFFICIENT_ODD,     /* no prose */
    SUFFICIENT_NOBODY,  /* a short question for a person, and no name */
    /* Does it say the same of it? */
    SUFFICIENT_DENIED,   /* the question denies, the sentence does not */
    SUFFICIENT_OPPOSITE, /* it holds the opposite of a word and not the word */
    SUFFICIENT_NUMBER,   /* it holds another number of the same length */
    SUFFICIENT_COUNT
};

/* The signs of s, a sentence of c's text that answer_score.c has weighed. */
void sufficient_read(const struct query *q, const struct candidate *c,
                     const struct sentence *s, double sign[SUFFICIENT_COUNT]);

/* Is the sentence evidence enough to answer with? Above 0: yes. */
double sufficient_confidence(const struct query *q, const struct candidate *c,
                             const struct sentence *s);

#endif
