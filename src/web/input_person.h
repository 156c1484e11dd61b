/*
 * What registering and signing in share: plain text fields, who asks, and the
 * gate of the throttle (store/session.h).
 */
#ifndef CITED_WEB_INPUT_PERSON_H
#define CITED_WEB_INPUT_PERSON_H

#include "store/session.h"
#include "web/input_common.h"
#include "web/route.h"

/* A required string that is not empty. "" after an error. */
const char *input_text(const struct input *in, const char *name);

/* "what:address" of the one who asks, for the throttle: of IPv6 the network
 * of 64 bits, which one customer has whole. NULL when the web server does not
 * tell the address, or without memory. */
const char *person_address(const char *what, const struct request *rq);

/* May it be tried now? False after a 429 with Retry-After (or a failure) was
 * written. */
bool person_pass(struct call *c, const struct throttle *t);

#endif
