/* Sentences picked; see pick.h. */
#include "research/pick.h"

#include "question/evidence.h"
#include "question/overlap.h"
#include "research/side_names.h"
#include "text/passage.h"
#include "text/terms.h"

#include <math.h>
#include <string.h>

enum {
    WORDS_LEAST = 7,
    BEGINS_BYTES = 40, /* that its subject stands in */
    CALLED_MAX = 4
};

/* What a sentence's form must reach, and what adds to its words' share. */
static const double PROSE_MIN = 0.7;
static const double FIRST = 0.2, OPENS = 0.6;
static const double COVER = 0.3, TOPIC = 1.5, NEAR = 2; /* of its unit */
static const double ABOUT = 1;                          /* of its page */
static const double ROW = 4, OVER = 2; /* how much of its row it says, how much
                                          what it stands under does */
static const double ROW_LEAST = 0.45;  /* of its row's words what is picked has,
                                          or what it stands under */
static const double CONTEXT = 1.5;     /* how much of its question both do */
static const double NAMES = 0.3;       /* it names its side itself … */
static const double BEGINS = 0.7; /* … at its beginning, and no other one */
static const double DEFINES = 4, TELLS = 6; /* it says what the side is; the
                                               best of its hosts that does */
static const double TEARS = 0.5;       /* of what its unit cannot do without */
static const double NAME_WEIGHT = 0.3; /* of a name that hosts are about */
static const double NAMED_LEAST = 0.4; /* of a side's name, by weight */

struct picker {
    const struct run *r;
    struct choices *x;
    const struct query *q; /* of the sub-question */
    struct side_names names;
    struct query sides[PLAN_SIDES_MAX]; /* their names */
    uint64_t only[PLAN_SIDES_MAX]; /* … and their terms that no other one has */
    size_t side;
    struct query called[CALLED_MAX]; /* the side's name and its words */
    size_t called_count;
    struct query row; /* what the row is about */
    double told;      /* how much of that the best says or stands under */
    uint64_t asked;   /* its terms that are of no side's name */
    bool defines;     /* nothing else is asked of it */
    double best;
    uint32_t hash;
    struct pick *out;
};

/* Does it stand by itself, and end as a sentence does? */
static bool stands_alone(const struct picker *p, const char *z, size_t n)
{
    size_t words = tokens_count(z, n);

    return words >= WORDS_LEAST && words <= PICK_WORDS &&
           sentence_is_closed(z, n) && z[n - 1] != '?' &&
           memchr(z, '|', n) == NULL && memchr(z, '\n', n) == NULL &&
           !choices_leans(p->r, z, n) && !choices_is_of_itself(p->r, z, n) &&
           evidence_prose(z, n) >= PROSE_MIN;
}

/* How much of what its row asks the text holds, 0-1. */
static double row_share(const struct picker *p, const char *z, size_t n)
{
    double all = overlap_weight(&p->row, p->asked);

    return all > 0
               ? overlap_weight(&p->row,
                                p->asked & overlap_mask_loose(&p->row, z, n)) /
                     all
               : 0;
}

/* … or the text, or what its block stands under. */
static double told_share(const struct picker *p, const struct run_block *b,
                         const char *z, size_t n)
{
    const char *heading = p->r->evidence[b->row].heading;

    return fmax(row_share(p, z, n), row_share(p, heading, strlen(heading)));
}

/* Does it name the side? What is common in the pages does so of no "cluster
 * module". */
static bool names_side(const struct picker *p, size_t side, const char *z,
                       size_t n)
{
    const struct query *q = &p->sides[side];
    uint64_t only = p->only[side], held = overlap_mask(q, z, n) & only;

    return held != 0 &&
           overlap_weight(q, held) >= NAMED_LEAST * overlap_weight(q, only);
}

/* Does it name another side? */
static bool names_other(const struct picker *p, const char *z, size_t n)
{
    for (size_t i = 0; i < p->r->plan.side_count; i++)
        if (i != p->side && names_side(p, i, z, n))
            return true;
    return false;
}

/* … and not all of its own? */
static bool is_of_other(const struct picker *p, const char *z, size_t n)
{
    uint64_t only = p->only[p->side];

    return names_other(p, z, n) &&
           (overlap_mask(&p->sides[p->side], z, n) & only) != only;
}

/* Is its subject the side: 1 or 0? */
static int begins(const struct picker *p, const char *z, size_t n)
{
    size_t front = n < BEGINS_BYTES ? n : BEGINS_BYTES;

    return names_side(p, p->side, z, front) && !names_other(p, z, n);
}

/* What its question has in common with what the block stands under. */
static uint64_t over_mask(const struct picker *p, const struct run_block *b)
{
    const struct evidence *ev = &p->r->evidence[b->row];

    return overlap_mask_loose(p->q, ev->heading, strlen(ev->heading)) |
           overlap_mask_loose(p->q, ev->title, strlen(ev->title));
}

/* Does what the unit stands under name the side and no other, or is its host
 * the side's? */
static bool is_under_side(const struct picker *p, const struct choice *c)
{
    const struct evidence *ev = &p->r->evidence[c->blocks->row];
    const struct plan *plan = &p->r->plan;
    bool own = false;

    for (size_t i = 0; i < plan->side_count; i++) {
        bool named = names_side(p, i, ev->heading, strlen(ev->heading)) ||
                     names_side(p, i, ev->title, strlen(ev->title));

        if (named && i != p->side)
            return false;
        own = own || named;
    }
    return own || side_names_is_own(&p->names, &p->r->about, ev->url);
}

/* How well it says what the side is. */
static double defines(const struct picker *p, const char *z, size_t n)
{
    double most = 0;

    for (size_t i = 0; i < p->called_count; i++)
        most = fmax(most, evidence_of(&p->called[i], z, n));
    return most;
}

/* How well n bytes of the block at z speak for the sub-question, where they
 * may; leads: they begin the unit. */
static double worth_of(const struct picker *p, const struct choice *c,
                       const struct run_block *b, const char *z, size_t n,
                       bool leads)
{
    bool named = names_side(p, p->side, z, n);
    double row = row_share(p, z, n), over = told_share(p, b, z, n);
    uint64_t held = overlap_mask_loose(p->q, z, n);
    double about = overlap_share(p->q, held | over_mask(p, b));
    double v = overlap_share(p->q, held) + CONTEXT * about +
               (named ? NAMES : 0) + BEGINS * begins(p, z, n) +
               COVER * c->cover + TOPIC * c->topic + NEAR * c->near +
               ABOUT * c->about * c->unit->standing + (leads ? FIRST : 0) +
               (leads && c->leads == 2 ? OPENS : 0);

    if (is_of_other(p, z, n) || (!named && !is_under_side(p, c)))
        return 0;
    if (p->defines)
        return named ? v + (leads && c->leads == 3 ? TELLS : DEFINES) *
                               defines(p, z, n)
                     : 0;
    /* "What it costs": of what the question is about, not of any cost. */
    return over > 0 ? v + about * (ROW * row + OVER * over) : 0;
}

/* Sentence i of n in a block. The first one of a unit may be taken out where
 * the next one stands without it, the last one anyway. */
static void weigh(struct picker *p, struct choice *c, const struct run_block *b,
                  const struct span *s, size_t i, size_t n)
{
    const char *text = p->r->evidence[b->row].text + b->start;
    const char *z = text + s[i].start;
    bool first = b == c->blocks && i == 0;
    bool last = b == c->blocks + c->count - 1 && i + 1 == n;
    uint32_t hash = choices_line(z, s[i].len);
    struct pick x = {.row = b->row,
                     .start = b->start + s[i].start,
                     .len = s[i].len,
                     .from = c};
    double v;

    if (hash == 0 || choices_is_said(p->x, hash) ||
        !stands_alone(p, z, s[i].len))
        return;
    if (first && i + 1 < n && !choices_leans(p->r, text + s[1].start, s[1].len))
        x.next = s[1].start;
    else if (last && i > 0)
        x.end = s[i - 1].start + s[i - 1].len;
    v = worth_of(p, c, b, z, s[i].len, first) -
        (x.next + x.end == 0 && c->sentences > 1 ? TEARS : 0);
    if (v <= p->best)
        return;
    if (p->defines)
        x.defines = defines(p, z, s[i].len);
    p->best = v;
    p->told = told_share(p, b, z, s[i].len);
    p->hash = hash;
    *p->out = x;
}

static enum err read_query(const struct run *r, size_t sub, struct arena *a,
                           struct query *q, struct errctx *ec)
{
    const char *text = arena_printf(a, "%s %s", r->plan.subs[sub].question,
                                    r->plan.subs[sub].context);
    enum err e = text == NULL ? ERR_NOMEM : query_parse(text, a, q);

    if (e == ERR_OK)
        e = overlap_weigh(q, r->env->index, ec);
    for (size_t i = 0; e == ERR_OK && i < q->term_count; i++)
        if (about_hosted(&r->about, q->terms[i].text))
            q->terms[i].weight *= NAME_WEIGHT;
    return e;
}

static enum err called_add(struct picker *p, const char *z, struct arena *a)
{
    struct query *q = &p->called[p->called_count++];
    enum err e = query_parse(z, a, q);

    if (e == ERR_OK)
        query_define(q, z);
    return e;
}

/* "SQLite (FTS5)": the whole, and each word of it that no other side has. */
static enum err called_read(struct picker *p, struct arena *a)
{
    const struct query *side = &p->sides[p->side];
    enum err e = called_add(p, p->r->plan.sides[p->side], a);

    for (size_t i = 0; e == ERR_OK && side->term_count > 1 &&
                       i < side->term_count && p->called_count < CALLED_MAX;
         i++)
        if ((p->only[p->side] >> i & 1) != 0 && side->words[i] != NULL)
            e = called_add(p, side->words[i], a);
    return e;
}

/* The name of the part's side, as what is to be defined, and its row. */
static enum err side_read(struct picker *p, size_t sub, struct arena *a,
                          struct errctx *ec)
{
    const struct plan *plan = &p->r->plan;
    const struct plan_sub *part = &plan->subs[sub];
    enum err e = side_names_read(plan, &p->r->about, sub, a, &p->names);

    p->side = part->side;
    for (size_t i = 0; e == ERR_OK && i < plan->side_count; i++) {
        e = query_parse(plan->sides[i], a, &p->sides[i]);
        if (e == ERR_OK)
            e = overlap_weigh(&p->sides[i], p->r->env->index, ec);
    }
    if (e == ERR_OK)
        e = query_parse(part->title, a, &p->row);
    if (e == ERR_OK)
        e = overlap_weigh(&p->row, p->r->env->index, ec);
    if (e != ERR_OK)
        return e;
    p->asked = overlap_all(&p->row);
    for (size_t i = 0; i < plan->side_count; i++) {
        p->asked &= ~overlap_mask_loose(&p->row, plan->sides[i],
                                        strlen(plan->sides[i]));
        p->only[i] = overlap_all(&p->sides[i]);
        for (size_t k = 0; k < plan->side_count; k++)
            if (k != i)
                p->only[i] &= ~overlap_mask(&p->sides[i], plan->sides[k],
                                            strlen(plan->sides[k]));
    }
    p->defines = p->asked == 0;
    return p->defines ? called_read(p, a) : ERR_OK;
}

static enum err unit_weigh(struct picker *p, struct choice *c, struct arena *a)
{
    enum err e = ERR_OK;

    for (size_t k = 0; e == ERR_OK && k < c->count; k++) {
        const struct run_block *b = &c->blocks[k];
        struct span *s = NULL;
        size_t n = 0;

        if (b->kind == 'p')
            e = sentences_split(p->r->evidence[b->row].text + b->start, b->len,
                                a, &s, &n);
        for (size_t i = 0; e == ERR_OK && i < n; i++)
            weigh(p, c, b, s, i, n);
    }
    return e;
}

enum err pick_sentence(const struct run *r, struct choices *x, size_t sub,
                       struct arena *a, struct pick *out, bool *found,
                       struct errctx *ec)
{
    struct picker p = {.r = r, .x = x, .out = out};
    struct query q;
    enum err e = read_query(r, sub, a, &q, ec);

    p.q = &q;
    if (e == ERR_OK)
        e = side_read(&p, sub, a, ec);
    for (size_t i = 0; e == ERR_OK && i < x->count; i++)
        if (r->plan.subs[x->v[i].unit->sub].side == p.side && !x->v[i].twice &&
            !x->v[i].beside && !x->v[i].far)
            e = unit_weigh(&p, &x->v[i], a);
    *found = p.best > 0 && (p.defines || p.told >= ROW_LEAST);
    return e == ERR_OK && *found ? choices_say(x, p.hash) : e;
}

void pick_leave(const struct pick *p)
{
    struct choice *c = p->from;
    struct run_block *last = &c->blocks[c->count - 1];

    if (p->row != (p->next > 0 ? c->blocks->row : last->row) || c->left)
        return;
    /* Then its other sentences are not said yet. */
    if (p->next > 0) {
        c->blocks->start += p->next;
        c->blocks->len -= p->next;
        c->leads = 0;
        c->lines++;
        c->line_count--;
    } else if (p->end > 0) {
        last->len = p->end;
        c->line_count--;
    }
    c->left = true;
}
