/*
 * Which part of a page is its main text. First what never is one goes: by
 * element, by role, by the words of class and id. Then the smallest subtree
 * that still holds most of the running text is taken, and link lists in it
 * are pruned (html_prune.c). A page without running text (a manual's index, a
 * table) keeps everything that is not navigation by name.
 */
#include "text/html_looks.h"
#include "text/html_parts.h"

#include <string.h>

enum {
    NAMES_BYTES = 1000, /* of class and id that are looked at */
    PARA_CHARS = 40,    /* shorter blocks say nothing about where text is */
    DESCEND_SHARE = 90, /* percent of the text a subtree must hold */
    CAPTION_CHARS = 120,
    SIGN_CHARS = 20,     /* of a link's text that may be one */
    LEAD_CHARS = 60,     /* of a paragraph in front of the chosen subtree … */
    SHORT_CHARS = 40,    /* … of a sentence behind the title … */
    HEADED_CHARS = 20,   /* … below a heading of its own */
    HEADING_REACH = 200, /* nodes in front of a section's heading */
    LINKED_READ = 8,     /* of them, with links in it */
    SECTIONS_READ = 40,  /* of a part */
    SECTIONS_KNOWN = 0x80,
    ENOUGH_CHARS = 300, /* of running text, to trust the choice */
    INDEX_CHARS = 600,  /* of a page of links and no running text */
    FEW_CHARS = 150     /* less is no running text at all */
};

static bool is_bad_role(const struct node *x)
{
    static const char *const roles[] = {
        "navigation", "complementary", "banner", "contentinfo", "search",
        "menu",       "menubar",       "dialog", "alertdialog", "toolbar",
    };
    const char *role = dom_attr(x, "role");

    if (role == NULL)
        return false;
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (str_ieq(str_trim(str_of(role)), roles[i]))
            return true;
    return false;
}

/* Does the style declare the property with the value? */
static bool style_is(const char *style, const char *property, const char *value)
{
    size_t n = strnlen(style, NAMES_BYTES);
    const char *at = mem_find_i(style, n, property);

    if (at == NULL)
        return false;
    at += strlen(property);
    while (*at == ' ' || *at == ':')
        at++;
    return ascii_starts_i(at, value);
}

static bool is_hidden(const struct node *x)
{
    const char *style = dom_attr(x, "style"), *role = dom_attr(x, "role");

    if (role != NULL && strcmp(role, "tabpanel") == 0)
        return false; /* one click away, and as much the page's text */
    if (dom_attr(x, "hidden") != NULL)
        return true;
    return style != NULL && (style_is(style, "display", "none") ||
                             style_is(style, "visibility", "hidden"));
}

/* The last of several that are all a box has and all are hidden: a script shows
 * one of them, as of what holds for each system, and the last is what others
 * are exceptions from. */
static bool is_default(const struct dom *d, uint32_t i)
{
    uint32_t box = d->nodes[i].parent, end = d->nodes[box].end;
    size_t several = 0;

    if (d->nodes[i].end != end)
        return false;
    for (uint32_t k = box + 1; k < end; k = d->nodes[k].end) {
        const struct node *x = &d->nodes[k];

        if (x->is_text ? str_trim(str_of(x->data)).n > 0
                       : dom_attr(x, "hidden") == NULL)
            return false;
        several += !x->is_text;
    }
    return several > 1;
}

/* Elements whose content nobody reads as text. */
static bool is_unreadable(const struct node *x)
{
    switch ((enum tag)x->tag) {
    case TAG_SCRIPT:
    case TAG_STYLE:
    case TAG_RP:
    case TAG_RT:
    case TAG_TEMPLATE:
    case TAG_IFRAME:
    case TAG_OBJECT:
    case TAG_EMBED:
    case TAG_APPLET:
    case TAG_HEAD:
    case TAG_BUTTON:
    case TAG_SELECT:
    case TAG_TEXTAREA:
    case TAG_DATALIST:
    case TAG_CANVAS:
    case TAG_AUDIO:
    case TAG_VIDEO:
    case TAG_MAP:
    case TAG_NOEMBED:
    case TAG_NOFRAMES:
    case TAG_OPTION:
    case TAG_OPTGROUP:
    case TAG_INPUT:
    case TAG_PROGRESS:
        return true;
    default:
        break;
    }
    return x->foreign;
}

/* An aside that is a part of the text, as its names tell: a note, a warning. */
static bool is_note(const struct node *x)
{
    static const char *const notes[] = {
        "admonition", "callout",   "caution", "danger", "footnote",
        "hint",       "important", "note",    "tip",    "warning"};

    return html_name_begins(dom_attr(x, "class"), notes,
                            sizeof notes / sizeof notes[0]) ||
           html_name_begins(dom_attr(x, "role"), notes,
                            sizeof notes / sizeof notes[0]);
}

/* Elements that stand around the running text. */
static bool is_furniture(const struct node *x)
{
    return x->tag == TAG_NAV || x->tag == TAG_FOOTER ||
           (x->tag == TAG_ASIDE && !is_note(x));
}

/* Is there a picture among the first nodes of the box? */
static bool shows_picture(const struct dom *d, uint32_t box)
{
    enum { LOOKED_AT_MAX = 64 }; /* a caption each may ask */

    for (uint32_t k = box + 1; k < d->nodes[box].end && k - box < LOOKED_AT_MAX;
         k++)
        if (d->nodes[k].tag == TAG_IMG)
            return true;
    return false;
}

/* What a picture is called, in a <figure> or in DocBook's box of that name. */
static bool is_caption(const struct dom *d, uint32_t i)
{
    static const char *const captions[] = {"caption", "title"};
    static const char *const figure[] = {"figure"};
    const struct node *x = &d->nodes[i];
    uint32_t box = x->parent;

    return x->tag == TAG_FIGCAPTION ||
           ((x->tag == TAG_P || x->tag == TAG_DIV) &&
            html_name_begins(dom_attr(x, "class"), captions, 2) &&
            html_name_begins(dom_attr(&d->nodes[box], "class"), figure, 1) &&
            shows_picture(d, box));
}

/* A caption that only names its picture or who made it. */
static bool is_bare_caption(const struct dom *d, uint32_t i)
{
    bool sentence = false;
    size_t chars = 0;

    if (!is_caption(d, i))
        return false;
    for (uint32_t k = i + 1; k < d->nodes[i].end; k++) {
        const char *z = d->nodes[k].is_text ? d->nodes[k].data : "";

        chars += d->nodes[k].is_text ? d->nodes[k].text : 0;
        sentence = sentence || strstr(z, ". ") != NULL;
    }
    return !sentence || chars < CAPTION_CHARS;
}

static bool is_frame(const struct node *x)
{
    return x->tag == TAG_HTML || x->tag == TAG_BODY || x->tag == TAG_MAIN ||
           x->tag == TAG_ARTICLE;
}

/* Rows and heads of tables: their names tell how they look. */
static bool is_row(const struct node *x)
{
    return x->tag == TAG_TR || x->tag == TAG_TH || x->tag == TAG_THEAD ||
           x->tag == TAG_TBODY;
}

static bool is_white(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Characters and commas of a text node, white space folded. */
static void measure_text(struct node *x)
{
    const char *z = x->data;
    uint32_t chars = 0, commas = 0;
    bool space = true;

    for (; *z != '\0'; z++) {
        bool white = is_white(*z);

        chars += (!white || !space) && ((unsigned char)*z & 0xC0) != 0x80;
        commas += *z == ',';
        space = white;
    }
    x->text = chars;
    x->commas = (uint16_t)(commas > UINT16_MAX ? UINT16_MAX : commas);
}

/* Does the link lead to where it stands, as one around a heading may? */
static bool leads_here(const struct dom *d, uint32_t i, const char *href)
{
    const struct node *x = &d->nodes[i];
    const char *id = dom_attr(x, "id"), *name = dom_attr(x, "name");

    if (href[0] == '#' && dom_is_heading(&d->nodes[x->parent]))
        return true; /* or back to the contents */
    return href[0] == '#' && ((id != NULL && strcmp(href + 1, id) == 0) ||
                              (name != NULL && strcmp(href + 1, name) == 0));
}

/* A link; but an address that is written out is what the text says. */
static bool is_link(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i], *first = x + 1;
    const char *href = x->tag == TAG_A ? dom_attr(x, "href") : NULL;

    if (href == NULL || leads_here(d, i, href))
        return false;
    if (i + 1 == x->end || !first->is_text)
        return true;
    return strstr(first->data, "://") == NULL &&
           strncmp(first->data, "www.", strlen("www.")) != 0 &&
           strncmp(href, "mailto:", strlen("mailto:")) != 0;
}

/* Sums of the texts' measures over subtrees, without what is dropped. All
 * that is below a link is the link's, also the blocks of a card. */
static void measure(struct dom *d)
{
    for (uint32_t i = 0; i < d->count; i++) {
        struct node *x = &d->nodes[i];

        if (x->is_text)
            continue;
        x->text = x->linked = 0;
        x->commas = 0;
    }
    for (uint32_t i = d->count; i-- > 1;) {
        struct node *x = &d->nodes[i], *up = &d->nodes[x->parent];

        if (x->dropped)
            continue;
        if (is_link(d, i))
            x->linked = x->text;
        up->text += x->text;
        up->linked += x->linked;
        up->commas = (uint16_t)(up->commas + x->commas > UINT16_MAX
                                    ? UINT16_MAX
                                    : up->commas + x->commas);
    }
    for (uint32_t i = 1, end = 0; i < d->count; i++) {
        if (is_link(d, i) && d->nodes[i].end > end)
            end = d->nodes[i].end;
        if (i < end)
            d->nodes[i].linked = d->nodes[i].text;
    }
}

typedef bool drop_rule(const struct dom *d, uint32_t i);

/* Drop every topmost subtree the rule matches. */
static void drop_where(struct dom *d, drop_rule *rule)
{
    for (uint32_t i = 1; i < d->count; i++) {
        struct node *x = &d->nodes[i];

        if (!x->dropped && !x->is_text && rule(d, i))
            x->dropped = true;
        if (x->dropped)
            i = x->end - 1;
    }
}

/* Is all that the link says one of the signs? */
static bool says_one_of(const struct node *x, const char *const *signs,
                        size_t count)
{
    struct str s = str_trim(str_of(x[1].data));

    if (s.n > 2 && memcmp(s.p + s.n - 2, "\xC2\xA0", 2) == 0)
        s.n -= 2;
    for (size_t k = 0; k < count; k++)
        if (str_ieq(s, signs[k]))
            return true;
    return false;
}

/* Is it all that its parent's first nodes say? Then it is the parent's text. */
static bool is_alone(const struct dom *d, uint32_t i)
{
    enum { LOOKED_AT_MAX = 64 };
    uint32_t up = d->nodes[i].parent;

    for (uint32_t k = up + 1; k < d->nodes[up].end && k - up < LOOKED_AT_MAX;
         k++)
        if (d->nodes[k].is_text && (k < i || k >= d->nodes[i].end) &&
            str_trim(str_of(d->nodes[k].data)).n > 0)
            return false;
    return true;
}

/* A sign that links to the place where it stands, or behind the name of a
 * program's part to its source. */
static bool is_permalink(const struct dom *d, uint32_t i)
{
    static const char *const here[] = {
        "Read more", "More...",          "\xC2\xB6",     "#",
        "\xC2\xA7",  "\xF0\x9F\x94\x97", "\xE2\x9A\x93", "\xE2\x97\x86"};
    static const char *const source[] = {"source", "[source]", "[src]",
                                         "view source"};
    const struct node *x = &d->nodes[i], *up = &d->nodes[x->parent];
    const char *href = x->tag == TAG_A ? dom_attr(x, "href") : NULL;

    if (href == NULL || x->end != i + 2 || !x[1].is_text ||
        x[1].text > SIGN_CHARS ||
        ((dom_is_heading(up) || up->tag == TAG_DT) && is_alone(d, i)))
        return false;
    if (dom_attr_is(x, "class", "srclink"))
        return true; /* rustdoc's */
    if (strchr(href, '#') == NULL)
        return dom_attr_is(up, "class", "src") &&
               says_one_of(x, source, sizeof source / sizeof source[0]);
    if (says_one_of(x, here, sizeof here / sizeof here[0]))
        return true;
    return (up->tag == TAG_DT || dom_is_heading(up) ||
            dom_attr_is(up, "class", "src")) &&
           says_one_of(x, source, sizeof source / sizeof source[0]);
}

/* What FFmpeg's headings end with, beside the sign: a link to their line of the
 * contents. */
static bool leads_to_contents(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i], *up = &d->nodes[x->parent];
    const char *href = x->tag == TAG_A ? dom_attr(x, "href") : NULL;

    return href != NULL && up->tag == TAG_SPAN &&
           strncmp(href, "#toc-", strlen("#toc-")) == 0 && x->end == i + 2 &&
           x[1].is_text && strcmp(x[1].data, "TOC") == 0 &&
           dom_is_heading(&d->nodes[up->parent]) &&
           x->end == d->nodes[up->parent].end;
}

static bool drop_unreadable(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i];

    /* A button in a heading opens what stands below it. */
    return (is_unreadable(x) &&
            !(x->tag == TAG_BUTTON && dom_is_heading(&d->nodes[x->parent]))) ||
           is_permalink(d, i) || leads_to_contents(d, i);
}

static bool drop_unscripted(const struct dom *d, uint32_t i)
{
    return drop_unreadable(d, i) || d->nodes[i].tag == TAG_NOSCRIPT;
}

static bool drop_by_tag(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i];

    return drop_unscripted(d, i) || is_furniture(x) || is_bare_caption(d, i) ||
           (!is_frame(x) &&
            ((is_hidden(x) && !is_default(d, i)) || is_bad_role(x)));
}

/* An id made of a heading's words ("sharing-with-several-people") or of what a
 * program calls something ("org.tools.Copy(File)") says what a section is
 * about, not what the element is for. */
static bool is_slug(const char *id)
{
    size_t hyphens = 0, dots = 0;

    for (const char *z = id; *z != '\0'; z++)
        dots += *z == '.' ? 1 : *z == '(' ? 2 : 0;
    if (dots > 1)
        return true;
    for (; *id != '\0'; id++) {
        hyphens += *id == '-';
        if (*id == '_' || ascii_is_digit(*id))
            return false;
    }
    return hyphens >= 3;
}

static bool is_named_badly(const struct node *x, const char *attr)
{
    const char *names = dom_attr(x, attr);

    return names != NULL && html_name_is_bad(names);
}

/* The links in front of a heading that lead to the sections around it, by name
 * or by what they are: they go, whatever stands behind them. */
static bool is_way_around(const struct node *x)
{
    return x->linked * 2ull > x->text &&
           (is_furniture(x) || is_named_badly(x, "class"));
}

/* The heading that node i begins with, TAG_H1 to TAG_H6; 0 where other text
 * comes first. */
static uint32_t first_heading(const struct dom *d, uint32_t i)
{
    uint32_t end = d->nodes[i].end, k = i + 1;
    size_t linked = 0;

    if (end - i > HEADING_REACH)
        end = i + HEADING_REACH;
    while (k < end && (!d->nodes[k].is_text || d->nodes[k].text == 0)) {
        const struct node *x = &d->nodes[k];
        bool way = x->dropped || (x->linked > 0 && linked++ < LINKED_READ &&
                                  is_way_around(x));

        k = way ? x->end : k + 1;
    }
    for (k = k < end ? d->nodes[k].parent : i; k > i; k = d->nodes[k].parent)
        if (dom_is_heading(&d->nodes[k]))
            return k;
    return 0;
}

static bool is_linked(const struct node *x)
{
    return x->linked * 3ull > x->text;
}

static uint8_t heading_bit(const struct node *x)
{
    return (uint8_t)(1 << (x->tag - TAG_H1));
}

/* Which headings the parts of node i begin with that are not named as menus
 * are: of one of them, and of several. */
static void read_sections(const struct dom *d, uint32_t i)
{
    struct node *up = &d->nodes[i];
    uint32_t left = SECTIONS_READ;

    up->sections = SECTIONS_KNOWN;
    up->several = 0;
    for (uint32_t k = i + 1; k < up->end && left > 0; k = d->nodes[k].end) {
        const struct node *x = &d->nodes[k];
        uint32_t heading;

        if (x->is_text || x->dropped || !x->holds_block)
            continue;
        left--;
        heading = is_linked(x) ? 0 : first_heading(d, k);
        if (heading == 0 || is_named_badly(x, "class") ||
            is_named_badly(x, "id"))
            continue;
        up->several |= up->sections & heading_bit(&d->nodes[heading]);
        up->sections |= heading_bit(&d->nodes[heading]);
    }
}

/* Is node i, named as a menu is or not, one of several sections of a text:
 * does another one begin with a heading of the same level? */
static bool is_section(const struct dom *d, uint32_t i, bool named_badly)
{
    struct node *up = &d->nodes[d->nodes[i].parent];
    uint32_t own = is_linked(&d->nodes[i]) ? 0 : first_heading(d, i);

    if (own == 0)
        return false;
    if ((up->sections & SECTIONS_KNOWN) == 0)
        read_sections(d, d->nodes[i].parent);
    return ((named_badly ? up->sections : up->several) &
            heading_bit(&d->nodes[own])) != 0;
}

/* Words of a running text, marked: no link, in a paragraph, an item or a cell
 * that says more than they, or nothing but what a menu holds. There a
 * "menuitem", a "guimenu" or a "search" is what the text speaks of ("Choose
 * <span class=menuitem>File</span>."). */
static bool is_wording(const struct dom *d, const struct node *x)
{
    static const char *const menu[] = {"guimenu", "guisubmenu", "menuchoice",
                                       "menuitem"};
    const struct node *up = &d->nodes[x->parent];

    if (x->block || x->holds_block || x->linked > 0)
        return false;
    while (up->parent != 0 && !up->block)
        up = &d->nodes[up->parent];
    return (up->text > x->text ||
            html_name_has(dom_attr(x, "class"), menu,
                          sizeof menu / sizeof menu[0])) &&
           (up->tag == TAG_P || up->tag == TAG_LI || up->tag == TAG_DD ||
            up->tag == TAG_DT || up->tag == TAG_TD);
}

/* Words of a listing, marked by what they are in it: "comment". */
static bool is_code(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i];

    if (x->block || x->holds_block)
        return false;
    for (i = x->parent; i > 0; i = d->nodes[i].parent) {
        const char *names = dom_attr(&d->nodes[i], "class");

        if (d->nodes[i].tag == TAG_PRE ||
            (names != NULL && strcmp(names, "fragment") == 0))
            return true; /* the latter are Doxygen's */
    }
    return false;
}

/* Most of a heading's words, as a link to it may have them: such a "header" is
 * no part of a page. */
static bool is_heading_text(const struct dom *d, const struct node *x)
{
    const struct node *up = &d->nodes[x->parent];

    if (x->block || x->holds_block)
        return false;
    while (up->parent != 0 && !up->block)
        up = &d->nodes[up->parent];
    return dom_is_heading(up) && x->text * 2ull > up->text;
}

/* The numbers of a listing's lines, beside them or in front of each. */
static bool is_line_numbers(const struct dom *d, uint32_t i)
{
    static const char *const names[] = {"gutter",     "line-number",   "lineno",
                                        "linenumber", "listing_lines", "lnt"};

    if (!html_name_has(dom_attr(&d->nodes[i], "class"), names,
                       sizeof names / sizeof names[0]))
        return false;
    for (uint32_t k = i + 1; k < d->nodes[i].end; k++)
        if (d->nodes[k].is_text &&
            d->nodes[k].data[strspn(d->nodes[k].data, " \t\r\n0123456789")] !=
                '\0')
            return false;
    return d->nodes[i].text > 0;
}

/* What is there for some readers alone, and marks of a text's parts. */
static bool is_unseen(const char *class_names)
{
    static const char *const names[] = {
        "editsection", "headerlink", "hidden",        "hide",
        "noprint",     "print-only", "screen-reader", "share",
        "skip-",       "sr-only",    "viewcode"};

    return class_names != NULL &&
           html_name_has(class_names, names, sizeof names / sizeof names[0]);
}

/* A box beside the text that belongs to it, as manuals have them: its title is
 * called one by DocBook or docutils. */
static bool is_titled_box(const struct dom *d, uint32_t i)
{
    enum { LOOKED_AT_MAX = 8 };
    static const char *const titles[] = {"sidebar-title", "titlepage"};

    for (uint32_t k = i + 1; k < d->nodes[i].end && k - i < LOOKED_AT_MAX; k++)
        if (html_name_begins(dom_attr(&d->nodes[k], "class"), titles,
                             sizeof titles / sizeof titles[0]))
            return !is_linked(&d->nodes[i]);
    return false;
}

/* Is it links, however much of the page they are, beside some text? */
static bool is_long_menu(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i], *all = &d->nodes[0];

    return x->linked * 10ull > x->text * 7ull &&
           all->text - all->linked >= x->text - x->linked + FEW_CHARS;
}

/* By name, unless most of the page is in it: such a name describes the
 * page's layout, not the element. */
static bool drop_by_name(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i];
    const char *class_names = dom_attr(x, "class"), *id = dom_attr(x, "id");
    bool bad = false;

    if (is_line_numbers(d, i) || looks_numbering(d, i))
        return true;
    if (is_wording(d, x) || is_heading_text(d, x))
        return is_unseen(class_names);
    if (is_frame(x) || is_row(x) ||
        (x->text * 10ull > d->nodes[0].text * 4ull && !is_long_menu(d, i)))
        return false;
    if (x->tag == TAG_FORM ||
        (x->tag == TAG_HEADER && !dom_within(d, i, TAG_ARTICLE) &&
         !dom_within(d, i, TAG_MAIN)))
        return (x->text < 400 && !dom_holds(d, i, TAG_H1)) ||
               x->linked * 2 > x->text;
    if (class_names != NULL)
        bad = dom_is_heading(x) ? html_name_begins_badly(class_names)
                                : html_name_is_bad(class_names);
    if (!bad && id != NULL && x->tag != TAG_DT && !dom_is_heading(x) &&
        !is_slug(id))
        bad = html_name_is_bad(id) && /* of a term, a heading it is that */
              !is_section(d, i, true);
    if (bad && is_code(d, i))
        return is_unseen(class_names);
    /* What holds the title holds the text or its beginning; "tags" that are
     * defined are no links to what has the same. */
    return bad && !(x->tag == TAG_DL && !is_linked(x)) &&
           !is_titled_box(d, i) &&
           (x->linked * 2 > x->text || !dom_holds(d, i, TAG_H1));
}

/* Running text of node i outside the blocks in it. */
static float score_own(const struct dom *d, uint32_t i)
{
    uint32_t text = 0, linked = 0, commas = 0;

    for (uint32_t k = i + 1; k < d->nodes[i].end; k = d->nodes[k].end) {
        const struct node *x = &d->nodes[k];

        if (x->dropped || x->block || x->holds_block)
            continue;
        text += x->text;
        linked += x->linked;
        commas += x->commas;
    }
    if (text < PARA_CHARS || linked * 2 > text)
        return 0;
    return (float)(text - linked) + 20.0f * (float)commas;
}

/* Running text: long enough and not mostly links; its length goes to the
 * score of all its ancestors. */
static void score_paragraphs(struct dom *d)
{
    for (uint32_t i = 0; i < d->count; i++)
        d->nodes[i].score = 0;
    for (uint32_t i = 1; i < d->count; i++) {
        struct node *x = &d->nodes[i];

        if (x->dropped)
            i = x->end - 1;
        else if (x->block || x->holds_block)
            x->score = score_own(d, i);
    }
    for (uint32_t i = d->count; i-- > 1;)
        if (!d->nodes[i].dropped)
            d->nodes[d->nodes[i].parent].score += d->nodes[i].score;
}

/* The child with the most running text. */
static uint32_t best_child(const struct dom *d, uint32_t i)
{
    uint32_t best = i;

    for (uint32_t k = i + 1; k < d->nodes[i].end; k = d->nodes[k].end)
        if (!d->nodes[k].dropped &&
            (best == i || d->nodes[k].score > d->nodes[best].score))
            best = k;
    return best;
}

/* What stands in a text, not around one; a table with heads does. */
static bool is_part(const struct dom *d, uint32_t i)
{
    switch ((enum tag)d->nodes[i].tag) {
    case TAG_P:
    case TAG_UL:
    case TAG_OL:
    case TAG_DL:
    case TAG_MENU:
    case TAG_DIR:
    case TAG_PRE:
        return true;
    case TAG_TABLE:
        return dom_holds(d, i, TAG_TH);
    default:
        return false;
    }
}

/* The same tag and class: one of several sections, or of several posts. */
static bool is_like(const struct node *x, const struct node *y)
{
    const char *a = dom_attr(x, "class"), *b = dom_attr(y, "class");

    return x->tag == y->tag &&
           (a == NULL || b == NULL ? a == b : strcmp(a, b) == 0);
}

/* Does child k hold most of the running text of node i? Beside it columns of
 * links, and of more links than it has itself, do not count. */
static bool holds_most(const struct dom *d, uint32_t i, uint32_t k)
{
    const struct node *it = &d->nodes[k], *x;
    float all = d->nodes[i].score;

    for (uint32_t n = i + 1; n < d->nodes[i].end; n = x->end) {
        x = &d->nodes[n];
        if (!x->dropped && !is_part(d, n) && !is_like(x, it) &&
            x->linked * 4ull > x->text &&
            (uint64_t)x->linked * it->text > (uint64_t)it->linked * x->text)
            all -= x->score;
    }
    return it->score * 100 >= all * DESCEND_SHARE;
}

/* Is child k of node i one of several parts alike, each below a heading of one
 * level: one like it stands behind an earlier heading? */
static bool is_part_among(const struct dom *d, uint32_t i, uint32_t k)
{
    uint32_t last = 0;
    bool several = false, alike = false;

    for (uint32_t n = i + 1; n < k; n = d->nodes[n].end) {
        const struct node *x = &d->nodes[n];

        if (x->dropped || x->text == 0)
            continue;
        alike = alike || (last > 0 && x->tag == d->nodes[k].tag);
        if (!dom_is_heading(x) || x->tag == TAG_H1 || is_linked(x))
            continue;
        several = last > 0 && d->nodes[last].tag == x->tag;
        last = n;
    }
    return several && alike;
}

/* From node i down while one child holds most of its running text. */
static uint32_t descend(const struct dom *d, uint32_t i)
{
    for (;;) {
        uint32_t k = best_child(d, i);

        if (k == i || !d->nodes[k].block || is_part(d, k) ||
            !holds_most(d, i, k) || is_section(d, k, false) ||
            is_part_among(d, i, k))
            return i;
        i = k;
    }
}

/* An element that says it is the main text and holds most of it: the first
 * one, else one of more text, or one inside it of half its text. */
static uint32_t declared_main(const struct dom *d, uint32_t body)
{
    uint32_t best = body;

    for (uint32_t i = body + 1; i < d->nodes[body].end; i++) {
        const struct node *x = &d->nodes[i];

        if (x->dropped) {
            i = x->end - 1;
            continue;
        }
        if (x->tag != TAG_MAIN && x->tag != TAG_ARTICLE &&
            !dom_attr_is(x, "role", "main") &&
            !dom_attr_is(x, "itemprop", "articleBody"))
            continue;
        if (best == body ? x->score > d->nodes[body].score * 0.3f
                         : x->score > d->nodes[best].score ||
                               (i < d->nodes[best].end &&
                                x->score > d->nodes[best].score * 0.5f))
            best = i;
    }
    return best;
}

static void keep_range(struct dom *d, uint32_t i)
{
    for (uint32_t k = i; k < d->nodes[i].end; k++)
        d->nodes[k].keep = true;
}

/* The topmost node whose text in front of root may be the article's lead:
 * an <article> or <main> around it, else from the last h1 before it on. */
static uint32_t lead_start(const struct dom *d, uint32_t body, uint32_t root)
{
    uint32_t start = root, h1 = root;

    for (uint32_t i = root; i != body && i != 0; i = d->nodes[i].parent)
        if (d->nodes[i].tag == TAG_ARTICLE)
            start = i;
    for (uint32_t i = body; i < root; i++) {
        if (d->nodes[i].dropped)
            i = d->nodes[i].end - 1;
        else if (d->nodes[i].tag == TAG_H1)
            h1 = i;
    }
    return h1 < start ? h1 : start;
}

/* One sentence behind the title, in short. */
static bool is_short_lead(const struct dom *d, uint32_t i)
{
    enum { LOOKED_AT_MAX = 20 };
    const struct node *x = &d->nodes[i];
    uint32_t k = i;
    struct str s;

    if (x->tag != TAG_P || x->text < SHORT_CHARS || x->end != i + 2 ||
        !d->nodes[i + 1].is_text)
        return false;
    while (k > x->parent && i - k < LOOKED_AT_MAX && d->nodes[k].tag != TAG_H1)
        k--;
    s = str_trim(str_of(d->nodes[i + 1].data));
    return d->nodes[k].tag == TAG_H1 && s.n > 0 && s.p[s.n - 1] == '.';
}

/* Paragraphs between the title and the chosen subtree. */
static void keep_lead(struct dom *d, uint32_t body, uint32_t root)
{
    bool headed = false; /* a heading of its own stands in front */

    for (uint32_t i = lead_start(d, body, root); i < root; i++) {
        struct node *x = &d->nodes[i];

        if (x->dropped) {
            i = x->end - 1;
            continue;
        }
        if (dom_is_heading(x))
            headed = x->tag != TAG_H1;
        if (x->end > root || !x->block || x->holds_block ||
            (x->text <
                 (headed && x->tag == TAG_P ? HEADED_CHARS : LEAD_CHARS) &&
             !is_short_lead(d, i)) ||
            x->linked * 5 > x->text || x->tag == TAG_H1)
            continue;
        keep_range(d, i);
        i = x->end - 1;
    }
}

/* How much is taken away before the choice; each level less than the one
 * before. */
enum level { BY_NAME, BY_TAG, BY_NOTHING, WITH_NOSCRIPT, LEVELS };

/* Choose the main text at one level of strictness; its running text. */
static float mark_at(struct dom *d, enum level level)
{
    uint32_t body = dom_find(d, 0, TAG_BODY), root;

    for (uint32_t i = 0; i < d->count; i++) {
        d->nodes[i].dropped = d->nodes[i].keep = false;
        d->nodes[i].sections = 0;
    }
    if (body >= d->count)
        body = 0;
    drop_where(d, level == WITH_NOSCRIPT ? drop_unreadable
                  : level == BY_NOTHING  ? drop_unscripted
                                         : drop_by_tag);
    measure(d);
    if (level == BY_NAME) {
        drop_where(d, drop_by_name);
        measure(d);
    }
    score_paragraphs(d);
    root = descend(d, declared_main(d, body));
    keep_range(d, root);
    html_links_prune(d, root);
    keep_lead(d, body, root);
    return d->nodes[root].score;
}

/* Everything but menus and the like: for pages without running text. */
static void keep_all(struct dom *d)
{
    for (uint32_t i = 0; i < d->count; i++) {
        d->nodes[i].dropped = false;
        d->nodes[i].keep = true;
    }
    drop_where(d, drop_by_tag);
    measure(d);
    drop_where(d, drop_by_name);
}

/* The linked text of a page that is links in the main, by name; 0 of others. */
static uint32_t index_links(const struct dom *d)
{
    uint32_t links = d->nodes[0].linked;

    return links > INDEX_CHARS && links * 2ull > d->nodes[0].text ? links : 0;
}

void html_main_keep(struct dom *d)
{
    for (uint32_t i = 0; i < d->count; i++) {
        if (d->nodes[i].is_text)
            measure_text(&d->nodes[i]);
        d->nodes[i].dropped = false;
        d->nodes[i].keep = true;
    }
    drop_where(d, drop_unscripted);
    measure(d);
}

void html_main_mark(struct dom *d)
{
    float best = 0;
    uint32_t links = 0;
    enum level chosen = BY_NAME, marked = BY_NAME;

    for (uint32_t i = 0; i < d->count; i++)
        if (d->nodes[i].is_text)
            measure_text(&d->nodes[i]);
    headings_name(d);
    for (int level = BY_NAME; level < LEVELS && best < ENOUGH_CHARS; level++) {
        float score = mark_at(d, marked = (enum level)level);

        if (score > best * 3) {
            best = score;
            chosen = marked;
        }
        if (level == BY_NAME && best < ENOUGH_CHARS)
            links = index_links(d);
    }
    if (best < FEW_CHARS || best < (float)links)
        keep_all(d);
    else if (chosen != marked)
        mark_at(d, chosen);
}
