/*
 * Sign-ins and the throttle; see session.h. Called by web/auth
 * (session_check) and the handlers of accounts and sessions.
 */
#include "store/session.h"

#include "store/sql.h"

#include <stdio.h>
#include <string.h>

enum { DROP_MAX = 100000 };

/* --- sign-ins ---------------------------------------------------------- */

struct session_arg {
    unsigned char hash[SHA256_BYTES], link[SHA256_BYTES];
    int64_t account, now_ms, expires_ms;
};

/* A link's row looks like a sign-in's, but its token opens nothing: what is
 * stored is no token's own hash. */
static void link_hash(const char *token, unsigned char out[SHA256_BYTES])
{
    char text[8 + KEY_LEN];
    int n = snprintf(text, sizeof text, "link %.*s", KEY_LEN, token);

    id_sha256(text, (size_t)n, out);
}

/* Those that have expired, and the account's oldest ones beyond the bound. */
static enum err drop_old(struct db *db, const struct session_arg *s,
                         struct errctx *ec)
{
    enum err e = sql_do(db, ec, "DELETE FROM session WHERE expires <= ?1",
                        as_int(s->now_ms));

    if (e != ERR_OK)
        return e;
    return sql_do(db, ec,
                  "DELETE FROM session WHERE hash IN"
                  " (SELECT hash FROM session WHERE account = ?1"
                  " ORDER BY created DESC LIMIT ?3 OFFSET ?2)",
                  as_int(s->account), as_int(SESSIONS_MAX - 1),
                  as_int(DROP_MAX));
}

static enum err create_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct session_arg *s = arg;
    enum err e = drop_old(db, s, ec);

    if (e != ERR_OK)
        return e;
    return sql_do(db, ec,
                  "INSERT INTO session(hash, account, created, expires)"
                  " VALUES(?1, ?2, ?3, ?4)",
                  as_blob(s->hash, sizeof s->hash), as_int(s->account),
                  as_int(s->now_ms), as_int(s->expires_ms));
}

/* A token whose hash is not known yet, written down by write. */
static enum err draw(struct db *state, struct session_arg *s, bool is_link,
                     enum err (*write)(struct db *, void *, struct errctx *),
                     char token[KEY_LEN + 1], struct errctx *ec)
{
    char text[KEY_LEN + 1];
    enum err e = id_session_token(text);

    if (e != ERR_OK)
        return err_set(ec, e, "the system gives no random bytes");
    if (is_link)
        link_hash(text, s->hash);
    else
        id_sha256(text, KEY_LEN, s->hash);
    e = db_write(state, write, s, ec);
    if (e == ERR_OK)
        memcpy(token, text, sizeof text);
    return e;
}

enum err session_create(struct db *state, int64_t account, int64_t now_ms,
                        int64_t ttl_ms, char token[KEY_LEN + 1],
                        struct errctx *ec)
{
    struct session_arg s = {
        .account = account, .now_ms = now_ms, .expires_ms = now_ms + ttl_ms};

    return draw(state, &s, false, create_in, token, ec);
}

enum err session_link_create(struct db *state, int64_t account, int64_t now_ms,
                             int64_t ttl_ms, char token[KEY_LEN + 1],
                             struct errctx *ec)
{
    struct session_arg s = {
        .account = account, .now_ms = now_ms, .expires_ms = now_ms + ttl_ms};

    return draw(state, &s, true, create_in, token, ec);
}

static enum err trade_in(struct db *db, void *arg, struct errctx *ec)
{
    struct session_arg *s = arg;
    struct stmt *q =
        sql_with(db,
                 "DELETE FROM session WHERE hash = ?1"
                 " AND expires > ?2 RETURNING account",
                 as_blob(s->link, sizeof s->link), as_int(s->now_ms));
    enum err e = sql_one(q, ec);

    if (e == ERR_OK)
        s->account = sql_col_int(q, 0);
    sql_end(q);
    if (e == ERR_NOT_FOUND)
        return err_set(ec, ERR_AUTH, "not a valid link");
    return e == ERR_OK ? create_in(db, s, ec) : e;
}

enum err session_trade(struct db *state, const char *link, int64_t now_ms,
                       int64_t ttl_ms, char token[KEY_LEN + 1],
                       int64_t *account, struct errctx *ec)
{
    struct session_arg s = {.now_ms = now_ms, .expires_ms = now_ms + ttl_ms};
    enum err e;

    if (strlen(link) != KEY_LEN)
        return err_set(ec, ERR_AUTH, "not a valid link");
    link_hash(link, s.link);
    e = draw(state, &s, false, trade_in, token, ec);
    if (e == ERR_OK)
        *account = s.account;
    return e;
}

enum err session_check(struct db *state, const char *token, int64_t now_ms,
                       struct bearer *out, struct errctx *ec)
{
    unsigned char hash[SHA256_BYTES];
    bool disabled = false;
    struct stmt *q;
    enum err e;

    if (strlen(token) != KEY_LEN)
        return err_set(ec, ERR_AUTH, "not a valid sign-in");
    id_sha256(token, KEY_LEN, hash);
    q = sql_with(state,
                 "SELECT s.account, s.expires, a.role, a.disabled"
                 " FROM session s JOIN account a ON a.id = s.account"
                 " WHERE s.hash = ?1 AND s.expires > ?2",
                 as_blob(hash, sizeof hash), as_int(now_ms));
    e = sql_one(q, ec);
    if (e == ERR_OK) {
        *out = (struct bearer){.account = sql_col_int(q, 0),
                               .expires_ms = sql_col_int(q, 1),
                               .role = sql_col_int(q, 2) == ROLE_OPERATOR
                                           ? ROLE_OPERATOR
                                           : ROLE_USER,
                               .session = true};
        disabled = sql_col_int(q, 3) != 0;
    }
    sql_end(q);
    if (e == ERR_NOT_FOUND)
        return err_set(ec, ERR_AUTH, "not a valid sign-in");
    if (e == ERR_OK && disabled)
        return err_set(ec, ERR_FORBIDDEN, "the account is disabled");
    return e;
}

enum err session_end(struct db *state, const char *token, struct errctx *ec)
{
    unsigned char hash[SHA256_BYTES];

    id_sha256(token, strlen(token), hash);
    return db_do(state, NULL, ec, "DELETE FROM session WHERE hash = ?1",
                 as_blob(hash, sizeof hash));
}

/* --- the throttle ------------------------------------------------------ */

struct throttle_arg {
    unsigned char name[2][SHA256_BYTES]; /* target, source */
    bool given[2];
    int64_t now_ms, wait_ms;
};

static struct throttle_arg throttle_arg(const struct throttle *t,
                                        int64_t now_ms)
{
    const char *who[2] = {t->target, t->source};
    struct throttle_arg a = {.now_ms = now_ms};

    for (int i = 0; i < 2; i++) {
        a.given[i] = who[i] != NULL;
        if (a.given[i])
            id_sha256(who[i], strlen(who[i]), a.name[i]);
    }
    return a;
}

static enum err forget_old(struct db *db, int64_t now_ms, struct errctx *ec)
{
    return sql_do(db, ec, "DELETE FROM throttle WHERE last < ?1",
                  as_int(now_ms - THROTTLE_MEMORY_S * INT64_C(1000)));
}

static enum err read_row(struct db *db, const unsigned char *name,
                         int64_t *failures, int64_t *until, struct errctx *ec)
{
    struct stmt *q =
        sql_get(db, "SELECT failures, until FROM throttle WHERE name = ?1");
    enum err e;

    *failures = *until = 0;
    sql_blob(q, 1, name, SHA256_BYTES);
    e = sql_numbers(q, (int64_t *[]){failures, until}, 2, ec);
    return e == ERR_NOT_FOUND ? ERR_OK : e;
}

static int64_t pause_ms(int64_t failures)
{
    int64_t s = 1;

    if (failures < THROTTLE_FREE)
        return 0;
    for (; failures > THROTTLE_FREE && s < THROTTLE_PAUSE_MAX_S; failures--)
        s *= 2;
    return (s < THROTTLE_PAUSE_MAX_S ? s : THROTTLE_PAUSE_MAX_S) * 1000;
}

static enum err count_row(struct db *db, const unsigned char *name,
                          int64_t failures, int64_t now_ms, struct errctx *ec)
{
    return sql_do(db, ec,
                  "INSERT INTO throttle(name, failures, until, last)"
                  " VALUES(?1, ?2, ?3, ?4) ON CONFLICT(name) DO UPDATE"
                  " SET failures = ?2, until = ?3, last = ?4",
                  as_blob(name, SHA256_BYTES), as_int(failures),
                  as_int(now_ms + pause_ms(failures)), as_int(now_ms));
}

static enum err begin_in(struct db *db, void *arg, struct errctx *ec)
{
    struct throttle_arg *t = arg;
    int64_t failures[2] = {0}, until = 0;
    enum err e = sql_lock(db, LOCK_THROTTLE, 0, ec);

    if (e == ERR_OK)
        e = forget_old(db, t->now_ms, ec);
    t->wait_ms = 0;
    for (int i = 0; i < 2 && e == ERR_OK; i++) {
        if (!t->given[i])
            continue;
        e = read_row(db, t->name[i], &failures[i], &until, ec);
        /* More than any pause: the clock was set back. */
        if (until - t->now_ms > t->wait_ms &&
            until - t->now_ms <= THROTTLE_PAUSE_MAX_S * INT64_C(1000))
            t->wait_ms = until - t->now_ms;
    }
    for (int i = 0; i < 2 && e == ERR_OK && t->wait_ms == 0; i++)
        if (t->given[i])
            e = count_row(db, t->name[i], failures[i] + 1, t->now_ms, ec);
    return e;
}

enum err throttle_begin(struct db *state, const struct throttle *t,
                        int64_t now_ms, int64_t *wait_ms, struct errctx *ec)
{
    struct throttle_arg a = throttle_arg(t, now_ms);
    enum err e = db_write(state, begin_in, &a, ec);

    if (e == ERR_OK)
        *wait_ms = a.wait_ms;
    return e;
}

static enum err undo_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct throttle_arg *t = arg;
    enum err e = sql_lock(db, LOCK_THROTTLE, 0, ec);

    if (e == ERR_OK && t->given[0])
        e = sql_do(db, ec, "DELETE FROM throttle WHERE name = ?1",
                   as_blob(t->name[0], SHA256_BYTES));
    if (e != ERR_OK || !t->given[1])
        return e;
    return sql_do(db, ec,
                  "UPDATE throttle SET failures = CASE WHEN failures > 0"
                  "  THEN failures - 1 ELSE 0 END,"
                  " until = 0 WHERE name = ?1",
                  as_blob(t->name[1], SHA256_BYTES));
}

enum err throttle_undo(struct db *state, const struct throttle *t,
                       struct errctx *ec)
{
    struct throttle_arg a = throttle_arg(t, 0);

    return db_write(state, undo_in, &a, ec);
}
