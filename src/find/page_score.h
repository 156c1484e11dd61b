/*
 * How likely a page answers a question, told from those of its passages that
 * were found, by weights fitted to questions whose pages are known (`make
 * weights`). Pure; called by listing.c.
 */
#ifndef CITED_FIND_PAGE_SCORE_H
#define CITED_FIND_PAGE_SCORE_H

#include "index/rescore.h"
#include "question/query.h"

enum page_feature {
#define FEATURE(name, sentence) P_##name,
#include "find/page_features.def"
#undef FEATURE
    PAGE_FEATURES
};

/* Their names, for the tool. */
extern const char *const page_feature_names[PAGE_FEATURES];

/* A question, read once for all pages. */
struct page_reader {
    const struct query *q;
    struct rescore_term terms[QUERY_TERMS_MAX];
    struct rescore rescore;
    double all, top; /* weight of all terms; the best passage's score */
    bool asks_changes;
};

/* q outlives it; top is the best score of all passages found. */
void page_reader_init(struct page_reader *r, const struct query *q, double top);

/* What the n > 0 passages of a page say. */
void page_read(struct page_reader *r, const struct candidate *const *v,
               size_t n, double out[PAGE_FEATURES]);

/* The logarithm of its chance beside other pages, but for a constant. */
double page_odds(const double v[PAGE_FEATURES]);

#endif
