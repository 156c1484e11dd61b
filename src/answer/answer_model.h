/*
 * The writer that asks a language model: passages go in by number inside a
 * random fence, statements with the passage's words they rest on come out. A
 * statement that these bear out stands; another one is replaced by the sentence
 * that it quotes. The extractive writer stands behind it for everything else.
 */
#ifndef CITED_ANSWER_ANSWER_MODEL_H
#define CITED_ANSWER_ANSWER_MODEL_H

#include "base/clock.h"
#include "model/model.h"
#include "answer/answer.h"

/*
 * Have the model answer q from the passages, within d, in at most
 * max_sentences (1-12). Each statement quotes the passage it cites, or else
 * another one, which it then cites; what quotes none, and is none of its words,
 * is dropped. What stands shares a word with the question, has no URL that is
 * not in its passage, no markup, and says something the ones before it do not.
 * Text of pages that gives orders to machines (injection.h) is neither shown
 * nor cited.
 *
 * ERR_OK with at least one statement, in the model's order · ERR_NO_RESULT the
 * model failed, abstained, or of what it wrote too little holds (logged) ·
 * ERR_NOMEM.
 */
MUST_CHECK enum err answer_model(struct model *m, const struct query *q,
                                 const struct ranked *passages, size_t count,
                                 size_t max_sentences, struct deadline d,
                                 const char *id, struct arena *a,
                                 struct answer_draft *out);

#endif
