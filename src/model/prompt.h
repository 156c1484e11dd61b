/*
 * What a model is asked, with text of pages in it: that text stands between
 * lines with a mark which no page can know, so that it can be told from what
 * the service says. Called by whoever asks a model (answer_model.c,
 * structured_model.c, plan_model.c, entail.c).
 */
#ifndef CITED_MODEL_PROMPT_H
#define CITED_MODEL_PROMPT_H

#include "base/buf.h"
#include "base/str.h"
#include "model/model.h"

enum { PROMPT_MARK_BYTES = 9 };

struct prompt {
    char mark[2 * PROMPT_MARK_BYTES + 1]; /* random, in hexadecimal */
    struct buf system, user;              /* the caller writes into both */
};

/* An empty prompt with a new mark, to be ended with prompt_fini.
 * ERR_INTERNAL: no random bytes; then there is nothing to end. */
MUST_CHECK enum err prompt_init(struct prompt *p);
void prompt_fini(struct prompt *p);

/* A passage by its number between two marks, at the end of p->user. No mark
 * in title or text gets through. title.p NULL: it has no line. */
void prompt_passage(struct prompt *p, size_t number, struct str title,
                    struct str text);

/* Something else that others may have had a say in, under a name of ours. */
void prompt_note(struct prompt *p, const char *what, struct str text);

/* Ask the model; ask has all but the texts. Errors as model_chat, and those
 * of the two buffers. */
MUST_CHECK enum err prompt_send(struct prompt *p, struct model *m,
                                struct model_ask ask, struct deadline d,
                                const char *id, struct arena *a,
                                struct model_answer *out);

#endif
