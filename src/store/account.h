/*
 * Accounts and API keys. Only the SHA-256 of a key is stored; the key itself
 * is handed out once, by key_create.
 */
#ifndef CITED_STORE_ACCOUNT_H
#define CITED_STORE_ACCOUNT_H

#include "base/arena.h"
#include "base/id.h"
#include "store/db.h"

#include <stdint.h>

struct account {
    int64_t id;
    const char *email;
    int64_t created_ms;
    bool disabled;
};

struct api_key {
    const char *id; /* short public name of the key: 8 hex digits */
    const char *label;
    int64_t account;
    int64_t created_ms;
    int64_t last_used_ms; /* 0 never; kept to the minute */
    int64_t revoked_ms;   /* 0 = valid */
};

/* ERR_CONFLICT when the address has an account, ERR_INVALID when it is no
 * address. Letters' case does not matter. */
MUST_CHECK enum err account_create(struct db *state, const char *email,
                                   int64_t now_ms, int64_t *id,
                                   struct errctx *ec);
MUST_CHECK enum err account_find(struct db *state, const char *email,
                                 struct arena *a, struct account *out,
                                 struct errctx *ec);
MUST_CHECK enum err account_list(struct db *state, struct arena *a,
                                 struct account **out, size_t *count,
                                 struct errctx *ec);
/* A disabled account's keys get 403 FORBIDDEN. */
MUST_CHECK enum err account_set_disabled(struct db *state, int64_t id,
                                         bool disabled, struct errctx *ec);

/* A new key for the account; the text is written to key and nowhere else. */
MUST_CHECK enum err key_create(struct db *state, int64_t account,
                               const char *label, int64_t now_ms,
                               char key[KEY_LEN + 1], const char **id,
                               struct arena *a, struct errctx *ec);
MUST_CHECK enum err key_list(struct db *state, int64_t account, struct arena *a,
                             struct api_key **out, size_t *count,
                             struct errctx *ec);
/* ERR_NOT_FOUND for an unknown or already revoked id. */
MUST_CHECK enum err key_revoke(struct db *state, const char *id, int64_t now_ms,
                               struct errctx *ec);

/* Who holds this key? ERR_AUTH unknown or revoked, ERR_FORBIDDEN account
 * disabled; *account is then still set. Point read; updates last use at most
 * once a minute. */
MUST_CHECK enum err key_check(struct db *state, const char *key, int64_t now_ms,
                              int64_t *account, struct errctx *ec);

#endif
