/*
 * What a client is told when something is wrong: the one error envelope, the
 * table of its codes, and the collector of field errors.
 */
#ifndef CITED_WEB_PROBLEM_H
#define CITED_WEB_PROBLEM_H

#include "web/request.h"

/* The rows of the contract's error table. */
enum problem_kind {
#define PROBLEM(kind, status, code, words, advice) PROBLEM_##kind,
#include "web/problem.def"
#undef PROBLEM
    PROBLEM__MAX
};

int problem_status(enum problem_kind k);
/* The kind that tells of e, for a caller who asked nothing wrong. */
enum problem_kind problem_kind_of(enum err e);
const char *problem_code(enum problem_kind k);
/* What an agent can do about a problem of this code; "" for nothing. */
const char *problem_advice(const char *code);

enum { PROBLEM_FIELDS_MAX = 64 };

struct field_error {
    const char *field; /* a path: "includeDomains.3", or "" for the whole */
    const char *message;
};

/* Field errors of one request, in the order they were found. Beyond the
 * maximum they are counted no more. */
struct problem {
    struct arena *arena;
    struct field_error at[PROBLEM_FIELDS_MAX];
    size_t count;
};

void problem_init(struct problem *p, struct arena *a);
void problem_add(struct problem *p, const char *field, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* Make res the envelope of kind. message NULL: the kind's own words. p may
 * be NULL: empty details. Replaces whatever body there was; never fails
 * (without memory the envelope is a constant). */
void problem_write(struct response *res, enum problem_kind kind,
                   const char *message, const struct problem *p);

/* Make res the answer to field errors: 400 VALIDATION_ERROR. */
void problem_write_fields(struct response *res, const struct problem *p);

/*
 * Make res the answer to a failed step. Messages made for the caller
 * (ERR_INVALID, ERR_NO_RESULT) are shown; those
 * that may hold SQL, paths or addresses (all others) go to
 * the log under the request's id and the caller sees general words.
 */
void problem_write_err(struct response *res, const struct request *rq,
                       enum err e, const struct errctx *ec);

#endif
