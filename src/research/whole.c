/* Chosen units as whole thoughts; see whole.h. Called by choose.c. */
#include "research/whole.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

static int by_place(const void *x, const void *y)
{
    const struct choice *a = *(const struct choice *const *)x;
    const struct choice *b = *(const struct choice *const *)y;

    if (a->page != b->page)
        return a->page < b->page ? -1 : 1;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Where the block begins in its page. */
static size_t place_of(const struct choices *x, const struct run_block *b)
{
    return (size_t)x->r->evidence[b->row].start + b->start;
}

/* Does another one that is chosen, for whatever part, say any of the block? */
static bool is_said(const struct choices *x, struct choice *const *v, size_t n,
                    const struct choice *c, const struct run_block *b)
{
    size_t from = place_of(x, b), to = from + b->len;

    for (size_t i = 0; i < n; i++) {
        if (v[i] == c || v[i]->page != c->page)
            continue;
        for (size_t k = 0; k < v[i]->count; k++) {
            size_t start = place_of(x, &v[i]->blocks[k]);

            if (start < to && from < start + v[i]->blocks[k].len)
                return true;
        }
    }
    return false;
}

/* Behind the n blocks of v; the rest of a block is no other one. */
static void block_add(const struct choices *x, struct run_block *v, size_t *n,
                      struct run_block b)
{
    struct run_block *last = *n > 0 ? &v[*n - 1] : NULL;
    const char *text = x->r->evidence[b.row].text;
    size_t end = last == NULL ? 0 : last->start + last->len;

    if (last != NULL && last->row == b.row && end <= b.start &&
        memchr(text + end, '\n', b.start - end) == NULL)
        last->len = b.start + b.len - last->start;
    else
        v[(*n)++] = b;
}

/* Of a block that is said with what ends at a place of its page, the rest. */
static bool is_rest(const struct choices *x, struct run_block *b, size_t end)
{
    const char *z = x->r->evidence[b->row].text;
    size_t place = place_of(x, b), cut = end > place ? end - place : 0;

    if (cut >= b->len)
        return false;
    while (cut > 0 && cut < b->len && ascii_is_space(z[b->start + cut]))
        cut++;
    b->start += cut;
    b->len -= cut;
    b->number = cut > 0 ? 0 : b->number;
    return b->len > 0;
}

static enum err unit_make(const struct choices *x, struct choice *const *v,
                          size_t n, struct choice *c)
{
    const struct run_unit *u = c->unit;
    struct run_block *all;
    /* One entry of several has not what introduces them. */
    bool begins = c->begins && (c->ends || c->blocks->kind == 'p');
    size_t count = 0, end;

    if (c->left)
        return ERR_OK;
    all = arena_array(x->a, c->count + 2 * u->count + 1, sizeof(*all));
    if (all == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < u->ahead && begins; i++)
        if (!is_said(x, v, n, c, &u->blocks[i]))
            block_add(x, all, &count, u->blocks[i]);
    for (size_t i = 0; i < c->count; i++)
        block_add(x, all, &count, c->blocks[i]);
    end = place_of(x, &all[count - 1]) + all[count - 1].len;
    for (size_t i = u->ahead; c->ends && u->behind > 0 && i < u->count; i++) {
        struct run_block b = u->blocks[i];

        if (is_rest(x, &b, end) && !is_said(x, v, n, c, &b))
            block_add(x, all, &count, b);
    }
    c->blocks = all;
    c->count = count;
    c->place = place_of(x, all);
    return ERR_OK;
}

enum err whole_make(struct choices *x)
{
    struct choice **v = arena_array(x->a, x->count + 1, sizeof(*v));
    size_t n = 0;
    enum err e = ERR_OK;

    if (v == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < x->count; i++)
        if (x->v[i].chosen)
            v[n++] = &x->v[i];
    if (n > 1)
        qsort(v, n, sizeof(*v), by_place);
    for (size_t i = 0; e == ERR_OK && i < n; i++)
        e = unit_make(x, v, n, v[i]);
    return e;
}
