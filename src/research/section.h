/*
 * The sentences of one section of a report: written by the model when there
 * is one, else chosen from the evidence of its sub-question; checked against
 * their passages, none said twice.
 */
#ifndef CITED_RESEARCH_SECTION_H
#define CITED_RESEARCH_SECTION_H

#include "reading/repeat.h"
#include "research/run.h"
#include "research/topic.h"
#include "verify/verify.h"

enum { SECTION_MAX = 5 }; /* sentences */

/* A sentence of the report. */
struct pick {
    const char *text; /* verbatim, or a model's words */
    const struct candidate *from;
    size_t start, len; /* in from->text: what bears it out */
    double score;
    struct same_print print;
};

struct section {
    const struct plan_sub *sub;
    const struct query *q; /* its question; NULL: nothing was asked */
    struct topic topic;
    struct pick picks[SECTION_MAX];
    size_t count; /* 0: nothing was found */
    struct verify_tally verified;
};

/* Fill sections[sub]; those before it are filled already, and what they say
 * is not said again. sections is zeroed and has plan.count entries. */
MUST_CHECK enum err section_choose(struct run *r, struct section *sections,
                                   size_t sub, struct arena *a,
                                   struct errctx *ec);

#endif
