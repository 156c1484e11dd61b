/*
 * The guard scan; see html_guard.h. It follows start and end tags with a
 * simplified form of the tree builder's stack of open elements (WHATWG HTML,
 * section 13.2.6): never much shallower than the real one, and deeper only
 * for markup nobody writes.
 */
#include "text/html_guard.h"

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    KNOWN_NAME_MAX = 13,         /* foreignobject */
    STEPS_MAX = 60 * 1000 * 1000 /* of all walks up the stack together */
};

/* What kind of element a name is, as far as the stack goes. */
enum group {
    G_OTHER,   /* closed by its own end tag only */
    G_VOID,    /* never on the stack */
    G_IMPLIED, /* closes itself at the next one of its kind */
    G_SPECIAL, /* blocks */
    G_FORMAT,  /* <b> and its like: closing one leaves what is inside */
    G_CELL,    /* parts of a table: closes down to the table */
    G_SCOPE,   /* a border for end tags of blocks */
    G_RAW,     /* content is text */
    G_FOREIGN, /* svg, math */
    G_ISLAND   /* HTML inside foreign content */
};

struct known {
    const char *name;
    enum group group;
};

/* In strcmp order. */
static const struct known names[] = {
    {"a", G_FORMAT},
    {"address", G_SPECIAL},
    {"applet", G_SCOPE},
    {"area", G_VOID},
    {"article", G_SPECIAL},
    {"aside", G_SPECIAL},
    {"b", G_FORMAT},
    {"base", G_VOID},
    {"big", G_FORMAT},
    {"blockquote", G_SPECIAL},
    {"body", G_VOID},
    {"br", G_VOID},
    {"button", G_SCOPE},
    {"caption", G_CELL},
    {"center", G_SPECIAL},
    {"code", G_FORMAT},
    {"col", G_VOID},
    {"colgroup", G_CELL},
    {"dd", G_IMPLIED},
    {"desc", G_ISLAND},
    {"details", G_SPECIAL},
    {"dir", G_SPECIAL},
    {"div", G_SPECIAL},
    {"dl", G_SPECIAL},
    {"dt", G_IMPLIED},
    {"em", G_FORMAT},
    {"embed", G_VOID},
    {"fieldset", G_SPECIAL},
    {"figcaption", G_SPECIAL},
    {"figure", G_SPECIAL},
    {"font", G_FORMAT},
    {"footer", G_SPECIAL},
    {"foreignobject", G_ISLAND},
    {"form", G_SPECIAL},
    {"h1", G_SPECIAL},
    {"h2", G_SPECIAL},
    {"h3", G_SPECIAL},
    {"h4", G_SPECIAL},
    {"h5", G_SPECIAL},
    {"h6", G_SPECIAL},
    {"head", G_VOID},
    {"header", G_SPECIAL},
    {"hgroup", G_SPECIAL},
    {"hr", G_VOID},
    {"html", G_VOID},
    {"i", G_FORMAT},
    {"iframe", G_RAW},
    {"image", G_VOID},
    {"img", G_VOID},
    {"input", G_VOID},
    {"keygen", G_VOID},
    {"li", G_IMPLIED},
    {"link", G_VOID},
    {"listing", G_SPECIAL},
    {"main", G_SPECIAL},
    {"marquee", G_SCOPE},
    {"math", G_FOREIGN},
    {"menu", G_SPECIAL},
    {"meta", G_VOID},
    {"nav", G_SPECIAL},
    {"nobr", G_FORMAT},
    {"noembed", G_RAW},
    {"noframes", G_RAW},
    {"object", G_SCOPE},
    {"ol", G_SPECIAL},
    {"optgroup", G_IMPLIED},
    {"option", G_IMPLIED},
    {"p", G_IMPLIED},
    {"param", G_VOID},
    {"pre", G_SPECIAL},
    {"rp", G_IMPLIED},
    {"rt", G_IMPLIED},
    {"s", G_FORMAT},
    {"script", G_RAW},
    {"section", G_SPECIAL},
    {"small", G_FORMAT},
    {"source", G_VOID},
    {"strike", G_FORMAT},
    {"strong", G_FORMAT},
    {"style", G_RAW},
    {"summary", G_SPECIAL},
    {"svg", G_FOREIGN},
    {"table", G_SCOPE},
    {"tbody", G_CELL},
    {"td", G_CELL},
    {"template", G_SCOPE},
    {"textarea", G_RAW},
    {"tfoot", G_CELL},
    {"th", G_CELL},
    {"thead", G_CELL},
    {"title", G_RAW},
    {"tr", G_CELL},
    {"track", G_VOID},
    {"tt", G_FORMAT},
    {"u", G_FORMAT},
    {"ul", G_SPECIAL},
    {"wbr", G_VOID},
    {"xmp", G_RAW},
};

struct open {
    struct str name; /* in the source, any case */
    enum group group;
    bool foreign;
};

struct guard {
    const char *p;
    size_t n, at;
    struct open stack[HTML_DEPTH_MAX];
    size_t depth;
    size_t steps;
    char *out;
    size_t out_len, copied; /* bytes of p that are in out, or left out */
    size_t pre;             /* open elements whose white space counts */
    bool no_svg;            /* one that never ends was met */
    struct errctx *ec;
};

static bool same_name(struct str a, struct str b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if (ascii_lower(a.p[i]) != ascii_lower(b.p[i]))
            return false;
    return true;
}

static enum group group_of(struct str name)
{
    char z[KNOWN_NAME_MAX + 1] = {0};
    size_t lo = 0, hi = sizeof names / sizeof names[0];

    if (name.n > KNOWN_NAME_MAX)
        return G_OTHER;
    for (size_t i = 0; i < name.n; i++)
        z[i] = ascii_lower(name.p[i]);
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int c = strcmp(z, names[mid].name);

        if (c == 0)
            return names[mid].group;
        if (c < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return G_OTHER;
}

static bool in_foreign(const struct guard *g)
{
    return g->depth > 0 && g->stack[g->depth - 1].foreign &&
           g->stack[g->depth - 1].group != G_ISLAND;
}

static struct str read_name(struct guard *g)
{
    struct str name = {g->p + g->at, 0};

    while (g->at < g->n && !ascii_is_space(g->p[g->at]) && g->p[g->at] != '/' &&
           g->p[g->at] != '>')
        g->at++;
    name.n = (size_t)(g->p + g->at - name.p);
    return name;
}

/* Leave out p[from..to). */
static void cut(struct guard *g, size_t from, size_t to)
{
    memcpy(g->out + g->out_len, g->p + g->copied, from - g->copied);
    g->out_len += from - g->copied;
    g->copied = to;
}

/* Is it an attribute that somebody asks for, or that decides about the tree?
 */
static bool is_kept_attribute(const char *p, size_t n)
{
    static const char *const kept[] = {
        "alt",      "class",         "color",         "colspan",
        "content",  "data-lazy-src", "data-original", "data-src",
        "datetime", "encoding",      "face",          "height",
        "hidden",   "href",          "http-equiv",    "id",
        "itemprop", "itemtype",      "lang",          "name",
        "property", "pubdate",       "rel",           "role",
        "size",     "src",           "style",         "title",
        "type",     "width",         "xml:lang"};

    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (ascii_lower(p[0]) == kept[i][0] &&
            str_ieq((struct str){p, n}, kept[i]))
            return true;
    return false;
}

static void skip_value(struct guard *g)
{
    char quote = g->at < g->n ? g->p[g->at] : '\0';

    if (quote == '"' || quote == '\'') {
        const char *end = memchr(g->p + g->at + 1, quote, g->n - g->at - 1);

        g->at = end == NULL ? g->n : (size_t)(end - g->p) + 1;
        return;
    }
    while (g->at < g->n && !ascii_is_space(g->p[g->at]) && g->p[g->at] != '>')
        g->at++;
}

/* Behind the tag's '>'; counts attributes, and leaves out those that nobody
 * asks for (trim). *closed: it ended with "/>". */
static size_t skip_attributes(struct guard *g, bool trim, bool *closed)
{
    size_t count = 0, from, len;

    *closed = false;
    while (g->at < g->n && g->p[g->at] != '>') {
        char c = g->p[g->at];

        *closed = c == '/';
        if (c == '/' || ascii_is_space(c)) {
            g->at++;
            continue;
        }
        count++;
        from = g->at++; /* a leading '=' belongs to the name */
        while (g->at < g->n && !ascii_is_space(g->p[g->at]) &&
               g->p[g->at] != '/' && g->p[g->at] != '>' && g->p[g->at] != '=')
            g->at++;
        len = g->at - from;
        while (g->at < g->n && ascii_is_space(g->p[g->at]))
            g->at++;
        if (g->at < g->n && g->p[g->at] == '=') {
            g->at++;
            while (g->at < g->n && ascii_is_space(g->p[g->at]))
                g->at++;
            skip_value(g);
        }
        if (trim && !is_kept_attribute(g->p + from, len))
            cut(g, from, g->at);
    }
    if (g->at < g->n)
        g->at++;
    return count;
}

static void remove_entry(struct guard *g, size_t i)
{
    memmove(&g->stack[i], &g->stack[i + 1],
            (g->depth - i - 1) * sizeof g->stack[0]);
    g->depth--;
}

/* Down to the nearest table, which stays. */
static void close_to_table(struct guard *g)
{
    for (size_t i = g->depth; i > 0; i--) {
        g->steps++;
        if (str_ieq(g->stack[i - 1].name, "table")) {
            g->depth = i;
            return;
        }
    }
}

/* An element of HTML met inside svg or math ends that content. */
static void leave_foreign(struct guard *g)
{
    while (in_foreign(g)) {
        g->depth--;
        g->steps++;
    }
}

static bool is_heading(struct str name)
{
    return name.n == 2 && ascii_lower(name.p[0]) == 'h' && name.p[1] >= '1' &&
           name.p[1] <= '6';
}

static void end_tag(struct guard *g, struct str name, enum group group)
{
    bool block = group == G_SPECIAL || group == G_SCOPE;

    if (group == G_CELL) {
        close_to_table(g);
        return;
    }
    if (group == G_VOID || group == G_IMPLIED)
        return;
    for (size_t i = g->depth; i > 0; i--) {
        const struct open *o = &g->stack[i - 1];

        g->steps++;
        if (same_name(o->name, name) ||
            (is_heading(name) && is_heading(o->name))) {
            if (group == G_FORMAT)
                remove_entry(g, i - 1);
            else
                g->depth = i - 1;
            return;
        }
        if (o->foreign && !block)
            continue;
        if (o->group == G_SCOPE && !str_ieq(name, "table"))
            return;
        if (o->group == G_SPECIAL && !block && group != G_FORMAT)
            return;
    }
}

/* Elements of HTML that end foreign content where they begin (section
 * 13.2.6.5), and what holds HTML in it. */
static bool leaves_svg(struct str name)
{
    static const char *const plain[] = {"center", "foreignobject", "frame",
                                        "ruby",   "span",          "sub",
                                        "sup",    "var",           "mi"};
    enum group group;

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (str_ieq(name, plain[i]))
            return true;
    group = group_of(name);
    return group != G_OTHER && !(group == G_FORMAT && str_ieq(name, "a")) &&
           group != G_ISLAND && !str_ieq(name, "title") &&
           !str_ieq(name, "style") && !str_ieq(name, "script") &&
           !str_ieq(name, "image") && !str_ieq(name, "svg");
}

/* Behind the end of the <svg> whose start tag was read, where nothing in it
 * is HTML; otherwise false, and nothing has moved. */
static bool skip_svg(struct guard *g)
{
    size_t start = g->at, depth = 1;

    while (!g->no_svg) {
        const char *lt = memchr(g->p + g->at, '<', g->n - g->at);
        bool closed, is_end;
        struct str name;

        if (lt == NULL || lt + 2 >= g->p + g->n) {
            g->no_svg = true;
            break;
        }
        is_end = lt[1] == '/';
        g->at = (size_t)(lt - g->p) + 1 + is_end;
        if (!ascii_is_alpha(g->p[g->at])) {
            if (lt[1] == '!' || is_end)
                break;
            continue;
        }
        name = read_name(g);
        if (leaves_svg(name) ||
            skip_attributes(g, false, &closed) > HTML_ATTRS_MAX)
            break;
        if (!str_ieq(name, "svg") || (closed && !is_end))
            continue;
        depth = is_end ? depth - 1 : depth + 1;
        if (depth == 0)
            return true;
    }
    g->steps += g->at - start; /* what is in it may be tried again */
    g->at = start;
    return false;
}

/* Is the script's type, in its start tag, one of data? Comments that hold
 * scripts are the parser's to judge. */
static bool is_kept_script(const char *tag, size_t tag_len, size_t n)
{
    const char *comment;

    if (mem_find_i(tag, tag_len, "json") != NULL)
        return true;
    comment = mem_find(tag + tag_len, n - tag_len, "<!--");
    return comment != NULL &&
           mem_find_i(comment, (size_t)(tag + n - comment), "<script") != NULL;
}

/* Behind the end tag of raw text. */
static void skip_raw(struct guard *g, struct str name)
{
    size_t len = name.n;

    while (g->at < g->n) {
        const char *lt = memchr(g->p + g->at, '<', g->n - g->at);

        if (lt == NULL) {
            g->at = g->n;
            return;
        }
        g->at = (size_t)(lt - g->p) + 1;
        if (g->n - g->at > len && g->p[g->at] == '/') {
            struct str word = {g->p + g->at + 1, len};

            if (same_name(word, name)) {
                bool closed;

                g->at += 1 + len;
                skip_attributes(g, false, &closed);
                return;
            }
        }
    }
}

static enum err push(struct guard *g, struct str name, enum group group)
{
    struct open *o;
    bool foreign = group == G_FOREIGN || in_foreign(g);

    if (g->depth == HTML_DEPTH_MAX)
        return err_set(g->ec, ERR_TOO_LARGE,
                       "elements nest deeper than %d levels", HTML_DEPTH_MAX);
    o = &g->stack[g->depth++];
    o->name = name;
    o->group = group;
    o->foreign = foreign;
    return ERR_OK;
}

/* Behind raw text whose start tag begins at from. */
static void take_raw(struct guard *g, struct str name, size_t from)
{
    size_t tag = g->at - from;

    skip_raw(g, name);
    if (str_ieq(name, "style") ||
        (str_ieq(name, "script") &&
         !is_kept_script(g->p + from, tag, g->at - from)))
        cut(g, from, g->at);
}

/* The start tag that began at from, one byte before its name. */
static enum err start_tag(struct guard *g, struct str name, enum group group,
                          bool closed, size_t from)
{
    bool foreign;

    if (group != G_OTHER && group != G_FOREIGN && group != G_ISLAND &&
        !(group == G_RAW && in_foreign(g)) &&
        !(group == G_FORMAT && str_ieq(name, "a")))
        leave_foreign(g);
    foreign = in_foreign(g);
    if (!foreign && str_ieq(name, "svg") && (closed || skip_svg(g))) {
        cut(g, from, g->at);
        return ERR_OK;
    }
    if (str_ieq(name, "a") || str_ieq(name, "button") || str_ieq(name, "nobr"))
        end_tag(g, name, G_FORMAT); /* these do not nest */
    if (group == G_CELL)
        close_to_table(g);
    if (group == G_VOID || group == G_IMPLIED || group == G_CELL ||
        (closed && (foreign || group == G_FOREIGN)))
        return ERR_OK;
    if (group == G_RAW && !foreign) {
        take_raw(g, name, from);
        return ERR_OK;
    }
    return push(g, name, group);
}

static enum err tag(struct guard *g, bool is_end)
{
    struct str name;
    bool closed;
    size_t attrs, from = g->at - 1;
    enum group group;

    name = read_name(g);
    attrs =
        skip_attributes(g,
                        !str_ieq(name, "script") && !str_ieq(name, "style") &&
                            !str_ieq(name, "svg"),
                        &closed);
    if (attrs > HTML_ATTRS_MAX)
        return err_set(g->ec, ERR_TOO_LARGE,
                       "an element has more than %d attributes",
                       HTML_ATTRS_MAX);
    group = group_of(name);
    g->steps += g->depth;
    if (str_ieq(name, "pre") || str_ieq(name, "listing") ||
        str_ieq(name, "plaintext"))
        g->pre = is_end ? g->pre - (g->pre > 0) : g->pre + 1;
    if (is_end)
        end_tag(g, name, group);
    else
        return start_tag(g, name, group, closed, from);
    return ERR_OK;
}

/* Behind a comment, a declaration or a processing instruction at "<!"/"<?". */
static void skip_declaration(struct guard *g)
{
    const char *p = g->p + g->at, *end;
    size_t left = g->n - g->at;

    if (left >= 4 && memcmp(p, "<!--", 4) == 0) {
        size_t from = g->at;

        end = left > 4 && p[4] == '>' ? p + 2 : mem_find(p + 4, left - 4, "--");
        while (end != NULL && end + 2 < g->p + g->n && end[2] != '>' &&
               !(end[2] == '!' && end + 3 < g->p + g->n && end[3] == '>'))
            end = mem_find(end + 1, (size_t)(g->p + g->n - end - 1), "--");
        end =
            end == NULL ? NULL : memchr(end, '>', (size_t)(g->p + g->n - end));
        g->at = end == NULL ? g->n : (size_t)(end - g->p) + 1;
        if (!in_foreign(g))
            cut(g, from, g->at);
        return;
    }
    end = memchr(p, '>', left);
    g->at = end == NULL ? g->n : (size_t)(end - g->p) + 1;
}

/* Runs of white space up to p[end] become one each. */
static void fold_text(struct guard *g, size_t end)
{
    for (size_t i = g->at; i + 1 < end; i++) {
        size_t to = i + 1;

        if (!ascii_is_space(g->p[i]))
            continue;
        while (to < end && ascii_is_space(g->p[to]))
            to++;
        if (to > i + 1)
            cut(g, i + 1, to);
        i = to;
    }
}

static enum err scan(struct guard *g)
{
    while (g->at < g->n) {
        const char *lt = memchr(g->p + g->at, '<', g->n - g->at);
        enum err e = ERR_OK;
        char next;

        if (lt == NULL || lt + 1 >= g->p + g->n)
            break;
        if (g->pre == 0)
            fold_text(g, (size_t)(lt - g->p));
        g->at = (size_t)(lt - g->p);
        next = lt[1];
        if (next == '!' || next == '?') {
            skip_declaration(g);
        } else if (next == '/' && g->at + 2 < g->n && ascii_is_alpha(lt[2])) {
            g->at += 2;
            e = tag(g, true);
        } else if (ascii_is_alpha(next)) {
            g->at += 1;
            e = tag(g, false);
        } else {
            g->at += 1;
        }
        if (e != ERR_OK)
            return e;
        if (g->steps > STEPS_MAX)
            return err_set(g->ec, ERR_TOO_LARGE,
                           "too many tags for how deep they nest");
    }
    return ERR_OK;
}

enum err html_guard_cut(const char *p, size_t n, char *out, size_t *len,
                        struct errctx *ec)
{
    struct guard g = {.p = p, .n = n, .out = out, .ec = ec};
    enum err e;

    if (n > HTML_BYTES_MAX)
        return err_set(ec, ERR_TOO_LARGE, "the page is larger than %d MiB",
                       HTML_BYTES_MAX >> 20);
    e = scan(&g);
    cut(&g, n, n);
    *len = g.out_len;
    return e;
}
