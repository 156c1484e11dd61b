/* Stored pages: one read, so that a cited passage can be seen in its place;
 * some put in; one removed; see handlers.h. */
#include "base/date.h"
#include "base/log.h"
#include "base/url.h"
#include "find/vectors_make.h"
#include "index/page.h"
#include "web/form.h"
#include "web/handlers.h"
#include "web/input.h"

#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PAGES_AT_ONCE = 100, FORM_TEXT_BYTES = 16384 };
enum { PUT_NICE = 10 };   /* a tenth of the processor, where searches want it */
enum { WORDS_MS = 1000 }; /* for vectors, where many more have none */

/* --- looking and removing ------------------------------------------------ */

/* The address in the query string, or NULL and a field error. */
static const char *read_address(struct call *c)
{
    struct errctx ec = {0};
    struct url url = {.href = NULL};
    const char *z = input_query(c->rq->query, "url", &c->problem);

    if (z == NULL && c->problem.count == 0)
        problem_add(&c->problem, "url", "url is required");
    if (z != NULL &&
        url_parse(z, strlen(z), NULL, c->rq->arena, &url, &ec) != ERR_OK)
        problem_add(&c->problem, "url",
                    "url must be an absolute http or https URL (%s)", ec.msg);
    return url.href;
}

static enum err not_stored(struct call *c)
{
    return call_refuse(c, PROBLEM_NOT_FOUND, "This page is not in the index.");
}

static void render(struct call *c, const struct page *p, const char *text)
{
    struct json_out *w = call_object(c);

    jw_kstring(w, "url", p->url);
    jw_kstring(w, "title", p->title);
    jw_kday(w, "date", p->day);
    jw_kstring(w, "language", p->lang);
    jw_kstring(w, "text", text);
    jw_object_end(w);
}

enum err h_page_get(struct call *c)
{
    const char *href = read_address(c), *text = NULL;
    struct db *index = c->w->store.index;
    struct page p = {0};
    enum err e = call_checked(c);

    if (e == ERR_OK)
        e = page_find(index, href, c->rq->arena, &p, &c->ec);
    if (e == ERR_OK)
        e = page_text(index, p.id, c->rq->arena, &text, &c->ec);
    if (e == ERR_OK)
        render(c, &p, text);
    return e == ERR_NOT_FOUND ? not_stored(c) : e;
}

enum err h_page_drop(struct call *c)
{
    const char *href = read_address(c);
    struct json_out *w;
    int64_t removed = 0;
    enum err e = call_checked(c);

    if (e == ERR_OK)
        e = page_remove(c->w->store.index, href, false, &removed, &c->ec);
    if (e != ERR_OK)
        return e == ERR_NOT_FOUND ? not_stored(c) : e;
    w = call_object(c);
    jw_kint(w, "removed", removed);
    jw_object_end(w);
    return ERR_OK;
}

/* --- putting in ---------------------------------------------------------- */

/* A page on its way into the index. */
struct incoming {
    struct index_input in;
    struct document doc;
    const char *field; /* that a fault of its body is told at */
};

static struct index_input fresh_input(struct call *c)
{
    return (struct index_input){.day = DAY_NONE,
                                .now_ms = clock_now_ms(),
                                .pdf = c->w->app->pdf,
                                .pdf_until = c->rq->deadline};
}

static enum err read_pages(struct call *c, struct incoming **out, size_t *count)
{
    bool many = json_type_of(c->body) == JSON_ARRAY;
    const struct json *v = many ? json_first(c->body) : c->body;
    size_t n = many ? json_count(c->body) : 1;
    struct arena *a = c->rq->arena;
    struct incoming *x = arena_array(a, n + 1, sizeof *x);

    if (n < 1 || n > PAGES_AT_ONCE) {
        problem_add(&c->problem, "",
                    "The body must hold 1 to %d pages; it has %zu.",
                    PAGES_AT_ONCE, n);
        return ERR_INVALID;
    }
    for (size_t i = 0; x != NULL && i < n; i++, v = json_next(v)) {
        struct input in = {v, many ? arena_printf(a, "%zu.", i) : "", a,
                           &c->problem};

        x[i].in = fresh_input(c);
        if (in.prefix == NULL)
            return ERR_NOMEM;
        x[i].field = arena_printf(a, "%s%s", in.prefix, "html");
        if (json_type_of(v) == JSON_OBJECT)
            input_page(&in, &x[i].in);
        else
            problem_add(&c->problem, arena_printf(a, "%zu", i),
                        "A page must be an object; %s was given.",
                        input_shown(v, a));
        if (x[i].in.type != NULL && strcmp(x[i].in.type, "text/html") != 0)
            x[i].field = arena_printf(
                a, "%s%s", in.prefix,
                strcmp(x[i].in.type, "text/plain") == 0 ? "text" : "markdown");
    }
    *out = x;
    *count = n;
    return x == NULL ? ERR_NOMEM : call_checked(c);
}

/* The form's fields of text as the JSON object that says the same. */
static enum err form_object(struct call *c, const struct form *f,
                            struct json **out)
{
    static const char *const names[] = {"url", "title", "date"};
    struct json_out w;
    struct buf b;
    enum err e;

    buf_init(&b, 8 * FORM_TEXT_BYTES);
    jw_init(&w, &b);
    jw_object(&w);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct form_part *p = form_find(f, names[i]);

        if (p == NULL || p->body.n == 0)
            continue;
        if (p->body.n > FORM_TEXT_BYTES || !utf8_valid(p->body.p, p->body.n) ||
            memchr(p->body.p, '\0', p->body.n) != NULL) {
            problem_add(&c->problem, names[i],
                        "%s must be at most %d bytes of UTF-8", names[i],
                        FORM_TEXT_BYTES);
            continue;
        }
        jw_kstring_n(&w, names[i], p->body.p, p->body.n);
    }
    jw_object_end(&w);
    e = buf_err(&b);
    if (e == ERR_OK)
        e = json_parse(buf_str(&b), b.len, &json_limits_request, out, &c->ec);
    buf_fini(&b);
    return e;
}

/* What the file is: what its part says, its name where that says little, what
 * it looks like where neither does. */
static enum err file_of(struct call *c, const struct form_part *file,
                        struct index_input *in)
{
    struct arena *a = c->rq->arena;
    const char *type = arena_strndup(a, file->type.p, file->type.n);
    const char *name = arena_strndup(a, file->file.p, file->file.n);

    if (type == NULL || name == NULL)
        return ERR_NOMEM;
    in->charset = document_charset(type, a);
    if (document_type(type, name) == DOCUMENT_OTHER &&
        document_name_type(name) != NULL)
        type = document_name_type(name);
    type = document_sniff(type, file->body.p, file->body.n);
    in->type =
        document_type(type, name) == DOCUMENT_MARKDOWN ? "text/markdown" : type;
    in->body = file->body.p;
    in->body_len = file->body.n;
    return ERR_OK;
}

static enum err read_form(struct call *c, struct incoming **out, size_t *count)
{
    struct form f;
    const struct form_part *file;
    struct incoming *x = arena_array(c->rq->arena, 1, sizeof *x);
    struct json *object = NULL;
    struct input in;
    enum err e = x == NULL ? ERR_NOMEM
                           : form_parse(c->rq->content_type, c->rq->body,
                                        c->rq->body_len, &f, &c->ec);

    if (e == ERR_MALFORMED || e == ERR_TOO_LARGE)
        problem_add(&c->problem, "", "%s", c->ec.msg);
    if (e != ERR_OK)
        return e;
    x->in = fresh_input(c);
    x->field = "file";
    file = form_find(&f, "file");
    x->in.body = "";
    if (file == NULL || file->body.n == 0)
        problem_add(&c->problem, "file",
                    "file is required: HTML, Markdown, plain text or PDF");
    else
        e = file_of(c, file, &x->in);
    if (e == ERR_OK)
        e = form_object(c, &f, &object);
    in = (struct input){object, "", c->rq->arena, &c->problem};
    if (e == ERR_OK)
        input_page(&in, &x->in);
    if (x->in.title != NULL) /* of the tree that goes now */
        x->in.title = arena_strdup(c->rq->arena, x->in.title);
    json_free(object);
    *out = x;
    *count = 1;
    return e == ERR_OK ? call_checked(c) : e;
}

/* Parsed before anything is written: nobody waits for that, and a page that
 * cannot be read keeps the others out. */
static enum err parse_pages(struct call *c, struct incoming *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct errctx ec = {0};
        enum err e = document_parse(&x[i].in, c->rq->arena, &x[i].doc, &ec);
        const char *why = ec.msg;

        if (e == ERR_OK && x[i].doc.refusal != NULL)
            why = arena_printf(c->rq->arena, "is not content but %s",
                               x[i].doc.refusal);
        else if (e == ERR_OK && x[i].doc.count == 0)
            why = "holds no text worth indexing";
        else if (e == ERR_OK)
            continue;
        else if (e != ERR_INVALID && e != ERR_TOO_LARGE)
            return err_set(&c->ec, e, "%s", ec.msg);
        problem_add(&c->problem, x[i].field, "%s", why);
    }
    return call_checked(c);
}

static enum err put_page(struct call *c, const struct incoming *x)
{
    struct db *index = c->w->store.index;
    struct json_out *w = &c->out;
    struct page p = {0};
    int64_t id = 0;
    enum err e = document_put(index, &x->in, &x->doc, x->in.url, c->rq->arena,
                              &id, &c->ec);

    if (e == ERR_OK)
        e = page_get(index, id, c->rq->arena, &p, &c->ec);
    if (e != ERR_OK)
        return e;
    jw_object(w);
    jw_kstring(w, "url", p.url);
    jw_kstring(w, "title", p.title);
    jw_kint(w, "passages", p.passage_count);
    jw_kday(w, "date", p.day);
    jw_object_end(w);
    return ERR_OK;
}

/* All of them or none. */
static enum err put_pages(struct call *c, const struct incoming *x,
                          size_t count)
{
    struct db *index = c->w->store.index;
    enum err e = page_batch_begin(index, &c->ec);

    if (e != ERR_OK)
        return e;
    jw_karray(call_object(c), "data");
    for (size_t i = 0; i < count && e == ERR_OK; i++)
        e = put_page(c, &x[i]);
    jw_array_end(&c->out);
    jw_object_end(&c->out);
    if (e == ERR_OK)
        return page_batch_commit(index, &c->ec);
    page_batch_abort(index);
    return e;
}

/* Pages that come in, and what became of them. */
struct arrival {
    struct call *call;
    struct incoming *pages;
    size_t count;
    enum err err;
};

static enum err take_in(const struct arrival *a)
{
    struct worker_ctx *w = a->call->w;
    struct errctx ec = {ERR_OK, ""};
    struct deadline d;
    enum err e = parse_pages(a->call, a->pages, a->count);

    if (e == ERR_OK)
        e = put_pages(a->call, a->pages, a->count);
    d = deadline_min(a->call->rq->deadline, deadline_in(WORDS_MS));
    if (e == ERR_OK &&
        vectors_make_words(w->app->conf, w->store.index, &d, &ec) != ERR_OK)
        log_warn(a->call->rq->id, "no vectors of words: %s", ec.msg);
    return e;
}

static void *take_in_gently(void *arrival)
{
    struct arrival *a = arrival;

    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), PUT_NICE);
    a->err = take_in(a);
    return NULL;
}

/* On a thread of its own, which goes with its low priority: nobody may raise
 * that again. Searches then wait for pages that are put in as little as for one
 * another. */
static enum err take_in_beside(struct arrival *a)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, take_in_gently, a) != 0)
        return take_in(a);
    pthread_join(thread, NULL);
    return a->err;
}

enum err h_page_put(struct call *c)
{
    struct arrival a = {.call = c};
    enum err e = c->body == NULL ? read_form(c, &a.pages, &a.count)
                                 : read_pages(c, &a.pages, &a.count);

    if (e == ERR_OK)
        e = take_in_beside(&a);
    c->res->kick = e == ERR_OK; /* they want vectors */
    return e;
}
