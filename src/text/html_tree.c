/* From tokens to nodes in document order; see html_tree.h. */
#include "text/html_build.h"

#include <stdlib.h>

/* Node i as the next of d's. */
static void take_node(struct dom *d, const struct elem *e, uint32_t parent)
{
    struct node *n = &d->nodes[d->count++];

    *n = (struct node){
        .data = e->is_text ? e->data : NULL,
        .attrs = e->attrs,
        .attr_count = e->attr_count,
        .parent = parent,
        .end = d->count,
        .tag = e->space == HTML && !e->is_text ? e->tag : (uint8_t)TAG_UNKNOWN,
        .foreign = e->space != HTML,
        .is_text = e->is_text};
    n->block = dom_is_block((enum tag)n->tag);
}

/* The nodes in document order, without pictures. */
static enum err flatten(const struct tree *x, struct dom *d)
{
    uint32_t i = 0, at = 0;

    d->nodes = calloc(x->count, sizeof *d->nodes);
    if (d->nodes == NULL)
        return ERR_NOMEM;
    take_node(d, &x->e[0], 0);
    for (;;) {
        uint32_t next = x->e[i].first;

        while (next != NONE && x->e[next].space == SVG)
            next = x->e[next].next;
        if (next != NONE) {
            i = next;
            take_node(d, &x->e[i], at);
            at = d->count - 1;
            continue;
        }
        for (;;) {
            struct node *n = &d->nodes[at], *up = &d->nodes[n->parent];

            n->end = d->count;
            up->holds_block = up->holds_block || n->block || n->holds_block;
            if (i == 0)
                return ERR_OK;
            at = n->parent;
            next = x->e[i].next;
            while (next != NONE && x->e[next].space == SVG)
                next = x->e[next].next;
            if (next != NONE)
                break;
            i = x->e[i].parent;
        }
        i = next;
        take_node(d, &x->e[i], at);
        at = d->count - 1;
    }
}

enum err html_tree_build(char *p, size_t n, struct dom *d)
{
    struct tree *x = calloc(1, sizeof *x);
    uint32_t root;
    enum err e;

    if (x == NULL)
        return ERR_NOMEM;
    x->t = (struct html_tokens){.p = p, .n = n};
    x->d = d;
    p[n] = '\0';
    root = tree_add_elem(x, (struct elem){.data = "html", .tag = TAG_HTML});
    if (!tree_stopped(x))
        tree_push(x, root);
    while (!tree_stopped(x) && x->token.kind != TOKEN_END) {
        x->t.foreign = x->e[tree_current(x)].space != HTML;
        html_token_next(&x->t, &x->token);
        tree_take(x);
    }
    d->cut = x->full;
    e = x->failed != ERR_OK ? x->failed : flatten(x, d);
    free(x->e);
    free(x);
    return e;
}
