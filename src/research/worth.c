/*
 * How much a reader wants a unit; see worth.h. Told by what it says and by
 * what its page and its host say beside the best there is, so that a question
 * in other words than the pages' loses nothing.
 */
#include "research/worth.h"

#include "answer/label.h"
#include "find/meaning_find.h"
#include "question/overlap.h"
#include "research/focus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MET_BYTES = 4000,
    NEAREST = 40, /* units that tell which hosts know of the question */
    WORDS_MANY = 150,
    WORDS_FEW = 30, /* below it each word counts more */
    BLOCKS_MANY = 8
};

enum {
    HEADED,  /* how much of its part's words it stands under, 0-1 */
    TOPIC,   /* … it speaks of what its part's pages do, 0-1 */
    SPREAD,  /* … its page speaks of the question throughout, beside the best
                of the pages of its side, whose words are their own, 0-1 */
    EXTENT,  /* of how many units were read of its page, the logarithm */
    HOST,    /* how many of the NEAREST its host has, beside the best, 0-1 */
    BORNE,   /* its host bears a name that is asked about, where one does */
    LENGTH,  /* in words, 0-1 */
    ENOUGH,  /* … of the few that say little, 0-1 */
    BLOCKS,  /* how many, 0-1: a list is a long thing for one who reads */
    MET,     /* how near it is to the question, or to its part, by the vectors
                of words */
    CLOSELY, /* … by an encoder's */
    FEATURES
};

/* The logarithm of the odds that a reader wants it, fitted to 3,677 passages of
 * 59 reports on 45 sites, each marked by one. Only BORNE is more than fitted
 * (0.6): of pages of another product few were marked. */
static const double CONSTANT = -10.9;
static const double WEIGHTS[FEATURES] = {
    [HEADED] = 0.543,  [TOPIC] = 1.559, [SPREAD] = 1.014,  [EXTENT] = 0.123,
    [HOST] = 1.0,      [BORNE] = 2.0,   [LENGTH] = 1.442,  [ENOUGH] = 3.107,
    [BLOCKS] = -1.195, [MET] = 3.191,   [CLOSELY] = 3.345,
};
/* What is below it is left out, as high as the facts that matter allow; unless
 * it is as near as this to the best there is. */
static const double LEAST = -0.9, BESIDE = 1.2;
/* What is below it answers no part either, though a search for the part's few
 * words would begin with it ("what are the limitations"): one in eight. */
static const double ANSWER_LEAST = -2;
/* What it is where there are no vectors, as that of passages mostly is. */
static const double MET_UNKNOWN = 0.46;

/* Where better pages say so much of what all say on a part, a page only touches
 * on it. What that says must be worth this much, or stand so much under what
 * the part is called; under one word of it alone, on a page that says less than
 * this beside the best, it does not answer because of that word. */
static const double TOUCHES = 0.8, TOUCHES_LEAST = -0.4, TOUCHES_HEADED = 0.4;
static const double TOUCHES_ANSWER = 0.3;

enum { WANTED, STANDS, SEVERAL, OWN_MET, SECTION_FEATURES };

/* The logarithm of the odds that a section says something on what its heading
 * asks, fitted to 314 sections of 90 reports, each marked by one reader. */
static const double SECTION_CONSTANT = -2.17;
static const double SECTION_WEIGHTS[SECTION_FEATURES] = {
    [WANTED] = 0.59,  /* the worth of its best */
    [STANDS] = 1.84,  /* how well the best stood in its search */
    [SEVERAL] = 0.59, /* of how many, the logarithm */
    [OWN_MET] = 2.53, /* how much one says of the part's words and how near it
                         is to the question */
};

/* … unless a unit says as much as this of the part's words, or stands under
 * what is called by them. */
static const double OWN_ENOUGH = 0.6;

/* What is told of a page. */
struct sheet {
    double spread; /* how much of the question its units speak of, on average */
    double extent; /* how many there are */
    double hosted; /* how many of the nearest stand on its host, beside the best
                      host, 0-1 */
    bool borne;    /* its host bears a name that is asked about, or none does */
};

/* What a unit says, below its page's title and what it stands under. */
static size_t text_of(const struct choices *x, const struct choice *c,
                      char *out, size_t size)
{
    const struct evidence *ev = &x->r->evidence[c->blocks->row];
    size_t n = (size_t)snprintf(out, size, "%s: %s: ", ev->title,
                                label_name(ev->heading));

    if (n >= size)
        n = size - 1;
    for (size_t i = 0; i < c->count && n < size; i++) {
        const struct run_block *b = &c->blocks[i];
        size_t len = b->len < size - n ? b->len : size - n;

        memcpy(out + n, x->r->evidence[b->row].text + b->start, len);
        n += len;
        if (n < size)
            out[n++] = '\n';
    }
    return n;
}

static size_t side_of(const struct choices *x, const struct choice *c)
{
    size_t side = x->r->plan.subs[c->unit->sub].side;

    return side < PLAN_SIDES_MAX ? side : PLAN_SIDES_MAX;
}

/* The whole question, of a side without the others, or that of the part alone.
 */
static enum err question_of(struct choices *x, const struct choice *c,
                            bool alone, struct query **out)
{
    const struct plan_sub *s = &x->r->plan.subs[c->unit->sub];
    const char *z = x->r->query.text;
    enum err e;

    if (*out != NULL)
        return ERR_OK;
    *out = arena_alloc(x->a, sizeof(**out));
    if (alone || side_of(x, c) < PLAN_SIDES_MAX)
        z = arena_printf(x->a, "%s %s", s->question, s->context);
    e = *out == NULL || z == NULL ? ERR_NOMEM : query_parse(z, x->a, *out);
    return e == ERR_OK
               ? meaning_read(x->r->env->meaning, x->r->env->index, *out)
               : e;
}

/* How near n bytes are to what is asked, where vectors of words are known. */
static enum err met_of(const struct query *q, const char *said, size_t n,
                       double *out)
{
    struct met met = {.whole = MET_UNKNOWN};
    enum err e =
        q->meant_by == MEANT_BY_WORDS ? meaning_meet(q, said, n, &met) : ERR_OK;

    *out = met.whole;
    return e;
}

/* How near the units are to the question, or of several parts to their own, by
 * the vectors of words; what an encoder read has its measure already. */
static enum err met_read(struct choices *x)
{
    struct query *v[PLAN_SIDES_MAX + 1] = {NULL}, *own[PLAN_SUBS_MAX] = {NULL};
    const struct plan *p = &x->r->plan;
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < x->count; i++) {
        char said[MET_BYTES];
        struct choice *c = &x->v[i];
        struct query **q = &v[side_of(x, c)], **part = &own[c->unit->sub];
        size_t n;

        x->is_meant = x->is_meant || c->closely > 0;
        if (c->closely > 0)
            continue;
        n = text_of(x, c, said, sizeof(said));
        e = question_of(x, c, false, q);
        if (e == ERR_OK)
            e = met_of(*q, said, n, &c->whole_met);
        c->met = c->whole_met;
        if (e == ERR_OK && p->side_count == 0 && p->count > 1)
            e = question_of(x, c, true, part);
        if (e == ERR_OK && *part != NULL)
            e = met_of(*part, said, n, &c->met);
        c->met = fmax(c->met, c->whole_met);
        x->is_meant =
            x->is_meant || (e == ERR_OK && (*q)->meant_by == MEANT_BY_WORDS);
    }
    return e;
}

/* The best there is: of the parts of each side, and of those of none. */
struct best {
    double spread, worth;
};

static struct best *best_of(const struct choices *x, struct best *v,
                            const struct choice *c)
{
    return &v[side_of(x, c)];
}

static enum err sheets_read(const struct choices *x, struct sheet **out)
{
    struct sheet *v = arena_array(x->a, x->pages + 1, sizeof(*v));

    *out = v;
    if (v == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < x->count; i++) {
        struct sheet *s = &v[x->v[i].page];

        s->extent++;
        s->spread += (x->v[i].says - s->spread) / s->extent;
    }
    return ERR_OK;
}

static bool is_same_host(const char *a, const char *b)
{
    struct str x = about_host_of(a), y = about_host_of(b);

    return x.n == y.n && memcmp(x.p, y.p, x.n) == 0;
}

/* The nearest first; the same unit of several parts stands together. */
static int by_met(const void *x, const void *y)
{
    const struct choice *a = *(const struct choice *const *)x;
    const struct choice *b = *(const struct choice *const *)y;
    double l = fmax(a->met, a->closely), r = fmax(b->met, b->closely);

    if (l > r || l < r)
        return l > r ? -1 : 1;
    if (a->page != b->page)
        return a->page < b->page ? -1 : 1;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* The NEAREST units, each once, into v; how many there are. */
static size_t nearest_of(const struct choices *x, const struct choice **v)
{
    size_t n = 0, taken = 0;

    for (size_t i = 0; i < x->count; i++)
        if (!choices_is_short(&x->v[i]))
            v[n++] = &x->v[i];
    if (n > 1)
        qsort(v, n, sizeof(*v), by_met);
    for (size_t i = 0; i < n && taken < NEAREST; i++)
        if (taken == 0 || v[i]->page != v[taken - 1]->page ||
            v[i]->place != v[taken - 1]->place)
            v[taken++] = v[i];
    return taken;
}

/* Does its title or heading hold one of the names? */
static bool stands_under(const struct choices *x, const struct choice *c,
                         unsigned names)
{
    const struct query *q = &x->r->query;
    const struct evidence *ev = &x->r->evidence[c->blocks->row];
    uint64_t held = overlap_mask(q, ev->title, strlen(ev->title)) |
                    overlap_mask(q, ev->heading, strlen(ev->heading));

    for (size_t k = 0; k < x->r->about.count; k++)
        if ((names >> k & 1) != 0 &&
            (held & query_term(q, x->r->about.names[k].term)) != 0)
            return true;
    return false;
}

/* Of each page, how many of the nearest its host has, beside the best host.
 * Where that bears a name that is asked about, what is of hosts that are
 * about none of these, and stands under none, is of another thing. */
static enum err hosts_read(const struct choices *x, struct sheet *pages)
{
    const struct choice **v = arena_array(x->a, x->count + 1, sizeof(*v));
    unsigned names = about_borne(&x->r->about, &x->r->query);
    size_t n = v == NULL ? 0 : nearest_of(x, v), page = 0;
    double most = 1;
    bool sure = false; /* of what a name is */

    for (size_t i = 0; i < x->count; i++) {
        const struct choice *c = &x->v[i];
        struct sheet *s = &pages[c->page];

        if (c->page <= page)
            continue;
        page = c->page;
        for (size_t k = 0; k < n; k++)
            s->hosted += is_same_host(v[k]->url, c->url);
        s->borne = names == 0 || about_bears_page(&x->r->about, names, c->url);
        most = fmax(most, s->hosted);
    }
    for (size_t i = 1; i <= x->pages; i++)
        sure =
            sure || (names != 0 && pages[i].borne && pages[i].hosted >= most);
    for (size_t i = 0; i < x->count; i++)
        x->v[i].foreign = sure && !pages[x->v[i].page].borne &&
                          !about_has_page(&x->r->about, names, x->v[i].url) &&
                          !stands_under(x, &x->v[i], names);
    for (size_t i = 1; i <= x->pages; i++)
        pages[i].hosted /= most;
    return v == NULL ? ERR_NOMEM : ERR_OK;
}

static double worth_of(const struct choice *c, const struct sheet *s,
                       double spread)
{
    const double v[FEATURES] = {
        [HEADED] = c->headed,
        [TOPIC] = c->topic,
        [SPREAD] = spread > 0 ? s->spread / spread : 0,
        [EXTENT] = log(1 + s->extent),
        [HOST] = s->hosted,
        [BORNE] = s->borne,
        [LENGTH] = fmin(1, (double)c->words / WORDS_MANY),
        [ENOUGH] = fmin(1, (double)c->words / WORDS_FEW),
        [BLOCKS] = fmin(1, (double)c->count / BLOCKS_MANY),
        [MET] = c->met,
        [CLOSELY] = c->closely,
    };
    double sum = CONSTANT;

    for (size_t i = 0; i < FEATURES; i++)
        sum += WEIGHTS[i] * v[i];
    return sum;
}

enum err worth_weigh(struct choices *x)
{
    struct best best[PLAN_SIDES_MAX + 1];
    struct sheet *pages = NULL;
    enum err e = sheets_read(x, &pages);

    for (size_t i = 0; i <= PLAN_SIDES_MAX; i++)
        best[i] = (struct best){0, -INFINITY};
    if (e == ERR_OK)
        e = met_read(x);
    if (e == ERR_OK)
        e = hosts_read(x, pages);
    for (size_t i = 0; e == ERR_OK && i < x->count; i++) {
        struct best *b = best_of(x, best, &x->v[i]);

        b->spread = fmax(b->spread, pages[x->v[i].page].spread);
    }
    for (size_t i = 0; e == ERR_OK && i < x->count; i++) {
        struct choice *c = &x->v[i];
        struct best *b = best_of(x, best, c);

        c->worth = worth_of(c, &pages[c->page], b->spread);
        if (!choices_is_short(c))
            b->worth = fmax(b->worth, c->worth);
    }
    for (size_t i = 0; e == ERR_OK && i < x->count; i++) {
        struct choice *c = &x->v[i];
        double least;

        least = c->called ? ANSWER_LEAST : LEAST;
        c->weak = c->foreign ||
                  c->worth < fmin(least, best_of(x, best, c)->worth - BESIDE);
        c->answers = c->answers &&
                     !(x->is_meant && c->weak && c->worth < ANSWER_LEAST);
    }
    return e;
}

/* Does the part ask on what others of the request are about, "what are the
 * limits"? A compared side is no such part. */
static bool depends(const struct plan *p, const struct plan_sub *s)
{
    return *s->context != '\0' && (s->side >= p->side_count ||
                                   strcmp(s->title, p->sides[s->side]) != 0);
}

/* … by one word, "limits", and not what that is? */
static enum err asks_a_word(const struct choices *x, size_t sub, bool *out)
{
    struct query q;
    enum err e = query_parse(x->r->plan.subs[sub].own, x->a, &q);
    uint64_t own = 0;

    if (e == ERR_OK)
        own = focus_own(&q, &x->r->about, &x->r->plan, sub);
    *out = e == ERR_OK && own != 0 && (own & (own - 1)) == 0 &&
           q.type != ANSWER_DEFINITION;
    return e;
}

/* How much of all that pages say on a part better ones than this do. */
static double ahead_of(const double *about, size_t pages, size_t page)
{
    double ahead = 0, all = 0;

    for (size_t i = 1; i <= pages; i++) {
        all += about[i];
        ahead += about[i] > about[page] ? about[i] : 0;
    }
    return all > 0 ? ahead / all : 0;
}

/* about: room for each page, from 1. */
static enum err part_touch(struct choices *x, size_t sub, double *about)
{
    bool word = false;
    enum err e = asks_a_word(x, sub, &word);

    memset(about, 0, (x->pages + 1) * sizeof(*about));
    for (size_t i = 0; i < x->count; i++)
        if (x->v[i].unit->sub == sub)
            about[x->v[i].page] = x->v[i].about;
    for (size_t i = 0; e == ERR_OK && i < x->count; i++) {
        struct choice *c = &x->v[i];
        bool touches;

        if (c->unit->sub != sub)
            continue;
        touches = c->worth < TOUCHES_LEAST && c->headed < TOUCHES_HEADED &&
                  ahead_of(about, x->pages, c->page) >= TOUCHES;
        c->weak = c->weak || touches;
        c->answers = c->answers && !touches &&
                     !(word && c->weak && c->about < TOUCHES_ANSWER);
    }
    return e;
}

enum err worth_touch(struct choices *x)
{
    const struct plan *p = &x->r->plan;
    double *about = arena_array(x->a, x->pages + 1, sizeof(*about));
    enum err e = about == NULL ? ERR_NOMEM : ERR_OK;

    for (size_t sub = plan_section_end(p, 0);
         e == ERR_OK && x->is_meant && sub < p->count; sub++)
        if (depends(p, &p->subs[sub]))
            e = part_touch(x, sub, about);
    return e;
}

double worth_answers(const struct choices *x, size_t from, size_t to)
{
    double v[SECTION_FEATURES] = {[WANTED] = -INFINITY};
    double sum = SECTION_CONSTANT;

    for (size_t i = 0; i < x->count; i++) {
        const struct choice *c = &x->v[i];

        if (!c->chosen || c->unit->sub < from || c->unit->sub >= to)
            continue;
        v[WANTED] = fmax(v[WANTED], c->worth);
        v[STANDS] = fmax(v[STANDS], c->unit->standing);
        v[SEVERAL]++;
        v[OWN_MET] = fmax(v[OWN_MET], c->own * fmax(c->met, c->closely));
        if (c->own >= OWN_ENOUGH || c->called)
            return INFINITY;
    }
    v[SEVERAL] = log(1 + v[SEVERAL]);
    for (size_t i = 0; i < SECTION_FEATURES; i++)
        sum += SECTION_WEIGHTS[i] * v[i];
    return sum;
}
