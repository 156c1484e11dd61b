/*
 * Accounts and API keys; see account.h. Only digests of keys are stored and
 * compared. Called by web/auth (key_check), the handlers of accounts and keys
 * and the operator's command.
 */
#include "store/account.h"

#include "base/str.h"
#include "store/sql.h"

#include <string.h>

enum { EMAIL_MAX = 254, LABEL_MAX = 200, LIST_MAX = 100000 };

const char *role_name(enum account_role role)
{
    return role == ROLE_OPERATOR ? "operator" : "user";
}

/* Whether mail arrives there is the operator's affair. */
static bool is_email(const char *z)
{
    const char *at = strchr(z, '@');

    if (at == NULL || at == z || at[1] == '\0' || strchr(at + 1, '@'))
        return false;
    for (; *z != '\0'; z++)
        if ((unsigned char)*z <= ' ' || *z == 0x7F)
            return false;
    return true;
}

/* The address as stored: lower case, without surrounding white space. */
static enum err fold_email(const char *email, char out[EMAIL_MAX + 1],
                           struct errctx *ec)
{
    struct str s = str_trim(str_of(email));

    if (s.n == 0 || s.n > EMAIL_MAX || !utf8_valid(s.p, s.n))
        return err_set(ec, ERR_INVALID, "not an e-mail address");
    memcpy(out, s.p, s.n);
    out[s.n] = '\0';
    ascii_lower_all(out);
    if (!is_email(out))
        return err_set(ec, ERR_INVALID, "not an e-mail address: %s", out);
    return ERR_OK;
}

bool account_is_email(const char *z)
{
    char folded[EMAIL_MAX + 1];
    struct errctx ec;

    return fold_email(z, folded, &ec) == ERR_OK;
}

/* --- accounts ---------------------------------------------------------- */

struct create_arg {
    const char *email, *password;
    int64_t now_ms;
    int64_t id;
};

static enum err create_in(struct db *db, void *arg, struct errctx *ec)
{
    struct create_arg *c = arg;
    enum err e = sql_number(
        sql_with(db,
                 "INSERT INTO account(email, created, password)"
                 " VALUES(?1, ?2, ?3) ON CONFLICT(email) DO NOTHING"
                 " RETURNING id",
                 as_text(c->email), as_int(c->now_ms), as_text(c->password)),
        &c->id, ec);

    return e == ERR_NOT_FOUND
               ? err_set(ec, ERR_CONFLICT, "%s has an account", c->email)
               : e;
}

enum err account_register(struct db *state, const char *email,
                          const char *password, int64_t now_ms, int64_t *id,
                          struct errctx *ec)
{
    char folded[EMAIL_MAX + 1];
    struct create_arg c = {folded, password, now_ms, 0};
    enum err e = fold_email(email, folded, ec);

    if (e == ERR_OK)
        e = db_write(state, create_in, &c, ec);
    if (e == ERR_OK)
        *id = c.id;
    return e;
}

enum err account_create(struct db *state, const char *email, int64_t now_ms,
                        int64_t *id, struct errctx *ec)
{
    return account_register(state, email, NULL, now_ms, id, ec);
}

#define ACCOUNT_COLUMNS "id, email, created, disabled, role, password"

static void read_account(struct stmt *q, struct arena *a, void *element)
{
    struct account *out = element;

    out->id = sql_col_int(q, 0);
    out->email = sql_col_text(q, 1, a);
    out->created_ms = sql_col_int(q, 2);
    out->disabled = sql_col_int(q, 3) != 0;
    out->role = sql_col_int(q, 4) == ROLE_OPERATOR ? ROLE_OPERATOR : ROLE_USER;
    out->password = sql_col_text(q, 5, a);
}

static const struct sql_shape account_shape = {sizeof(struct account),
                                               read_account};

enum err account_find(struct db *state, const char *email, struct arena *a,
                      struct account *out, struct errctx *ec)
{
    char folded[EMAIL_MAX + 1];
    struct stmt *q;
    enum err e = fold_email(email, folded, ec);

    if (e != ERR_OK)
        return e;
    q = sql_with(state,
                 "SELECT " ACCOUNT_COLUMNS " FROM account WHERE email = ?1",
                 as_text(folded));
    e = sql_row(q, &account_shape, a, out, ec);
    return e == ERR_NOT_FOUND ? err_set(ec, e, "no account for %s", folded) : e;
}

enum err account_get(struct db *state, int64_t id, struct arena *a,
                     struct account *out, struct errctx *ec)
{
    struct stmt *q =
        sql_with(state, "SELECT " ACCOUNT_COLUMNS " FROM account WHERE id = ?1",
                 as_int(id));
    enum err e = sql_row(q, &account_shape, a, out, ec);

    return e == ERR_NOT_FOUND ? err_set(ec, e, "no account %lld", (long long)id)
                              : e;
}

enum err account_list(struct db *state, struct arena *a, struct account **out,
                      size_t *count, struct errctx *ec)
{
    struct stmt *q =
        sql_get(state, "SELECT " ACCOUNT_COLUMNS " FROM account ORDER BY id");

    return sql_rows(q, &account_shape, LIST_MAX, a, out, count, ec);
}

struct change_arg {
    const char *sql; /* ?1 the account, ?2 the number or the text */
    int64_t id, number;
    const char *text;
};

static enum err change_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct change_arg *c = arg;
    enum err e = sql_do(db, ec, c->sql, as_int(c->id),
                        c->text != NULL ? as_text(c->text) : as_int(c->number));

    if (e == ERR_OK && sql_changes(db) == 0)
        e = err_set(ec, ERR_NOT_FOUND, "no account %lld", (long long)c->id);
    return e;
}

enum err account_set_disabled(struct db *state, int64_t id, bool disabled,
                              struct errctx *ec)
{
    struct change_arg c = {"UPDATE account SET disabled = ?2 WHERE id = ?1", id,
                           disabled, NULL};

    return db_write(state, change_in, &c, ec);
}

enum err account_set_role(struct db *state, int64_t id, enum account_role role,
                          struct errctx *ec)
{
    struct change_arg c = {"UPDATE account SET role = ?2 WHERE id = ?1", id,
                           role, NULL};

    return db_write(state, change_in, &c, ec);
}

static enum err password_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct change_arg *c = arg;
    enum err e = change_in(db, arg, ec);

    return e != ERR_OK
               ? e
               : sql_do(db, ec, "DELETE FROM session WHERE account = ?1",
                        as_int(c->id));
}

enum err account_set_password(struct db *state, int64_t id,
                              const char *password, struct errctx *ec)
{
    struct change_arg c = {"UPDATE account SET password = ?2 WHERE id = ?1", id,
                           0, password};

    return db_write(state, password_in, &c, ec);
}

/* --- keys -------------------------------------------------------------- */

struct key_arg {
    unsigned char hash[SHA256_BYTES];
    char id[9];
    int64_t account;
    const char *label;
    int64_t now_ms;
};

static enum err key_in(struct db *db, void *arg, struct errctx *ec)
{
    struct key_arg *k = arg;
    struct stmt *q =
        sql_with(db,
                 "INSERT INTO api_key(hash, id, account, label, created)"
                 " SELECT ?1, ?2, id, ?4, ?5 FROM account WHERE id = ?3"
                 " ON CONFLICT(id) DO NOTHING",
                 as_blob(k->hash, sizeof k->hash), as_text(k->id),
                 as_int(k->account), as_text(k->label), as_int(k->now_ms));
    enum err e = sql_run(q, ec);

    if (e != ERR_OK || sql_changes(db) == 1)
        return e;
    q = sql_with(db, "SELECT 1 FROM account WHERE id = ?1", as_int(k->account));
    e = sql_one(q, ec);
    sql_end(q);
    if (e == ERR_NOT_FOUND)
        return err_set(ec, e, "no account %lld", (long long)k->account);
    return e == ERR_OK ? err_set(ec, ERR_CONFLICT, "key id in use") : e;
}

static enum err draw_id(char id[9])
{
    unsigned char b[4];
    enum err e = id_random(b, sizeof b);

    if (e == ERR_OK)
        hex_format(b, sizeof b, id);
    return e;
}

enum err key_create(struct db *state, int64_t account, const char *label,
                    int64_t now_ms, char key[KEY_LEN + 1], const char **id,
                    struct arena *a, struct errctx *ec)
{
    struct key_arg k = {.account = account, .label = label, .now_ms = now_ms};
    char text[KEY_LEN + 1];
    const char *name;
    enum err e = id_api_key(text);

    if (e != ERR_OK)
        return err_set(ec, e, "the system gives no random bytes");
    if (strlen(label) > LABEL_MAX || !utf8_valid(label, strlen(label)))
        return err_set(ec, ERR_INVALID,
                       "a label has at most %d bytes of"
                       " UTF-8",
                       LABEL_MAX);
    id_sha256(text, KEY_LEN, k.hash);
    /* Public ids are short: draw again when one is taken. */
    for (int i = 0; i < 8; i++) {
        e = draw_id(k.id);
        if (e == ERR_OK)
            e = db_write(state, key_in, &k, ec);
        if (e != ERR_CONFLICT)
            break;
    }
    if (e != ERR_OK)
        return e;
    name = arena_strdup(a, k.id);
    if (name == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    memcpy(key, text, sizeof text);
    *id = name;
    return ERR_OK;
}

static void read_key(struct stmt *q, struct arena *a, void *element)
{
    struct api_key *out = element;

    out->id = sql_col_text(q, 0, a);
    out->label = sql_col_text(q, 1, a);
    out->account = sql_col_int(q, 2);
    out->created_ms = sql_col_int(q, 3);
    out->last_used_ms = sql_col_int(q, 4);
    out->revoked_ms = sql_col_int(q, 5);
    out->requests = sql_col_int(q, 6);
}

enum err key_list(struct db *state, int64_t account, struct arena *a,
                  struct api_key **out, size_t *count, struct errctx *ec)
{
    static const struct sql_shape shape = {sizeof(struct api_key), read_key};
    struct stmt *q = sql_with(
        state,
        "SELECT id, label, account, created, last_used, revoked, requests"
        " FROM api_key WHERE account = ?1 ORDER BY created, id",
        as_int(account));

    return sql_rows(q, &shape, LIST_MAX, a, out, count, ec);
}

enum err key_revoke(struct db *state, int64_t account, const char *id,
                    int64_t now_ms, struct errctx *ec)
{
    int64_t changed = 0;
    enum err e = db_do(state, &changed, ec,
                       "UPDATE api_key SET revoked = ?2 WHERE id = ?1"
                       " AND revoked = 0 AND (?3 = 0 OR account = ?3)",
                       as_text(id), as_int(now_ms), as_int(account));

    return e == ERR_OK && changed == 0
               ? err_set(ec, ERR_NOT_FOUND, "no valid key %.40s", id)
               : e;
}

struct used_arg {
    const unsigned char *hash;
    int64_t requests, now_ms;
};

static enum err used_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct used_arg *u = arg;
    return sql_do(db, ec,
                  "UPDATE api_key SET requests = requests + ?2,"
                  " last_used = CASE WHEN last_used > ?3 THEN last_used"
                  "  ELSE ?3 END"
                  " WHERE hash = ?1",
                  as_blob(u->hash, SHA256_BYTES), as_int(u->requests),
                  as_int(u->now_ms));
}

enum err key_used(struct db *state, const unsigned char hash[SHA256_BYTES],
                  int64_t requests, int64_t now_ms, struct errctx *ec)
{
    struct used_arg u = {hash, requests, now_ms};

    return db_try_write(state, used_in, &u, ec);
}

enum err key_check(struct db *state, const char *key, struct bearer *out,
                   struct errctx *ec)
{
    unsigned char hash[SHA256_BYTES];
    size_t n = strlen(key);
    bool revoked = false, disabled = false;
    struct stmt *q;
    enum err e;

    if (n != KEY_LEN)
        return err_set(ec, ERR_AUTH, "not a valid key");
    id_sha256(key, n, hash);
    q = sql_with(state,
                 "SELECT k.account, a.role, k.revoked, a.disabled"
                 " FROM api_key k JOIN account a ON a.id = k.account"
                 " WHERE k.hash = ?1",
                 as_blob(hash, SHA256_BYTES));
    e = sql_one(q, ec);
    if (e == ERR_OK)
        revoked = sql_col_int(q, 2) != 0;
    if (e == ERR_OK && !revoked) {
        *out = (struct bearer){.account = sql_col_int(q, 0),
                               .role = sql_col_int(q, 1) == ROLE_OPERATOR
                                           ? ROLE_OPERATOR
                                           : ROLE_USER};
        disabled = sql_col_int(q, 3) != 0;
    }
    sql_end(q);
    if (e == ERR_NOT_FOUND || revoked)
        return err_set(ec, ERR_AUTH, "not a valid key");
    if (e == ERR_OK && disabled)
        return err_set(ec, ERR_FORBIDDEN, "the account is disabled");
    return e;
}
