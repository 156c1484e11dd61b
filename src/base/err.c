/* Names and messages of errors; see err.h. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const names[ERR__MAX] = {
    [ERR_OK] = "ok",
    [ERR_NOMEM] = "nomem",
    [ERR_INVALID] = "invalid",
    [ERR_AUTH] = "auth",
    [ERR_FORBIDDEN] = "forbidden",
    [ERR_NOT_FOUND] = "not_found",
    [ERR_CONFLICT] = "conflict",
    [ERR_TOO_LARGE] = "too_large",
    [ERR_TIMEOUT] = "timeout",
    [ERR_BUSY] = "busy",
    [ERR_LIMIT] = "limit",
    [ERR_NO_RESULT] = "no_result",
    [ERR_UPSTREAM] = "upstream",
    [ERR_GONE] = "gone",
    [ERR_LEASE_LOST] = "lease_lost",
    [ERR_DB] = "db",
    [ERR_IO] = "io",
    [ERR_MALFORMED] = "malformed",
    [ERR_INTERNAL] = "internal",
};

const char *err_name(enum err code)
{
    if ((unsigned)code >= ERR__MAX)
        return "unknown";
    return names[code];
}

enum err err_set(struct errctx *ctx, enum err code, const char *fmt, ...)
{
    va_list ap;

    if (ctx == NULL)
        return code;
    ctx->code = code;
    va_start(ap, fmt);
    vsnprintf(ctx->msg, sizeof ctx->msg, fmt, ap);
    va_end(ap);
    return code;
}
