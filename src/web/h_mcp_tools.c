/*
 * The tools of the Model Context Protocol; see h_mcp.h. A tool is a REST
 * handler under another name: its arguments become that handler's body, with
 * the defaults an agent may leave out, and its answer, success or problem,
 * becomes the tool's result.
 */
#include "web/h_mcp.h"

#include "web/handlers.h"

#include <string.h>

struct tool {
    const char *name;
    call_handler *handle;
    bool takes_id; /* "id" is the path's, not the body's */
    /* Put where the arguments do not say; NULL-terminated pairs. */
    const char *defaults[7];
    /* Put whatever they say. The shape of the answer depends on it, and the
     * tool's outputSchema promises one. */
    const char *always[3];
};

static const struct tool tools[] = {
    {"search",
     h_search,
     false,
     {"depth", "\"standard\"", "outputType", "\"sourcedAnswer\"",
      "includeInlineCitations", "true"},
     {"includeSources", "true"}},
    {"fetch", h_fetch, false, {NULL}, {NULL}},
    {"research",
     h_research_create,
     false,
     {"outputType", "\"sourcedAnswer\""},
     {NULL}},
    {"get_research", h_research_get, true, {NULL}, {NULL}},
};

/* --- arguments ---------------------------------------------------------- */

static bool is_fixed(const struct tool *t, const char *name)
{
    for (size_t i = 0; t->always[i] != NULL; i += 2)
        if (strcmp(t->always[i], name) == 0)
            return true;
    return false;
}

static void write_body(const struct tool *t, const struct json *arguments,
                       struct buf *out)
{
    struct json_out w;

    jw_init(&w, out);
    jw_object(&w);
    for (const struct json *v = json_first(arguments); v != NULL;
         v = json_next(v))
        if (!is_fixed(t, json_name(v)))
            jw_kvalue(&w, json_name(v), v);
    for (size_t i = 0; t->defaults[i] != NULL; i += 2)
        if (json_get(arguments, t->defaults[i]) == NULL)
            jw_kraw(&w, t->defaults[i], t->defaults[i + 1]);
    for (size_t i = 0; t->always[i] != NULL; i += 2)
        jw_kraw(&w, t->always[i], t->always[i + 1]);
    jw_object_end(&w);
}

/* The body the REST handler gets; the caller's to json_free. */
static enum err make_body(const struct call *c, const struct tool *t,
                          const struct json *arguments, struct json **out)
{
    const struct conf *conf = c->w->app->conf;
    /* Written anew it may be longer: escapes, numbers, the defaults. */
    size_t max = 8 * (size_t)conf->body_max + 4096;
    struct json_limits lim = {.bytes_max = max,
                              .depth_max = (int)conf->depth_max};
    struct buf text;
    enum err e;

    buf_init(&text, max);
    write_body(t, arguments, &text);
    e = buf_err(&text);
    if (e == ERR_OK)
        e = json_parse(text.data, text.len, &lim, out, NULL);
    buf_fini(&text);
    return e;
}

/* --- results ------------------------------------------------------------ */

static void write_text(struct json_out *w, const char *p, size_t n)
{
    jw_karray(w, "content");
    jw_object(w);
    jw_kstring(w, "type", "text");
    jw_kstring_n(w, "text", p, n);
    jw_object_end(w);
    jw_array_end(w);
}

/* Most messages begin with the field's name. */
static void explain_field(const struct json *detail, struct buf *out)
{
    const char *field = json_string(json_get(detail, "field"));
    const char *message = json_string(json_get(detail, "message"));

    if (strncmp(message, field, strlen(field)) == 0)
        buf_addf(out, "\n- %s", message);
    else
        buf_addf(out, "\n- %s: %s", field, message);
}

/* The envelope in words: code, message, each field, what to do. */
static enum err explain(const struct response *r, const struct request *rq,
                        struct buf *out)
{
    struct json *root = NULL;
    const struct json *error, *detail;
    const char *code;
    enum err e = json_parse(buf_str(&r->body), r->body.len,
                            &json_limits_foreign, &root, NULL);

    if (e != ERR_OK)
        return e;
    error = json_get(root, "error");
    code = json_string(json_get(error, "code"));
    buf_addf(out, "%s: %s", code, json_string(json_get(error, "message")));
    detail = json_first(json_get(error, "details"));
    for (; detail != NULL; detail = json_next(detail))
        explain_field(detail, out);
    if (*problem_advice(code) != '\0')
        buf_addf(out, "\n%s", problem_advice(code));
    if (r->status >= 500)
        buf_addf(out, "\n(request %s)", rq->id);
    json_free(root);
    return buf_err(out);
}

static enum err write_failure(const struct response *r,
                              const struct request *rq, struct json_out *w)
{
    struct buf words;
    enum err e;

    buf_init(&words, 256 * 1024);
    e = explain(r, rq, &words);
    if (e == ERR_OK) {
        jw_object(w);
        write_text(w, words.data, words.len);
        jw_kbool(w, "isError", true);
        jw_object_end(w);
    }
    buf_fini(&words);
    return e;
}

static enum err write_result(const struct response *r, const struct request *rq,
                             struct json_out *w)
{
    if (buf_err(&r->body) != ERR_OK)
        return buf_err(&r->body);
    if (r->status != 200)
        return write_failure(r, rq, w);
    jw_object(w);
    write_text(w, r->body.data, r->body.len);
    jw_kraw(w, "structuredContent", r->body.data);
    jw_object_end(w);
    return ERR_OK;
}

/* --- the call ----------------------------------------------------------- */

static enum err run(struct call *c, const struct tool *t,
                    const struct json *arguments, struct json_out *w)
{
    struct response res;
    struct call inner = *c;
    struct json *body = NULL;
    enum err e = make_body(c, t, arguments, &body);

    if (e != ERR_OK)
        return e;
    response_init(&res);
    inner.res = &res;
    inner.body = body;
    inner.id = NULL;
    if (t->takes_id) {
        inner.id = json_string(json_get(body, "id"));
        /* What is no string is no task's id either. */
        if (inner.id == NULL)
            inner.id = "";
    }
    call_run(&inner, t->handle);
    c->res->kick = c->res->kick || res.kick;
    e = write_result(&res, c->rq, w);
    response_fini(&res);
    json_free(body);
    return e;
}

enum err mcp_tool_call(struct call *c, const char *name,
                       const struct json *arguments, struct json_out *w)
{
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (strcmp(tools[i].name, name) == 0)
            return run(c, &tools[i], arguments, w);
    return ERR_NOT_FOUND;
}
