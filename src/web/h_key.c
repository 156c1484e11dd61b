/* The keys of who is signed in: list, create, revoke; see handlers.h. */
#include "store/account.h"
#include "web/handlers.h"
#include "web/input_common.h"
#include "web/problem.h"
#include "web/usage.h"

#include <string.h>

enum { LABEL_BYTES_MAX = 200 };

static void write_key(struct json_out *w, const struct api_key *k)
{
    jw_object(w);
    jw_kstring(w, "id", k->id);
    jw_kstring(w, "label", k->label);
    jw_kstamp(w, "createdAt", k->created_ms);
    jw_kstamp(w, "lastUsedAt", k->last_used_ms);
    jw_kstamp(w, "revokedAt", k->revoked_ms);
    jw_kint(w, "requests", k->requests);
    jw_object_end(w);
}

void h_key_list(struct call *c)
{
    struct api_key *keys = NULL;
    struct errctx ec = {0};
    struct json_out w;
    size_t n = 0;
    enum err e;

    usage_flush(c->w->app->usage, c->w->store.state);
    e = key_list(c->w->store.state, c->account, c->rq->arena, &keys, &n, &ec);
    if (e != ERR_OK) {
        problem_write_err(c->res, c->rq, e, &ec);
        return;
    }
    c->res->status = 200;
    jw_init(&w, &c->res->body);
    jw_object(&w);
    jw_key(&w, "data");
    jw_array(&w);
    for (size_t i = 0; i < n; i++)
        write_key(&w, &keys[i]);
    jw_array_end(&w);
    jw_object_end(&w);
}

static const char *read_label(const struct input *in)
{
    const struct json *v = input_member(in, "label");
    const char *z = json_string(v);

    if (v != NULL && z == NULL)
        input_wrong(in, "label", "must be a string; %s was given",
                    input_shown(v, in->arena));
    else if (z != NULL && strlen(z) > LABEL_BYTES_MAX)
        input_wrong(in, "label", "must be at most %d bytes long; it has %zu",
                    LABEL_BYTES_MAX, strlen(z));
    return z == NULL ? "" : z;
}

static void create(struct call *c, const char *label)
{
    char key[KEY_LEN + 1];
    int64_t now = clock_now_ms();
    const char *id = NULL;
    struct errctx ec = {0};
    struct json_out w;
    enum err e = key_create(c->w->store.state, c->account, label, now, key, &id,
                            c->rq->arena, &ec);

    if (e != ERR_OK) {
        problem_write_err(c->res, c->rq, e, &ec);
        return;
    }
    c->res->status = 200;
    jw_init(&w, &c->res->body);
    jw_object(&w);
    jw_kstring(&w, "id", id);
    jw_kstring(&w, "key", key);
    jw_kstring(&w, "label", label);
    jw_kstamp(&w, "createdAt", now);
    jw_object_end(&w);
}

void h_key_create(struct call *c)
{
    struct problem problem;
    struct input in = {c->body, "", c->rq->arena, &problem};
    const char *label;

    problem_init(&problem, c->rq->arena);
    label = read_label(&in);
    if (problem.count > 0)
        problem_write_fields(c->res, &problem);
    else
        create(c, label);
}

void h_key_revoke(struct call *c)
{
    int64_t now = clock_now_ms();
    struct errctx ec = {0};
    struct json_out w;
    enum err e = key_revoke(c->w->store.state, c->account, c->id, now, &ec);

    if (e == ERR_NOT_FOUND) {
        problem_write(c->res, PROBLEM_NOT_FOUND,
                      "There is no such valid key of yours.", NULL);
        return;
    }
    if (e != ERR_OK) {
        problem_write_err(c->res, c->rq, e, &ec);
        return;
    }
    c->res->status = 200;
    jw_init(&w, &c->res->body);
    jw_object(&w);
    jw_kstring(&w, "id", c->id);
    jw_kstamp(&w, "revokedAt", now);
    jw_object_end(&w);
}
