/* Titles found in texts; see names.h. A title is its first words, without
 * number, section and the site's name, as stems. */
#include "research/names.h"

#include "base/str.h"
#include "text/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TITLE_TERMS = 6,
    HOSTS_MAX = 16,
    HOST_PAGES_MAX = 5000, /* of a host, whose titles are known */
    READ_PASSAGES = 60,    /* of a page, that are looked through */
    HITS_MAX = 400,
    SLOTS = 1 << 16,
    TERMS_MAX = 400
};

/* Of a title whose page was not found itself, beside its share. */
static const double UNFOUND = 0.05;

struct title {
    uint32_t host; /* of its page */
    uint32_t hash;
    const char *url;
    const char *term[TITLE_TERMS];
    uint8_t count;
};

struct titles {
    const char *hosts[HOSTS_MAX];
    size_t host_count;
    struct title *v;
    size_t count, size;
    uint32_t slot[SLOTS]; /* number in v and 1, or 0 */
};

struct hit {
    const struct title *title;
    double times, score;
};

static uint32_t hash_add(uint32_t h, const char *z)
{
    for (; *z != '\0'; z++)
        h = (h ^ (unsigned char)*z) * 16777619u;
    return (h ^ 31) * 16777619u;
}

/* --- titles -------------------------------------------------------------- */

/* Without "Chapter 11." or "27.1." in front. */
static const char *without_number(const char *z)
{
    const char *dot = strstr(z, ". ");
    size_t digits = 0, words = 0;

    for (const char *p = z; dot != NULL && p < dot; p++) {
        digits += ascii_is_digit(*p);
        words += *p == ' ';
    }
    return dot != NULL && (digits > 0 || dot - z == 1) && words < 2 ? dot + 2
                                                                    : z;
}

/* … and without what stands behind a dash, a bar or a bracket. */
static size_t title_length(const char *z)
{
    static const char *const ends[] = {
        " \xE2\x80\x94 ", " \xE2\x80\x93 ", " - ", " | ", "(", ": ", NULL};
    size_t n = strlen(z);

    for (size_t i = 0; ends[i] != NULL; i++) {
        const char *at = strstr(z, ends[i]);

        if (at != NULL && at > z && (size_t)(at - z) < n)
            n = (size_t)(at - z);
    }
    return n;
}

struct str names_title(const char *title)
{
    const char *z = without_number(title);

    return (struct str){z, title_length(z)};
}

/* A page in another form: its source. */
static bool is_source(const char *url)
{
    const char *dot = strrchr(url, '.');

    return dot != NULL &&
           (strcmp(dot, ".txt") == 0 || strcmp(dot, ".rst") == 0);
}

static enum err title_read(struct titles *x, const struct page *p,
                           uint32_t host, struct arena *keep)
{
    struct str z = names_title(p->title);
    struct title *t = &x->v[x->count];
    struct term_iter it;
    struct term one;
    uint32_t h = 2166136261u ^ host;

    *t = (struct title){.host = host};
    terms_init(&it, z.p, z.n);
    while (terms_next(&it, &one)) {
        if (t->count == TITLE_TERMS)
            return ERR_OK;
        t->term[t->count] = arena_strdup(keep, one.text);
        if (t->term[t->count++] == NULL)
            return ERR_NOMEM;
        h = hash_add(h, one.text);
    }
    if (t->count == 0 || is_source(p->url))
        return ERR_OK;
    t->hash = h;
    t->url = arena_strdup(keep, p->url);
    for (uint32_t i = h;; i++)
        if (x->slot[i % SLOTS] == 0) {
            x->slot[i % SLOTS] = (uint32_t)++x->count;
            break;
        }
    return t->url == NULL ? ERR_NOMEM : ERR_OK;
}

static enum err host_read(struct titles *x, const char *host,
                          const struct names_ask *ask, struct errctx *ec)
{
    struct page *p = NULL;
    size_t n = 0;
    uint32_t number = (uint32_t)x->host_count;
    struct title *v;
    enum err e =
        page_list(ask->index, host, 0, HOST_PAGES_MAX, ask->a, &p, &n, ec);

    if (e != ERR_OK)
        return e;
    x->hosts[x->host_count] = arena_strdup(ask->a, host);
    v = arena_array(ask->a, x->count + n + 1, sizeof(*v));
    if (v == NULL || x->hosts[x->host_count++] == NULL)
        return ERR_NOMEM;
    if (x->count > 0)
        memcpy(v, x->v, x->count * sizeof(*v));
    x->v = v;
    for (size_t i = 0; e == ERR_OK && i < n && x->count < SLOTS / 2; i++)
        e = title_read(x, &p[i], number, ask->a);
    return e;
}

/* The host's number; its titles are read. HOSTS_MAX: there are too many. */
static enum err host_find(struct titles *x, const char *host,
                          const struct names_ask *ask, uint32_t *number,
                          struct errctx *ec)
{
    size_t i = 0;

    while (i < x->host_count && strcmp(x->hosts[i], host) != 0)
        i++;
    *number = (uint32_t)i;
    return i < x->host_count || i == HOSTS_MAX ? ERR_OK
                                               : host_read(x, host, ask, ec);
}

/* --- texts --------------------------------------------------------------- */

struct hits {
    struct hit v[HITS_MAX];
    size_t count;
    size_t of; /* the first hit of the page being read */
};

static bool is_read(const struct names_ask *x, const char *url)
{
    for (size_t i = 0; i < x->read_count; i++)
        if (strcmp(x->read[i].c->url, url) == 0)
            return true;
    return false;
}

/* Once for each page that names it. */
static void hit_add(struct hits *h, const struct title *t, double weight)
{
    for (size_t i = 0; i < h->count; i++)
        if (h->v[i].title == t) {
            if (i < h->of) {
                h->v[i].times += weight;
                /* Moved behind the border: counted for this page. */
                struct hit own = h->v[i];

                h->v[i] = h->v[--h->of];
                h->v[h->of] = own;
            }
            return;
        }
    if (h->count < HITS_MAX)
        h->v[h->count++] = (struct hit){.title = t, .times = weight};
}

static bool is_title(const struct title *t, struct term *const *w, size_t n,
                     uint32_t host)
{
    if (t->count != n || t->host != host)
        return false;
    for (size_t i = 0; i < n; i++)
        if (strcmp(t->term[i], w[i]->text) != 0)
            return false;
    return true;
}

/* The titles that end with the last of the n words read. */
static void titles_end(const struct titles *x, struct hits *h,
                       struct term *const *w, size_t n, uint32_t host,
                       double weight)
{
    for (size_t len = 1; len <= n; len++) {
        uint32_t at = 2166136261u ^ host;

        for (size_t i = n - len; i < n; i++)
            at = hash_add(at, w[i]->text);
        for (uint32_t i = at; x->slot[i % SLOTS] != 0; i++) {
            const struct title *t = &x->v[x->slot[i % SLOTS] - 1];

            if (t->hash == at && is_title(t, w + n - len, len, host))
                hit_add(h, t, weight);
        }
    }
}

static void text_read(const struct titles *x, struct hits *h, const char *z,
                      uint32_t host, double weight)
{
    struct term ring[TITLE_TERMS], *w[TITLE_TERMS];
    struct term_iter it;
    size_t n = 0;

    terms_init(&it, z, strlen(z));
    for (size_t k = 0; terms_next(&it, &ring[k % TITLE_TERMS]); k++) {
        n = n < TITLE_TERMS ? n + 1 : n;
        for (size_t i = 0; i < n; i++)
            w[i] = &ring[(k + 1 - n + i) % TITLE_TERMS];
        titles_end(x, h, w, n, host, weight);
    }
}

/* --- weights ------------------------------------------------------------- */

static double found_share(const struct names_ask *x, const char *url)
{
    for (size_t i = 0; i < x->found_count; i++)
        if (strcmp(x->found[i].c->url, url) == 0)
            return x->found[i].score / x->found[0].score;
    return 0;
}

/* Titles of rare words, named by many pages, found themselves. */
static enum err hits_weigh(const struct names_ask *x, struct hits *h,
                           struct errctx *ec)
{
    struct index_term *terms =
        arena_array(x->a, TERMS_MAX + TITLE_TERMS, sizeof(*terms));
    int64_t *df = arena_array(x->a, TERMS_MAX + TITLE_TERMS, sizeof(*df));
    int64_t all = 0;
    size_t n = 0, k = 0, known = 0;
    enum err e;

    if (terms == NULL || df == NULL)
        return ERR_NOMEM;
    for (; known < h->count && n < TERMS_MAX; known++)
        for (size_t i = 0; i < h->v[known].title->count; i++)
            terms[n++] = (struct index_term){.text = h->v[known].title->term[i],
                                             .weight = 1};
    e = n == 0 ? ERR_OK : index_df(x->index, terms, n, df, &all, ec);
    if (e != ERR_OK)
        return e;
    h->count = known;
    for (size_t i = 0; i < known; i++) {
        double rare = 0;

        for (size_t j = 0; j < h->v[i].title->count; j++, k++)
            rare += log(1 + (double)all / (1.0 + (double)df[k]));
        h->v[i].score = rare * h->v[i].times *
                        (UNFOUND + found_share(x, h->v[i].title->url));
    }
    return ERR_OK;
}

static int by_score(const void *x, const void *y)
{
    const struct hit *a = x, *b = y;

    if (a->score > b->score || a->score < b->score)
        return a->score > b->score ? -1 : 1;
    return strcmp(a->title->url, b->title->url);
}

/* Hosts first: their titles move as more are read. */
static enum err pages_read(const struct names_ask *x, struct titles *t,
                           struct hits *h, struct errctx *ec)
{
    uint32_t *host = arena_array(x->a, x->read_count + 1, sizeof(*host));
    enum err e = host == NULL ? ERR_NOMEM : ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < x->read_count; i++) {
        host[i] = HOSTS_MAX;
        if (x->read[i].c->page != 0)
            e = host_find(t, x->read[i].c->host, x, &host[i], ec);
    }
    for (size_t i = 0; e == ERR_OK && i < x->read_count; i++) {
        const struct found_page *p = &x->read[i];

        h->of = h->count;
        for (size_t k = 0;
             k < p->count && k < READ_PASSAGES && host[i] < HOSTS_MAX; k++)
            text_read(t, h, p->passages[k].text, host[i],
                      1 / sqrt((double)(i + 1)));
    }
    return e;
}

enum err names_find(const struct names_ask *x, const char **urls, size_t *count,
                    struct errctx *ec)
{
    struct hits *h = arena_alloc(x->a, sizeof(*h));
    struct titles *t = arena_alloc(x->a, sizeof(*t));
    enum err e = h == NULL || t == NULL ? ERR_NOMEM : pages_read(x, t, h, ec);

    *count = 0;
    if (e == ERR_OK)
        e = hits_weigh(x, h, ec);
    if (e != ERR_OK)
        return e;
    qsort(h->v, h->count, sizeof(h->v[0]), by_score);
    for (size_t i = 0; i < h->count && *count < x->max; i++)
        if (!is_read(x, h->v[i].title->url))
            urls[(*count)++] = h->v[i].title->url;
    return ERR_OK;
}
