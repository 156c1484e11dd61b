/*
 * The text of a question taken apart: parts that ask for themselves, what it
 * is about, items of an enumeration, pronouns. English rules; pure.
 */
#ifndef CITED_RESEARCH_PARTS_H
#define CITED_RESEARCH_PARTS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum { PARTS_MAX = 8 };

struct parts {
    struct str v[PARTS_MAX];
    size_t n;
};

/* The parts of text (one line) that ask: its sentences, and what an "and"
 * with a question word behind it joins. What only explains stays with the
 * one part that asks. At least one part unless text is empty. */
MUST_CHECK enum err parts_split(struct str text, struct arena *a,
                                struct parts *out);

/* The longest run of words that name something, as written; the first of
 * equals; empty when none does. */
struct str parts_subject(struct str s);

/* "Explain A, B and C in D": what stands before the items and behind. */
struct enumeration {
    struct str before, after;
    struct parts items; /* at least 2 */
};
bool parts_enumeration(struct str s, struct enumeration *out);

/* part with subject in place of its first pronoun, so that it stands by
 * itself; the part itself when it has none. */
struct str parts_resolve(struct arena *a, struct str part, const char *subject);

/* "Explain A" and "Tell me about A" as a question: "What is A?"; others as
 * they are. */
struct str parts_as_question(struct arena *a, struct str part);

#endif
