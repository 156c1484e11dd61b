/* The flat tree; see dom.h. */
#include "text/dom.h"

#include "text/html_guard.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum {
    WALK_DEPTH_MAX = 4 * HTML_DEPTH_MAX,
    TRIES_MAX = 4 /* to build a tree, each of less of the page */
};

/*
 * gumbo does not check its allocator, so a full arena has to leave it in one
 * jump; everything it holds is in the arena. What it gives back is not used
 * again: measured on real pages, the book-keeping for that costs as much.
 */
struct heap {
    struct arena *mem;
    jmp_buf full;
    size_t nodes; /* made so far */
};

/* Why n bytes were refused: the cap, or the allocator. */
static enum err refused(const struct arena *mem, size_t n)
{
    return n > mem->cap - mem->used ? ERR_TOO_LARGE : ERR_NOMEM;
}

static void *heap_take(void *user, size_t n)
{
    struct heap *h = user;
    void *p = arena_alloc(h->mem, n);

    if (p == NULL)
        longjmp(h->full, (int)refused(h->mem, n));
    h->nodes += n == sizeof(GumboNode);
    return p;
}

static void heap_give(void *user, void *p)
{
    (void)user;
    (void)p;
}

/* *made: the nodes there were when ERR_TOO_LARGE ended it. */
static enum err run_gumbo(struct arena *mem, const char *p, size_t n,
                          const GumboNode **root, size_t *made)
{
    struct heap h = {.mem = mem};
    GumboOptions options = kGumboDefaultOptions;
    GumboOutput *output;

    options.allocator = heap_take;
    options.deallocator = heap_give;
    options.userdata = &h;
    options.max_errors = 0;
    switch (setjmp(h.full)) {
    case 0:
        break;
    case ERR_NOMEM:
        return ERR_NOMEM;
    default:
        *made = h.nodes;
        return ERR_TOO_LARGE;
    }
    output = gumbo_parse_with_options(&options, p, n);
    if (output == NULL)
        return ERR_TOO_LARGE;
    *root = output->root;
    return ERR_OK;
}

struct frame {
    const GumboNode *g;
    uint32_t index;
    unsigned next;
};

static const GumboVector *children_of(const GumboNode *g)
{
    return g->type == GUMBO_NODE_ELEMENT || g->type == GUMBO_NODE_TEMPLATE
               ? &g->v.element.children
               : NULL;
}

static bool is_text_node(const GumboNode *g)
{
    return g->type == GUMBO_NODE_TEXT || g->type == GUMBO_NODE_CDATA ||
           g->type == GUMBO_NODE_WHITESPACE;
}

static uint8_t tag_of(const GumboNode *g)
{
    if (children_of(g) == NULL ||
        g->v.element.tag_namespace != GUMBO_NAMESPACE_HTML)
        return (uint8_t)GUMBO_TAG_UNKNOWN;
    return (uint8_t)g->v.element.tag;
}

static enum err add_node(struct dom *d, uint32_t *size, const GumboNode *g,
                         uint32_t parent)
{
    struct node *x;

    if (d->count == *size) {
        uint32_t more = *size == 0 ? 64 : *size * 2;
        struct node *nodes = arena_array(&d->mem, more, sizeof *nodes);

        if (nodes == NULL)
            return refused(&d->mem, more * sizeof *nodes);
        if (d->count > 0)
            memcpy(nodes, d->nodes, d->count * sizeof *nodes);
        d->nodes = nodes;
        *size = more;
    }
    x = &d->nodes[d->count++];
    x->g = g;
    x->parent = parent;
    x->end = d->count;
    x->tag = tag_of(g);
    x->block = dom_is_block((GumboTag)x->tag);
    x->holds_block = false;
    x->is_text = is_text_node(g);
    return ERR_OK;
}

/* Room for one more open element; most pages need few. */
static enum err deepen(struct dom *d, struct frame **stack, size_t *size,
                       size_t depth)
{
    size_t more = *size == 0 ? 64 : *size * 2;
    struct frame *frames;

    if (depth < *size)
        return ERR_OK;
    frames = arena_array(&d->mem, more, sizeof *frames);
    if (frames == NULL)
        return refused(&d->mem, more * sizeof *frames);
    if (depth > 0)
        memcpy(frames, *stack, depth * sizeof *frames);
    *stack = frames;
    *size = more;
    return ERR_OK;
}

static enum err flatten(struct dom *d, const GumboNode *root)
{
    struct frame *stack = NULL;
    uint32_t size = 0;
    size_t depth = 0, room = 0;
    enum err e = deepen(d, &stack, &room, 0);

    if (e == ERR_OK)
        e = add_node(d, &size, root, 0);
    if (e != ERR_OK)
        return e;
    stack[depth++] = (struct frame){root, 0, 0};
    while (depth > 0) {
        struct frame *f = &stack[depth - 1];
        const GumboVector *kids = children_of(f->g);
        const GumboNode *kid;
        uint32_t index = d->count;

        if (kids == NULL || f->next >= kids->length) {
            struct node *x = &d->nodes[f->index], *up = &d->nodes[x->parent];

            x->end = d->count;
            up->holds_block = up->holds_block || x->block || x->holds_block;
            depth--;
            continue;
        }
        kid = kids->data[f->next++];
        if (kid->type == GUMBO_NODE_COMMENT)
            continue;
        e = add_node(d, &size, kid, f->index);
        if (e == ERR_OK)
            e = deepen(d, &stack, &room, depth);
        if (e != ERR_OK)
            return e;
        if (children_of(kid) != NULL && depth < WALK_DEPTH_MAX)
            stack[depth++] = (struct frame){kid, index, 0};
    }
    return ERR_OK;
}

/* Where in p[0..n) about so many nodes end: at a start tag. */
static size_t offset_of_node(const char *p, size_t n, size_t nodes)
{
    const char *end = p + n, *at = p, *lt;
    size_t seen = 0;

    while (at < end && (lt = memchr(at, '<', (size_t)(end - at))) != NULL) {
        seen += lt > at && lt[-1] != '>'; /* the text before it */
        if (seen >= nodes)
            return (size_t)(lt - p);
        seen += lt + 1 < end && ascii_is_alpha(lt[1]);
        at = lt + 1;
    }
    return n;
}

/* Build the tree of p[0..n). ERR_TOO_LARGE: it does not fit, but the first
 * *fits bytes should. */
static enum err build(struct dom *d, const char *p, size_t n, size_t *fits)
{
    const GumboNode *root = NULL;
    size_t made = 0, most = n / 10 * 8;
    enum err e = run_gumbo(&d->mem, p, n, &root, &made);

    if (e == ERR_OK)
        e = flatten(d, root);
    if (e == ERR_OK)
        return e;
    if (made > 0)
        *fits = offset_of_node(p, n, made / 10 * 8);
    *fits = utf8_cut(p, n, made > 0 && *fits < most ? *fits : most);
    dom_fini(d);
    return e;
}

/* The tree of p[0..n), or of as much of its beginning as there is room for. */
static enum err build_some(struct dom *d, const char *p, size_t n,
                           struct errctx *ec)
{
    size_t take = n;

    for (int tries = 0; tries < TRIES_MAX; tries++) {
        size_t fits = 0;
        enum err e = build(d, p, take, &fits);

        if (e == ERR_NOMEM)
            return err_set(ec, e, "no memory for the page's tree");
        if (e == ERR_OK) {
            d->cut = take < n;
            return e;
        }
        take = fits;
    }
    return err_set(ec, ERR_TOO_LARGE, "the page's tree needs more than %d MiB",
                   DOM_BYTES_MAX >> 20);
}

enum err dom_parse(struct dom *d, const char *p, size_t n, struct errctx *ec)
{
    char *kept;
    size_t len;
    enum err e;

    *d = (struct dom){.source = {p, n}};
    arena_init(&d->mem, DOM_BYTES_MAX);
    kept = malloc((n < HTML_BYTES_MAX ? n : HTML_BYTES_MAX) + 1);
    if (kept == NULL)
        return err_set(ec, ERR_NOMEM, "no memory for the page's tree");
    e = html_guard_cut(p, n, kept, &len, ec);
    if (e == ERR_OK)
        e = build_some(d, kept, len, ec);
    free(kept);
    return e;
}

void dom_fini(struct dom *d)
{
    arena_fini(&d->mem);
    d->nodes = NULL;
    d->count = 0;
}

const char *dom_attr(const struct node *x, const char *name)
{
    const GumboVector *list;

    if (children_of(x->g) == NULL)
        return NULL;
    list = &x->g->v.element.attributes;
    for (unsigned i = 0; i < list->length; i++) {
        const GumboAttribute *attr = list->data[i];

        /* The parser has made names lower case. */
        if (attr->name[0] == name[0] && strcmp(attr->name, name) == 0)
            return attr->value;
    }
    return NULL;
}

bool dom_attr_is(const struct node *x, const char *name, const char *value)
{
    const char *z = dom_attr(x, name);

    return z != NULL && str_ieq(str_trim(str_of(z)), value);
}

bool dom_within(const struct dom *d, uint32_t i, GumboTag tag)
{
    for (;; i = d->nodes[i].parent) {
        if (d->nodes[i].tag == tag)
            return true;
        if (i == 0)
            return false;
    }
}

uint32_t dom_find(const struct dom *d, uint32_t from, GumboTag tag)
{
    while (from < d->count && d->nodes[from].tag != tag)
        from++;
    return from;
}

#define BLOCK(name) [GUMBO_TAG_##name] = true
static const bool blocks[GUMBO_TAG_LAST + 1] = {
    BLOCK(ADDRESS), BLOCK(ARTICLE),   BLOCK(ASIDE),    BLOCK(BLOCKQUOTE),
    BLOCK(BODY),    BLOCK(BUTTON),    BLOCK(CAPTION),  BLOCK(CENTER),
    BLOCK(DD),      BLOCK(DETAILS),   BLOCK(DIR),      BLOCK(DIV),
    BLOCK(DL),      BLOCK(DT),        BLOCK(FIELDSET), BLOCK(FIGCAPTION),
    BLOCK(FIGURE),  BLOCK(FOOTER),    BLOCK(FORM),     BLOCK(H1),
    BLOCK(H2),      BLOCK(H3),        BLOCK(H4),       BLOCK(H5),
    BLOCK(H6),      BLOCK(HEADER),    BLOCK(HGROUP),   BLOCK(HR),
    BLOCK(LEGEND),  BLOCK(LI),        BLOCK(LISTING),  BLOCK(MAIN),
    BLOCK(MENU),    BLOCK(NAV),       BLOCK(OL),       BLOCK(OPTION),
    BLOCK(P),       BLOCK(PLAINTEXT), BLOCK(PRE),      BLOCK(SECTION),
    BLOCK(SELECT),  BLOCK(SUMMARY),   BLOCK(TABLE),    BLOCK(TBODY),
    BLOCK(TD),      BLOCK(TFOOT),     BLOCK(TH),       BLOCK(THEAD),
    BLOCK(TR),      BLOCK(UL),        BLOCK(XMP)};

bool dom_holds(const struct dom *d, uint32_t i, GumboTag tag)
{
    for (uint32_t k = i + 1; k < d->nodes[i].end; k++)
        if (d->nodes[k].tag == tag)
            return true;
    return false;
}

bool dom_is_block(GumboTag tag)
{
    return (unsigned)tag <= GUMBO_TAG_LAST && blocks[tag];
}

/* Add text with its white space folded; a space is due between pieces. */
static size_t fold_into(char *out, size_t len, size_t max, const char *z)
{
    for (; *z != '\0' && len < max; z++) {
        size_t space =
            ascii_is_space(*z)                                           ? 1
            : (unsigned char)z[0] == 0xC2 && (unsigned char)z[1] == 0xA0 ? 2
                                                                         : 0;

        if (space == 0)
            out[len++] = *z;
        else if (len > 0 && out[len - 1] != ' ')
            out[len++] = ' ';
        if (space == 2)
            z++;
    }
    return len;
}

enum { RAISED_NODES_MAX = 40 }; /* below a mark, an exponent or an index */

/* "1", "12,13", "[note 3]", "a", a dagger. */
static bool is_note_text(const char *z, size_t n)
{
    size_t digits = 0, letters = 0;

    if (n > 2 && z[0] == '[' && z[n - 1] == ']')
        return true;
    for (size_t i = 0; i < n; i++) {
        digits += ascii_is_digit(z[i]);
        letters += ascii_is_alpha(z[i]);
    }
    return letters == 0 || (letters == 1 && digits == 0);
}

bool dom_is_note(const struct dom *d, uint32_t i)
{
    enum { NOTE_BYTES = 12 };
    const struct node *x = &d->nodes[i];
    char text[NOTE_BYTES + 1];
    bool linked = false, raised = false;
    size_t len = 0;

    if ((x->tag != GUMBO_TAG_SUP && x->tag != GUMBO_TAG_A) ||
        x->end - i > RAISED_NODES_MAX)
        return false;
    for (uint32_t k = i; k < x->end && len <= NOTE_BYTES; k++) {
        const struct node *y = &d->nodes[k];
        const char *href = y->tag == GUMBO_TAG_A ? dom_attr(y, "href") : NULL;

        linked = linked || (href != NULL && strchr(href, '#') != NULL);
        raised = raised || y->tag == GUMBO_TAG_SUP;
        if (y->is_text)
            len = fold_into(text, len, sizeof text, y->g->v.text.text);
        if (len > 0 && !(linked && raised))
            return false;
    }
    return linked && raised && len > 0 && len <= NOTE_BYTES &&
           is_note_text(text, len);
}

size_t dom_raised(const struct dom *d, uint32_t i, const char *before, size_t m,
                  char out[RAISED_MAX])
{
    const struct node *x = &d->nodes[i];
    char text[RAISED_TEXT_MAX + 2];
    size_t len = 0;

    if ((x->tag != GUMBO_TAG_SUP && x->tag != GUMBO_TAG_SUB) ||
        x->end - i > RAISED_NODES_MAX)
        return 0;
    for (uint32_t k = i + 1; k < x->end; k++) {
        GumboTag tag = (GumboTag)d->nodes[k].tag;

        if (d->nodes[k].dropped || tag == GUMBO_TAG_A || dom_is_block(tag) ||
            len > RAISED_TEXT_MAX)
            return 0;
        if (d->nodes[k].is_text)
            len = fold_into(text, len, sizeof text, d->nodes[k].g->v.text.text);
        else if (len > 0 && (tag == GUMBO_TAG_SUP || tag == GUMBO_TAG_SUB))
            text[len++] = tag == GUMBO_TAG_SUP ? '^' : '_';
    }
    return len > RAISED_TEXT_MAX ? 0
                                 : raised_format(x->tag == GUMBO_TAG_SUB,
                                                 before, m, text, len, out);
}

char *dom_text(const struct dom *d, uint32_t i, size_t max, bool skip_dropped,
               struct arena *a)
{
    size_t room = 16, len = 0;
    char *out;

    for (uint32_t k = i; k < d->nodes[i].end && room < max; k++)
        room += d->nodes[k].is_text ? strlen(d->nodes[k].g->v.text.text) : 3;
    if (room > max)
        room = max;
    out = arena_alloc(a, room + 1);
    if (out == NULL)
        return NULL;
    for (uint32_t k = i; k < d->nodes[i].end && len < room; k++) {
        const struct node *x = &d->nodes[k];
        char raised[RAISED_MAX];

        if (x->is_text) {
            len = fold_into(out, len, room, x->g->v.text.text);
        } else if (k > i && dom_raised(d, k, out, len, raised) > 0) {
            len = fold_into(out, len, room, raised);
            k = x->end - 1;
        } else if ((skip_dropped && x->dropped) || x->tag == GUMBO_TAG_SCRIPT ||
                   x->tag == GUMBO_TAG_STYLE || (k > i && dom_is_note(d, k))) {
            k = x->end - 1;
        } else if (dom_is_block((GumboTag)x->tag) || x->tag == GUMBO_TAG_BR) {
            len = fold_into(out, len, room, " ");
        }
    }
    if (len == room)
        len = utf8_cut(out, len, len > 0 ? len - 1 : 0);
    while (len > 0 && out[len - 1] == ' ')
        len--;
    out[len] = '\0';
    return out;
}
