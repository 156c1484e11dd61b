/*
 * Values in sentences, and whether sources agree on them: a number with its
 * unit, a date, a name. Pure. Called by answer_say.c and the
 * renderer.
 */
#ifndef CITED_ANSWER_AGREE_H
#define CITED_ANSWER_AGREE_H

#include "question/query.h"

struct buf;

enum { CLAIM_KEY_MAX = 47, CLAIM_UNIT_MAX = 31 };

/* A value as it stands in a sentence. */
struct claim {
    size_t start, len;             /* the verbatim part: "41 metres" */
    char key[CLAIM_KEY_MAX + 1];   /* equal for equal values */
    char unit[CLAIM_UNIT_MAX + 1]; /* what it counts, stemmed; "date" or
                                      "name" for these */
};

/* The values of q's type in the n bytes at p that the question does not hold
 * itself, at most max. None for types other than number, date, person and
 * place; a number without a unit is none. */
size_t agree_claims(const struct query *q, const char *p, size_t n,
                    struct claim *out, size_t max);

bool agree_is_same(const struct claim *a, const struct claim *b);

/* What a source says: a sentence of a passage. */
struct saying {
    const struct candidate *from;
    size_t start, len; /* of the sentence in from->text */
};

/*
 * Do a and b, of different registrable domains, answer q with different
 * values? Both hold the same names and most of the same words of the question,
 * each one value of the type in the same unit, and neither passage holds the
 * other's value. For numbers a year that only one of them holds
 * makes it another question. Numbers and dates only. *x and *y: the values,
 * their start from the sentence's.
 */
bool agree_is_dissent(const struct query *q, const struct saying *a,
                      const struct saying *b, struct claim *x, struct claim *y);

/* One of the two parts of the sentence that says so. */
struct dissent_part {
    const struct candidate *from;
    const char *value; /* verbatim */
    size_t value_len;
    size_t number; /* of the source; 0: no marker */
};

/* Append "Sources disagree: a.example says “41 metres” (2024-05-01) [1],
 * b.example says “43 metres” [2]." Newest first when both have dates. */
void agree_say(struct buf *b, const struct dissent_part part[2]);

#endif
