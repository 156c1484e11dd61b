/*
 * Writing of a crawl: everything settled, as one transaction. A page, its
 * mark in the frontier and its links are in the same one, so that a kill
 * loses at most the batch in flight and never marks what was not stored.
 *
 * Beside the crawl's own frontier two more lists of the same shape outlive
 * it: every URL of the hosts ever met from these seeds ("links"), and the
 * page versions whose links were all recorded there ("read"). A page of such
 * a version may answer "not modified" without the crawl losing its links.
 */
#include "crawl/state.h"

#include "base/clock.h"
#include "base/id.h"
#include "base/log.h"
#include "base/str.h"
#include "find/vectors_make.h"
#include "index/page.h"

#include <stdio.h>
#include <string.h>

enum {
    BATCH_PAGES = 100,
    BATCH_PAGES_MAX = 200,
    BATCH_AGE_MS = 300,             /* of the oldest settled page */
    STARVED_AGE_MS = 30,            /* when there is little left to request */
    BATCH_MS_MAX = 500,             /* other writers wait */
    VECTORS_MS = 5000,              /* between two times that they are made */
    BATCH_BYTES = 32 * 1024 * 1024, /* parsed text waiting in memory */
};

/* Rows to be added, gathered over the jobs of a batch. */
struct rows {
    struct frontier_item *item;
    size_t count, size;
};

struct gather {
    struct rows due, links, read;
};

static enum err rows_add(struct crawl *c, struct rows *r, const char *url,
                         int depth)
{
    if (url == NULL || !arena_grow(&c->scratch, &r->item, r->count, 1, &r->size,
                                   sizeof *r->item))
        return err_set(c->ec, ERR_NOMEM, "out of memory");
    r->item[r->count++] = (struct frontier_item){url, depth, 0, 0};
    return ERR_OK;
}

/* --- URLs met ------------------------------------------------------------ */

/* Was this URL settled before, as far as this depth is concerned? */
static bool is_known(uint16_t flags, bool too_deep)
{
    return (flags & (SEEN_QUEUED | SEEN_REFUSED)) != 0 ||
           ((flags & SEEN_TOO_DEEP) != 0 && too_deep);
}

/* How a URL is written to the lasting list. What was met too deep goes under
 * a name of its own, so that meeting it nearer later on is not lost. */
static const char *link_name(struct crawl *c, const char *href, bool too_deep)
{
    return too_deep ? arena_printf(&c->scratch, "%c%s", BATCH_DEEP_MARK, href)
                    : href;
}

/* A URL a page, a sitemap or a redirect led to; queued when it belongs to
 * the crawl. */
static enum err meet(struct crawl *c, struct gather *g, const char *href,
                     const struct url *base, int depth, int hops)
{
    bool too_deep = depth > c->p->depth;
    uint16_t *flags = base == NULL ? seen_get(&c->seen, href) : NULL;
    struct url u;
    const char *why;
    enum err e;

    if (flags != NULL && is_known(*flags, too_deep))
        return ERR_OK;
    if (url_parse(href, strlen(href), base, &c->scratch, &u, NULL) != ERR_OK)
        return ERR_OK;
    flags = seen_get(&c->seen, u.href);
    if (flags != NULL && is_known(*flags, too_deep))
        return ERR_OK;
    if (c->now.queued + (int64_t)g->due.count >= CRAWL_QUEUE_MAX) {
        tally_add(&c->tally, "queue is full", u.href);
        return ERR_OK;
    }
    why = scope_refuses(&c->scope, &u, depth == 0);
    if (scope_has_host(&c->scope, &u)) {
        e = rows_add(c, &g->links, link_name(c, u.href, too_deep), depth);
        if (e != ERR_OK)
            return e;
    }
    if (why == NULL && too_deep)
        why = "beyond the depth limit";
    if (why != NULL) {
        tally_add(&c->tally, why, u.href);
        if (flags != NULL)
            *flags |= too_deep ? SEEN_TOO_DEEP : SEEN_REFUSED;
        return ERR_OK;
    }
    if (flags != NULL)
        *flags = seen_with_hops(*flags | SEEN_QUEUED, hops);
    return rows_add(c, &g->due, u.href, depth);
}

static enum err meet_links(struct crawl *c, struct gather *g, struct job *j)
{
    const struct page_doc *doc = &j->doc.doc;
    enum err e = ERR_OK;

    for (size_t i = 0; i < doc->link_count && e == ERR_OK; i++)
        if (!doc->links[i].nofollow)
            e = meet(c, g, doc->links[i].url, NULL, j->depth + 1, 0);
    return e;
}

static enum err meet_sitemap(struct crawl *c, struct gather *g, struct job *j)
{
    struct url base;
    enum err e = ERR_OK;

    if (url_parse(j->url, strlen(j->url), NULL, &c->scratch, &base, NULL) !=
        ERR_OK)
        return ERR_OK;
    for (size_t i = 0; i < j->map.count && e == ERR_OK; i++)
        e = j->map.is_index
                ? fetch_sitemap(c, j->map.locs[i], &base, j->level + 1)
                : meet(c, g, j->map.locs[i], &base, 1, 0);
    return e;
}

/* --- one job ------------------------------------------------------------- */

const char *batch_version_key(const char *url, const char *etag,
                              const char *last_modified, struct arena *a)
{
    unsigned char digest[SHA256_BYTES];
    char hex[17];
    const char *version;

    if (*etag == '\0' && *last_modified == '\0')
        return NULL;
    version = arena_printf(a, "%s\n%s", etag, last_modified);
    if (version == NULL)
        return NULL;
    id_sha256(version, strlen(version), digest);
    hex_format(digest, 8, hex);
    return arena_printf(a, "%s %s", url, hex);
}

static enum err put(struct crawl *c, struct gather *g, struct job *j)
{
    const char *key;
    int64_t id;
    enum err e = document_put(c->index, &j->input, &j->doc, j->target,
                              &j->arena, &id, c->ec);

    if (e != ERR_OK)
        return e;
    c->now.stored += j->counts;
    key = batch_version_key(j->target, j->input.etag, j->input.last_modified,
                            &j->arena);
    if (key == NULL || !j->links || strcmp(j->target, j->url) != 0)
        return ERR_OK;
    return rows_add(c, &g->read, key, 0);
}

static enum err remove_page(struct crawl *c, const char *url)
{
    int64_t removed;
    enum err e = page_remove(c->index, url, false, &removed, c->ec);

    return e == ERR_NOT_FOUND ? ERR_OK : e;
}

static void count_end(struct crawl *c, const struct job *j)
{
    if (j->state == FRONTIER_SKIPPED)
        c->now.skipped++;
    else if (j->state == FRONTIER_FAILED)
        c->now.failed++;
    else if (j->touch)
        c->now.unchanged++;
    if (j->state != FRONTIER_DONE)
        tally_add(&c->tally, j->reason, j->url);
    c->now.queued--;
}

static enum err write_page(struct crawl *c, struct gather *g, struct job *j)
{
    enum err e = ERR_OK;

    if (j->remove)
        e = remove_page(c, j->url);
    if (e == ERR_OK && j->put)
        e = put(c, g, j);
    if (e == ERR_OK && j->touch)
        e = page_touch(c->index, j->page, clock_now_ms(), c->ec);
    /* The page went away meanwhile: only its mark is left to write. */
    if (e == ERR_NOT_FOUND && j->touch)
        e = ERR_OK;
    if (e == ERR_OK && j->links)
        e = meet_links(c, g, j);
    if (e == ERR_OK && j->queue != NULL)
        e = meet(c, g, j->queue, NULL, j->depth, j->hops);
    if (e == ERR_OK)
        e = frontier_mark(c->index, c->id, j->url, j->state, j->reason, c->ec);
    if (e == ERR_OK)
        count_end(c, j);
    return e;
}

static enum err write_rows(struct crawl *c, int64_t list, const struct rows *r,
                           int64_t *added)
{
    *added = 0;
    return r->count == 0
               ? ERR_OK
               : frontier_add(c->index, list, r->item, r->count, added, c->ec);
}

static enum err write_gathered(struct crawl *c, const struct gather *g)
{
    int64_t added, ignored;
    enum err e = write_rows(c, c->id, &g->due, &added);

    if (e == ERR_OK && added > 0) {
        c->now.queued += added;
        c->dry = false;
    }
    if (e == ERR_OK)
        e = write_rows(c, c->links_id, &g->links, &ignored);
    if (e == ERR_OK)
        e = write_rows(c, c->read_id, &g->read, &ignored);
    return e;
}

/* --- the batch ----------------------------------------------------------- */

bool batch_is_due(const struct crawl *c)
{
    int64_t age;
    bool starved =
        c->waiting == 0 && c->flying.count * 2 < (size_t)c->p->parallel;

    if (c->settled.count == 0)
        return false;
    age = clock_mono_ms() - c->settled_since_ms;
    return c->settled.count >= BATCH_PAGES || age >= BATCH_AGE_MS ||
           c->settled_bytes >= BATCH_BYTES ||
           (starved && (parser_busy(c->parser) == 0 || age >= STARVED_AGE_MS));
}

static enum err write_some(struct crawl *c, struct jobs *written)
{
    struct gather g;
    int64_t until = clock_mono_ms() + BATCH_MS_MAX;
    enum err e = ERR_OK;

    memset(&g, 0, sizeof g);
    while (e == ERR_OK && c->settled.count > 0 &&
           written->count < BATCH_PAGES_MAX && clock_mono_ms() < until) {
        struct job *j = jobs_take(&c->settled);

        c->settled_bytes -= j->settled_bytes;
        jobs_add(written, j);
        e = j->kind == JOB_SITEMAP ? meet_sitemap(c, &g, j)
                                   : write_page(c, &g, j);
    }
    return e == ERR_OK ? write_gathered(c, &g) : e;
}

/* Now and then, so that pages are found in other words while a long crawl goes
 * on. */
static void make_vectors(struct crawl *c)
{
    struct deadline d = deadline_in(BATCH_MS_MAX);
    struct errctx ec = {ERR_OK, ""};

    if (clock_mono_ms() - c->vectors_ms < VECTORS_MS)
        return;
    if (vectors_make_words(c->conf, c->index, &d, &ec) != ERR_OK)
        log_warn(NULL, "no vectors of words: %s", ec.msg);
    c->vectors_ms = clock_mono_ms();
}

enum err batch_write(struct crawl *c)
{
    struct jobs written;
    enum err e = page_batch_begin(c->index, c->ec);

    if (e != ERR_OK)
        return e;
    jobs_init(&written);
    e = write_some(c, &written);
    if (e == ERR_OK)
        e = page_batch_commit(c->index, c->ec);
    else
        page_batch_abort(c->index);
    for (const struct job *j = written.first; j != NULL; j = j->next)
        if (j->open)
            c->pages_open--;
    jobs_free(&written);
    arena_reset(&c->scratch);
    if (e == ERR_OK)
        make_vectors(c);
    c->settled_since_ms = clock_mono_ms();
    return e;
}
