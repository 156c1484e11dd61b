/*
 * Candidates of all providers to ranked passages; see rank.h. Decides what
 * is relevant at all; which are shown, rank_choose.c does. Called by search.c
 * and the research room.
 */
#include "find/rank.h"
#include "find/listing.h"
#include "find/rank_choose.h"
#include "question/overlap.h"

#include "base/date.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

enum {
    CANDIDATES_MAX = 4000, /* of all providers together */
    LONG_TERMS = 7
};

/* Relevance: the share of the question's weight that must be there, and the
 * share of its names and numbers. Below it: not an answer, but a guess. Of a
 * long question a few rare words are enough (weight 1 is one of them); with
 * half of it there, a name may be spelled otherwise (see sufficient.c). */
static const double COVER_MIN = 0.25;
static const double COVER_ENOUGH = 2.4;
static const double COVER_NAMELESS = 0.5;
static const double NAMES_MIN = 0.01; /* one of them */
static const double NAMES_ENOUGH = 1.6;
/* With one such passage there, others that say less may help to answer. */
static const double COVER_MORE = 0.12;
/* A list of results answers nothing by itself: when one page is as relevant
 * as LIST_BEST asks, all that hold LIST_MIN are shown. */
static const double LIST_BEST = 0.25;
static const double LIST_ENOUGH = 1.1; /* of a question of many words */
static const double LIST_MIN = 0.02;
static const double LIST_STRENGTH = 1.2;
/* What is so near to the question in meaning needs none of its words; with such
 * a passage there, others so near may help. Of questions that pages answer one
 * in twenty has none of the former, of those on something else nine in ten. */
static const double NEAR_HELD = 0.4, NEAR_MORE = 0.25;
/* Reciprocal-rank fusion (Cormack, Clarke, Buettcher 2009), k = 60. */
static const double RRF_K = 60.0;

struct pool {
    const struct query *q;
    bool list;        /* a list of results, not passages for an answer */
    bool known;       /* see rank_all */
    struct db *index; /* for a list, or NULL */
    double best;      /* the largest weight of terms a candidate holds */
    struct entry *e;
    size_t count;
    bool held; /* one passage holds enough to answer from */
};

/* --- collecting ---------------------------------------------------------- */

static bool dates_allow(const struct index_filter *f, int32_t day)
{
    if (f->day_from == DAY_NONE && f->day_to == DAY_NONE)
        return true;
    if (day == DAY_NONE)
        return false;
    return (f->day_from == DAY_NONE || day >= f->day_from) &&
           (f->day_to == DAY_NONE || day <= f->day_to);
}

bool rank_allows(const struct index_filter *f, const struct url *u, int32_t day)
{
    static const struct domain_rules none = {NULL, 0};

    return dates_allow(f, day) &&
           domains_allow(f->include == NULL ? &none : f->include,
                         f->exclude == NULL ? &none : f->exclude, u);
}

/* The place of the entry's page among the pages of its provider. */
static size_t place_of(const struct pool *p, size_t first,
                       const struct entry *e)
{
    size_t place = 0;

    for (size_t i = first; i < p->count; i++) {
        if ((p->e[i].address == e->address || p->e[i].c->page == e->c->page) &&
            rank_is_same_page(p->e[i].c, e->c))
            return p->e[i].place;
        if (p->e[i].place >= place)
            place = p->e[i].place + 1;
    }
    return place;
}

/* Terms in what the text stands under; who is asked about by name often has
 * a host of that name. */
static uint64_t context_mask(const struct query *q, const struct candidate *c)
{
    return overlap_mask(q, c->heading, strlen(c->heading)) |
           overlap_mask(q, c->title, strlen(c->title)) |
           overlap_mask(q, c->host, strlen(c->host));
}

static bool has_share(double have, double all, double share, double enough)
{
    double want = all * share;

    return have >= (want < enough ? want : enough);
}

/* Does the candidate hold enough of the question to be about it? */
static bool is_relevant(const struct pool *p, uint64_t mask, double near)
{
    double weight = overlap_weight(p->q, mask);
    double all = overlap_weight(p->q, overlap_all(p->q));

    if (p->q->meant_by == MEANT_BY_ENCODER && near >= NEAR_MORE)
        return true;
    if (p->list || p->known)
        return mask != 0 && weight >= LIST_MIN * all;
    return mask != 0 && has_share(weight, all, COVER_MORE, COVER_ENOUGH);
}

/* What an allowed one says for the whole: what the filter drops must not
 * vouch for pages that would be too little alone. */
static void note_relevance(struct pool *p, uint64_t mask, double near)
{
    const struct query *q = p->q;
    double weight = overlap_weight(q, mask);
    double all = overlap_weight(q, overlap_all(q));

    if (weight > p->best)
        p->best = weight;
    p->held =
        p->held || (q->meant_by == MEANT_BY_ENCODER && near >= NEAR_HELD) ||
        (has_share(weight, all, COVER_MIN, COVER_ENOUGH) &&
         (has_share(overlap_weight(q, mask & q->names),
                    overlap_weight(q, q->names), NAMES_MIN, NAMES_ENOUGH) ||
          weight >= COVER_NAMELESS * all));
}

/* Half for the heading: the text itself should speak of it. */
static double cover_of(const struct query *q, const struct candidate *c,
                       uint64_t own, uint64_t context)
{
    double cover =
        overlap_share(q, own) + 0.5 * overlap_share(q, context & ~own);

    for (size_t i = 0; i < q->phrase_count; i++)
        if (mem_find_i(c->text, strlen(c->text), q->phrases[i]) != NULL)
            cover += 0.2;
    return cover;
}

/* Is there a rule that the parts of an address decide? */
static bool has_rules(const struct query *q, const struct index_filter *f)
{
    return q->priority.count > 0 || q->preferred.count > 0 ||
           (f->include != NULL && f->include->count > 0) ||
           (f->exclude != NULL && f->exclude->count > 0);
}

static enum err entry_add(struct pool *p, const struct index_filter *f,
                          size_t provider, size_t first, const struct listed *l,
                          struct arena *a)
{
    struct entry *e = &p->e[p->count];
    const struct candidate *c = l->c;
    uint64_t own = l->own, context = l->context;
    struct url u = {.scheme = NULL};
    enum err err = ERR_OK;

    if (p->count == CANDIDATES_MAX || !is_relevant(p, own | context, c->near))
        return ERR_OK;
    /* Those of the index are addresses: they were parsed when it took them. */
    if (c->page == 0 || has_rules(p->q, f))
        err = url_parse(c->url, strlen(c->url), NULL, a, &u, NULL);
    if (err != ERR_OK)
        return err == ERR_NOMEM ? err : ERR_OK;
    if (!rank_allows(f, &u, c->day))
        return ERR_OK;
    note_relevance(p, own | context, c->near);
    e->c = c;
    e->provider = provider;
    e->address = rank_url_hash(c->url);
    e->place = place_of(p, first, e);
    e->strength = l->score;
    e->cover = cover_of(p->q, c, own, context);
    e->priority = domain_rules_match(&p->q->priority, &u);
    e->score = domain_rules_match(&p->q->preferred, &u) ? 0.05 : 0;
    p->count++;
    return ERR_OK;
}

/* For an answer the provider's own scores and order count. */
static enum err found_read(const struct pool *p,
                           const struct provider_answer *pa, struct arena *a,
                           struct listed **out, struct errctx *ec)
{
    if (p->list)
        return listing_score(p->q, p->index, pa->found, pa->count, a, out, ec);
    *out = arena_array(a, pa->count + 1, sizeof(**out));
    if (*out == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < pa->count; i++) {
        const struct candidate *c = &pa->found[i];

        (*out)[i] =
            (struct listed){.c = c,
                            .score = c->score,
                            .own = overlap_mask(p->q, c->text, strlen(c->text)),
                            .context = context_mask(p->q, c)};
    }
    return ERR_OK;
}

static enum err answer_add(struct pool *p, const struct index_filter *f,
                           size_t provider, const struct provider_answer *pa,
                           struct arena *a, struct errctx *ec)
{
    struct listed *found = NULL;
    double top = 0;
    size_t first = p->count;
    enum err e = found_read(p, pa, a, &found, ec);

    for (size_t i = 0; e == ERR_OK && i < pa->count; i++) {
        if (found[i].score > top)
            top = found[i].score;
        e = entry_add(p, f, provider, first, &found[i], a);
    }
    for (size_t i = first; i < p->count; i++)
        p->e[i].strength = top > 0 ? p->e[i].strength / top : 1.0;
    return e;
}

/* --- merging ------------------------------------------------------------- */

/* Passages for an answer should hold the whole question; for a list the
 * provider's own order, with all its statistics, is the better guide. */
static double mixed(const struct pool *p, double fused, const struct entry *e)
{
    if (p->list)
        return 0.2 * fused + LIST_STRENGTH * e->strength + 0.1 * e->cover;
    return 0.25 * fused + 0.35 * e->strength + 0.4 * e->cover;
}

/* The same page from several providers: their places add up, and text from
 * the index is preferred to a provider's snippet. */
static void pool_fuse(struct pool *p)
{
    bool several = false;
    size_t kept = 0;

    for (size_t i = 1; i < p->count; i++)
        several = several || p->e[i].provider != p->e[0].provider;
    for (size_t i = 0; i < p->count; i++) {
        double fused = (RRF_K + 1) / (RRF_K + 1 + (double)p->e[i].place);
        bool drop = false;

        for (size_t k = 0; several && k < p->count; k++) {
            bool other = p->e[k].provider != p->e[i].provider &&
                         rank_is_same_url(p->e[k].c->url, p->e[i].c->url);

            if (!other)
                continue;
            fused += (RRF_K + 1) / (RRF_K + 1 + (double)p->e[k].place);
            drop = drop ||
                   (p->e[i].c->page == 0 && (p->e[k].c->page != 0 || k < i));
        }
        p->e[i].score += mixed(p, fused, &p->e[i]);
        if (drop)
            p->e[i].cover = -1;
    }
    for (size_t i = 0; i < p->count; i++)
        if (p->e[i].cover >= 0)
            p->e[kept++] = p->e[i];
    p->count = kept;
}

/* --- choosing ------------------------------------------------------------ */

static enum err pool_choose(struct pool *p, const struct index_filter *f,
                            size_t max, size_t per_page)
{
    bool any_host = f->include != NULL && f->include->count > 0;
    struct entry *chosen = NULL;
    size_t count = 0;
    enum err e =
        rank_choose(p->e, p->count, any_host, max, per_page, &chosen, &count);

    if (e != ERR_OK)
        return e;
    free(p->e);
    p->e = chosen;
    p->count = count;
    return ERR_OK;
}

static enum err pool_deliver(const struct pool *p, struct arena *a,
                             struct ranked **out, size_t *count)
{
    struct ranked *r = arena_array(a, p->count + 1, sizeof(*r));

    if (r == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < p->count; i++) {
        r[i].c = *p->e[i].c;
        r[i].score = p->e[i].score;
        r[i].coverage = p->e[i].cover > 1 ? 1 : p->e[i].cover;
        r[i].priority = p->e[i].priority;
    }
    *out = r;
    *count = p->count;
    return ERR_OK;
}

/* The question with the rarity of its words known. */
static enum err query_weighed(const struct query *q, struct db *index,
                              struct arena *a, struct query *out,
                              struct errctx *ec)
{
    *out = *q;
    if (q->weighed || index == NULL || q->term_count == 0)
        return ERR_OK;
    out->rarity = arena_array(a, q->term_count, sizeof(*out->rarity));
    return out->rarity == NULL ? ERR_NOMEM : overlap_weigh(out, index, ec);
}

static enum err pool_read(struct pool *p, const struct index_filter *f,
                          const struct provider_answer *answers,
                          size_t answer_count, struct arena *a,
                          struct errctx *ec)
{
    enum err e = ERR_OK;
    size_t total = 0;

    for (size_t i = 0; i < answer_count; i++)
        total += answers[i].count;
    if (total > CANDIDATES_MAX)
        total = CANDIDATES_MAX;
    p->e = calloc(total + 1, sizeof(*p->e));
    if (p->e == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; e == ERR_OK && i < answer_count; i++)
        if (!outcome_is_failure(answers[i].outcome))
            e = answer_add(p, f, i, &answers[i], a, ec);
    return e;
}

/* Is a list worth showing: is its best page about the question? */
static bool list_holds(const struct pool *p)
{
    double all = overlap_weight(p->q, overlap_all(p->q));

    return has_share(p->best, all, LIST_BEST,
                     p->q->term_count >= LONG_TERMS ? LIST_ENOUGH : all);
}

enum err rank_all(const struct query *q, const struct index_filter *f,
                  const struct provider_answer *answers, size_t answer_count,
                  bool known, struct db *index, struct arena *a,
                  struct ranked **out, size_t *count, struct errctx *ec)
{
    struct query weighed;
    struct pool p = {.q = &weighed, .known = known};
    enum err e = query_weighed(q, index, a, &weighed, ec);

    if (e == ERR_OK)
        e = pool_read(&p, f, answers, answer_count, a, ec);
    if (e == ERR_OK) {
        if (!p.held && !known)
            p.count = 0;
        pool_fuse(&p);
        e = pool_deliver(&p, a, out, count);
    }
    free(p.e);
    return e;
}

static enum err rank_pool(struct pool *p, const struct index_filter *f,
                          const struct provider_answer *answers,
                          size_t answer_count, size_t max, size_t per_page,
                          struct arena *a, struct ranked **out, size_t *count,
                          struct errctx *ec)
{
    enum err e = pool_read(p, f, answers, answer_count, a, ec);

    if (e == ERR_OK) {
        if (!p->held && (!p->list || !list_holds(p)))
            p->count = 0;
        pool_fuse(p);
        e = pool_choose(p, f, max, per_page);
    }
    if (e == ERR_OK)
        e = pool_deliver(p, a, out, count);
    free(p->e);
    return e;
}

enum err rank_candidates(const struct query *q, const struct index_filter *f,
                         const struct provider_answer *answers,
                         size_t answer_count, struct db *index, size_t max,
                         size_t per_page, struct arena *a, struct ranked **out,
                         size_t *count, struct errctx *ec)
{
    struct query weighed;
    struct pool p = {.q = &weighed};
    enum err e = query_weighed(q, index, a, &weighed, ec);

    if (e != ERR_OK)
        return e;
    return rank_pool(&p, f, answers, answer_count, max, per_page, a, out, count,
                     ec);
}

enum err rank_results(const struct query *q, const struct index_filter *f,
                      const struct provider_answer *answers,
                      size_t answer_count, struct db *index, size_t max,
                      struct arena *a, struct ranked **out, size_t *count,
                      struct errctx *ec)
{
    struct query weighed;
    struct pool p = {.q = &weighed, .list = true, .index = index};
    enum err e = query_weighed(q, index, a, &weighed, ec);

    if (e != ERR_OK)
        return e;
    return rank_pool(&p, f, answers, answer_count, max, 1, a, out, count, ec);
}

enum err provider_answer_add(struct provider_answer *to,
                             const struct candidate *more, size_t count,
                             struct arena *a)
{
    struct candidate *all = arena_array(a, to->count + count, sizeof(*all));
    size_t n = to->count;

    if (all == NULL)
        return ERR_NOMEM;
    if (n > 0)
        memcpy(all, to->found, n * sizeof(*all));
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;

        while (k < to->count && all[k].passage != more[i].passage)
            k++;
        if (k == to->count)
            all[n++] = more[i];
        else if (more[i].score > all[k].score)
            all[k].score = more[i].score;
    }
    to->found = all;
    to->count = n;
    return ERR_OK;
}
