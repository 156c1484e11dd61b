/*
 * Running patterns; see pattern.h. Keeps the set of all places the program
 * can be at, so a character costs at most the length of the program.
 */
#include "json/pattern.h"

#include "base/str.h"
#include "json/pattern_code.h"

#include <stdlib.h>

void pattern_free(struct pattern *p)
{
    if (p == NULL)
        return;
    free(p->code);
    free(p->ranges);
    free(p->now.at);
    free(p->now.mark);
    free(p->next.at);
    free(p->next.mark);
    free(p->stack);
    free(p);
}

/* --- running -------------------------------------------------------------- */

/* Where in the subject the program is. */
struct spot {
    bool begin, end;
    bool border; /* between a word character and another one */
};

static bool in_ranges(const struct range *r, size_t n, uint32_t cp)
{
    for (size_t i = 0; i < n; i++)
        if (cp >= r[i].lo && cp <= r[i].hi)
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
static size_t push(const struct pattern *p, struct set *s, size_t top,
                   int32_t pc)
{
    if (s->mark[pc] == s->generation)
        return top;
    s->mark[pc] = s->generation;
    p->stack[top] = pc;
    return top + 1;
}

/* Add pc and every place reached from it without reading a character. True
 * when the end of the program is among them. */
static bool follow(struct pattern *p, struct set *s, int32_t start,
                   struct spot spot, int64_t *steps)
{
    size_t top = push(p, s, 0, start);

    while (top > 0) {
        int32_t pc = p->stack[--top];
        const struct inst *i = &p->code[pc];

        (*steps)--;
        switch (i->op) {
        case OP_MATCH:
            return true;
        case OP_SPLIT:
            top = push(p, s, top, pc + i->b);
            top = push(p, s, top, pc + i->a);
            break;
        case OP_JUMP:
            top = push(p, s, top, pc + i->a);
            break;
        case OP_BEGIN:
            top = spot.begin ? push(p, s, top, pc + 1) : top;
            break;
        case OP_END:
            top = spot.end ? push(p, s, top, pc + 1) : top;
            break;
        case OP_WORD:
        case OP_NOT_WORD:
            if (spot.border == (i->op == OP_WORD))
                top = push(p, s, top, pc + 1);
            break;
        case OP_CHAR:
        case OP_CLASS:
            s->at[s->count++] = pc;
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
static bool advance(struct pattern *p, uint32_t cp, struct spot after,
                    int64_t *steps)
{
    struct set *s = &p->next, last = p->now;

    set_clear(s);
    for (size_t i = 0; i < p->now.count; i++) {
        int32_t pc = p->now.at[i];

        (*steps)--;
        if (accepts(p, &p->code[pc], cp, steps) &&
            follow(p, s, pc + 1, after, steps))
            return true;
    }
    p->now = *s;
    p->next = last;
    return false;
}

enum err pattern_match(struct pattern *p, const char *z, size_t n,
                       int64_t *steps, bool *out)
{
    uint32_t before = 0, cp = 0;
    size_t len = 0;
    bool found = false;

    set_clear(&p->now);
    for (size_t i = 0; !found; i += len) {
        uint32_t ahead = 0;
        struct spot spot = {.begin = i == 0, .end = i == n};

        len = spot.end ? 0 : utf8_decode(z + i, n - i, &ahead);
        spot.border =
            (!spot.begin && is_word(before)) != (!spot.end && is_word(ahead));
        if (i > 0)
            found = advance(p, cp, spot, steps);
        found = found || follow(p, &p->now, 0, spot, steps);
        if (*steps < 0)
            return ERR_LIMIT;
        if (spot.end)
            break;
        before = cp = ahead;
    }
    *out = found;
    return ERR_OK;
}
