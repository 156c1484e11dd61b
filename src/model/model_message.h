/*
 * The words of a chat endpoint: a request as JSON, an answer or a refusal
 * read from JSON. Private to model.c, which decides what to say and when.
 */
#ifndef CITED_MODEL_MODEL_MESSAGE_H
#define CITED_MODEL_MODEL_MESSAGE_H

#include "base/buf.h"
#include "net/http.h"
#include "model/model.h"

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
