/*
 * The occurrences of a query's terms in a text. Pure but for its inputs; called
 * by find/listing for whole pages.
 */
#ifndef CITED_INDEX_RESCORE_H
#define CITED_INDEX_RESCORE_H

#include "text/terms.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RESCORE_TERMS_MAX = 256, RESCORE_SEEN = 128, RESCORE_SEEN_BYTES = 16 };

/* A term of the query with its weight times its rarity. */
struct rescore_term {
    const char *text;
    uint32_t len;
    double gain;
    const char *word; /* unstemmed, folded; or NULL */
};

/* What was seen of a term. */
struct rescore_tally {
    bool in_title, in_heading; /* once is enough there */
    bool word_in_title;        /* in the form of the query */
    int in_text;
    int words;   /* of in_text, in the form of the query */
    long last;   /* word number of the last one in the text, or -1 */
    double pair; /* best nearness seen with the term before it */
};

/* A token that was met, folded, and which term it becomes. */
struct rescore_seen {
    uint64_t token[RESCORE_SEEN_BYTES / 8]; /* 0: none */
    short term;                             /* or -1 */
    bool word; /* it stands there in the form of the query */
};

enum rescore_field { RESCORE_TITLE, RESCORE_HEADING, RESCORE_TEXT };

struct rescore {
    const struct rescore_term *terms; /* in the order of the query */
    size_t count;
    short head[256];               /* first term beginning with a byte, or -1 */
    short next[RESCORE_TERMS_MAX]; /* next one, or -1 */
    struct term_starts starts;     /* of the terms */
    struct stemmer *stem;          /* of the texts' language; NULL: English */
    struct rescore_seen seen[RESCORE_SEEN]; /* by their hashes; private */
};

/* terms must outlive r; count at most RESCORE_TERMS_MAX. */
void rescore_init(struct rescore *r, const struct rescore_term *terms,
                  size_t count, struct stemmer *stem);

/* Nothing seen yet; t has r->count entries. */
void rescore_clear(const struct rescore *r, struct rescore_tally *t);

/* Count the terms in one field of a passage; the number of its words. */
long rescore_count(struct rescore *r, struct rescore_tally *t, const char *p,
                   size_t n, enum rescore_field field);

#endif
