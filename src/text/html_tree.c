/* The tree builder; see html_tree.h. Names and order follow the standard. */
#include "text/html_tree.h"

#include "text/html_token.h"

#include <stdlib.h>
#include <string.h>

enum {
    FORMATS_MAX = 256,  /* active formatting elements; the oldest goes */
    TEMPLATES_MAX = 32, /* open ones that have their own mode */
    STEPS_MAX = 60 * 1000 * 1000,
    NONE = 0,              /* as a link: the root is nobody's child */
    TAG_ISLAND = TAG_COUNT /* of svg and math: may hold HTML, or is special */
};

static const uint32_t MARKER = UINT32_MAX;

enum mode {
    BEFORE_HTML,
    BEFORE_HEAD,
    IN_HEAD,
    IN_HEAD_NOSCRIPT,
    AFTER_HEAD,
    IN_BODY,
    IN_TABLE,
    IN_CAPTION,
    IN_COLUMN_GROUP,
    IN_TABLE_BODY,
    IN_ROW,
    IN_CELL,
    IN_SELECT,
    IN_SELECT_IN_TABLE,
    IN_TEMPLATE,
    AFTER_BODY
};

enum space { HTML, MATH, SVG };

struct elem {
    const char *data; /* of a text; else the element's name */
    const struct attr *attrs;
    uint32_t parent, first, last, next, prev;
    uint8_t tag, attr_count, space;
    bool is_text, open;
};

struct tree {
    struct html_tokens t;
    struct token token;
    struct dom *d;
    struct elem *e;
    uint32_t count, size;
    uint32_t stack[TREE_DEPTH_MAX]; /* open elements */
    size_t depth;
    uint32_t opened[TAG_COUNT]; /* how many HTML elements of the tag are open */
    uint32_t formats[FORMATS_MAX];
    size_t format_count;
    enum mode mode, templates[TEMPLATES_MAX];
    size_t template_count;
    uint32_t head, form;
    bool quirks, foster;
    bool line_due; /* the next line end is dropped */
    size_t steps;
    bool full;
    enum err failed;
};

/* --- nodes ------------------------------------------------------------- */

static bool stopped(const struct tree *x)
{
    return x->full || x->failed != ERR_OK;
}

static uint32_t add_elem(struct tree *x, struct elem e)
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

static uint32_t current(const struct tree *x)
{
    return x->stack[x->depth - 1];
}

static enum tag tag_at(const struct tree *x, size_t depth)
{
    const struct elem *e = &x->e[x->stack[depth]];

    return e->space == HTML ? (enum tag)e->tag : TAG_UNKNOWN;
}

static enum tag current_tag(const struct tree *x)
{
    return tag_at(x, x->depth - 1);
}

static bool is_one_of(enum tag tag, const enum tag *tags, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (tags[i] == tag)
            return true;
    return false;
}

#define IS(it, ...)                                                            \
    is_one_of((it), (const enum tag[]){__VA_ARGS__},                           \
              sizeof((const enum tag[]){__VA_ARGS__}) / sizeof(enum tag))

/* --- the stack of open elements ---------------------------------------- */

static void pop(struct tree *x)
{
    struct elem *e;

    if (x->depth <= 1)
        return;
    e = &x->e[x->stack[--x->depth]];
    e->open = false;
    if (e->space == HTML)
        x->opened[e->tag]--;
}

static void push(struct tree *x, uint32_t i)
{
    x->stack[x->depth++] = i;
    x->e[i].open = true;
    if (x->e[i].space == HTML)
        x->opened[x->e[i].tag]++;
}

static void remove_open(struct tree *x, size_t at)
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
        if (tag_at(x, i) == tag)
            return i;
    return 0;
}

static void pop_to(struct tree *x, size_t depth)
{
    while (x->depth > depth && x->depth > 1)
        pop(x);
}

static void pop_until(struct tree *x, enum tag tag)
{
    size_t at = find_open(x, tag);

    if (at > 0)
        pop_to(x, at);
}

enum scope { IN_SCOPE, IN_LIST_SCOPE, IN_BUTTON_SCOPE, IN_TABLE_SCOPE };

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

static bool has_in(struct tree *x, enum tag tag, enum scope scope)
{
    if (x->opened[tag] == 0)
        return false;
    for (size_t i = x->depth; i-- > 0; x->steps++) {
        if (tag_at(x, i) == tag)
            return true;
        if (ends_scope(&x->e[x->stack[i]], scope))
            return false;
    }
    return false;
}

static bool has_heading(struct tree *x)
{
    for (unsigned tag = TAG_H1; tag <= TAG_H6; tag++)
        if (has_in(x, (enum tag)tag, IN_SCOPE))
            return true;
    return false;
}

static void close_implied(struct tree *x, enum tag but)
{
    while ((tag_kind(current_tag(x)) & K_IMPLIED) != 0 && current_tag(x) != but)
        pop(x);
}

static void close_p(struct tree *x)
{
    if (has_in(x, TAG_P, IN_BUTTON_SCOPE))
        pop_until(x, TAG_P);
}

/* Down to one of the tags, html and template at the latest. */
static void clear_to(struct tree *x, enum tag a, enum tag b, enum tag c)
{
    while (!IS(current_tag(x), a, b, c, TAG_TEMPLATE, TAG_HTML))
        pop(x);
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
    uint32_t before, parent = place_for(x, current(x), &before);

    if (!stopped(x))
        link_elem(x, i, parent, before);
}

static void insert_text(struct tree *x, const char *z)
{
    if (*z != '\0')
        insert(x, add_elem(x, (struct elem){.data = z, .is_text = true}));
}

/* In the tree and open; where too many are, beside the innermost one. */
static void insert_open(struct tree *x, uint32_t i)
{
    if (x->depth == TREE_DEPTH_MAX)
        pop(x);
    insert(x, i);
    if (!stopped(x))
        push(x, i);
}

/* The token's attributes, kept. */
static const struct attr *keep_attrs(struct tree *x, size_t *count)
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
static uint32_t open_as(struct tree *x, enum space space, uint8_t tag)
{
    size_t count;
    const struct attr *attrs = keep_attrs(x, &count);
    uint32_t i = add_elem(x, (struct elem){.data = x->token.name,
                                           .attrs = attrs,
                                           .attr_count = (uint8_t)count,
                                           .tag = tag,
                                           .space = (uint8_t)space});

    insert_open(x, i);
    return i;
}

static uint32_t open_token(struct tree *x)
{
    return open_as(x, HTML, (uint8_t)x->token.tag);
}

/* An element that the page left out. */
static uint32_t open_implied(struct tree *x, enum tag tag)
{
    uint32_t i =
        add_elem(x, (struct elem){.data = tag_name(tag), .tag = (uint8_t)tag});

    insert_open(x, i);
    return i;
}

static void put_void(struct tree *x)
{
    open_token(x);
    pop(x);
}

/* An element that holds text only, with its text. Of scripts only those that
 * are data, and nothing of styles, is anything to read. */
static void put_raw(struct tree *x)
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
        i = open_token(x);
    text = html_token_raw(&x->t, tag, &len);
    if (!wanted || stopped(x))
        return;
    if (tag == TAG_TEXTAREA && *text == '\n')
        text++;
    insert_text(x, text);
    if (current(x) == i)
        pop(x);
}

/* --- active formatting elements ---------------------------------------- */

static void drop_format(struct tree *x, size_t at)
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

static void add_format(struct tree *x, uint32_t i)
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
        drop_format(x, first);
    if (x->format_count == FORMATS_MAX)
        drop_format(x, 0);
    x->formats[x->format_count++] = i;
}

static void clear_formats(struct tree *x)
{
    while (x->format_count > 0 && x->formats[--x->format_count] != MARKER)
        continue;
}

/* The entry of the last element of the tag behind the last marker, + 1. */
static size_t find_format(struct tree *x, enum tag tag)
{
    for (size_t k = x->format_count; k > 0 && x->formats[k - 1] != MARKER;
         k--, x->steps++)
        if (x->e[x->formats[k - 1]].tag == tag)
            return k;
    return 0;
}

static size_t format_of(const struct tree *x, uint32_t i)
{
    size_t k = x->format_count;

    while (k > 0 && x->formats[k - 1] != i)
        k--;
    return k;
}

static uint32_t copy_elem(struct tree *x, uint32_t i)
{
    const struct elem *e = &x->e[i];

    return add_elem(x, (struct elem){.data = e->data,
                                     .attrs = e->attrs,
                                     .attr_count = e->attr_count,
                                     .tag = e->tag});
}

static void reopen_formats(struct tree *x)
{
    size_t k = x->format_count;

    while (k > 0 && x->formats[k - 1] != MARKER &&
           !x->e[x->formats[k - 1]].open)
        k--;
    for (; k < x->format_count && !stopped(x); k++) {
        uint32_t i = copy_elem(x, x->formats[k]);

        if (stopped(x))
            return;
        insert_open(x, i);
        x->formats[k] = i;
    }
}

static bool is_special(const struct elem *e)
{
    return e->space == HTML ? (tag_kind((enum tag)e->tag) & K_SPECIAL) != 0
                            : e->tag == TAG_ISLAND;
}

/* "Any other end tag" of section 13.2.6.4.7. */
static void close_other(struct tree *x, enum tag tag, const char *name)
{
    if (x->opened[tag] == 0)
        return;
    for (size_t i = x->depth; i-- > 0; x->steps++) {
        const struct elem *e = &x->e[x->stack[i]];

        if (tag_at(x, i) == tag && e->space == HTML &&
            (tag != TAG_UNKNOWN || strcmp(e->data, name) == 0)) {
            pop_to(x, i);
            return;
        }
        if (is_special(e))
            return;
    }
}

/* The furthest block: the outermost special element inside the one at depth
 * at; 0 if there is none. */
static size_t furthest_block(struct tree *x, size_t at)
{
    for (size_t i = at + 1; i < x->depth; i++, x->steps++)
        if (is_special(&x->e[x->stack[i]]))
            return i;
    return 0;
}

static size_t depth_of(struct tree *x, uint32_t i)
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
    size_t node = block, bookmark = format_of(x, format) - 1;

    for (int inner = 1;; inner++) {
        uint32_t i = x->stack[--node], made;
        size_t entry;

        if (i == format)
            break;
        entry = format_of(x, i);
        x->steps += x->format_count;
        if (inner > 3 && entry > 0) {
            drop_format(x, entry - 1);
            bookmark -= entry - 1 < bookmark;
            entry = 0;
        }
        if (entry == 0) {
            remove_open(x, node);
            continue;
        }
        made = copy_elem(x, i);
        if (stopped(x))
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
    if (stopped(x))
        return;
    for (uint32_t i = x->e[furthest].first; i != NONE; i = x->e[i].next)
        x->e[i].parent = copy;
    x->e[copy].first = x->e[furthest].first;
    x->e[copy].last = x->e[furthest].last;
    x->e[furthest].first = x->e[furthest].last = NONE;
    link_elem(x, copy, furthest, NONE);
    node = format_of(x, format) - 1;
    drop_format(x, node);
    bookmark -= node < bookmark;
    memmove(&x->formats[bookmark + 1], &x->formats[bookmark],
            (x->format_count - bookmark) * sizeof x->formats[0]);
    x->formats[bookmark] = copy;
    x->format_count++;
    remove_open(x, depth_of(x, format));
    block = depth_of(x, furthest);
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
static void close_format(struct tree *x, enum tag tag)
{
    if (current_tag(x) == tag && format_of(x, current(x)) == 0) {
        pop(x);
        return;
    }
    for (int outer = 0; outer < 8 && !stopped(x); outer++) {
        size_t entry = find_format(x, tag), at, block;
        uint32_t format;

        if (entry == 0) {
            if (outer == 0)
                close_other(x, tag, tag_name(tag));
            return;
        }
        format = x->formats[entry - 1];
        if (!x->e[format].open) {
            drop_format(x, entry - 1);
            return;
        }
        if (!has_in(x, tag, IN_SCOPE))
            return;
        at = depth_of(x, format);
        block = furthest_block(x, at);
        if (block == 0) {
            pop_to(x, at);
            drop_format(x, entry - 1);
            return;
        }
        adopt(x, format, at, block);
    }
}

/* --- the modes ----------------------------------------------------------
 * Each takes x->token; true: it is to be taken again, in another mode.
 */

static bool take_in(struct tree *x, enum mode mode);

/* The attributes of a second <html> or <body>. */
static void add_attrs(struct tree *x, uint32_t i)
{
    size_t count;

    if (x->e[i].attr_count > 0 || x->opened[TAG_TEMPLATE] > 0)
        return;
    x->e[i].attrs = keep_attrs(x, &count);
    x->e[i].attr_count = (uint8_t)count;
}

static bool is_open(const struct tree *x)
{
    return x->token.kind == TOKEN_OPEN;
}

static bool is_close(const struct tree *x)
{
    return x->token.kind == TOKEN_CLOSE;
}

/* Drop the white space that the text begins with; is it all? */
static bool skip_white(struct tree *x)
{
    while (ascii_is_space(*x->token.text))
        x->token.text++;
    return *x->token.text == '\0';
}

static bool is_white(const char *z)
{
    while (ascii_is_space(*z))
        z++;
    return *z == '\0';
}

static bool go(struct tree *x, enum mode mode)
{
    x->mode = mode;
    return true;
}

static void reset_mode(struct tree *x)
{
    for (size_t i = x->depth; i-- > 0; x->steps++) {
        enum tag tag = tag_at(x, i);
        bool table = x->opened[TAG_TABLE] > 0;

        x->mode = tag == TAG_SELECT && table       ? IN_SELECT_IN_TABLE
                  : tag == TAG_SELECT              ? IN_SELECT
                  : tag == TAG_TD || tag == TAG_TH ? IN_CELL
                  : tag == TAG_TR                  ? IN_ROW
                  : IS(tag, TAG_TBODY, TAG_THEAD, TAG_TFOOT) ? IN_TABLE_BODY
                  : tag == TAG_CAPTION                       ? IN_CAPTION
                  : tag == TAG_COLGROUP                      ? IN_COLUMN_GROUP
                  : tag == TAG_TABLE                         ? IN_TABLE
                  : tag == TAG_TEMPLATE && x->template_count > 0
                      ? x->templates[x->template_count - 1]
                  : tag == TAG_HEAD ? IN_HEAD
                  : tag == TAG_BODY ? IN_BODY
                                    : AFTER_BODY;
        if (x->mode != AFTER_BODY)
            return;
    }
    x->mode = x->head == NONE ? BEFORE_HEAD : AFTER_HEAD;
}

static void open_template(struct tree *x)
{
    if (x->template_count == TEMPLATES_MAX)
        return;
    open_token(x);
    add_format(x, MARKER);
    x->mode = x->templates[x->template_count++] = IN_TEMPLATE;
}

static void close_template(struct tree *x)
{
    if (x->opened[TAG_TEMPLATE] == 0)
        return;
    pop_until(x, TAG_TEMPLATE);
    clear_formats(x);
    if (x->template_count > 0)
        x->template_count--;
    reset_mode(x);
}

static bool before_html(struct tree *x)
{
    if (x->token.kind == TOKEN_TEXT && skip_white(x))
        return false;
    if (is_close(x) && !IS(x->token.tag, TAG_HEAD, TAG_BODY, TAG_HTML, TAG_BR))
        return false;
    x->quirks = !x->t.doctype || x->t.quirks;
    return go(x, BEFORE_HEAD);
}

static bool before_head(struct tree *x)
{
    if (x->token.kind == TOKEN_TEXT && skip_white(x))
        return false;
    if (is_open(x) && x->token.tag == TAG_HTML)
        return take_in(x, IN_BODY);
    if (is_open(x) && x->token.tag == TAG_HEAD) {
        x->head = open_token(x);
        x->mode = IN_HEAD;
        return false;
    }
    if (is_close(x) && !IS(x->token.tag, TAG_HEAD, TAG_BODY, TAG_HTML, TAG_BR))
        return false;
    x->head = open_implied(x, TAG_HEAD);
    return go(x, IN_HEAD);
}

/* What is treated as in the head wherever it stands. */
static void take_head_element(struct tree *x)
{
    if (x->token.tag == TAG_TEMPLATE)
        open_template(x);
    else if ((tag_kind(x->token.tag) & K_VOID) != 0)
        put_void(x);
    else
        put_raw(x);
}

static bool in_head(struct tree *x)
{
    enum tag tag = x->token.tag;

    if (x->token.kind == TOKEN_TEXT && skip_white(x))
        return false;
    if (is_open(x)) {
        if (tag == TAG_HTML)
            return take_in(x, IN_BODY);
        if (tag == TAG_HEAD)
            return false;
        if ((tag_kind(tag) & K_HEAD) != 0) {
            take_head_element(x);
            return false;
        }
        if (tag == TAG_NOSCRIPT) {
            open_token(x);
            x->mode = IN_HEAD_NOSCRIPT;
            return false;
        }
    } else if (is_close(x)) {
        if (tag == TAG_HEAD) {
            pop(x);
            x->mode = AFTER_HEAD;
            return false;
        }
        if (tag == TAG_TEMPLATE)
            close_template(x);
        if (!IS(tag, TAG_BODY, TAG_HTML, TAG_BR))
            return false;
    }
    pop(x);
    return go(x, AFTER_HEAD);
}

static bool in_head_noscript(struct tree *x)
{
    enum tag tag = x->token.tag;

    if (x->token.kind == TOKEN_TEXT && skip_white(x))
        return false;
    if (is_open(x)) {
        if (tag == TAG_HTML)
            return take_in(x, IN_BODY);
        if (IS(tag, TAG_BASEFONT, TAG_BGSOUND, TAG_LINK, TAG_META, TAG_NOFRAMES,
               TAG_STYLE))
            return take_in(x, IN_HEAD);
        if (IS(tag, TAG_HEAD, TAG_NOSCRIPT))
            return false;
    } else if (is_close(x) && tag != TAG_BR) {
        if (tag == TAG_NOSCRIPT) {
            pop(x);
            x->mode = IN_HEAD;
        }
        return false;
    }
    pop(x);
    return go(x, IN_HEAD);
}

static bool after_head(struct tree *x)
{
    enum tag tag = x->token.tag;

    if (x->token.kind == TOKEN_TEXT && skip_white(x))
        return false;
    if (is_open(x)) {
        if (tag == TAG_HTML)
            return take_in(x, IN_BODY);
        if (IS(tag, TAG_HEAD, TAG_FRAMESET))
            return false;
        if (tag == TAG_BODY) {
            open_token(x);
            x->mode = IN_BODY;
            return false;
        }
        if ((tag_kind(tag) & K_HEAD) != 0) {
            push(x, x->head); /* few elements are open here */
            take_head_element(x);
            remove_open(x, depth_of(x, x->head));
            return false;
        }
    } else if (is_close(x)) {
        if (tag == TAG_TEMPLATE)
            close_template(x);
        if (!IS(tag, TAG_BODY, TAG_HTML, TAG_BR))
            return false;
    }
    open_implied(x, TAG_BODY);
    return go(x, IN_BODY);
}

/* A new <li>, <dt> or <dd> closes the one before it in its list. */
static void open_item(struct tree *x, enum tag a, enum tag b)
{
    for (size_t i = x->depth; i-- > 0 && x->opened[a] + x->opened[b] > 0;
         x->steps++) {
        enum tag tag = tag_at(x, i);

        if (tag == a || tag == b) {
            pop_to(x, i);
            break;
        }
        if (is_special(&x->e[x->stack[i]]) &&
            !IS(tag, TAG_ADDRESS, TAG_DIV, TAG_P))
            break;
    }
    close_p(x);
    open_token(x);
}

static void open_format(struct tree *x)
{
    enum tag tag = x->token.tag;
    size_t entry = tag == TAG_A ? find_format(x, tag) : 0;

    if (entry > 0) {
        uint32_t old = x->formats[entry - 1];

        close_format(x, tag);
        entry = format_of(x, old);
        if (entry > 0)
            drop_format(x, entry - 1);
        if (x->e[old].open)
            remove_open(x, depth_of(x, old));
    }
    reopen_formats(x);
    if (tag == TAG_NOBR && has_in(x, tag, IN_SCOPE)) {
        close_format(x, tag);
        reopen_formats(x);
    }
    add_format(x, open_token(x));
}

static void open_foreign(struct tree *x, enum space space, uint8_t tag)
{
    open_as(x, space, tag);
    if (x->token.closed)
        pop(x);
}

static void open_select(struct tree *x)
{
    bool table = IN_TABLE <= x->mode && x->mode <= IN_CELL;

    reopen_formats(x);
    open_token(x);
    x->mode = table ? IN_SELECT_IN_TABLE : IN_SELECT;
}

static void open_form(struct tree *x)
{
    bool template = x->opened[TAG_TEMPLATE] > 0;
    uint32_t i;

    if (x->form != NONE && !template)
        return;
    close_p(x);
    i = open_token(x);
    if (!template)
        x->form = i;
}

static void open_in_body(struct tree *x)
{
    enum tag tag = x->token.tag;
    unsigned kind = tag_kind(tag);

    switch (tag) {
    case TAG_HTML:
        add_attrs(x, 0);
        return;
    case TAG_BODY:
        if (x->depth > 1 && tag_at(x, 1) == TAG_BODY)
            add_attrs(x, x->stack[1]);
        return;
    case TAG_HEAD:
    case TAG_FRAME:
    case TAG_FRAMESET:
        return;
    case TAG_H1:
    case TAG_H2:
    case TAG_H3:
    case TAG_H4:
    case TAG_H5:
    case TAG_H6:
        close_p(x);
        if (current_tag(x) >= TAG_H1 && current_tag(x) <= TAG_H6)
            pop(x);
        break;
    case TAG_PRE:
    case TAG_LISTING:
        close_p(x);
        x->line_due = true;
        break;
    case TAG_FORM:
        open_form(x);
        return;
    case TAG_LI:
        open_item(x, TAG_LI, TAG_LI);
        return;
    case TAG_DD:
    case TAG_DT:
        open_item(x, TAG_DD, TAG_DT);
        return;
    case TAG_BUTTON:
        if (has_in(x, tag, IN_SCOPE))
            pop_until(x, tag);
        reopen_formats(x);
        break;
    case TAG_TABLE:
        if (!x->quirks)
            close_p(x);
        x->mode = IN_TABLE;
        break;
    case TAG_HR:
        close_p(x);
        put_void(x);
        return;
    case TAG_IMAGE:
        x->token.tag = TAG_IMG;
        reopen_formats(x);
        put_void(x);
        return;
    case TAG_PARAM:
    case TAG_SOURCE:
    case TAG_TRACK:
        put_void(x);
        return;
    case TAG_XMP:
        close_p(x);
        reopen_formats(x);
        put_raw(x);
        return;
    case TAG_PLAINTEXT:
        close_p(x);
        put_raw(x);
        return;
    case TAG_SELECT:
        open_select(x);
        return;
    case TAG_OPTION:
    case TAG_OPTGROUP:
        if (current_tag(x) == TAG_OPTION)
            pop(x);
        reopen_formats(x);
        break;
    case TAG_RB:
    case TAG_RTC:
    case TAG_RP:
    case TAG_RT:
        if (has_in(x, TAG_RUBY, IN_SCOPE))
            close_implied(x,
                          tag == TAG_RP || tag == TAG_RT ? TAG_RTC : TAG_HTML);
        break;
    case TAG_MATH:
        reopen_formats(x);
        open_foreign(x, MATH, TAG_MATH);
        return;
    case TAG_SVG:
        reopen_formats(x);
        open_foreign(x, SVG, TAG_SVG);
        return;
    case TAG_APPLET:
    case TAG_MARQUEE:
    case TAG_OBJECT:
        reopen_formats(x);
        open_token(x);
        add_format(x, MARKER);
        return;
    default:
        if ((kind & K_HEAD) != 0) {
            take_head_element(x);
            return;
        }
        if ((kind & K_CELL) != 0)
            return;
        if ((kind & K_FORMAT) != 0) {
            open_format(x);
            return;
        }
        if ((kind & K_RAW) != 0) {
            put_raw(x);
            return;
        }
        if ((kind & K_PARA) != 0)
            close_p(x);
        else
            reopen_formats(x);
        if ((kind & K_VOID) != 0) {
            put_void(x);
            return;
        }
        break;
    }
    open_token(x);
}

static void close_form(struct tree *x)
{
    uint32_t i = x->form;

    if (x->opened[TAG_TEMPLATE] > 0) {
        if (has_in(x, TAG_FORM, IN_SCOPE))
            pop_until(x, TAG_FORM);
        return;
    }
    x->form = NONE;
    if (i == NONE || !x->e[i].open || !has_in(x, TAG_FORM, IN_SCOPE))
        return;
    close_implied(x, TAG_HTML);
    remove_open(x, depth_of(x, i));
}

static bool close_in_body(struct tree *x)
{
    enum tag tag = x->token.tag;
    unsigned kind = tag_kind(tag);

    switch (tag) {
    case TAG_TEMPLATE:
        close_template(x);
        return false;
    case TAG_BODY:
    case TAG_HTML:
        if (!has_in(x, TAG_BODY, IN_SCOPE))
            return false;
        x->mode = AFTER_BODY;
        return tag == TAG_HTML;
    case TAG_FORM:
        close_form(x);
        return false;
    case TAG_P:
        if (!has_in(x, tag, IN_BUTTON_SCOPE))
            open_implied(x, tag);
        close_p(x);
        return false;
    case TAG_LI:
    case TAG_DD:
    case TAG_DT:
        if (has_in(x, tag, tag == TAG_LI ? IN_LIST_SCOPE : IN_SCOPE))
            pop_until(x, tag);
        return false;
    case TAG_H1:
    case TAG_H2:
    case TAG_H3:
    case TAG_H4:
    case TAG_H5:
    case TAG_H6:
        if (!has_heading(x))
            return false;
        while (current_tag(x) < TAG_H1 || current_tag(x) > TAG_H6)
            pop(x);
        pop(x);
        return false;
    case TAG_APPLET:
    case TAG_MARQUEE:
    case TAG_OBJECT:
        if (has_in(x, tag, IN_SCOPE)) {
            pop_until(x, tag);
            clear_formats(x);
        }
        return false;
    case TAG_BR:
        x->token.attr_count = 0;
        reopen_formats(x);
        put_void(x);
        return false;
    default:
        break;
    }
    if ((kind & K_FORMAT) != 0)
        close_format(x, tag);
    else if ((kind & K_PARA) == 0 && !IS(tag, TAG_PRE, TAG_LISTING, TAG_BUTTON))
        close_other(x, tag, x->token.name);
    else if (has_in(x, tag, IN_SCOPE))
        pop_until(x, tag);
    return false;
}

static bool in_body(struct tree *x)
{
    switch (x->token.kind) {
    case TOKEN_TEXT:
        reopen_formats(x);
        insert_text(x, x->token.text);
        return false;
    case TOKEN_OPEN:
        open_in_body(x);
        return false;
    case TOKEN_CLOSE:
        return close_in_body(x);
    default:
        return false;
    }
}

static bool foster_in_body(struct tree *x)
{
    bool again;

    x->foster = true;
    again = in_body(x);
    x->foster = false;
    return again;
}

static bool close_table(struct tree *x)
{
    if (!has_in(x, TAG_TABLE, IN_TABLE_SCOPE))
        return false;
    pop_until(x, TAG_TABLE);
    reset_mode(x);
    return true;
}

static bool is_hidden_input(const struct tree *x)
{
    for (size_t i = 0; i < x->token.attr_count; i++)
        if (strcmp(x->token.attrs[i].name, "type") == 0)
            return str_ieq(str_of(x->token.attrs[i].value), "hidden");
    return false;
}

static bool open_in_table(struct tree *x)
{
    switch (x->token.tag) {
    case TAG_CAPTION:
        clear_to(x, TAG_TABLE, TAG_TABLE, TAG_TABLE);
        add_format(x, MARKER);
        open_token(x);
        x->mode = IN_CAPTION;
        return false;
    case TAG_COLGROUP:
    case TAG_COL:
        clear_to(x, TAG_TABLE, TAG_TABLE, TAG_TABLE);
        x->mode = IN_COLUMN_GROUP;
        if (x->token.tag == TAG_COLGROUP)
            open_token(x);
        else
            open_implied(x, TAG_COLGROUP);
        return x->token.tag == TAG_COL;
    case TAG_TBODY:
    case TAG_THEAD:
    case TAG_TFOOT:
    case TAG_TD:
    case TAG_TH:
    case TAG_TR:
        clear_to(x, TAG_TABLE, TAG_TABLE, TAG_TABLE);
        x->mode = IN_TABLE_BODY;
        if (!IS(x->token.tag, TAG_TD, TAG_TH, TAG_TR)) {
            open_token(x);
            return false;
        }
        open_implied(x, TAG_TBODY);
        return true;
    case TAG_TABLE:
        return close_table(x);
    case TAG_STYLE:
    case TAG_SCRIPT:
    case TAG_TEMPLATE:
        take_head_element(x);
        return false;
    case TAG_INPUT:
        if (!is_hidden_input(x))
            break;
        put_void(x);
        return false;
    case TAG_FORM:
        if (x->form != NONE || x->opened[TAG_TEMPLATE] > 0)
            return false;
        x->form = open_token(x);
        pop(x);
        return false;
    default:
        break;
    }
    return foster_in_body(x);
}

static bool in_table(struct tree *x)
{
    enum tag tag = x->token.tag;

    if (x->token.kind == TOKEN_TEXT &&
        IS(current_tag(x), TAG_TABLE, TAG_TBODY, TAG_TFOOT, TAG_THEAD, TAG_TR,
           TAG_TEMPLATE) &&
        is_white(x->token.text))
        return false; /* nobody reads it */
    if (is_open(x))
        return open_in_table(x);
    if (is_close(x)) {
        if (tag == TAG_TABLE)
            close_table(x);
        if (tag == TAG_TABLE || tag == TAG_BODY || tag == TAG_HTML ||
            (tag_kind(tag) & K_CELL) != 0)
            return false;
    }
    return foster_in_body(x);
}

static bool in_caption(struct tree *x)
{
    enum tag tag = x->token.tag;
    bool cell = (tag_kind(tag) & K_CELL) != 0;

    if (is_open(x) ? cell : is_close(x) && IS(tag, TAG_TABLE, TAG_CAPTION)) {
        if (!has_in(x, TAG_CAPTION, IN_TABLE_SCOPE))
            return false;
        pop_until(x, TAG_CAPTION);
        clear_formats(x);
        x->mode = IN_TABLE;
        return is_open(x) || tag == TAG_TABLE;
    }
    if (is_close(x) && (cell || IS(tag, TAG_BODY, TAG_HTML)))
        return false;
    return in_body(x);
}

static bool in_column_group(struct tree *x)
{
    enum tag tag = x->token.tag;

    if (x->token.kind == TOKEN_TEXT && skip_white(x))
        return false;
    if (is_open(x)) {
        if (tag == TAG_HTML)
            return in_body(x);
        if (tag == TAG_TEMPLATE) {
            open_template(x);
            return false;
        }
        if (tag == TAG_COL) {
            put_void(x);
            return false;
        }
    } else if (is_close(x) && IS(tag, TAG_COL, TAG_TEMPLATE)) {
        if (tag == TAG_TEMPLATE)
            close_template(x);
        return false;
    }
    if (current_tag(x) != TAG_COLGROUP)
        return false;
    pop(x);
    x->mode = IN_TABLE;
    return !(is_close(x) && tag == TAG_COLGROUP);
}

static bool in_table_body(struct tree *x)
{
    enum tag tag = x->token.tag;
    bool group = IS(tag, TAG_TBODY, TAG_TFOOT, TAG_THEAD);

    if (is_open(x) && IS(tag, TAG_TR, TAG_TD, TAG_TH)) {
        clear_to(x, TAG_TBODY, TAG_TFOOT, TAG_THEAD);
        x->mode = IN_ROW;
        if (tag == TAG_TR)
            open_token(x);
        else
            open_implied(x, TAG_TR);
        return tag != TAG_TR;
    }
    if (is_open(x) ? group || IS(tag, TAG_CAPTION, TAG_COL, TAG_COLGROUP)
                   : is_close(x) && (group || tag == TAG_TABLE)) {
        if (is_close(x) && group ? !has_in(x, tag, IN_TABLE_SCOPE)
                                 : !has_in(x, TAG_TBODY, IN_TABLE_SCOPE) &&
                                       !has_in(x, TAG_THEAD, IN_TABLE_SCOPE) &&
                                       !has_in(x, TAG_TFOOT, IN_TABLE_SCOPE))
            return false;
        clear_to(x, TAG_TBODY, TAG_TFOOT, TAG_THEAD);
        pop(x);
        x->mode = IN_TABLE;
        return is_open(x) || !group;
    }
    if (is_close(x) &&
        ((tag_kind(tag) & K_CELL) != 0 || IS(tag, TAG_BODY, TAG_HTML)))
        return false;
    return in_table(x);
}

static bool in_row(struct tree *x)
{
    enum tag tag = x->token.tag;
    bool cell = IS(tag, TAG_TD, TAG_TH);
    bool part = (tag_kind(tag) & K_CELL) != 0;

    if (is_open(x) && cell) {
        clear_to(x, TAG_TR, TAG_TR, TAG_TR);
        open_token(x);
        x->mode = IN_CELL;
        add_format(x, MARKER);
        return false;
    }
    if (is_open(x) ? part
                   : is_close(x) && IS(tag, TAG_TR, TAG_TABLE, TAG_TBODY,
                                       TAG_TFOOT, TAG_THEAD)) {
        if (!has_in(x, TAG_TR, IN_TABLE_SCOPE) ||
            (is_close(x) && !has_in(x, tag, IN_TABLE_SCOPE)))
            return false;
        clear_to(x, TAG_TR, TAG_TR, TAG_TR);
        pop(x);
        x->mode = IN_TABLE_BODY;
        return is_open(x) || tag != TAG_TR;
    }
    if (is_close(x) && (part || IS(tag, TAG_BODY, TAG_HTML)))
        return false;
    return in_table(x);
}

static void close_cell(struct tree *x)
{
    while (x->depth > 1 && !IS(current_tag(x), TAG_TD, TAG_TH))
        pop(x);
    pop(x);
    clear_formats(x);
    x->mode = IN_ROW;
}

static bool in_cell(struct tree *x)
{
    enum tag tag = x->token.tag;
    bool part = (tag_kind(tag) & K_CELL) != 0;

    if (is_close(x) && IS(tag, TAG_TD, TAG_TH)) {
        if (has_in(x, tag, IN_TABLE_SCOPE)) {
            pop_until(x, tag);
            clear_formats(x);
            x->mode = IN_ROW;
        }
        return false;
    }
    if (is_open(x) && part) {
        if (!has_in(x, TAG_TD, IN_TABLE_SCOPE) &&
            !has_in(x, TAG_TH, IN_TABLE_SCOPE))
            return false;
        close_cell(x);
        return true;
    }
    if (is_close(x) &&
        IS(tag, TAG_TABLE, TAG_TBODY, TAG_TFOOT, TAG_THEAD, TAG_TR)) {
        if (!has_in(x, tag, IN_TABLE_SCOPE))
            return false;
        close_cell(x);
        return true;
    }
    if (is_close(x) && (part || IS(tag, TAG_BODY, TAG_HTML)))
        return false;
    return in_body(x);
}

static bool close_select(struct tree *x)
{
    if (x->opened[TAG_SELECT] == 0)
        return false;
    pop_until(x, TAG_SELECT);
    reset_mode(x);
    return true;
}

static bool open_in_select(struct tree *x)
{
    enum tag tag = x->token.tag;

    switch (tag) {
    case TAG_HTML:
        add_attrs(x, 0);
        return false;
    case TAG_OPTION:
    case TAG_OPTGROUP:
    case TAG_HR:
        if (current_tag(x) == TAG_OPTION)
            pop(x);
        if (tag != TAG_OPTION && current_tag(x) == TAG_OPTGROUP)
            pop(x);
        open_token(x);
        if (tag == TAG_HR)
            pop(x);
        return false;
    case TAG_SELECT:
        close_select(x);
        return false;
    case TAG_INPUT:
    case TAG_KEYGEN:
    case TAG_TEXTAREA:
        return close_select(x);
    case TAG_SCRIPT:
    case TAG_TEMPLATE:
        take_head_element(x);
        return false;
    default:
        return false;
    }
}

static bool in_select(struct tree *x)
{
    enum tag tag = x->token.tag;

    if (x->token.kind == TOKEN_TEXT)
        insert_text(x, x->token.text);
    if (is_open(x))
        return open_in_select(x);
    if (!is_close(x))
        return false;
    if (tag == TAG_OPTGROUP && current_tag(x) == TAG_OPTION &&
        tag_at(x, x->depth - 2) == TAG_OPTGROUP)
        pop(x);
    if (IS(tag, TAG_OPTION, TAG_OPTGROUP) && current_tag(x) == tag)
        pop(x);
    if (tag == TAG_SELECT)
        close_select(x);
    if (tag == TAG_TEMPLATE)
        close_template(x);
    return false;
}

static bool in_select_in_table(struct tree *x)
{
    enum tag tag = x->token.tag;

    if ((is_open(x) || is_close(x)) &&
        IS(tag, TAG_CAPTION, TAG_TABLE, TAG_TBODY, TAG_TFOOT, TAG_THEAD, TAG_TR,
           TAG_TD, TAG_TH)) {
        if (is_close(x) && !has_in(x, tag, IN_TABLE_SCOPE))
            return false;
        return close_select(x);
    }
    return in_select(x);
}

static bool in_template(struct tree *x)
{
    enum tag tag = x->token.tag;
    unsigned kind = tag_kind(tag);
    enum mode mode = IN_BODY;

    if (x->token.kind == TOKEN_TEXT)
        return in_body(x);
    if (is_close(x) && tag == TAG_TEMPLATE)
        close_template(x);
    if (!is_open(x))
        return false;
    if ((kind & K_HEAD) != 0) {
        take_head_element(x);
        return false;
    }
    if ((kind & K_CELL) != 0)
        mode = tag == TAG_COL            ? IN_COLUMN_GROUP
               : tag == TAG_TR           ? IN_TABLE_BODY
               : IS(tag, TAG_TD, TAG_TH) ? IN_ROW
                                         : IN_TABLE;
    if (x->template_count > 0)
        x->templates[x->template_count - 1] = mode;
    return go(x, mode);
}

static bool after_body(struct tree *x)
{
    if ((x->token.kind == TOKEN_TEXT && is_white(x->token.text)) ||
        (is_open(x) && x->token.tag == TAG_HTML))
        return in_body(x);
    if (x->token.kind == TOKEN_END || (is_close(x) && x->token.tag == TAG_HTML))
        return false;
    return go(x, IN_BODY);
}

static bool take_in(struct tree *x, enum mode mode)
{
    static bool (*const modes[])(struct tree *) = {
        [BEFORE_HTML] = before_html,
        [BEFORE_HEAD] = before_head,
        [IN_HEAD] = in_head,
        [IN_HEAD_NOSCRIPT] = in_head_noscript,
        [AFTER_HEAD] = after_head,
        [IN_BODY] = in_body,
        [IN_TABLE] = in_table,
        [IN_CAPTION] = in_caption,
        [IN_COLUMN_GROUP] = in_column_group,
        [IN_TABLE_BODY] = in_table_body,
        [IN_ROW] = in_row,
        [IN_CELL] = in_cell,
        [IN_SELECT] = in_select,
        [IN_SELECT_IN_TABLE] = in_select_in_table,
        [IN_TEMPLATE] = in_template,
        [AFTER_BODY] = after_body};

    return modes[mode](x);
}

/* --- svg and math ------------------------------------------------------ */

static bool name_is(const struct elem *e, const char *words)
{
    return word_in(e->data, words);
}

/* May HTML stand in it? Text of math, of svg islands. */
static bool is_island(const struct elem *e, bool text_only)
{
    if (e->tag != TAG_ISLAND)
        return false;
    if (e->space == SVG)
        return true;
    if (!name_is(e, "annotation-xml"))
        return text_only;
    for (size_t i = 0; i < e->attr_count; i++)
        if (strcmp(e->attrs[i].name, "encoding") == 0)
            return str_ieq(str_of(e->attrs[i].value), "text/html") ||
                   str_ieq(str_of(e->attrs[i].value), "application/xhtml+xml");
    return false;
}

/* Do the rules of section 13.2.6.5 hold for the token? */
static bool is_foreign(const struct tree *x)
{
    const struct elem *e = &x->e[current(x)];
    const struct token *t = &x->token;

    if (e->space == HTML || t->kind == TOKEN_END)
        return false;
    if (t->kind == TOKEN_CLOSE)
        return true;
    if (t->kind == TOKEN_TEXT)
        return !is_island(e, true);
    if (e->space == MATH && e->tag == TAG_ISLAND) {
        if (name_is(e, "annotation-xml") && t->tag == TAG_SVG)
            return false;
        return !is_island(e, !word_in(t->name, "mglyph malignmark"));
    }
    return !is_island(e, false);
}

/* HTML that has no place in svg and math ends them. */
static bool leave_foreign(struct tree *x)
{
    do
        pop(x);
    while (x->e[current(x)].space != HTML &&
           !is_island(&x->e[current(x)], true));
    return true;
}

static bool is_plain_html(const struct token *t)
{
    if (t->tag == TAG_FONT)
        for (size_t i = 0; i < t->attr_count; i++)
            if (word_in(t->attrs[i].name, "color face size"))
                return true;
    return (tag_kind(t->tag) & K_PLAIN) != 0;
}

static bool take_foreign(struct tree *x)
{
    const struct token *t = &x->token;

    if (t->kind == TOKEN_TEXT) {
        insert_text(x, t->text);
        return false;
    }
    if (t->kind == TOKEN_OPEN) {
        enum space space = (enum space)x->e[current(x)].space;
        const char *islands = space == SVG ? "foreignobject desc title"
                                           : "mi mo mn ms mtext annotation-xml";

        if (is_plain_html(t))
            return leave_foreign(x);
        open_foreign(x, space,
                     word_in(t->name, islands) ? TAG_ISLAND : TAG_UNKNOWN);
        return false;
    }
    if (t->tag == TAG_BR || t->tag == TAG_P)
        return leave_foreign(x);
    for (size_t i = x->depth; i-- > 1; x->steps++) {
        if (x->e[x->stack[i]].space == HTML)
            return take_in(x, x->mode);
        if (strcmp(x->e[x->stack[i]].data, t->name) == 0) {
            pop_to(x, i);
            break;
        }
    }
    return false;
}

/* --- all of it --------------------------------------------------------- */

static void take_token(struct tree *x)
{
    bool again = true;

    if (x->token.kind == TOKEN_TEXT && x->line_due && *x->token.text == '\n')
        x->token.text++;
    x->line_due = false;
    while (x->token.kind == TOKEN_END && x->opened[TAG_TEMPLATE] > 0)
        close_template(x);
    while (again && !stopped(x))
        again = is_foreign(x) ? take_foreign(x) : take_in(x, x->mode);
    x->full = x->full || x->steps > STEPS_MAX;
}

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
    root = add_elem(x, (struct elem){.data = "html", .tag = TAG_HTML});
    if (!stopped(x))
        push(x, root);
    while (!stopped(x) && x->token.kind != TOKEN_END) {
        x->t.foreign = x->e[current(x)].space != HTML;
        html_token_next(&x->t, &x->token);
        take_token(x);
    }
    d->cut = x->full;
    e = x->failed != ERR_OK ? x->failed : flatten(x, d);
    free(x->e);
    free(x);
    return e;
}
