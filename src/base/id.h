/*
 * Random identifiers and digests. Randomness comes from getrandom(2),
 * SHA-256 from libcrypto; this file and its .c are the only home of both.
 */
#ifndef CITED_BASE_ID_H
#define CITED_BASE_ID_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    UUID_LEN = 36,
    SHA256_BYTES = 32,
    KEY_LEN = 3 + 43, /* "ck_" and 256 random bits in base64url */
};

/* n random bytes; ERR_IO when the kernel gives none. */
MUST_CHECK enum err id_random(void *out, size_t n);

/* A random UUID (RFC 9562, version 4), lower case. */
MUST_CHECK enum err id_uuid(char out[UUID_LEN + 1]);

/* Has z the form of a UUID, lower or upper case? */
bool id_is_uuid(const char *z);

/* A new API key: "ck_" and 43 characters of base64url; and a new sign-in
 * token: "cs_" and as many. */
MUST_CHECK enum err id_api_key(char out[KEY_LEN + 1]);
MUST_CHECK enum err id_session_token(char out[KEY_LEN + 1]);

void id_sha256(const void *p, size_t n, unsigned char out[SHA256_BYTES]);

/* HMAC-SHA256 (RFC 2104); ERR_NOMEM. */
MUST_CHECK enum err id_hmac_sha256(const void *key, size_t key_len,
                                   const void *p, size_t n,
                                   unsigned char out[SHA256_BYTES]);

/* The digest's bytes in base64 (RFC 4648, padded). */
enum { SHA256_BASE64_LEN = 44 };
void id_base64(const unsigned char in[SHA256_BYTES],
               char out[SHA256_BASE64_LEN + 1]);

#endif
