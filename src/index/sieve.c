/* Pages by host, address and day; see sieve.h. Pages stand in the order of
 * their hosts, so that a domain with its subdomains is one run of them. */
#include "index/sieve.h"

#include "base/date.h"
#include "index/page_sql.h"

#include <stdlib.h>
#include <string.h>

enum {
    RUN_MAX = 4096,
    SAMPLED = 16, /* of so many pages one is looked at … */
    OFTEN = 8,    /* … and where one of so many is let through, no more are */
    WIDE = 3,     /* the part of all pages that are many */
    LOOKED = 256, /* pages of which that is told for days */
    URL_BYTES = 1 << 20
};

/* --- hosts ------------------------------------------------------------- */

static const char *name_of(const struct segment *s, uint32_t host)
{
    return s->strings + s->hosts[host].name;
}

/* The first host whose name does not come before z: with behind, none of
 * those that z begins does, either. */
static uint32_t find_host(const struct segment *s, const char *z, bool behind)
{
    uint32_t low = 0, high = s->head->hosts;
    size_t n = strlen(z);

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        int c = strncmp(name_of(s, mid), z, n);

        if (c < 0 || (c == 0 && behind))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static int by_from(const void *va, const void *vb)
{
    const struct page_run *a = va, *b = vb;

    return a->from < b->from ? -1 : a->from > b->from;
}

/* The pages of the rules' domains, in order and apart; of rules with a path
 * only where paths is set. */
static size_t spans_of(struct sieve *x, const struct domain_rules *rules,
                       bool paths, struct page_run *out, struct arena *scratch)
{
    size_t n = 0, kept = 0;

    for (size_t i = 0; i < rules->count; i++) {
        const struct domain_rule *r = &rules->rules[i];
        const char *z;
        struct page_run one;

        if (!paths && r->path[0] != '\0')
            continue;
        arena_reset(scratch);
        z = page_rhost(r->host, scratch);
        if (z == NULL) {
            x->failed = true;
            return 0;
        }
        one.from = x->s->hosts[find_host(x->s, z, false)].page;
        one.to = x->s->hosts[find_host(x->s, z, true)].page;
        if (one.from < one.to)
            out[n++] = one;
    }
    if (n > 0)
        qsort(out, n, sizeof *out, by_from);
    for (size_t i = 0; i < n; i++)
        if (kept > 0 && out[i].from <= out[kept - 1].to)
            out[kept - 1].to =
                out[i].to > out[kept - 1].to ? out[i].to : out[kept - 1].to;
        else
            out[kept++] = out[i];
    return kept;
}

/* What lies between n spans, in place; there is room for one more. */
static size_t turn_around(struct page_run *v, size_t n, uint32_t pages)
{
    uint32_t from = 0;
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        struct page_run gap = {from, v[i].from};

        from = v[i].to;
        if (gap.from < gap.to)
            v[kept++] = gap;
    }
    if (from < pages)
        v[kept++] = (struct page_run){from, pages};
    return kept;
}

static bool has_rules(const struct domain_rules *rules)
{
    return rules != NULL && rules->count > 0;
}

static bool has_path(const struct domain_rules *rules)
{
    for (size_t i = 0; rules != NULL && i < rules->count; i++)
        if (rules->rules[i].path[0] != '\0')
            return true;
    return false;
}

/* With inclusions, these decide alone. */
enum err sieve_init(struct sieve *x, const struct segment *s,
                    const uint64_t *removed, const struct index_filter *f,
                    struct arena *a, struct errctx *ec)
{
    bool in = f != NULL && has_rules(f->include);
    bool out = f != NULL && !in && has_rules(f->exclude);
    size_t rules = in ? f->include->count : out ? f->exclude->count : 0;

    *x = (struct sieve){.s = s, .removed = removed, .f = f, .last = UINT32_MAX};
    arena_init(&x->scratch, URL_BYTES);
    x->days = f != NULL && (f->day_from != DAY_NONE || f->day_to != DAY_NONE);
    x->addresses =
        (in && has_path(f->include)) || (out && has_path(f->exclude));
    x->spans = arena_array(a, rules + 1, sizeof *x->spans);
    if (x->spans == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    if (in || out)
        x->count = spans_of(x, in ? f->include : f->exclude, in, x->spans,
                            &x->scratch);
    if (!in)
        x->count = turn_around(x->spans, x->count, s->head->pages);
    if (x->days) {
        int32_t last = f->day_to == DAY_NONE ? INT32_MAX : f->day_to;

        x->day_from = f->day_from == DAY_NONE ? DAY_NONE + 1 : f->day_from;
        x->day_span = (uint32_t)last - (uint32_t)x->day_from;
        if (last < x->day_from)
            x->count = 0;
    }
    return ERR_OK;
}

void sieve_fini(struct sieve *x)
{
    arena_fini(&x->scratch);
}

/* --- asking ------------------------------------------------------------ */

/* A page without a date is in no range. */
static inline bool day_allowed(const struct sieve *x, uint32_t page)
{
    return !x->days ||
           (uint32_t)x->s->days[page] - (uint32_t)x->day_from <= x->day_span;
}

/* The first page of those days in from..to - 1, or to. Most are of others: many
 * are looked at together, without a branch. */
static uint32_t next_day(struct sieve *x, uint32_t from, uint32_t to)
{
    uint32_t first = (uint32_t)x->day_from, span = x->day_span, at = from;

    if (from >= x->from && from < x->to)
        at = x->to;
    else
        x->from = from;
    while (at < to && !day_allowed(x, at)) {
        const int32_t *day = x->s->days + at;
        uint32_t some = 0;

        for (uint32_t i = 0; i < SEG_DAYS; i++)
            some |= (uint32_t)day[i] - first <= span;
        if (some == 0)
            at += SEG_DAYS;
        else
            while (!day_allowed(x, at))
                at++;
    }
    x->to = at;
    return at < to ? at : to;
}

/* Behind the last page of a run that begins at from and ends before to. */
static uint32_t run_end(struct sieve *x, uint32_t from, uint32_t to)
{
    const struct seg_page *p = x->s->pages;
    uint32_t end = from + 1, some = 0;

    if (!x->days)
        return to;
    to = to - from > RUN_MAX ? from + RUN_MAX : to;
    for (uint32_t i = from; from >= x->sampled && i < to; i += SAMPLED)
        some += day_allowed(x, i);
    x->sampled = from >= x->sampled ? to : x->sampled;
    if (some * SAMPLED * OFTEN >= to - from)
        return to;
    for (uint32_t i; (i = next_day(x, end, to)) < to; end = i + 1)
        if (p[i].doc - p[end].doc > SIEVE_APART)
            break;
    return end;
}

bool sieve_run(struct sieve *x, uint32_t page, struct page_run *out)
{
    for (; x->at < x->count; x->at++) {
        uint32_t from = page, to = x->spans[x->at].to;

        if (from < x->spans[x->at].from)
            from = x->spans[x->at].from;
        from = x->days && from < to ? next_day(x, from, to) : from;
        if (from >= to)
            continue;
        *out = (struct page_run){from, run_end(x, from, to)};
        return true;
    }
    return false;
}

bool sieve_is_wide(const struct sieve *x)
{
    uint32_t all = x->s->head->pages, pages = 0, step = all / LOOKED + 1;

    for (size_t i = 0; i < x->count; i++)
        pages += x->spans[i].to - x->spans[i].from;
    if (pages < all / WIDE)
        return false;
    pages = 0;
    for (uint32_t i = 0; i < all; i += step)
        pages += day_allowed(x, i);
    return pages >= all / step / WIDE;
}

static bool address_allowed(struct sieve *x, uint32_t page)
{
    const char *z = x->s->strings + x->s->pages[page].url;
    struct errctx ec;
    struct url u;

    if (page == x->last)
        return x->last_allowed;
    arena_reset(&x->scratch);
    x->last = page;
    x->last_allowed =
        url_parse(z, strlen(z), NULL, &x->scratch, &u, &ec) == ERR_OK &&
        domains_allow(x->f->include, x->f->exclude, &u);
    x->failed = x->failed || arena_failed(&x->scratch);
    return x->last_allowed;
}

static bool host_allowed(const struct sieve *x, uint32_t page)
{
    size_t low = 0, high = x->count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (x->spans[mid].from <= page)
            low = mid + 1;
        else
            high = mid;
    }
    return low > 0 && page < x->spans[low - 1].to;
}

bool sieve_allows(struct sieve *x, uint32_t page)
{
    return (x->removed == NULL || !(x->removed[page / 64] >> page % 64 & 1)) &&
           day_allowed(x, page) && host_allowed(x, page) &&
           (!x->addresses || address_allowed(x, page));
}
