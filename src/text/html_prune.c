/*
 * Lists of links in a page's main text: most lead elsewhere and are pruned;
 * what a sentence announces, and what is sentences with long links in them,
 * belongs to the text; see html_parts.h.
 */
#include "text/html_parts.h"
#include "text/passage.h"

#include <string.h>

enum {
    REFERENCE_CHARS = 6, /* of a text that refers to places, not linked */
    SAID_CHARS = 60,     /* not linked, that a paragraph is one by */
    AROUND_CHARS = 12,   /* of one with words on both sides of a link */
    SIDE_CHARS = 3,
    LABEL_CHARS = 24,    /* of what only names a list */
    SENTENCE_CHARS = 20, /* of a text with a long link, not linked */
    SECTION_NODES = 500, /* looked at for the heading of a list's section */
    RUNNING_SCORE = 300, /* of a box that has paragraphs of its own */
    LIST_CHARS =
        2000 /* longer ones are what the page is about, or its contents */
};

static const char *href_of(const struct node *x)
{
    return x->tag == TAG_A && !x->is_text ? dom_attr(x, "href") : NULL;
}

/* Does each link lead to a place in a page, as what a text refers to does? */
static bool refers(const struct dom *d, uint32_t i)
{
    for (uint32_t k = i + 1; k < d->nodes[i].end; k++) {
        const char *href = href_of(&d->nodes[k]);

        if (href != NULL && strchr(href, '#') == NULL)
            return false;
    }
    return true;
}

/* Is it a line of a program: "#include <a.h>", "val year : int"? */
static bool is_all_code(const struct dom *d, uint32_t i)
{
    uint32_t k = i + 1;

    while (k < d->nodes[i].end && d->nodes[k].text == 0)
        k = d->nodes[k].end;
    return k < d->nodes[i].end && d->nodes[k].text >= d->nodes[i].text &&
           d->nodes[k].linked < d->nodes[k].text &&
           (d->nodes[k].tag == TAG_CODE || d->nodes[k].tag == TAG_TT);
}

/* Is it a cell's, or a sentence with a long link in it: some words and the end
 * are not linked? */
static bool is_sentence(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i];
    uint32_t last = x->end - 1;
    struct str s;

    if (d->nodes[x->parent].tag == TAG_TD || d->nodes[x->parent].tag == TAG_TH)
        return true;
    if (x->tag == TAG_P && x->text - x->linked >= SAID_CHARS)
        return true; /* whichever way it ends */
    while (last > i && (d->nodes[last].text == 0 ||
                        (d->nodes[last].text == 1 && !d->nodes[last].is_text)))
        last--;
    if (x->tag == TAG_P && x->text - x->linked >= REFERENCE_CHARS &&
        (refers(d, i) || is_all_code(d, i)))
        return true; /* "Sets all bits in a mask", as manuals say it */
    if (!d->nodes[last].is_text || d->nodes[last].linked > 0 ||
        x->text - x->linked < (refers(d, i) ? REFERENCE_CHARS : AROUND_CHARS))
        return false;
    s = str_trim(str_of(d->nodes[last].data));
    if (x->text - x->linked < SENTENCE_CHARS && !refers(d, i) &&
        (x->tag != TAG_P || !d->nodes[i + 1].is_text ||
         d->nodes[i + 1].text < SIDE_CHARS || s.n <= SIDE_CHARS))
        return false;
    return s.n > 0 && (s.p[s.n - 1] == ':' || sentence_is_closed(s.p, s.n));
}

/* The last text in front of node i in the same parent; a box's first part has
 * the box's. NULL where a link or nothing stands there. */
static const struct node *text_before(const struct dom *d, uint32_t i)
{
    for (uint32_t k = i; k-- > d->nodes[i].parent;) {
        const struct node *x = &d->nodes[k];

        if (k == d->nodes[i].parent)
            return x->tag == TAG_DIV ? text_before(d, k) : NULL;
        if (x->is_text && !x->dropped && x->text > 1)
            return x->linked == 0 ? x : NULL;
    }
    return NULL;
}

/* Is there nothing but links to places of the same page: its contents? */
static bool is_contents(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i];

    if (x->linked * 10 <= x->text * 9)
        return false;
    for (uint32_t k = i + 1; k < x->end; k++) {
        const char *href = href_of(&d->nodes[k]);

        if (href != NULL && *href != '#')
            return false;
    }
    return true;
}

/* Does a heading below the page's own stand ahead of list i in its parent, and
 * is the list not called that section's contents? */
static bool is_sectioned(const struct dom *d, uint32_t i)
{
    static const char *const names[] = {"contents", "menu", "toc"};
    uint32_t up = d->nodes[i].parent;

    if (html_name_has(dom_attr(&d->nodes[i], "class"), names,
                      sizeof names / sizeof names[0]))
        return false;
    for (uint32_t k = i; k-- > up + 1 && i - k <= SECTION_NODES;)
        if (d->nodes[k].parent == up && dom_is_heading(&d->nodes[k]) &&
            d->nodes[k].tag != TAG_H1)
            return true;
    return false;
}

/* Does a sentence say what follows: "The primitives are:"? Within a section one
 * that says it of places in the page, too: "These types are available." */
static bool is_announced(const struct dom *d, uint32_t i)
{
    const struct node *x = text_before(d, i), *up = x;
    struct str s;

    if (x == NULL)
        return false;
    s = str_trim(str_of(x->data));
    while (up->parent != 0 && !up->block)
        up = &d->nodes[up->parent];
    return s.n > 0 &&
           (s.p[s.n - 1] == ':' ||
            (sentence_is_closed(s.p, s.n) && !dom_is_heading(up) &&
             is_contents(d, i) && is_sectioned(d, i))) &&
           up->text - up->linked >= SENTENCE_CHARS;
}

/* rustdoc's, of what links everything. */
static bool is_code_heading(const struct dom *d, uint32_t i)
{
    return d->nodes[i].linked < d->nodes[i].text &&
           dom_attr_is(&d->nodes[i], "class", "code-header");
}

/* Is it a heading's box, whose words are not all linked: a function with the
 * types that it takes? */
static bool is_title_box(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i];

    for (uint32_t k = i + 1; k < x->end; k++)
        if (dom_is_heading(&d->nodes[k]))
            return d->nodes[k].text == x->text &&
                   (x->linked * 10 < x->text * 8 || is_code_heading(d, k));
    return false;
}

/* The first such element among the first nodes of i; 0: there is none. */
static uint32_t find_in(const struct dom *d, uint32_t i, enum tag tag)
{
    enum { LOOKED_AT_MAX = 100 };

    for (uint32_t k = i + 1; k < d->nodes[i].end && k - i < LOOKED_AT_MAX; k++)
        if (d->nodes[k].tag == tag && !d->nodes[k].is_text)
            return k;
    return 0;
}

/* Is the first cell of the table a name that is no link, of what links say? */
static bool names_first(const struct dom *d, uint32_t table)
{
    uint32_t k = find_in(d, table, TAG_TD);

    return k > 0 && d->nodes[k].text > 1 && d->nodes[k].linked == 0;
}

/* Is the box called one whose links are a part of what it says: the types in
 * what a function is called with, what a note refers to? */
static bool is_said(const struct node *x)
{
    static const char *const names[] = {"admonition", "fragment",  "memname",
                                        "memproto",   "prototype", "signature",
                                        "synopsis"};

    if (dom_attr_is(x, "class", "fragment") || dom_attr_is(x, "class", "line"))
        return true; /* Doxygen's listings */
    return x->linked < x->text && html_name_has(dom_attr(x, "class"), names,
                                                sizeof names / sizeof names[0]);
}

/* What a manual tells of a part of a program: "See also", "Throws". */
static bool is_field_list(const struct node *x)
{
    static const char *const names[] = {"field-list", "notes", "section"};

    return x->linked < x->text &&
           html_name_begins(dom_attr(x, "class"), names,
                            sizeof names / sizeof names[0]);
}

/* Is it more than links: a listing, or a table that says what something is? */
static bool is_said_box(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i];
    uint32_t table = find_in(d, i, TAG_TABLE);

    if (is_said(x) || find_in(d, i, TAG_PRE) > 0 || is_all_code(d, i))
        return true;
    return table > 0 &&
           (names_first(d, table) ||
            (d->nodes[table].text == x->text && x->linked * 10 <= x->text * 7));
}

/* Is a paragraph of the box a sentence that refers to places? */
static bool holds_sentence(const struct dom *d, uint32_t i)
{
    for (uint32_t k = i + 1; k < d->nodes[i].end; k = d->nodes[k].end)
        if (d->nodes[k].tag == TAG_P && d->nodes[k].linked > 0 &&
            refers(d, k) && is_sentence(d, k))
            return true;
    return false;
}

/* Lists, tables, paragraphs and boxes that are mostly links; a box with a
 * paragraph of its own is looked into instead. No part of a heading is one. */
static bool is_link_list(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i], *up = &d->nodes[x->parent];

    if (dom_is_heading(up))
        return false;
    if (x->text == 0 || x->linked * 10 <= x->text * 4 ||
        (x->text >= LIST_CHARS && !is_contents(d, i)))
        return false;
    switch ((enum tag)x->tag) {
    case TAG_P:
        return !is_said(up);
    case TAG_UL:
    case TAG_OL:
    case TAG_MENU:
    case TAG_DIR:
        return true;
    case TAG_DL:
    case TAG_TABLE: /* names linked, what they are not, or the reverse */
        return x->linked * 10 > x->text * 7 &&
               (x->tag == TAG_DL ? !is_field_list(x)
                                 : !(names_first(d, i) || is_said(x)));
    case TAG_DIV:
    case TAG_SECTION:
        return x->score < RUNNING_SCORE && !is_title_box(d, i) &&
               !is_said_box(d, i) && !holds_sentence(d, i);
    default:
        return false;
    }
}

/* Is it a list in which some tenths at most are links? */
static bool is_told(const struct node *list, uint32_t tenths)
{
    return list->linked * 10ull <= list->text * (uint64_t)tenths;
}

static bool is_text_part(const struct dom *d, uint32_t i)
{
    const struct node *up = &d->nodes[d->nodes[i].parent];

    return is_sentence(d, i) || is_announced(d, i) ||
           (up->tag == TAG_LI && (up->linked * 10 <= up->text * 4 ||
                                  is_told(&d->nodes[up->parent], 4))) ||
           (up->tag == TAG_DD && is_told(&d->nodes[up->parent], 7));
}

/* Are there letters and blanks alone? */
static bool is_letters(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] != ' ' && !ascii_is_alpha(s.p[i]))
            return false;
    return s.n > 0;
}

/* Does the element only say how its text looks? */
static bool is_inline(const struct node *x)
{
    switch ((enum tag)x->tag) {
    case TAG_A:
    case TAG_B:
    case TAG_EM:
    case TAG_I:
    case TAG_SPAN:
    case TAG_STRONG:
        return !x->is_text;
    default:
        return false;
    }
}

/* What names the list of contents i, "Subsections", and is no block of its own.
 * 0: nothing does, or it is none. */
static uint32_t label_before(const struct dom *d, uint32_t i)
{
    const struct node *text = text_before(d, i), *up = text;

    if (text == NULL || !refers(d, i) || strlen(text->data) > LABEL_CHARS ||
        !is_letters(str_trim(str_of(text->data))))
        return 0;
    while (up->parent != d->nodes[i].parent && up->parent != 0 &&
           d->nodes[up->parent].text == text->text)
        up = &d->nodes[up->parent];
    return is_inline(up) && up->parent == d->nodes[i].parent
               ? (uint32_t)(up - d->nodes)
               : 0;
}

void html_links_prune(struct dom *d, uint32_t root)
{
    uint64_t pruned = 0;

    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = root + 1; i < d->nodes[root].end; i++) {
            struct node *x = &d->nodes[i];
            uint32_t label;

            if (!x->dropped && is_link_list(d, i) && !is_text_part(d, i)) {
                pruned += x->text;
                x->dropped = pass == 1;
                label = pass == 1 ? label_before(d, i) : 0;
                if (label > root)
                    d->nodes[label].dropped = true;
            }
            if (x->dropped || is_link_list(d, i))
                i = x->end - 1;
        }
        if (pruned * 10 > d->nodes[root].text * 4ull)
            return;
        pruned = 0;
    }
}
