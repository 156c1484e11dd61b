/* Bytes to a page of the index; see document.h. */
#include "page/document.h"

#include "base/clock.h"
#include "base/date.h"
#include "base/str.h"
#include "index/page.h"
#include "text/lang.h"
#include "text/marks.h"

#include <string.h>

enum {
    MEDIA_TYPE_MAX = 128,
    CHARSET_MAX = 64,
    SNIFF_BYTES = 1445 /* of the standard's resource header */
};

void document_media_type(const char *content_type, char *out, size_t size)
{
    struct str s = {content_type, strcspn(content_type, ";,")};
    size_t n;

    s = str_trim(s);
    n = s.n < size - 1 ? s.n : size - 1;
    for (size_t i = 0; i < n; i++) {
        char c = ascii_lower(s.p[i]);

        out[i] = ascii_is_alnum(c) || strchr("/.+-_", c) != NULL ? c : '?';
    }
    out[n] = '\0';
}

static bool ends_with_i(const char *z, const char *end)
{
    size_t n = strlen(z), m = strlen(end);

    return n >= m && ascii_casecmp(z + n - m, end) == 0;
}

enum document_type document_type(const char *content_type, const char *path)
{
    static const struct {
        const char *name;
        enum document_type type;
    } types[] = {
        {"text/html", DOCUMENT_HTML},
        {"application/xhtml+xml", DOCUMENT_HTML},
        {"text/markdown", DOCUMENT_MARKDOWN},
        {"text/x-markdown", DOCUMENT_MARKDOWN},
        {"text/plain", DOCUMENT_PLAIN},
        {"application/pdf", DOCUMENT_PDF},
        {"application/x-pdf", DOCUMENT_PDF},
    };
    char name[MEDIA_TYPE_MAX];

    document_media_type(content_type, name, sizeof name);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(name, types[i].name) != 0)
            continue;
        if (types[i].type == DOCUMENT_PLAIN &&
            (ends_with_i(path, ".md") || ends_with_i(path, ".markdown")))
            return DOCUMENT_MARKDOWN;
        return types[i].type;
    }
    return DOCUMENT_OTHER;
}

const char *document_name_type(const char *name)
{
    static const char *const of[][2] = {
        {".html", "text/html"},          {".htm", "text/html"},
        {".xhtml", "text/html"},         {".md", "text/markdown"},
        {".markdown", "text/markdown"},  {".txt", "text/plain"},
        {".text", "text/plain"},         {".rst", "text/plain"},
        {".pdf", "application/pdf"},     {".jsonl", "application/jsonl"},
        {".ndjson", "application/jsonl"}};

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (ends_with_i(name, of[i][0]))
            return of[i][1];
    return NULL;
}

const char *document_charset(const char *content_type, struct arena *a)
{
    const char *p = content_type;

    while ((p = strchr(p, ';')) != NULL) {
        struct str v;

        p++;
        while (ascii_is_space(*p))
            p++;
        if (!ascii_starts_i(p, "charset="))
            continue;
        v = (struct str){p + 8, strcspn(p + 8, ";")};
        v = str_trim(v);
        if (v.n >= 2 && (v.p[0] == '"' || v.p[0] == '\'')) {
            v.p++;
            v.n -= 2;
        }
        if (v.n == 0 || v.n > CHARSET_MAX)
            return NULL;
        return arena_strndup(a, v.p, v.n);
    }
    return NULL;
}

struct index_input document_of_response(const char *url,
                                        const struct http_response *r,
                                        const struct pdf_reader *pdf,
                                        struct deadline pdf_until,
                                        struct arena *a)
{
    const char *type =
        document_sniff(r->content_type, buf_str(&r->body), r->body.len);

    return (struct index_input){.url = url,
                                .type = type,
                                .charset = document_charset(type, a),
                                .body = buf_str(&r->body),
                                .body_len = r->body.len,
                                .day = DAY_NONE,
                                .etag = r->etag,
                                .last_modified = r->last_modified,
                                .now_ms = clock_now_ms(),
                                .pdf = pdf,
                                .pdf_until = pdf_until};
}

static enum err parse_as(enum document_type type, const char *p, size_t n,
                         const struct url *base, struct arena *a,
                         struct page_doc *out, struct errctx *ec)
{
    switch (type) {
    case DOCUMENT_HTML:
        return html_parse(p, n, base, a, out, ec);
    case DOCUMENT_MARKDOWN:
        return markdown_parse(p, n, base, a, out);
    case DOCUMENT_PLAIN:
        return plain_parse(p, n, a, out);
    case DOCUMENT_PDF:
    case DOCUMENT_OTHER:
        break;
    }
    return err_set(ec, ERR_INVALID, "not a type that is read");
}

static bool begins_i(const char *p, size_t n, const char *with)
{
    return n >= strlen(with) && ascii_starts_i(p, with);
}

/* Bytes that no text holds (the standard's "binary data bytes"). */
static bool is_binary(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)p[i];

        if (c < 0x09 || c == 0x0B || (c > 0x0D && c < 0x1B) ||
            (c > 0x1B && c < 0x20))
            return true;
    }
    return false;
}

static bool is_html(const char *p, size_t n)
{
    static const char *const tags[] = {
        "<!doctype html", "<html",  "<head",  "<body", "<script",
        "<iframe",        "<h1",    "<div",   "<p>",   "<a ",
        "<title",         "<table", "<style", "<br",   "<!--"};

    while (n > 0 && ascii_is_space(*p)) {
        p++;
        n--;
    }
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (begins_i(p, n, tags[i]))
            return true;
    return false;
}

const char *document_sniff(const char *content_type, const char *body, size_t n)
{
    static const char *const vague[] = {"", "unknown/unknown",
                                        "application/unknown", "*/*"};
    char name[MEDIA_TYPE_MAX];
    bool known = true, utf16;

    if (n > SNIFF_BYTES)
        n = SNIFF_BYTES;
    utf16 = n >= 2 && (memcmp(body, "\xFE\xFF", 2) == 0 ||
                       memcmp(body, "\xFF\xFE", 2) == 0);
    document_media_type(content_type, name, sizeof name);
    for (size_t i = 0; i < sizeof vague / sizeof *vague; i++)
        known = known && strcmp(name, vague[i]) != 0;
    if (strcmp(name, "text/plain") == 0 && !utf16 && is_binary(body, n))
        known = false;
    else if (known && strcmp(name, "application/octet-stream") != 0)
        return content_type;
    if (begins_i(body, n, "%PDF-"))
        return "application/pdf";
    if (known || (!utf16 && is_binary(body, n)))
        return "application/octet-stream";
    if (strcmp(name, "text/plain") != 0 && is_html(body, n))
        return "text/html";
    return n == 0 ? content_type : "text/plain";
}

/* The text of a PDF, as a plain text of that name. */
static enum err pdf_parse(const struct index_input *in, struct arena *a,
                          struct document_content *out, struct errctx *ec)
{
    struct pdf_content c = {.day = DAY_NONE};
    enum err e;

    if (in->pdf == NULL)
        return err_set(ec, ERR_INVALID, "PDF files are not read here");
    e = in->pdf->run(in->pdf, in->body, in->body_len, in->pdf_until, a, &c, ec);
    if (e == ERR_OK)
        e = html_to_utf8(c.text, strlen(c.text), "utf-8", a, &out->text,
                         &out->len);
    if (e == ERR_OK)
        e = plain_parse(out->text, out->len, a, &out->doc);
    if (e == ERR_OK && out->doc.day == DAY_NONE)
        out->doc.day = c.day;
    return e;
}

enum err document_read(const struct index_input *in, struct arena *a,
                       struct document_content *out, struct errctx *ec)
{
    struct document_content r = {.doc = {.day = DAY_NONE}};
    struct url u;
    enum err e = url_parse(in->url, strlen(in->url), NULL, a, &u, ec);

    if (e != ERR_OK)
        return e;
    r.type = document_type(in->type == NULL ? "" : in->type, u.path);
    if (r.type == DOCUMENT_OTHER)
        return err_set(ec, ERR_INVALID, "not a type that is read: %.60s",
                       in->type == NULL ? "none" : in->type);
    if (r.type == DOCUMENT_PDF)
        e = pdf_parse(in, a, &r, ec);
    else
        e = html_to_utf8(in->body, in->body_len, in->charset, a, &r.text,
                         &r.len);
    if (e == ERR_OK && r.type != DOCUMENT_PDF)
        e = parse_as(r.type, r.text, r.len, &u, a, &r.doc, ec);
    if (e == ERR_NOMEM)
        return err_set(ec, e, "out of memory");
    if (e != ERR_OK)
        return e;
    marks_read(&r.doc);
    *out = r;
    return ERR_OK;
}

enum err document_parse(const struct index_input *in, struct arena *a,
                        struct document *out, struct errctx *ec)
{
    struct document d = {.passages = NULL};
    struct document_content r;
    enum err e = document_read(in, a, &r, ec);

    if (e != ERR_OK)
        return e;
    d.doc = r.doc;
    if (passages_cut(&d.doc, a, &d.passages, &d.count) != ERR_OK)
        return err_set(ec, ERR_NOMEM, "out of memory");
    if (r.type == DOCUMENT_HTML)
        page_is_refusal(&d.doc, &d.refusal);
    *out = d;
    return ERR_OK;
}

/* That of most of its text. */
static const char *language_of(const struct document *d)
{
    size_t bytes[LANG_COUNT] = {0};
    const char *most = "";

    for (size_t i = 0; i < d->count; i++) {
        const char *lang = d->passages[i].lang;

        if (lang[0] == '\0')
            continue;
        bytes[lang_of_tag(lang)] += strlen(d->passages[i].text);
        if (most[0] == '\0' ||
            bytes[lang_of_tag(lang)] > bytes[lang_of_tag(most)])
            most = lang;
    }
    return page_language(d->doc.lang, most);
}

static const char *text_or_empty(const char *z)
{
    return z == NULL ? "" : z;
}

/* The nth other address that a start page may have: "dir/" of
 * "dir/index.html", and the reverse; NULL: no more. */
static const char *twin_of(const struct url *u, size_t n, struct arena *a)
{
    static const char *const names[] = {"index.html", "index.htm", "index.php"};
    const size_t count = sizeof names / sizeof *names;
    const char *last = strrchr(u->href, '/') + 1;

    if (*last == '\0')
        return n < count ? arena_printf(a, "%s%s", u->href, names[n]) : NULL;
    for (size_t i = 0; n == 0 && i < count; i++)
        if (strcmp(last, names[i]) == 0)
            return arena_strndup(a, u->href, (size_t)(last - u->href));
    return NULL;
}

/* Is what is stored as the page id the text of d? */
static bool is_stored_as(struct db *index, int64_t id, const struct document *d,
                         struct arena *a)
{
    const char *text;
    size_t n, end = 0;

    if (d->count == 0 || page_text(index, id, a, &text, NULL) != ERR_OK)
        return false;
    n = strlen(text);
    for (size_t i = 0; i < d->count; i++) {
        const struct passage_text *p = &d->passages[i];

        end = p->start + strlen(p->text);
        if (end > n || memcmp(text + p->start, p->text, end - p->start) != 0)
            return false;
    }
    return end == n;
}

/* A start page is stored once, under its shorter address. */
static enum err settle_twins(struct db *index, const struct document *d,
                             const struct url *u, const char **url,
                             struct arena *a, struct errctx *ec)
{
    const char *twin;
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && (twin = twin_of(u, i, a)) != NULL; i++) {
        struct page other;
        int64_t removed;

        e = page_find(index, twin, a, &other, ec);
        if (e == ERR_OK && is_stored_as(index, other.id, d, a)) {
            if (strlen(twin) < strlen(u->href))
                *url = twin;
            else
                e = page_remove(index, twin, false, &removed, ec);
        }
        if (e == ERR_NOT_FOUND)
            e = ERR_OK;
    }
    return e;
}

enum err document_put(struct db *index, const struct index_input *in,
                      const struct document *d, const char *url,
                      struct arena *a, int64_t *id, struct errctx *ec)
{
    struct page p = {.url = url};
    struct url u;
    enum err e = url_parse(url, strlen(url), NULL, a, &u, ec);

    if (e != ERR_OK)
        return e;
    p.url = u.href;
    e = settle_twins(index, d, &u, &p.url, a, ec);
    if (e != ERR_OK)
        return e;
    p.host = u.host;
    p.title = in->title != NULL ? in->title : text_or_empty(d->doc.title);
    p.lang = language_of(d);
    p.favicon = text_or_empty(d->doc.favicon);
    p.images = d->doc.images;
    p.image_count = d->doc.image_count;
    p.day = in->day != DAY_NONE ? in->day : d->doc.day;
    p.fetched_ms = in->now_ms;
    p.etag = text_or_empty(in->etag);
    p.last_modified = text_or_empty(in->last_modified);
    p.passage_count = (int64_t)d->count;
    for (size_t i = 0; i < d->count; i++)
        p.text_bytes += (int64_t)strlen(d->passages[i].text) + (i > 0 ? 2 : 0);
    return page_put(index, &p, d->passages, d->count, id, ec);
}

enum err document_add(struct db *index, const struct index_input *in,
                      const struct document *d, struct arena *a,
                      int64_t *passages, struct errctx *ec)
{
    int64_t id;
    enum err e;

    if (d->refusal != NULL)
        return err_set(ec, ERR_NO_RESULT, "not content but %s", d->refusal);
    if (d->count == 0)
        return err_set(ec, ERR_NO_RESULT, "no text worth indexing");
    e = document_put(index, in, d, in->url, a, &id, ec);
    if (e == ERR_OK)
        *passages = (int64_t)d->count;
    return e;
}

enum err index_document(struct db *index, const struct index_input *in,
                        struct arena *a, int64_t *passages, struct errctx *ec)
{
    struct document d;
    enum err e = document_parse(in, a, &d, ec);

    return e == ERR_OK ? document_add(index, in, &d, a, passages, ec) : e;
}
