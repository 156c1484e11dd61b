/* POST /v1/fetch: one page as Markdown; see handlers.h. */
#include "base/date.h"
#include "base/log.h"
#include "net/http.h"
#include "page/document.h"
#include "text/html.h"
#include "web/handlers.h"
#include "web/render.h"

#include <string.h>

enum { REDIRECTS_MAX = 5 };

/* What kind of document came; PDF counts only when it can be read. */
static enum document_type kind_of(const struct call *c,
                                  const struct http_response *r)
{
    const char *type =
        document_sniff(r->content_type, buf_str(&r->body), r->body.len);
    enum document_type kind = document_type(type, r->url);

    return kind == DOCUMENT_PDF && c->w->app->pdf == NULL ? DOCUMENT_OTHER
                                                          : kind;
}

/* Can the response be read? */
static bool is_page(const struct call *c, const struct http_response *r)
{
    return r->err == ERR_OK && r->status >= 200 && r->status <= 299 &&
           kind_of(c, r) != DOCUMENT_OTHER;
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

static enum err parse_text(enum document_type kind, const char *p, size_t n,
                           const struct url *base, struct arena *a,
                           struct page_doc *doc, struct errctx *ec)
{
    if (kind == DOCUMENT_MARKDOWN)
        return markdown_parse(p, n, base, a, doc);
    if (kind == DOCUMENT_HTML)
        return html_parse(p, n, base, a, doc, ec);
    return plain_parse(p, n, a, doc);
}

static enum err parse(const struct call *c, const struct http_response *r,
                      const struct url *base, const char **text, size_t *n,
                      struct page_doc *doc, struct errctx *ec)
{
    const struct pdf_reader *pdf = c->w->app->pdf;
    struct arena *a = c->rq->arena;
    enum document_type kind = kind_of(c, r);
    const char *charset = document_charset(r->content_type, a);
    const char *body = buf_str(&r->body);
    size_t len = r->body.len;
    enum err e = ERR_OK;

    if (kind == DOCUMENT_PDF) {
        e = pdf->run(pdf, body, len, c->rq->deadline, a, &body, ec);
        len = e == ERR_OK ? strlen(body) : 0;
        charset = "utf-8";
    }
    if (e == ERR_OK)
        e = html_to_utf8(body, len, charset, a, text, n);
    return e == ERR_OK ? parse_text(kind, *text, *n, base, a, doc, ec) : e;
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
                   enum document_type kind, const struct page_doc *doc,
                   const char *markdown, const char *raw, size_t raw_len)
{
    struct json_out *w = call_object(c);

    jw_kstring(w, "markdown", markdown);
    jw_kstring(w, "favicon", doc->favicon == NULL ? "" : doc->favicon);
    if (p->raw_html) {
        jw_key(w, "rawHtml");
        jw_string_n(w, raw, raw_len);
    }
    if (p->raw_content) {
        jw_key(w, "rawContent");
        jw_string_n(w, raw, raw_len);
        jw_kstring(w, "contentType", kind_name(kind));
    }
    if (p->images)
        render_images(w, doc);
    jw_object_end(w);
}

static enum err answer(struct call *c, const struct fetch_params *p,
                       const struct http_response *r)
{
    struct arena *a = c->rq->arena;
    struct url base = p->url;
    struct page_doc doc = {.day = DAY_NONE};
    const char *text = NULL, *markdown = NULL;
    size_t n = 0;
    enum err e;

    if (r->url != NULL &&
        url_parse(r->url, strlen(r->url), NULL, a, &base, &c->ec) != ERR_OK)
        base = p->url;
    c->ec = (struct errctx){0};
    e = parse(c, r, &base, &text, &n, &doc, &c->ec);
    if (e == ERR_INVALID)
        return call_refuse(c, PROBLEM_FETCH_TYPE, c->ec.msg);
    if (e == ERR_TOO_LARGE)
        return call_refuse(c, PROBLEM_FETCH_TOO_LARGE, NULL);
    if (e == ERR_OK)
        e = page_markdown(&doc, a, &markdown);
    if (e == ERR_OK)
        render(c, p, kind_of(c, r), &doc, markdown, text, n);
    return e;
}

static enum err fetch(struct call *c, const struct fetch_params *p)
{
    const struct conf *conf = c->w->app->conf;
    struct http_request rq = {.url = p->url.href,
                              .response_max = (size_t)conf->page_bytes_max,
                              .redirects_max = REDIRECTS_MAX};
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
