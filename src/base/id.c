/* Random identifiers and digests; see id.h. */
#include "base/id.h"

#include "base/str.h"

#include <errno.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

enum err id_random(void *out, size_t n)
{
    unsigned char *p = out;

    while (n > 0) {
        ssize_t got = getrandom(p, n, 0);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return ERR_IO;
        p += got;
        n -= (size_t)got;
    }
    return ERR_OK;
}

enum err id_uuid(char out[UUID_LEN + 1])
{
    unsigned char b[16];
    char hex[33];
    enum err e = id_random(b, sizeof b);

    if (e != ERR_OK)
        return e;
    b[6] = (unsigned char)((b[6] & 0x0F) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3F) | 0x80);
    hex_format(b, sizeof b, hex);
    snprintf(out, UUID_LEN + 1, "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8,
             hex + 12, hex + 16, hex + 20);
    return ERR_OK;
}

bool id_is_uuid(const char *z)
{
    for (int i = 0; i < UUID_LEN; i++) {
        char c = ascii_lower(z[i]);
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;

        if (dash ? c != '-' : !ascii_is_digit(c) && !(c >= 'a' && c <= 'f'))
            return false;
    }
    return z[UUID_LEN] == '\0';
}

static enum err draw_token(const char prefix[3], char out[KEY_LEN + 1])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789-_";
    unsigned char b[33];
    enum err e = id_random(b, sizeof b);
    char *q = out;

    if (e != ERR_OK)
        return e;
    memcpy(q, prefix, 3);
    q += 3;
    /* 33 bytes are 44 digits; 43 of them hold more than 256 bits. */
    for (int i = 0; i < 33; i += 3) {
        unsigned v = (unsigned)b[i] << 16 | (unsigned)b[i + 1] << 8 | b[i + 2];

        for (int shift = 18; shift >= 0 && q < out + KEY_LEN; shift -= 6)
            *q++ = digits[v >> shift & 63];
    }
    *q = '\0';
    return ERR_OK;
}

enum err id_api_key(char out[KEY_LEN + 1])
{
    return draw_token("ck_", out);
}

enum err id_session_token(char out[KEY_LEN + 1])
{
    return draw_token("cs_", out);
}

/* Looked up once: that takes twenty times as long as to hash a key. */
static EVP_MD *sha256;
static pthread_once_t sha256_once = PTHREAD_ONCE_INIT;

static void sha256_fetch(void)
{
    sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
}

void id_sha256(const void *p, size_t n, unsigned char out[SHA256_BYTES])
{
    pthread_once(&sha256_once, sha256_fetch);
    if (sha256 == NULL || EVP_Digest(p, n, out, NULL, sha256, NULL) != 1)
        SHA256(p, n, out);
}

enum err id_hmac_sha256(const void *key, size_t key_len, const void *p,
                        size_t n, unsigned char out[SHA256_BYTES])
{
    return HMAC(EVP_sha256(), key, (int)key_len, p, n, out, NULL) == NULL
               ? ERR_NOMEM
               : ERR_OK;
}

void id_base64(const unsigned char in[SHA256_BYTES],
               char out[SHA256_BASE64_LEN + 1])
{
    EVP_EncodeBlock((unsigned char *)out, in, SHA256_BYTES);
}
