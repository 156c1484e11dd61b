/* POST /v1/fetch: one page as Markdown; see handlers.h. */
#include "base/log.h"
#include "net/polite.h"
#include "page/document.h"
#include "text/html.h"
#include "web/handlers.h"
#include "web/render.h"

#include <string.h>

static const char *type_of(const struct http_response *r)
{
    return document_sniff(r->content_type, buf_str(&r->body), r->body.len);
}

/* Can the response be read? PDF only where there is a reader of it. */
static bool is_page(const struct call *c, const struct http_response *r)
{
    enum document_type kind = document_type(type_of(r), r->url);

    return r->err == ERR_OK && r->status >= 200 && r->status <= 299 &&
           kind != DOCUMENT_OTHER &&
           (kind != DOCUMENT_PDF || c->w->app->pdf != NULL);
}

/* Tell why not. */
static enum err refuse(struct call *c, const struct http_response *r)
{
    struct arena *a = c->rq->arena;

    if (r->msg[0] != '\0')
        log_debug(c->rq->id, "fetch: %s", r->msg);
    if (r->err == ERR_TOO_LARGE)
        return call_refuse(c, PROBLEM_FETCH_TOO_LARGE, NULL);
    if (r->err == ERR_TIMEOUT)
        return call_refuse(c, PROBLEM_FETCH_UNREACHABLE,
                           "The page's server did not answer in time.");
    if (r->err == ERR_FORBIDDEN)
        return call_refuse(c, PROBLEM_FETCH_UNREACHABLE,
                           "The page's address may not be fetched from here.");
    if (r->err == ERR_UPSTREAM)
        return call_refuse(c, PROBLEM_FETCH_UNREACHABLE, NULL);
    if (r->err != ERR_OK)
        return r->err;
    if (r->status == 404 || r->status == 410)
        return call_refuse(c, PROBLEM_FETCH_NOT_FOUND,
                           arena_printf(a,
                                        "The page's server has no such page "
                                        "(%ld).",
                                        r->status));
    if (r->status < 200 || r->status > 299)
        return call_refuse(
            c, PROBLEM_FETCH,
            arena_printf(a, "The page's server answered %ld.", r->status));
    return call_refuse(c, PROBLEM_FETCH_TYPE,
                       "Only HTML, Markdown, plain text and PDF can be read.");
}

/* What rawContent holds; of a PDF it is the text that was taken out. */
static const char *kind_name(enum document_type kind)
{
    switch (kind) {
    case DOCUMENT_HTML:
        return "html";
    case DOCUMENT_MARKDOWN:
        return "markdown";
    case DOCUMENT_PDF:
        return "pdf";
    default:
        return "text";
    }
}

static void render(struct call *c, const struct fetch_params *p,
                   const struct document_content *x, const char *markdown)
{
    struct json_out *w = call_object(c);

    jw_kstring(w, "markdown", markdown);
    jw_kstring(w, "favicon", x->doc.favicon == NULL ? "" : x->doc.favicon);
    if (p->raw_html)
        jw_kstring_n(w, "rawHtml", x->text, x->len);
    if (p->raw_content) {
        jw_kstring_n(w, "rawContent", x->text, x->len);
        jw_kstring(w, "contentType", kind_name(x->type));
    }
    if (p->images)
        render_images(w, &x->doc);
    jw_object_end(w);
}

static enum err answer(struct call *c, const struct fetch_params *p,
                       const struct http_response *r)
{
    struct arena *a = c->rq->arena;
    const struct index_input in =
        document_of_response(r->url == NULL ? p->url.href : r->url, r,
                             c->w->app->pdf, c->rq->deadline, a);
    struct document_content x;
    const char *markdown = NULL;
    enum err e = document_read(&in, a, &x, &c->ec);

    if (e == ERR_INVALID)
        return call_refuse(c, PROBLEM_FETCH_TYPE, c->ec.msg);
    if (e == ERR_TOO_LARGE)
        return call_refuse(c, PROBLEM_FETCH_TOO_LARGE, NULL);
    if (e == ERR_OK)
        e = page_markdown(&x.doc, a, &markdown);
    if (e == ERR_OK)
        render(c, p, &x, markdown);
    return e;
}

static enum err fetch(struct call *c, const struct fetch_params *p)
{
    const struct conf *conf = c->w->app->conf;
    struct http_request rq = {.url = p->url.href,
                              .response_max = (size_t)conf->page_bytes_max,
                              .redirects_max = POLITE_REDIRECTS_MAX};
    struct http_response r;
    struct http *http = NULL;
    enum err e = worker_ctx_http(c->w, &http);

    if (e != ERR_OK)
        return e;
    memset(&r, 0, sizeof r);
    http_run(http, &rq,
             deadline_min(deadline_in(conf->fetch_timeout_ms), c->rq->deadline),
             &r);
    e = is_page(c, &r) ? answer(c, p, &r) : refuse(c, &r);
    http_response_fini(&r);
    return e;
}

enum err h_fetch(struct call *c)
{
    struct input in = {c->body, "", c->rq->arena, &c->problem};
    struct fetch_params p;
    enum err e;

    input_fetch(&in, &p);
    e = call_checked(c);
    return e == ERR_OK ? fetch(c, &p) : e;
}
