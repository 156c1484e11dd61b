/*
 * Passwords as they are stored: argon2id (RFC 9106) in the encoded form
 * "$argon2id$v=19$m=19456,t=2,p=1$salt$tag", which carries its own
 * parameters, so that they can grow later. The only home of libargon2.
 */
#ifndef CITED_BASE_PASSWORD_H
#define CITED_BASE_PASSWORD_H

#include "base/err.h"

#include <stdbool.h>

enum {
    PASSWORD_MIN = 8,    /* characters (NIST SP 800-63B, section 5.1.1.2) */
    PASSWORD_MAX = 1024, /* bytes */
    PASSWORD_HASH_MAX = 128
};

/* Can it be a password? ERR_INVALID shorter than PASSWORD_MIN characters,
 * longer than PASSWORD_MAX bytes or not UTF-8; *ec says which. */
MUST_CHECK enum err password_fits(const char *password, struct errctx *ec);

/*
 * Hash the password with a new random salt. ERR_INVALID as above · ERR_IO no
 * random bytes · ERR_NOMEM. Takes 19 MiB and some tens of milliseconds; at
 * most PASSWORD_AT_ONCE run at a time in a process, PASSWORD_WAITING others
 * wait for their turn, and more get ERR_BUSY: people who sign in must not
 * take every thread from those who search.
 */
enum { PASSWORD_AT_ONCE = 2, PASSWORD_WAITING = 6 };
MUST_CHECK enum err password_hash(const char *password,
                                  char out[PASSWORD_HASH_MAX],
                                  struct errctx *ec);

/*
 * Is it the password of the hash? ERR_AUTH: no. hash NULL: nobody's, which
 * takes as long and is always ERR_AUTH, so that the time of the answer does
 * not tell whether there is such an account. ERR_NOMEM; ERR_BUSY as above;
 * ERR_DB when the hash
 * is none.
 */
MUST_CHECK enum err password_check(const char *password, const char *hash);

#endif
