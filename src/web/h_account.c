/* POST /v1/accounts; see handlers.h. Who may register is the
 * configuration's; guesses at the code are throttled by address. */
#include "base/password.h"
#include "store/session.h"
#include "web/handlers.h"
#include "web/input.h"

#include <string.h>

struct wish {
    const char *email, *password, *code;
};

static bool is_mode(const struct call *c, const char *mode)
{
    return strcmp(c->w->app->conf->registration, mode) == 0;
}

/* Their digests: the comparison takes as long wherever they differ. */
static bool is_code(const struct conf *conf, const char *code)
{
    unsigned char given[SHA256_BYTES], want[SHA256_BYTES];
    unsigned difference = 0;

    if (*conf->registration_code == '\0')
        return false;
    id_sha256(code, strlen(code), given);
    id_sha256(conf->registration_code, strlen(conf->registration_code), want);
    for (int i = 0; i < SHA256_BYTES; i++)
        difference |= (unsigned)(given[i] ^ want[i]);
    return difference == 0;
}

static void read_wish(struct call *c, struct wish *w)
{
    struct input in = {c->body, "", c->rq->arena, &c->problem};
    struct errctx ec = {0};

    w->email = input_text(&in, "email");
    if (*w->email != '\0' && !account_is_email(w->email))
        input_wrong(&in, "email", "must be an e-mail address");
    w->password = input_text(&in, "password");
    if (*w->password != '\0' && password_fits(w->password, &ec) != ERR_OK)
        input_wrong(&in, "password", "cannot be a password: %s", ec.msg);
    w->code = is_mode(c, "code") ? input_text(&in, "code") : "";
}

static void render(struct call *c, const struct account *a)
{
    struct json_out *w = call_object(c);

    jw_kstring(w, "email", a->email);
    jw_kstring(w, "role", role_name(a->role));
    jw_kstamp(w, "createdAt", a->created_ms);
    jw_object_end(w);
}

static enum err make_account(struct call *c, const struct wish *w,
                             struct account *out)
{
    struct errctx *ec = &c->ec;
    struct db *state = c->w->store.state;
    char hash[PASSWORD_HASH_MAX];
    int64_t id = 0;
    enum err e = password_hash(w->password, hash, ec);

    if (e == ERR_OK)
        e = account_register(state, w->email, hash, clock_now_ms(), &id, ec);
    if (e == ERR_OK)
        e = account_get(state, id, c->rq->arena, out, ec);
    return e;
}

static enum err register_wish(struct call *c, const struct wish *w)
{
    struct throttle t = {.source = person_address("join", c->rq)};
    struct account a = {0};
    enum err e = person_pass(c, &t);

    if (e != ERR_OK)
        return e;
    if (is_mode(c, "code") && !is_code(c->w->app->conf, w->code))
        return call_refuse(c, PROBLEM_FORBIDDEN,
                           "The registration code is not right.");
    e = make_account(c, w, &a);
    if (e == ERR_OK)
        e = throttle_undo(c->w->store.state, &t, &c->ec);
    if (e == ERR_CONFLICT)
        problem_add(&c->problem, "email",
                    "email has an account already; sign in instead");
    else if (e == ERR_OK)
        render(c, &a);
    return e;
}

enum err h_account_policy(struct call *c)
{
    struct json_out *w = call_object(c);

    jw_kstring(w, "registration", c->w->app->conf->registration);
    jw_object_end(w);
    return ERR_OK;
}

enum err h_account_create(struct call *c)
{
    struct wish w;
    enum err e;

    if (is_mode(c, "closed"))
        return call_refuse(c, PROBLEM_FORBIDDEN,
                           "Accounts are made by the operator of this "
                           "service: cited account create EMAIL.");
    read_wish(c, &w);
    e = call_checked(c);
    return e == ERR_OK ? register_wish(c, &w) : e;
}
