/* Signing in and out; see handlers.h. A wrong address and a wrong password
 * get the same words after the same time. */
#include "base/password.h"
#include "base/str.h"
#include "store/session.h"
#include "web/handlers.h"
#include "web/input_common.h"
#include "web/input_person.h"
#include "web/problem.h"

static void render(struct call *c, const struct account *a, const char *token,
                   int64_t expires_ms)
{
    struct json_out w;

    c->res->status = 200;
    jw_init(&w, &c->res->body);
    jw_object(&w);
    if (token != NULL)
        jw_kstring(&w, "token", token);
    jw_kstring(&w, "email", a->email);
    jw_kstring(&w, "role", role_name(a->role));
    jw_kstamp(&w, "expiresAt", expires_ms);
    jw_object_end(&w);
}

static void sign_in(struct call *c, const struct account *a,
                    const struct throttle *t)
{
    int64_t now = clock_now_ms();
    int64_t ttl = c->w->app->conf->session_minutes * 60000;
    char token[KEY_LEN + 1];
    struct errctx ec = {0};
    enum err e = throttle_undo(c->w->store.state, t, &ec);

    if (e == ERR_OK && a->disabled) {
        problem_write(c->res, PROBLEM_FORBIDDEN, "This account is disabled.",
                      NULL);
        return;
    }
    if (e == ERR_OK)
        e = session_create(c->w->store.state, a->id, now, ttl, token, &ec);
    if (e != ERR_OK)
        problem_write_err(c->res, c->rq, e, &ec);
    else
        render(c, a, token, now + ttl);
}

/* Whose address and password they are; ERR_AUTH. */
static enum err check(struct call *c, const char *email, const char *password,
                      struct account *a, struct errctx *ec)
{
    enum err e = account_find(c->w->store.state, email, c->rq->arena, a, ec);

    if (e != ERR_OK && e != ERR_NOT_FOUND && e != ERR_INVALID)
        return e;
    e = password_check(password, e == ERR_OK ? a->password : NULL);
    /* The log has nothing to say about it, whatever the reason. */
    *ec = (struct errctx){0};
    return e;
}

static void try_sign_in(struct call *c, const char *email, const char *password)
{
    char *folded = arena_strdup(c->rq->arena, email);
    struct throttle t = {.source = person_address("addr", c->rq)};
    struct account a = {0};
    struct errctx ec = {0};
    enum err e;

    if (folded == NULL) {
        problem_write_err(c->res, c->rq, ERR_NOMEM, NULL);
        return;
    }
    ascii_lower_all(folded);
    t.target = arena_printf(c->rq->arena, "mail:%s", folded);
    if (!person_pass(c, &t))
        return;
    e = check(c, email, password, &a, &ec);
    if (e == ERR_AUTH)
        problem_write(c->res, PROBLEM_UNAUTHORIZED,
                      "The e-mail address or the password is not right.", NULL);
    else if (e != ERR_OK)
        problem_write_err(c->res, c->rq, e, &ec);
    else
        sign_in(c, &a, &t);
}

void h_session_create(struct call *c)
{
    struct problem problem;
    struct input in = {c->body, "", c->rq->arena, &problem};
    const char *email, *password;

    problem_init(&problem, c->rq->arena);
    email = input_text(&in, "email");
    password = input_text(&in, "password");
    if (problem.count > 0)
        problem_write_fields(c->res, &problem);
    else
        try_sign_in(c, email, password);
}

void h_session_get(struct call *c)
{
    struct account a = {0};
    struct errctx ec = {0};
    enum err e =
        account_get(c->w->store.state, c->account, c->rq->arena, &a, &ec);

    if (e != ERR_OK)
        problem_write_err(c->res, c->rq, e, &ec);
    else
        render(c, &a, NULL, c->who.expires_ms);
}

void h_session_end(struct call *c)
{
    struct errctx ec = {0};
    enum err e = session_end(c->w->store.state, c->token, &ec);

    auth_forget(&c->w->keys, c->token);
    if (e != ERR_OK) {
        problem_write_err(c->res, c->rq, e, &ec);
        return;
    }
    c->res->status = 200;
    buf_adds(&c->res->body, "{}");
}
