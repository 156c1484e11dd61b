/* Signing in and out; see handlers.h. A wrong address and a wrong password
 * get the same words after the same time. */
#include "base/password.h"
#include "base/str.h"
#include "store/session.h"
#include "web/handlers.h"
#include "web/input.h"

static void render(struct call *c, const struct account *a, const char *token,
                   int64_t expires_ms)
{
    struct json_out *w = call_object(c);

    if (token != NULL)
        jw_kstring(w, "token", token);
    jw_kstring(w, "email", a->email);
    jw_kstring(w, "role", role_name(a->role));
    jw_kstamp(w, "expiresAt", expires_ms);
    jw_object_end(w);
}

static enum err sign_in(struct call *c, const struct account *a,
                        const struct throttle *t)
{
    int64_t now = clock_now_ms();
    int64_t ttl = c->w->app->conf->session_minutes * 60000;
    char token[KEY_LEN + 1];
    enum err e = throttle_undo(c->w->store.state, t, &c->ec);

    if (e == ERR_OK && a->disabled)
        return call_refuse(c, PROBLEM_FORBIDDEN, "This account is disabled.");
    if (e == ERR_OK)
        e = session_create(c->w->store.state, a->id, now, ttl, token, &c->ec);
    if (e == ERR_OK)
        render(c, a, token, now + ttl);
    return e;
}

/* Whose address and password they are; ERR_AUTH. */
static enum err check(struct call *c, const char *email, const char *password,
                      struct account *a)
{
    enum err e =
        account_find(c->w->store.state, email, c->rq->arena, a, &c->ec);

    if (e != ERR_OK && e != ERR_NOT_FOUND && e != ERR_INVALID)
        return e;
    e = password_check(password, e == ERR_OK ? a->password : NULL);
    /* The log has nothing to say about it, whatever the reason. */
    c->ec = (struct errctx){0};
    return e;
}

static enum err try_sign_in(struct call *c, const char *email,
                            const char *password)
{
    char *folded = arena_strdup(c->rq->arena, email);
    struct throttle t = {.source = person_address("addr", c->rq)};
    struct account a = {0};
    enum err e;

    if (folded == NULL)
        return ERR_NOMEM;
    ascii_lower_all(folded);
    t.target = arena_printf(c->rq->arena, "mail:%s", folded);
    e = person_pass(c, &t);
    if (e == ERR_OK)
        e = check(c, email, password, &a);
    if (e == ERR_AUTH)
        return call_refuse(c, PROBLEM_UNAUTHORIZED,
                           "The e-mail address or the password is not right.");
    return e == ERR_OK ? sign_in(c, &a, &t) : e;
}

/* A link that somebody at the machine was given instead of a password. */
static enum err sign_in_by_link(struct call *c, const struct input *in)
{
    const char *link = input_text(in, "link");
    struct throttle t = {.source = person_address("addr", c->rq)};
    int64_t now = clock_now_ms(), account = 0;
    int64_t ttl = c->w->app->conf->session_minutes * 60000;
    struct db *state = c->w->store.state;
    struct account a = {0};
    char token[KEY_LEN + 1];
    enum err e = call_checked(c);

    if (e == ERR_OK)
        e = person_pass(c, &t);
    if (e == ERR_OK)
        e = session_trade(state, link, now, ttl, token, &account, &c->ec);
    if (e == ERR_AUTH)
        return call_refuse(c, PROBLEM_UNAUTHORIZED,
                           "The link was used already, or is too old.");
    if (e == ERR_OK)
        e = throttle_undo(state, &t, &c->ec);
    if (e == ERR_OK)
        e = account_get(state, account, c->rq->arena, &a, &c->ec);
    if (e == ERR_OK && a.disabled)
        return call_refuse(c, PROBLEM_FORBIDDEN, "This account is disabled.");
    if (e == ERR_OK)
        render(c, &a, token, now + ttl);
    return e;
}

static enum err sign_in_by_password(struct call *c, const struct input *in)
{
    const char *email = input_text(in, "email");
    const char *password = input_text(in, "password");
    enum err e = call_checked(c);

    return e == ERR_OK ? try_sign_in(c, email, password) : e;
}

enum err h_session_create(struct call *c)
{
    struct input in = {c->body, "", c->rq->arena, &c->problem};

    return input_member(&in, "link") != NULL ? sign_in_by_link(c, &in)
                                             : sign_in_by_password(c, &in);
}

enum err h_session_get(struct call *c)
{
    struct account a = {0};
    enum err e =
        account_get(c->w->store.state, c->account, c->rq->arena, &a, &c->ec);

    if (e == ERR_OK)
        render(c, &a, NULL, c->who.expires_ms);
    return e;
}

enum err h_session_end(struct call *c)
{
    enum err e = session_end(c->w->store.state, c->token, &c->ec);

    auth_forget(&c->w->keys, &c->w->app->keys_away, c->token);
    if (e == ERR_OK)
        buf_adds(&c->res->body, "{}");
    return e;
}
