/*
 * The header with the key and whose key or sign-in token it holds. Those
 * themselves are store/account's and store/session's; here each thread
 * remembers the few it saw last.
 */
#ifndef CITED_WEB_AUTH_H
#define CITED_WEB_AUTH_H

#include "base/arena.h"
#include "base/err.h"
#include "base/id.h"
#include "store/account.h"

#include <stdint.h>

enum { AUTH_TOKEN_MAX = 512 };

/*
 * The token of "Bearer <token>" (RFC 6750 section 2.1): scheme in any case,
 * one or more spaces, exactly one token of the b64token characters, nothing
 * behind it. Two headers joined by a server ("Bearer a, Bearer b") are
 * refused. ERR_AUTH for everything else, NULL included; ERR_NOMEM.
 */
MUST_CHECK enum err auth_bearer(const char *header, struct arena *a,
                                const char **token);

/* The same of a header that holds nothing but the token. */
MUST_CHECK enum err auth_key(const char *header, struct arena *a,
                             const char **token);

/*
 * Keys and tokens a thread found valid within the last second, by their hash.
 * A busy client's key is then looked up once a second, not with every request
 * (each commit of anybody makes SQLite read those pages anew); a revoked key,
 * a token after signing out, one whose account was disabled or got another
 * role, counts as it was until that second has passed.
 */
enum { AUTH_SEEN = 8, AUTH_SEEN_MS = 1000 };

struct auth_memory {
    struct auth_seen {
        unsigned char hash[SHA256_BYTES];
        struct bearer who; /* account 0 = free */
        int64_t until_ms;
    } seen[AUTH_SEEN];
    size_t next; /* the place that is given up next */
};

/* Whose key or sign-in token it is, at mono_ms (monotonic); errors as
 * key_check and session_check. */
MUST_CHECK enum err auth_bearer_of(struct auth_memory *m, struct db *state,
                                   const char *token, int64_t mono_ms,
                                   struct bearer *out, struct errctx *ec);
/* This thread's memory of the token is lost. */
void auth_forget(struct auth_memory *m, const char *token);

#endif
