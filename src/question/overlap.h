/*
 * Which of a question's terms a text holds, as a set of bits, and how much
 * that set weighs. Everything in this room that scores text does it with
 * these calls, so that ranking, answering and snippets agree.
 */
#ifndef CITED_QUESTION_OVERLAP_H
#define CITED_QUESTION_OVERLAP_H

#include "question/query.h"
#include "text/terms.h"

#include <stdint.h>

struct errctx;

/* Bit i is set when the text holds q->terms[i]. */
uint64_t overlap_mask(const struct query *q, const char *p, size_t n);

/* The same, but words of one family count too, which a stemmer keeps apart:
 * "creator" is matched by "created". For short labels, not for ranking. */
uint64_t overlap_mask_loose(const struct query *q, const char *p, size_t n);

/* Both in one reading, and how many tokens the text has. */
uint64_t overlap_masks(const struct query *q, const char *p, size_t n,
                       uint64_t *loose, size_t *tokens);

/* A term of the question in a text. */
struct overlap_hit {
    unsigned char term; /* q->terms[term] */
    bool loose;         /* only of one family */
    unsigned short at;  /* which token of the text */
};

enum { FAMILY_BYTES = 4 }; /* that words of one family begin with, at least */

/* Where a text holds terms, signs first, then in reading order, families and
 * the nearest of the others included; at most max. *tokens: how many tokens the
 * text has. */
size_t overlap_hits(const struct query *q, const char *p, size_t n,
                    struct overlap_hit *out, size_t max, size_t *tokens);

/* Does a heading or a title name what the question is about, and little else:
 * the square of the share of the subject that it names, times that of its words
 * which do. Not counted are numbers, stop words and those that introduce
 * anything; -1: there are no others. An acronym is named by the words it stands
 * for, too. */
double overlap_topic(const struct query *q, const char *p, size_t n);

/* Weight of a set of terms: the sum of term weight times rarity. */
double overlap_weight(const struct query *q, uint64_t mask);

/* All of them. */
uint64_t overlap_all(const struct query *q);

/* Share of the whole question's weight in 0-1; 0 for an empty question. */
double overlap_share(const struct query *q, uint64_t mask);

/* Set q->rarity from document counts: 1 for a term nobody holds, near 0 for
 * one that is everywhere, or common in any text. df has q->term_count entries;
 * total, which becomes q->passages, counts all. */
void overlap_set_rarity(struct query *q, const int64_t *df, int64_t total);

/* How rare a term is that df of total passages hold, as above. */
double overlap_rarity(int64_t df, int64_t total);

/* The same, asking the index, and q->others. */
MUST_CHECK enum err overlap_weigh(struct query *q, struct db *index,
                                  struct errctx *ec);

#endif
