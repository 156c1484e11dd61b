/* What the elements around a node, and their names, say of how it is set; see
 * html_looks.h. */
#include "text/html_looks.h"

#include "text/html_parts.h"
#include "text/passage.h"

#include <string.h>

enum {
    CAPTION_DEPTH = 4, /* of bold words in a figure */
    BOX_DEPTH = 5,     /* of a title in the box of a note */
    BOX_BYTES = 2000,  /* a larger one is a section */
    BOX_NAME_BYTES = 100,
    TERM_CHARS = 80,    /* of an entry set as a paragraph, … */
    TOLD_LEAST = 3,     /* of which so many stand in a row */
    HEADINGS_LEAST = 3, /* of a page, … */
    HEADINGS_TIMES = 3, /* … and as many for each element of a heading */
    HEADING_NODES = 24,
    HEADING_CHARS = 160
};

/* The level that a word of a class name gives a heading, "section2-title",
 * "Heading3"; 0: it names none. */
static int word_level(const char *z, size_t n)
{
    static const char *const words[] = {"heading", "title",   "header", "sub",
                                        "section", "chapter", "sect"};
    enum { NAMING = 3, SUB = 3, WORDS = 7 };
    int level = 0, below = 0;
    bool named = false, section = false;

    for (const char *end = z + n; z < end;) {
        size_t k = 0;

        if (*z == '-' || *z == '_') {
            z++;
        } else if (*z >= '1' && *z <= '6' && level == 0) {
            level = *z++ - '0';
        } else {
            while (k < WORDS && !ascii_starts_i(z, words[k]))
                k++;
            if (k == WORDS)
                return 0;
            named = named || k < NAMING;
            section = section || k > SUB;
            below += k == SUB;
            z += strlen(words[k]);
        }
    }
    return named && level > 0 && (below == 0 || section) ? level + below : 0;
}

static int class_level(const char *z)
{
    size_t n = z == NULL ? 0 : strnlen(z, BOX_NAME_BYTES);
    int level = 0;

    for (size_t i = 0, len; i < n && level == 0; i += len + 1) {
        len = 0;
        while (i + len < n && !ascii_is_space(z[i + len]))
            len++;
        if (i + len < n || z[n] == '\0')
            level = word_level(z + i, len);
    }
    return level;
}

/* Does the block stand where its words are no heading of the page's text? */
static bool is_cell(const struct dom *d, uint32_t i)
{
    for (; i > 0; i = d->nodes[i].parent)
        switch ((enum tag)d->nodes[i].tag) {
        case TAG_TD:
        case TAG_TH:
        case TAG_LI:
        case TAG_DT:
        case TAG_DD:
        case TAG_FIGURE:
        case TAG_BLOCKQUOTE:
            return true;
        default:
            break;
        }
    return false;
}

/* The level of a heading by the number it begins with, "2.1.3 Why", of a block
 * that has a place's name; 0: it is none. */
static int number_level(const struct dom *d, uint32_t i)
{
    static const char digits[] = "0123456789";
    const struct node *x = &d->nodes[i];
    uint32_t text = i;
    bool named = false;
    int level = 0;
    const char *z;
    size_t n;

    for (uint32_t k = i + 1; k < x->end && text == i; k++) {
        const struct node *o = &d->nodes[k];

        named = named || (o->tag == TAG_A && dom_attr(o, "href") == NULL &&
                          dom_attr(o, "name") != NULL);
        text = o->is_text && o->text > 0 ? k : i;
    }
    if (!named || text == i)
        return 0;
    z = d->nodes[text].data;
    z += strspn(z, " \t\r\n");
    for (; (n = strspn(z, digits)) > 0 && z[n] == '.'; z += n + 1)
        level++;
    return n > 0 && level > 0 && z[n] == ' ' &&
                   !sentence_is_closed(z, strlen(z))
               ? level
               : 0;
}

/* The level of the heading that block i is called; 0: it is none. */
static int named_level(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i];
    uint32_t link_end = 0;
    size_t text = 0, linked = 0;
    int level;

    if ((x->tag != TAG_DIV && x->tag != TAG_P) || x->holds_block ||
        x->end - i > HEADING_NODES)
        return 0;
    level = class_level(dom_attr(x, "class"));
    if (level == 0)
        level = number_level(d, i);
    if (level == 0)
        return 0;
    for (uint32_t k = i; k < x->end; k++) {
        const struct node *o = &d->nodes[k];

        if (o->tag == TAG_A && dom_attr(o, "href") != NULL && o->end > link_end)
            link_end = o->end;
        text += o->is_text ? o->text : 0;
        linked += o->is_text && k < link_end ? o->text : 0;
    }
    return text > 0 && text <= HEADING_CHARS && linked * 2 < text &&
                   !is_cell(d, i)
               ? level
               : 0;
}

void headings_name(struct dom *d)
{
    uint32_t named = 0, real = 0;

    for (uint32_t i = 0; i < d->count; i++) {
        struct node *x = &d->nodes[i];

        real += dom_is_heading(x) && x->tag != TAG_H1;
        x->sections = (uint8_t)named_level(d, i);
        named += x->sections > 0;
    }
    if (named < HEADINGS_LEAST || named < HEADINGS_TIMES * real)
        return;
    /* The page's title is the first level. */
    for (uint32_t i = 0; i < d->count; i++)
        if (d->nodes[i].sections > 0)
            d->nodes[i].tag = (uint8_t)(d->nodes[i].sections < 6
                                            ? TAG_H1 + d->nodes[i].sections
                                            : TAG_H6);
}

/* The node behind i and behind blanks in its parent; 0: there is none. */
static uint32_t node_after(const struct dom *d, uint32_t i)
{
    uint32_t k = d->nodes[i].end, end = d->nodes[d->nodes[i].parent].end;

    while (k < end && d->nodes[k].is_text &&
           str_trim(str_of(d->nodes[k].data)).n == 0)
        k = d->nodes[k].end;
    return k < end ? k : 0;
}

/* The quotation right behind paragraph i, which is a short line that begins
 * with code and is no sentence; 0: there is none. */
static uint32_t quoted_behind(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i];
    uint32_t next = x->tag == TAG_P && !x->holds_block ? node_after(d, i) : 0;
    struct str last = {"", 0};

    if (next == 0 || d->nodes[next].tag != TAG_BLOCKQUOTE || x->text == 0 ||
        x->text > TERM_CHARS || dom_holds(d, next, TAG_PRE))
        return 0;
    for (uint32_t k = i + 1; k < x->end; k++) {
        struct str said = str_trim(str_of(d->nodes[k].data));

        if (!d->nodes[k].is_text || said.n == 0)
            continue;
        if (last.n == 0 && !looks_typed(d, k))
            return 0;
        last = said;
    }
    return last.n > 0 && last.p[last.n - 1] != ':' &&
                   last.p[last.n - 1] != ',' &&
                   !sentence_is_closed(last.p, last.n)
               ? next
               : 0;
}

uint32_t looks_told(const struct dom *d, uint32_t i, uint32_t *behind)
{
    uint32_t quote = quoted_behind(d, i), last = quote;

    for (int k = 1; k < TOLD_LEAST && i != *behind && last > 0; k++) {
        uint32_t next = node_after(d, last);

        last = next > 0 ? quoted_behind(d, next) : 0;
    }
    if (last == 0)
        return 0;
    *behind = node_after(d, quote);
    return quote;
}

bool looks_numbering(const struct dom *d, uint32_t i)
{
    static const char *const number[] = {"number"};
    const struct node *x = &d->nodes[i];
    uint32_t next = x->end;
    const char *z;

    if (x->tag != TAG_DIV || x->end != i + 2 || x->text == 0 ||
        !html_name_has(dom_attr(x, "class"), number, 1))
        return false;
    while (next < d->count && d->nodes[next].is_text &&
           d->nodes[next].text == 0)
        next++;
    z = d->nodes[i + 1].data;
    return next < d->count && d->nodes[next].parent == x->parent &&
           dom_is_heading(&d->nodes[next]) && z != NULL &&
           z[strspn(z, "0123456789. \t\r\n")] == '\0';
}

/* Does the block stand in a figure? Then it says what a picture is called, and
 * heads nothing. */
bool looks_captioned(const struct dom *d, uint32_t i)
{
    static const char *const figure[] = {"figure"};

    for (int up = 0; i > 0 && up < CAPTION_DEPTH; i = d->nodes[i].parent, up++)
        if (d->nodes[i].tag == TAG_FIGURE ||
            html_name_has(dom_attr(&d->nodes[i], "class"), figure, 1))
            return true;
    return false;
}

/* Is one of the words of a class name one of these? */
static bool has_word(const char *z, const char *const *words, size_t count)
{
    size_t n = z == NULL ? 0 : strnlen(z, BOX_NAME_BYTES);

    for (size_t i = 0; i < n;) {
        const char *space = memchr(z + i, ' ', n - i);
        struct str word = {z + i,
                           space == NULL ? n - i : (size_t)(space - z) - i};

        for (size_t k = 0; k < count; k++)
            if (str_ieq(word, words[k]))
                return true;
        i += word.n + 1;
    }
    return false;
}

/* Is one of the words of a class name (of its first BOX_NAME_BYTES) what boxes
 * beside the text are called? */
bool looks_box_name(const char *z)
{
    static const char *const words[] = {"caution", "danger",    "example",
                                        "hint",    "important", "note",
                                        "sidebar", "tip",       "warning"};
    size_t n;

    if (z == NULL)
        return false;
    n = strnlen(z, BOX_NAME_BYTES);
    return has_word(z, words, sizeof words / sizeof words[0]) ||
           mem_find(z, n, "admonition") != NULL ||
           mem_find(z, n, "markdown-alert") != NULL;
}

/* Is all that block i says the name of such a box: "Note", "Warning:"? */
static bool is_box_name(const struct dom *d, uint32_t i)
{
    char name[BOX_NAME_MAX + 1];
    uint32_t k = i + 1;
    struct str s;

    while (k < d->nodes[i].end &&
           (!d->nodes[k].is_text || d->nodes[k].text == 0))
        k++;
    if (k == d->nodes[i].end || d->nodes[i].text != d->nodes[k].text)
        return false;
    s = str_trim(str_of(d->nodes[k].data));
    s.n -= s.n > 0 && s.p[s.n - 1] == ':';
    if (s.n == 0 || s.n > BOX_NAME_MAX || memchr(s.p, ' ', s.n) != NULL)
        return false;
    memcpy(name, s.p, s.n);
    name[s.n] = '\0';
    return looks_box_name(name);
}

/* Is block i called a title, or does it head the small box? */
static bool is_box_title(const struct dom *d, uint32_t box, uint32_t i)
{
    static const char *const title[] = {"title"};
    uint32_t k = box + 1;

    if (d->nodes[i].tag == TAG_TH ||
        html_name_has(dom_attr(&d->nodes[i], "class"), title, 1))
        return true;
    if (d->nodes[box].text >= BOX_BYTES)
        return false;
    while (k < i && (!d->nodes[k].is_text || d->nodes[k].text == 0))
        k++;
    return k == i && (dom_is_heading(&d->nodes[i]) || is_box_name(d, i));
}

/* The box of a note, a warning or an example whose name is all that block i
 * says; 0: it does not. */
uint32_t looks_box_of(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i];
    uint32_t up = x->parent;

    if (x->text == 0 || x->text > LABEL_BYTES || x->linked > 0)
        return 0;
    for (int depth = 0; up > 0 && depth < BOX_DEPTH; depth++) {
        if (looks_box_name(dom_attr(&d->nodes[up], "class")))
            return d->nodes[up].text > x->text && is_box_title(d, up, i) ? up
                                                                         : 0;
        up = d->nodes[up].parent;
    }
    return 0;
}

static bool is_called(const struct node *x, const char *name)
{
    const char *z = dom_attr(x, "class");

    return x->tag == TAG_DIV && z != NULL && strcmp(z, name) == 0;
}

/* Doxygen's listings: a block of lines that are blocks. */
bool looks_listing(const struct dom *d, uint32_t i)
{
    uint32_t k = i + 1;

    while (k < d->nodes[i].end && d->nodes[k].is_text && d->nodes[k].text == 0)
        k++;
    return is_called(&d->nodes[i], "fragment") && k < d->nodes[i].end &&
           is_called(&d->nodes[k], "line");
}

/* Are lines of block i set as they are typed, as DocBook says, each with a
 * break? */
bool looks_literal(const struct dom *d, uint32_t i)
{
    static const char *const names[] = {"literallayout", "programlisting",
                                        "screen", "verbatim"};
    const struct node *x = &d->nodes[i];
    const char *class_names = dom_attr(x, "class");
    bool named = has_word(class_names, names, sizeof names / sizeof names[0]);
    bool broken = false;

    if (x->holds_block || x->tag == TAG_PRE ||
        !(named || dom_attr_is(x, "class", "code")))
        return false;
    for (uint32_t k = i + 1; k < x->end; k++) {
        const struct node *o = &d->nodes[k];

        broken = broken || o->tag == TAG_BR;
        /* "code" alone may be prose that holds some. */
        if (!named && !o->is_text && o->tag != TAG_BR)
            return false;
    }
    return broken;
}

/* Is the text node inside <b>, <strong> or <summary> within its block?
 * *slanted: or in what marks a part of a name or of code in a line that is? */
bool looks_bold(const struct dom *d, uint32_t i, bool *slanted)
{
    *slanted = false;
    for (i = d->nodes[i].parent; i > 0; i = d->nodes[i].parent) {
        enum tag tag = (enum tag)d->nodes[i].tag;

        if (tag == TAG_B || tag == TAG_STRONG || tag == TAG_SUMMARY)
            return !looks_captioned(d, i);
        if (dom_is_block(tag))
            return false;
        *slanted = *slanted || tag == TAG_I || tag == TAG_EM ||
                   tag == TAG_VAR || tag == TAG_CODE;
    }
    return false;
}

/* Is the text node in an element of code within its block, or space? */
bool looks_typed(const struct dom *d, uint32_t i)
{
    if (str_trim(str_of(d->nodes[i].data)).n == 0)
        return true;
    for (i = d->nodes[i].parent; i > 0 && !d->nodes[i].block;
         i = d->nodes[i].parent)
        if (d->nodes[i].tag == TAG_TT || d->nodes[i].tag == TAG_CODE ||
            d->nodes[i].tag == TAG_KBD || d->nodes[i].tag == TAG_SAMP)
            return true;
    return false;
}

bool looks_side_note(const struct dom *d, uint32_t i)
{
    static const char *const names[] = {"fn-text", "marginnote", "sidenote"};
    const struct node *x = &d->nodes[i];
    const char *class_names = x->tag == TAG_SPAN ? dom_attr(x, "class") : NULL;

    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (class_names != NULL && strcmp(class_names, names[k]) == 0)
            return true;
    return false;
}

/* A table that is set as one line: what a function is called with. */
bool looks_prototype(const struct dom *d, uint32_t i)
{
    static const char *const names[] = {"funcprototype", "memname"};

    return d->nodes[i].tag == TAG_TABLE &&
           html_name_begins(dom_attr(&d->nodes[i], "class"), names,
                            sizeof names / sizeof names[0]);
}

/* How far groff moves a paragraph in, in percent; 0: it was another's. */
int looks_margin(const struct node *x)
{
    static const char left[] = "margin-left:";
    const char *style = dom_attr(x, "style");
    int margin = 0;

    if (style == NULL || strncmp(style, left, strlen(left)) != 0)
        return 0;
    for (style += strlen(left); ascii_is_digit(*style) && margin < 100; style++)
        margin = margin * 10 + (*style - '0');
    return margin;
}
