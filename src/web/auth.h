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

#include <pthread.h>
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

/*
 * The same of all threads, for as long as a state database of several machines
 * cannot be asked: what it last said counts for AUTH_AWAY_MS more, so that
 * searches, which need it for nothing else, go on.
 */
enum { AUTH_AWAY = 256, AUTH_AWAY_MS = 5 * 60 * 1000 };

struct auth_away {
    pthread_mutex_t lock;
    struct auth_seen seen[AUTH_AWAY];
    size_t next;
};

/* Whose key or sign-in token it is, at mono_ms (monotonic); errors as
 * key_check and session_check. away may be NULL. */
MUST_CHECK enum err auth_bearer_of(struct auth_memory *m,
                                   struct auth_away *away, struct db *state,
                                   const char *token, int64_t mono_ms,
                                   struct bearer *out, struct errctx *ec);
/* The token is forgotten by this thread, and by all for when the database is
 * away. */
void auth_forget(struct auth_memory *m, struct auth_away *away,
                 const char *token);

#endif
