/*
 * Which of the stored units a report says: for each part those that speak
 * most of it and add what the others do not say, within its share of the
 * words. Inside this room only.
 */
#ifndef CITED_RESEARCH_CHOOSE_H
#define CITED_RESEARCH_CHOOSE_H

#include "research/run.h"

/* A unit as it is weighed. */
struct choice {
    const struct run_unit *unit;
    struct run_block *blocks; /* of it, or of a window of its sentences */
    size_t count;
    bool opens;   /* its page's first words */
    bool is_code; /* nothing else */
    bool leans;   /* it begins so */
    bool is_far;  /* others are much nearer */
    bool twice;   /* it says a line twice itself */
    const char *url;
    size_t page; /* the how many-th of all, from 1 */
    size_t words;
    double share; /* by its rank in its part, 0-1 */
    double cover; /* share of the whole question it speaks of */
    double own;   /* … and of its part */
    double topic; /* how much it speaks of what its part's pages do, 0-1 */
    double near;  /* how near to its part in meaning; 0: not known */
    size_t order; /* the how many-th page of its part, when chosen */
    bool chosen;
    size_t skip;        /* bytes of its first block that are said elsewhere */
    uint32_t *concepts; /* distinct stems, as numbers */
    size_t concept_count;
    uint32_t *lines; /* its sentences and lines, as hashes */
    size_t line_count;
};

struct choices {
    struct choice *v; /* in the order of run.units */
    size_t count, size;
    uint32_t *said; /* hashes of what the chosen ones say */
    size_t said_count, said_size;
};

/* Weigh all units and choose words of them in all; rows: the evidence.
 * ERR_NOMEM, ERR_DB. */
MUST_CHECK enum err choose_units(const struct run *r, size_t words,
                                 struct candidate *rows, struct arena *a,
                                 struct choices *out, struct errctx *ec);

/* The number under which a sentence counts as said; 0 for what is too short
 * to be one. */
uint32_t choose_line(const char *p, size_t n);
/* Does the sentence lean on the one before it ("however", "it")? */
bool choose_leans(const struct run *r, const char *p, size_t n);
/* Does the text speak of the text it stands in ("this chapter")? */
bool choose_is_of_itself(const struct run *r, const char *p, size_t n);

bool choose_is_said(const struct choices *x, uint32_t line);
MUST_CHECK enum err choose_say(struct choices *x, uint32_t line,
                               struct arena *a);

#endif
