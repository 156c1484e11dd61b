/* Accounts, keys, sign-ins and the throttle over a real database. */
#include "store/session.h"

#include "state_db.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dir[64];
static struct db_file *file;
static struct db *db;
static struct arena arena;
static struct errctx ec;

static int setup(void **state)
{
    char path[96];

    (void)state;
    snprintf(dir, sizeof dir, "/tmp/cited-account-XXXXXX");
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/state.db", dir);
    arena_init(&arena, 1 << 20);
    if (state_db_new(path, &file) != ERR_OK)
        return -1;
    return db_open(file, &db, &ec) == ERR_OK ? 0 : -1;
}

static int teardown(void **state)
{
    char path[96];

    (void)state;
    db_close(db);
    db_file_free(file);
    arena_fini(&arena);
    snprintf(path, sizeof path, "%s/state.db", dir);
    unlink(path);
    return rmdir(dir);
}

static int64_t account(const char *email)
{
    int64_t id = 0;

    assert_int_equal(account_create(db, email, 1000, &id, &ec), ERR_OK);
    assert_true(id > 0);
    return id;
}

static void addresses_are_unique_whatever_their_case(void **state)
{
    struct account a;
    int64_t id = account("Ada@Example.org"), other = 0;

    (void)state;
    assert_int_equal(account_create(db, " ada@example.ORG ", 2, &other, &ec),
                     ERR_CONFLICT);
    assert_int_equal(other, 0);
    assert_int_equal(account_find(db, "ADA@example.org", &arena, &a, &ec),
                     ERR_OK);
    assert_int_equal(a.id, id);
    assert_string_equal(a.email, "ada@example.org");
    assert_int_equal(a.created_ms, 1000);
    assert_false(a.disabled);
    assert_int_equal(account_find(db, "no@body", &arena, &a, &ec),
                     ERR_NOT_FOUND);
}

static void what_is_no_address_is_refused(void **state)
{
    static const char *const bad[] = {"",      "ada",      "@x",
                                      "ada@",  "a@b@c",    "a b@c",
                                      "a@\nb", "\x7f@x.y", "a@\xFF"};
    char longest[400];
    int64_t id;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(account_create(db, bad[i], 1, &id, &ec), ERR_INVALID);
    memset(longest, 'a', sizeof longest);
    longest[3] = '@';
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(account_create(db, longest, 1, &id, &ec), ERR_INVALID);
}

static void accounts_are_listed_in_order_of_creation(void **state)
{
    struct account *list;
    size_t n = 99;

    (void)state;
    assert_int_equal(account_list(db, &arena, &list, &n, &ec), ERR_OK);
    assert_int_equal(n, 0);
    account("b@x");
    account("a@x");
    assert_int_equal(account_list(db, &arena, &list, &n, &ec), ERR_OK);
    assert_int_equal(n, 2);
    assert_string_equal(list[0].email, "b@x");
    assert_string_equal(list[1].email, "a@x");
}

static void a_key_opens_its_own_account(void **state)
{
    char k1[KEY_LEN + 1], k2[KEY_LEN + 1];
    const char *id1, *id2;
    int64_t a = account("a@x"), b = account("b@x");
    struct bearer who = {0};

    (void)state;
    assert_int_equal(key_create(db, a, "one", 5, k1, &id1, &arena, &ec),
                     ERR_OK);
    assert_int_equal(key_create(db, b, "two", 5, k2, &id2, &arena, &ec),
                     ERR_OK);
    assert_string_not_equal(k1, k2);
    assert_int_equal(strlen(id1), 8);
    assert_int_equal(key_check(db, k1, &who, &ec), ERR_OK);
    assert_int_equal(who.account, a);
    assert_int_equal(key_check(db, k2, &who, &ec), ERR_OK);
    assert_int_equal(who.account, b);
    assert_int_equal(key_create(db, 999, "", 5, k1, &id1, &arena, &ec),
                     ERR_NOT_FOUND);
}

static void unknown_and_revoked_keys_are_refused(void **state)
{
    char key[KEY_LEN + 1];
    const char *id;
    int64_t a = account("a@x");
    struct bearer who = {0};

    (void)state;
    assert_int_equal(key_create(db, a, "", 5, key, &id, &arena, &ec), ERR_OK);
    assert_int_equal(key_check(db, "", &who, &ec), ERR_AUTH);
    assert_int_equal(key_check(db, "ck_short", &who, &ec), ERR_AUTH);
    key[10] = key[10] == 'A' ? 'B' : 'A';
    assert_int_equal(key_check(db, key, &who, &ec), ERR_AUTH);
    assert_int_equal(key_revoke(db, 0, "00000000x", 7, &ec), ERR_NOT_FOUND);

    assert_int_equal(key_create(db, a, "", 6, key, &id, &arena, &ec), ERR_OK);
    assert_int_equal(key_revoke(db, 0, id, 7, &ec), ERR_OK);
    assert_int_equal(key_revoke(db, 0, id, 8, &ec), ERR_NOT_FOUND);
    assert_int_equal(key_check(db, key, &who, &ec), ERR_AUTH);
    assert_int_equal(who.account, 0);
}

static void a_disabled_account_is_known_but_forbidden(void **state)
{
    char key[KEY_LEN + 1];
    const char *id;
    int64_t a = account("a@x");
    struct bearer who = {0};

    (void)state;
    assert_int_equal(key_create(db, a, "", 5, key, &id, &arena, &ec), ERR_OK);
    assert_int_equal(account_set_disabled(db, a, true, &ec), ERR_OK);
    assert_int_equal(key_check(db, key, &who, &ec), ERR_FORBIDDEN);
    assert_int_equal(who.account, a);
    assert_int_equal(account_set_disabled(db, a, false, &ec), ERR_OK);
    assert_int_equal(key_check(db, key, &who, &ec), ERR_OK);
    assert_int_equal(account_set_disabled(db, 77, true, &ec), ERR_NOT_FOUND);
}

static void use_is_added_up(void **state)
{
    char key[KEY_LEN + 1];
    unsigned char hash[SHA256_BYTES];
    struct api_key *list;
    const char *id;
    int64_t a = account("a@x");
    size_t n;

    (void)state;
    assert_int_equal(
        key_create(db, a, "lab\xC3\xA9l", 5, key, &id, &arena, &ec), ERR_OK);
    assert_int_equal(key_list(db, a, &arena, &list, &n, &ec), ERR_OK);
    assert_int_equal(list[0].last_used_ms, 0);
    assert_int_equal(list[0].requests, 0);
    id_sha256(key, KEY_LEN, hash);
    assert_int_equal(key_used(db, hash, 3, 9000, &ec), ERR_OK);
    assert_int_equal(key_used(db, hash, 4, 8000, &ec), ERR_OK);
    assert_int_equal(key_list(db, a, &arena, &list, &n, &ec), ERR_OK);
    assert_int_equal(n, 1);
    assert_string_equal(list[0].label, "lab\xC3\xA9l");
    assert_int_equal(list[0].last_used_ms, 9000);
    assert_int_equal(list[0].requests, 7);
}

static void a_key_is_revoked_by_its_own_account(void **state)
{
    char key[KEY_LEN + 1];
    const char *id;
    int64_t a = account("a@x"), b = account("b@x");
    struct bearer who = {0};

    (void)state;
    assert_int_equal(key_create(db, a, "", 5, key, &id, &arena, &ec), ERR_OK);
    assert_int_equal(key_revoke(db, b, id, 7, &ec), ERR_NOT_FOUND);
    assert_int_equal(key_check(db, key, &who, &ec), ERR_OK);
    assert_int_equal(key_revoke(db, a, id, 7, &ec), ERR_OK);
    assert_int_equal(key_check(db, key, &who, &ec), ERR_AUTH);
}

/* --- roles and sign-ins ------------------------------------------------ */

static void roles_are_those_of_the_account(void **state)
{
    char key[KEY_LEN + 1], token[KEY_LEN + 1];
    const char *id;
    struct account got;
    struct bearer who = {0};
    int64_t a = account("a@x");

    (void)state;
    assert_int_equal(key_create(db, a, "", 5, key, &id, &arena, &ec), ERR_OK);
    assert_int_equal(session_create(db, a, 1000, 60, token, &ec), ERR_OK);
    assert_int_equal(key_check(db, key, &who, &ec), ERR_OK);
    assert_int_equal(who.role, ROLE_USER);
    assert_false(who.session);
    assert_int_equal(account_set_role(db, a, ROLE_OPERATOR, &ec), ERR_OK);
    assert_int_equal(key_check(db, key, &who, &ec), ERR_OK);
    assert_int_equal(who.role, ROLE_OPERATOR);
    assert_int_equal(session_check(db, token, 1001, &who, &ec), ERR_OK);
    assert_int_equal(who.role, ROLE_OPERATOR);
    assert_int_equal(account_get(db, a, &arena, &got, &ec), ERR_OK);
    assert_int_equal(got.role, ROLE_OPERATOR);
    assert_int_equal(account_set_role(db, 77, ROLE_USER, &ec), ERR_NOT_FOUND);
    assert_int_equal(account_get(db, 77, &arena, &got, &ec), ERR_NOT_FOUND);
}

static void a_sign_in_lasts_its_time(void **state)
{
    char token[KEY_LEN + 1], key[KEY_LEN + 1];
    const char *id;
    struct bearer who = {0};
    int64_t a = account("a@x");

    (void)state;
    assert_int_equal(session_create(db, a, 1000, 60, token, &ec), ERR_OK);
    assert_memory_equal(token, "cs_", 3);
    assert_int_equal(strlen(token), KEY_LEN);
    assert_int_equal(session_check(db, token, 1059, &who, &ec), ERR_OK);
    assert_int_equal(who.account, a);
    assert_true(who.session);
    assert_int_equal(who.expires_ms, 1060);
    assert_int_equal(session_check(db, token, 1060, &who, &ec), ERR_AUTH);
    assert_int_equal(session_check(db, "cs_x", 1001, &who, &ec), ERR_AUTH);
    /* Neither can stand for the other. */
    assert_int_equal(key_create(db, a, "", 5, key, &id, &arena, &ec), ERR_OK);
    assert_int_equal(session_check(db, key, 1001, &who, &ec), ERR_AUTH);
    assert_int_equal(key_check(db, token, &who, &ec), ERR_AUTH);
    assert_int_equal(session_create(db, 999, 1, 1, token, &ec), ERR_INTERNAL);
}

static void a_link_signs_in_once_within_its_time(void **state)
{
    char link[KEY_LEN + 1], token[KEY_LEN + 1], late[KEY_LEN + 1];
    struct bearer who = {0};
    int64_t a = account("a@x"), whose = 0;

    (void)state;
    assert_int_equal(session_link_create(db, a, 1000, 60, link, &ec), ERR_OK);
    assert_int_equal(session_link_create(db, a, 1000, 60, late, &ec), ERR_OK);
    /* It opens nothing itself, and a sign-in is no link. */
    assert_int_equal(session_check(db, link, 1001, &who, &ec), ERR_AUTH);
    assert_int_equal(session_trade(db, link, 1059, 500, token, &whose, &ec),
                     ERR_OK);
    assert_int_equal(whose, a);
    assert_int_equal(session_check(db, token, 1558, &who, &ec), ERR_OK);
    assert_int_equal(session_trade(db, token, 1059, 500, token, &whose, &ec),
                     ERR_AUTH);
    assert_int_equal(session_trade(db, link, 1059, 500, token, &whose, &ec),
                     ERR_AUTH);
    assert_int_equal(session_trade(db, late, 1060, 500, token, &whose, &ec),
                     ERR_AUTH);
    assert_int_equal(session_trade(db, "cs_x", 1001, 500, token, &whose, &ec),
                     ERR_AUTH);
}

static void signing_out_ends_one_sign_in_and_a_password_all(void **state)
{
    char one[KEY_LEN + 1], two[KEY_LEN + 1], other[KEY_LEN + 1];
    struct bearer who = {0};
    int64_t a = account("a@x"), b = account("b@x");

    (void)state;
    assert_int_equal(session_create(db, a, 1000, 600, one, &ec), ERR_OK);
    assert_int_equal(session_create(db, a, 1000, 600, two, &ec), ERR_OK);
    assert_int_equal(session_create(db, b, 1000, 600, other, &ec), ERR_OK);
    assert_int_equal(session_end(db, one, &ec), ERR_OK);
    assert_int_equal(session_end(db, one, &ec), ERR_OK);
    assert_int_equal(session_check(db, one, 1001, &who, &ec), ERR_AUTH);
    assert_int_equal(session_check(db, two, 1001, &who, &ec), ERR_OK);
    assert_int_equal(account_set_password(db, a, "$hash", &ec), ERR_OK);
    assert_int_equal(session_check(db, two, 1001, &who, &ec), ERR_AUTH);
    assert_int_equal(session_check(db, other, 1001, &who, &ec), ERR_OK);
}

static void the_oldest_sign_in_gives_way(void **state)
{
    char first[KEY_LEN + 1], second[KEY_LEN + 1], token[KEY_LEN + 1];
    struct bearer who = {0};
    int64_t a = account("a@x");

    (void)state;
    assert_int_equal(session_create(db, a, 1, 9999, first, &ec), ERR_OK);
    assert_int_equal(session_create(db, a, 2, 9999, second, &ec), ERR_OK);
    for (int i = 3; i <= SESSIONS_MAX + 1; i++)
        assert_int_equal(session_create(db, a, i, 9999, token, &ec), ERR_OK);
    assert_int_equal(session_check(db, first, 200, &who, &ec), ERR_AUTH);
    assert_int_equal(session_check(db, second, 200, &who, &ec), ERR_OK);
}

static void a_disabled_account_has_no_sign_in(void **state)
{
    char token[KEY_LEN + 1];
    struct bearer who = {0};
    int64_t a = account("a@x");

    (void)state;
    assert_int_equal(session_create(db, a, 1000, 60, token, &ec), ERR_OK);
    assert_int_equal(account_set_disabled(db, a, true, &ec), ERR_OK);
    assert_int_equal(session_check(db, token, 1001, &who, &ec), ERR_FORBIDDEN);
    assert_int_equal(who.account, a);
}

static void a_password_is_kept_from_the_registration_on(void **state)
{
    struct account a;
    int64_t id = 0;

    (void)state;
    assert_int_equal(account_register(db, "A@x", "$hash", 5, &id, &ec), ERR_OK);
    assert_int_equal(account_register(db, "a@X", "$other", 5, &id, &ec),
                     ERR_CONFLICT);
    assert_int_equal(account_find(db, "a@x", &arena, &a, &ec), ERR_OK);
    assert_string_equal(a.password, "$hash");
    account("b@x");
    assert_int_equal(account_find(db, "b@x", &arena, &a, &ec), ERR_OK);
    assert_null(a.password);
}

/* --- the throttle ------------------------------------------------------ */

static int64_t try_at(const char *target, const char *source, int64_t now)
{
    struct throttle t = {target, source};
    int64_t wait = -1;

    assert_int_equal(throttle_begin(db, &t, now, &wait, &ec), ERR_OK);
    return wait;
}

static void pauses_double_after_five_failures(void **state)
{
    static const int64_t pauses[] = {1000,   2000,   4000,  8000,
                                     16000,  32000,  64000, 128000,
                                     256000, 300000, 300000};
    int64_t now = 1000000;

    (void)state;
    for (int i = 0; i < 5; i++)
        assert_int_equal(try_at("mail:a", NULL, now), 0);
    assert_int_equal(try_at("mail:b", NULL, now), 0);
    for (size_t i = 0; i < sizeof pauses / sizeof *pauses; i++) {
        assert_int_equal(try_at("mail:a", NULL, now), pauses[i]);
        assert_int_equal(try_at("mail:a", NULL, now + pauses[i] - 1), 1);
        now += pauses[i];
        assert_int_equal(try_at("mail:a", NULL, now), 0);
    }
    /* After an hour of quiet nothing is known any more. */
    assert_int_equal(try_at("mail:a", NULL, now + 3600001), 0);
    assert_int_equal(try_at("mail:a", NULL, now + 3600001), 0);
}

static void either_of_the_two_can_hold_an_attempt(void **state)
{
    char name[32];

    (void)state;
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "mail:%d", i);
        assert_int_equal(try_at(name, "addr:1", 1000), 0);
    }
    assert_int_equal(try_at("mail:new", "addr:1", 1000), 1000);
    /* What was refused counted nowhere. */
    assert_int_equal(try_at("mail:new", "addr:2", 1000), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(try_at("mail:new", NULL, 1000), 0);
    assert_int_equal(try_at("mail:new", NULL, 1000), 1000);
}

static void a_success_washes_only_its_own_account(void **state)
{
    struct throttle mine = {"mail:me", "addr:1"};

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(try_at("mail:victim", "addr:1", 1000), 0);
    assert_int_equal(try_at(mine.target, mine.source, 1000), 0);
    assert_int_equal(throttle_undo(db, &mine, &ec), ERR_OK);
    assert_int_equal(try_at("mail:victim", "addr:1", 1000), 0);
    assert_int_equal(try_at(mine.target, mine.source, 1000), 1000);
    assert_int_equal(try_at(mine.target, NULL, 1000), 0);
}

static void a_clock_set_back_locks_nobody_out(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++)
        (void)try_at("mail:a", NULL, 9000000000);
    assert_int_equal(try_at("mail:a", NULL, 1000000000), 0);
}

static void the_key_itself_is_not_in_the_file(void **state)
{
    char key[KEY_LEN + 1], path[96], bytes[65536];
    const char *id;
    size_t n;
    FILE *f;

    (void)state;
    if (state_db_is_remote())
        skip(); /* there is no file */
    assert_int_equal(
        key_create(db, account("a@x"), "", 5, key, &id, &arena, &ec), ERR_OK);
    db_close(db); /* everything moves to the main file */
    db = NULL;
    snprintf(path, sizeof path, "%s/state.db", dir);
    f = fopen(path, "rb");
    assert_non_null(f);
    while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
        assert_null(memmem(bytes, n, key + 3, 16));
    fclose(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(addresses_are_unique_whatever_their_case),
        T(what_is_no_address_is_refused),
        T(accounts_are_listed_in_order_of_creation),
        T(a_key_opens_its_own_account),
        T(unknown_and_revoked_keys_are_refused),
        T(a_disabled_account_is_known_but_forbidden),
        T(use_is_added_up),
        T(a_key_is_revoked_by_its_own_account),
        T(roles_are_those_of_the_account),
        T(a_sign_in_lasts_its_time),
        T(a_link_signs_in_once_within_its_time),
        T(signing_out_ends_one_sign_in_and_a_password_all),
        T(the_oldest_sign_in_gives_way),
        T(a_disabled_account_has_no_sign_in),
        T(a_password_is_kept_from_the_registration_on),
        T(pauses_double_after_five_failures),
        T(either_of_the_two_can_hold_an_attempt),
        T(a_success_washes_only_its_own_account),
        T(a_clock_set_back_locks_nobody_out),
        T(the_key_itself_is_not_in_the_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
