/*
 * Choosing by what is covered; see choose.h. A word is worth the more, the
 * more of the pages read speak of it and the rarer it is in the index; the
 * next unit is the one that adds most of that a word (Gillick and Favre 2009,
 * greedily), weighed by how much of the question it speaks of.
 */
#include "research/choose.h"

#include "base/str.h"
#include "find/meaning_find.h"
#include "lang/words.h"
#include "question/overlap.h"
#include "text/passage.h"
#include "text/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT_CONCEPTS = 160,
    UNIT_LINES = 64,
    HITS_MAX = 256,
    CONCEPTS_MAX = 16384, /* a power of two */
    LINE_WORDS = 5,       /* of what counts as said */
    WORDS_LEAST = 12,
    BLOCK_LEAST = 4,    /* … for each of its blocks: no menu, no drawing */
    LEANING_LEAST = 25, /* … of what leans on words before it */
    ENTRY_WORDS = 25,   /* of an item that says enough by itself, on average */
    REFER_TOKENS = 4,   /* of a sentence, one of which may point back */
    WINDOW_WORDS = 70,  /* of what is taken out of paragraphs */
    TOPIC_UNITS = 50,   /* that tell what a part is about */
    TOPIC_PAGE = 3      /* … of one page */
};

/* By searches over judged tasks. */
static const double RANK_SCALE = 40, SHARE_POWER = 1.5, SEEN_POWER = 0.5;
static const double COVER_POWER = 3.0, COVER_LEAST = 0.1;
static const double RARE_POWER = 0.7, PAGES_POWER = 0.5;
static const double SAME_PAGE = 0.65; /* for each unit it has already */
static const double NEAR = 6;         /* how near it is to its part's meaning */
static const double NEAR_LEAST = 0.65; /* … of what is nearest to that */
static const double LEANS = 0.6;       /* of what leans on words before it */
static const double MORE_OWN = 0.15, OTHERS = 0.1; /* see leave_to_others */
static const double TOPIC_POWER = 4;   /* of what they speak of the question */
static const double TOPIC_LEAST = 0.2; /* of what is nearest to the topic */
static const double NAME_WEIGHT = 0.2; /* of a name that hosts are about */

struct concept {
    const char *text; /* NULL: free */
    double rare;
    double pages, most; /* see pages_count */
    size_t last;
    bool said;
};

struct weigher {
    const struct run *r;
    struct arena *a;
    struct choices *x;
    struct concept *c;
    size_t used, pages;
};

/* What is asked, with other words for it. */
struct asked {
    struct query q;
    struct overlap_kin kin;
};

/* --- reading units ---------------------------------------------------------
 */

static uint32_t hash_of(const char *p, size_t n)
{
    uint32_t h = 2166136261u;

    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)p[i]) * 16777619u;
    return h;
}

uint32_t choose_line(const char *p, size_t n)
{
    struct term_iter it;
    struct term t;
    uint32_t h = 2166136261u;
    size_t words = 0;

    for (size_t i = 0; i < n; i++)
        words += !ascii_is_space(p[i]) && (i == 0 || ascii_is_space(p[i - 1]));
    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        h = (h ^ hash_of(t.text, t.len)) * 16777619u;
    return words < LINE_WORDS ? 0 : h | 1;
}

/* The concept's number; CONCEPTS_MAX: there are too many. */
static uint32_t concept_of(struct weigher *w, const struct term *t)
{
    uint32_t i = hash_of(t->text, t->len) % CONCEPTS_MAX;

    for (;; i = (i + 1) % CONCEPTS_MAX) {
        struct concept *c = &w->c[i];

        if (c->text == NULL && w->used < CONCEPTS_MAX / 2) {
            c->text = arena_strndup(w->a, t->text, t->len);
            w->used++;
            return i;
        }
        if (c->text == NULL)
            return CONCEPTS_MAX;
        if (strcmp(c->text, t->text) == 0)
            return i;
    }
}

static bool has_number(const uint32_t *v, size_t n, uint32_t x)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] == x)
            return true;
    return false;
}

static void concepts_read(struct weigher *w, struct choice *c, const char *p,
                          size_t n)
{
    enum lang l = w->r->query.lang;
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t)) {
        uint32_t i;

        c->words++;
        if (t.len < 2 || term_is_stop(t.text, t.len) ||
            lang_is_stop(l, t.text, t.len) || ascii_is_digit(t.text[0]))
            continue;
        t.len = term_stem(t.text, t.len);
        t.text[t.len] = '\0';
        i = concept_of(w, &t);
        if (i < CONCEPTS_MAX && c->concept_count < UNIT_CONCEPTS &&
            !has_number(c->concepts, c->concept_count, i))
            c->concepts[c->concept_count++] = i;
    }
}

static enum err line_read(struct weigher *w, struct choice *c, const char *p,
                          size_t n)
{
    struct span *s = NULL;
    size_t count = 0;
    enum err e = sentences_split(p, n, w->a, &s, &count);

    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        uint32_t line = choose_line(p + s[i].start, s[i].len);

        if (line == 0 || c->line_count == UNIT_LINES)
            continue;
        c->twice = c->twice || has_number(c->lines, c->line_count, line);
        c->lines[c->line_count++] = line;
    }
    return e;
}

static enum err lines_read(struct weigher *w, struct choice *c, const char *p,
                           size_t n)
{
    enum err e = ERR_OK;

    for (size_t at = 0, len; e == ERR_OK && at < n; at += len + 1) {
        const char *end = memchr(p + at, '\n', n - at);

        len = end == NULL ? n - at : (size_t)(end - (p + at));
        e = line_read(w, c, p + at, len);
    }
    return e;
}

/* The how many-th page it is of all, from 1. */
static size_t page_number(struct weigher *w, const struct choice *c)
{
    for (const struct choice *o = w->x->v; o < c; o++)
        if (strcmp(o->url, c->url) == 0)
            return o->page;
    return ++w->pages;
}

static enum err unit_read(struct weigher *w, struct choice *c,
                          const struct run_unit *u)
{
    enum err e = ERR_OK;

    c->unit = u;
    c->is_code = true;
    c->url = w->r->evidence[c->blocks[0].row].url;
    c->page = page_number(w, c);
    c->concepts = arena_array(w->a, UNIT_CONCEPTS, sizeof(*c->concepts));
    c->lines = arena_array(w->a, UNIT_LINES, sizeof(*c->lines));
    if (c->concepts == NULL || c->lines == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; e == ERR_OK && i < c->count; i++) {
        const struct run_block *b = &c->blocks[i];
        const char *p = w->r->evidence[b->row].text + b->start;

        c->is_code = c->is_code && b->kind == 'c';
        c->leans = c->leans || (i == 0 && choose_leans(w->r, p, b->len));
        concepts_read(w, c, p, b->len);
        e = lines_read(w, c, p, b->len);
    }
    return e;
}

bool choose_leans(const struct run *r, const char *p, size_t n)
{
    const struct report_words *words = report_words_of(r->query.lang);
    struct term_iter it;
    struct term t;
    bool leans;

    terms_init(&it, p, n);
    leans = !tokens_next(&it, &t) || t.start > 1 ||
            report_list_has(words->links, t.text);
    for (size_t i = 1; !leans && i < REFER_TOKENS && tokens_next(&it, &t); i++)
        leans = report_list_has(words->refers, t.text);
    return leans;
}

/* Adds blocks of the unit; first: its own first one is among them. */
static enum err choice_add(struct weigher *w, const struct run_unit *u,
                           const struct run_block *blocks, size_t count,
                           bool first)
{
    struct choices *x = w->x;
    struct choice *c;

    if (count == 0)
        return ERR_OK;
    if (x->count == x->size) {
        size_t size = x->size == 0 ? 512 : 2 * x->size;
        struct choice *v = arena_array(w->a, size, sizeof(*v));

        if (v == NULL)
            return ERR_NOMEM;
        if (x->count > 0)
            memcpy(v, x->v, x->count * sizeof(*v));
        x->v = v;
        x->size = size;
    }
    c = &x->v[x->count++];
    memset(c, 0, sizeof(*c));
    c->blocks = arena_array(w->a, count, sizeof(*c->blocks));
    if (c->blocks == NULL)
        return ERR_NOMEM;
    memcpy(c->blocks, blocks, count * sizeof(*blocks));
    c->count = count;
    c->opens = u->opens && first;
    return unit_read(w, c, u);
}

/* What is taken together of a unit's paragraphs. */
struct window {
    const struct run_unit *unit;
    struct run_block b[RUN_BLOCKS_MAX];
    size_t n, words;
    bool first;
};

static enum err window_end(struct weigher *w, struct window *x)
{
    enum err e = choice_add(w, x->unit, x->b, x->n, x->first);

    x->n = x->words = 0;
    x->first = false;
    return e;
}

/* A window ends where it is long enough and the next sentence stands by
 * itself. */
static enum err sentences_add(struct weigher *w, struct window *x,
                              const struct run_block *b)
{
    const char *p = w->r->evidence[b->row].text + b->start;
    struct span *s = NULL;
    size_t count = 0;
    bool joined = false;
    enum err e = sentences_split(p, b->len, w->a, &s, &count);

    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        size_t words = tokens_count(p + s[i].start, s[i].len);

        if (x->n > 0 && x->words + words > WINDOW_WORDS &&
            !choose_leans(w->r, p + s[i].start, s[i].len)) {
            e = window_end(w, x);
            joined = false;
        }
        if (!joined)
            x->b[x->n++] =
                (struct run_block){b->row, b->start + s[i].start, 0, b->kind};
        x->b[x->n - 1].len =
            b->start + s[i].start + s[i].len - x->b[x->n - 1].start;
        x->words += words;
        joined = true;
    }
    return e;
}

/* Are they entries, each of which says something by itself? */
static bool has_entries(const struct weigher *w, const struct run_unit *u)
{
    size_t words = 0;

    for (size_t i = 0; i < u->count; i++) {
        const struct run_block *b = &u->blocks[i];

        if (b->kind != 'i')
            return false;
        words += tokens_count(w->r->evidence[b->row].text + b->start, b->len);
    }
    return u->count > 1 && words >= ENTRY_WORDS * u->count;
}

/* Entries one by one; any other list stays whole. */
static enum err windows_add(struct weigher *w, const struct run_unit *u)
{
    struct window x = {.unit = u, .first = true};
    bool entries = has_entries(w, u);
    enum err e = ERR_OK;

    for (size_t i = 0; !entries && i < u->count; i++)
        if (u->blocks[i].kind != 'p')
            return choice_add(w, u, u->blocks, u->count, true);
    for (size_t i = 0; e == ERR_OK && i < u->count; i++)
        e = entries ? choice_add(w, u, &u->blocks[i], 1, i == 0)
                    : sentences_add(w, &x, &u->blocks[i]);
    return e == ERR_OK ? window_end(w, &x) : e;
}

static enum err rarity_read(struct weigher *w, struct errctx *ec)
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

/* By how many units of the part are better. */
static void shares_read(struct weigher *w)
{
    for (size_t i = 0; i < w->x->count; i++) {
        const struct run_unit *u = w->x->v[i].unit;
        size_t better = 0;

        for (size_t k = 0; k < w->x->count; k++)
            better += w->x->v[k].unit->sub == u->sub &&
                      (w->x->v[k].unit->score > u->score ||
                       (k < i && w->x->v[k].unit->score >= u->score));
        w->x->v[i].share = 1 / (1 + (double)better / RANK_SCALE);
    }
}

/* --- choosing ------------------------------------------------------------ */

/* How many pages speak of each concept, each as well as its best unit that
 * does. */
static void pages_count(struct weigher *w)
{
    for (size_t page = 1; page <= w->pages; page++)
        for (size_t i = 0; i < w->x->count; i++) {
            const struct choice *c = &w->x->v[i];
            double seen = pow(c->share, SEEN_POWER);

            if (c->page != page)
                continue;
            for (size_t k = 0; k < c->concept_count; k++) {
                struct concept *o = &w->c[c->concepts[k]];

                if (o->last != page)
                    o->most = 0;
                o->last = page;
                if (seen > o->most) {
                    o->pages += seen - o->most;
                    o->most = seen;
                }
            }
        }
}

bool choose_is_of_itself(const struct run *r, const char *p, size_t n)
{
    const struct report_words *w = report_words_of(r->query.lang);
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        if (report_list_has(w->texts, t.text))
            return true;
    return false;
}

bool choose_is_said(const struct choices *x, uint32_t line)
{
    return has_number(x->said, x->said_count, line);
}

enum err choose_say(struct choices *x, uint32_t line, struct arena *a)
{
    if (x->said_count == x->said_size) {
        size_t size = x->said_size == 0 ? 256 : 2 * x->said_size;
        uint32_t *v = arena_array(a, size, sizeof(*v));

        if (v == NULL)
            return ERR_NOMEM;
        if (x->said_count > 0)
            memcpy(v, x->said, x->said_count * sizeof(*v));
        x->said = v;
        x->said_size = size;
    }
    x->said[x->said_count++] = line;
    return ERR_OK;
}

/* Is it too short to be said by itself, or a listing without a word about it?
 */
static bool is_short(const struct choice *c)
{
    return c->words < WORDS_LEAST || c->words < BLOCK_LEAST * c->count ||
           c->is_code ||
           (c->words < LEANING_LEAST && c->blocks->kind == 'p' && c->leans);
}

/* Does it repeat a sentence, or lie over what is chosen of its page? */
static bool is_repeated(const struct weigher *w, const struct choice *c)
{
    for (size_t i = 0; i < c->line_count; i++)
        if (choose_is_said(w->x, c->lines[i]))
            return true;
    return false;
}

static size_t chosen_of_page(const struct weigher *w, const char *url)
{
    size_t n = 0;

    for (size_t i = 0; i < w->x->count; i++)
        n += w->x->v[i].chosen && strcmp(w->x->v[i].url, url) == 0;
    return n;
}

/* Is what stands before it in its unit chosen? */
static bool goes_on(const struct weigher *w, const struct choice *c)
{
    return c > w->x->v && c[-1].unit == c->unit && c[-1].chosen;
}

/* What the unit adds, a word. */
static double value_of(const struct weigher *w, const struct choice *c)
{
    double sum = 0;

    for (size_t k = 0; k < c->concept_count; k++) {
        const struct concept *o = &w->c[c->concepts[k]];

        if (!o->said)
            sum += pow(o->rare, RARE_POWER) * pow(o->pages, PAGES_POWER);
    }
    if (c->leans && !goes_on(w, c))
        sum *= LEANS;
    return sum * pow(c->cover, COVER_POWER) * pow(c->share, SHARE_POWER) *
           pow(SAME_PAGE, (double)chosen_of_page(w, c->url)) * (1 + c->own) *
           c->topic * exp(NEAR * c->near) / (double)c->words;
}

static enum err take(struct weigher *w, struct choice *c, size_t order)
{
    enum err e = ERR_OK;

    c->chosen = true;
    c->order = order;
    for (size_t k = 0; k < c->concept_count; k++)
        w->c[c->concepts[k]].said = true;
    for (size_t k = 0; e == ERR_OK && k < c->line_count; k++)
        e = choose_say(w->x, c->lines[k], w->a);
    return e;
}

/* The order of the page within the part: that of its first unit. */
static size_t order_of(const struct weigher *w, const struct choice *c,
                       size_t next)
{
    for (size_t i = 0; i < w->x->count; i++) {
        const struct choice *o = &w->x->v[i];

        if (o->chosen && o->unit->sub == c->unit->sub &&
            strcmp(o->url, c->url) == 0)
            return o->order;
    }
    return next;
}

/* Choose over all parts at once, each within what it has left of its words, so
 * that a unit goes to the part it speaks most of. */
static enum err all_choose(struct weigher *w, size_t *left)
{
    size_t next = 0;

    for (;;) {
        struct choice *best = NULL;
        double most = 0;
        enum err e;

        for (size_t i = 0; i < w->x->count; i++) {
            struct choice *c = &w->x->v[i];
            double v;

            if (c->chosen || c->words > left[c->unit->sub] || c->twice ||
                c->topic < TOPIC_LEAST || is_short(c) || is_repeated(w, c))
                continue;
            v = value_of(w, c);
            if (v > most) {
                most = v;
                best = c;
            }
        }
        if (best == NULL)
            return ERR_OK;
        left[best->unit->sub] -= best->words;
        e = take(w, best, order_of(w, best, next++));
        if (e != ERR_OK)
            return e;
    }
}

static enum err asked_read(const struct weigher *w, const char *text,
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
static uint64_t mask_of(const struct weigher *w, const struct choice *c,
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
static enum err covers_read(struct weigher *w, struct errctx *ec)
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
    for (size_t i = 0; e == ERR_OK && i < w->x->count; i++) {
        struct choice *c = &w->x->v[i];
        const struct asked *part = &x[c->unit->sub];
        uint64_t around, own = mask_of(w, c, all, &around);

        c->cover = overlap_share(&all->q, around) +
                   overlap_share(&all->q, own) + COVER_LEAST;
        c->own = overlap_share(&part->q, mask_of(w, c, part, &around));
    }
    return e;
}

/* How near the units of a part are to it in meaning; c: the evidence's rows. */
static enum err near_read(struct weigher *w, size_t sub, struct candidate *c,
                          struct errctx *ec)
{
    const struct plan_sub *part = &w->r->plan.subs[sub];
    const char *text =
        arena_printf(w->a, "%s %s", part->question, part->context);
    struct meaning *m = w->r->env->meaning;
    struct candidate *found = NULL;
    double nearest = 0;
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
    for (size_t i = 0; i < w->x->count; i++) {
        struct choice *x = &w->x->v[i];

        for (size_t k = 0; x->unit->sub == sub && k < x->count; k++)
            x->near = fmax(x->near, c[x->blocks[k].row].near);
    }
    for (size_t i = 0; i < w->x->count; i++)
        if (w->x->v[i].unit->sub == sub)
            nearest = fmax(nearest, w->x->v[i].near);
    for (size_t i = 0; i < w->x->count; i++)
        if (w->x->v[i].unit->sub == sub)
            w->x->v[i].is_far = w->x->v[i].near < NEAR_LEAST * nearest;
    return ERR_OK;
}

static int by_cover(const void *x, const void *y)
{
    const struct choice *a = *(const struct choice *const *)x;
    const struct choice *b = *(const struct choice *const *)y;

    if (a->cover > b->cover || a->cover < b->cover)
        return a->cover > b->cover ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* What the part's pages speak of where they speak most of the question: a
 * weight for each concept. v: the part's units. */
static void topic_weigh(const struct weigher *w, struct choice **v, size_t n,
                        double *weight)
{
    size_t taken = 0;

    for (size_t i = 0; i < n && taken < TOPIC_UNITS; i++) {
        size_t before = 0;

        for (size_t k = 0; k < i; k++)
            before += v[k]->page == v[i]->page && !is_short(v[k]);
        if (before >= TOPIC_PAGE || is_short(v[i]))
            continue;
        for (size_t k = 0; k < v[i]->concept_count; k++)
            weight[v[i]->concepts[k]] += pow(v[i]->cover, TOPIC_POWER);
        taken++;
    }
    for (size_t i = 0; i < CONCEPTS_MAX; i++)
        weight[i] *= w->c[i].rare;
}

/* The cosine of the unit's concepts and the topic's, but for a factor. */
static double topic_share(const struct weigher *w, const struct choice *c,
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
 */
static enum err topic_read(struct weigher *w, size_t sub)
{
    struct choice **v = arena_array(w->a, w->x->count + 1, sizeof(*v));
    double *weight = arena_array(w->a, CONCEPTS_MAX, sizeof(*weight));
    double most = 0;
    size_t n = 0;

    if (v == NULL || weight == NULL)
        return ERR_NOMEM;
    memset(weight, 0, CONCEPTS_MAX * sizeof(*weight));
    for (size_t i = 0; i < w->x->count; i++)
        if (w->x->v[i].unit->sub == sub)
            v[n++] = &w->x->v[i];
    if (n > 1)
        qsort(v, n, sizeof(*v), by_cover);
    topic_weigh(w, v, n, weight);
    for (size_t i = 0; i < n; i++) {
        v[i]->topic = topic_share(w, v[i], weight);
        most = fmax(most, v[i]->topic);
    }
    for (size_t i = 0; i < n && most > 0; i++)
        v[i]->topic /= most;
    return ERR_OK;
}

static bool is_same_place(const struct weigher *w, const struct choice *x,
                          const struct choice *y)
{
    const struct run_block *a = x->blocks, *b = y->blocks;

    return x->page == y->page && a->start == b->start &&
           w->r->evidence[a->row].start == w->r->evidence[b->row].start;
}

/* What speaks more of another part is left to that one. */
static void leave_to_others(struct weigher *w)
{
    for (size_t i = 0; i < w->x->count; i++) {
        struct choice *c = &w->x->v[i];
        bool other = false;

        for (size_t k = 0; k < w->x->count && !other; k++)
            other = w->x->v[k].unit->sub != c->unit->sub &&
                    w->x->v[k].own > c->own + MORE_OWN &&
                    is_same_place(w, c, &w->x->v[k]);
        if (other)
            c->share *= OTHERS;
    }
}

enum err choose_units(const struct run *r, size_t words, struct candidate *rows,
                      struct arena *a, struct choices *out, struct errctx *ec)
{
    struct weigher w = {.r = r, .a = a, .x = out};
    size_t left[PLAN_SUBS_MAX] = {0}, rest = 0;
    enum err e = ERR_OK;

    memset(out, 0, sizeof(*out));
    w.c = arena_array(a, CONCEPTS_MAX, sizeof(*w.c));
    if (w.c == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; e == ERR_OK && i < r->unit_count; i++)
        e = windows_add(&w, &r->units[i]);
    if (e == ERR_OK)
        e = rarity_read(&w, ec);
    if (e != ERR_OK)
        return e;
    shares_read(&w);
    e = covers_read(&w, ec);
    for (size_t i = 0; e == ERR_OK && i < r->plan.count; i++)
        e = near_read(&w, i, rows, ec);
    for (size_t i = 0; e == ERR_OK && i < r->plan.count; i++)
        e = topic_read(&w, i);
    if (e != ERR_OK)
        return e;
    leave_to_others(&w);
    pages_count(&w);
    for (size_t i = 0; i < r->plan.count; i++)
        left[i] = words / r->plan.count;
    e = all_choose(&w, left);
    /* What one part has no use for is the others'. */
    for (size_t i = 0; i < r->plan.count; i++)
        rest += left[i];
    for (size_t i = 0; e == ERR_OK && i < r->plan.count; i++) {
        memset(left, 0, sizeof(left));
        left[i] = rest;
        e = all_choose(&w, left);
        rest = left[i];
    }
    return e;
}
