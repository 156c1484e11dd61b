/* Names and messages of errors; see err.h. */
#include "base/err.h"

#include "base/str.h"

#include <errno.h>
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
    [ERR_TOLD] = "told",
    [ERR_LEASE_LOST] = "lease_lost",
    [ERR_DB] = "db",
    [ERR_FULL] = "full",
    [ERR_READ_ONLY] = "read_only",
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

const char *err_words(enum err e, const struct errctx *ec)
{
    return ec->msg[0] == '\0' ? err_name(e) : ec->msg;
}

enum err err_of_errno(int n)
{
    switch (n) {
    case ENOSPC:
    case EDQUOT:
        return ERR_FULL;
    case EROFS:
        return ERR_READ_ONLY;
    case ENOMEM:
        return ERR_NOMEM;
    case EMFILE:
    case ENFILE:
        return ERR_BUSY;
    default:
        return ERR_IO;
    }
}

bool err_is_storage(enum err code)
{
    return code == ERR_DB || code == ERR_FULL || code == ERR_READ_ONLY ||
           code == ERR_IO;
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
    str_clean(ctx->msg);
    return code;
}
