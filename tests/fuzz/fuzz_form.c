/*
 * Multipart forms. Input: the Content-Type's value, a line feed, the body. The
 * parts are slices of the body, named, each name once, and none holds what
 * cuts them.
 */
#include "fuzz.h"

#include "web/form.h"

static void within(struct str s, const char *p, size_t n)
{
    HOLDS(s.p >= p && s.p + s.n <= p + n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str in = {(const char *)data, size};
    char *type = fuzz_copy(fuzz_take_until(&in, '\n'));
    char *body = malloc(in.n + 1); /* a read beyond its end is seen */
    struct errctx ec = {0};
    struct form f;
    enum err e;

    HOLDS(body != NULL);
    if (in.n > 0)
        memcpy(body, in.p, in.n);
    e = form_parse(type, body, in.n, &f, &ec);
    HOLDS(e == ERR_OK || e == ERR_MALFORMED || e == ERR_TOO_LARGE);
    HOLDS((e == ERR_OK) == (ec.msg[0] == '\0'));
    for (size_t i = 0; e == ERR_OK && i < f.count; i++) {
        const struct form_part *p = &f.part[i];
        char *name = fuzz_copy(p->name);

        within(p->name, body, in.n);
        within(p->file, body, in.n);
        within(p->type, body, in.n);
        within(p->body, body, in.n);
        HOLDS(p->name.n > 0);
        HOLDS(strlen(name) < p->name.n || form_find(&f, name) == p);
        free(name);
    }
    free(type);
    free(body);
    return 0;
}
