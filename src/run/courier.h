/*
 * Sends the records of ended tasks to their callback addresses; a part of the
 * helper. Each is one POST, signed after the Standard Webhooks specification
 * (webhook-id, webhook-timestamp, webhook-signature), repeated with growing
 * pauses until it is accepted with a 2xx, given up after the last pause or a
 * 410. Redirects are not followed; the address guard holds.
 */
#ifndef CITED_RUN_COURIER_H
#define CITED_RUN_COURIER_H

#include "base/conf.h"
#include "net/http.h"
#include "store/callback.h"

enum {
    COURIER_BATCH = 16, /* sent at once */
    COURIER_TRIES = 8,
    COURIER_SIGNATURE_MAX = 64
};

/* "v1," and the base64 of HMAC-SHA256 over "ID.SECONDS.BODY". ERR_NOMEM. */
MUST_CHECK enum err courier_sign(const unsigned char secret[SHA256_BYTES],
                                 const char *id, int64_t seconds,
                                 const char *body, size_t n,
                                 char out[COURIER_SIGNATURE_MAX]);

/* How long a try keeps others from it. */
int64_t courier_hold_ms(const struct conf *c);

/* The pause in ms after the given try (from 1) failed; 0 after the last. */
int64_t courier_pause_ms(int64_t tries);

/*
 * Send what is due at now_ms, at most a batch; blocks at most
 * research.callback_timeout_ms. *sent counts the tries, whatever came of
 * them. What went wrong with an address is stored with its callback and is no
 * error here.
 */
MUST_CHECK enum err courier_run(const struct conf *c, struct db *state,
                                struct http *http, int64_t now_ms, size_t *sent,
                                struct errctx *ec);

#endif
