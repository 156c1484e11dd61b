/*
 * What vectors of passages (meaning/vectors.h) need of the index: the texts
 * they are made of, the ids that a filter lets through, and candidates by id.
 */
#ifndef CITED_INDEX_TEXTS_H
#define CITED_INDEX_TEXTS_H

#include "index/page.h"
#include "meaning/vectors.h"

struct index_text {
    int64_t passage;
    const char *title, *heading, *text;
};

/* The first limit passages after an id, in the order of ids; fewer at the
 * end. */
MUST_CHECK enum err index_texts(struct db *index, int64_t after, size_t limit,
                                struct arena *a, struct index_text **out,
                                size_t *count, struct errctx *ec);

/* Passages there are, and the id that the next one gets. */
MUST_CHECK enum err index_passage_ids(struct db *index, int64_t *passages,
                                      int64_t *next, struct errctx *ec);

/*
 * The passages of the pages a filter lets through, ascending, neighbours made
 * one. *out NULL: the filter lets all through. *count 0 with *out set: none.
 */
MUST_CHECK enum err index_ranges(struct db *index, const struct index_filter *f,
                                 struct arena *a, struct id_range **out,
                                 size_t *count, struct errctx *ec);

/* The first limit passages whose text holds z as it stands, of those that a
 * filter lets through; it looks through all, and ends after looked of them or
 * at the deadline with what it has. Their ids; cosine is 0. */
MUST_CHECK enum err index_holding(struct db *index, const char *z,
                                  const struct index_filter *f, int64_t looked,
                                  const struct deadline *d, size_t limit,
                                  struct arena *a,
                                  struct vector_hit **out, size_t *count,
                                  struct errctx *ec);

/* The passages of these ids as candidates, in their order, without those that
 * are gone; score is the hit's cosine. */
MUST_CHECK enum err index_candidates(struct db *index,
                                     const struct vector_hit *hits, size_t n,
                                     struct arena *a, struct candidate **out,
                                     size_t *count, struct errctx *ec);

#endif
