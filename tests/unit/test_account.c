/* Accounts and keys over a real database. */
#include "store/account.h"

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
    if (db_file_new(DB_STATE, path, &file) != ERR_OK)
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
    int64_t a = account("a@x"), b = account("b@x"), who = 0;

    (void)state;
    assert_int_equal(key_create(db, a, "one", 5, k1, &id1, &arena, &ec),
                     ERR_OK);
    assert_int_equal(key_create(db, b, "two", 5, k2, &id2, &arena, &ec),
                     ERR_OK);
    assert_string_not_equal(k1, k2);
    assert_int_equal(strlen(id1), 8);
    assert_int_equal(key_check(db, k1, 10, &who, &ec), ERR_OK);
    assert_int_equal(who, a);
    assert_int_equal(key_check(db, k2, 10, &who, &ec), ERR_OK);
    assert_int_equal(who, b);
    assert_int_equal(key_create(db, 999, "", 5, k1, &id1, &arena, &ec),
                     ERR_NOT_FOUND);
}

static void unknown_and_revoked_keys_are_refused(void **state)
{
    char key[KEY_LEN + 1];
    const char *id;
    int64_t a = account("a@x"), who = 0;

    (void)state;
    assert_int_equal(key_create(db, a, "", 5, key, &id, &arena, &ec), ERR_OK);
    assert_int_equal(key_check(db, "", 10, &who, &ec), ERR_AUTH);
    assert_int_equal(key_check(db, "ck_short", 10, &who, &ec), ERR_AUTH);
    key[10] = key[10] == 'A' ? 'B' : 'A';
    assert_int_equal(key_check(db, key, 10, &who, &ec), ERR_AUTH);
    assert_int_equal(key_revoke(db, "00000000x", 7, &ec), ERR_NOT_FOUND);

    assert_int_equal(key_create(db, a, "", 6, key, &id, &arena, &ec), ERR_OK);
    assert_int_equal(key_revoke(db, id, 7, &ec), ERR_OK);
    assert_int_equal(key_revoke(db, id, 8, &ec), ERR_NOT_FOUND);
    assert_int_equal(key_check(db, key, 10, &who, &ec), ERR_AUTH);
    assert_int_equal(who, 0);
}

static void a_disabled_account_is_known_but_forbidden(void **state)
{
    char key[KEY_LEN + 1];
    const char *id;
    int64_t a = account("a@x"), who = 0;

    (void)state;
    assert_int_equal(key_create(db, a, "", 5, key, &id, &arena, &ec), ERR_OK);
    assert_int_equal(account_set_disabled(db, a, true, &ec), ERR_OK);
    assert_int_equal(key_check(db, key, 10, &who, &ec), ERR_FORBIDDEN);
    assert_int_equal(who, a);
    assert_int_equal(account_set_disabled(db, a, false, &ec), ERR_OK);
    assert_int_equal(key_check(db, key, 10, &who, &ec), ERR_OK);
    assert_int_equal(account_set_disabled(db, 77, true, &ec), ERR_NOT_FOUND);
}

static int64_t last_use(int64_t a)
{
    struct api_key *list;
    size_t n;

    assert_int_equal(key_list(db, a, &arena, &list, &n, &ec), ERR_OK);
    assert_int_equal(n, 1);
    assert_string_equal(list[0].label, "lab\xC3\xA9l");
    return list[0].last_used_ms;
}

static void last_use_is_kept_to_the_minute(void **state)
{
    static const struct {
        int64_t at, want;
    } steps[] = {{600000, 600000},
                 {600001, 600000},
                 {659999, 600000},
                 {660000, 660000},
                 {1000000, 960000}};
    char key[KEY_LEN + 1];
    const char *id;
    int64_t a = account("a@x"), who;

    (void)state;
    assert_int_equal(
        key_create(db, a, "lab\xC3\xA9l", 5, key, &id, &arena, &ec), ERR_OK);
    assert_int_equal(last_use(a), 0);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_int_equal(key_check(db, key, steps[i].at, &who, &ec), ERR_OK);
        assert_int_equal(last_use(a), steps[i].want);
    }
}

static void the_key_itself_is_not_in_the_file(void **state)
{
    char key[KEY_LEN + 1], path[96], bytes[65536];
    const char *id;
    size_t n;
    FILE *f;

    (void)state;
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
        T(last_use_is_kept_to_the_minute),
        T(the_key_itself_is_not_in_the_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
