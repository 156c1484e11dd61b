/*
 * The first half of a search: the question is read, the index and the
 * providers are asked, the best pages that providers found are read. Decides
 * which error it is that nothing was found. Called by search.c.
 */
#ifndef CITED_FIND_ASK_H
#define CITED_FIND_ASK_H

#include "find/env.h"
#include "find/provider.h"
#include "question/query.h"

enum { INDEX_K_QUICK = 60 }; /* candidates of the index: flash and fast */

/* One search on its way. */
struct run {
    const struct search_env *env;
    const struct search_params *p;
    struct deadline deadline;
    const char *id;
    struct arena *a;
    struct errctx *ec;
    struct query q;
    struct query whole; /* q as it was put, before terms left it */
    struct index_filter filter;
    struct provider_answer *answers; /* [0] is the index */
    size_t answer_count;
    enum err index_err; /* how asking the index ended */
    bool released;      /* terms left the question, as they name hosts … */
    bool literal;       /* … which none does */
};

/* Is the index asked at all? */
bool ask_uses_index(const struct run *r);

/* overlap_weigh, words that are misspelled mended (spelling.h). */
MUST_CHECK enum err question_weigh(struct query *q, struct db *index,
                                   const struct deadline *d,
                                   struct errctx *ec);

/* What the index is asked for: the question's terms, and other words for them.
 * NULL: no memory. */
const struct index_term *terms_asked(const struct query *q, struct arena *a,
                                     size_t *count);

/* Read r->p->q into r->q and r->filter. ERR_NO_RESULT: it has no word to
 * search for. */
MUST_CHECK enum err ask_question(struct run *r);

/* What the index knows of a question's words and, where it has vectors, of its
 * meaning. */
MUST_CHECK enum err ask_weigh(struct run *r, struct query *q);

/* Ask everybody at once, into r->answers; the index works while requests are
 * on their way. A failed provider is an outcome and no error. */
MUST_CHECK enum err ask_all(struct run *r);

/* How many candidates of the index a search takes. */
size_t ask_many(const struct search_params *p);

/* Ask the index for q, k candidates at most, in r->a. An empty answer is
 * OUTCOME_EMPTY, not an error. Terms that only say whose pages are meant leave
 * q (named.h). */
MUST_CHECK enum err ask_index(struct run *r, struct query *q, size_t k,
                              struct provider_answer *pa);

/* Read the best pages the providers found; the quick depths do not. */
MUST_CHECK enum err ask_pages(struct run *r);

/* Which error it is that nothing was found; its message in r->ec. */
enum err ask_none(const struct run *r);

/*
 * What is a word that stands everywhere? Pages that introduce it say so in
 * their titles and headings, or begin with it, and glossaries mention it once;
 * among all that do they are lost. For a definition of few words: join to pa
 * what words of introductions and glossaries find, anywhere and among the
 * passages that begin their pages. ERR_DB, ERR_TIMEOUT, ERR_NOMEM.
 */
MUST_CHECK enum err introductions_find(struct db *index, const struct query *q,
                                       const struct index_filter *f,
                                       const struct deadline *d,
                                       struct arena *a,
                                       struct provider_answer *pa,
                                       struct errctx *ec);

#endif
