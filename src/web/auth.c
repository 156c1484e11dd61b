/* The header with the key; see auth.h. */
#include "web/auth.h"

#include "base/clock.h"
#include "base/str.h"
#include "store/session.h"

#include <string.h>

static bool is_token_char(char c)
{
    return ascii_is_alnum((unsigned char)c) ||
           (c != '\0' && strchr("-._~+/=", c) != NULL);
}

static enum err take_token(struct str s, struct arena *a, const char **token)
{
    char *copy;

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

enum err auth_bearer(const char *header, struct arena *a, const char **token)
{
    struct str s = str_trim(str_of(header));

    if (s.n < 8 || !ascii_starts_i(s.p, "bearer "))
        return ERR_AUTH;
    return take_token((struct str){s.p + 7, s.n - 7}, a, token);
}

enum err auth_key(const char *header, struct arena *a, const char **token)
{
    return take_token(str_of(header), a, token);
}

static struct auth_seen *find_seen(struct auth_memory *m,
                                   const unsigned char *hash)
{
    for (int i = 0; i < AUTH_SEEN; i++)
        if (m->seen[i].who.account != 0 &&
            memcmp(m->seen[i].hash, hash, SHA256_BYTES) == 0)
            return &m->seen[i];
    return NULL;
}

static enum err look_up(struct db *state, const char *token, struct bearer *out,
                        struct errctx *ec)
{
    return strncmp(token, "cs_", 3) == 0
               ? session_check(state, token, clock_now_ms(), out, ec)
               : key_check(state, token, out, ec);
}

enum err auth_bearer_of(struct auth_memory *m, struct db *state,
                        const char *token, int64_t mono_ms, struct bearer *out,
                        struct errctx *ec)
{
    unsigned char hash[SHA256_BYTES];
    struct auth_seen *s;
    enum err e;

    id_sha256(token, strlen(token), hash);
    s = find_seen(m, hash);
    if (s != NULL && mono_ms < s->until_ms) {
        *out = s->who;
        return ERR_OK;
    }
    e = look_up(state, token, out, ec);
    if (e != ERR_OK)
        return e;
    if (s == NULL)
        s = &m->seen[m->next++ % AUTH_SEEN];
    memcpy(s->hash, hash, sizeof hash);
    s->who = *out;
    s->until_ms = mono_ms + AUTH_SEEN_MS;
    return ERR_OK;
}

void auth_forget(struct auth_memory *m, const char *token)
{
    unsigned char hash[SHA256_BYTES];
    struct auth_seen *s;

    id_sha256(token, strlen(token), hash);
    s = find_seen(m, hash);
    if (s != NULL)
        s->who.account = 0;
}
