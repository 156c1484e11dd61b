/*
 * A language model behind an OpenAI-compatible chat endpoint ([model] of the
 * configuration): one question, one answer, never a conversation. Sends the
 * smallest request that OpenAI, llama.cpp, Ollama, vLLM and LM Studio take.
 *
 * What a model says is foreign text: callers verify it. What it is asked is
 * the caller's business; this file knows nothing of passages or schemas.
 */
#ifndef CITED_MODEL_MODEL_H
#define CITED_MODEL_MODEL_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/err.h"
#include "base/meter.h"
#include "net/http.h"

#include <stdbool.h>
#include <stddef.h>

/* An endpoint with what was learnt about it (which response_format it takes,
 * whether it is suspended) and its own HTTP clients, which reach its host and
 * no other. One per process, shared by all threads. */
struct model;

/* *out stays NULL, with ERR_OK, when model.url is empty. ERR_INVALID names
 * the key that is wrong. */
MUST_CHECK enum err model_new(const struct conf *c, struct model **out,
                              struct errctx *ec);
/* Count from now on how calls end. m may be NULL. */
void model_count_in(struct model *m, struct meter *meter);
void model_free(struct model *m); /* NULL is fine */

struct model_ask {
    const char *system; /* the rules; valid UTF-8 */
    const char *user;   /* question and data; valid UTF-8 */
    const char *schema; /* JSON Schema the answer shall follow, as text, or
                           NULL: plain text is asked for */
    const char *json;   /* said with a schema, or NULL */
    const char *plain;  /* said instead of the schema to an endpoint that takes
                           no response_format; NULL: the schema is said */
    bool plain_schema;  /* the schema is so simple that a refusal is the
                           endpoint's, not the schema's: it is remembered */
    int64_t tokens_max; /* of the answer; 0 = model.answer_tokens */
};

struct model_answer {
    const char *text; /* valid UTF-8 without NUL, reasoning taken out,
                         trimmed; in the arena */
    bool cut;         /* the answer reached its limit and ends anywhere */
    int64_t written;  /* tokens, as the endpoint counts them; 0: it does not */
};

/*
 * Ask once, within d and model.timeout_ms. The answer may have as many tokens
 * as are written in that time, by what earlier calls took (pace.h); a question
 * that would not even be read in time is not asked, seven times out of eight. With a schema the request goes
 * down a ladder as the endpoint refuses: response_format json_schema (strict),
 * json_object with the schema in the prompt, no response_format with the
 * schema in the prompt. The answer is not checked against the schema.
 *
 * At most two retries on 408, 409, 429, 5xx and broken connections, after
 * Retry-After or 0.5, 1 s, and only when that is before the deadline.
 *
 * ERR_OK · ERR_TIMEOUT · ERR_LIMIT asked too often, or no credit left ·
 * ERR_TOO_LARGE the question is beyond the model's context: ask with less ·
 * ERR_MALFORMED the answer is no chat answer, or empty · ERR_UPSTREAM refused
 * or unreachable · ERR_BUSY not asked: it failed three times in a row and is
 * left alone for 1, 2, 4 … 60 s · ERR_NOMEM. id is for log lines.
 */
MUST_CHECK enum err model_chat(struct model *m, const struct model_ask *ask,
                               struct deadline d, const char *id,
                               struct arena *a, struct model_answer *out,
                               struct errctx *ec);

/* How many tokens n bytes of text make, rather too many than too few: a
 * third of the bytes of ASCII text, one for a character of two bytes, two for
 * a longer one. */
int64_t model_tokens_of(const char *p, size_t n);

/* Tokens that the endpoint reads of a question, in the form it takes. */
int64_t model_reads(struct model *m, const struct model_ask *ask);

/* Tokens a question may have, its rules included, so that an answer of
 * model.answer_tokens fits model.context_tokens, and the usual one comes within
 * d; no less than a short question for want of time. */
int64_t model_room(struct model *m, struct deadline d);

/* Is it to judge what it wrote (model.entail)? */
bool model_entails(const struct model *m);

/* Milliseconds that an ordinary question takes, by what earlier ones took; 0
 * when m is NULL or was not asked yet. */
int64_t model_usual_ms(struct model *m);

/* For health reports. */
struct model_health {
    const char *name;  /* model.name */
    bool suspended;    /* left alone for now … */
    int64_t resume_ms; /* … until this time, UTC */
    int failures;      /* in a row */
    char why[160];     /* the last failure, "" if none */
};
void model_health_get(struct model *m, struct model_health *out);

/*
 * The part of an answer that is meant: without <think>…</think> and its kin,
 * and without the code fence around it. In place; returns text or a pointer
 * into it. Pure; exported for the tests.
 */
char *model_strip_reasoning(char *text);

/* --- messages, private to model.c -------------------------------------------
 */

/* How the answer's form is asked for; from the strictest down. */
enum model_rung {
    RUNG_STRICT, /* response_format json_schema, strict */
    RUNG_SCHEMA, /* json_schema */
    RUNG_OBJECT, /* json_object, the schema in the prompt */
    RUNG_PROMPT, /* the schema in the prompt only */
    RUNG_COUNT
};

/* What an endpoint was found to want. */
struct model_dialect {
    int rung;
    bool completion_tokens; /* max_completion_tokens instead of max_tokens */
    bool no_temperature;
};

/* The request's body, appended to b. */
MUST_CHECK enum err model_request_write(const char *name,
                                        const struct model_ask *ask,
                                        const struct model_dialect *d,
                                        int64_t tokens_max, struct buf *b);

/* What an answer that is no chat answer says. */
enum model_refusal {
    REFUSAL_OTHER,
    REFUSAL_CONTEXT,     /* the question is too long */
    REFUSAL_TOKENS,      /* wants max_completion_tokens */
    REFUSAL_TEMPERATURE, /* takes no temperature */
    REFUSAL_FORM,        /* speaks of grammar, schema or format */
    REFUSAL_QUOTA        /* no credit: asking again is of no use */
};

/* Read the error body of a response; msg gets its own words, shortened. */
enum model_refusal model_refusal_read(const struct http_response *res,
                                      char *msg, size_t size);

/* Read a response of status 200. ERR_MALFORMED with what is wrong in ec. */
MUST_CHECK enum err model_answer_read(const struct http_response *res,
                                      struct arena *a, struct model_answer *out,
                                      struct errctx *ec);

#endif
