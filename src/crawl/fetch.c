/*
 * Requests of a crawl: a queue a host, robots.txt before anything else, the
 * delay between starts, conditional requests, retries. Decides only whether
 * a response is worth parsing.
 */
#include "crawl/state.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "index/page.h"
#include "store/share.h"

#include <stdio.h>
#include <string.h>

enum {
    BACKOFF_MS = 500, /* then four times that */
    RETRY_AFTER_MAX_S = 60,
    AHEAD_MAX = 2, /* pages waiting for the parser, a connection */
};

/* --- hosts --------------------------------------------------------------- */

static struct host *host_find(const struct crawl *c, const char *href)
{
    size_t n = polite_origin_len(href);

    for (size_t i = 0; i < c->host_count; i++)
        if (strncmp(c->hosts[i]->origin, href, n) == 0 &&
            c->hosts[i]->origin[n] == '\0')
            return c->hosts[i];
    return NULL;
}

static enum err start(struct crawl *c, struct job *j);

static enum err host_new(struct crawl *c, const char *href, struct host **out)
{
    struct host *h = arena_alloc(&c->keep, sizeof *h);
    struct http_request rq;
    struct job *j;

    if (h == NULL)
        return ERR_NOMEM;
    h->origin = arena_strndup(&c->keep, href, polite_origin_len(href));
    if (h->origin == NULL)
        return ERR_NOMEM;
    jobs_init(&h->waiting);
    h->delay_ms = c->p->delay_ms;
    h->asking = true;
    polite_robots_request(h->origin, &c->scratch, &rq);
    j = rq.url == NULL ? NULL : job_new(JOB_ROBOTS, rq.url);
    if (j == NULL)
        return ERR_NOMEM;
    j->host = h;
    c->hosts[c->host_count++] = h;
    *out = h;
    return start(c, j);
}

enum err fetch_queue(struct crawl *c, struct job *j)
{
    struct host *h = host_find(c, j->url);
    enum err e;

    if (h == NULL && c->host_count == CRAWL_HOSTS_MAX) {
        settle_end(c, j, FRONTIER_SKIPPED, "too many hosts");
        return ERR_OK;
    }
    if (h == NULL) {
        e = host_new(c, j->url, &h);
        if (e != ERR_OK) {
            job_free(j);
            return e;
        }
    }
    j->host = h;
    jobs_add(&h->waiting, j);
    c->waiting++;
    return ERR_OK;
}

/* --- starting ------------------------------------------------------------ */

/* An earlier answer may still hold: only when the links of that version are
 * on record, since an unchanged page must still lead on. */
static void make_conditional(struct crawl *c, struct job *j,
                             struct http_request *rq)
{
    struct arena *a = &j->arena;
    struct page old;
    const char *key;
    const uint16_t *flags;

    if (c->read.count == 0 ||
        page_find(c->index, j->url, a, &old, NULL) != ERR_OK)
        return;
    key = batch_version_key(j->url, old.etag, old.last_modified, a);
    if (key == NULL)
        return;
    flags = seen_get(&c->read, key);
    if (flags == NULL || (*flags & SEEN_STORED) == 0)
        return;
    j->conditional = polite_if_changed(rq, old.etag, old.last_modified, a);
    j->page = old.id;
}

static enum err start(struct crawl *c, struct job *j)
{
    struct http_request rq = {.url = j->url, .user = j};
    enum err e;

    if (j->kind == JOB_PAGE) {
        rq.response_max = (size_t)c->conf->page_bytes_max;
        make_conditional(c, j, &rq);
        c->pages_open++;
        j->open = true;
    } else if (j->kind == JOB_ROBOTS) {
        polite_robots_request(j->host->origin, &c->scratch, &rq);
        rq.url = j->url;
        rq.user = j;
    } else {
        rq.redirects_max = POLITE_REDIRECTS_MAX;
        rq.response_max = SITEMAP_BYTES_MAX;
    }
    j->host->in_flight++;
    j->host->next_ms = clock_mono_ms() + j->host->delay_ms;
    j->host->has_turn = false;
    jobs_add(&c->flying, j);
    e = http_add(c->http, &rq, c->conf->fetch_timeout_ms);
    if (e != ERR_OK)
        return err_set(c->ec, e, "out of memory");
    return ERR_OK;
}

bool fetch_is_full(const struct crawl *c)
{
    return c->now.stored + c->now.unchanged >= c->p->pages;
}

/* May one more page be started without passing the page limit, or drowning
 * the parser? */
static bool has_room(const struct crawl *c)
{
    return c->now.stored + c->now.unchanged + (int64_t)c->pages_open <
               c->p->pages &&
           parser_busy(c->parser) < (size_t)c->p->parallel * (size_t)AHEAD_MAX;
}

static enum err start_or_end(struct crawl *c, struct job *j)
{
    const struct polite_rules *rules = &j->host->rules;

    if (rules->closed != NULL) {
        settle_end(c, j, FRONTIER_FAILED, rules->closed);
        return ERR_OK;
    }
    if (!c->p->ignore_robots && !polite_allows(rules, j->url)) {
        settle_end(c, j, FRONTIER_SKIPPED, "robots.txt");
        return ERR_OK;
    }
    return start(c, j);
}

/* The host's next turn among all machines: now, or at next_ms. */
static enum err take_turn(struct crawl *c, struct host *h)
{
    int64_t wait;
    enum err e;

    if (h->has_turn || h->delay_ms <= 0)
        return ERR_OK;
    e = share_take_turn(c->index, h->origin, h->delay_ms, &wait, c->ec);
    h->has_turn = e == ERR_OK;
    if (e == ERR_OK && wait > 0)
        h->next_ms = clock_mono_ms() + wait;
    return e;
}

static enum err start_of_host(struct crawl *c, struct host *h)
{
    enum err e = ERR_OK;

    while (e == ERR_OK && h->waiting.first != NULL && !h->asking &&
           h->in_flight < c->p->per_host &&
           c->flying.count < (size_t)c->p->parallel &&
           h->next_ms <= clock_mono_ms()) {
        if (h->waiting.first->kind == JOB_PAGE && !has_room(c))
            break;
        e = take_turn(c, h);
        if (e != ERR_OK || h->next_ms > clock_mono_ms())
            break;
        c->waiting--;
        e = start_or_end(c, jobs_take(&h->waiting));
    }
    return e;
}

/* Those whose time has come go back to their host; a robots.txt goes first,
 * because the host waits for it. */
static enum err wake_retries(struct crawl *c)
{
    int64_t now = clock_mono_ms();
    struct job *next;
    enum err e = ERR_OK;

    for (struct job *j = c->retry.first; j != NULL && e == ERR_OK; j = next) {
        next = j->next;
        if (j->not_before_ms > now)
            continue;
        jobs_remove(&c->retry, j);
        if (j->kind == JOB_ROBOTS) {
            e = start(c, j);
            continue;
        }
        jobs_add(&j->host->waiting, j);
        c->waiting++;
    }
    return e;
}

enum err fetch_start(struct crawl *c)
{
    enum err e = wake_retries(c);

    for (size_t i = 0; i < c->host_count && e == ERR_OK; i++)
        e = start_of_host(c, c->hosts[(c->turn + i) % c->host_count]);
    c->turn++;
    return e;
}

int64_t fetch_wait(const struct crawl *c, int64_t max)
{
    int64_t now = clock_mono_ms(), wait = max;

    for (const struct job *j = c->retry.first; j != NULL; j = j->next)
        if (j->not_before_ms - now < wait)
            wait = j->not_before_ms - now;
    for (size_t i = 0; i < c->host_count; i++)
        if (c->hosts[i]->waiting.first != NULL && c->hosts[i]->next_ms > now &&
            c->hosts[i]->next_ms - now < wait)
            wait = c->hosts[i]->next_ms - now;
    return wait > 0 ? wait : 0;
}

/* --- responses ----------------------------------------------------------- */

static void note_trouble(struct crawl *c, const struct job *j)
{
    if (c->trouble[0] != '\0')
        return;
    if (j->res.err != ERR_OK)
        snprintf(c->trouble, sizeof c->trouble, "%.100s: %.90s", j->url,
                 j->res.msg);
    else
        snprintf(c->trouble, sizeof c->trouble, "%.100s: HTTP status %ld",
                 j->url, j->res.status);
}

/* The other machines, too. */
static void leave_alone(struct crawl *c, const struct host *h, int64_t wait)
{
    struct errctx ec = {ERR_OK, ""};

    if (share_pause(c->index, h->origin, wait, &ec) != ERR_OK)
        log_warn(NULL, "other machines are not told of a pause: %s", ec.msg);
}

/* Try a job again later, if it has tries left and the trouble may pass. */
static bool retry(struct crawl *c, struct job *j)
{
    bool passing = j->res.err == ERR_TIMEOUT || j->res.err == ERR_UPSTREAM ||
                   (j->res.err == ERR_OK && polite_is_busy(&j->res));
    int64_t wait = j->tries == 0 ? BACKOFF_MS : 4 * (int64_t)BACKOFF_MS;
    int64_t asked;

    note_trouble(c, j);
    if (!passing || ++j->tries >= CRAWL_TRIES_MAX)
        return false;
    if (parse_int(j->res.retry_after, 0, INT64_MAX, &asked)) {
        wait = (asked < RETRY_AFTER_MAX_S ? asked : RETRY_AFTER_MAX_S) * 1000;
        if (j->host->next_ms < clock_mono_ms() + wait)
            j->host->next_ms = clock_mono_ms() + wait;
        leave_alone(c, j->host, wait);
    }
    j->not_before_ms = clock_mono_ms() + wait;
    j->conditional = false;
    if (j->open)
        c->pages_open--;
    j->open = false;
    http_response_fini(&j->res);
    memset(&j->res, 0, sizeof j->res);
    jobs_add(&c->retry, j);
    return true;
}

static void robots_settle(struct crawl *c, struct job *j)
{
    struct polite_rules *rules = &j->host->rules;

    /* Without memory for them it is closed. */
    (void)polite_robots_read(&j->res, c->product, &c->keep, rules);
    if (c->p->ignore_robots && j->res.err != ERR_FORBIDDEN)
        rules->closed = NULL;
    j->host->asking = false;
}

static enum err queue_sitemaps(struct crawl *c, struct host *h)
{
    struct url base;
    enum err e = ERR_OK;

    if (!c->p->sitemaps || c->p->depth < 1 || h->rules.closed != NULL)
        return ERR_OK;
    if (url_parse(h->origin, strlen(h->origin), NULL, &c->scratch, &base,
                  NULL) != ERR_OK)
        return ERR_OK;
    for (size_t i = 0; i < h->rules.robots.sitemap_count && e == ERR_OK; i++)
        e = fetch_sitemap(c, h->rules.robots.sitemaps[i], &base, 1);
    return e == ERR_OK ? fetch_sitemap(c, "/sitemap.xml", &base, 1) : e;
}

enum err fetch_sitemap(struct crawl *c, const char *url, const struct url *base,
                       int level)
{
    struct url u;
    const char *key;
    uint16_t *flags;
    struct job *j;

    if (level > CRAWL_SITEMAP_LEVELS || c->sitemaps >= CRAWL_SITEMAPS_MAX ||
        url_parse(url, strlen(url), base, &c->scratch, &u, NULL) != ERR_OK ||
        !scope_has_host(&c->scope, &u))
        return ERR_OK;
    key = arena_printf(&c->scratch, "sitemap %s", u.href);
    flags = key == NULL ? NULL : seen_get(&c->seen, key);
    if (flags == NULL || (*flags & SEEN_QUEUED) != 0)
        return ERR_OK;
    *flags |= SEEN_QUEUED;
    j = job_new(JOB_SITEMAP, u.href);
    if (j == NULL)
        return err_set(c->ec, ERR_NOMEM, "out of memory");
    j->level = level;
    c->sitemaps++;
    return fetch_queue(c, j);
}

static enum err take_robots(struct crawl *c, struct job *j)
{
    struct host *h = j->host;
    enum err e;

    if ((j->res.err != ERR_OK || polite_is_busy(&j->res)) &&
        j->res.err != ERR_TOO_LARGE && retry(c, j))
        return ERR_OK;
    robots_settle(c, j);
    if (h->rules.robots.crawl_delay * 1000 > (double)h->delay_ms &&
        !c->p->ignore_robots)
        h->delay_ms = (int64_t)(h->rules.robots.crawl_delay * 1000);
    h->next_ms = clock_mono_ms() + h->delay_ms;
    e = queue_sitemaps(c, h);
    job_free(j);
    return e;
}

static const char *failure_reason(enum err e)
{
    switch (e) {
    case ERR_TIMEOUT:
        return "timeout";
    case ERR_TOO_LARGE:
        return "too large";
    case ERR_FORBIDDEN:
        return "forbidden address";
    case ERR_UPSTREAM:
        return "connection failed";
    default:
        return "failed";
    }
}

static void take_sitemap(struct crawl *c, struct job *j)
{
    if (j->res.err == ERR_OK && j->res.status == 200) {
        parser_add(c->parser, j);
        return;
    }
    if (j->res.err != ERR_OK || polite_is_busy(&j->res)) {
        if (retry(c, j))
            return;
        tally_add(&c->tally, "sitemap failed", j->url);
    }
    job_free(j);
}

/* Hand a page to the parser, if it is of a kind that is read. */
static void take_document(struct crawl *c, struct job *j)
{
    enum document_type kind;
    char media[64], reason[96];

    c->reached = true;
    j->input =
        document_of_response(j->url, &j->res, c->p->pdf,
                             deadline_in(c->conf->fetch_timeout_ms), &j->arena);
    kind = document_type(j->input.type, polite_path(j->url));
    if (kind == DOCUMENT_OTHER || (kind == DOCUMENT_PDF && c->p->pdf == NULL)) {
        document_media_type(j->input.type, media, sizeof media);
        snprintf(reason, sizeof reason, "type %s",
                 *media == '\0' ? "unknown" : media);
        settle_end(c, j, FRONTIER_SKIPPED, reason);
        return;
    }
    parser_add(c->parser, j);
}

static void take_page(struct crawl *c, struct job *j)
{
    long status = j->res.status;
    char reason[32];

    snprintf(reason, sizeof reason, "http %ld", status);
    c->now.bytes += (int64_t)j->res.body.len;
    if (j->res.err != ERR_OK) {
        if (!retry(c, j))
            settle_end(c, j, FRONTIER_FAILED, failure_reason(j->res.err));
    } else if (status >= 200 && status < 300) {
        take_document(c, j);
    } else if (status == 304 && j->conditional) {
        settle_unchanged(c, j, j->page);
    } else if (polite_is_redirect(&j->res)) {
        settle_redirect(c, j);
    } else if (polite_is_busy(&j->res)) {
        if (!retry(c, j))
            settle_end(c, j, FRONTIER_FAILED, reason);
    } else {
        note_trouble(c, j);
        j->remove = status == 404 || status == 410;
        settle_end(c, j, FRONTIER_SKIPPED, reason);
    }
}

enum err fetch_take(struct crawl *c)
{
    struct http_response res;
    void *user;
    enum err e = ERR_OK;

    while (e == ERR_OK && http_take(c->http, &res, &user)) {
        struct job *j = user;

        jobs_remove(&c->flying, j);
        j->host->in_flight--;
        j->res = res;
        if (j->kind == JOB_ROBOTS)
            e = take_robots(c, j);
        else if (j->kind == JOB_SITEMAP)
            take_sitemap(c, j);
        else
            take_page(c, j);
    }
    return e;
}
