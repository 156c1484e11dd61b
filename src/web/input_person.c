/* Registering and signing in; see input.h. */
#include "web/input.h"

#include <arpa/inet.h>
#include <string.h>

const char *input_text(const struct input *in, const char *name)
{
    const struct json *v = input_member(in, name);
    const char *z = json_string(v);

    if (v == NULL)
        input_wrong(in, name, "is required");
    else if (z == NULL)
        input_wrong(in, name, "must be a string; %s was given",
                    json_type_name(json_type_of(v)));
    else if (*z == '\0')
        input_wrong(in, name, "must not be empty");
    return z == NULL ? "" : z;
}

const char *person_address(const char *what, const struct request *rq)
{
    unsigned char b[16];
    char text[INET6_ADDRSTRLEN];
    const char *who = rq->remote_addr;

    if (*who == '\0')
        return NULL;
    if (inet_pton(AF_INET6, who, b) == 1) {
        memset(b + 8, 0, 8);
        if (inet_ntop(AF_INET6, b, text, sizeof text) != NULL)
            who = text;
    }
    return arena_printf(rq->arena, "%s:%.64s", what, who);
}

enum err person_pass(struct call *c, const struct throttle *t)
{
    struct arena *a = c->rq->arena;
    int64_t wait = 0;
    long long s;
    enum err e =
        throttle_begin(c->w->store.state, t, clock_now_ms(), &wait, &c->ec);

    if (e != ERR_OK || wait <= 0)
        return e;
    s = (long long)((wait + 999) / 1000);
    e = call_refuse(
        c, PROBLEM_RATE,
        arena_printf(a, "Too many attempts failed; try again in %lld s.", s));
    response_header(c->res, "Retry-After", arena_printf(a, "%lld", s));
    return e;
}
