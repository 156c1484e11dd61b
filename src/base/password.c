/* Passwords with libargon2; see password.h. Called by store/account's
 * callers: the handlers of accounts and the operator's command. */
#include "base/password.h"

#include "base/id.h"
#include "base/str.h"

#include <argon2.h>
#include <pthread.h>
#include <string.h>

/* The least costly of the recommended settings for 2 passes (OWASP's
 * password storage guide): cheap hosting has little memory. */
enum { MEMORY_KIB = 19456, PASSES = 2, LANES = 1, SALT = 16, TAG = 32 };

/* Of the empty password with a salt of zeros: what nobody's is held against. */
static const char nobody[] =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static int running, waiting;

static enum err enter(void)
{
    enum err e = ERR_OK;

    pthread_mutex_lock(&lock);
    if (waiting == PASSWORD_WAITING) {
        e = ERR_BUSY;
    } else {
        waiting++;
        while (running == PASSWORD_AT_ONCE)
            pthread_cond_wait(&left, &lock);
        waiting--;
        running++;
    }
    pthread_mutex_unlock(&lock);
    return e;
}

static void leave(void)
{
    pthread_mutex_lock(&lock);
    running--;
    pthread_cond_signal(&left);
    pthread_mutex_unlock(&lock);
}

static enum err err_of(int r)
{
    if (r == ARGON2_OK)
        return ERR_OK;
    if (r == ARGON2_VERIFY_MISMATCH)
        return ERR_AUTH;
    return r == ARGON2_MEMORY_ALLOCATION_ERROR ? ERR_NOMEM : ERR_DB;
}

enum err password_fits(const char *password, struct errctx *ec)
{
    size_t n = strlen(password);

    if (n > PASSWORD_MAX)
        return err_set(ec, ERR_INVALID, "a password has at most %d bytes",
                       PASSWORD_MAX);
    if (!utf8_valid(password, n))
        return err_set(ec, ERR_INVALID, "a password is UTF-8");
    if (utf8_count(password, n) < PASSWORD_MIN)
        return err_set(ec, ERR_INVALID, "a password has at least %d characters",
                       PASSWORD_MIN);
    return ERR_OK;
}

enum err password_hash(const char *password, char out[PASSWORD_HASH_MAX],
                       struct errctx *ec)
{
    unsigned char salt[SALT];
    char hash[PASSWORD_HASH_MAX];
    enum err e = password_fits(password, ec);

    if (e != ERR_OK)
        return e;
    if (id_random(salt, sizeof salt) != ERR_OK)
        return err_set(ec, ERR_IO, "the system gives no random bytes");
    e = enter();
    if (e != ERR_OK)
        return err_set(ec, e, "too many passwords at once");
    e = err_of(argon2id_hash_encoded(PASSES, MEMORY_KIB, LANES, password,
                                     strlen(password), salt, sizeof salt, TAG,
                                     hash, sizeof hash));
    leave();
    if (e != ERR_OK)
        return err_set(ec, e == ERR_NOMEM ? e : ERR_INTERNAL,
                       "the password could not be hashed");
    memcpy(out, hash, sizeof hash);
    return ERR_OK;
}

enum err password_check(const char *password, const char *hash)
{
    size_t n = strlen(password);
    enum err e;

    if (n > PASSWORD_MAX)
        return ERR_AUTH;
    e = enter();
    if (e != ERR_OK)
        return e;
    e = err_of(argon2id_verify(hash == NULL ? nobody : hash, password, n));
    leave();
    return hash == NULL && e == ERR_OK ? ERR_AUTH : e;
}
