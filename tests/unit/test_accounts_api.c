/*
 * Accounts, sign-ins and keys over the API: a request in, an answer out, over
 * a real database. Also what each role and kind of key may reach.
 */
#include "webapp.h"

#include "base/password.h"
#include "store/session.h"

#include <stdint.h>

#define PASSWORD "correct horse"
#define SIGN_IN(email, password)                                               \
    "{\"email\":\"" email "\",\"password\":\"" password "\"}"

static char *const open_to_all[] = {"CITED_ACCOUNTS_REGISTRATION=open", NULL};

static int setup(void **state)
{
    static struct webapp t;

    webapp_open(&t, open_to_all);
    *state = &t;
    return 0;
}

static int teardown(void **state)
{
    webapp_close(*state);
    return 0;
}

static void ask_as(struct webapp *t, const char *bearer, const char *method,
                   const char *path, const char *body, struct response *res)
{
    struct ask q = {.method = method,
                    .path = path,
                    .authorization = bearer,
                    .address = "192.0.2.7",
                    .content_type = body == NULL ? NULL : "application/json",
                    .body = body};

    webapp_ask(t, &q, res);
}

/* The answer's text; it lasts until the next call. */
static const char *good(struct webapp *t, const char *bearer,
                        const char *method, const char *path, const char *body)
{
    static char text[8192];
    struct response res;

    ask_as(t, bearer, method, path, body, &res);
    snprintf(text, sizeof text, "%s", buf_str(&res.body));
    if (res.status != 200)
        fail_msg("%s %s: %d %s", method, path, res.status, text);
    response_fini(&res);
    return text;
}

static void bad(struct webapp *t, const char *bearer, const char *method,
                const char *path, const char *body, int status,
                const char *code, const char *field)
{
    struct response res;

    ask_as(t, bearer, method, path, body, &res);
    assert_true(webapp_is_problem(&res, status, code, field, path));
    response_fini(&res);
}

/* A copy of the string member of an answer, to free. */
static char *member(const char *text, const char *name)
{
    struct json *root = NULL;
    struct errctx ec;
    char *copy;

    assert_int_equal(
        json_parse(text, strlen(text), &json_limits_request, &root, &ec),
        ERR_OK);
    assert_non_null(json_string(json_get(root, name)));
    copy = strdup(json_string(json_get(root, name)));
    json_free(root);
    return copy;
}

/* "Bearer cs_…" of a fresh sign-in, to free. */
static char *signed_in(struct webapp *t, const char *credentials)
{
    char *token =
        member(good(t, NULL, "POST", "/v1/sessions", credentials), "token");
    char *bearer = malloc(KEY_LEN + 16);

    snprintf(bearer, KEY_LEN + 16, "Bearer %s", token);
    free(token);
    return bearer;
}

static void set_password(struct webapp *t, int64_t account)
{
    char hash[PASSWORD_HASH_MAX];
    struct errctx ec;

    assert_int_equal(password_hash(PASSWORD, hash, &ec), ERR_OK);
    assert_int_equal(account_set_password(t->w.store.state, account, hash, &ec),
                     ERR_OK);
}

/* --- registering ------------------------------------------------------- */

static void who_registers_can_sign_in(void **state)
{
    struct webapp *t = *state;
    const char *text =
        good(t, NULL, "POST", "/v1/accounts", SIGN_IN("New@x", PASSWORD));
    char *bearer;

    assert_memory_equal(text,
                        "{\"email\":\"new@x\",\"role\":\"user\","
                        "\"createdAt\":\"",
                        44);
    bearer = signed_in(t, SIGN_IN("new@X", PASSWORD));
    text = good(t, bearer, "GET", "/v1/sessions", NULL);
    assert_memory_equal(text,
                        "{\"email\":\"new@x\",\"role\":\"user\","
                        "\"expiresAt\":\"",
                        44);
    free(bearer);
}

static void every_field_at_fault_is_named(void **state)
{
    static const struct {
        const char *body, *field;
    } rows[] = {
        {"{\"password\":\"12345678\"}", "email"},
        {"{\"email\":7,\"password\":\"12345678\"}", "email"},
        {SIGN_IN("nobody", "12345678"), "email"},
        {SIGN_IN("a@x", "1234567"), "password"},
        {"{\"email\":\"a@x\"}", "password"},
        {SIGN_IN("A@example.org", "12345678"), "email"}, /* is taken */
    };
    struct response res;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        bad(*state, NULL, "POST", "/v1/accounts", rows[i].body, 400,
            "VALIDATION_ERROR", rows[i].field);
    ask_as(*state, NULL, "POST", "/v1/accounts", "{}", &res);
    assert_non_null(strstr(buf_str(&res.body), "2 fields"));
    response_fini(&res);
}

static void a_closed_service_registers_nobody(void **state)
{
    struct webapp t;

    (void)state;
    webapp_open(&t, NULL);
    bad(&t, NULL, "POST", "/v1/accounts", SIGN_IN("n@x", PASSWORD), 403,
        "FORBIDDEN", NULL);
    bad(&t, NULL, "POST", "/v1/accounts", "{}", 403, "FORBIDDEN", NULL);
    webapp_close(&t);
}

static void a_code_lets_in_those_who_know_it(void **state)
{
    static char *const conf[] = {"CITED_ACCOUNTS_REGISTRATION=code",
                                 "CITED_ACCOUNTS_CODE=sesame", NULL};
    static const char wrong[] = "{\"email\":\"n@x\",\"password\":\"12345678\","
                                "\"code\":\"sesam\"}";
    struct response res;
    struct webapp t;

    (void)state;
    webapp_open(&t, conf);
    bad(&t, NULL, "POST", "/v1/accounts", SIGN_IN("n@x", PASSWORD), 400,
        "VALIDATION_ERROR", "code");
    good(&t, NULL, "POST", "/v1/accounts",
         "{\"email\":\"n@x\",\"password\":\"12345678\",\"code\":\"sesame\"}");
    for (int i = 0; i < 5; i++)
        bad(&t, NULL, "POST", "/v1/accounts", wrong, 403, "FORBIDDEN", NULL);
    ask_as(&t, NULL, "POST", "/v1/accounts", wrong, &res);
    assert_true(webapp_is_problem(&res, 429, "TOO_MANY_REQUESTS", NULL, ""));
    assert_string_equal(webapp_header(&res, "Retry-After"), "1");
    response_fini(&res);
    webapp_close(&t);
}

static void without_a_code_nobody_knows_it(void **state)
{
    static char *const conf[] = {"CITED_ACCOUNTS_REGISTRATION=code", NULL};
    struct webapp t;

    (void)state;
    webapp_open(&t, conf);
    bad(&t, NULL, "POST", "/v1/accounts",
        "{\"email\":\"n@x\",\"password\":\"12345678\",\"code\":\"\"}", 400,
        "VALIDATION_ERROR", "code");
    bad(&t, NULL, "POST", "/v1/accounts",
        "{\"email\":\"n@x\",\"password\":\"12345678\",\"code\":\"x\"}", 403,
        "FORBIDDEN", NULL);
    webapp_close(&t);
}

/* --- signing in -------------------------------------------------------- */

static void what_is_wrong_is_not_told(void **state)
{
    static const char *const bodies[] = {
        SIGN_IN("a@example.org", "wrong horse"), /* the password */
        SIGN_IN("b@example.org", PASSWORD),      /* has none */
        SIGN_IN("no@example.org", PASSWORD),     /* no such account */
        SIGN_IN("nobody", PASSWORD),             /* no address */
    };
    struct webapp *t = *state;
    struct errctx ec;
    struct response res;
    char *first = NULL;
    int64_t other;

    set_password(t, t->account);
    assert_int_equal(
        account_create(t->w.store.state, "b@example.org", 1, &other, &ec),
        ERR_OK);
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        ask_as(t, NULL, "POST", "/v1/sessions", bodies[i], &res);
        assert_int_equal(res.status, 401);
        assert_string_equal(webapp_header(&res, "WWW-Authenticate"), "Bearer");
        if (first == NULL)
            first = strdup(buf_str(&res.body));
        assert_string_equal(buf_str(&res.body), first);
        response_fini(&res);
    }
    free(first);
    bad(t, NULL, "POST", "/v1/sessions", "{\"email\":\"\"}", 400,
        "VALIDATION_ERROR", "email");
}

static void guesses_are_held_up(void **state)
{
    struct webapp *t = *state;
    struct response res;

    set_password(t, t->account);
    for (int i = 0; i < 5; i++)
        bad(t, NULL, "POST", "/v1/sessions",
            SIGN_IN("a@example.org", "wrong horse"), 401, "UNAUTHORIZED", NULL);
    ask_as(t, NULL, "POST", "/v1/sessions", SIGN_IN("A@example.org", PASSWORD),
           &res);
    assert_true(webapp_is_problem(&res, 429, "TOO_MANY_REQUESTS", NULL, ""));
    assert_string_equal(webapp_header(&res, "Retry-After"), "1");
    response_fini(&res);
}

static void a_token_opens_what_a_key_opens(void **state)
{
    struct webapp *t = *state;
    char *bearer;

    set_password(t, t->account);
    bearer = signed_in(t, SIGN_IN("a@example.org", PASSWORD));
    good(t, bearer, "GET", "/v1/research", NULL);
    good(t, bearer, "GET", "/v1/credits/balance", NULL);
    assert_string_equal(good(t, bearer, "DELETE", "/v1/sessions", NULL), "{}");
    bad(t, bearer, "GET", "/v1/research", NULL, 401, "UNAUTHORIZED", NULL);
    bad(t, bearer, "GET", "/v1/sessions", NULL, 401, "UNAUTHORIZED", NULL);
    free(bearer);
}

static void a_disabled_account_cannot_sign_in(void **state)
{
    struct webapp *t = *state;
    struct errctx ec;

    set_password(t, t->account);
    assert_int_equal(
        account_set_disabled(t->w.store.state, t->account, true, &ec), ERR_OK);
    bad(t, NULL, "POST", "/v1/sessions", SIGN_IN("a@example.org", PASSWORD),
        403, "FORBIDDEN", NULL);
    bad(t, NULL, "POST", "/v1/sessions", SIGN_IN("a@example.org", "wrong one"),
        401, "UNAUTHORIZED", NULL);
}

/* --- keys -------------------------------------------------------------- */

static void keys_are_for_who_is_signed_in(void **state)
{
    struct webapp *t = *state;

    bad(t, t->bearer, "GET", "/v1/keys", NULL, 403, "FORBIDDEN", NULL);
    bad(t, t->bearer, "POST", "/v1/keys", "{}", 403, "FORBIDDEN", NULL);
    bad(t, t->bearer, "DELETE", "/v1/keys/x", NULL, 403, "FORBIDDEN", NULL);
    bad(t, t->bearer, "GET", "/v1/sessions", NULL, 403, "FORBIDDEN", NULL);
    bad(t, NULL, "GET", "/v1/keys", NULL, 401, "UNAUTHORIZED", NULL);
}

static void a_key_is_made_used_listed_and_revoked(void **state)
{
    struct webapp *t = *state;
    char *bearer, *id, *key, own[KEY_LEN + 16], path[64];
    const char *text;

    set_password(t, t->account);
    bearer = signed_in(t, SIGN_IN("a@example.org", PASSWORD));
    text =
        good(t, bearer, "POST", "/v1/keys", "{\"label\":\"my \\\"first\\\"\"}");
    assert_non_null(
        strstr(text, "\"label\":\"my \\\"first\\\"\",\"createdAt\""));
    id = member(text, "id");
    key = member(text, "key");
    snprintf(own, sizeof own, "Bearer %s", key);
    for (int i = 0; i < 3; i++)
        good(t, own, "GET", "/v1/credits/balance", NULL);
    text = good(t, bearer, "GET", "/v1/keys", NULL);
    assert_null(strstr(text, key));
    assert_non_null(strstr(text, id));
    assert_non_null(strstr(text, "\"label\":\"test\""));
    assert_non_null(strstr(text, "\"revokedAt\":null,\"requests\":3}"));
    assert_non_null(strstr(text, "\"lastUsedAt\":null")); /* the other one */
    snprintf(path, sizeof path, "/v1/keys/%s", id);
    text = good(t, bearer, "DELETE", path, NULL);
    assert_non_null(strstr(text, "\"revokedAt\":\"20"));
    bad(t, bearer, "DELETE", path, NULL, 404, "NOT_FOUND", NULL);
    text = good(t, bearer, "GET", "/v1/keys", NULL);
    assert_non_null(strstr(text, "\"revokedAt\":\"20"));
    free(bearer);
    free(id);
    free(key);
}

static void a_foreign_key_is_not_found(void **state)
{
    struct webapp *t = *state;
    struct errctx ec;
    int64_t other;
    char key[KEY_LEN + 1], path[64], *bearer;
    const char *id;

    set_password(t, t->account);
    bearer = signed_in(t, SIGN_IN("a@example.org", PASSWORD));
    assert_int_equal(
        account_create(t->w.store.state, "b@example.org", 1, &other, &ec),
        ERR_OK);
    assert_int_equal(
        key_create(t->w.store.state, other, "x", 1, key, &id, &t->w.arena, &ec),
        ERR_OK);
    snprintf(path, sizeof path, "/v1/keys/%s", id);
    bad(t, bearer, "DELETE", path, NULL, 404, "NOT_FOUND", NULL);
    bad(t, bearer, "DELETE", "/v1/keys/nonsense", NULL, 404, "NOT_FOUND", NULL);
    free(bearer);
}

static void a_label_is_a_bounded_string(void **state)
{
    struct webapp *t = *state;
    char *bearer, body[300];

    set_password(t, t->account);
    bearer = signed_in(t, SIGN_IN("a@example.org", PASSWORD));
    snprintf(body, sizeof body, "{\"label\":\"%0201d\"}", 0);
    bad(t, bearer, "POST", "/v1/keys", body, 400, "VALIDATION_ERROR", "label");
    bad(t, bearer, "POST", "/v1/keys", "{\"label\":[]}", 400,
        "VALIDATION_ERROR", "label");
    good(t, bearer, "POST", "/v1/keys", "{\"label\":null}");
    free(bearer);
}

/* --- limits ------------------------------------------------------------ */

static void requests_in_flight_are_limited_by_account(void **state)
{
    static char *const conf[] = {"CITED_LIMITS_IN_FLIGHT=2", NULL};
    struct response res;
    struct webapp t;
    int first, second;

    (void)state;
    webapp_open(&t, conf);
    for (int i = 0; i < 5; i++) /* one after the other */
        good(&t, t.bearer, "GET", "/v1/credits/balance", NULL);
    assert_true(limit_enter(t.app.limits, t.account, &first));
    good(&t, t.bearer, "GET", "/v1/credits/balance", NULL);
    assert_true(limit_enter(t.app.limits, t.account, &second));
    ask_as(&t, t.bearer, "GET", "/v1/credits/balance", NULL, &res);
    assert_true(webapp_is_problem(&res, 429, "TOO_MANY_REQUESTS", NULL, ""));
    assert_string_equal(webapp_header(&res, "Retry-After"), "1");
    response_fini(&res);
    limit_leave(t.app.limits, first);
    good(&t, t.bearer, "GET", "/v1/credits/balance", NULL);
    webapp_close(&t);
}

static void usage_is_written_once_a_minute_and_at_the_end(void **state)
{
    struct webapp *t = *state;
    struct api_key *list;
    struct errctx ec;
    size_t n;

    for (int i = 0; i < 5; i++)
        good(t, t->bearer, "GET", "/v1/credits/balance", NULL);
    assert_int_equal(
        key_list(t->w.store.state, t->account, &t->w.arena, &list, &n, &ec),
        ERR_OK);
    assert_int_equal(list[0].requests, 1);
    usage_free(t->app.usage, t->files.state);
    t->app.usage = NULL;
    assert_int_equal(
        key_list(t->w.store.state, t->account, &t->w.arena, &list, &n, &ec),
        ERR_OK);
    assert_int_equal(list[0].requests, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(who_registers_can_sign_in),
        T(every_field_at_fault_is_named),
        T(what_is_wrong_is_not_told),
        T(guesses_are_held_up),
        T(a_token_opens_what_a_key_opens),
        T(a_disabled_account_cannot_sign_in),
        T(keys_are_for_who_is_signed_in),
        T(a_key_is_made_used_listed_and_revoked),
        T(a_foreign_key_is_not_found),
        T(a_label_is_a_bounded_string),
        T(usage_is_written_once_a_minute_and_at_the_end),
#undef T
        cmocka_unit_test(a_closed_service_registers_nobody),
        cmocka_unit_test(a_code_lets_in_those_who_know_it),
        cmocka_unit_test(without_a_code_nobody_knows_it),
        cmocka_unit_test(requests_in_flight_are_limited_by_account),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
