/* Sentences picked; see pick.h. */
#include "research/pick.h"

#include "question/evidence.h"
#include "question/overlap.h"
#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

enum { WORDS_LEAST = 7 };

/* What a sentence's form must reach, and what adds to its words' share. */
static const double PROSE_MIN = 0.7;
static const double FIRST = 0.2, OPENS = 0.6;
static const double COVER = 0.3, TOPIC = 1.5, NEAR = 2; /* of its unit */
static const double ABOUT = 1;                          /* of its page */
static const double DEFINES = 2, TELLS = 4; /* it says what the side is; the
                                               best of its hosts that does */
static const double NAME_WEIGHT = 0.3;      /* of a name that hosts are about */

struct picker {
    const struct run *r;
    struct choices *x;
    const struct query *q;    /* of the sub-question */
    const struct query *side; /* a name that it must hold, or NULL */
    bool defines;             /* … and nothing else is asked of it */
    const struct query *row;  /* what the row is about */
    uint64_t asked;           /* its terms that are of no side's name */
    double best;
    struct choice *from; /* of the best one */
    uint32_t line;
    size_t next; /* where the sentence behind it begins, in its block */
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

/* Does it speak of what its row is about, or stand under that? */
static bool is_of_row(const struct picker *p, const struct choice *c,
                      const char *z, size_t n)
{
    const char *heading = p->r->evidence[c->blocks->row].heading;

    return p->asked == 0 ||
           ((overlap_mask_loose(p->row, z, n) |
             overlap_mask_loose(p->row, heading, strlen(heading))) &
            p->asked) != 0;
}

/* Sentence i of n in a block. Of a unit that is said itself the first one may
 * be taken out where the next one stands without it. */
static void weigh(struct picker *p, struct choice *c, const struct run_block *b,
                  const struct span *s, size_t i, size_t n)
{
    const char *text = p->r->evidence[b->row].text + b->start;
    const char *z = text + s[i].start;
    bool first = b == c->blocks && i == 0;
    uint32_t line;
    double v;

    if (c->twice)
        return;
    if (c->chosen && (!first || n < 2 || c->skip > 0 ||
                      choices_leans(p->r, text + s[1].start, s[1].len)))
        return;
    if (!stands_alone(p, z, s[i].len))
        return;
    line = choices_line(z, s[i].len);
    if (line == 0 || (!c->chosen && choices_is_said(p->x, line)))
        return;
    if (p->side != NULL && (overlap_mask_loose(p->side, z, s[i].len) == 0 ||
                            !is_of_row(p, c, z, s[i].len)))
        return;
    v = overlap_share(p->q, overlap_mask_loose(p->q, z, s[i].len)) +
        COVER * c->cover + TOPIC * c->topic + NEAR * c->near +
        ABOUT * c->about * c->unit->standing + (first ? FIRST : 0) +
        (first && c->leads == 2 ? OPENS : 0);
    if (p->defines)
        v += (first && c->leads == 3 ? TELLS : DEFINES) *
             evidence_of(p->side, z, s[i].len);
    if (v <= p->best)
        return;
    p->best = v;
    p->from = c;
    p->line = line;
    p->next = i + 1 < n ? s[i + 1].start : 0;
    *p->out = (struct pick){b->row, b->start + s[i].start, s[i].len};
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

/* The name of the part's side, as what is to be defined, and its row. */
static enum err side_read(struct picker *p, const struct plan_sub *part,
                          struct arena *a, struct query *side,
                          struct query *row)
{
    const char *name = p->r->plan.sides[part->side];
    enum err e = query_parse(name, a, side);

    if (e == ERR_OK)
        e = query_parse(part->title, a, row);
    if (e != ERR_OK)
        return e;
    query_define(side, name);
    p->side = side;
    p->row = row;
    p->asked = overlap_all(row);
    for (size_t i = 0; i < p->r->plan.side_count; i++)
        p->asked &= ~overlap_mask_loose(row, p->r->plan.sides[i],
                                        strlen(p->r->plan.sides[i]));
    p->defines = p->asked == 0;
    return ERR_OK;
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
    const struct plan_sub *part = &r->plan.subs[sub];
    struct query q, side, row;
    enum err e = read_query(r, sub, a, &q, ec);

    p.q = &q;
    if (e == ERR_OK && part->side < r->plan.side_count)
        e = side_read(&p, part, a, &side, &row);
    for (size_t i = 0; e == ERR_OK && i < x->count; i++)
        if (x->v[i].unit->sub == sub)
            e = unit_weigh(&p, &x->v[i], a);
    *found = p.from != NULL;
    if (e != ERR_OK || !*found)
        return e;
    if (p.from->chosen)
        p.from->skip = p.next;
    return choices_say(x, p.line);
}
