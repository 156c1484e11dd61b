/*
 * Sign-ins, and the throttle of what can be guessed. Only the SHA-256 of a
 * sign-in token is stored; the token itself is handed out once, by
 * session_create.
 */
#ifndef CITED_STORE_SESSION_H
#define CITED_STORE_SESSION_H

#include "store/account.h"

/* Sign-ins an account may have at once; the oldest gives way. */
enum { SESSIONS_MAX = 100 };
/* How long a link that signs in may be used. */
enum { SESSION_LINK_MS = 60 * 60 * 1000 };

/* A new sign-in of the account for ttl_ms; the token is written to token and
 * nowhere else. Sign-ins that have expired are dropped. */
MUST_CHECK enum err session_create(struct db *state, int64_t account,
                                   int64_t now_ms, int64_t ttl_ms,
                                   char token[KEY_LEN + 1], struct errctx *ec);
/* Whose sign-in is it? ERR_AUTH unknown or expired, ERR_FORBIDDEN account
 * disabled; *out is then still set. Point read. */
MUST_CHECK enum err session_check(struct db *state, const char *token,
                                  int64_t now_ms, struct bearer *out,
                                  struct errctx *ec);
/*
 * A token that signs in once, for an account without a password or a machine
 * that has it at hand: good for nothing but session_trade, until ttl_ms have
 * passed.
 */
MUST_CHECK enum err session_link_create(struct db *state, int64_t account,
                                        int64_t now_ms, int64_t ttl_ms,
                                        char token[KEY_LEN + 1],
                                        struct errctx *ec);
/* It becomes a sign-in of ttl_ms and is gone; *account gets whose it is.
 * ERR_AUTH: unknown, used or expired. */
MUST_CHECK enum err session_trade(struct db *state, const char *link,
                                  int64_t now_ms, int64_t ttl_ms,
                                  char token[KEY_LEN + 1], int64_t *account,
                                  struct errctx *ec);
/* Sign out; an unknown token is no error. */
MUST_CHECK enum err session_end(struct db *state, const char *token,
                                struct errctx *ec);

/*
 * Guesses are counted by who makes them and whom they are about, in rows, so
 * that several processes and CGI count together. An attempt counts as failed
 * from its beginning, so that guesses made at once count too. After
 * THROTTLE_FREE failures nothing more is tried for 1 s, after the next for 2,
 * 4 … at most THROTTLE_PAUSE_MAX_S. An hour without a failure forgets them.
 */
enum {
    THROTTLE_FREE = 5,
    THROTTLE_PAUSE_MAX_S = 300,
    THROTTLE_MEMORY_S = 3600
};

struct throttle {
    const char *target; /* such as "mail:ada@example.org"; NULL none */
    const char *source; /* such as "addr:192.0.2.7"; NULL none */
};

/* May it be tried now? *wait_ms 0: yes, and it is counted; else the time
 * until it may, and nothing is counted. */
MUST_CHECK enum err throttle_begin(struct db *state, const struct throttle *t,
                                   int64_t now_ms, int64_t *wait_ms,
                                   struct errctx *ec);
/* It was right after all: the target's failures are forgotten, the source's
 * are one less (whoever has an account cannot wash off guesses about
 * others with it). */
MUST_CHECK enum err throttle_undo(struct db *state, const struct throttle *t,
                                  struct errctx *ec);

#endif
