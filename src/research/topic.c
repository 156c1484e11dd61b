/* What units speak of; see topic.h. */
#include "research/topic.h"

#include "find/meaning_find.h"
#include "lang/words.h"
#include "question/overlap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HITS_MAX = 256,
    TOPIC_UNITS = 50,   /* that tell what a part is about */
    TOPIC_PAGE = 3,     /* … of one page */
    QUESTION_WORDS = 12 /* that a second question has of the topic */
};

/* By searches over judged tasks. */
static const double COVER_LEAST = 0.1;
static const double TOPIC_POWER = 2;   /* of what they speak of the question */
static const double OF_ITSELF = 0.1;   /* what a page counts for itself */
static const double NAME_WEIGHT = 0.2; /* of a name that hosts are about */
static const double NEAR_LEAST = 0.7;  /* of the nearest of a part */

/* What is asked, with other words for it. */
struct asked {
    struct query q;
    struct overlap_kin kin;
};

static enum err rarity_read(struct choices *w, struct errctx *ec)
{
    struct index_term *terms = arena_array(w->a, w->used + 1, sizeof(*terms));
    int64_t *df = arena_array(w->a, w->used + 1, sizeof(*df)), all = 0;
    size_t n = 0;
    enum err e;

    if (terms == NULL || df == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < CONCEPTS_MAX; i++)
        if (w->c[i].text != NULL)
            terms[n++] = (struct index_term){.text = w->c[i].text, .weight = 1};
    e = n == 0 ? ERR_OK : index_df(w->r->env->index, terms, n, df, &all, ec);
    n = 0;
    for (size_t i = 0; e == ERR_OK && i < CONCEPTS_MAX; i++)
        if (w->c[i].text != NULL)
            w->c[i].rare = log(1 + (double)all / (1.0 + (double)df[n++]));
    return e;
}

/* How many pages speak of each concept. */
static void pages_count(struct choices *w)
{
    for (size_t page = 1; page <= w->pages; page++)
        for (size_t i = 0; i < w->count; i++)
            for (size_t k = 0;
                 w->v[i].page == page && k < w->v[i].concept_count; k++) {
                struct concept *o = &w->c[w->v[i].concepts[k]];

                o->pages += o->last != page;
                o->last = page;
            }
}

static enum err asked_read(const struct choices *w, const char *text,
                           struct asked *x, struct errctx *ec)
{
    enum err e = query_parse(text, w->a, &x->q);

    if (e == ERR_OK)
        e = overlap_weigh(&x->q, w->r->env->index, ec);
    for (size_t i = 0; e == ERR_OK && i < x->q.term_count; i++)
        if (about_hosted(&w->r->about, x->q.terms[i].text))
            x->q.terms[i].weight *= NAME_WEIGHT;
    if (e == ERR_OK)
        overlap_kin_read(&x->q, &x->kin);
    return e;
}

static uint64_t terms_in(const struct asked *x, const char *p, size_t n)
{
    struct overlap_hit hits[HITS_MAX];
    size_t tokens,
        count = overlap_hits(&x->q, &x->kin, p, n, hits, HITS_MAX, &tokens);
    uint64_t mask = 0;

    for (size_t i = 0; i < count; i++)
        mask |= (uint64_t)1 << hits[i].term;
    return mask;
}

/* The terms that the unit holds, and with *around what it stands under. */
static uint64_t mask_of(const struct choices *w, const struct choice *c,
                        const struct asked *x, uint64_t *around)
{
    const struct evidence *ev = &w->r->evidence[c->blocks[0].row];
    uint64_t own = 0;

    for (size_t k = 0; k < c->count; k++) {
        const struct run_block *b = &c->blocks[k];

        own |= terms_in(x, w->r->evidence[b->row].text + b->start, b->len);
    }
    *around = own | terms_in(x, ev->heading, strlen(ev->heading)) |
              terms_in(x, ev->title, strlen(ev->title));
    return own;
}

/* How much of the whole question a unit speaks of, and of its part. */
static enum err covers_read(struct choices *w, struct errctx *ec)
{
    const struct plan *p = &w->r->plan;
    struct asked *x = arena_array(w->a, p->count + 1, sizeof(*x));
    const struct asked *all;
    enum err e;

    if (x == NULL)
        return ERR_NOMEM;
    all = &x[p->count];
    e = asked_read(w, w->r->query.text, &x[p->count], ec);
    for (size_t i = 0; e == ERR_OK && i < p->count; i++)
        e = asked_read(w, p->subs[i].question, &x[i], ec);
    for (size_t i = 0; e == ERR_OK && i < w->count; i++) {
        struct choice *c = &w->v[i];
        const struct asked *part = &x[c->unit->sub];
        uint64_t around, own = mask_of(w, c, all, &around);

        c->cover = overlap_share(&all->q, around) +
                   overlap_share(&all->q, own) + COVER_LEAST;
        c->own = overlap_share(&part->q, mask_of(w, c, part, &around));
    }
    return e;
}

/* How near the units of a part are to it in meaning; c: the evidence's rows. */
static enum err near_read(struct choices *w, size_t sub, struct candidate *c,
                          struct errctx *ec)
{
    const struct plan_sub *part = &w->r->plan.subs[sub];
    const char *text =
        arena_printf(w->a, "%s %s", part->question, part->context);
    struct meaning *m = w->r->env->meaning;
    struct candidate *found = NULL;
    double most = 0;
    size_t n = 0;
    struct query q;
    enum err e = text == NULL ? ERR_NOMEM : query_parse(text, w->a, &q);

    if (e == ERR_OK)
        e = meaning_read(m, w->r->env->index, &q);
    if (e != ERR_OK || q.meaning == NULL)
        return e;
    /* What follows looks at the vectors that this call takes up. */
    e = meaning_fuse(m, w->r->env->index, &q, &w->r->filter, 1, w->a, &found,
                     &n, ec);
    if (e != ERR_OK)
        return e;
    meaning_measure(m, &q, c, w->r->evidence_count);
    for (size_t i = 0; i < w->count; i++) {
        struct choice *x = &w->v[i];

        for (size_t k = 0; x->unit->sub == sub && k < x->count; k++)
            x->near = fmax(x->near, c[x->blocks[k].row].near);
        if (x->unit->sub == sub && !choices_is_short(x))
            most = fmax(most, x->near);
    }
    for (size_t i = 0; i < w->count; i++) {
        struct choice *x = &w->v[i];

        if (x->unit->sub == sub)
            x->far = x->near > 0 && x->near < NEAR_LEAST * most;
    }
    return ERR_OK;
}

/* A side, and which of its terms no other one has. */
struct side {
    struct query q;
    uint64_t own;
};

static enum err side_read(const struct choices *w, size_t i, struct side *out)
{
    const struct plan *p = &w->r->plan;
    enum err e = query_parse(p->sides[i], w->a, &out->q);

    if (e != ERR_OK)
        return e;
    out->own = overlap_all(&out->q);
    for (size_t k = 0; k < p->side_count; k++)
        if (k != i)
            out->own &=
                ~overlap_mask(&out->q, p->sides[k], strlen(p->sides[k]));
    return ERR_OK;
}

/* Which of the sides the unit names, itself or in what it stands under: a bit
 * each. */
static unsigned sides_named(const struct choices *w, const struct choice *c,
                            const struct side *sides)
{
    const struct evidence *ev = &w->r->evidence[c->blocks->row];
    const char *z = arena_printf(w->a, "%s %s", ev->title, ev->heading);
    unsigned named = 0;

    for (size_t k = 0; z != NULL && k < c->count; k++) {
        const struct run_block *b = &c->blocks[k];

        z = arena_printf(w->a, "%s %.*s", z, (int)b->len,
                         w->r->evidence[b->row].text + b->start);
    }
    for (size_t i = 0; z != NULL && i < w->r->plan.side_count; i++) {
        uint64_t held = overlap_mask_loose(&sides[i].q, z, strlen(z));

        named |= (held & sides[i].own) != 0 ? 1u << i : 0;
    }
    return named;
}

/* What is said of the sides together names at least two; what is said of one
 * names that one, or none. */
static enum err sides_read(struct choices *w)
{
    const struct plan *p = &w->r->plan;
    const char *together = phrase(w->r->query.lang, PHRASE_COMPARED);
    struct side sides[PLAN_SIDES_MAX];
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < p->side_count; i++)
        e = side_read(w, i, &sides[i]);
    for (size_t i = 0; e == ERR_OK && i < w->count; i++) {
        const struct plan_sub *part = &p->subs[w->v[i].unit->sub];
        unsigned named = sides_named(w, &w->v[i], sides);

        if (part->side < p->side_count)
            w->v[i].beside = named != 0 && (named >> part->side & 1) == 0;
        else
            w->v[i].beside = strcmp(part->title, together) == 0 &&
                             (named & (named - 1)) == 0;
    }
    return e == ERR_OK && arena_failed(w->a) ? ERR_NOMEM : e;
}

static int by_cover(const void *x, const void *y)
{
    const struct choice *a = *(const struct choice *const *)x;
    const struct choice *b = *(const struct choice *const *)y;

    if (a->cover > b->cover || a->cover < b->cover)
        return a->cover > b->cover ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Of the units before the i-th: is it one of them, or has its page enough? */
static bool is_enough(const struct choice *const *v, size_t i)
{
    size_t before = 0;

    for (size_t k = 0; k < i; k++) {
        if (v[k]->page != v[i]->page)
            continue;
        if (v[k]->blocks->row == v[i]->blocks->row &&
            v[k]->blocks->start == v[i]->blocks->start)
            return true;
        before++;
    }
    return before >= TOPIC_PAGE;
}

/* What the part's pages speak of where they speak most of the question: a
 * weight for each concept, CONCEPTS_MAX of them. One page counts less (0: none
 * does). */
static enum err topic_words(const struct choices *w, size_t sub, size_t less,
                            double *weight)
{
    const struct choice **v = arena_array(w->a, w->count + 1, sizeof(*v));
    size_t taken = 0, n = 0;

    if (v == NULL)
        return ERR_NOMEM;
    memset(weight, 0, CONCEPTS_MAX * sizeof(*weight));
    for (size_t i = 0; i < w->count; i++)
        if (w->v[i].unit->sub == sub && !choices_is_short(&w->v[i]))
            v[n++] = &w->v[i];
    if (n > 1)
        qsort(v, n, sizeof(*v), by_cover);
    for (size_t i = 0; i < n && taken < TOPIC_UNITS; i++) {
        double counts = pow(v[i]->cover, TOPIC_POWER) *
                        (v[i]->page == less ? OF_ITSELF : 1);

        if (is_enough(v, i))
            continue;
        for (size_t k = 0; k < v[i]->concept_count; k++)
            weight[v[i]->concepts[k]] += counts;
        taken++;
    }
    for (size_t i = 0; i < CONCEPTS_MAX; i++)
        weight[i] *= w->c[i].rare;
    return ERR_OK;
}

/* The cosine of the unit's concepts and the topic's, but for a factor. */
static double topic_share(const struct choices *w, const struct choice *c,
                          const double *weight)
{
    double sum = 0, own = 0;

    for (size_t k = 0; k < c->concept_count; k++) {
        double rare = w->c[c->concepts[k]].rare;

        sum += weight[c->concepts[k]] * rare;
        own += rare * rare;
    }
    return own > 0 ? sum / sqrt(own) : 0;
}

/* How near the units of a part are to its topic, by words alone (relevance
 * feedback, Rocchio 1971): a page says the same without the question's words.
 * The topic is what the other pages speak of, first of all, so that a page that
 * has the words by chance does not vouch for itself. */
static enum err topic_read(struct choices *w, size_t sub)
{
    double *weight = arena_array(w->a, CONCEPTS_MAX, sizeof(*weight));
    double most = 0;
    enum err e = weight == NULL ? ERR_NOMEM : ERR_OK;

    for (size_t page = 1; e == ERR_OK && page <= w->pages; page++) {
        bool read = false;

        for (size_t i = 0; e == ERR_OK && i < w->count; i++) {
            if (w->v[i].unit->sub != sub || w->v[i].page != page)
                continue;
            if (!read)
                e = topic_words(w, sub, page, weight);
            read = true;
            w->v[i].topic = topic_share(w, &w->v[i], weight);
            most = fmax(most, w->v[i].topic);
        }
    }
    for (size_t i = 0; e == ERR_OK && i < w->count && most > 0; i++)
        if (w->v[i].unit->sub == sub)
            w->v[i].topic /= most;
    return e;
}

enum err topic_weigh(struct choices *x, struct candidate *rows,
                     struct errctx *ec)
{
    size_t parts = x->r->plan.count;
    enum err e = rarity_read(x, ec);

    if (e == ERR_OK)
        e = covers_read(x, ec);
    if (e == ERR_OK)
        e = sides_read(x);
    for (size_t i = 0; e == ERR_OK && i < parts; i++)
        e = near_read(x, i, rows, ec);
    for (size_t i = 0; e == ERR_OK && i < parts; i++)
        e = topic_read(x, i);
    pages_count(x);
    return e;
}

/* The concept of most weight that the question does not say, or NULL. */
static struct concept *most_of(const struct choices *x, const struct query *q,
                               double *weight)
{
    size_t best = CONCEPTS_MAX;

    for (size_t i = 0; i < CONCEPTS_MAX; i++) {
        bool said = weight[i] <= 0 || x->c[i].text == NULL;

        for (size_t t = 0; t < q->term_count && !said; t++)
            said = strcmp(q->terms[t].text, x->c[i].text) == 0;
        if (!said && (best == CONCEPTS_MAX || weight[i] > weight[best]))
            best = i;
    }
    if (best == CONCEPTS_MAX)
        return NULL;
    weight[best] = 0;
    return &x->c[best];
}

enum err topic_question(const struct run *r, size_t sub, struct arena *a,
                        const char **out, struct errctx *ec)
{
    double *weight = arena_array(a, CONCEPTS_MAX, sizeof(*weight));
    const char *text = r->plan.subs[sub].question;
    const struct concept *c;
    struct choices x;
    struct query q;
    enum err e = weight == NULL ? ERR_NOMEM : choices_read_part(r, sub, a, &x);

    if (e == ERR_OK)
        e = rarity_read(&x, ec);
    if (e == ERR_OK)
        e = covers_read(&x, ec);
    if (e == ERR_OK)
        e = topic_words(&x, sub, 0, weight);
    if (e == ERR_OK)
        e = query_parse(r->query.text, a, &q);
    for (size_t k = 0; e == ERR_OK && k < QUESTION_WORDS; k++) {
        c = most_of(&x, &q, weight);
        if (c != NULL)
            text = arena_printf(a, "%s %s", text, c->word);
    }
    *out = text;
    return e == ERR_OK && arena_failed(a) ? ERR_NOMEM : e;
}
