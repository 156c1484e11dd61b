/*
 * The extractive writer and the verifier. The extractive writer chooses
 * sentences from ranked passages and composes none; every sentence of a draft
 * names the passage it rests on.
 */
#ifndef CITED_SEARCH_ANSWER_H
#define CITED_SEARCH_ANSWER_H

#include "base/clock.h"
#include "search/rank.h"
#include "search/verify.h"
#include "text/passage.h"
#include "json/json.h"

/* One sentence of an answer. */
struct cited_sentence {
    const char *text;
    size_t passage;    /* index into the passages given to the writer */
    size_t start, len; /* byte range in that passage's text: the sentence
                          itself, or the one that bears it out */
    double score;
    bool item; /* belongs to the sentence before, which introduces it */
};

/* Two sources that give different values, each by its sentence; the values'
 * start from the sentence's. The answer's own comes first. */
struct dissent {
    bool found;
    struct cited_sentence said[2];
    size_t value_start[2], value_len[2];
};

struct answer_draft {
    struct cited_sentence *sentences; /* extractive: the best one leads, then
                                         the rest of its passage in reading
                                         order, then the other passages */
    size_t count;
    struct dissent dissent; /* said behind them */
    struct verify_tally verified;
};

/* Choose the sentences that answer q. ERR_NO_RESULT when none is good
 * enough. max_sentences 1-8. */
MUST_CHECK enum err answer_extract(const struct query *q,
                                   const struct ranked *passages, size_t count,
                                   size_t max_sentences, struct arena *a,
                                   struct answer_draft *out);

/* The best single sentences for q, repetitions and weak ones included: what
 * a value is looked for in. Ordered as above; scores tell the best. max at
 * most 32. */
MUST_CHECK enum err answer_candidates(const struct query *q,
                                      const struct ranked *passages,
                                      size_t count, size_t max, struct arena *a,
                                      struct answer_draft *out);

/* Render the draft as text; with markers, " [n]" goes before the final full
 * stop… of each sentence's source number. used[i] tells the 1-based source
 * number of passage i, 0 if unused; order fills in citation order with one
 * number per page. */
MUST_CHECK enum err answer_render(const struct answer_draft *draft,
                                  const struct ranked *passages, size_t count,
                                  bool markers, struct arena *a,
                                  const char **text, struct source **sources,
                                  size_t *source_count);

/* The verbatim range of a passage that best shows why it matters for q: whole
 * sentences, at most max bytes. Points into a copy in the arena. */
const char *snippet_of(const struct query *q, const char *passage, size_t max,
                       struct arena *a);

/*
 * Fill the schema's object from evidence, field by field: each property is
 * asked for by its name, title and description together with the question;
 * the value is taken by type from the best passages (number with unit, date,
 * boolean, enumeration, name, sentence, list). ask is called for more
 * passages (it may return none). Optional values without evidence are null or
 * left out; a required one is ERR_NO_RESULT naming the field, and so is an
 * object that cannot satisfy the schema as a whole. The result validates.
 */
struct model;
struct structured_ask {
    enum err (*passages)(void *user, const char *question, struct arena *a,
                         struct ranked **out, size_t *count);
    void *user;
    struct db *index; /* to weigh words by and to read whole pages from; NULL:
                         neither is done */
    struct model *model; /* asked first for the whole object; NULL: none is.
                            A value of its is taken only when a passage that
                            speaks of the field holds it */
    struct deadline model_until;
    const char *id; /* of the request, for log lines */
};
MUST_CHECK enum err structured_fill(const struct query *q,
                                    const struct json *schema,
                                    const struct structured_ask *ask,
                                    struct arena *a, const char **object,
                                    struct source **sources,
                                    size_t *source_count, struct errctx *ec);

#endif
