/* POST /v1/fetch: one page as Markdown; see handlers.h. */
#include "base/date.h"
#include "base/log.h"
#include "base/str.h"
#include "net/http.h"
#include "text/html.h"
#include "web/handlers.h"
#include "web/input_common.h"
#include "web/problem.h"

#include <string.h>

enum { REDIRECTS_MAX = 5 };

struct fetch_params {
    struct url url;
    bool raw_html;
    bool images;
};

enum kind { KIND_NONE, KIND_HTML, KIND_MARKDOWN, KIND_PLAIN };

static enum kind kind_of(const char *type)
{
    struct str s = str_trim((struct str){type, strcspn(type, ";")});

    if (s.n == 0 || str_ieq(s, "text/html") ||
        str_ieq(s, "application/xhtml+xml"))
        return KIND_HTML;
    if (str_ieq(s, "text/markdown"))
        return KIND_MARKDOWN;
    if (str_ieq(s, "text/plain"))
        return KIND_PLAIN;
    return KIND_NONE;
}

/* The charset parameter of a content type, or NULL. */
static const char *charset_of(const char *type, struct arena *a)
{
    const char *p = mem_find_i(type, strlen(type), "charset=");
    size_t n;

    if (p == NULL)
        return NULL;
    p += strlen("charset=");
    if (*p == '"')
        p++;
    n = strcspn(p, "\"; \t");
    return n == 0 ? NULL : arena_strndup(a, p, n);
}

/* False after a problem was written. */
static bool check_response(struct call *c, const struct http_response *r)
{
    struct arena *a = c->rq->arena;

    if (r->err == ERR_TOO_LARGE)
        problem_write(c->res, PROBLEM_FETCH_TOO_LARGE, NULL, NULL);
    else if (r->err == ERR_TIMEOUT)
        problem_write(c->res, PROBLEM_FETCH_UNREACHABLE,
                      "The page's server did not answer in time.", NULL);
    else if (r->err == ERR_FORBIDDEN)
        problem_write(c->res, PROBLEM_FETCH_UNREACHABLE,
                      "The page's address may not be fetched from here.", NULL);
    else if (r->err == ERR_UPSTREAM)
        problem_write(c->res, PROBLEM_FETCH_UNREACHABLE, NULL, NULL);
    else if (r->err != ERR_OK)
        problem_write_err(c->res, c->rq, r->err, NULL);
    else if (r->status < 200 || r->status > 299)
        problem_write(
            c->res, PROBLEM_FETCH,
            arena_printf(a, "The page's server answered %ld.", r->status),
            NULL);
    else if (kind_of(r->content_type) == KIND_NONE)
        problem_write(c->res, PROBLEM_FETCH_TYPE,
                      "Only HTML, Markdown and plain text can be read.", NULL);
    else
        return true;
    return false;
}

static enum err parse(const struct http_response *r, const struct url *base,
                      struct arena *a, const char **text, size_t *n,
                      struct page_doc *doc, struct errctx *ec)
{
    enum err e =
        html_to_utf8(r->body.data == NULL ? "" : r->body.data, r->body.len,
                     charset_of(r->content_type, a), a, text, n);

    if (e != ERR_OK)
        return e;
    switch (kind_of(r->content_type)) {
    case KIND_MARKDOWN:
        return markdown_parse(*text, *n, base, a, doc);
    case KIND_PLAIN:
        return plain_parse(*text, *n, a, doc);
    default:
        return html_parse(*text, *n, base, a, doc, ec);
    }
}

static void render(struct call *c, const struct fetch_params *p,
                   const struct page_doc *doc, const char *markdown,
                   const char *raw, size_t raw_len)
{
    struct json_out w;

    c->res->status = 200;
    jw_init(&w, &c->res->body);
    jw_object(&w);
    jw_kstring(&w, "markdown", markdown);
    jw_kstring(&w, "favicon", doc->favicon == NULL ? "" : doc->favicon);
    if (p->raw_html) {
        jw_key(&w, "rawHtml");
        jw_string_n(&w, raw, raw_len);
    }
    if (p->images) {
        jw_key(&w, "images");
        jw_array(&w);
        for (size_t i = 0; i < doc->image_count; i++) {
            jw_object(&w);
            jw_kstring(&w, "alt", doc->images[i].alt);
            jw_kstring(&w, "url", doc->images[i].url);
            jw_object_end(&w);
        }
        jw_array_end(&w);
    }
    jw_object_end(&w);
}

static void answer(struct call *c, const struct fetch_params *p,
                   const struct http_response *r)
{
    struct arena *a = c->rq->arena;
    struct url base = p->url;
    struct page_doc doc = {.day = DAY_NONE};
    struct errctx ec = {0};
    const char *text = NULL, *markdown = NULL;
    size_t n = 0;
    enum err e;

    if (r->url != NULL &&
        url_parse(r->url, strlen(r->url), NULL, a, &base, &ec) != ERR_OK)
        base = p->url;
    e = parse(r, &base, a, &text, &n, &doc, &ec);
    if (e == ERR_TOO_LARGE) {
        problem_write(c->res, PROBLEM_FETCH_TOO_LARGE, NULL, NULL);
        return;
    }
    if (e == ERR_OK)
        e = page_markdown(&doc, a, &markdown);
    if (e != ERR_OK)
        problem_write_err(c->res, c->rq, e, &ec);
    else
        render(c, p, &doc, markdown, text, n);
}

static void fetch(struct call *c, const struct fetch_params *p)
{
    const struct conf *conf = c->w->app->conf;
    struct http_request rq = {.url = p->url.href,
                              .response_max = (size_t)conf->page_bytes_max,
                              .redirects_max = REDIRECTS_MAX};
    struct http_response r;
    struct http *http = NULL;
    enum err e = worker_ctx_http(c->w, &http);

    if (e != ERR_OK) {
        problem_write_err(c->res, c->rq, e, NULL);
        return;
    }
    memset(&r, 0, sizeof r);
    http_run(http, &rq,
             deadline_min(deadline_in(conf->fetch_timeout_ms), c->rq->deadline),
             &r);
    if (check_response(c, &r))
        answer(c, p, &r);
    else if (r.msg[0] != '\0')
        log_debug(c->rq->id, "fetch: %s", r.msg);
    http_response_fini(&r);
}

void h_fetch(struct call *c)
{
    struct problem problem;
    struct input in = {c->body, "", c->rq->arena, &problem};
    struct fetch_params p = {0};

    problem_init(&problem, c->rq->arena);
    input_url(&in, "url", true, &p.url);
    p.raw_html = input_bool(&in, "includeRawHtml", false);
    p.images = input_bool(&in, "extractImages", false);
    if (problem.count > 0)
        problem_write_fields(c->res, &problem);
    else
        fetch(c, &p);
}
