/*
 * Verification: a statement held against a text; the gate that every sentence
 * of every writer passes before a reader sees it, and the record of what became
 * of them. Pure.
 */
#ifndef CITED_VERIFY_VERIFY_H
#define CITED_VERIFY_VERIFY_H

#include "base/arena.h"
#include "text/passage.h"

#include <stdbool.h>
#include <stddef.h>

/* What a statement is, held against a text. */
enum verdict {
    VERDICT_QUOTED,       /* its words stand there, whole sentences of them */
    VERDICT_SUPPORTED,    /* one place says the same (support.h) */
    VERDICT_REPAIRED,     /* no; but this is what the text says instead */
    VERDICT_CONTRADICTED, /* … with another number, or denied */
    VERDICT_UNSUPPORTED   /* nothing like it is there */
};

struct checked {
    enum verdict verdict;
    struct span quote; /* whole sentences of the text; not when UNSUPPORTED */
    const char *why;   /* what is missing, for people; "" when nothing is */
    bool open; /* REPAIRED, because the rules see no support, but nothing that
                  speaks against it either: somebody else may judge */
    bool apt;  /* the quote has most of the statement's words */
};

/* "quoted", "supported" … */
const char *verdict_name(enum verdict v);

/* A text to hold statements against, read once; lives in the arena, and as
 * long as the text. NULL: no memory. */
struct verify_text;
const struct verify_text *verify_text_read(const char *text, struct arena *a);

/*
 * Hold a statement against a text; openings such as "Yes," are no part of it.
 * quote (or NULL) is what it is said to rest on: then it is held against the
 * sentences that the quote stands in, and is UNSUPPORTED when the text has
 * none, white space and typography apart. UNSUPPORTED as well when memory
 * runs out.
 */
struct checked verify_check(const struct verify_text *t, const char *statement,
                            const char *quote, struct arena *a);

/* Where the text has the quote, white space and typography apart. */
bool verify_quote(const struct verify_text *t, const char *quote,
                  struct span *where, struct arena *a);

/* Whole sentences with what they point back to: a label on the line above, or
 * the sentence before. */
struct span verify_widen(const struct verify_text *t, struct span s);

/* Is the sentence QUOTED or SUPPORTED? The gate every writer's sentences pass.
 * *where (may be NULL) is the place that bears it out; *why (may be NULL) names
 * what is missing. */
bool verify_place(const char *sentence, const char *passage, struct span *where,
                  const char **why, struct arena *a);
bool verify_sentence(const char *sentence, const char *passage,
                     const char **why, struct arena *a);

/* The same gate for a sentence that somebody else judged to follow from a place
 * of the passage: what the rules bar does not pass. */
bool verify_judged(const char *sentence, const char *passage, struct span where,
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
