/* The error envelope; see problem.h. */
#include "web/problem.h"

#include "base/log.h"
#include "json/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct row {
    int status;
    const char *code;
    const char *message, *advice;
};

static const struct row rows[PROBLEM__MAX] = {
#define PROBLEM(kind, status, code, words, advice)                             \
    [PROBLEM_##kind] = {status, code, words, advice},
#include "web/problem.def"
#undef PROBLEM
};

int problem_status(enum problem_kind k)
{
    return rows[k].status;
}

const char *problem_code(enum problem_kind k)
{
    return rows[k].code;
}

const char *problem_advice(const char *code)
{
    for (int k = 0; k < PROBLEM__MAX; k++)
        if (strcmp(rows[k].code, code) == 0)
            return rows[k].advice;
    return "";
}

void problem_init(struct problem *p, struct arena *a)
{
    p->arena = a;
    p->count = 0;
}

void problem_add(struct problem *p, const char *field, const char *fmt, ...)
{
    char text[512];
    struct field_error *at;
    va_list ap;

    if (p->count == PROBLEM_FIELDS_MAX)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    at = &p->at[p->count++];
    /* Out of memory must not turn an error into a success. */
    at->field = arena_strdup(p->arena, field);
    at->message = arena_strdup(p->arena, text);
    if (at->field == NULL)
        at->field = "";
    if (at->message == NULL)
        at->message = "not valid";
}

/* NULL: waiting does not help, or whoever knows for how long tells it. */
static const char *retry_after_s(enum problem_kind k)
{
    switch (k) {
    case PROBLEM_UNAVAILABLE:
        return "1";
    case PROBLEM_MEMORY:
        return "5";
    case PROBLEM_STORAGE_FULL:
    case PROBLEM_STORAGE_READ_ONLY:
    case PROBLEM_STORAGE_UNREADABLE:
        return "30";
    default:
        return NULL;
    }
}

static void write_details(struct json_out *w, const struct problem *p)
{
    jw_karray(w, "details");
    for (size_t i = 0; p != NULL && i < p->count; i++) {
        jw_object(w);
        jw_kstring(w, "field", p->at[i].field);
        jw_kstring(w, "message", p->at[i].message);
        jw_object_end(w);
    }
    jw_array_end(w);
}

void problem_write(struct response *res, enum problem_kind kind,
                   const char *message, const struct problem *p)
{
    struct json_out w;

    res->status = rows[kind].status;
    res->type = "application/json";
    buf_reset(&res->body);
    jw_init(&w, &res->body);
    jw_object(&w);
    jw_kint(&w, "statusCode", res->status);
    jw_kobject(&w, "error");
    jw_kstring(&w, "code", rows[kind].code);
    jw_kstring(&w, "message", message == NULL ? rows[kind].message : message);
    write_details(&w, p);
    jw_object_end(&w);
    jw_object_end(&w);
    if (kind == PROBLEM_UNAUTHORIZED)
        response_header(res, "WWW-Authenticate", "Bearer");
    if (retry_after_s(kind) != NULL)
        response_header(res, "Retry-After", retry_after_s(kind));
    if (kind == PROBLEM_MEMORY)
        res->no_memory = true;
}

void problem_write_fields(struct response *res, const struct problem *p)
{
    char text[64];

    if (p->count == 1 && p->at[0].field[0] == '\0') {
        problem_write(res, PROBLEM_VALIDATION, p->at[0].message, p);
        return;
    }
    snprintf(text, sizeof text, "%zu field%s of the request %s not valid.",
             p->count, p->count == 1 ? "" : "s", p->count == 1 ? "is" : "are");
    problem_write(res, PROBLEM_VALIDATION, text, p);
}

enum problem_kind problem_kind_of(enum err e)
{
    static const enum problem_kind kinds[ERR__MAX] = {
        [ERR_INVALID] = PROBLEM_VALIDATION,
        [ERR_AUTH] = PROBLEM_UNAUTHORIZED,
        [ERR_FORBIDDEN] = PROBLEM_FORBIDDEN,
        [ERR_NOT_FOUND] = PROBLEM_NOT_FOUND,
        [ERR_TIMEOUT] = PROBLEM_DEADLINE,
        [ERR_BUSY] = PROBLEM_UNAVAILABLE,
        [ERR_LIMIT] = PROBLEM_RATE,
        [ERR_NO_RESULT] = PROBLEM_NO_RESULT,
        [ERR_UPSTREAM] = PROBLEM_UPSTREAM,
        [ERR_FULL] = PROBLEM_STORAGE_FULL,
        [ERR_READ_ONLY] = PROBLEM_STORAGE_READ_ONLY,
        [ERR_DB] = PROBLEM_STORAGE_UNREADABLE,
        [ERR_NOMEM] = PROBLEM_MEMORY};
    bool told = e == ERR_INVALID || kinds[e] != PROBLEM_VALIDATION;

    return told ? kinds[e] : PROBLEM_INTERNAL;
}

/* A fault that somebody has to mend; being busy is none. */
static bool is_ours(enum problem_kind k)
{
    return k == PROBLEM_INTERNAL || k == PROBLEM_MEMORY ||
           k == PROBLEM_STORAGE_FULL || k == PROBLEM_STORAGE_READ_ONLY ||
           k == PROBLEM_STORAGE_UNREADABLE;
}

void problem_write_err(struct response *res, const struct request *rq,
                       enum err e, const struct errctx *ec)
{
    enum problem_kind kind = problem_kind_of(e);
    const char *msg = ec != NULL && ec->code != ERR_OK ? ec->msg : "";
    bool show = e == ERR_INVALID || e == ERR_NO_RESULT;

    if (is_ours(kind))
        log_error(rq->id, "%s: %s", err_name(e), msg);
    else if (!show && *msg != '\0')
        log_warn(rq->id, "%s: %s", err_name(e), msg);
    problem_write(res, kind, show && *msg != '\0' ? msg : NULL, NULL);
    res->fault = arena_printf(rq->arena, "%s: %s", err_name(e), msg);
}
