/* GET /v1/pages?url=…: a stored page, so that a cited passage can be read in
 * its place; see handlers.h. */
#include "base/date.h"
#include "base/url.h"
#include "index/page.h"
#include "web/handlers.h"
#include "web/input_list.h"
#include "web/problem.h"

#include <string.h>

static void render(struct call *c, const struct page *p, const char *text)
{
    char day[DATE_LEN + 1];
    struct json_out w;

    c->res->status = 200;
    jw_init(&w, &c->res->body);
    jw_object(&w);
    jw_kstring(&w, "url", p->url);
    jw_kstring(&w, "title", p->title);
    if (p->day != DAY_NONE)
        date_format(p->day, day);
    jw_kstring(&w, "date", p->day == DAY_NONE ? NULL : day);
    jw_kstring(&w, "language", p->lang);
    jw_kstring(&w, "text", text);
    jw_object_end(&w);
}

static void find(struct call *c, const char *href)
{
    struct db *index = c->w->store.index;
    struct page p = {0};
    const char *text = NULL;
    struct errctx ec = {0};
    enum err e = page_find(index, href, c->rq->arena, &p, &ec);

    if (e == ERR_OK)
        e = page_text(index, p.id, c->rq->arena, &text, &ec);
    if (e == ERR_NOT_FOUND)
        problem_write(c->res, PROBLEM_NOT_FOUND,
                      "This page is not in the index.", NULL);
    else if (e != ERR_OK)
        problem_write_err(c->res, c->rq, e, &ec);
    else
        render(c, &p, text);
}

void h_page_get(struct call *c)
{
    struct problem problem;
    struct errctx ec = {0};
    struct url url = {.href = ""};
    const char *z;

    problem_init(&problem, c->rq->arena);
    z = input_query(c->rq->query, "url", &problem);
    if (z == NULL && problem.count == 0)
        problem_add(&problem, "url", "url is required");
    if (z != NULL &&
        url_parse(z, strlen(z), NULL, c->rq->arena, &url, &ec) != ERR_OK)
        problem_add(&problem, "url",
                    "url must be an absolute http or https URL (%s)", ec.msg);
    if (problem.count > 0)
        problem_write_fields(c->res, &problem);
    else
        find(c, url.href);
}
