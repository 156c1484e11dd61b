/* GET /v1/pages?url=…: a stored page, so that a cited passage can be read in
 * its place; see handlers.h. */
#include "base/url.h"
#include "index/page.h"
#include "web/handlers.h"
#include "web/input.h"

#include <string.h>

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

static enum err find(struct call *c, const char *href)
{
    struct db *index = c->w->store.index;
    struct page p = {0};
    const char *text = NULL;
    enum err e = page_find(index, href, c->rq->arena, &p, &c->ec);

    if (e == ERR_OK)
        e = page_text(index, p.id, c->rq->arena, &text, &c->ec);
    if (e == ERR_NOT_FOUND)
        return call_refuse(c, PROBLEM_NOT_FOUND,
                           "This page is not in the index.");
    if (e == ERR_OK)
        render(c, &p, text);
    return e;
}

enum err h_page_get(struct call *c)
{
    struct errctx ec = {0};
    struct url url = {.href = ""};
    const char *z = input_query(c->rq->query, "url", &c->problem);
    enum err e;

    if (z == NULL && c->problem.count == 0)
        problem_add(&c->problem, "url", "url is required");
    if (z != NULL &&
        url_parse(z, strlen(z), NULL, c->rq->arena, &url, &ec) != ERR_OK)
        problem_add(&c->problem, "url",
                    "url must be an absolute http or https URL (%s)", ec.msg);
    e = call_checked(c);
    return e == ERR_OK ? find(c, url.href) : e;
}
