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

static struct auth_seen *find_seen(struct auth_seen *seen, size_t count,
                                   const unsigned char *hash)
{
    for (size_t i = 0; i < count; i++)
        if (seen[i].who.account != 0 &&
            memcmp(seen[i].hash, hash, SHA256_BYTES) == 0)
            return &seen[i];
    return NULL;
}

static void keep(struct auth_seen *seen, size_t count, size_t *next,
                 const unsigned char *hash, const struct bearer *who,
                 int64_t until_ms)
{
    struct auth_seen *s = find_seen(seen, count, hash);

    if (s == NULL)
        s = &seen[(*next)++ % count];
    memcpy(s->hash, hash, SHA256_BYTES);
    s->who = *who;
    s->until_ms = until_ms;
}

static void forget(struct auth_seen *seen, size_t count,
                   const unsigned char *hash)
{
    struct auth_seen *s = find_seen(seen, count, hash);

    if (s != NULL)
        s->who.account = 0;
}

/* What the database said of the token, kept for when it is away; or, when it
 * is, what it said before. */
static enum err bridge(struct auth_away *away, const unsigned char *hash,
                       int64_t mono_ms, enum err e, struct bearer *out)
{
    struct auth_seen *s;

    pthread_mutex_lock(&away->lock);
    if (e == ERR_OK) {
        keep(away->seen, AUTH_AWAY, &away->next, hash, out,
             mono_ms + AUTH_AWAY_MS);
    } else if (e == ERR_DB || e == ERR_TIMEOUT) {
        s = find_seen(away->seen, AUTH_AWAY, hash);
        if (s != NULL && mono_ms < s->until_ms &&
            (s->who.expires_ms == 0 || s->who.expires_ms > clock_now_ms())) {
            *out = s->who;
            e = ERR_OK;
        }
    } else {
        forget(away->seen, AUTH_AWAY, hash);
    }
    pthread_mutex_unlock(&away->lock);
    return e;
}

static enum err look_up(struct db *state, const char *token, struct bearer *out,
                        struct errctx *ec)
{
    return strncmp(token, "cs_", 3) == 0
               ? session_check(state, token, clock_now_ms(), out, ec)
               : key_check(state, token, out, ec);
}

enum err auth_bearer_of(struct auth_memory *m, struct auth_away *away,
                        struct db *state, const char *token, int64_t mono_ms,
                        struct bearer *out, struct errctx *ec)
{
    unsigned char hash[SHA256_BYTES];
    struct auth_seen *s;
    enum err e;

    id_sha256(token, strlen(token), hash);
    s = find_seen(m->seen, AUTH_SEEN, hash);
    if (s != NULL && mono_ms < s->until_ms) {
        *out = s->who;
        return ERR_OK;
    }
    e = look_up(state, token, out, ec);
    if (away != NULL && db_is_remote(state))
        e = bridge(away, hash, mono_ms, e, out);
    if (e == ERR_OK)
        keep(m->seen, AUTH_SEEN, &m->next, hash, out, mono_ms + AUTH_SEEN_MS);
    return e;
}

void auth_forget(struct auth_memory *m, struct auth_away *away,
                 const char *token)
{
    unsigned char hash[SHA256_BYTES];

    id_sha256(token, strlen(token), hash);
    forget(m->seen, AUTH_SEEN, hash);
    if (away == NULL)
        return;
    pthread_mutex_lock(&away->lock);
    forget(away->seen, AUTH_AWAY, hash);
    pthread_mutex_unlock(&away->lock);
}
