/* Passwords: hashed so that only they are let in again. */
#include "base/err.h"
#include "base/password.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char good[] = "correct horse battery";

static void a_password_is_known_again_and_no_other(void **state)
{
    char hash[PASSWORD_HASH_MAX], again[PASSWORD_HASH_MAX];
    struct errctx ec = {0};

    (void)state;
    assert_int_equal(password_hash(good, hash, &ec), ERR_OK);
    assert_int_equal(password_hash(good, again, &ec), ERR_OK);
    assert_int_equal(strncmp(hash, "$argon2id$v=19$m=19456,t=2,p=1$", 31), 0);
    assert_string_not_equal(hash, again);
    assert_int_equal(password_check(good, hash), ERR_OK);
    assert_int_equal(password_check("correct horse batterz", hash), ERR_AUTH);
    assert_int_equal(password_check("", hash), ERR_AUTH);
}

static void nobody_has_no_password(void **state)
{
    (void)state;
    assert_int_equal(password_check(good, NULL), ERR_AUTH);
    assert_int_equal(password_check("", NULL), ERR_AUTH);
}

static void a_spoilt_hash_is_the_databases_fault(void **state)
{
    (void)state;
    assert_int_equal(password_check(good, "$argon2id$v=19$m=1"), ERR_DB);
}

static void a_password_has_bounds(void **state)
{
    static const char *const bad[] = {"", "seven77", "ümlaute", "12345678\xff"};
    char hash[PASSWORD_HASH_MAX] = "untouched";
    char big[PASSWORD_MAX + 2];
    struct errctx ec = {0};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(password_hash(bad[i], hash, &ec), ERR_INVALID);
    memset(big, 'x', sizeof big);
    big[PASSWORD_MAX + 1] = '\0';
    assert_int_equal(password_hash(big, hash, &ec), ERR_INVALID);
    assert_int_equal(password_check(big, NULL), ERR_AUTH);
    assert_string_equal(hash, "untouched");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_password_is_known_again_and_no_other),
        cmocka_unit_test(nobody_has_no_password),
        cmocka_unit_test(a_spoilt_hash_is_the_databases_fault),
        cmocka_unit_test(a_password_has_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
