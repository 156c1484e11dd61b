/* POST /v1/check: a text held against what it cites; see handlers.h. */
#include "search/check.h"
#include "web/handlers.h"
#include "web/render.h"

#include <string.h>

enum { ITEMS_MAX = 500, SOURCES_MAX = 500 };

/* The members of an array of strings; anything else is an error. */
static size_t read_sources(const struct input *in, const char **out)
{
    const struct json *v = input_member(in, "sources");
    size_t n = 0;

    if (v != NULL &&
        (json_type_of(v) != JSON_ARRAY || json_count(v) > SOURCES_MAX)) {
        input_wrong(in, "sources", "must be an array of at most %d addresses",
                    SOURCES_MAX);
        return 0;
    }
    for (const struct json *k = json_first(v); k != NULL; k = json_next(k)) {
        out[n] = json_string(k);
        if (out[n++] == NULL)
            input_wrong(in, "sources",
                        "must hold strings only; entry %zu is "
                        "none",
                        n - 1);
    }
    return n;
}

static enum err read_text(struct call *c, const struct input *in,
                          struct check_list *out)
{
    const char *sources[SOURCES_MAX];
    size_t count = read_sources(in, sources);
    const char *text = input_question(in, "text", c->w->app->conf->body_max);
    const char *url = input_string(in, "url");

    if (in->problem->count > 0)
        return ERR_OK;
    return check_read_markdown(text, strlen(text), url, sources, count,
                               in->arena, out, &c->ec);
}

static enum err read_items(struct call *c, const struct input *in,
                           struct check_list *out)
{
    const struct json *v = input_member(in, "items");
    enum err e = ERR_OK;
    size_t i = 0;

    if (json_type_of(v) != JSON_ARRAY || json_count(v) < 1 ||
        json_count(v) > ITEMS_MAX) {
        input_wrong(in, "items", "must be an array of 1 to %d objects",
                    ITEMS_MAX);
        return ERR_OK;
    }
    for (const struct json *k = json_first(v); k != NULL && e == ERR_OK;
         k = json_next(k), i++) {
        const char *wrong = NULL;
        const char *field = arena_printf(in->arena, "items.%zu", i);

        if (field == NULL)
            return ERR_NOMEM;
        e = check_read_object(k, in->arena, out, &wrong, &c->ec);
        if (wrong != NULL)
            input_wrong(in, field, "%s", wrong);
    }
    return e;
}

static void render(struct call *c, const struct check_list *list,
                   const struct check_result *r)
{
    struct json_out *w = call_object(c);

    jw_karray(w, "data");
    for (size_t i = 0; i < list->count; i++)
        render_checked(w, &list->items[i], &r[i]);
    jw_array_end(w);
    jw_object_end(w);
}

enum err h_check(struct call *c)
{
    struct input in = {c->body, "", c->rq->arena, &c->problem};
    struct check_list list = {NULL, 0};
    struct check_result *r = NULL;
    const struct app *app = c->w->app;
    struct check_pages pages = {.index = c->w->store.index,
                                .bytes_max = (size_t)app->conf->page_bytes_max,
                                .timeout_ms = app->conf->fetch_timeout_ms,
                                .pdf = app->pdf};
    bool fetch = input_bool(&in, "fetch", false);
    enum err e;

    if (input_member(&in, "items") != NULL)
        e = read_items(c, &in, &list);
    else
        e = read_text(c, &in, &list);
    if (e == ERR_LIMIT) {
        problem_add(&c->problem, "text", "text has %s", c->ec.msg);
        e = ERR_OK;
    }
    if (e == ERR_OK)
        e = call_checked(c);
    if (e == ERR_OK && fetch)
        e = worker_ctx_http(c->w, &pages.http);
    if (e == ERR_OK)
        e = check_run(&pages, &list, c->rq->deadline, c->rq->arena, &r,
                      &c->ec);
    if (e == ERR_OK)
        render(c, &list, r);
    return e;
}
