/*
 * What becomes of a page: stored, under which URL, its links followed, or
 * ended with a reason. Decides only; batch.c writes.
 */
#include "crawl/state.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

static void settled(struct crawl *c, struct job *j)
{
    if (c->settled.count == 0)
        c->settled_since_ms = clock_mono_ms();
    j->settled_bytes = j->arena.used;
    c->settled_bytes += j->settled_bytes;
    jobs_add(&c->settled, j);
}

void settle_end(struct crawl *c, struct job *j, enum frontier_state state,
                const char *reason)
{
    j->state = state;
    j->reason = arena_strdup(&j->arena, reason);
    if (j->reason == NULL)
        j->reason = "out of memory";
    if (c->trouble[0] == '\0')
        snprintf(c->trouble, sizeof c->trouble, "%.100s: %.90s", j->url,
                 reason);
    settled(c, j);
}

void settle_unchanged(struct crawl *c, struct job *j, int64_t page)
{
    c->reached = true;
    j->state = FRONTIER_DONE;
    j->reason = "unchanged";
    j->touch = true;
    j->page = page;
    settled(c, j);
}

/* --- redirects ----------------------------------------------------------- */

void settle_redirect(struct crawl *c, struct job *j)
{
    struct url base, to;
    const uint16_t *flags = seen_get(&c->seen, j->url);
    int hops = flags == NULL ? 0 : seen_hops(*flags);
    const char *where = j->res.location, *why;

    /* What stood here before is elsewhere now; but a page that named this
     * URL as its canonical one may be stored here. */
    j->remove = flags == NULL || (*flags & SEEN_STORED_AS) == 0;
    if (url_parse(j->url, strlen(j->url), NULL, &j->arena, &base, NULL) !=
            ERR_OK ||
        url_parse(where, strlen(where), &base, &j->arena, &to, NULL) !=
            ERR_OK) {
        settle_end(c, j, FRONTIER_SKIPPED, "redirect to no URL");
        return;
    }
    why = scope_refuses(&c->scope, &to, j->depth == 0);
    if (why != NULL) {
        if (c->trouble[0] == '\0')
            snprintf(c->trouble, sizeof c->trouble,
                     "%.80s: redirect to %.80s: %.30s", j->url, to.href, why);
        settle_end(c, j, FRONTIER_SKIPPED,
                   scope_has_host(&c->scope, &to) ? "redirect out of scope"
                                                  : "redirect to other host");
        return;
    }
    if (hops >= SEEN_HOPS_MAX) {
        settle_end(c, j, FRONTIER_SKIPPED, "too many redirects");
        return;
    }
    j->queue = to.href;
    j->hops = hops + 1;
    settle_end(c, j, FRONTIER_SKIPPED, "redirect");
}

/* --- pages --------------------------------------------------------------- */

static const char *parse_reason(enum err e)
{
    switch (e) {
    case ERR_TOO_LARGE:
        return "too large";
    case ERR_NOMEM:
        return "out of memory";
    default:
        return "unreadable";
    }
}

/* The canonical URL to store under, or NULL for the page's own. It must lie
 * in the crawl's scope, and its own content wins over a copy of it. */
static const char *canonical_of(struct crawl *c, struct job *j)
{
    const char *z = j->doc.doc.canonical;
    struct url u;

    if (z == NULL || *z == '\0' || strcmp(z, j->url) == 0)
        return NULL;
    if (url_parse(z, strlen(z), NULL, &j->arena, &u, NULL) != ERR_OK ||
        strcmp(u.href, j->url) == 0 ||
        scope_refuses(&c->scope, &u, false) != NULL)
        return NULL;
    return u.href;
}

static void settle_document(struct crawl *c, struct job *j)
{
    const char *canonical = canonical_of(c, j);
    uint16_t *flags;

    j->put = true;
    j->target = j->url;
    j->state = FRONTIER_DONE;
    j->reason = "";
    if (canonical != NULL) {
        j->queue = canonical;
        flags = seen_get(&c->seen, canonical);
        if (flags != NULL && (*flags & SEEN_STORED) != 0) {
            j->put = false;
            j->remove = true;
            settle_end(c, j, FRONTIER_SKIPPED, "copy of its canonical page");
            return;
        }
        j->target = canonical;
        j->remove = true;
        j->reason = "stored under its canonical URL";
    }
    /* Now, not when it is written: a copy may follow in the same batch. */
    flags = seen_get(&c->seen, j->target);
    if (flags != NULL) {
        j->counts = (*flags & (SEEN_STORED | SEEN_STORED_AS)) == 0;
        *flags |= canonical == NULL ? SEEN_STORED : SEEN_STORED_AS;
    }
    settled(c, j);
}

static void settle_page(struct crawl *c, struct job *j)
{
    bool noindex = false, nofollow = false;

    if (j->err != ERR_OK) {
        settle_end(c, j, FRONTIER_FAILED, parse_reason(j->err));
        return;
    }
    robots_tag_read(j->res.robots_tag, c->product, &noindex, &nofollow);
    j->links = !nofollow && !j->doc.doc.nofollow;
    if (noindex || j->doc.doc.noindex) {
        j->remove = true;
        settle_end(c, j, FRONTIER_SKIPPED, "noindex");
    } else if (j->doc.refusal != NULL) {
        /* It may pass: what was stored before stays. */
        settle_end(c, j, FRONTIER_SKIPPED, j->doc.refusal);
    } else if (j->doc.count == 0) {
        j->remove = true;
        settle_end(c, j, FRONTIER_SKIPPED, "no text");
    } else {
        settle_document(c, j);
    }
}

void settle_parsed(struct crawl *c, struct job *j)
{
    if (j->kind == JOB_PAGE) {
        settle_page(c, j);
        return;
    }
    if (j->err != ERR_OK) {
        tally_add(&c->tally, "sitemap unreadable", j->url);
        job_free(j);
        return;
    }
    settled(c, j);
}
