/*
 * Running patterns; see pattern.h. Keeps the set of all places the program
 * can be at, so a character costs at most the length of the program.
 */
#include "json/pattern.h"

#include "base/str.h"

#include <stdlib.h>

static void frame_fini(struct frame *f)
{
    free(f->now.at);
    free(f->now.mark);
    free(f->next.at);
    free(f->next.mark);
    free(f->stack);
}

void pattern_free(struct pattern *p)
{
    if (p == NULL)
        return;
    free(p->code);
    free(p->ranges);
    for (size_t i = 0; i <= PATTERN_LOOKS_MAX; i++)
        frame_fini(&p->frames[i]);
    free(p);
}

/* --- running -------------------------------------------------------------- */

/* The subject, and what is spent on it. */
struct subject {
    const char *z;
    size_t n;
    int64_t *steps;
};

/* Where in the subject the program is. */
struct spot {
    size_t at;
    bool border; /* between a word character and another one */
};

static bool in_ranges(const struct range *r, size_t n, uint32_t cp)
{
    for (size_t i = 0; i < n; i++)
        if (r[i].lo == RANGE_CATEGORIES ? r[i].hi >> category_of(cp) & 1
                                        : cp >= r[i].lo && cp <= r[i].hi)
            return true;
    return false;
}

static bool is_word(uint32_t cp)
{
    return cp < 0x80 && (ascii_is_alnum((int)cp) || cp == '_');
}

static void set_clear(struct set *s)
{
    s->count = 0;
    s->generation++;
}

/* Push a place that is new in this generation. */
static size_t push(struct frame *f, struct set *s, size_t top, int32_t pc)
{
    if (s->mark[pc] == s->generation)
        return top;
    s->mark[pc] = s->generation;
    f->stack[top] = pc;
    return top + 1;
}

static bool matches_at(struct pattern *p, size_t depth, int32_t start,
                       const struct subject *x, size_t at, bool anywhere);

/* Does what the instruction at pc asks of this spot hold? */
static bool holds(struct pattern *p, size_t depth, int32_t pc,
                  const struct subject *x, struct spot spot)
{
    const struct inst *i = &p->code[pc];

    switch (i->op) {
    case OP_BEGIN:
        return spot.at == 0;
    case OP_END:
        return spot.at == x->n;
    case OP_WORD:
    case OP_NOT_WORD:
        return spot.border == (i->op == OP_WORD);
    case OP_LOOK:
        return matches_at(p, depth + 1, pc + 1, x, spot.at, false) ==
               (i->b == 0);
    default:
        return true;
    }
}

/* Add start and every place reached from it without reading a character.
 * True when the end of the program is among them. */
static bool follow(struct pattern *p, size_t depth, struct set *s,
                   int32_t start, const struct subject *x, struct spot spot)
{
    struct frame *f = &p->frames[depth];
    size_t top = push(f, s, 0, start);

    while (top > 0) {
        int32_t pc = f->stack[--top];
        const struct inst *i = &p->code[pc];

        (*x->steps)--;
        switch (i->op) {
        case OP_MATCH:
            return true;
        case OP_SPLIT:
            top = push(f, s, top, pc + i->b);
            top = push(f, s, top, pc + i->a);
            break;
        case OP_JUMP:
            top = push(f, s, top, pc + i->a);
            break;
        case OP_CHAR:
        case OP_CLASS:
            s->at[s->count++] = pc;
            break;
        default:
            if (holds(p, depth, pc, x, spot))
                top = push(f, s, top, pc + (i->op == OP_LOOK ? i->a : 1));
            break;
        }
    }
    return false;
}

static bool accepts(const struct pattern *p, const struct inst *i, uint32_t cp,
                    int64_t *steps)
{
    size_t n;

    if (i->op == OP_CHAR)
        return (uint32_t)i->a == cp;
    n = (size_t)(i->b < 0 ? -(i->b + 1) : i->b);
    *steps -= (int64_t)(n / 8);
    return in_ranges(p->ranges + i->a, n, cp) == (i->b >= 0);
}

/* Read cp: from the places of now to those of next. */
static bool advance(struct pattern *p, size_t depth, uint32_t cp,
                    const struct subject *x, struct spot after)
{
    struct frame *f = &p->frames[depth];
    struct set *s = &f->next, last = f->now;

    set_clear(s);
    for (size_t i = 0; i < f->now.count; i++) {
        int32_t pc = f->now.at[i];

        (*x->steps)--;
        if (accepts(p, &p->code[pc], cp, x->steps) &&
            follow(p, depth, s, pc + 1, x, after))
            return true;
    }
    f->now = *s;
    f->next = last;
    return false;
}

/* The code point that ends before z[at]; 0 at the beginning. */
static uint32_t before_of(const struct subject *x, size_t at)
{
    uint32_t cp = 0;
    size_t from = at;

    while (from > 0 && ((unsigned char)x->z[--from] & 0xC0) == 0x80)
        continue;
    if (at > 0)
        (void)utf8_decode(x->z + from, at - from, &cp);
    return cp;
}

/* Does the program from start on match, beginning at byte `at` or (anywhere)
 * behind it? False too when the steps are used up: the caller looks. */
static bool matches_at(struct pattern *p, size_t depth, int32_t start,
                       const struct subject *x, size_t at, bool anywhere)
{
    struct frame *f = &p->frames[depth];
    uint32_t cp = before_of(x, at);
    size_t len = 0;
    bool found = false;

    set_clear(&f->now);
    for (size_t i = at; !found && *x->steps >= 0; i += len) {
        uint32_t ahead = 0;
        struct spot spot = {.at = i};
        bool end = i == x->n;

        len = end ? 0 : utf8_decode(x->z + i, x->n - i, &ahead);
        spot.border = (i > 0 && is_word(cp)) != (!end && is_word(ahead));
        if (i > at)
            found = advance(p, depth, cp, x, spot);
        if (i == at || anywhere)
            found = found || follow(p, depth, &f->now, start, x, spot);
        if (end || (!anywhere && f->now.count == 0))
            break;
        cp = ahead;
    }
    return found;
}

enum err pattern_match(struct pattern *p, const char *z, size_t n,
                       int64_t *steps, bool *out)
{
    struct subject x = {z, n, steps};
    bool found = matches_at(p, 0, 0, &x, 0, true);

    if (*steps < 0)
        return ERR_LIMIT;
    *out = found;
    return ERR_OK;
}
