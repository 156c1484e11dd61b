/*
 * A search from question to verified answer: query → ask providers → merge →
 * rank → write or fill the schema → verify. One call for the responder and
 * for the research helper. Knows nothing of HTTP requests or JSON on the
 * wire.
 */
#ifndef CITED_SEARCH_SEARCH_H
#define CITED_SEARCH_SEARCH_H

#include "find/env.h"
#include "index/page.h"
#include "text/html.h"

struct search_result {
    const char *answer; /* OUTPUT_SOURCED: text, with [n] if asked for */
    const char *object; /* OUTPUT_STRUCTURED: JSON that satisfies the schema */
    bool related;       /* the answer is on the subject and does not answer */
    bool by_model;      /* a model wrote it */
    struct answer_evidence *evidence; /* of the answer, in its order */
    size_t evidence_count;
    struct source *sources; /* SOURCED: in citation order; RESULTS: ranked;
                               STRUCTURED: what the fields rest on */
    size_t source_count;
    struct image *images; /* when asked for; filters hold for them too */
    size_t image_count;
};

/*
 * Run a search. ERR_OK with *out · ERR_NO_RESULT nothing matched, or no
 * sufficient evidence, or a required field of the schema has none (the
 * message names it) · ERR_UPSTREAM every provider that was asked failed ·
 * ERR_TIMEOUT · ERR_DB · ERR_NOMEM. id is for log lines.
 */
MUST_CHECK enum err search_run(const struct search_env *env,
                               const struct search_params *p, struct deadline d,
                               const char *id, struct arena *a,
                               struct search_result *out, struct errctx *ec);

/* The time a depth may take, from the configuration; standard takes as long as
 * the model (or NULL) needs for a question, but no longer than deep. */
int64_t search_deadline_ms(const struct conf *c, struct model *model,
                           enum search_depth depth);

#endif
