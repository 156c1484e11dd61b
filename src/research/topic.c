/* What units speak of; see topic.h. */
#include "research/topic.h"

#include "find/meaning_find.h"
#include "question/overlap.h"
#include "research/focus.h"
#include "research/sides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HITS_MAX = 256,
    TOPIC_PAGE = 3,      /* … of one page */
    QUESTION_WORDS = 12, /* that a second question has of the topic */
    BRIDGE_LOOK = 24,    /* words of other sides that are looked at */
    BRIDGE_WORDS = 6,    /* … and said for a side that has none of its own */
    ROUNDS_OWN = 2       /* that ask for a part by its own topic alone */
};

/* By searches over judged tasks. */
static const double COVER_LEAST = 0.1;
static const double TOPIC_POWER = 2;    /* of what they speak of the question */
static const double OF_ITSELF = 0.1;    /* what a page counts for itself */
static const double NAME_WEIGHT = 0.2;  /* of a name that hosts are about */
static const double ASIDE_WEIGHT = 0.3; /* of what only says where */
static const double CALLED = 0.95; /* of the part's words, what stands above */
static const double OTHERS = 3; /* of more other parts each counts by its square
                                   over that of how many they are */
static const double SHARED = 4; /* the other parts', of a part without words */
static const double NEAR_LEAST = 0.7; /* of the nearest of a part */

/* What is asked, with other words for it. */
struct asked {
    struct query q;
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
    uint64_t aside = e == ERR_OK ? focus_aside(&x->q, &w->r->plan) : 0;

    if (e == ERR_OK)
        e = overlap_weigh(&x->q, w->r->env->index, ec);
    for (size_t i = 0; e == ERR_OK && i < x->q.term_count; i++)
        if (about_hosted(&w->r->about, x->q.terms[i].text))
            x->q.terms[i].weight *= NAME_WEIGHT;
        else if (aside >> i & 1)
            x->q.terms[i].weight *= ASIDE_WEIGHT;
    return e;
}

static uint64_t terms_in(const struct asked *x, const char *p, size_t n)
{
    struct overlap_hit hits[HITS_MAX];
    size_t tokens, count = overlap_hits(&x->q, p, n, hits, HITS_MAX, &tokens);
    uint64_t mask = 0;

    for (size_t i = 0; i < count; i++)
        mask |= (uint64_t)1 << hits[i].term;
    return mask;
}

/* The terms that it stands under. */
static uint64_t over_mask(const struct choices *w, const struct choice *c,
                          const struct asked *x)
{
    const struct evidence *ev = &w->r->evidence[c->blocks[0].row];

    return terms_in(x, ev->heading, strlen(ev->heading)) |
           terms_in(x, ev->title, strlen(ev->title));
}

/* The terms that the unit holds, and with *around what it stands under. */
static uint64_t mask_of(const struct choices *w, const struct choice *c,
                        const struct asked *x, uint64_t *around)
{
    uint64_t own = 0;

    for (size_t k = 0; k < c->count; k++) {
        const struct run_block *b = &c->blocks[k];

        own |= terms_in(x, w->r->evidence[b->row].text + b->start, b->len);
    }
    *around = own | over_mask(w, c, x);
    return own;
}

/* Of what is asked as a whole, what neither this one of many parts nor its
 * context says counts less for it: in "layers, masks, selections, sharpening" a
 * place that speaks of several is none on the first. */
static enum err others_weigh(const struct choices *w, size_t sub,
                             struct asked *all)
{
    const struct plan *p = &w->r->plan;
    const char *own = arena_printf(w->a, "%s %s", p->subs[sub].question,
                                   p->subs[sub].context);
    double less = pow(OTHERS / (double)(p->count - 1), 2);
    uint64_t said = own == NULL ? 0 : terms_in(all, own, strlen(own));

    for (size_t i = 0; i < all->q.term_count; i++)
        all->q.terms[i].weight *= (said >> i & 1) != 0 ? 1 : less;
    return own == NULL ? ERR_NOMEM : ERR_OK;
}

/* How much the units of a part speak of the whole question, and of the part. */
static void cover_read(struct choices *w, size_t sub, const struct asked *all,
                       const struct asked *part)
{
    uint64_t asked = focus_own(&part->q, &w->r->about, &w->r->plan, sub);
    double most = overlap_weight(&part->q, asked);
    const char *z = w->r->plan.subs[sub].question;
    uint64_t said = terms_in(all, z, strlen(z));

    for (size_t i = 0; i < w->count; i++) {
        struct choice *c = &w->v[i];
        uint64_t around, own;

        if (c->unit->sub != sub)
            continue;
        if (most > 0)
            c->headed =
                overlap_weight(&part->q, asked & over_mask(w, c, part)) / most;
        c->called =
            c->headed >= CALLED &&
            ((asked & (asked - 1)) != 0 || (over_mask(w, c, all) & ~said) != 0);
        own = mask_of(w, c, all, &around);
        c->says = overlap_share(&all->q, own);
        c->cover = overlap_share(&all->q, around) + c->says + COVER_LEAST;
        c->own = overlap_share(&part->q, mask_of(w, c, part, &around));
    }
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

/* The units of a part that speak most of the question, few of a page: what
 * tells its topic. */
static enum err speakers_read(struct choices *w, size_t sub)
{
    const struct choice **v = arena_array(w->a, w->count + 1, sizeof(*v));
    size_t taken = 0, n = 0;

    if (v == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < w->count; i++)
        if (w->v[i].unit->sub == sub && !choices_is_short(&w->v[i]))
            v[n++] = &w->v[i];
    if (n > 1)
        qsort(v, n, sizeof(*v), by_cover);
    for (size_t i = 0; i < n && taken < SPEAKERS_MAX; i++)
        if (!is_enough(v, i))
            w->speakers[sub][taken++] = v[i];
    w->speaker_count[sub] = taken;
    return ERR_OK;
}

/* What these speak of: a weight for each concept, CONCEPTS_MAX of them. One
 * page counts less (0: none does). */
static void topic_words(const struct choices *w, size_t sub, size_t less,
                        double *weight)
{
    memset(weight, 0, CONCEPTS_MAX * sizeof(*weight));
    for (size_t i = 0; i < w->speaker_count[sub]; i++) {
        const struct choice *c = w->speakers[sub][i];
        double counts =
            pow(c->cover, TOPIC_POWER) * (c->page == less ? OF_ITSELF : 1);

        for (size_t k = 0; k < c->concept_count; k++)
            weight[c->concepts[k]] += counts;
    }
    for (size_t i = 0; i < CONCEPTS_MAX; i++)
        weight[i] *= w->c[i].rare;
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

static void scale_to_one(double *v)
{
    double sum = 0;

    for (size_t i = 0; i < CONCEPTS_MAX; i++)
        sum += v[i] * v[i];
    for (size_t i = 0; i < CONCEPTS_MAX && sum > 0; i++)
        v[i] /= sqrt(sum);
}

/* The text with the words of most weight behind it. */
static enum err words_add(const struct choices *x, double *weight,
                          const char **text, struct arena *a)
{
    struct query q;
    enum err e = query_parse(x->r->query.text, a, &q);

    for (size_t k = 0; e == ERR_OK && k < QUESTION_WORDS; k++) {
        const struct concept *c = most_of(x, &q, weight);

        if (c != NULL)
            *text = arena_printf(a, "%s %s", *text, c->word);
    }
    return e == ERR_OK && arena_failed(a) ? ERR_NOMEM : e;
}

/* Does nothing that was read for the part hold the rarest word that it asks
 * about, and something that was read for another? It is that one's word. */
static enum err is_foreign(const struct choices *w, size_t sub, bool *out,
                           struct errctx *ec)
{
    const struct run *r = w->r;
    const struct plan_sub *part = &r->plan.subs[sub];
    size_t rarest = QUERY_TERMS_MAX;
    bool own = false, other = false;
    uint64_t aside, front = 0;
    struct query q;
    enum err e = ERR_OK;

    *out = false;
    if (!r->plan.is_named || part->side >= r->plan.side_count)
        return ERR_OK;
    e = query_parse(part->question, w->a, &q);
    if (e == ERR_OK)
        e = overlap_weigh(&q, r->env->index, ec);
    if (e == ERR_OK)
        front = focus_mask(&q, part->question, &aside);
    for (size_t i = 0; e == ERR_OK && i < q.term_count; i++)
        if ((front >> i & 1) != 0 &&
            !about_hosted(&r->about, q.terms[i].text) &&
            (rarest == QUERY_TERMS_MAX || q.rarity[i] > q.rarity[rarest]))
            rarest = i;
    for (size_t i = 0; i < r->evidence_count && rarest < QUERY_TERMS_MAX; i++) {
        const struct evidence *ev = &r->evidence[i];
        bool held = ((overlap_mask(&q, ev->text, strlen(ev->text)) |
                      overlap_mask(&q, ev->title, strlen(ev->title))) >>
                         rarest &
                     1) != 0;

        own = own || (held && ev->sub == (int64_t)sub);
        other = other || (held && ev->sub != (int64_t)sub);
    }
    *out = other && !own;
    return e;
}

/* Does a page of the hosts hold the concept? */
static enum err is_held(const struct choices *w, const struct concept *c,
                        const struct domain_rules *hosts, bool *out,
                        struct errctx *ec)
{
    struct index_term t = {.text = c->text, .weight = 1, .word = c->word};
    struct deadline d = deadline_in(w->r->env->conf->deadline_standard_ms);
    struct index_filter f = w->r->filter;
    struct candidate *found = NULL;
    size_t n = 0;
    enum err e;

    f.include = hosts;
    e = index_query(w->r->env->index, &t, 1, &f, 1, &d, w->a, &found, &n, ec);
    *out = e == ERR_OK && n > 0;
    return e == ERR_NO_RESULT ? ERR_OK : e;
}

/* The text with the words of most weight behind it that its hosts know. */
static enum err held_add(const struct choices *w, double *weight,
                         const char **text, struct errctx *ec)
{
    struct domain_rules hosts;
    struct query own, q;
    size_t n = 0;
    enum err e = query_parse(*text, w->a, &own);

    if (e == ERR_OK)
        e = query_parse(w->r->query.text, w->a, &q);
    if (e == ERR_OK)
        e = about_hosts(&w->r->about, &own, w->a, &hosts);
    for (size_t k = 0; e == ERR_OK && k < BRIDGE_LOOK && n < BRIDGE_WORDS;
         k++) {
        const struct concept *c = most_of(w, &q, weight);
        bool held = false;

        if (c != NULL)
            e = is_held(w, c, &hosts, &held, ec);
        if (e == ERR_OK && held) {
            *text = arena_printf(w->a, "%s %s", *text, c->word);
            n++;
        }
    }
    return e == ERR_OK && arena_failed(w->a) ? ERR_NOMEM : e;
}

/* What a foreign part asks in its own hosts' words: those that the pages of
 * its other sides speak of. NULL: it is none. */
static enum err bridge_of(const struct choices *w, size_t sub,
                          const char **text, struct errctx *ec)
{
    const struct plan *p = &w->r->plan;
    double *sum = arena_array(w->a, CONCEPTS_MAX, sizeof(*sum));
    double *one = arena_array(w->a, CONCEPTS_MAX, sizeof(*one));
    bool foreign = false;
    enum err e = one == NULL || sum == NULL ? ERR_NOMEM
                                            : is_foreign(w, sub, &foreign, ec);

    *text = NULL;
    if (e != ERR_OK || !foreign)
        return e;
    memset(sum, 0, CONCEPTS_MAX * sizeof(*sum));
    for (size_t k = 0; k < p->count; k++) {
        if (k == sub || strcmp(p->subs[k].title, p->subs[sub].title) != 0)
            continue;
        topic_words(w, k, 0, one);
        for (size_t i = 0; i < CONCEPTS_MAX; i++)
            sum[i] += one[i];
    }
    topic_words(w, sub, 0, one);
    scale_to_one(sum);
    scale_to_one(one);
    for (size_t i = 0; e == ERR_OK && i < CONCEPTS_MAX; i++)
        sum[i] -= one[i];
    *text = p->sides[p->subs[sub].side];
    return e == ERR_OK ? held_add(w, sum, text, ec) : e;
}

enum err topic_fit(const struct choices *x, double *out, size_t *terms,
                   struct errctx *ec)
{
    const struct run *r = x->r;
    size_t parts = r->plan.count;
    enum err e = ERR_OK;

    memset(out, 0, x->count * parts * sizeof(*out));
    for (size_t sub = 0; e == ERR_OK && sub < parts; sub++) {
        struct asked part;
        uint64_t asked, around;

        e = asked_read(x, r->plan.subs[sub].own, &part, ec);
        if (e != ERR_OK)
            return e;
        asked = focus_own(&part.q, &r->about, &r->plan, sub);
        terms[sub] = (size_t)__builtin_popcountll(asked);
        for (size_t i = 0; i < x->count; i++) {
            const struct choice *c = &x->v[i];
            const struct evidence *ev = &r->evidence[c->blocks[0].row];
            const char *over = *ev->heading == '\0' ? ev->title : ev->heading;

            if (c->chosen)
                out[i * parts + sub] =
                    overlap_share(&part.q, mask_of(x, c, &part, &around)) +
                    overlap_share(&part.q,
                                  asked & terms_in(&part, over, strlen(over)));
        }
    }
    return e;
}

/* How much of the question units speak of, and of their part. */
static enum err covers_read(struct choices *w, struct errctx *ec)
{
    const struct plan *p = &w->r->plan;
    bool many = p->side_count == 0 && (double)p->count - 1 > OTHERS;
    struct asked all, part;
    enum err e = asked_read(w, w->r->query.text, &all, ec);

    for (size_t i = 0; e == ERR_OK && i < p->count; i++) {
        e = asked_read(w, p->subs[i].own, &part, ec);
        if (e == ERR_OK && many)
            e = asked_read(w, w->r->query.text, &all, ec);
        if (e == ERR_OK && many)
            e = others_weigh(w, i, &all);
        if (e == ERR_OK)
            cover_read(w, i, &all, &part);
    }
    for (size_t i = 0; e == ERR_OK && i < p->count; i++)
        e = speakers_read(w, i);
    for (size_t i = 0; e == ERR_OK && i < p->count; i++)
        e = bridge_of(w, i, &w->bridge[i], ec);
    for (size_t i = 0; e == ERR_OK && i < p->count; i++) {
        if (w->bridge[i] == NULL)
            continue;
        e = asked_read(w, w->bridge[i], &part, ec);
        if (e != ERR_OK)
            return e;
        cover_read(w, i, &part, &part);
        e = speakers_read(w, i);
    }
    return e;
}

/* How near the rows are to the text by an encoder; false: there is none. */
static enum err rows_measure(struct choices *w, const char *text,
                             struct candidate *rows, bool *known,
                             struct errctx *ec)
{
    struct meaning *m = w->r->env->meaning;
    struct candidate *found = NULL;
    size_t n = 0;
    struct query q;
    enum err e = text == NULL ? ERR_NOMEM : query_parse(text, w->a, &q);

    *known = false;
    if (e == ERR_OK)
        e = meaning_read_closely(m, w->r->env->index, &q);
    if (e != ERR_OK || q.meaning == NULL)
        return e;
    /* What follows looks at the vectors that this call takes up. */
    e = meaning_fuse(m, w->r->env->index, &q, &w->r->filter, 1, w->a, &found,
                     &n, ec);
    if (e == ERR_OK)
        meaning_measure(m, &q, rows, w->r->evidence_count);
    *known = e == ERR_OK;
    return e;
}

static double nearest_row(const struct choice *c, const struct candidate *rows)
{
    double near = 0;

    for (size_t k = 0; k < c->count; k++)
        near = fmax(near, rows[c->blocks[k].row].near);
    return near;
}

/* How near the units are to the question in meaning, and to their part. */
static enum err near_read(struct choices *w, size_t sub, struct candidate *rows,
                          struct errctx *ec)
{
    const struct plan_sub *part = &w->r->plan.subs[sub];
    double most = 0;
    bool known;
    enum err e = rows_measure(
        w, arena_printf(w->a, "%s %s", part->question, part->context), rows,
        &known, ec);

    for (size_t i = 0; e == ERR_OK && known && i < w->count; i++) {
        struct choice *c = &w->v[i];

        if (c->unit->sub != sub)
            continue;
        c->near = nearest_row(c, rows);
        if (!choices_is_short(c))
            most = fmax(most, c->near);
    }
    for (size_t i = 0; e == ERR_OK && i < w->count; i++)
        if (w->v[i].unit->sub == sub)
            w->v[i].far = w->v[i].near > 0 && w->v[i].near < NEAR_LEAST * most;
    return e;
}

static enum err closely_read(struct choices *w, struct candidate *rows,
                             struct errctx *ec)
{
    bool known;
    enum err e = rows_measure(w, w->r->query.text, rows, &known, ec);

    for (size_t i = 0; e == ERR_OK && known && i < w->count; i++)
        w->v[i].closely = nearest_row(&w->v[i], rows);
    return e;
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

/* How much a part says itself of what is asked: what its terms weigh. */
static enum err part_weight(const struct choices *w, size_t sub, double *out,
                            struct errctx *ec)
{
    struct query q;
    enum err e = query_parse(w->r->plan.subs[sub].question, w->a, &q);

    *out = 0;
    if (e == ERR_OK)
        e = overlap_weigh(&q, w->r->env->index, ec);
    for (size_t i = 0; e == ERR_OK && i < q.term_count; i++)
        *out += q.terms[i].weight *
                (about_hosted(&w->r->about, q.terms[i].text) ? NAME_WEIGHT : 1);
    return e;
}

/* How much less a part says than the part that says most, 0-1. */
static enum err vagueness_of(const struct choices *w, size_t sub, double *out,
                             struct errctx *ec)
{
    double most = 0, own = 0;
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < w->r->plan.count; i++) {
        double one = 0;

        e = part_weight(w, i, &one, ec);
        most = fmax(most, one);
        own = i == sub ? one : own;
    }
    *out = most > 0 ? 1 - own / most : 0;
    return e;
}

/* A part that says little is about what the others are: "make them faster".
 * other: room for CONCEPTS_MAX. */
static void topic_share_in(const struct choices *w, size_t sub, size_t less,
                           double vagueness, double *other, double *weight)
{
    size_t parts = w->r->plan.count;
    double share = parts < 2 ? 0 : vagueness * SHARED / (double)(parts - 1);

    if (parts > 1)
        scale_to_one(weight);
    for (size_t k = 0; k < parts && share > 0; k++) {
        if (k == sub)
            continue;
        topic_words(w, k, less, other);
        scale_to_one(other);
        for (size_t i = 0; i < CONCEPTS_MAX; i++)
            weight[i] += share * other[i];
    }
}

/* How near the units of a part are to its topic, by words alone (relevance
 * feedback, Rocchio 1971): a page says the same without the question's words.
 * The topic is what the other pages speak of, first of all, so that a page that
 * has the words by chance does not vouch for itself. */
static enum err topic_read(struct choices *w, size_t sub, struct errctx *ec)
{
    double *weight = arena_array(w->a, 2 * CONCEPTS_MAX, sizeof(*weight));
    double most = 0, vagueness = 0;
    enum err e =
        weight == NULL ? ERR_NOMEM : vagueness_of(w, sub, &vagueness, ec);

    for (size_t page = 1; e == ERR_OK && page <= w->pages; page++) {
        bool read = false;

        for (size_t i = 0; i < w->count; i++) {
            if (w->v[i].unit->sub != sub || w->v[i].page != page)
                continue;
            if (!read) {
                topic_words(w, sub, page, weight);
                topic_share_in(w, sub, page, vagueness, weight + CONCEPTS_MAX,
                               weight);
            }
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
        e = sides_weigh(x);
    for (size_t i = 0; e == ERR_OK && i < parts; i++)
        e = near_read(x, i, rows, ec);
    if (e == ERR_OK)
        e = closely_read(x, rows, ec);
    for (size_t i = 0; e == ERR_OK && i < parts; i++)
        e = topic_read(x, i, ec);
    pages_count(x);
    return e;
}

enum err topic_read_parts(const struct run *r, struct arena *a,
                          struct choices *out, struct errctx *ec)
{
    enum err e = choices_read(r, a, out);

    if (e == ERR_OK)
        e = rarity_read(out, ec);
    return e == ERR_OK ? covers_read(out, ec) : e;
}

enum err topic_question(const struct choices *x, size_t sub, const char **out,
                        struct errctx *ec)
{
    const struct run *r = x->r;
    double *weight = arena_array(x->a, 2 * CONCEPTS_MAX, sizeof(*weight));
    double vagueness = 0;
    enum err e = weight == NULL ? ERR_NOMEM : ERR_OK;

    if (e != ERR_OK || x->bridge[sub] != NULL) {
        *out = x->bridge[sub];
        return e;
    }
    *out = r->plan.subs[sub].question;
    topic_words(x, sub, 0, weight);
    if (r->round > ROUNDS_OWN) {
        e = vagueness_of(x, sub, &vagueness, ec);
        if (e == ERR_OK)
            topic_share_in(x, sub, 0, vagueness, weight + CONCEPTS_MAX, weight);
    }
    return e == ERR_OK ? words_add(x, weight, out, x->a) : e;
}
