/*
 * The report from the stored evidence: sentences chosen, never composed,
 * each checked against the passage it cites. The same evidence always gives
 * the same report. Pure but for reading rarity and images from the index.
 */
#ifndef CITED_RESEARCH_WRITE_H
#define CITED_RESEARCH_WRITE_H

#include "research/run.h"
#include "verify/verify.h"

struct report {
    const char *output; /* JSON as the contract has it */
    size_t sections, sentences, sources, missing;
    struct verify_tally verified; /* of a written report */
};

/* ERR_NO_RESULT when no sentence holds. Strings are in the arena. */
MUST_CHECK enum err write_report(struct run *r, struct arena *a,
                                 struct report *out, struct errctx *ec);

/* The schema's object from evidence and further searches. ERR_NO_RESULT
 * names the required field that nothing was found for. */
MUST_CHECK enum err write_structured(struct run *r, struct arena *a,
                                     struct report *out, struct errctx *ec);

#endif
