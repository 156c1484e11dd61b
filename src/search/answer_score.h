/*
 * The sentences of ranked passages with the signs that tell how well each
 * answers a question, and the score made of them. Private to the writer:
 * answer_extract.c chooses from what this file has weighed.
 */
#ifndef CITED_SEARCH_ANSWER_SCORE_H
#define CITED_SEARCH_ANSWER_SCORE_H

#include "search/answer.h"
#include "text/passage.h"

enum { PRINTS_MAX = 96 }; /* distinct words of a sentence compared */

/* What is known about a sentence, each in about 0-1. */
enum sign {
    SIGN_OWN,      /* weight share of the question's terms in it */
    SIGN_LOOSE,    /* … of more terms, by words of one family */
    SIGN_BEFORE,   /* … of more terms in the sentence before */
    SIGN_AFTER,    /* … in the one behind */
    SIGN_CONTEXT,  /* … in title, headings, the line it stands under */
    SIGN_AROUND,   /* … elsewhere in its passage */
    SIGN_PAIRS,    /* neighbours of the question that are neighbours in it */
    SIGN_RANK,     /* of its passage, 1 for the best */
    SIGN_TYPE,     /* what the question word asks for is there */
    SIGN_FORM,     /* the same, for definitions, reasons, steps */
    SIGN_FOCUS,    /* holds the noun the question asks for */
    SIGN_OPENING,  /* of a page whose title names the subject */
    SIGN_FIRST,    /* of its passage */
    SIGN_SUPPORT,  /* other passages of its page were found */
    SIGN_SHORT,    /* few words */
    SIGN_LENGTH,   /* many words */
    SIGN_OPPOSED,  /* says the opposite word */
    SIGN_PROSE,    /* reads like a sentence */
    SIGN_STRENGTH, /* the index's own score of its passage */
    SIGN_NAMES,    /* names of the question that are missing around it */
    SIGN_GAP,      /* the heaviest term that is missing around it */
    SIGN_GAP_OWN,  /* … in it */
    SIGN_RUN,      /* longest run of neighbouring terms */
    SIGN_FULL,     /* square of what it holds */
    SIGN_MASS,     /* weight of what is there, itself: 1 is three rare words */
    SIGN_MASS_OWN,
    SIGN_PAIR_MASS,
    SIGN_PLACE, /* whole passage, title and headings */
    SIGN_COUNT
};

struct sentence {
    struct span span;
    size_t passage;
    size_t words;
    uint64_t mask, loose; /* its own terms; those and families */
    uint64_t reach;       /* … and those of its neighbour and context */
    double sign[SIGN_COUNT];
    double score;
    uint32_t prints[PRINTS_MAX]; /* hashes of its content words, sorted */
    size_t print_count;
    bool taken;
};

struct pool {
    const struct query *q;
    const struct ranked *passages;
    size_t passage_count;
    struct sentence *s;
    size_t count;
};

/* Read and weigh the sentences of the best passages; free(pool->s) is the
 * caller's. */
MUST_CHECK enum err pool_read(struct pool *pool, const struct query *q,
                              const struct ranked *passages, size_t count,
                              struct arena *a);

#endif
