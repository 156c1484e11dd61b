/* Sentences held against what they cite; see check.h. */
#include "search/check.h"

#include "base/date.h"
#include "base/url.h"
#include "index/page.h"
#include "net/http.h"
#include "page/document.h"

#include <string.h>

enum {
    TEXTS_MAX = 16, /* texts kept as words: sentences come page by page */
    TEXTS_BYTES = 256 << 20,
    SCRATCH_BYTES = 256 << 20,
    REDIRECTS_MAX = 5
};

/* A text that was read, by its address or by itself. */
struct kept {
    const char *name;
    const char *text; /* NULL: there is none … */
    const char *why;  /* … for this reason */
    const struct verify_text *read;
};

struct checker {
    const struct check_pages *from;
    struct deadline deadline;
    size_t fetches;
    struct kept kept[TEXTS_MAX];
    size_t count;
    struct arena texts, scratch;
    struct arena *a;
    struct errctx *ec;
};

/* --- pages --------------------------------------------------------------- */

/* What came back as the text the index would have of it. */
static enum err fetched_read(struct checker *c, const struct http_response *r,
                             struct kept *k)
{
    const struct index_input in = {
        .url = r->url,
        .type = document_sniff(r->content_type, buf_str(&r->body), r->body.len),
        .charset = document_charset(r->content_type, &c->scratch),
        .body = buf_str(&r->body),
        .body_len = r->body.len,
        .day = DAY_NONE,
        .pdf = c->from->pdf,
        .pdf_until = c->deadline};
    struct document doc;
    struct errctx ec = {ERR_OK, ""};
    struct buf b;
    enum err e = document_parse(&in, &c->scratch, &doc, &ec);

    if (e == ERR_NOMEM)
        return e;
    if (e != ERR_OK || doc.count == 0) {
        k->why = "the page has no text that can be read";
        return ERR_OK;
    }
    buf_init(&b, CHECK_PASSAGE_MAX);
    for (size_t i = 0; i < doc.count; i++) {
        buf_adds(&b, i == 0 ? "" : "\n\n");
        buf_adds(&b, doc.passages[i].text);
    }
    e = buf_err(&b);
    if (e == ERR_OK)
        k->text = arena_strndup(&c->texts, buf_str(&b), b.len);
    else if (e != ERR_NOMEM)
        k->why = "the page is too long";
    buf_fini(&b);
    return e == ERR_NOMEM || arena_failed(&c->texts) ? ERR_NOMEM : ERR_OK;
}

static enum err page_fetch(struct checker *c, const char *href, struct kept *k)
{
    struct http_request rq = {.url = href,
                              .response_max = c->from->bytes_max,
                              .redirects_max = REDIRECTS_MAX};
    struct http_response r;
    enum err e = ERR_OK;

    if (c->fetches++ >= CHECK_FETCHES_MAX) {
        k->why = "too many other pages were fetched";
        return ERR_OK;
    }
    http_run(c->from->http, &rq,
             deadline_min(c->deadline, deadline_in(c->from->timeout_ms)), &r);
    if (r.err == ERR_NOMEM)
        e = ERR_NOMEM;
    else if (r.err != ERR_OK)
        k->why = arena_printf(c->a, "the page cannot be fetched: %s", r.msg);
    else if (r.status < 200 || r.status > 299)
        k->why = arena_printf(c->a, "the page's server answered %ld", r.status);
    else
        e = fetched_read(c, &r, k);
    http_response_fini(&r);
    return k->why == NULL ? ERR_NOMEM : e;
}

static enum err page_load(struct checker *c, struct kept *k)
{
    struct errctx ec = {0};
    struct url url;
    struct page page = {0};
    enum err e = ERR_NOT_FOUND;

    k->why = "the page is not in the index";
    if (url_parse(k->name, strlen(k->name), NULL, &c->texts, &url, &ec) !=
        ERR_OK)
        return ERR_OK;
    if (c->from->index != NULL)
        e = page_find(c->from->index, url.href, &c->texts, &page, c->ec);
    if (e == ERR_OK)
        e = page_text(c->from->index, page.id, &c->texts, &k->text, c->ec);
    if (e == ERR_NOT_FOUND)
        e = c->from->http == NULL ? ERR_OK : page_fetch(c, url.href, k);
    return e;
}

/* --- texts --------------------------------------------------------------- */

/* The text of an address, or name itself when it is a passage. */
static enum err text_get(struct checker *c, const char *name, bool passage,
                         struct kept **out)
{
    struct kept *k;
    enum err e = ERR_OK;

    for (size_t i = 0; i < c->count; i++)
        if (c->kept[i].name == name || strcmp(c->kept[i].name, name) == 0) {
            *out = &c->kept[i];
            return ERR_OK;
        }
    if (c->count == TEXTS_MAX) {
        arena_reset(&c->texts);
        c->count = 0;
    }
    k = &c->kept[c->count];
    *k = (struct kept){.name = name, .text = passage ? name : NULL};
    if (!passage)
        e = page_load(c, k);
    if (e == ERR_OK && k->text != NULL && strlen(k->text) > CHECK_PASSAGE_MAX)
        return err_set(c->ec, ERR_TOO_LARGE, "a page of more than %d MB",
                       CHECK_PASSAGE_MAX >> 20);
    if (e == ERR_OK && k->text != NULL)
        k->read = verify_text_read(k->text, &c->texts);
    if (e != ERR_OK || arena_failed(&c->texts))
        return e != ERR_OK ? e : ERR_NOMEM;
    c->count++;
    *out = k;
    return ERR_OK;
}

/* What is said of the sentence; the better a verdict, the lower. What says the
 * opposite tells more than what says something near. */
static int rank_of(enum verdict v)
{
    static const int ranks[] = {0, 1, 3, 2, 4};

    return ranks[v];
}

static enum err hold(struct checker *c, const struct check_item *item,
                     const char *name, bool passage, struct check_result *r)
{
    struct kept *k = NULL;
    struct checked v;
    enum err e = text_get(c, name, passage, &k);

    if (e != ERR_OK)
        return e;
    arena_reset(&c->scratch);
    if (k->text == NULL) {
        if (r->url == NULL)
            r->why = k->why;
        return ERR_OK;
    }
    v = verify_check(k->read, item->sentence, item->quote, &c->scratch);
    if (arena_failed(&c->scratch))
        return ERR_NOMEM;
    if (r->url != NULL && rank_of(v.verdict) >= rank_of(r->verdict))
        return ERR_OK;
    *r = (struct check_result){.verdict = v.verdict,
                               .url = passage ? NULL : name,
                               .start = v.quote.start,
                               .end = v.quote.start + v.quote.len,
                               .why = arena_strdup(c->a, v.why)};
    if (v.verdict != VERDICT_UNSUPPORTED)
        r->quote = arena_strndup(c->a, k->text + r->start, v.quote.len);
    return arena_failed(c->a) ? ERR_NOMEM : ERR_OK;
}

static enum err check_one(struct checker *c, const struct check_item *item,
                          struct check_result *r)
{
    enum err e = ERR_OK;

    *r = (struct check_result){.verdict = VERDICT_UNSUPPORTED,
                               .why = "it cites no page"};
    if (item->passage != NULL)
        return hold(c, item, item->passage, true, r);
    for (size_t i = 0; e == ERR_OK && i < item->url_count; i++)
        e = hold(c, item, item->urls[i], false, r);
    return e;
}

enum err check_run(const struct check_pages *from,
                   const struct check_list *list, struct deadline d,
                   struct arena *a, struct check_result **out,
                   struct errctx *ec)
{
    struct checker c = {.from = from, .deadline = d, .a = a, .ec = ec};
    struct check_result *r = arena_array(a, list->count + 1, sizeof(*r));
    enum err e = r == NULL ? ERR_NOMEM : ERR_OK;

    arena_init(&c.texts, TEXTS_BYTES);
    arena_init(&c.scratch, SCRATCH_BYTES);
    for (size_t i = 0; e == ERR_OK && i < list->count; i++) {
        if (deadline_left(&d) <= 0)
            e = err_set(ec, ERR_TIMEOUT,
                        "%zu of %zu sentences were checked in time", i,
                        list->count);
        else
            e = check_one(&c, &list->items[i], &r[i]);
    }
    arena_fini(&c.scratch);
    arena_fini(&c.texts);
    if (e == ERR_OK)
        *out = r;
    return e;
}
