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
    struct stmt *q =
        sql_get(db, "INSERT INTO account(email, created, password)"
                    " VALUES(?1, ?2, ?3) ON CONFLICT(email) DO NOTHING");
    enum err e;

    sql_text(q, 1, c->email);
    sql_int(q, 2, c->now_ms);
    sql_text(q, 3, c->password);
    e = sql_run(q, ec);
    if (e == ERR_OK && sql_changes(db) == 0)
        e = err_set(ec, ERR_CONFLICT, "%s has an account", c->email);
    if (e == ERR_OK)
        c->id = sqlite3_last_insert_rowid(db->h);
    return e;
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

static void read_account(struct stmt *q, struct arena *a, struct account *out)
{
    out->id = sql_col_int(q, 0);
    out->email = sql_col_text(q, 1, a);
    out->created_ms = sql_col_int(q, 2);
    out->disabled = sql_col_int(q, 3) != 0;
    out->role = sql_col_int(q, 4) == ROLE_OPERATOR ? ROLE_OPERATOR : ROLE_USER;
    out->password = sql_col_text(q, 5, a);
}

/* The one row of q, whose parameters are bound. */
static enum err one_account(struct stmt *q, struct arena *a,
                            struct account *out, struct errctx *ec)
{
    struct account got = {0};
    enum err e = sql_one(q, ec);

    if (e == ERR_OK)
        read_account(q, a, &got);
    sql_end(q);
    if (e == ERR_OK && arena_failed(a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    if (e == ERR_OK)
        *out = got;
    return e;
}

enum err account_find(struct db *state, const char *email, struct arena *a,
                      struct account *out, struct errctx *ec)
{
    char folded[EMAIL_MAX + 1];
    struct stmt *q;
    enum err e = fold_email(email, folded, ec);

    if (e != ERR_OK)
        return e;
    q = sql_get(state,
                "SELECT " ACCOUNT_COLUMNS " FROM account WHERE email = ?1");
    sql_text(q, 1, folded);
    e = one_account(q, a, out, ec);
    return e == ERR_NOT_FOUND ? err_set(ec, e, "no account for %s", folded) : e;
}

enum err account_get(struct db *state, int64_t id, struct arena *a,
                     struct account *out, struct errctx *ec)
{
    struct stmt *q =
        sql_get(state, "SELECT " ACCOUNT_COLUMNS " FROM account WHERE id = ?1");
    enum err e;

    sql_int(q, 1, id);
    e = one_account(q, a, out, ec);
    return e == ERR_NOT_FOUND ? err_set(ec, e, "no account %lld", (long long)id)
                              : e;
}

static enum err count_rows(struct stmt *q, size_t *n, struct errctx *ec)
{
    enum err e = sql_one(q, ec);

    if (e == ERR_OK) {
        int64_t v = sql_col_int(q, 0);

        *n = v > LIST_MAX ? LIST_MAX : (size_t)v;
    }
    sql_end(q);
    return e;
}

static enum err list_accounts(struct db *db, struct arena *a,
                              struct account **out, size_t *count,
                              struct errctx *ec)
{
    struct stmt *q = sql_get(db, "SELECT count(*) FROM account");
    struct account *list;
    size_t max = 0, n = 0;
    bool row = true;
    enum err e = count_rows(q, &max, ec);

    if (e != ERR_OK)
        return e;
    list = arena_array(a, max, sizeof *list);
    q = sql_get(db, "SELECT " ACCOUNT_COLUMNS " FROM account ORDER BY id");
    while (list != NULL && n < max && (e = sql_step(q, &row, ec)) == ERR_OK &&
           row)
        read_account(q, a, &list[n++]);
    sql_end(q);
    if (e == ERR_OK && arena_failed(a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    *out = list;
    *count = n;
    return e;
}

enum err account_list(struct db *state, struct arena *a, struct account **out,
                      size_t *count, struct errctx *ec)
{
    struct account *list = NULL;
    size_t n = 0;
    enum err e = db_read_begin(state, ec);

    if (e != ERR_OK)
        return e;
    e = list_accounts(state, a, &list, &n, ec);
    db_read_end(state);
    if (e != ERR_OK)
        return e;
    *out = list;
    *count = n;
    return ERR_OK;
}

struct change_arg {
    int64_t id, number;
    const char *text;
};

/* What every change of an account ends with. */
static enum err run_change(struct db *db, struct stmt *q, int64_t id,
                           struct errctx *ec)
{
    enum err e;

    sql_int(q, 1, id);
    e = sql_run(q, ec);
    if (e == ERR_OK && sql_changes(db) == 0)
        e = err_set(ec, ERR_NOT_FOUND, "no account %lld", (long long)id);
    return e;
}

static enum err disable_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct change_arg *c = arg;
    struct stmt *q =
        sql_get(db, "UPDATE account SET disabled = ?2 WHERE id = ?1");

    sql_int(q, 2, c->number);
    return run_change(db, q, c->id, ec);
}

enum err account_set_disabled(struct db *state, int64_t id, bool disabled,
                              struct errctx *ec)
{
    struct change_arg c = {.id = id, .number = disabled};

    return db_write(state, disable_in, &c, ec);
}

static enum err role_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct change_arg *c = arg;
    struct stmt *q = sql_get(db, "UPDATE account SET role = ?2 WHERE id = ?1");

    sql_int(q, 2, c->number);
    return run_change(db, q, c->id, ec);
}

enum err account_set_role(struct db *state, int64_t id, enum account_role role,
                          struct errctx *ec)
{
    struct change_arg c = {.id = id, .number = role};

    return db_write(state, role_in, &c, ec);
}

static enum err password_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct change_arg *c = arg;
    struct stmt *q =
        sql_get(db, "UPDATE account SET password = ?2 WHERE id = ?1");
    enum err e;

    sql_text(q, 2, c->text);
    e = run_change(db, q, c->id, ec);
    if (e != ERR_OK)
        return e;
    q = sql_get(db, "DELETE FROM session WHERE account = ?1");
    sql_int(q, 1, c->id);
    return sql_run(q, ec);
}

enum err account_set_password(struct db *state, int64_t id,
                              const char *password, struct errctx *ec)
{
    struct change_arg c = {.id = id, .text = password};

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
        sql_get(db, "INSERT INTO api_key(hash, id, account, label, created)"
                    " SELECT ?1, ?2, id, ?4, ?5 FROM account WHERE id = ?3"
                    " ON CONFLICT(id) DO NOTHING");
    enum err e;

    sql_blob(q, 1, k->hash, sizeof k->hash);
    sql_text(q, 2, k->id);
    sql_int(q, 3, k->account);
    sql_text(q, 4, k->label);
    sql_int(q, 5, k->now_ms);
    e = sql_run(q, ec);
    if (e != ERR_OK || sql_changes(db) == 1)
        return e;
    q = sql_get(db, "SELECT 1 FROM account WHERE id = ?1");
    sql_int(q, 1, k->account);
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

static void read_key(struct stmt *q, struct arena *a, struct api_key *out)
{
    out->id = sql_col_text(q, 0, a);
    out->label = sql_col_text(q, 1, a);
    out->account = sql_col_int(q, 2);
    out->created_ms = sql_col_int(q, 3);
    out->last_used_ms = sql_col_int(q, 4);
    out->revoked_ms = sql_col_int(q, 5);
    out->requests = sql_col_int(q, 6);
}

static enum err list_keys(struct db *db, int64_t account, struct arena *a,
                          struct api_key **out, size_t *count,
                          struct errctx *ec)
{
    struct stmt *q =
        sql_get(db, "SELECT count(*) FROM api_key WHERE account = ?1");
    struct api_key *list;
    size_t max = 0, n = 0;
    bool row = true;
    enum err e;

    sql_int(q, 1, account);
    e = count_rows(q, &max, ec);
    if (e != ERR_OK)
        return e;
    list = arena_array(a, max, sizeof *list);
    q = sql_get(
        db, "SELECT id, label, account, created, last_used, revoked,"
            " requests FROM api_key WHERE account = ?1 ORDER BY created, id");
    sql_int(q, 1, account);
    while (list != NULL && n < max && (e = sql_step(q, &row, ec)) == ERR_OK &&
           row)
        read_key(q, a, &list[n++]);
    sql_end(q);
    if (e == ERR_OK && arena_failed(a))
        e = err_set(ec, ERR_NOMEM, "out of memory");
    *out = list;
    *count = n;
    return e;
}

enum err key_list(struct db *state, int64_t account, struct arena *a,
                  struct api_key **out, size_t *count, struct errctx *ec)
{
    struct api_key *list = NULL;
    size_t n = 0;
    enum err e = db_read_begin(state, ec);

    if (e != ERR_OK)
        return e;
    e = list_keys(state, account, a, &list, &n, ec);
    db_read_end(state);
    if (e != ERR_OK)
        return e;
    *out = list;
    *count = n;
    return ERR_OK;
}

struct revoke_arg {
    int64_t account;
    const char *id;
    int64_t now_ms;
};

static enum err revoke_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct revoke_arg *r = arg;
    struct stmt *q =
        sql_get(db, "UPDATE api_key SET revoked = ?2 WHERE id = ?1"
                    " AND revoked = 0 AND (?3 = 0 OR account = ?3)");
    enum err e;

    sql_text(q, 1, r->id);
    sql_int(q, 2, r->now_ms);
    sql_int(q, 3, r->account);
    e = sql_run(q, ec);
    if (e == ERR_OK && sql_changes(db) == 0)
        e = err_set(ec, ERR_NOT_FOUND, "no valid key %.40s", r->id);
    return e;
}

enum err key_revoke(struct db *state, int64_t account, const char *id,
                    int64_t now_ms, struct errctx *ec)
{
    struct revoke_arg r = {account, id, now_ms};

    return db_write(state, revoke_in, &r, ec);
}

struct used_arg {
    const unsigned char *hash;
    int64_t requests, now_ms;
};

static enum err used_in(struct db *db, void *arg, struct errctx *ec)
{
    const struct used_arg *u = arg;
    struct stmt *q = sql_get(db, "UPDATE api_key SET requests = requests + ?2,"
                                 " last_used = max(last_used, ?3)"
                                 " WHERE hash = ?1");

    sql_blob(q, 1, u->hash, SHA256_BYTES);
    sql_int(q, 2, u->requests);
    sql_int(q, 3, u->now_ms);
    return sql_run(q, ec);
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
    q = sql_get(state, "SELECT k.account, a.role, k.revoked, a.disabled"
                       " FROM api_key k JOIN account a ON a.id = k.account"
                       " WHERE k.hash = ?1");
    sql_blob(q, 1, hash, SHA256_BYTES);
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
