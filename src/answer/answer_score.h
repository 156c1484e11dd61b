/*
 * The sentences of ranked passages with the signs that tell how well each
 * answers a question, and the score made of them. Private to the writer:
 * answer_extract.c chooses from what this file has weighed.
 */
#ifndef CITED_ANSWER_ANSWER_SCORE_H
#define CITED_ANSWER_ANSWER_SCORE_H

#include "answer/answer.h"
#include "question/overlap.h"
#include "text/passage.h"

enum { PRINTS_MAX = 96 }; /* distinct words of a sentence compared */

/* What is known about a sentence, each in about 0-1. Shares are of the weight
 * of the question's terms; each term counts at the first of its places. */
enum sign {
    SIGN_OWN,     /* terms it holds */
    SIGN_LOOSE,   /* words of a term's family or kin */
    SIGN_BEFORE,  /* in the sentence before */
    SIGN_CONTEXT, /* in title, headings, the line it stands under */
    SIGN_PAIRS,   /* neighbours of the question that are neighbours in it */
    SIGN_RANK,    /* of its passage, 1 for the best */
    SIGN_TYPE,    /* what the question word asks for is there */
    SIGN_FORM,    /* the same for definitions, reasons, steps, lists */
    SIGN_FOCUS,   /* holds the noun the question asks for */
    SIGN_OPENING, /* of a page whose title names the subject */
    SIGN_FIRST,   /* of its passage */
    SIGN_SUPPORT, /* other passages of its page were found */
    SIGN_OPPOSED, /* says the opposite word */
    SIGN_PROSE,   /* reads like a sentence */
    SIGN_REFERS,  /* begins with a pronoun: the one before is its subject */
    SIGN_TERMS,   /* it or its family holds, by number and not by weight */
    SIGN_LOCAL,   /* terms it holds, by how rare they are in the pool */
    SIGN_PLAIN,   /* those that are no names and not the noun asked for */
    SIGN_EARLIER, /* in the sentence before the one before */
    SIGN_AFTER,   /* in the sentence behind */
    SIGN_PHRASE,  /* pairs of words as the question has them */
    SIGN_PLACE,   /* the same of the whole passage */
    SIGN_NAMING,  /* asked what it is called, it says so */
    SIGN_DATED,   /* a date, where none is asked for */
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
    double agreed;               /* of it, for hosts that give the same value */
    double weighed;              /* the score before anything was chosen */
    uint32_t prints[PRINTS_MAX]; /* hashes of its content words, sorted */
    size_t print_count;
    bool taken;
};

struct pool {
    const struct query *q;
    struct overlap_kin kin; /* of q's terms */
    const struct ranked *passages;
    size_t passage_count; /* those that are read */
    size_t given;         /* those that are at hand */
    struct sentence *s;
    size_t count;
};

/* Read and weigh the sentences of the best passages; free(pool->s) is the
 * caller's. */
MUST_CHECK enum err pool_read(struct pool *pool, const struct query *q,
                              const struct ranked *passages, size_t count,
                              struct arena *a);

#endif
