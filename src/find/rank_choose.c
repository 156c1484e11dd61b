/* Which of the scored passages are shown; see rank_choose.h. */
#include "find/rank_choose.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

enum { PER_HOST = 2, COPIES_MAX = 64, COPY_SEQ = 1, ALL_PAGES = 4 };

/* Share of a score from which another host's page is nearly as good, and of
 * a page's length from which a copy of it is as long. Set by hand. */
static const double NEARLY = 0.9;
static const double COPY_BYTES = 0.9;
/* … of the longer one's length that a page and its source have both. */
static const double SOURCE_BYTES = 0.3;

static const char *behind_scheme(const char *url)
{
    return strncmp(url, "https://", 8) == 0  ? url + 8
           : strncmp(url, "http://", 7) == 0 ? url + 7
                                             : url;
}

bool rank_is_same_url(const char *a, const char *b)
{
    size_t n, m;

    a = behind_scheme(a);
    b = behind_scheme(b);
    n = strlen(a);
    m = strlen(b);
    n -= n > 0 && a[n - 1] == '/' ? 1 : 0;
    m -= m > 0 && b[m - 1] == '/' ? 1 : 0;
    return n == m && memcmp(a, b, n) == 0;
}

uint32_t rank_url_hash(const char *url)
{
    size_t n;

    url = behind_scheme(url);
    n = strlen(url);
    return hash_bytes(url, n - (n > 0 && url[n - 1] == '/'));
}

bool rank_is_same_page(const struct candidate *a, const struct candidate *b)
{
    return (a->page != 0 && a->page == b->page) ||
           rank_is_same_url(a->url, b->url);
}

/* "/library/csv" of "http://host/library/csv.html": an address behind its host,
 * up to the first dot of its last part. */
static struct str place_of(const char *url)
{
    const char *at = behind_scheme(url), *last;

    at += strcspn(at, "/");
    last = strrchr(at, '/');
    if (last == NULL)
        return (struct str){at, 0};
    return (struct str){at, (size_t)(last - at) + strcspn(last, ".?#")};
}

bool rank_is_source(const struct candidate *c)
{
    const char *dot = strrchr(c->url, '.');

    return dot != NULL &&
           (strcmp(dot, ".txt") == 0 || strcmp(dot, ".rst") == 0);
}

/* Is p what is left of s without one folder or none? */
static bool is_below(struct str s, struct str p)
{
    size_t more = s.n - p.n, same = 0;

    if (s.n < p.n)
        return false;
    while (same < p.n && s.p[same] == p.p[same])
        same++;
    if (more == 0)
        return same == p.n;
    /* The folder's name may begin as what follows it does. */
    for (size_t k = 1; k <= same && k < s.n - more + 1; k++)
        if (s.p[k - 1] == '/' && s.p[k + more - 1] == '/' &&
            memchr(s.p + k, '/', more - 1) == NULL &&
            memcmp(s.p + k + more, p.p + k, p.n - k) == 0)
            return true;
    return false;
}

bool rank_is_source_of(const struct candidate *source,
                       const struct candidate *page)
{
    double x = (double)source->page_bytes, y = (double)page->page_bytes;

    return rank_is_source(source) && !rank_is_source(page) &&
           strcmp(source->host, page->host) == 0 && x >= SOURCE_BYTES * y &&
           y >= SOURCE_BYTES * x &&
           is_below(place_of(source->url), place_of(page->url));
}

/* Of copies the one with https and the shorter address is shown. */
static int by_address(const char *a, const char *b)
{
    bool safe = strncmp(a, "https:", 6) == 0;

    if (safe != (strncmp(b, "https:", 6) == 0))
        return safe ? -1 : 1;
    if (strlen(a) != strlen(b))
        return strlen(a) < strlen(b) ? -1 : 1;
    return strcmp(a, b);
}

static int by_score(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;

    if (a->priority != b->priority)
        return a->priority ? -1 : 1;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return by_address(a->c->url, b->c->url);
}

/* What is chosen, and what waits behind other hosts. */
struct choice {
    struct entry *chosen, *waiting;
    struct shingles *prints; /* of the chosen, and of one that may be next */
    size_t count, waiting_count, waiting_next;
    size_t max, per_page;
    bool any_host; /* the caller names the hosts: all of one is what he wants */
    int64_t copies[COPIES_MAX]; /* pages that copy a chosen one */
    size_t copy_count;
};

static bool page_is_full(const struct choice *c, const struct entry *e)
{
    size_t same_page = 0;

    for (size_t i = 0; i < c->count; i++)
        same_page += rank_is_same_page(c->chosen[i].c, e->c);
    return same_page >= c->per_page;
}

static const char *bare_host(const char *host)
{
    return strncmp(host, "www.", 4) == 0 ? host + 4 : host;
}

/* Copies of a page, on another host or for printing, are about as long and
 * have the same text at about the same place; what two pages of a manual
 * share has not. */
static bool is_placed_alike(const struct candidate *a,
                            const struct candidate *b)
{
    double x = (double)a->page_bytes, y = (double)b->page_bytes;

    return x > 0 && y > 0 && x >= COPY_BYTES * y && y >= COPY_BYTES * x &&
           a->seq <= b->seq + COPY_SEQ && b->seq <= a->seq + COPY_SEQ;
}

bool rank_is_own_page(const struct candidate *a, const struct candidate *b)
{
    return !rank_is_same_page(a, b) && b->page_bytes > 0 &&
           a->page_bytes >= ALL_PAGES * b->page_bytes &&
           strcmp(bare_host(a->host), bare_host(b->host)) == 0;
}

static bool is_copy(const struct choice *c, const struct candidate *page)
{
    for (size_t i = 0; i < c->copy_count; i++)
        if (c->copies[i] == page->page)
            return true;
    return false;
}

/* Is there nothing new in it? Of a page that copies a chosen one no other
 * passage is wanted either. */
static bool repeats(struct choice *c, const struct entry *e)
{
    if (is_copy(c, e->c))
        return true;
    shingles_read(&c->prints[c->count], e->c->text);
    for (size_t i = 0; i < c->count; i++) {
        const struct entry *k = &c->chosen[i];

        if (!shingles_same(&c->prints[i], &c->prints[c->count]))
            continue;
        if (rank_is_own_page(k->c, e->c)) {
            c->chosen[i].c = e->c;
            return true;
        }
        if (!rank_is_same_page(k->c, e->c) && is_placed_alike(k->c, e->c) &&
            c->copy_count < COPIES_MAX)
            c->copies[c->copy_count++] = e->c->page;
        return true;
    }
    return false;
}

static bool host_is_full(const struct choice *c, const struct entry *e)
{
    size_t same_host = 0;

    if (c->any_host || e->priority)
        return false;
    for (size_t i = 0; i < c->count; i++)
        same_host +=
            strcmp(bare_host(c->chosen[i].c->host), bare_host(e->c->host)) == 0;
    return same_host >= PER_HOST;
}

/* A page and the text it was made of are one: the page is shown. */
static bool is_there(struct choice *c, const struct entry *e)
{
    for (size_t i = 0; i < c->count; i++) {
        struct entry *k = &c->chosen[i];

        if (rank_is_source_of(e->c, k->c))
            return true;
        if (!rank_is_source_of(k->c, e->c))
            continue;
        k->c = e->c;
        shingles_read(&c->prints[i], k->c->text);
        return true;
    }
    return false;
}

static void choose(struct choice *c, const struct entry *e)
{
    if (is_there(c, e))
        return;
    if (c->count == c->max || page_is_full(c, e) || repeats(c, e))
        return;
    c->chosen[c->count++] = *e;
}

/* Choose of those that wait who is clearly better than what comes next. */
static void choose_waiting(struct choice *c, double next)
{
    while (c->waiting_next < c->waiting_count && c->count < c->max &&
           c->waiting[c->waiting_next].score * NEARLY > next)
        choose(c, &c->waiting[c->waiting_next++]);
}

/* Best first, but a host's third and later ones behind what other hosts have
 * that is nearly as good. */
static void walk(struct choice *c, struct entry *all, size_t count)
{
    qsort(all, count, sizeof(*all), by_score);
    for (size_t i = 0; i < count && c->count < c->max; i++) {
        struct entry *e = &all[i];

        choose_waiting(c, e->score);
        if (page_is_full(c, e))
            continue;
        if (host_is_full(c, e))
            c->waiting[c->waiting_count++] = *e;
        else
            choose(c, e);
    }
    choose_waiting(c, -1);
}

enum err rank_choose(struct entry *all, size_t count, bool any_host, size_t max,
                     size_t per_page, struct entry **out, size_t *out_count)
{
    struct choice c = {.max = max, .per_page = per_page, .any_host = any_host};

    c.chosen = calloc(count + 1, sizeof(*c.chosen));
    c.waiting = calloc(count + 1, sizeof(*c.waiting));
    c.prints = malloc(((max < count ? max : count) + 1) * sizeof(*c.prints));
    if (c.chosen == NULL || c.waiting == NULL || c.prints == NULL) {
        free(c.chosen);
        free(c.waiting);
        free(c.prints);
        return ERR_NOMEM;
    }
    walk(&c, all, count);
    free(c.waiting);
    free(c.prints);
    *out = c.chosen;
    *out_count = c.count;
    return ERR_OK;
}
