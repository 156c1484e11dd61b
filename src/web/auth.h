/*
 * The Authorization header. Only the form is judged here; whose key it is
 * says store/account.
 */
#ifndef CITED_WEB_AUTH_H
#define CITED_WEB_AUTH_H

#include "base/arena.h"
#include "base/err.h"

enum { AUTH_TOKEN_MAX = 512 };

/*
 * The token of "Bearer <token>" (RFC 6750 section 2.1): scheme in any case,
 * one or more spaces, exactly one token of the b64token characters, nothing
 * behind it. Two headers joined by a server ("Bearer a, Bearer b") are
 * refused. ERR_AUTH for everything else, NULL included; ERR_NOMEM.
 */
MUST_CHECK enum err auth_bearer(const char *header, struct arena *a,
                                const char **token);

#endif
