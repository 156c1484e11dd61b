/* Nodes, open elements and active formatting elements; see html_build.h. */
#include "text/html_build.h"

#include <stdlib.h>
#include <string.h>

/* --- nodes ------------------------------------------------------------- */

bool tree_stopped(const struct tree *x)
{
    return x->full || x->failed != ERR_OK;
}

uint32_t tree_add_elem(struct tree *x, struct elem e)
{
    if (x->count == x->size) {
        uint32_t more = x->size == 0                   ? 256
                        : x->size < TREE_NODES_MAX / 2 ? x->size * 2
                                                       : TREE_NODES_MAX;
        struct elem *grown = x->count >= TREE_NODES_MAX
                                 ? NULL
                                 : realloc(x->e, more * sizeof *grown);

        if (grown == NULL) {
            x->full = x->count >= TREE_NODES_MAX;
            x->failed = x->full ? ERR_OK : ERR_NOMEM;
            return x->count - 1;
        }
        x->e = grown;
        x->size = more;
    }
    x->e[x->count] = e;
    return x->count++;
}

static void unlink_elem(struct tree *x, uint32_t i)
{
    struct elem *e = &x->e[i], *up = &x->e[e->parent];

    if (e->prev != NONE)
        x->e[e->prev].next = e->next;
    else if (up->first == i)
        up->first = e->next;
    if (e->next != NONE)
        x->e[e->next].prev = e->prev;
    else if (up->last == i)
        up->last = e->prev;
    e->prev = e->next = NONE;
}

/* As a child of parent in front of before; last where that is NONE. */
static void link_elem(struct tree *x, uint32_t i, uint32_t parent,
                      uint32_t before)
{
    struct elem *e = &x->e[i], *up = &x->e[parent];

    e->parent = parent;
    e->next = before;
    e->prev = before == NONE ? up->last : x->e[before].prev;
    if (e->prev != NONE)
        x->e[e->prev].next = i;
    else
        up->first = i;
    if (before != NONE)
        x->e[before].prev = i;
    else
        up->last = i;
}

uint32_t tree_current(const struct tree *x)
{
    return x->stack[x->depth - 1];
}

enum tag tree_tag_at(const struct tree *x, size_t depth)
{
    const struct elem *e = &x->e[x->stack[depth]];

    return e->space == HTML ? (enum tag)e->tag : TAG_UNKNOWN;
}

enum tag tree_current_tag(const struct tree *x)
{
    return tree_tag_at(x, x->depth - 1);
}

bool tree_is_one_of(enum tag tag, const enum tag *tags, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (tags[i] == tag)
            return true;
    return false;
}

/* --- the stack of open elements ---------------------------------------- */

void tree_pop(struct tree *x)
{
    struct elem *e;

    if (x->depth <= 1)
        return;
    e = &x->e[x->stack[--x->depth]];
    e->open = false;
    if (e->space == HTML)
        x->opened[e->tag]--;
}

void tree_push(struct tree *x, uint32_t i)
{
    x->stack[x->depth++] = i;
    x->e[i].open = true;
    if (x->e[i].space == HTML)
        x->opened[x->e[i].tag]++;
}

void tree_remove_open(struct tree *x, size_t at)
{
    struct elem *e = &x->e[x->stack[at]];

    e->open = false;
    if (e->space == HTML)
        x->opened[e->tag]--;
    memmove(&x->stack[at], &x->stack[at + 1],
            (x->depth - at - 1) * sizeof x->stack[0]);
    x->depth--;
}

/* The depth of the innermost open element of the tag; 0 if there is none. */
static size_t find_open(struct tree *x, enum tag tag)
{
    if (x->opened[tag] == 0)
        return 0;
    for (size_t i = x->depth; i-- > 0; x->steps++)
        if (tree_tag_at(x, i) == tag)
            return i;
    return 0;
}

void tree_pop_to(struct tree *x, size_t depth)
{
    while (x->depth > depth && x->depth > 1)
        tree_pop(x);
}

void tree_pop_until(struct tree *x, enum tag tag)
{
    size_t at = find_open(x, tag);

    if (at > 0)
        tree_pop_to(x, at);
}

static bool ends_scope(const struct elem *e, enum scope scope)
{
    if (scope == IN_TABLE_SCOPE)
        return e->space == HTML &&
               IS((enum tag)e->tag, TAG_HTML, TAG_TABLE, TAG_TEMPLATE);
    if (e->space != HTML)
        return e->tag == TAG_ISLAND;
    return (tag_kind((enum tag)e->tag) & K_SCOPE) != 0 ||
           (scope == IN_LIST_SCOPE && IS((enum tag)e->tag, TAG_OL, TAG_UL)) ||
           (scope == IN_BUTTON_SCOPE && e->tag == TAG_BUTTON);
}

bool tree_has_in(struct tree *x, enum tag tag, enum scope scope)
{
    if (x->opened[tag] == 0)
        return false;
    for (size_t i = x->depth; i-- > 0; x->steps++) {
        if (tree_tag_at(x, i) == tag)
            return true;
        if (ends_scope(&x->e[x->stack[i]], scope))
            return false;
    }
    return false;
}

bool tree_has_heading(struct tree *x)
{
    for (unsigned tag = TAG_H1; tag <= TAG_H6; tag++)
        if (tree_has_in(x, (enum tag)tag, IN_SCOPE))
            return true;
    return false;
}

void tree_close_implied(struct tree *x, enum tag but)
{
    while ((tag_kind(tree_current_tag(x)) & K_IMPLIED) != 0 &&
           tree_current_tag(x) != but)
        tree_pop(x);
}

void tree_close_p(struct tree *x)
{
    if (tree_has_in(x, TAG_P, IN_BUTTON_SCOPE))
        tree_pop_until(x, TAG_P);
}

/* Down to one of the tags, html and template at the latest. */
void tree_clear_to(struct tree *x, enum tag a, enum tag b, enum tag c)
{
    while (!IS(tree_current_tag(x), a, b, c, TAG_TEMPLATE, TAG_HTML))
        tree_pop(x);
}

/* --- putting in -------------------------------------------------------- */

/* Where a node goes that belongs into the element at target (section
 * 13.2.6.1): before a table what may not stand in it. */
static uint32_t place_for(struct tree *x, uint32_t target, uint32_t *before)
{
    size_t table;

    *before = NONE;
    if (!x->foster || x->e[target].space != HTML ||
        !IS((enum tag)x->e[target].tag, TAG_TABLE, TAG_TBODY, TAG_TFOOT,
            TAG_THEAD, TAG_TR))
        return target;
    table = find_open(x, TAG_TABLE);
    if (find_open(x, TAG_TEMPLATE) > table)
        return x->stack[find_open(x, TAG_TEMPLATE)];
    if (table == 0)
        return 0;
    *before = x->stack[table];
    return x->e[x->stack[table]].parent;
}

static void insert(struct tree *x, uint32_t i)
{
    uint32_t before, parent = place_for(x, tree_current(x), &before);

    if (!tree_stopped(x))
        link_elem(x, i, parent, before);
}

void tree_insert_text(struct tree *x, const char *z)
{
    if (*z != '\0')
        insert(x, tree_add_elem(x, (struct elem){.data = z, .is_text = true}));
}

/* In the tree and open; where too many are, beside the innermost one. */
static void insert_open(struct tree *x, uint32_t i)
{
    if (x->depth == TREE_DEPTH_MAX)
        tree_pop(x);
    insert(x, i);
    if (!tree_stopped(x))
        tree_push(x, i);
}

/* The token's attributes, kept. */
const struct attr *tree_keep_attrs(struct tree *x, size_t *count)
{
    struct arena *mem = &x->d->mem;
    struct attr *kept;

    *count = 0;
    if (x->token.attr_count == 0)
        return NULL;
    kept = arena_array(mem, x->token.attr_count, sizeof *kept);
    if (kept == NULL) {
        x->full = mem->cap - mem->used < sizeof x->token.attrs;
        x->failed = x->full ? ERR_OK : ERR_NOMEM;
        return NULL;
    }
    *count = x->token.attr_count;
    memcpy(kept, x->token.attrs, *count * sizeof *kept);
    return kept;
}

/* The token's element, in the tree and open. */
uint32_t tree_open_as(struct tree *x, enum space space, uint8_t tag)
{
    size_t count;
    const struct attr *attrs = tree_keep_attrs(x, &count);
    uint32_t i = tree_add_elem(x, (struct elem){.data = x->token.name,
                                                .attrs = attrs,
                                                .attr_count = (uint8_t)count,
                                                .tag = tag,
                                                .space = (uint8_t)space});

    insert_open(x, i);
    return i;
}

uint32_t tree_open_token(struct tree *x)
{
    return tree_open_as(x, HTML, (uint8_t)x->token.tag);
}

/* An element that the page left out. */
uint32_t tree_open_implied(struct tree *x, enum tag tag)
{
    uint32_t i = tree_add_elem(
        x, (struct elem){.data = tag_name(tag), .tag = (uint8_t)tag});

    insert_open(x, i);
    return i;
}

void tree_put_void(struct tree *x)
{
    tree_open_token(x);
    tree_pop(x);
}

/* An element that holds text only, with its text. Of scripts only those that
 * are data, and nothing of styles, is anything to read. */
void tree_put_raw(struct tree *x)
{
    enum tag tag = x->token.tag;
    bool wanted = tag != TAG_STYLE && tag != TAG_SCRIPT;
    uint32_t i = 0;
    char *text;
    size_t len;

    for (size_t k = 0; tag == TAG_SCRIPT && k < x->token.attr_count; k++)
        wanted = wanted || (strcmp(x->token.attrs[k].name, "type") == 0 &&
                            mem_find_i(x->token.attrs[k].value,
                                       x->token.attrs[k].len, "json") != NULL);
    if (wanted)
        i = tree_open_token(x);
    text = html_token_raw(&x->t, &x->token, &len);
    if (!wanted || tree_stopped(x))
        return;
    if (tag == TAG_TEXTAREA && *text == '\n')
        text++;
    tree_insert_text(x, text);
    if (tree_current(x) == i)
        tree_pop(x);
}

/* --- active formatting elements ---------------------------------------- */

void tree_drop_format(struct tree *x, size_t at)
{
    memmove(&x->formats[at], &x->formats[at + 1],
            (x->format_count - at - 1) * sizeof x->formats[0]);
    x->format_count--;
}

static bool same_attrs(const struct elem *a, const struct elem *b)
{
    if (a->tag != b->tag || a->attr_count != b->attr_count)
        return false;
    for (size_t i = 0; i < a->attr_count; i++) {
        size_t k = 0;

        while (k < b->attr_count &&
               (a->attrs[i].name != b->attrs[k].name ||
                strcmp(a->attrs[i].value, b->attrs[k].value) != 0))
            k++;
        if (k == b->attr_count)
            return false;
    }
    return true;
}

void tree_add_format(struct tree *x, uint32_t i)
{
    size_t same = 0, first = 0;

    for (size_t k = x->format_count;
         i != MARKER && k-- > 0 && x->formats[k] != MARKER; x->steps++) {
        if (!same_attrs(&x->e[x->formats[k]], &x->e[i]))
            continue;
        same++;
        first = k;
    }
    if (same >= 3)
        tree_drop_format(x, first);
    if (x->format_count == FORMATS_MAX)
        tree_drop_format(x, 0);
    x->formats[x->format_count++] = i;
}

void tree_clear_formats(struct tree *x)
{
    while (x->format_count > 0 && x->formats[--x->format_count] != MARKER)
        continue;
}

/* The entry of the last element of the tag behind the last marker, + 1. */
size_t tree_find_format(struct tree *x, enum tag tag)
{
    for (size_t k = x->format_count; k > 0 && x->formats[k - 1] != MARKER;
         k--, x->steps++)
        if (x->e[x->formats[k - 1]].tag == tag)
            return k;
    return 0;
}

size_t tree_format_of(const struct tree *x, uint32_t i)
{
    size_t k = x->format_count;

    while (k > 0 && x->formats[k - 1] != i)
        k--;
    return k;
}

static uint32_t copy_elem(struct tree *x, uint32_t i)
{
    const struct elem *e = &x->e[i];

    return tree_add_elem(x, (struct elem){.data = e->data,
                                          .attrs = e->attrs,
                                          .attr_count = e->attr_count,
                                          .tag = e->tag});
}

void tree_reopen_formats(struct tree *x)
{
    size_t k = x->format_count;

    while (k > 0 && x->formats[k - 1] != MARKER &&
           !x->e[x->formats[k - 1]].open)
        k--;
    for (; k < x->format_count && !tree_stopped(x); k++) {
        uint32_t i = copy_elem(x, x->formats[k]);

        if (tree_stopped(x))
            return;
        insert_open(x, i);
        x->formats[k] = i;
    }
}

bool tree_is_special(const struct elem *e)
{
    return e->space == HTML ? (tag_kind((enum tag)e->tag) & K_SPECIAL) != 0
                            : e->tag == TAG_ISLAND;
}

/* "Any other end tag" of section 13.2.6.4.7. */
void tree_close_other(struct tree *x, enum tag tag, const char *name)
{
    if (x->opened[tag] == 0)
        return;
    for (size_t i = x->depth; i-- > 0; x->steps++) {
        const struct elem *e = &x->e[x->stack[i]];

        if (tree_tag_at(x, i) == tag && e->space == HTML &&
            (tag != TAG_UNKNOWN || strcmp(e->data, name) == 0)) {
            tree_pop_to(x, i);
            return;
        }
        if (tree_is_special(e))
            return;
    }
}

/* The furthest block: the outermost special element inside the one at depth
 * at; 0 if there is none. */
static size_t furthest_block(struct tree *x, size_t at)
{
    for (size_t i = at + 1; i < x->depth; i++, x->steps++)
        if (tree_is_special(&x->e[x->stack[i]]))
            return i;
    return 0;
}

size_t tree_depth_of(struct tree *x, uint32_t i)
{
    size_t at = x->depth;

    while (at > 0 && x->stack[at - 1] != i)
        at--;
    x->steps += x->depth - at;
    return at - 1;
}

/* Steps 11 to 18 of the adoption agency: what stands between the element and
 * the furthest block is copied into it. */
static void adopt(struct tree *x, uint32_t format, size_t at, size_t block)
{
    uint32_t furthest = x->stack[block], ancestor = x->stack[at - 1];
    uint32_t last = furthest, before, parent, copy;
    size_t node = block, bookmark = tree_format_of(x, format) - 1;

    for (int inner = 1;; inner++) {
        uint32_t i = x->stack[--node], made;
        size_t entry;

        if (i == format)
            break;
        entry = tree_format_of(x, i);
        x->steps += x->format_count;
        if (inner > 3 && entry > 0) {
            tree_drop_format(x, entry - 1);
            bookmark -= entry - 1 < bookmark;
            entry = 0;
        }
        if (entry == 0) {
            tree_remove_open(x, node);
            continue;
        }
        made = copy_elem(x, i);
        if (tree_stopped(x))
            return;
        x->formats[entry - 1] = made;
        x->e[i].open = false;
        x->e[made].open = true;
        x->stack[node] = made;
        if (last == furthest)
            bookmark = entry;
        unlink_elem(x, last);
        link_elem(x, last, made, NONE);
        last = made;
    }
    unlink_elem(x, last);
    parent = place_for(x, ancestor, &before);
    link_elem(x, last, parent, before);
    copy = copy_elem(x, format);
    if (tree_stopped(x))
        return;
    for (uint32_t i = x->e[furthest].first; i != NONE; i = x->e[i].next)
        x->e[i].parent = copy;
    x->e[copy].first = x->e[furthest].first;
    x->e[copy].last = x->e[furthest].last;
    x->e[furthest].first = x->e[furthest].last = NONE;
    link_elem(x, copy, furthest, NONE);
    node = tree_format_of(x, format) - 1;
    tree_drop_format(x, node);
    bookmark -= node < bookmark;
    memmove(&x->formats[bookmark + 1], &x->formats[bookmark],
            (x->format_count - bookmark) * sizeof x->formats[0]);
    x->formats[bookmark] = copy;
    x->format_count++;
    tree_remove_open(x, tree_depth_of(x, format));
    block = tree_depth_of(x, furthest);
    if (x->depth == TREE_DEPTH_MAX)
        return;
    memmove(&x->stack[block + 2], &x->stack[block + 1],
            (x->depth - block - 1) * sizeof x->stack[0]);
    x->stack[block + 1] = copy;
    x->depth++;
    x->e[copy].open = true;
    x->opened[x->e[copy].tag]++;
}

/* The end tag of a formatting element: the adoption agency algorithm. */
void tree_close_format(struct tree *x, enum tag tag)
{
    if (tree_current_tag(x) == tag && tree_format_of(x, tree_current(x)) == 0) {
        tree_pop(x);
        return;
    }
    for (int outer = 0; outer < 8 && !tree_stopped(x); outer++) {
        size_t entry = tree_find_format(x, tag), at, block;
        uint32_t format;

        if (entry == 0) {
            if (outer == 0)
                tree_close_other(x, tag, tag_name(tag));
            return;
        }
        format = x->formats[entry - 1];
        if (!x->e[format].open) {
            tree_drop_format(x, entry - 1);
            return;
        }
        if (!tree_has_in(x, tag, IN_SCOPE))
            return;
        at = tree_depth_of(x, format);
        block = furthest_block(x, at);
        if (block == 0) {
            tree_pop_to(x, at);
            tree_drop_format(x, entry - 1);
            return;
        }
        adopt(x, format, at, block);
    }
}
