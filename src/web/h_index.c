/* The index, for operators: what is in it, crawls, removing a host; see
 * handlers.h. A crawl is done by a helper; here its row is made and read. */
#include "base/str.h"
#include "base/url.h"
#include "index/page.h"
#include "store/crawl_job.h"
#include "web/handlers.h"
#include "web/input.h"
#include "web/render.h"

#include <string.h>

enum {
    CRAWLS_SHOWN = 50,
    CRAWLS_AT_ONCE = 4,
    PAGES_SHOWN = 100,
    REMOVE_AT_ONCE = 100, /* pages in one transaction: others write too */
    PAGES_MAX = 100000000,
    DELAY_MAX = 600000 /* ms */
};

/* --- looking ----------------------------------------------------------- */

static void write_crawl(struct json_out *w, const struct crawl_job *j)
{
    jw_object(w);
    jw_kstring(w, "id", j->id);
    jw_kstring(w, "url", j->order.url);
    jw_kstring(w, "state", crawl_state_name(j->state));
    jw_kint(w, "pages", j->order.pages);
    jw_kknown(w, "delay", j->order.delay_ms);
    jw_kint(w, "stored", j->count.stored);
    jw_kint(w, "skipped", j->count.skipped);
    jw_kint(w, "failed", j->count.failed);
    jw_kint(w, "queued", j->count.queued);
    jw_kstamp(w, "startedAt", j->started_ms);
    jw_kstamp(w, "endedAt", j->ended_ms);
    jw_kstring(w, "error", j->error);
    jw_object_end(w);
}

enum err h_index_get(struct call *c)
{
    struct index_stats s = {0};
    struct crawl_job *crawls = NULL;
    struct json_out *w;
    size_t n = 0;
    enum err e = index_stats(c->w->store.index, c->rq->arena, &s, &c->ec);

    if (e == ERR_OK)
        e = crawl_job_list(c->w->store.state, CRAWLS_SHOWN, c->rq->arena,
                           &crawls, &n, &c->ec);
    if (e != ERR_OK)
        return e;
    w = call_object(c);
    jw_kint(w, "pages", s.pages);
    jw_kint(w, "passages", s.passages);
    jw_kint(w, "bytes", s.file_bytes);
    render_hosts(w, &s);
    jw_karray(w, "crawls");
    for (size_t i = 0; i < n; i++) {
        write_crawl(w, &crawls[i]);
        /* Its helper may be dead. */
        c->res->kick = c->res->kick || crawls[i].state == CRAWL_RUNNING;
    }
    jw_array_end(w);
    jw_object_end(w);
    return ERR_OK;
}

/* --- crawling ---------------------------------------------------------- */

static enum err too_many(struct call *c)
{
    response_header(c->res, "Retry-After", "60");
    return call_refuse(c, PROBLEM_RATE,
                       arena_printf(c->rq->arena,
                                    "%d crawls are running already; wait for "
                                    "one to end.",
                                    CRAWLS_AT_ONCE));
}

static enum err crawl(struct call *c, const struct crawl_order *order)
{
    struct crawl_job j;
    enum err e =
        crawl_job_create(c->w->store.state, c->account, order, CRAWLS_AT_ONCE,
                         clock_now_ms(), c->rq->arena, &j, &c->ec);

    if (e == ERR_LIMIT)
        return too_many(c);
    if (e != ERR_OK)
        return e;
    c->res->kick = true;
    jw_init(&c->out, &c->res->body);
    write_crawl(&c->out, &j);
    return ERR_OK;
}

enum err h_index_crawl(struct call *c)
{
    struct input in = {c->body, "", c->rq->arena, &c->problem};
    struct url url = {.href = ""};
    struct crawl_order order;
    enum err e;

    input_url(&in, "url", true, &url);
    order.pages =
        input_whole(&in, "pages", 1, PAGES_MAX, c->w->app->conf->crawl_pages);
    order.delay_ms = input_whole(&in, "delay", 0, DELAY_MAX, -1);
    e = call_checked(c);
    order.url = url.href;
    return e == ERR_OK ? crawl(c, &order) : e;
}

/* Its helper learns of it with its next sign of life. */
enum err h_index_stop_crawl(struct call *c)
{
    struct db *state = c->w->store.state;
    struct crawl_job j = {.id = NULL};
    enum err e = ERR_NOT_FOUND;

    if (id_is_uuid(c->id))
        e = crawl_job_stop(state, c->id, clock_now_ms(), &c->ec);
    if (e == ERR_OK)
        e = crawl_job_get(state, c->id, c->rq->arena, &j, &c->ec);
    if (e == ERR_NOT_FOUND)
        return call_refuse(c, PROBLEM_NOT_FOUND,
                           "No crawl with this id is running.");
    if (e != ERR_OK)
        return e;
    jw_init(&c->out, &c->res->body);
    write_crawl(&c->out, &j);
    return ERR_OK;
}

/* --- removing ---------------------------------------------------------- */

/* Some pages of the host, in one transaction; *n says how many. */
static enum err remove_some(struct db *index, const char *host, struct arena *a,
                            size_t *n, struct errctx *ec)
{
    struct page *pages = NULL;
    int64_t removed, gone = 0;
    size_t count = 0;
    enum err e =
        page_list(index, host, 0, REMOVE_AT_ONCE, a, &pages, &count, ec);

    if (e == ERR_OK)
        e = page_batch_begin(index, ec);
    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < count && e == ERR_OK; i++) {
        e = page_remove(index, pages[i].url, false, &removed, ec);
        gone += e == ERR_OK;
        if (e == ERR_NOT_FOUND) /* somebody else did */
            e = ERR_OK;
    }
    if (e == ERR_OK)
        e = page_batch_commit(index, ec);
    else
        page_batch_abort(index);
    /* All were gone, and this index does not know it yet: enough. */
    if (e == ERR_OK)
        *n = gone == 0 ? 0 : count;
    return e;
}

static enum err remove_all(struct call *c, const char *host, int64_t *removed)
{
    size_t n = REMOVE_AT_ONCE;
    enum err e = ERR_OK;

    while (e == ERR_OK && n == REMOVE_AT_ONCE) {
        struct arena a;

        if (deadline_passed(&c->rq->deadline))
            return err_set(&c->ec, ERR_TIMEOUT, "%lld pages removed so far",
                           (long long)*removed);
        arena_init(&a, 256 << 20);
        e = remove_some(c->w->store.index, host, &a, &n, &c->ec);
        arena_fini(&a);
        if (e == ERR_OK)
            *removed += (int64_t)n;
    }
    return e;
}

/* The host as pages are stored under, or NULL. */
static const char *read_host(struct call *c)
{
    struct arena *a = c->rq->arena;
    const char *z = arena_printf(a, "http://%s/", c->id);
    struct errctx ec;
    struct url url;

    if (z == NULL || strpbrk(c->id, "/@:?#\\ ") != NULL ||
        url_parse(z, strlen(z), NULL, a, &url, &ec) != ERR_OK)
        return NULL;
    return url.host;
}

static enum err no_pages(struct call *c)
{
    return call_refuse(c, PROBLEM_NOT_FOUND,
                       "No page of this host is in the index.");
}

/* A host's pages in the order in which they came, from a place on. */
enum err h_index_host(struct call *c)
{
    const char *host = read_host(c), *z;
    struct page *pages = NULL;
    struct json_out *w;
    int64_t after = 0;
    size_t n = 0;
    enum err e;

    z = input_query(c->rq->query, "after", &c->problem);
    if (z != NULL && !parse_int(z, 0, INT64_MAX, &after))
        problem_add(&c->problem, "after",
                    "after must be the \"next\" of an earlier answer");
    e = call_checked(c);
    if (e == ERR_OK && host != NULL)
        e = page_list(c->w->store.index, host, after, PAGES_SHOWN, c->rq->arena,
                      &pages, &n, &c->ec);
    if (e != ERR_OK)
        return e;
    if (n == 0 && after == 0)
        return no_pages(c);
    w = call_object(c);
    jw_karray(w, "data");
    for (size_t i = 0; i < n; i++) {
        jw_object(w);
        jw_kstring(w, "url", pages[i].url);
        jw_kstring(w, "title", pages[i].title);
        jw_kday(w, "date", pages[i].day);
        jw_kint(w, "passages", pages[i].passage_count);
        jw_kstamp(w, "fetchedAt", pages[i].fetched_ms);
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_kknown(w, "next", n == PAGES_SHOWN ? pages[n - 1].id : -1);
    jw_object_end(w);
    return ERR_OK;
}

enum err h_index_drop_host(struct call *c)
{
    const char *host = read_host(c);
    struct json_out *w;
    int64_t removed = 0;
    enum err e = host == NULL ? ERR_OK : remove_all(c, host, &removed);

    if (e != ERR_OK)
        return e;
    if (removed == 0)
        return no_pages(c);
    w = call_object(c);
    jw_kint(w, "removed", removed);
    jw_object_end(w);
    return ERR_OK;
}
