/*
 * Accounts and API keys. Only the SHA-256 of a key is stored; the key itself
 * is handed out once, by key_create. Passwords come and go as hashes
 * (base/password.h); sign-ins are in store/session.h.
 */
#ifndef CITED_STORE_ACCOUNT_H
#define CITED_STORE_ACCOUNT_H

#include "base/arena.h"
#include "base/id.h"
#include "store/db.h"

#include <stdint.h>

enum account_role { ROLE_USER, ROLE_OPERATOR };

struct account {
    int64_t id;
    const char *email;
    int64_t created_ms;
    bool disabled;
    enum account_role role;
    const char *password; /* its hash, or NULL: nobody can sign in */
};

/* Whose key or sign-in token it was. */
struct bearer {
    int64_t account;
    enum account_role role;
    bool session;       /* a sign-in, not a key */
    int64_t expires_ms; /* of the sign-in; 0 for a key */
};

struct api_key {
    const char *id; /* short public name of the key: 8 hex digits */
    const char *label;
    int64_t account;
    int64_t created_ms;
    int64_t last_used_ms; /* 0 never; kept to the minute */
    int64_t revoked_ms;   /* 0 = valid */
    int64_t requests;     /* written with last_used_ms */
};

/* "user", "operator". */
const char *role_name(enum account_role role);

/* Can z be an account's address? One '@' with something on both sides, no
 * white space or controls, at most 254 bytes of UTF-8. */
bool account_is_email(const char *z);

/* ERR_CONFLICT when the address has an account, ERR_INVALID when it is no
 * address. Letters' case does not matter. */
MUST_CHECK enum err account_create(struct db *state, const char *email,
                                   int64_t now_ms, int64_t *id,
                                   struct errctx *ec);
/* The same with a password (its hash; NULL none) from the start. */
MUST_CHECK enum err account_register(struct db *state, const char *email,
                                     const char *password, int64_t now_ms,
                                     int64_t *id, struct errctx *ec);
MUST_CHECK enum err account_find(struct db *state, const char *email,
                                 struct arena *a, struct account *out,
                                 struct errctx *ec);
MUST_CHECK enum err account_get(struct db *state, int64_t id, struct arena *a,
                                struct account *out, struct errctx *ec);
MUST_CHECK enum err account_list(struct db *state, struct arena *a,
                                 struct account **out, size_t *count,
                                 struct errctx *ec);
/* A disabled account's keys get 403 FORBIDDEN. */
MUST_CHECK enum err account_set_disabled(struct db *state, int64_t id,
                                         bool disabled, struct errctx *ec);
MUST_CHECK enum err account_set_role(struct db *state, int64_t id,
                                     enum account_role role, struct errctx *ec);
/* The new password's hash; ends the account's sign-ins. */
MUST_CHECK enum err account_set_password(struct db *state, int64_t id,
                                         const char *password,
                                         struct errctx *ec);

/* A new key for the account; the text is written to key and nowhere else. */
MUST_CHECK enum err key_create(struct db *state, int64_t account,
                               const char *label, int64_t now_ms,
                               char key[KEY_LEN + 1], const char **id,
                               struct arena *a, struct errctx *ec);
MUST_CHECK enum err key_list(struct db *state, int64_t account, struct arena *a,
                             struct api_key **out, size_t *count,
                             struct errctx *ec);
/* account 0: whosever it is. ERR_NOT_FOUND for an unknown or already revoked
 * id, or one of another account. */
MUST_CHECK enum err key_revoke(struct db *state, int64_t account,
                               const char *id, int64_t now_ms,
                               struct errctx *ec);

/* Who holds this key? ERR_AUTH unknown or revoked, ERR_FORBIDDEN account
 * disabled; *out is then still set. Point read. */
MUST_CHECK enum err key_check(struct db *state, const char *key,
                              struct bearer *out, struct errctx *ec);

/* The key with this digest was used for that many more requests, last at
 * now_ms. A nicety: ERR_BUSY at once when anybody else is writing. */
MUST_CHECK enum err key_used(struct db *state,
                             const unsigned char hash[SHA256_BYTES],
                             int64_t requests, int64_t now_ms,
                             struct errctx *ec);

#endif
