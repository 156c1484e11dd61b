/* Multipart forms; see form.h. */
#include "web/form.h"

#include <string.h>

enum { BOUNDARY_MAX = 70, HEADERS_BYTES = 4096 };

/* What is left to read, and what it is cut by: CR LF "--" boundary. */
struct cut {
    struct str rest;
    char by[BOUNDARY_MAX + 5];
    size_t by_len;
};

static struct str after(struct str s, size_t n)
{
    return (struct str){s.p + n, s.n - n};
}

static bool begins(struct str s, const char *with)
{
    return s.n >= strlen(with) && ascii_starts_i(s.p, with);
}

/* The value of "; name=value" or "; name="value"" in a header's value. A
 * quotation mark in it comes as \" or %22 and stays so. */
static struct str parameter(struct str v, const char *name)
{
    const struct str none = {v.p, 0};

    while (v.n > 0) {
        const char *semicolon = memchr(v.p, ';', v.n);
        bool quoted;
        size_t n = 0;

        if (semicolon == NULL)
            return none;
        v = str_trim(after(v, (size_t)(semicolon - v.p) + 1));
        if (!begins(v, name) || v.n == strlen(name) ||
            v.p[strlen(name)] != '=') {
            /* Over a value in which a semicolon may stand. */
            while (n < v.n && v.p[n] != ';' && v.p[n] != '"')
                n++;
            if (n < v.n && v.p[n] == '"')
                for (n++; n < v.n && v.p[n] != '"'; n++)
                    n += v.p[n] == '\\' && n + 1 < v.n;
            v = after(v, n);
            continue;
        }
        v = after(v, strlen(name) + 1);
        quoted = v.n > 0 && *v.p == '"';
        if (quoted)
            v = after(v, 1);
        while (n < v.n && v.p[n] != (quoted ? '"' : ';'))
            n += quoted && v.p[n] == '\\' && n + 1 < v.n ? 2 : 1;
        if (quoted)
            return n < v.n ? (struct str){v.p, n} : none;
        return str_trim((struct str){v.p, n});
    }
    return none;
}

bool form_is(const char *content_type)
{
    struct str s;

    if (content_type == NULL)
        return false;
    s = (struct str){content_type, strcspn(content_type, ";")};
    return str_ieq(str_trim(s), "multipart/form-data");
}

static enum err set_boundary(struct cut *c, const char *content_type,
                             struct errctx *ec)
{
    struct str b = parameter(str_of(content_type), "boundary");

    if (b.n == 0 || b.n > BOUNDARY_MAX)
        return err_set(ec, ERR_MALFORMED,
                       "The form's Content-Type names no boundary.");
    memcpy(c->by, "\r\n--", 4);
    memcpy(c->by + 4, b.p, b.n);
    c->by_len = 4 + b.n;
    return ERR_OK;
}

static const char *find_cut(const struct cut *c)
{
    return memmem(c->rest.p, c->rest.n, c->by, c->by_len);
}

/* What ends a line of a boundary: true when another part follows. */
static bool next_part(struct cut *c, bool *whole)
{
    size_t n = 0;

    *whole = begins(c->rest, "--");
    while (n < c->rest.n && (c->rest.p[n] == ' ' || c->rest.p[n] == '\t'))
        n++;
    c->rest = after(c->rest, n);
    if (*whole || !begins(c->rest, "\r\n"))
        return false;
    c->rest = after(c->rest, 2);
    return true;
}

static enum err read_header(struct str line, struct form_part *out,
                            struct errctx *ec)
{
    const char *colon = memchr(line.p, ':', line.n);
    struct str name, value;

    if (colon == NULL)
        return err_set(ec, ERR_MALFORMED,
                       "A header of one of the form's parts has no colon.");
    name = (struct str){line.p, (size_t)(colon - line.p)};
    value = str_trim(after(line, name.n + 1));
    if (str_ieq(name, "content-disposition")) {
        out->name = parameter(value, "name");
        out->file = parameter(value, "filename");
    } else if (str_ieq(name, "content-type")) {
        out->type = value;
    } else if (str_ieq(name, "content-transfer-encoding") &&
               !str_ieq(value, "binary") && !str_ieq(value, "8bit") &&
               !str_ieq(value, "7bit")) {
        return err_set(ec, ERR_MALFORMED,
                       "The form's parts must come as they are, without a "
                       "Content-Transfer-Encoding.");
    }
    return ERR_OK;
}

static enum err read_headers(struct cut *c, struct form_part *out,
                             struct errctx *ec)
{
    size_t left = HEADERS_BYTES;
    enum err e = ERR_OK;

    while (e == ERR_OK) {
        size_t look = c->rest.n < left ? c->rest.n : left;
        const char *end = memmem(c->rest.p, look, "\r\n", 2);
        struct str line;

        if (end == NULL)
            return look < left ? err_set(ec, ERR_MALFORMED,
                                         "The form ends within a part's "
                                         "headers.")
                               : err_set(ec, ERR_TOO_LARGE,
                                         "A part of the form has more than "
                                         "%d bytes of headers.",
                                         HEADERS_BYTES);
        line = (struct str){c->rest.p, (size_t)(end - c->rest.p)};
        c->rest = after(c->rest, line.n + 2);
        left -= line.n + 2;
        if (line.n == 0)
            return ERR_OK;
        e = read_header(line, out, ec);
    }
    return e;
}

static enum err read_part(struct cut *c, struct form *f, struct errctx *ec)
{
    const struct str none = {c->rest.p, 0};
    struct form_part p = {.name = none, .file = none, .type = none};
    const char *end;
    enum err e = read_headers(c, &p, ec);

    if (e != ERR_OK)
        return e;
    /* A part without a byte ends with the line break of its headers. */
    c->rest = (struct str){c->rest.p - 2, c->rest.n + 2};
    end = find_cut(c);
    if (end == NULL)
        return err_set(ec, ERR_MALFORMED,
                       "The form does not end with its boundary.");
    if (end > c->rest.p)
        p.body = (struct str){c->rest.p + 2, (size_t)(end - c->rest.p) - 2};
    else
        p.body = (struct str){c->rest.p, 0};
    c->rest = after(c->rest, (size_t)(end - c->rest.p) + c->by_len);
    if (p.name.n == 0)
        return err_set(ec, ERR_MALFORMED,
                       "A part of the form has no name in its "
                       "Content-Disposition.");
    for (size_t i = 0; i < f->count; i++)
        if (f->part[i].name.n == p.name.n &&
            memcmp(f->part[i].name.p, p.name.p, p.name.n) == 0)
            return err_set(ec, ERR_MALFORMED,
                           "The form has two parts of the name \"%.*s\".",
                           (int)(p.name.n < 40 ? p.name.n : 40), p.name.p);
    if (f->count == FORM_PARTS_MAX)
        return err_set(ec, ERR_TOO_LARGE, "The form has more than %d parts.",
                       FORM_PARTS_MAX);
    f->part[f->count++] = p;
    return ERR_OK;
}

enum err form_parse(const char *content_type, const char *p, size_t n,
                    struct form *out, struct errctx *ec)
{
    struct cut c = {.rest = {p, n}};
    struct form f = {.count = 0};
    bool whole = false;
    const char *first;
    enum err e = set_boundary(&c, content_type, ec);

    if (e != ERR_OK)
        return e;
    if (n >= c.by_len - 2 && memcmp(p, c.by + 2, c.by_len - 2) == 0) {
        c.rest = after(c.rest, c.by_len - 2);
    } else if ((first = find_cut(&c)) != NULL) { /* a preamble */
        c.rest = after(c.rest, (size_t)(first - p) + c.by_len);
    } else {
        return err_set(ec, ERR_MALFORMED,
                       "The boundary that the form's Content-Type names does "
                       "not stand in it.");
    }
    while (e == ERR_OK && next_part(&c, &whole))
        e = read_part(&c, &f, ec);
    if (e == ERR_OK && !whole)
        e = err_set(ec, ERR_MALFORMED,
                    "The form does not end with its boundary.");
    if (e == ERR_OK)
        *out = f;
    return e;
}

const struct form_part *form_find(const struct form *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++)
        if (str_eq(f->part[i].name, name))
            return &f->part[i];
    return NULL;
}
