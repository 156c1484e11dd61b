/*
 * Answers in the shapes of OpenAI's chat completions and responses, streams
 * too; see shape.h and handlers.h. The last message of the user is the
 * question; citations are numbered links in the text, each with a url_citation
 * that says which characters it is. A stream is composed whole, then sent.
 */
#include "base/str.h"
#include "web/shape.h"

#include <string.h>

enum { QUESTION_MAX = 1 << 20, CITES_MAX = 1000, CREATED = 1767225600 };

static const struct {
    const char *name, *depth;
} models[] = {{"cited", "standard"}, {"cited-deep", "deep"}};
static const char nothing[] = "No page in the index answers this.";

/* --- the question --------------------------------------------------------- */

struct asked {
    const char *model, *depth, *q;
    const struct json *schema; /* of the object that is wanted, or NULL */
    bool stream;
};

/* A string, or the texts of an array of parts. */
static const char *content_text(const struct json *v, struct arena *a)
{
    const char *out = "";
    struct buf b;

    if (json_type_of(v) == JSON_STRING)
        return json_string(v);
    buf_init(&b, QUESTION_MAX);
    for (v = json_first(v); v != NULL; v = json_next(v)) {
        const char *z = json_string(json_get(v, "text"));

        if (z != NULL)
            buf_addf(&b, "%s%s", b.len > 0 ? "\n" : "", z);
    }
    return buf_keep(&b, buf_err(&b), a, &out) == ERR_OK ? out : "";
}

static const char *last_of_user(const struct json *messages, struct arena *a)
{
    const struct json *last = NULL;

    for (const struct json *v = json_first(messages); v != NULL;
         v = json_next(v)) {
        const char *role = json_string(json_get(v, "role"));

        if (role != NULL && strcmp(role, "user") == 0)
            last = json_get(v, "content");
    }
    return last == NULL ? "" : content_text(last, a);
}

/* {"type": "json_schema", …}; another kind of format than text is refused. */
static const struct json *schema_of(const struct input *in, const char *name,
                                    const struct json *format)
{
    const char *type = json_string(json_get(format, "type"));
    const struct json *nested = json_get(format, "json_schema");

    if (type == NULL || strcmp(type, "text") == 0)
        return NULL;
    if (strcmp(type, "json_schema") != 0)
        input_wrong(in, name, "must be of type text or json_schema");
    return json_get(nested == NULL ? format : nested, "schema");
}

static void read_common(const struct input *in, struct asked *x)
{
    static const char *const cannot[] = {"tools", "functions", "audio",
                                         "background", NULL};

    x->model = input_text(in, "model");
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (strcmp(x->model, models[i].name) == 0)
            x->depth = models[i].depth;
    if (*x->model != '\0' && x->depth == NULL)
        input_wrong(in, "model", "must be cited or cited-deep");
    x->stream = input_bool(in, "stream", false);
    input_whole(in, "n", 1, 1, 1);
    shape_refuse(in, cannot);
}

static void need_question(const struct input *in, const char *name,
                          const struct asked *x)
{
    if (*x->q == '\0')
        input_wrong(in, name, "must hold a question of the user");
}

static enum err ask(struct call *c, const struct asked *x, struct json **out)
{
    struct shape s;

    shape_begin(&s, c);
    jw_kstring(&s.body, "q", x->q);
    jw_kstring(&s.body, "depth", x->depth);
    jw_kstring(&s.body, "outputType",
               x->schema == NULL ? "sourcedAnswer" : "structured");
    jw_kbool(&s.body, "includeInlineCitations", x->schema == NULL);
    if (x->schema != NULL)
        jw_kvalue(&s.body, "structuredOutputSchema", x->schema);
    return shape_ask(&s, NULL, out);
}

/* --- the text ------------------------------------------------------------- */

struct cite {
    size_t start, end; /* in characters of the text */
    const char *url, *title;
};

struct said {
    struct buf text;
    size_t chars;
    struct cite *cites;
    size_t count;
};

static void say(struct said *s, const char *p, size_t n)
{
    buf_add(&s->text, p, n);
    for (size_t i = 0; i < n; i++)
        s->chars += ((unsigned char)p[i] & 0xC0) != 0x80;
}

static const struct json *source_at(const struct json *sources, size_t n)
{
    const struct json *v = json_first(sources);

    while (v != NULL && n > 1) {
        v = json_next(v);
        n--;
    }
    return v;
}

/* [[1]](url), and where it stands. Brackets in an address would end it. */
static void say_cite(struct said *s, const char *digits, size_t n,
                     const struct json *source)
{
    const char *url = json_string(json_get(source, "url"));
    struct cite *l = &s->cites[s->count++];

    *l = (struct cite){.start = s->chars,
                       .url = url == NULL ? "" : url,
                       .title = json_string(json_get(source, "name"))};
    say(s, "[[", 2);
    say(s, digits, n);
    say(s, "]](", 3);
    for (const char *p = l->url; *p != '\0'; p++) {
        const char *safe = *p == '(' ? "%28" : *p == ')' ? "%29" : NULL;

        say(s, safe == NULL ? p : safe, safe == NULL ? 1 : 3);
    }
    say(s, ")", 1);
    l->end = s->chars;
}

/* The number in brackets at p that is a citation: at the beginning or behind a
 * blank, and of a source there is. Its length, or 0. */
static size_t citation_at(const char *text, const char *p,
                          const struct json *sources, size_t *n)
{
    size_t digits = 0;

    if (*p != '[' || (p > text && p[-1] != ' ' && p[-1] != '\n'))
        return 0;
    for (*n = 0; digits < 4 && ascii_is_digit((unsigned char)p[1 + digits]);
         digits++)
        *n = *n * 10 + (size_t)(p[1 + digits] - '0');
    return digits > 0 && p[1 + digits] == ']' && *n > 0 &&
                   source_at(sources, *n) != NULL
               ? digits + 2
               : 0;
}

static enum err compose(struct call *c, const struct json *reply,
                        struct said *s)
{
    const struct json *sources = json_get(reply, "sources");
    const char *text = json_string(json_get(reply, "answer"));

    *s = (struct said){
        .cites = arena_array(c->rq->arena, CITES_MAX, sizeof *s->cites)};
    buf_init(&s->text, 64 << 20);
    if (s->cites == NULL)
        return ERR_NOMEM;
    if (reply == NULL)
        text = nothing;
    for (const char *p = text; p != NULL && *p != '\0';) {
        size_t n = 0, len = s->count < CITES_MAX
                                ? citation_at(text, p, sources, &n)
                                : 0;

        if (len > 0)
            say_cite(s, p + 1, len - 2, source_at(sources, n));
        else
            say(s, p, len = 1);
        p += len;
    }
    return buf_err(&s->text);
}

/* The object of a schema, as its own text. */
static enum err compose_object(struct call *c, const struct json *reply,
                               struct said *s)
{
    const char *z = NULL;
    enum err e = json_print(reply, 16 << 20, c->rq->arena, &z);

    *s = (struct said){.cites = NULL};
    buf_init(&s->text, 64 << 20);
    if (e == ERR_OK)
        say(s, z, strlen(z));
    return e == ERR_OK ? buf_err(&s->text) : e;
}

static enum err answer(struct call *c, const struct asked *x, struct said *s)
{
    struct json *reply = NULL;
    enum err e = ask(c, x, &reply);

    /* An object that nobody filled is none; of prose one can say so. */
    if (e == ERR_OK && reply == NULL && x->schema != NULL)
        return ERR_NO_RESULT;
    if (e == ERR_OK)
        e = x->schema == NULL ? compose(c, reply, s)
                              : compose_object(c, reply, s);
    /* Titles and addresses are the reply's. */
    for (size_t i = 0; e == ERR_OK && i < s->count; i++) {
        struct cite *l = &s->cites[i];

        l->url = arena_strdup(c->rq->arena, l->url);
        l->title = arena_strdup(c->rq->arena, l->title == NULL ? "" : l->title);
        if (l->url == NULL || l->title == NULL)
            e = ERR_NOMEM;
    }
    json_free(reply);
    return e;
}

static void write_cite(struct json_out *w, const struct cite *l)
{
    jw_kint(w, "start_index", (int64_t)l->start);
    jw_kint(w, "end_index", (int64_t)l->end);
    jw_kstring(w, "url", l->url);
    jw_kstring(w, "title", l->title);
}

/* --- events of a stream --------------------------------------------------- */

struct stream {
    struct call *c;
    struct buf text; /* of one event */
    struct json_out w;
    int64_t number;
};

static struct json_out *event_begin(struct stream *s)
{
    buf_reset(&s->text);
    jw_init(&s->w, &s->text);
    jw_object(&s->w);
    return &s->w;
}

static void event_send(struct stream *s, const char *name)
{
    struct buf *out = &s->c->res->body;

    jw_object_end(&s->w);
    if (buf_err(&s->text) != ERR_OK)
        out->err = buf_err(&s->text);
    if (name != NULL)
        buf_addf(out, "event: %s\n", name);
    buf_adds(out, "data: ");
    buf_add(out, s->text.data, s->text.len);
    buf_adds(out, "\n\n");
}

/* Pieces of about a line, whole characters each. */
static size_t piece(const char *p, size_t n)
{
    const char *end = memchr(p, '\n', n);

    return end == NULL ? n : (size_t)(end - p) + 1;
}

/* --- chat completions ----------------------------------------------------- */

static void chat_head(struct json_out *w, const struct call *c,
                      const struct asked *x, const char *object)
{
    jw_kstring(w, "id", arena_printf(c->rq->arena, "chatcmpl-%s", c->rq->id));
    jw_kstring(w, "object", object);
    jw_kint(w, "created", clock_now_ms() / 1000);
    jw_kstring(w, "model", x->model);
}

static void chat_annotations(struct json_out *w, const struct said *s)
{
    jw_karray(w, "annotations");
    for (size_t i = 0; i < s->count; i++) {
        jw_object(w);
        jw_kstring(w, "type", "url_citation");
        jw_kobject(w, "url_citation");
        write_cite(w, &s->cites[i]);
        jw_object_end(w);
        jw_object_end(w);
    }
    jw_array_end(w);
}

static void chat_whole(struct call *c, const struct asked *x,
                       const struct said *s)
{
    struct json_out *w = call_object(c);

    chat_head(w, c, x, "chat.completion");
    jw_karray(w, "choices");
    jw_object(w);
    jw_kint(w, "index", 0);
    jw_kobject(w, "message");
    jw_kstring(w, "role", "assistant");
    jw_kstring_n(w, "content", buf_str(&s->text), s->text.len);
    jw_kraw(w, "refusal", "null");
    chat_annotations(w, s);
    jw_object_end(w);
    jw_kraw(w, "logprobs", "null");
    jw_kstring(w, "finish_reason", "stop");
    jw_object_end(w);
    jw_array_end(w);
    jw_kraw(w, "usage",
            "{\"prompt_tokens\":0,\"completion_tokens\":0,"
            "\"total_tokens\":0}");
    jw_object_end(w);
}

static void chat_chunk(struct stream *t, const struct asked *x, const char *p,
                       size_t n, const struct said *end)
{
    struct json_out *w = event_begin(t);

    chat_head(w, t->c, x, "chat.completion.chunk");
    jw_karray(w, "choices");
    jw_object(w);
    jw_kint(w, "index", 0);
    jw_kobject(w, "delta");
    if (t->number++ == 0)
        jw_kstring(w, "role", "assistant");
    if (n > 0)
        jw_kstring_n(w, "content", p, n);
    if (end != NULL && end->count > 0)
        chat_annotations(w, end);
    jw_object_end(w);
    jw_kraw(w, "finish_reason", end == NULL ? "null" : "\"stop\"");
    jw_object_end(w);
    jw_array_end(w);
    event_send(t, NULL);
}

static void chat_stream(struct stream *t, const struct asked *x,
                        const struct said *s)
{
    for (size_t i = 0, n; i < s->text.len; i += n) {
        n = piece(s->text.data + i, s->text.len - i);
        chat_chunk(t, x, s->text.data + i, n, NULL);
    }
    chat_chunk(t, x, NULL, 0, s);
    buf_adds(&t->c->res->body, "data: [DONE]\n\n");
}

/* --- responses ------------------------------------------------------------ */

static void response_text(struct json_out *w, const struct said *s)
{
    jw_object(w);
    jw_kstring(w, "type", "output_text");
    jw_kstring_n(w, "text", s == NULL ? "" : buf_str(&s->text),
                 s == NULL ? 0 : s->text.len);
    jw_karray(w, "annotations");
    for (size_t i = 0; s != NULL && i < s->count; i++) {
        jw_object(w);
        jw_kstring(w, "type", "url_citation");
        write_cite(w, &s->cites[i]);
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_kraw(w, "logprobs", "[]");
    jw_object_end(w);
}

/* s NULL: nothing is said yet. */
static void response_message(struct json_out *w, const struct call *c,
                             const struct said *s)
{
    jw_object(w);
    jw_kstring(w, "id", arena_printf(c->rq->arena, "msg_%s", c->rq->id));
    jw_kstring(w, "type", "message");
    jw_kstring(w, "role", "assistant");
    jw_kstring(w, "status", s == NULL ? "in_progress" : "completed");
    jw_karray(w, "content");
    if (s != NULL)
        response_text(w, s);
    jw_array_end(w);
    jw_object_end(w);
}

static void response_members(struct json_out *w, const struct call *c,
                             const struct asked *x, const struct said *s)
{
    jw_kstring(w, "id", arena_printf(c->rq->arena, "resp_%s", c->rq->id));
    jw_kstring(w, "object", "response");
    jw_kint(w, "created_at", clock_now_ms() / 1000);
    jw_kstring(w, "status", s == NULL ? "in_progress" : "completed");
    jw_kstring(w, "model", x->model);
    jw_kraw(w, "error", "null");
    jw_kraw(w, "incomplete_details", "null");
    jw_kraw(w, "instructions", "null");
    jw_kraw(w, "metadata", "{}");
    jw_kbool(w, "parallel_tool_calls", false);
    jw_kraw(w, "temperature", "null");
    jw_kraw(w, "top_p", "null");
    jw_kstring(w, "tool_choice", "none");
    jw_kraw(w, "tools", "[]");
    jw_karray(w, "output");
    if (s != NULL)
        response_message(w, c, s);
    jw_array_end(w);
    jw_kraw(w, "usage",
            s == NULL ? "null"
                      : "{\"input_tokens\":0,\"input_tokens_details\":"
                        "{\"cached_tokens\":0},\"output_tokens\":0,"
                        "\"output_tokens_details\":{\"reasoning_tokens\":0},"
                        "\"total_tokens\":0}");
}

static struct json_out *response_event(struct stream *t, const char *type)
{
    struct json_out *w = event_begin(t);

    jw_kstring(w, "type", type);
    jw_kint(w, "sequence_number", t->number++);
    return w;
}

/* One about the message's only part. */
static struct json_out *part_event(struct stream *t, const char *type)
{
    struct json_out *w = response_event(t, type);

    jw_kstring(w, "item_id",
               arena_printf(t->c->rq->arena, "msg_%s", t->c->rq->id));
    jw_kint(w, "output_index", 0);
    jw_kint(w, "content_index", 0);
    return w;
}

static void response_state(struct stream *t, const struct asked *x,
                           const char *type, const struct said *s)
{
    struct json_out *w = response_event(t, type);

    jw_kobject(w, "response");
    response_members(w, t->c, x, s);
    jw_object_end(w);
    event_send(t, type);
}

static void response_item(struct stream *t, const char *type,
                          const struct said *s)
{
    struct json_out *w = response_event(t, type);

    jw_kint(w, "output_index", 0);
    jw_key(w, "item");
    response_message(w, t->c, s);
    event_send(t, type);
}

static void response_part(struct stream *t, const char *type,
                          const struct said *s)
{
    struct json_out *w = part_event(t, type);

    jw_key(w, "part");
    response_text(w, s);
    event_send(t, type);
}

static void response_piece(struct stream *t, const char *type, const char *name,
                           const char *p, size_t n)
{
    struct json_out *w = part_event(t, type);

    jw_kstring_n(w, name, p, n);
    jw_kraw(w, "logprobs", "[]");
    event_send(t, type);
}

static void response_stream(struct stream *t, const struct asked *x,
                            const struct said *s)
{
    response_state(t, x, "response.created", NULL);
    response_state(t, x, "response.in_progress", NULL);
    response_item(t, "response.output_item.added", NULL);
    response_part(t, "response.content_part.added", NULL);
    for (size_t i = 0, n; i < s->text.len; i += n) {
        n = piece(s->text.data + i, s->text.len - i);
        response_piece(t, "response.output_text.delta", "delta",
                       s->text.data + i, n);
    }
    response_piece(t, "response.output_text.done", "text", buf_str(&s->text),
                   s->text.len);
    response_part(t, "response.content_part.done", s);
    response_item(t, "response.output_item.done", s);
    response_state(t, x, "response.completed", s);
}

static void response_whole(struct call *c, const struct asked *x,
                           const struct said *s)
{
    struct json_out *w = call_object(c);

    response_members(w, c, x, s);
    jw_object_end(w);
}

/* --- the handlers --------------------------------------------------------- */

static enum err
tell(struct call *c, const struct asked *x,
     void (*whole)(struct call *, const struct asked *, const struct said *),
     void (*stream)(struct stream *, const struct asked *, const struct said *))
{
    struct said s = {.cites = NULL};
    struct stream t = {.c = c};
    enum err e = answer(c, x, &s);

    if (e == ERR_OK && x->stream) {
        buf_init(&t.text, 64 << 20);
        stream(&t, x, &s);
        buf_fini(&t.text);
        c->res->type = "text/event-stream";
    } else if (e == ERR_OK) {
        whole(c, x, &s);
    }
    buf_fini(&s.text);
    return e;
}

enum err h_chat(struct call *c)
{
    struct input in = {c->body, "", c->rq->arena, &c->problem};
    struct asked x = {.stream = false};
    enum err e;

    if (!c->w->app->conf->clients_openai)
        return shape_off(c);
    read_common(&in, &x);
    x.q = last_of_user(json_get(c->body, "messages"), c->rq->arena);
    x.schema =
        schema_of(&in, "response_format", json_get(c->body, "response_format"));
    need_question(&in, "messages", &x);
    e = call_checked(c);
    return e == ERR_OK ? tell(c, &x, chat_whole, chat_stream) : e;
}

enum err h_responses(struct call *c)
{
    struct input in = {c->body, "", c->rq->arena, &c->problem};
    const struct json *input = json_get(c->body, "input");
    struct asked x = {.stream = false};
    enum err e;

    if (!c->w->app->conf->clients_openai)
        return shape_off(c);
    read_common(&in, &x);
    x.q = json_type_of(input) == JSON_STRING
              ? json_string(input)
              : last_of_user(input, c->rq->arena);
    x.schema =
        schema_of(&in, "text", json_get(json_get(c->body, "text"), "format"));
    need_question(&in, "input", &x);
    e = call_checked(c);
    return e == ERR_OK ? tell(c, &x, response_whole, response_stream) : e;
}

enum err h_models(struct call *c)
{
    struct json_out *w;

    if (!c->w->app->conf->clients_openai)
        return shape_off(c);
    w = call_object(c);
    jw_kstring(w, "object", "list");
    jw_karray(w, "data");
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        jw_object(w);
        jw_kstring(w, "id", models[i].name);
        jw_kstring(w, "object", "model");
        jw_kint(w, "created", CREATED);
        jw_kstring(w, "owned_by", "cited");
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_object_end(w);
    return ERR_OK;
}
