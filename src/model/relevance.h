/*
 * How well texts answer a question, by a model of the operator's: a rerank
 * endpoint ([rerank]) or an embeddings endpoint ([embeddings]); the first is
 * asked when both are set. Knows nothing of passages.
 */
#ifndef CITED_MODEL_RELEVANCE_H
#define CITED_MODEL_RELEVANCE_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/err.h"
#include "base/meter.h"

#include <stddef.h>

enum { RELEVANCE_TEXTS_MAX = 64, RELEVANCE_TEXT_BYTES = 2000 };

struct relevance; /* one per process, shared by all threads */

/* *out stays NULL, with ERR_OK, when neither is configured. ERR_INVALID names
 * the key that is wrong. */
MUST_CHECK enum err relevance_new(const struct conf *c, struct relevance **out,
                                  struct errctx *ec);
/* Count from now on how calls end. r may be NULL. */
void relevance_count_in(struct relevance *r, struct meter *meter);
void relevance_free(struct relevance *r); /* NULL is fine */

/*
 * One request, within d and the section's timeout_ms; never retried. score[i]
 * of texts[i], larger is better, comparable within the call only: what the
 * reranker gives, or the cosine of the embeddings. Texts are cut at
 * RELEVANCE_TEXT_BYTES; count at most RELEVANCE_TEXTS_MAX.
 *
 * POST {url}/rerank {"model","query","documents","top_n"} gives
 * "results[].index, relevance_score"; POST {url}/embeddings {"model","input",
 * "encoding_format"} gives "data[].index, embedding". ERR_OK only when every
 * text has a finite score · ERR_TIMEOUT · ERR_UPSTREAM · ERR_MALFORMED ·
 * ERR_BUSY left alone after failures (endpoint.h) · ERR_NOMEM.
 */
MUST_CHECK enum err relevance_score(struct relevance *r, const char *question,
                                    const char *const *texts, size_t count,
                                    struct deadline d, const char *id,
                                    struct arena *a, double *score,
                                    struct errctx *ec);

#endif
