/* The tokenizer; see html_token.h. */
#include "text/html_token.h"

#include "text/char_ref.h"

#include <string.h>

/* Attributes that somebody asks for, or that decide about the tree. */
static const char *const kept[] = {
    "alt",      "aria-labelledby", "class",         "color",
    "colspan",  "content",         "data-lazy-src", "data-original",
    "data-src", "datetime",        "encoding",      "face",
    "height",   "hidden",          "href",          "http-equiv",
    "id",       "itemprop",        "itemtype",      "lang",
    "name",     "property",        "pubdate",       "rel",
    "role",     "rowspan",         "size",          "start",
    "src",      "style",           "title",         "type",
    "width",    "xml:lang"};

_Static_assert(sizeof kept / sizeof *kept <= ATTRS_MAX, "room for each");

static const char *kept_name(const char *p, size_t n)
{
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (ascii_lower(p[0]) == kept[i][0] &&
            str_ieq((struct str){p, n}, kept[i]))
            return kept[i];
    return NULL;
}

static bool ends_name(char c)
{
    return c == '>' || c == '/' || ascii_is_space(c);
}

/* The offset of c from at on; n if there is none. */
static size_t find(const struct html_tokens *t, size_t at, char c)
{
    const char *found = at < t->n ? memchr(t->p + at, c, t->n - at) : NULL;

    return found == NULL ? t->n : (size_t)(found - t->p);
}

static size_t find_text(const struct html_tokens *t, size_t at, const char *z)
{
    const char *found = at < t->n ? mem_find(t->p + at, t->n - at, z) : NULL;

    return found == NULL ? t->n : (size_t)(found - t->p);
}

/* --- what is passed over ----------------------------------------------- */

/* Behind the comment whose "<!--" ends at at. */
static size_t skip_comment(const struct html_tokens *t, size_t at)
{
    const char *p = t->p + at;

    if (at < t->n && p[0] == '>')
        return at + 1;
    if (at + 1 < t->n && p[0] == '-' && p[1] == '>')
        return at + 2;
    while ((at = find_text(t, at, "--")) < t->n) {
        if (at + 2 < t->n && t->p[at + 2] == '>')
            return at + 3;
        if (at + 3 < t->n && t->p[at + 2] == '!' && t->p[at + 3] == '>')
            return at + 4;
        at++;
    }
    return t->n;
}

/* Is the document type p[0..n) one of old pages, in which a table stays in
 * its paragraph? The commoner ones of section 13.2.6.4.1. */
static bool is_old_type(const char *p, size_t n)
{
    static const char *const old[] = {"//ietf//dtd html", "//w3c//dtd html 3",
                                      "dtd html 4.0 transitional",
                                      "dtd html 4.0 frameset"};
    static const char *const half[] = {"dtd html 4.01 transitional",
                                       "dtd html 4.01 frameset"};

    while (n > 0 && ascii_is_space(p[0])) {
        p++;
        n--;
    }
    if (n < 4 || ascii_lower(p[0]) != 'h' || ascii_lower(p[3]) != 'l' ||
        (n > 4 && !ascii_is_space(p[4])))
        return true;
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        if (mem_find_i(p, n, old[i]) != NULL)
            return true;
    for (size_t i = 0; i < sizeof half / sizeof *half; i++)
        if (mem_find_i(p, n, half[i]) != NULL)
            return mem_find_i(p, n, "http:") == NULL;
    return false;
}

/* Behind the markup at "<!", "<?" or "</" that is no tag. */
static size_t skip_declaration(struct html_tokens *t, size_t at)
{
    const char *p = t->p + at;
    size_t left = t->n - at, end;

    if (left >= 4 && memcmp(p, "<!--", 4) == 0)
        return skip_comment(t, at + 4);
    if (left >= 9 && memcmp(p, "<![CDATA[", 9) == 0 && t->foreign) {
        end = find_text(t, at + 9, "]]>");
        return end == t->n ? end : end + 3;
    }
    end = find(t, at + 2, '>');
    if (left >= 9 && p[1] == '!' &&
        str_ieq((struct str){p + 2, 7}, "doctype")) {
        t->quirks = is_old_type(p + 9, end - at - 9);
        t->doctype = true;
    }
    return end == t->n ? end : end + 1;
}

/* --- tags -------------------------------------------------------------- */

/* Where the value at at ends; its quotes go to *quoted. */
static size_t value_end(const struct html_tokens *t, size_t at, bool *quoted)
{
    char c = t->p[at];

    *quoted = c == '"' || c == '\'';
    if (*quoted)
        return find(t, at + 1, c);
    while (at < t->n && t->p[at] != '>' && !ascii_is_space(t->p[at]))
        at++;
    return at;
}

static void add_attr(struct token *out, const char *name, char *value,
                     size_t len)
{
    for (size_t i = 0; i < out->attr_count; i++)
        if (out->attrs[i].name == name)
            return;
    out->attrs[out->attr_count++] = (struct attr){name, value, len};
}

static size_t skip_space(const struct html_tokens *t, size_t at)
{
    while (at < t->n && ascii_is_space(t->p[at]))
        at++;
    return at;
}

/* One attribute from at on; where it ends. */
static size_t read_attr(struct html_tokens *t, size_t at, struct token *out)
{
    size_t from = at++; /* a leading '=' belongs to the name */
    size_t name_end, end;
    const char *name;
    bool quoted;

    while (at < t->n && !ends_name(t->p[at]) && t->p[at] != '=')
        at++;
    name_end = at;
    name = out->kind == TOKEN_OPEN ? kept_name(t->p + from, at - from) : NULL;
    end = skip_space(t, at);
    if (end >= t->n || t->p[end] != '=') {
        if (name != NULL)
            add_attr(out, name, t->p + name_end, 0);
        return name_end;
    }
    at = skip_space(t, end + 1);
    if (at >= t->n || t->p[at] == '>') {
        if (name != NULL)
            add_attr(out, name, t->p + end, 0);
        return at;
    }
    end = value_end(t, at, &quoted);
    if (name != NULL)
        add_attr(out, name, t->p + at + quoted, end - at - quoted);
    return end + (quoted && end < t->n);
}

/* Values are closed when the tag is read: what ends one may begin the next. */
static void close_values(struct token *out)
{
    for (size_t i = 0; i < out->attr_count; i++) {
        struct attr *attr = &out->attrs[i];
        char *z = attr->value;

        if (attr->len > 0)
            attr->len = char_refs_decode(z, attr->len, true);
        z[attr->len] = '\0';
    }
}

/* The tag at t->at; false when the text ends in it. */
static bool read_tag(struct html_tokens *t, struct token *out)
{
    size_t at = t->at + 1, from, end;

    out->kind = TOKEN_OPEN;
    if (t->p[at] == '/') {
        out->kind = TOKEN_CLOSE;
        at++;
    }
    from = at;
    while (at < t->n && !ends_name(t->p[at])) {
        t->p[at] = ascii_lower(t->p[at]);
        at++;
    }
    end = at;
    out->tag = tag_find(t->p + from, end - from);
    while (at < t->n && t->p[at] != '>') {
        out->closed = t->p[at] == '/';
        if (out->closed || ascii_is_space(t->p[at]))
            at++;
        else
            at = read_attr(t, at, out);
    }
    t->at = at + (at < t->n);
    if (at >= t->n)
        return false;
    close_values(out);
    t->p[end] = '\0';
    out->name = t->p + from;
    return true;
}

/* Does a tag begin at p[at], a '<'? */
static bool is_tag_at(const struct html_tokens *t, size_t at)
{
    size_t name = at + 1 + (at + 1 < t->n && t->p[at + 1] == '/');

    return name < t->n && ascii_is_alpha(t->p[name]);
}

/* --- text -------------------------------------------------------------- */

/* Line ends to "\n", control characters to blanks, NUL to nothing; the new
 * length. */
static size_t clean_text(char *p, size_t n)
{
    size_t len = 0;
    unsigned odd = 0;

    for (size_t i = 0; i < n; i++)
        odd += (unsigned char)p[i] < ' ' && p[i] != '\n' && p[i] != '\t';
    if (odd == 0)
        return n;
    for (size_t i = 0; i < n; i++) {
        char c = p[i];

        if (c == '\r' && i + 1 < n && p[i + 1] == '\n')
            continue;
        if (c == '\r')
            c = '\n';
        else if ((unsigned char)c < ' ' && !ascii_is_space(c) && c != '\0')
            c = ' ';
        if (c != '\0')
            p[len++] = c;
    }
    return len;
}

/* The text up to the next tag, without the comments in it. */
static void read_text(struct html_tokens *t, struct token *out)
{
    size_t from = t->at, len = 0, at = from;

    while (at < t->n) {
        size_t lt = find(t, at, '<');
        bool markup =
            lt + 1 < t->n &&
            (t->p[lt + 1] == '!' || t->p[lt + 1] == '?' || t->p[lt + 1] == '/');
        size_t piece;

        t->at_tag = lt < t->n && is_tag_at(t, lt);
        if (markup && lt + 2 >= t->n && t->p[lt + 1] == '/')
            markup = false;
        piece = lt + (lt < t->n && !t->at_tag && !markup) - at;
        if (len > 0 || at > from)
            memmove(t->p + from + len, t->p + at, piece);
        len += piece;
        at += piece;
        if (t->at_tag)
            break;
        if (markup)
            at = skip_declaration(t, at);
    }
    t->at = at;
    len = clean_text(t->p + from, len);
    out->text = t->p + from;
    out->len = char_refs_decode(out->text, len, false);
    out->text[out->len] = '\0'; /* where the tag began, at the latest */
}

void html_token_next(struct html_tokens *t, struct token *out)
{
    out->kind = TOKEN_END;
    out->closed = false;
    out->attr_count = 0;
    if (!t->at_tag && t->at < t->n) {
        read_text(t, out);
        if (out->len > 0) {
            out->kind = TOKEN_TEXT;
            return;
        }
    }
    if (!t->at_tag)
        return;
    t->at_tag = false;
    if (!read_tag(t, out))
        out->kind = TOKEN_END;
}

/* Does p[at..] go on with z, ASCII case ignored, and then end a name? */
static bool is_name_at(const struct html_tokens *t, size_t at, const char *z)
{
    size_t n = strlen(z);

    return at + n < t->n && str_ieq((struct str){t->p + at, n}, z) &&
           ends_name(t->p[at + n]);
}

/* Where the script's end tag begins. A comment in it may hold scripts of its
 * own, which end first. */
static size_t script_end(const struct html_tokens *t)
{
    size_t at = t->at, dashes = 0, lt;
    bool comment = false, inner = false;

    while ((lt = find(t, at, '<')) < t->n) {
        if (comment && dashes < at)
            dashes = find_text(t, at, "-->");
        if (comment && dashes < lt) {
            comment = inner = false;
            at = dashes + 3;
            continue;
        }
        at = lt + 1;
        if (!comment && t->n - lt >= 4 && memcmp(t->p + lt, "<!--", 4) == 0) {
            comment = true;
            at = lt + 2; /* "<!-->" is a whole one */
            dashes = 0;
        } else if (is_name_at(t, at, "/script")) {
            if (!inner)
                return lt;
            inner = false;
        } else if (comment && is_name_at(t, at, "script")) {
            inner = true;
        }
    }
    return t->n;
}

/* Where the end tag of the element that holds text only begins. */
static size_t raw_end(const struct html_tokens *t, enum tag tag)
{
    const char *name = tag_name(tag);
    size_t at = t->at;

    if (tag == TAG_PLAINTEXT)
        return t->n;
    if (tag == TAG_SCRIPT)
        return script_end(t);
    while ((at = find(t, at, '<')) < t->n) {
        at++;
        if (at < t->n && t->p[at] == '/' && is_name_at(t, at + 1, name))
            return at - 1;
    }
    return t->n;
}

/* Is a tag next, and no comment, as behind an element that is empty? */
static bool is_tag_next(const struct html_tokens *t)
{
    size_t at = skip_space(t, t->at);

    return at < t->n && t->p[at] == '<' && t->p[at + 1] != '!';
}

char *html_token_raw(struct html_tokens *t, const struct token *open,
                     size_t *len)
{
    enum tag tag = open->tag;
    size_t from = t->at, end;
    struct token closing;

    *len = 0;
    if (open->closed && is_tag_next(t))
        return t->p + t->n; /* "" */
    t->at = end = raw_end(t, tag);
    if (end < t->n) {
        closing.attr_count = 0;
        (void)read_tag(t, &closing);
    }
    *len = clean_text(t->p + from, end - from);
    if (tag == TAG_TITLE || tag == TAG_TEXTAREA)
        *len = char_refs_decode(t->p + from, *len, false);
    t->p[from + *len] = '\0';
    return t->p + from;
}
