/* The flat tree; see dom.h. */
#include "text/dom.h"

#include "text/html_parts.h"
#include "text/html_tree.h"

#include <stdlib.h>
#include <string.h>

enum err dom_parse(struct dom *d, const char *p, size_t n, struct errctx *ec)
{
    enum err e = ERR_NOMEM;

    *d = (struct dom){.source = {p, n}};
    arena_init(&d->mem, DOM_BYTES_MAX);
    if (n > HTML_BYTES_MAX)
        return err_set(ec, ERR_TOO_LARGE, "the page is larger than %d MiB",
                       HTML_BYTES_MAX >> 20);
    d->page = malloc(n + 1);
    if (d->page != NULL) {
        memcpy(d->page, p, n);
        e = html_tree_build(d->page, n, d);
    }
    if (e != ERR_OK)
        return err_set(ec, e, "no memory for the page's tree");
    return e;
}

void dom_fini(struct dom *d)
{
    arena_fini(&d->mem);
    free(d->page);
    free(d->nodes);
    d->page = NULL;
    d->nodes = NULL;
    d->count = 0;
}

const char *dom_attr(const struct node *x, const char *name)
{
    for (size_t i = 0; i < x->attr_count; i++)
        if (x->attrs[i].name[0] == name[0] &&
            strcmp(x->attrs[i].name, name) == 0)
            return x->attrs[i].value;
    return NULL;
}

bool dom_attr_is(const struct node *x, const char *name, const char *value)
{
    const char *z = dom_attr(x, name);

    return z != NULL && str_ieq(str_trim(str_of(z)), value);
}

bool dom_within(const struct dom *d, uint32_t i, enum tag tag)
{
    for (;; i = d->nodes[i].parent) {
        if (d->nodes[i].tag == tag)
            return true;
        if (i == 0)
            return false;
    }
}

uint32_t dom_find(const struct dom *d, uint32_t from, enum tag tag)
{
    while (from < d->count && d->nodes[from].tag != tag)
        from++;
    return from;
}

bool dom_holds(const struct dom *d, uint32_t i, enum tag tag)
{
    enum { LOOKED_AT_MAX = 20 * 1000 }; /* tables nest deep */

    for (uint32_t k = i + 1; k < d->nodes[i].end && k - i < LOOKED_AT_MAX; k++)
        if (d->nodes[k].tag == tag)
            return true;
    return false;
}

bool dom_is_block(enum tag tag)
{
    return (tag_kind(tag) & K_BLOCK) != 0;
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

enum {
    RAISED_NODES_MAX = 40, /* below a mark, an exponent or an index */
    NOTE_BYTES = 12        /* of a mark */
};

bool dom_is_note_text(const char *z, size_t n)
{
    size_t digits = 0, letters = 0;

    if (n == 0 || n > NOTE_BYTES)
        return false;
    if (n > 2 && z[0] == '[' && z[n - 1] == ']')
        return true;
    for (size_t i = 0; i < n; i++) {
        digits += ascii_is_digit(z[i]);
        letters += ascii_is_alpha(z[i]);
    }
    return letters == 0 || (letters == 1 && digits == 0);
}

/* A link that pages raise by their style. */
static bool is_note_link(const struct node *x)
{
    static const char *const names[] = {"footnote", "noteref"};
    const char *role = dom_attr(x, "role");

    return x->tag == TAG_A &&
           ((role != NULL && strcmp(role, "doc-noteref") == 0) ||
            html_name_has(dom_attr(x, "class"), names,
                          sizeof names / sizeof *names));
}

bool dom_is_note(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i];
    char text[NOTE_BYTES + 1];
    bool linked = false, raised = false;
    size_t len = 0;

    if ((x->tag != TAG_SUP && x->tag != TAG_A) || x->end - i > RAISED_NODES_MAX)
        return false;
    for (uint32_t k = i; k < x->end && len <= NOTE_BYTES; k++) {
        const struct node *y = &d->nodes[k];
        const char *href = y->tag == TAG_A ? dom_attr(y, "href") : NULL;

        linked = linked || (href != NULL && strchr(href, '#') != NULL);
        raised = raised || y->tag == TAG_SUP || is_note_link(y);
        if (y->is_text)
            len = fold_into(text, len, sizeof text, y->data);
        if (len > 0 && !(linked && raised) && (len > 1 || text[0] != '['))
            return false;
    }
    return linked && raised && dom_is_note_text(text, len);
}

size_t dom_raised(const struct dom *d, uint32_t i, const char *before, size_t m,
                  char out[RAISED_MAX])
{
    const struct node *x = &d->nodes[i];
    char text[RAISED_TEXT_MAX + 2];
    size_t len = 0;

    if ((x->tag != TAG_SUP && x->tag != TAG_SUB) ||
        x->end - i > RAISED_NODES_MAX)
        return 0;
    for (uint32_t k = i + 1; k < x->end; k++) {
        enum tag tag = (enum tag)d->nodes[k].tag;

        if (d->nodes[k].dropped || tag == TAG_A || dom_is_block(tag) ||
            len > RAISED_TEXT_MAX)
            return 0;
        if (d->nodes[k].is_text)
            len = fold_into(text, len, sizeof text, d->nodes[k].data);
        else if (len > 0 && (tag == TAG_SUP || tag == TAG_SUB))
            text[len++] = tag == TAG_SUP ? '^' : '_';
    }
    return len > RAISED_TEXT_MAX
               ? 0
               : raised_format(x->tag == TAG_SUB, before, m, text, len, out);
}

/* Another item of a list begins behind out[0..len): "a; b". */
static size_t end_item(char *out, size_t len)
{
    size_t end = len > 0 && out[len - 1] == ' ' ? len - 1 : len;

    if (end == 0 || strchr(".:;,!?", out[end - 1]) != NULL)
        return len;
    out[end] = ';'; /* room for a space was left */
    return end + 1;
}

char *dom_text(const struct dom *d, uint32_t i, size_t max, bool skip_dropped,
               struct arena *a)
{
    size_t room = 16, len = 0;
    char *out;

    for (uint32_t k = i; k < d->nodes[i].end && room < max; k++)
        room += d->nodes[k].is_text ? strlen(d->nodes[k].data) : 3;
    if (room > max)
        room = max;
    out = arena_alloc(a, room + 1);
    if (out == NULL)
        return NULL;
    for (uint32_t k = i; k < d->nodes[i].end && len < room; k++) {
        const struct node *x = &d->nodes[k];
        char raised[RAISED_MAX];

        if (x->is_text) {
            len = fold_into(out, len, room, x->data);
        } else if (k > i && dom_raised(d, k, out, len, raised) > 0) {
            len = fold_into(out, len, room, raised);
            k = x->end - 1;
        } else if ((skip_dropped && x->dropped) || x->tag == TAG_SCRIPT ||
                   x->tag == TAG_STYLE || (k > i && dom_is_note(d, k))) {
            k = x->end - 1;
        } else if (dom_is_block((enum tag)x->tag) || x->tag == TAG_BR) {
            if (x->tag == TAG_LI && k > i)
                len = end_item(out, len);
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
