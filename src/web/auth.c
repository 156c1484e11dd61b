/* The Authorization header; see auth.h. */
#include "web/auth.h"

#include "base/clock.h"
#include "base/str.h"
#include "store/account.h"

#include <string.h>

static bool is_token_char(char c)
{
    return ascii_is_alnum((unsigned char)c) ||
           (c != '\0' && strchr("-._~+/=", c) != NULL);
}

enum err auth_bearer(const char *header, struct arena *a, const char **token)
{
    struct str s = str_trim(str_of(header));
    char *copy;

    if (s.n < 8 || !ascii_starts_i(s.p, "bearer "))
        return ERR_AUTH;
    s.p += 7;
    s.n -= 7;
    s = str_trim(s);
    if (s.n == 0 || s.n > AUTH_TOKEN_MAX)
        return ERR_AUTH;
    for (size_t i = 0; i < s.n; i++)
        if (!is_token_char(s.p[i]))
            return ERR_AUTH;
    copy = arena_strndup(a, s.p, s.n);
    if (copy == NULL)
        return ERR_NOMEM;
    *token = copy;
    return ERR_OK;
}

enum err auth_account(struct auth_memory *m, struct db *state,
                      const char *token, int64_t mono_ms, int64_t *account,
                      struct errctx *ec)
{
    unsigned char hash[SHA256_BYTES];
    struct auth_seen *s;
    enum err e;

    id_sha256(token, strlen(token), hash);
    for (int i = 0; i < AUTH_SEEN; i++) {
        s = &m->seen[i];
        if (s->account != 0 && mono_ms < s->until_ms &&
            memcmp(s->hash, hash, sizeof hash) == 0) {
            *account = s->account;
            return ERR_OK;
        }
    }
    e = key_check(state, token, clock_now_ms(), account, ec);
    if (e != ERR_OK)
        return e;
    s = &m->seen[m->next++ % AUTH_SEEN];
    memcpy(s->hash, hash, sizeof hash);
    s->account = *account;
    s->until_ms = mono_ms + AUTH_SEEN_MS;
    return ERR_OK;
}
