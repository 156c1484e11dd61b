/*
 * What a field of a schema asks for, in words: its name, title and
 * description taken apart. Inside this room only; pure.
 */
#ifndef CITED_OBJECT_STRUCTURED_LABEL_H
#define CITED_OBJECT_STRUCTURED_LABEL_H

#include "question/query.h"
#include "json/json.h"

/* Qualifiers: words that change which value is meant. A sentence about the
 * same thing without them tells another value. */
enum { QUALIFIER_DEFAULT = 1, QUALIFIER_MAXIMUM = 2, QUALIFIER_MINIMUM = 4 };

enum { LABEL_LITERALS_MAX = 4, LABEL_HITS_MAX = 48 };

struct label {
    const char *name;   /* in words */
    const char *text;   /* the same, or the description */
    const char *hint;   /* name, title and description in one */
    struct query words; /* the text's, without qualifiers, units, words of
                           form ("date", "whether") and names of the question */
    unsigned qualifiers;
    const char *literals[LABEL_LITERALS_MAX]; /* numbers that must stand by
                                                 the value: "3.7.0", "15" */
    size_t literal_count;
    bool generic; /* "answer", "summary": the question itself is asked */
};

/* The label of property `name` with the schema leaf; subject: those of q's
 * names that say whose value it is, which a label does without. ERR_NOMEM
 * only. */
MUST_CHECK enum err label_parse(const char *name, const struct json *leaf,
                                const struct query *q, uint64_t subject,
                                struct arena *a, struct label *out);

/* Is the folded token one that says what form a value has ("date")? */
bool label_is_form(const char *token);

/* Which of the label's words the text holds, words of one family included and
 * those that tell a dimension ("tall" for "height"). */
uint64_t label_mask(const struct label *l, const char *p, size_t n);

/* Which qualifiers the n bytes at p hold, in any of their words. */
unsigned label_qualifiers(const char *p, size_t n);

/* Does the text hold the literal as a whole number or version: "3.7.0" not
 * within "3.7.0.1"; "370" also as "3.7.0"? *at: where, may be NULL. */
bool label_has_literal(const char *literal, const char *p, size_t n,
                       size_t *at);

/* A word of the label, or of its qualifiers, in a text. */
struct label_hit {
    size_t start, end;
    bool qualifier;
};

/* Where the text holds the label's words, in reading order, at most max. */
size_t label_hits(const struct label *l, const char *p, size_t n,
                  struct label_hit *out, size_t max);

#endif
