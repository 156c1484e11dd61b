/* Choosing units and saying them; see answer_units.h. Called by search.c. */
#include "answer/answer_units.h"
#include "answer/units.h"
#include "lang/phrases.h"
#include "question/overlap.h"

#include <math.h>
#include <string.h>

enum {
    PAGE_OUTLINED = 4, /* passages of a page that is more than an article */
    WORDS_MAX = 115,   /* of an answer */
    CHOSEN_MAX = 3,
    SAID_MAX = 64
};

/* How much less the second unit may answer than the first (log-odds). */
static const double NEXT_BEHIND = 2.5;

/* Does the unit answer, or is it only on the subject? A logistic regression
 * over the features of the best unit; see weights_direct.inc. */
static const double direct[FEATURE_COUNT + 1] = {
#include "answer/weights_direct.inc"
};
static const double DIRECT = 0.0;      /* log-odds of an answer */
static const double ON_SUBJECT = -2.2; /* below it nothing is said */

static double directness_of(const struct unit *x)
{
    double sum = direct[FEATURE_COUNT];

    for (size_t i = 0; i < FEATURE_COUNT; i++)
        sum += direct[i] * x->v[i];
    return sum;
}

/* A page with headings, lists or listings, or a long one. */
static bool is_outlined(const struct found_page *g)
{
    if (g->count >= PAGE_OUTLINED)
        return true;
    for (size_t i = 0; i < g->count; i++)
        if (g->passages[i].heading[0] != '\0')
            return true;
    return false;
}

/* --- choosing ------------------------------------------------------------ */

struct choice {
    const struct query *q;
    const struct units *u;
    const struct unit *v[CHOSEN_MAX];
    size_t count, words;
};

static bool overlaps(const struct choice *c, const struct unit *x)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct unit *o = c->v[i];

        if (o->page == x->page && o->from <= x->to && x->from <= o->to)
            return true;
    }
    return false;
}

/* What the chosen ones say, as terms of the question. */
static uint64_t said_of(const struct choice *c)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < c->count; i++)
        mask |= c->v[i]->loose;
    return mask;
}

/* A side of the comparison that nothing chosen speaks of, or 0. */
static uint64_t open_side(const struct choice *c)
{
    uint64_t said = said_of(c);

    for (size_t i = 0; i < c->q->side_count; i++)
        if ((c->q->side_terms[i] & ~said) == c->q->side_terms[i])
            return c->q->side_terms[i];
    return 0;
}

/* The best unit left that fits and holds one of the terms; 0: any. */
static const struct unit *next_unit(const struct choice *c, uint64_t terms)
{
    for (size_t i = 1; i < c->u->count; i++) {
        const struct unit *x = &c->u->v[i];

        if (terms == 0 && x->score < c->u->v[0].score - NEXT_BEHIND)
            return NULL;
        if (c->words + x->words <= WORDS_MAX && !overlaps(c, x) &&
            (terms == 0 || (x->loose & terms) != 0))
            return x;
    }
    return NULL;
}

static void choose(struct choice *c)
{
    const struct unit *x = &c->u->v[0];

    while (x != NULL && c->count < CHOSEN_MAX) {
        uint64_t side;

        c->v[c->count++] = x;
        c->words += x->words;
        side = open_side(c);
        x = side != 0       ? next_unit(c, side)
            : c->count == 1 ? next_unit(c, 0)
                            : NULL;
    }
    /* Of one page in reading order. */
    for (size_t i = 1; i < c->count; i++)
        if (c->v[i]->page == c->v[0]->page && c->v[i]->from < c->v[0]->from) {
            const struct unit *first = c->v[i];

            c->v[i] = c->v[0];
            c->v[0] = first;
        }
}

/* --- saying -------------------------------------------------------------- */

static enum said_form form_of(char kind)
{
    return kind == 'c'                                 ? SAID_CODE
           : kind == 'i' || kind == 'j' || kind == 'r' ? SAID_ITEM
                                                       : SAID_BLOCK;
}

struct saying {
    struct arena *a;
    struct said v[SAID_MAX];
    size_t count;
    struct ranked *used;
    size_t used_count;
};

static const struct candidate *used_add(struct saying *s,
                                        const struct candidate *c)
{
    for (size_t i = 0; i < s->used_count; i++)
        if (s->used[i].c.passage == c->passage &&
            strcmp(s->used[i].c.url, c->url) == 0)
            return &s->used[i].c;
    s->used[s->used_count].c = *c;
    return &s->used[s->used_count++].c;
}

static enum err unit_say(struct saying *s, const struct units *u,
                         const struct unit *x)
{
    for (size_t i = x->from; i <= x->to && s->count < SAID_MAX; i++) {
        const struct part *p = &u->parts[x->page][i];
        size_t start = x->from == x->to ? x->start : p->start;
        size_t len = x->from == x->to ? x->len : p->len;
        struct said *said = &s->v[s->count++];

        *said =
            (struct said){.from = used_add(s, p->c),
                          .text = arena_strndup(s->a, p->c->text + start, len),
                          .start = start,
                          .len = len,
                          .form = form_of(p->kind),
                          .goes_with = i > x->from};
        if (said->text == NULL)
            return ERR_NOMEM;
    }
    return ERR_OK;
}

static enum err render(struct saying *s, const struct choice *c, bool markers,
                       struct units_answer *out)
{
    struct render r;
    size_t held = 0;
    enum err e = render_init(&r, markers, s->count + 2, s->a);

    if (e == ERR_OK && out->directness == ANSWER_RELATED)
        render_words(&r, phrase(c->q->lang, PHRASE_ONLY_CLOSE));
    if (e == ERR_OK)
        e = render_said(&r, s->v, s->count, &held);
    if (e == ERR_OK && held == 0)
        e = ERR_NO_RESULT;
    if (e == ERR_OK)
        e = render_end(&r, &out->text, &out->sources, &out->source_count);
    if (e == ERR_OK)
        e = render_evidence(&r, &out->evidence, &out->evidence_count);
    out->verified = r.verified;
    render_fini(&r);
    return e;
}

static enum err say(const struct choice *c, bool markers, struct arena *a,
                    struct units_answer *out)
{
    struct saying *s = arena_alloc(a, sizeof(*s));
    enum err e = ERR_OK;

    if (s == NULL)
        return ERR_NOMEM;
    memset(s, 0, sizeof(*s));
    s->a = a;
    s->used = arena_array(a, SAID_MAX, sizeof(*s->used));
    if (s->used == NULL)
        return ERR_NOMEM;
    memset(s->used, 0, SAID_MAX * sizeof(*s->used));
    for (size_t i = 0; e == ERR_OK && i < c->count; i++)
        e = unit_say(s, c->u, c->v[i]);
    if (e == ERR_OK)
        e = render(s, c, markers, out);
    out->used = s->used;
    out->used_count = s->used_count;
    return e;
}

enum err answer_units(const struct query *q, const struct found_page *pages,
                      size_t count, bool markers, struct arena *a,
                      struct units_answer *out)
{
    struct units_answer answer = {.directness = ANSWER_DIRECT};
    struct units u = {.v = NULL};
    struct choice c = {.q = q, .u = &u};
    double sure;
    enum err e = units_cut(q, pages, count, a, &u);

    if (e != ERR_OK)
        return e;
    if (u.count == 0 || !is_outlined(&pages[u.v[0].page]))
        return ERR_NO_RESULT;
    sure = directness_of(&u.v[0]);
    if (sure < ON_SUBJECT)
        return ERR_NOT_FOUND;
    if (sure < DIRECT)
        answer.directness = ANSWER_RELATED;
    choose(&c);
    if (answer.directness == ANSWER_RELATED)
        c.count = 1;
    e = say(&c, markers, a, &answer);
    if (e == ERR_OK)
        *out = answer;
    return e;
}
