/*
 * A crawl from begin to end: the loop that fetches, parses beside, writes in
 * batches and tells its progress. See state.h for who does what.
 *
 * The frontier on disk is named by the seeds and the options that decide
 * what is crawled; an interrupted crawl of the same name continues. Two more
 * lists, named by the seeds alone, outlive it (see batch.c).
 */
#include "crawl/crawl.h"

#include "base/clock.h"
#include "base/id.h"
#include "base/log.h"
#include "base/str.h"
#include "crawl/state.h"
#include "index/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEEP_ARENA_MAX = 512 * 1024 * 1024,
    SCRATCH_ARENA_MAX = 512 * 1024 * 1024,
    NAME_TEXT_MAX = 1024 * 1024,
    REFILL = 500,
    LOAD = 1000,
    WAIT_MS = 100, /* how late a stop may be seen */
    PROGRESS_MS = 100,
    HOLD_MS = 3000, /* well below what crawl_hold gives */
    PARSER_THREADS = 2,
};

void crawl_params_init(struct crawl_params *p, const struct conf *c)
{
    memset(p, 0, sizeof *p);
    p->depth = (int)c->crawl_depth;
    p->pages = c->crawl_pages;
    p->delay_ms = c->crawl_delay_ms;
    p->parallel = (int)c->crawl_parallel;
    p->per_host = (int)c->crawl_per_host;
    p->sitemaps = true;
}

/* --- names --------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    const struct url *x = a, *y = b;

    return strcmp(x->href, y->href);
}

static void name_finish(struct buf *b, const char *kind, char out[64])
{
    unsigned char digest[SHA256_BYTES];
    char hex[33];

    id_sha256(buf_str(b), b->len, digest);
    hex_format(digest, 16, hex);
    snprintf(out, 64, "%s %s", kind, hex);
}

static void name_add_all(struct buf *b, const char *what,
                         const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_addf(b, "%s %s\n", what, list[i]);
}

/* The names of the crawl and of its two lasting lists. */
static enum err make_names(const struct crawl *c, char crawl[64],
                           char links[64], char read[64])
{
    const struct crawl_params *p = c->p;
    struct buf b;
    enum err e;

    buf_init(&b, NAME_TEXT_MAX);
    for (size_t i = 0; i < c->scope.count; i++)
        buf_addf(&b, "seed %s\n", c->scope.seeds[i].href);
    buf_addf(&b, "subdomains %d\n", p->subdomains);
    name_finish(&b, "links", links);
    name_finish(&b, "read", read);
    buf_addf(&b, "depth %d pages %lld sitemaps %d robots %d\n", p->depth,
             (long long)p->pages, p->sitemaps, !p->ignore_robots);
    name_add_all(&b, "include", p->include, p->include_count);
    name_add_all(&b, "exclude", p->exclude, p->exclude_count);
    name_finish(&b, "crawl", crawl);
    e = buf_err(&b);
    buf_fini(&b);
    return e == ERR_OK ? ERR_OK : err_set(c->ec, e, "too many seeds");
}

/* --- begin --------------------------------------------------------------- */

static enum err begin_list(struct crawl *c, const char *name, int64_t *id,
                           bool *resumed)
{
    enum err e =
        crawl_begin(c->index, name, clock_now_ms(), id, resumed, c->ec);

    if (e != ERR_OK || !*resumed || !c->p->fresh)
        return e;
    e = crawl_end(c->index, *id, c->ec);
    return e == ERR_OK
               ? crawl_begin(c->index, name, clock_now_ms(), id, resumed, c->ec)
               : e;
}

/* The crawl itself, which nobody else may be at. */
static enum err begin_held(struct crawl *c, const char *name, bool *resumed)
{
    enum err e =
        crawl_begin(c->index, name, clock_now_ms(), &c->id, resumed, c->ec);

    if (e == ERR_OK)
        e = crawl_hold(c->index, c->id, c->ec);
    if (e != ERR_OK || !*resumed || !c->p->fresh)
        return e;
    e = begin_list(c, name, &c->id, resumed);
    return e == ERR_OK ? crawl_hold(c->index, c->id, c->ec) : e;
}

static enum err hold_on(struct crawl *c)
{
    int64_t now = clock_mono_ms();

    if (now < c->hold_ms)
        return ERR_OK;
    c->hold_ms = now + HOLD_MS;
    return crawl_hold(c->index, c->id, c->ec);
}

static void release(struct crawl *c)
{
    struct errctx ec = {ERR_OK, ""};

    if (c->id != 0 && crawl_release(c->index, c->id, &ec) != ERR_OK)
        log_warn(NULL, "the crawl is not released: %s", ec.msg);
}

static enum err add_seeds(struct crawl *c)
{
    enum err e = ERR_OK;

    for (size_t i = 0; i < c->scope.count && e == ERR_OK; i++) {
        struct frontier_item item = {c->scope.seeds[i].href, 0, 0, 0};
        uint16_t *flags = seen_get(&c->seen, item.url);
        int64_t added;

        if (flags != NULL)
            *flags |= SEEN_QUEUED;
        e = frontier_add(c->index, c->id, &item, 1, &added, c->ec);
    }
    return e;
}

/* Is a URL of the lasting list in this crawl's scope? Its mark is taken
 * off. */
static bool keep_link(struct crawl *c, struct frontier_item *item)
{
    struct url u;
    uint16_t *flags;

    if (*item->url == BATCH_DEEP_MARK)
        item->url++;
    if (item->depth > c->p->depth ||
        url_parse(item->url, strlen(item->url), NULL, &c->scratch, &u, NULL) !=
            ERR_OK ||
        scope_refuses(&c->scope, &u, false) != NULL)
        return false;
    flags = seen_get(&c->seen, u.href);
    if (flags != NULL)
        *flags |= SEEN_QUEUED;
    return true;
}

/* Everything met from these seeds before, as far as it is in scope now. */
static enum err add_links(struct crawl *c)
{
    int64_t after = 0, added;
    size_t n = LOAD;
    enum err e = ERR_OK;

    while (e == ERR_OK && n == LOAD) {
        struct frontier_item *item = NULL;
        size_t kept = 0;

        n = 0;
        e = frontier_due(c->index, c->links_id, &after, LOAD, &c->scratch,
                         &item, &n, c->ec);
        for (size_t i = 0; i < n && e == ERR_OK; i++)
            if (keep_link(c, &item[i]))
                item[kept++] = item[i];
        if (e == ERR_OK && kept > 0)
            e = frontier_add(c->index, c->id, item, kept, &added, c->ec);
        arena_reset(&c->scratch);
    }
    return e;
}

static enum err load_read(struct crawl *c)
{
    int64_t after = 0;
    size_t n = LOAD;
    enum err e = ERR_OK;

    while (e == ERR_OK && n == LOAD) {
        struct frontier_item *item = NULL;

        n = 0;
        e = frontier_due(c->index, c->read_id, &after, LOAD, &c->scratch, &item,
                         &n, c->ec);
        for (size_t i = 0; i < n && e == ERR_OK; i++) {
            uint16_t *flags = seen_get(&c->read, item[i].url);

            if (flags != NULL)
                *flags |= SEEN_STORED;
        }
        arena_reset(&c->scratch);
    }
    return e;
}

/* What an earlier run of this crawl has done already. */
static enum err load_counts(struct crawl *c)
{
    struct frontier_count *row = NULL;
    size_t n = 0;
    enum err e =
        frontier_summary(c->index, c->id, &c->scratch, &row, &n, c->ec);

    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < n; i++)
        switch (row[i].state) {
        case FRONTIER_DUE:
            c->now.queued += row[i].count;
            break;
        case FRONTIER_DONE:
            if (strcmp(row[i].reason, "unchanged") == 0)
                c->now.unchanged += row[i].count;
            else
                c->now.stored += row[i].count;
            break;
        case FRONTIER_SKIPPED:
            c->now.skipped += row[i].count;
            break;
        case FRONTIER_FAILED:
            c->now.failed += row[i].count;
            break;
        }
    arena_reset(&c->scratch);
    return ERR_OK;
}

static enum err begin_in_batch(struct crawl *c)
{
    char crawl[64], links[64], read[64];
    bool resumed = false, ignored;
    enum err e = make_names(c, crawl, links, read);

    if (e == ERR_OK)
        e = begin_list(c, links, &c->links_id, &ignored);
    if (e == ERR_OK)
        e = begin_list(c, read, &c->read_id, &ignored);
    if (e == ERR_OK)
        e = begin_held(c, crawl, &resumed);
    if (e == ERR_OK)
        e = load_read(c);
    if (e == ERR_OK)
        e = add_seeds(c);
    if (e == ERR_OK && !resumed)
        e = add_links(c);
    if (e == ERR_OK)
        e = load_counts(c);
    c->now.resumed = resumed;
    return e;
}

/* In one transaction: a crawl has its seeds, or does not exist. */
static enum err begin(struct crawl *c)
{
    enum err e = page_batch_begin(c->index, c->ec);

    if (e != ERR_OK)
        return e;
    e = begin_in_batch(c);
    if (e == ERR_OK)
        return page_batch_commit(c->index, c->ec);
    page_batch_abort(c->index);
    return e;
}

static enum err state_init(struct crawl *c)
{
    enum err e;

    arena_init(&c->keep, KEEP_ARENA_MAX);
    c->vectors_ms = clock_mono_ms();
    arena_init(&c->scratch, SCRATCH_ARENA_MAX);
    jobs_init(&c->flying);
    jobs_init(&c->retry);
    jobs_init(&c->settled);
    tally_init(&c->tally, &c->keep);
    robots_product(c->conf->user_agent, c->product);
    c->started_ms = clock_mono_ms();
    e = scope_init(&c->scope, c->p, &c->keep, c->ec);
    if (e != ERR_OK)
        return e;
    qsort(c->scope.seeds, c->scope.count, sizeof *c->scope.seeds, by_text);
    if (seen_init(&c->seen) != ERR_OK || seen_init(&c->read) != ERR_OK ||
        parser_new(PARSER_THREADS, c->http, &c->parser) != ERR_OK)
        return err_set(c->ec, ERR_NOMEM, "out of memory");
    return ERR_OK;
}

static void state_fini(struct crawl *c)
{
    http_abort(c->http);
    parser_free(c->parser);
    jobs_free(&c->flying);
    jobs_free(&c->retry);
    jobs_free(&c->settled);
    for (size_t i = 0; i < c->host_count; i++)
        jobs_free(&c->hosts[i]->waiting);
    seen_fini(&c->seen);
    seen_fini(&c->read);
    arena_fini(&c->scratch);
    arena_fini(&c->keep);
}

/* --- the loop ------------------------------------------------------------ */

static enum err queue_page(struct crawl *c, const struct frontier_item *item)
{
    struct job *j = job_new(JOB_PAGE, item->url);

    if (j == NULL)
        return err_set(c->ec, ERR_NOMEM, "out of memory");
    j->depth = item->depth;
    return fetch_queue(c, j);
}

/* Take URLs from the frontier, so that there is always something to start. */
static enum err refill(struct crawl *c)
{
    enum err e = ERR_OK;

    while (e == ERR_OK && !c->dry && c->waiting < CRAWL_WINDOW &&
           !fetch_is_full(c)) {
        struct frontier_item *item = NULL;
        size_t n = 0;

        e = frontier_due(c->index, c->id, &c->cursor, REFILL, &c->scratch,
                         &item, &n, c->ec);
        for (size_t i = 0; i < n && e == ERR_OK; i++)
            e = queue_page(c, &item[i]);
        c->dry = n < REFILL;
        arena_reset(&c->scratch);
    }
    return e;
}

static void take_parsed(struct crawl *c)
{
    struct job *j;

    while ((j = parser_take(c->parser)) != NULL)
        settle_parsed(c, j);
}

static bool is_finished(const struct crawl *c)
{
    if (c->flying.count > 0 || parser_busy(c->parser) > 0 ||
        c->settled.count > 0)
        return false;
    return fetch_is_full(c) ||
           (c->dry && c->waiting == 0 && c->retry.count == 0);
}

static void show(struct crawl *c,
                 void (*progress)(void *, const struct crawl_progress *),
                 void *user, bool last)
{
    int64_t now = clock_mono_ms();

    c->now.elapsed_ms = now - c->started_ms;
    if (progress == NULL || (!last && now - c->shown_ms < PROGRESS_MS))
        return;
    c->shown_ms = now;
    progress(user, &c->now);
}

/* How long the loop may sleep: until something may start, or be written. */
static int wait_ms(const struct crawl *c)
{
    int64_t wait = fetch_wait(c, WAIT_MS);

    if (c->settled.count > 0 && wait > 10)
        wait = 10;
    return (int)wait;
}

static enum err step(struct crawl *c)
{
    enum err e = hold_on(c);

    if (e == ERR_OK)
        e = fetch_take(c);
    take_parsed(c);
    if (e == ERR_OK && batch_is_due(c))
        e = batch_write(c);
    if (e == ERR_OK)
        e = refill(c);
    if (e == ERR_OK)
        e = fetch_start(c);
    return e;
}

static enum err loop(struct crawl *c, const volatile sig_atomic_t *stop,
                     void (*progress)(void *, const struct crawl_progress *),
                     void *user, bool *interrupted)
{
    enum err e = ERR_OK;

    *interrupted = false;
    while (e == ERR_OK) {
        if (stop != NULL && *stop) {
            *interrupted = true;
            break;
        }
        e = step(c);
        show(c, progress, user, false);
        if (e != ERR_OK || is_finished(c))
            break;
        http_poll(c->http, wait_ms(c));
    }
    /* What was fetched and parsed is not thrown away. */
    take_parsed(c);
    while (e == ERR_OK && c->settled.count > 0)
        e = batch_write(c);
    show(c, progress, user, true);
    return e;
}

/* --- end ----------------------------------------------------------------- */

static enum err summarise(struct crawl *c, struct arena *a,
                          struct crawl_summary *out)
{
    struct frontier_count *row = NULL;
    size_t n = 0;
    enum err e =
        frontier_summary(c->index, c->id, &c->scratch, &row, &n, c->ec);

    if (e != ERR_OK)
        return e;
    tally_merge(&c->tally, row, n);
    tally_sort(&c->tally);
    out->progress = c->now;
    out->reason_count = c->tally.count;
    out->reasons = arena_array(a, c->tally.count, sizeof *out->reasons);
    for (size_t i = 0; i < c->tally.count && out->reasons != NULL; i++) {
        out->reasons[i].reason = arena_strdup(a, c->tally.row[i].reason);
        out->reasons[i].example = arena_strdup(a, c->tally.row[i].example);
        out->reasons[i].count = c->tally.row[i].count;
    }
    return arena_failed(a) ? err_set(c->ec, ERR_NOMEM, "out of memory")
                           : ERR_OK;
}

static enum err finish(struct crawl *c, bool interrupted, struct arena *a,
                       struct crawl_summary *out)
{
    struct crawl_summary s = {.interrupted = interrupted};
    enum err e;

    if (!interrupted && c->now.queued > 0 && fetch_is_full(c))
        tally_add_many(&c->tally, "page limit reached", "", c->now.queued);
    e = summarise(c, a, &s);
    if (e == ERR_OK && !interrupted)
        e = crawl_end(c->index, c->id, c->ec);
    if (e != ERR_OK)
        return e;
    if (!interrupted && !c->reached && !c->now.resumed)
        return err_set(c->ec, ERR_UPSTREAM, "nothing could be fetched: %s",
                       c->trouble);
    *out = s;
    return ERR_OK;
}

static enum err check_params(const struct crawl_params *p, struct errctx *ec)
{
    if (p->parallel < 1 || p->per_host < 1 || p->depth < 0 || p->pages < 1 ||
        p->delay_ms < 0)
        return err_set(ec, ERR_INVALID,
                       "parallel, per_host and pages must be at least 1, "
                       "depth and delay at least 0");
    return ERR_OK;
}

enum err crawl_run(const struct conf *conf, struct db *index, struct http *http,
                   const struct crawl_params *p,
                   const volatile sig_atomic_t *stop,
                   void (*progress)(void *user, const struct crawl_progress *),
                   void *user, struct arena *a, struct crawl_summary *out,
                   struct errctx *ec)
{
    struct errctx local = {ERR_OK, ""};
    struct crawl *c;
    bool interrupted = false;
    enum err e = check_params(p, ec);

    if (e != ERR_OK)
        return e;
    c = calloc(1, sizeof *c);
    if (c == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    c->conf = conf;
    c->p = p;
    c->index = index;
    c->http = http;
    c->ec = ec == NULL ? &local : ec;
    e = state_init(c);
    if (e == ERR_OK)
        e = begin(c);
    if (e == ERR_OK)
        e = loop(c, stop, progress, user, &interrupted);
    if (e == ERR_OK)
        e = finish(c, interrupted, a, out);
    if (e != ERR_OK || interrupted)
        release(c);
    state_fini(c);
    free(c);
    return e;
}
