/*
 * Reading pages during a search; see read.h. One loop: whoever may start
 * starts, what comes in is taken, until all is done or the time is up.
 */
#include "find/read.h"

#include "base/date.h"
#include "base/log.h"
#include "base/str.h"
#include "find/provider_json.h"
#include "find/rank.h"
#include "find/vectors_make.h"
#include "net/polite.h"
#include "page/document.h"
#include "question/overlap.h"
#include "store/share.h"

#include <string.h>

enum {
    POLL_MS = 50,
    LEAST_MS = 500,        /* with less time nothing is begun */
    WORDS_MS = 250,        /* for vectors, where many more have none */
    SHARE_PERCENT = 65,    /* of the time left: then the answer is written */
    PER_ORIGIN = 2,        /* pages of one server at once */
    PASSAGES_LOOKED = 500, /* of a page */
    PASSAGES_KEPT = 24,    /* of them, those that tell most */
    FRESH_MAX_S = 31536000
};

enum state { STATE_NEW, STATE_OPEN, STATE_READ, STATE_FAILED, STATE_GONE };

struct origin {
    const char *name; /* scheme://host[:port] */
    bool asked;       /* for its robots.txt */
    bool asking;
    size_t open; /* pages */
};

/* A page to read. */
struct target {
    enum state state;
    const char *found_url; /* as the provider gave it */
    struct url url;        /* of the current hop */
    struct origin *origin;
    bool robots; /* the request on its way is for robots.txt */
    bool conditional;
    int redirects;
    int64_t page; /* in the index, or 0 */
    struct candidate *passages;
    size_t passage_count;
};

struct reader {
    const struct search_env *env;
    const struct pages_read *p;
    struct polite_memory *memory;
    struct deadline deadline;
    char product[ROBOTS_PRODUCT_SIZE];
    struct arena *a;
    struct errctx *ec;
    struct target t[READ_PAGES_MAX];
    size_t count;
    struct origin origins[READ_PAGES_MAX * (POLITE_REDIRECTS_MAX + 1)];
    size_t origin_count;
    size_t open;  /* requests on their way */
    enum err err; /* of the database or memory: ends everything */
};

/* --- choosing ------------------------------------------------------------ */

static bool domains_let(const struct index_filter *f, const struct url *u)
{
    struct index_filter undated = *f;

    undated.day_from = undated.day_to = DAY_NONE;
    return rank_allows(&undated, u, DAY_NONE);
}

static void origin_set(struct reader *r, struct target *t)
{
    size_t n = polite_origin_len(t->url.href);

    for (size_t i = 0; i < r->origin_count; i++)
        if (strncmp(r->origins[i].name, t->url.href, n) == 0 &&
            r->origins[i].name[n] == '\0') {
            t->origin = &r->origins[i];
            return;
        }
    t->origin = &r->origins[r->origin_count++];
    t->origin->name = arena_strndup(r->a, t->url.href, n);
    if (t->origin->name == NULL)
        r->err = ERR_NOMEM;
}

static bool is_chosen(const struct reader *r, const char *url)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->t[i].found_url, url) == 0)
            return true;
    return false;
}

static void choose(struct reader *r, const struct candidate *c)
{
    struct target *t = &r->t[r->count];
    enum err e;

    if (c->page != 0 || is_chosen(r, c->url))
        return;
    e = url_parse(c->url, strlen(c->url), NULL, r->a, &t->url, NULL);
    if (e == ERR_NOMEM)
        r->err = e;
    if (e != ERR_OK || !domains_let(r->p->filter, &t->url))
        return;
    t->found_url = c->url;
    origin_set(r, t);
    r->count++;
}

/* The first of each answer, then the second of each … */
static void choose_all(struct reader *r, const struct provider_answer *answers,
                       size_t count)
{
    size_t max = r->p->max < READ_PAGES_MAX ? r->p->max : READ_PAGES_MAX;

    for (size_t place = 0; place < PROVIDER_RESULTS_MAX; place++)
        for (size_t i = 0; i < count; i++)
            if (place < answers[i].count && r->count < max && r->err == ERR_OK)
                choose(r, &answers[i].found[place]);
}

/* --- the passages of a page ---------------------------------------------- */

static double telling(const struct query *q, const struct candidate *c)
{
    return overlap_weight(q,
                          overlap_mask(q, c->text, strlen(c->text)) |
                              overlap_mask(q, c->heading, strlen(c->heading)));
}

/* Those of all that tell most about the question, best first. */
static void passages_pick(struct reader *r, struct target *t,
                          const struct candidate *all, size_t count)
{
    struct candidate *best = arena_array(r->a, PASSAGES_KEPT + 1, sizeof *best);
    double weight[PASSAGES_KEPT + 1];
    size_t n = 0;

    if (best == NULL) {
        r->err = ERR_NOMEM;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        double w = telling(r->p->q, &all[i]);
        size_t k = n;

        if (w <= 0)
            continue;
        for (; k > 0 && weight[k - 1] < w; k--) {
            best[k] = best[k - 1];
            weight[k] = weight[k - 1];
        }
        best[k] = all[i];
        weight[k] = w;
        n += n < PASSAGES_KEPT ? 1 : 0;
    }
    t->passages = best;
    t->passage_count = n;
    t->state = STATE_READ;
}

static void passages_of_index(struct reader *r, struct target *t)
{
    struct candidate *all = NULL;
    size_t count = 0;
    enum err e = index_passages(r->env->index, t->page, 0, PASSAGES_LOOKED,
                                r->a, &all, &count, r->ec);

    if (e == ERR_OK)
        passages_pick(r, t, all, count);
    else if (e == ERR_NOT_FOUND || e == ERR_NO_RESULT)
        t->state = STATE_FAILED;
    else
        r->err = e;
}

/* Of a document that is not kept: copies, since it goes. */
static void passages_of_document(struct reader *r, struct target *t,
                                 const struct document *d)
{
    size_t n = d->count < PASSAGES_LOOKED ? d->count : PASSAGES_LOOKED;
    struct candidate *all = arena_array(r->a, n + 1, sizeof *all);
    struct candidate c = {.url = t->url.href,
                          .host = t->url.host,
                          .title = arena_strdup(r->a, d->doc.title),
                          .favicon = arena_strdup(r->a, d->doc.favicon),
                          .lang = arena_strdup(r->a, d->doc.lang),
                          .day = d->doc.day};

    for (size_t i = 0; i < d->count; i++)
        c.page_bytes += (int64_t)strlen(d->passages[i].text);
    for (size_t i = 0; all != NULL && i < n; i++) {
        all[i] = c;
        all[i].seq = (int64_t)i;
        all[i].start = d->passages[i].start;
        all[i].heading = arena_strdup(r->a, d->passages[i].heading);
        all[i].text = arena_strdup(r->a, d->passages[i].text);
        all[i].parts = arena_strdup(
            r->a, d->passages[i].parts == NULL ? "" : d->passages[i].parts);
    }
    if (all == NULL || arena_failed(r->a))
        r->err = ERR_NOMEM;
    else
        passages_pick(r, t, all, n);
}

/* --- the index ----------------------------------------------------------- */

static bool has_index(const struct reader *r)
{
    return r->env->index != NULL && r->env->conf->use_index;
}

/* RFC 9111, 5.2.2: for how many seconds the answer is fresh; -1 unsaid. */
static int64_t fresh_seconds(const char *cache_control)
{
    const char *p = mem_find_i(cache_control, strlen(cache_control), "max-age");
    size_t n = strlen(cache_control);
    char digits[12];
    int64_t s;

    if (mem_find_i(cache_control, n, "no-store") != NULL ||
        mem_find_i(cache_control, n, "no-cache") != NULL)
        return 0;
    if (p == NULL)
        return -1;
    p += strlen("max-age");
    p += strspn(p, " =\"");
    n = strspn(p, "0123456789");
    if (n == 0 || n >= sizeof digits)
        return n == 0 ? -1 : FRESH_MAX_S;
    memcpy(digits, p, n);
    digits[n] = '\0';
    return parse_int(digits, 0, FRESH_MAX_S, &s) ? s : FRESH_MAX_S;
}

static void note_fresh(struct reader *r, const struct target *t,
                       const struct http_response *res)
{
    int64_t s = fresh_seconds(res->cache_control);

    if (s < 0)
        s = r->env->conf->read_fresh_s;
    polite_set_fresh(r->memory, t->url.href, clock_now_ms() + s * 1000);
}

/* Is the page in the index, and fresh? Sets what a request can build on. */
static bool is_fresh(struct reader *r, struct target *t,
                     struct http_request *rq)
{
    int64_t until = polite_fresh(r->memory, t->url.href);
    struct page old;
    enum err e;

    t->page = 0;
    t->conditional = false;
    if (!has_index(r))
        return false;
    e = page_find(r->env->index, t->url.href, r->a, &old, r->ec);
    if (e != ERR_OK) {
        r->err = e == ERR_NOT_FOUND ? r->err : e;
        return false;
    }
    if (old.passage_count == 0)
        return false;
    t->page = old.id;
    if (until < 0)
        until = old.fetched_ms + r->env->conf->read_fresh_s * 1000;
    if (until > clock_now_ms())
        return true;
    t->conditional = polite_if_changed(rq, old.etag, old.last_modified, r->a);
    return false;
}

/* --- requests ------------------------------------------------------------ */

static void send(struct reader *r, struct target *t, struct http_request *rq)
{
    int64_t ms = r->env->conf->read_timeout_ms;
    int64_t left = deadline_left(&r->deadline);

    rq->user = t;
    if (http_add(r->env->http, rq, ms < left ? ms : left) != ERR_OK) {
        r->err = ERR_NOMEM;
        return;
    }
    t->state = STATE_OPEN;
    r->open++;
}

/* robots.txt is asked for by one page of the origin, the others wait. */
static void robots_send(struct reader *r, struct target *t)
{
    struct http_request rq;

    if (t->origin->asking)
        return;
    if (t->origin->asked) { /* and yet unknown: there was no memory for it */
        t->state = STATE_FAILED;
        return;
    }
    t->origin->asked = t->origin->asking = true;
    t->robots = true;
    polite_robots_request(t->origin->name, r->a, &rq);
    send(r, t, &rq);
}

/* Among all machines, too; one that cannot ask them goes by what it knows. */
static bool take_turn(struct reader *r, const struct target *t)
{
    struct errctx ec = {ERR_OK, ""};
    int64_t pause_ms;
    bool taken;

    if (!polite_take_turn(r->memory, t->url.href, &pause_ms))
        return false;
    return pause_ms == 0 || r->env->index == NULL ||
           share_try_turn(r->env->index, t->origin->name, pause_ms, &taken,
                          &ec) != ERR_OK ||
           taken;
}

static void page_send(struct reader *r, struct target *t)
{
    struct http_request rq = {.url = t->url.href,
                              .response_max =
                                  (size_t)r->env->conf->page_bytes_max};

    if (t->origin->open >= PER_ORIGIN)
        return;
    if (is_fresh(r, t, &rq)) {
        passages_of_index(r, t);
        return;
    }
    if (r->err != ERR_OK)
        return;
    if (!take_turn(r, t)) {
        t->state = STATE_FAILED;
        return;
    }
    t->origin->open++;
    send(r, t, &rq);
}

static void start(struct reader *r, struct target *t)
{
    switch (polite_ask(r->memory, t->url.href)) {
    case PERMISSION_UNKNOWN:
        robots_send(r, t);
        break;
    case PERMISSION_NO:
        t->state = STATE_FAILED;
        break;
    case PERMISSION_YES:
        page_send(r, t);
        break;
    }
}

/* --- answers ------------------------------------------------------------- */

static void take_robots(struct reader *r, struct target *t,
                        const struct http_response *res)
{
    t->robots = false;
    t->origin->asking = false;
    t->state = STATE_NEW;
    polite_remember(r->memory, t->origin->name, res, r->product);
}

static void take_redirect(struct reader *r, struct target *t,
                          const struct http_response *res)
{
    struct url to;
    enum err e = url_parse(res->location, strlen(res->location), &t->url, r->a,
                           &to, NULL);

    t->state = STATE_FAILED;
    if (e == ERR_NOMEM)
        r->err = e;
    if (e != ERR_OK || ++t->redirects > POLITE_REDIRECTS_MAX)
        return;
    if (!domains_let(r->p->filter, &to)) {
        t->state = STATE_GONE;
        return;
    }
    t->url = to;
    t->state = STATE_NEW;
    origin_set(r, t);
}

/* May the page be shown at all? */
static bool is_welcome(const struct reader *r, const struct document *d,
                       const struct http_response *res)
{
    bool noindex = false, nofollow = false;

    robots_tag_read(res->robots_tag, r->product, &noindex, &nofollow);
    return !noindex && !d->doc.noindex && d->refusal == NULL && d->count > 0;
}

static void document_keep(struct reader *r, struct target *t,
                          const struct index_input *in,
                          const struct document *d, struct arena *a)
{
    bool keep = has_index(r) && r->env->conf->read_keep;
    struct errctx ec = {ERR_OK, ""};
    enum err e;

    if (!keep) {
        passages_of_document(r, t, d);
        return;
    }
    e = document_put(r->env->index, in, d, t->url.href, a, &t->page, &ec);
    if (e == ERR_OK)
        passages_of_index(r, t);
    else if (e == ERR_NOMEM || e == ERR_TOO_LARGE)
        t->state = STATE_FAILED;
    else if (db_is_followed(r->env->index))
        log_warn(NULL, "a page that was read is not stored: %s", ec.msg);
    else
        r->err = err_set(r->ec, e, "%s", ec.msg);
    /* Where pages are stored elsewhere that may be away, or the index may have
     * them a little later. */
    if (db_is_followed(r->env->index) && t->state == STATE_FAILED) {
        t->page = 0;
        passages_of_document(r, t, d);
    }
}

static void take_document(struct reader *r, struct target *t,
                          const struct http_response *res)
{
    struct deadline until =
        deadline_min(r->deadline, deadline_in(r->env->conf->read_timeout_ms));
    struct index_input in;
    struct document d;
    struct arena a;
    struct errctx ec;

    arena_init(&a, DOCUMENT_ARENA_MAX);
    in = document_of_response(t->url.href, res, r->env->pdf, until, &a);
    t->state = STATE_FAILED;
    if (document_parse(&in, &a, &d, &ec) == ERR_OK && is_welcome(r, &d, res)) {
        note_fresh(r, t, res);
        document_keep(r, t, &in, &d, &a);
    }
    arena_fini(&a);
}

static void take_unchanged(struct reader *r, struct target *t,
                           const struct http_response *res)
{
    enum err e = page_touch(r->env->index, t->page, clock_now_ms(), r->ec);

    note_fresh(r, t, res);
    if (e == ERR_OK || (err_is_storage(e) && db_is_followed(r->env->index)))
        passages_of_index(r, t);
    else if (e == ERR_NOT_FOUND)
        t->state = STATE_FAILED;
    else
        r->err = e;
}

static void take_page(struct reader *r, struct target *t,
                      const struct http_response *res)
{
    t->origin->open--;
    t->state = STATE_FAILED;
    if (res->err != ERR_OK || deadline_passed(&r->deadline))
        return;
    if (res->status == 304 && t->conditional)
        take_unchanged(r, t, res);
    else if (polite_is_redirect(res))
        take_redirect(r, t, res);
    else if (res->status == 404 || res->status == 410)
        t->state = STATE_GONE;
    else if (res->status >= 200 && res->status < 300)
        take_document(r, t, res);
}

static void take_all(struct reader *r)
{
    struct http_response res;
    void *user = NULL;

    while (http_take(r->env->http, &res, &user)) {
        struct target *t = user;

        r->open--;
        if (t->robots)
            take_robots(r, t, &res);
        else
            take_page(r, t, &res);
        http_response_fini(&res);
    }
}

/* Ends: each target takes at most POLITE_REDIRECTS_MAX + 1 pages and as many
 * robots.txt, each under its time limit, all under the deadline. */
static void read_all(struct reader *r)
{
    for (;;) {
        for (size_t i = 0; i < r->count && r->err == ERR_OK; i++)
            if (r->t[i].state == STATE_NEW)
                start(r, &r->t[i]);
        if (r->open == 0 || r->err != ERR_OK || deadline_passed(&r->deadline))
            break;
        http_poll(r->env->http, POLL_MS);
        take_all(r);
    }
    if (r->open > 0)
        http_abort(r->env->http);
}

/* --- into the answers ---------------------------------------------------- */

static const struct target *target_of(const struct reader *r,
                                      const struct candidate *c)
{
    for (size_t i = 0; c->page == 0 && i < r->count; i++)
        if (strcmp(r->t[i].found_url, c->url) == 0)
            return &r->t[i];
    return NULL;
}

/* What stands for a candidate now. A date only the provider knows counts. */
static size_t put_passages(const struct target *t, const struct candidate *c,
                           struct candidate *out)
{
    double score = c->score;

    for (size_t i = 0; i < t->passage_count; i++, score *= 0.95) {
        out[i] = t->passages[i];
        out[i].score = score;
        if (out[i].day == DAY_NONE)
            out[i].day = c->day;
        if (out[i].title[0] == '\0')
            out[i].title = c->title;
    }
    return t->passage_count;
}

static enum err answer_replace(struct reader *r, struct provider_answer *pa)
{
    struct candidate *out = arena_array(
        r->a, pa->count + r->count * PASSAGES_KEPT + 1, sizeof *out);
    bool used[READ_PAGES_MAX] = {false};
    size_t n = 0;

    if (out == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < pa->count; i++) {
        const struct target *t = target_of(r, &pa->found[i]);

        if (t == NULL || t->state == STATE_NEW || t->state == STATE_OPEN ||
            t->state == STATE_FAILED ||
            (t->state == STATE_READ && t->passage_count == 0)) {
            out[n++] = pa->found[i];
        } else if (t->state == STATE_READ && !used[t - r->t]) {
            used[t - r->t] = true;
            n += put_passages(t, &pa->found[i], out + n);
        }
    }
    pa->found = out;
    pa->count = n;
    return ERR_OK;
}

enum err pages_read(const struct search_env *env, const struct pages_read *p,
                    struct provider_answer *answers, size_t count,
                    struct arena *a, struct errctx *ec)
{
    int64_t left = deadline_left(&p->deadline);
    struct errctx quiet = {ERR_OK, ""};
    struct deadline d;
    size_t done = 0;
    struct reader *r;

    if (p->max == 0 || env->http == NULL || env->providers == NULL ||
        left < LEAST_MS)
        return ERR_OK;
    r = arena_alloc(a, sizeof *r);
    if (r == NULL)
        return ERR_NOMEM;
    memset(r, 0, sizeof *r);
    r->env = env;
    r->p = p;
    r->memory = provider_set_memory(env->providers);
    r->deadline = deadline_in(left * SHARE_PERCENT / 100);
    r->a = a;
    r->ec = ec;
    robots_product(env->conf->user_agent, r->product);
    choose_all(r, answers, count);
    if (r->err == ERR_OK && r->count > 0)
        read_all(r);
    for (size_t i = 0; r->err == ERR_OK && i < count; i++)
        r->err = answer_replace(r, &answers[i]);
    for (size_t i = 0; i < r->count; i++)
        done += r->t[i].state == STATE_READ ? 1 : 0;
    d = deadline_min(r->deadline, deadline_in(WORDS_MS));
    if (done > 0 &&
        vectors_make_words(env->conf, env->index, &d, &quiet) != ERR_OK)
        log_debug(p->id, "no vectors of words: %s", quiet.msg);
    if (r->count > 0)
        log_debug(p->id, "%zu of %zu pages read", done, r->count);
    return r->err;
}
