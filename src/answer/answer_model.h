/*
 * The writer that asks a language model: passages go in by number inside a
 * random fence, sentences with numbers come out, and only what verification
 * holds is kept. The extractive writer stands behind it for everything else.
 */
#ifndef CITED_ANSWER_ANSWER_MODEL_H
#define CITED_ANSWER_ANSWER_MODEL_H

#include "base/clock.h"
#include "model/model.h"
#include "answer/answer.h"

/*
 * Have the model answer q from the passages, within d, in at most
 * max_sentences (1-12). Each kept sentence holds by verify_place in the
 * passage it cites, or else in another one, which it then cites; it shares a
 * word with the question, has no URL that is not in its passage, no markup,
 * and says something the ones before it do not. Text of pages that gives
 * orders to machines (injection.h) is neither shown nor cited.
 *
 * ERR_OK with at least one sentence, in the model's order · ERR_NO_RESULT the
 * model failed, abstained or nothing it wrote holds (logged) · ERR_NOMEM.
 */
MUST_CHECK enum err answer_model(struct model *m, const struct query *q,
                                 const struct ranked *passages, size_t count,
                                 size_t max_sentences, struct deadline d,
                                 const char *id, struct arena *a,
                                 struct answer_draft *out);

#endif
