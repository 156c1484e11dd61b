/*
 * How fast an endpoint reads and writes, learnt from its calls, and what that
 * leaves room for: the longest question whose answer comes in time. Pure.
 * Tokens are as model_tokens_of counts them, so that what is measured is what
 * is planned with. Called by model.c, which guards it.
 */
#ifndef CITED_MODEL_PACE_H
#define CITED_MODEL_PACE_H

#include <stdint.h>

/* Of the calls so far, the last ones weighing most; zeroed: nothing is known
 * yet. */
struct pace {
    double token_ms; /* milliseconds for a token read */
    double written;  /* tokens of an answer */
};

/* A call that read and wrote so many tokens in ms. */
void pace_add(struct pace *p, int64_t read, int64_t written, int64_t ms);

/* A call that was given up after ms: it was slower than that. */
void pace_late(struct pace *p, int64_t read, int64_t ms);

/* Tokens of an answer to plan with: a third more than usual. */
int64_t pace_answer(const struct pace *p);

/* How long a call takes; 0 while nothing is known. */
int64_t pace_ms(const struct pace *p, int64_t read, int64_t written);

/* How many tokens may be read so that `written` more come within ms, and how
 * many written behind `read`. 0 or less: none. INT64_MAX while nothing is
 * known. */
int64_t pace_read_room(const struct pace *p, int64_t written, int64_t ms);
int64_t pace_write_room(const struct pace *p, int64_t read, int64_t ms);

#endif
