/* The keys of who is signed in: list, create, revoke; see handlers.h. */
#include "store/account.h"
#include "web/handlers.h"
#include "web/render.h"
#include "web/usage.h"

#include <string.h>

enum { LABEL_BYTES_MAX = 200 };

enum err h_key_list(struct call *c)
{
    struct api_key *keys = NULL;
    struct json_out *w;
    size_t n = 0;
    enum err e;

    usage_flush(c->w->app->usage, c->w->store.state);
    e = key_list(c->w->store.state, c->account, c->rq->arena, &keys, &n,
                 &c->ec);
    if (e != ERR_OK)
        return e;
    w = call_object(c);
    jw_karray(w, "data");
    for (size_t i = 0; i < n; i++)
        render_key(w, &keys[i]);
    jw_array_end(w);
    jw_object_end(w);
    return ERR_OK;
}

static const char *read_label(const struct input *in)
{
    const char *z = input_string(in, "label");

    if (z != NULL && strlen(z) > LABEL_BYTES_MAX)
        input_wrong(in, "label", "must be at most %d bytes long; it has %zu",
                    LABEL_BYTES_MAX, strlen(z));
    return z == NULL ? "" : z;
}

enum err h_key_create(struct call *c)
{
    struct input in = {c->body, "", c->rq->arena, &c->problem};
    const char *label = read_label(&in), *id = NULL;
    char key[KEY_LEN + 1];
    int64_t now = clock_now_ms();
    struct json_out *w;
    enum err e = call_checked(c);

    if (e == ERR_OK)
        e = key_create(c->w->store.state, c->account, label, now, key, &id,
                       c->rq->arena, &c->ec);
    if (e != ERR_OK)
        return e;
    w = call_object(c);
    jw_kstring(w, "id", id);
    jw_kstring(w, "key", key);
    jw_kstring(w, "label", label);
    jw_kstamp(w, "createdAt", now);
    jw_object_end(w);
    return ERR_OK;
}

enum err h_key_revoke(struct call *c)
{
    int64_t now = clock_now_ms();
    struct json_out *w;
    enum err e = key_revoke(c->w->store.state, c->account, c->id, now, &c->ec);

    if (e == ERR_NOT_FOUND)
        return call_refuse(c, PROBLEM_NOT_FOUND,
                           "There is no such valid key of yours.");
    if (e != ERR_OK)
        return e;
    w = call_object(c);
    jw_kstring(w, "id", c->id);
    jw_kstamp(w, "revokedAt", now);
    jw_object_end(w);
    return ERR_OK;
}
