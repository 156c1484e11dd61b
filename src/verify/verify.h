/*
 * Verification: the gate that every sentence of every writer passes before a
 * reader sees it, and the record of what became of them. Pure.
 */
#ifndef CITED_VERIFY_VERIFY_H
#define CITED_VERIFY_VERIFY_H

#include "base/arena.h"
#include "text/passage.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Does the passage bear the sentence out: does it stand there word for word,
 * or does one place say the same (support.h), with every number, date, quoted
 * string and name? The gate every writer's sentences pass. *where (may be
 * NULL) is the sentence of the passage that does; *why (may be NULL) names
 * the first thing that is missing.
 */
bool verify_place(const char *sentence, const char *passage, struct span *where,
                  const char **why, struct arena *a);
bool verify_sentence(const char *sentence, const char *passage,
                     const char **why, struct arena *a);

/* What became of a writer's sentences. */
struct verify_tally {
    size_t held;     /* borne out by the passage they name */
    size_t moved;    /* by another one, which they cite now */
    size_t dropped;  /* by none, or no statement about the question at all */
    const char *why; /* what the first one lacked whose passage did not bear it
                        out; NULL: none, or not told */
};

/* Count b's sentences with a's. */
void verify_tally_add(struct verify_tally *a, const struct verify_tally *b);

/* The last word: what was chosen with tally a (moved ones, and those dropped
 * then), of which only `last` held in the text that is sent. */
void verify_tally_settle(struct verify_tally *a,
                         const struct verify_tally *last);

#endif
