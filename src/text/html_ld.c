/*
 * The article's text from JSON-LD ("articleBody"), for pages whose visible
 * text only a script would write; see html_parts.h. Reads one string, not
 * JSON: the decoder below knows escapes and nothing else.
 */
#include "base/buf.h"
#include "text/block_list.h"
#include "text/html_parts.h"

#include <string.h>

enum {
    BODY_BYTES_MAX = 1024 * 1024,
    SHORT_BYTES = 1500, /* of visible text: only then is the body looked for */
    MUCH_LONGER = 3
};

/* Four hex digits at p, or U+FFFD. */
static uint32_t hex4(const char *p)
{
    uint32_t v = 0;

    for (int i = 0; i < 4; i++) {
        char c = ascii_lower(p[i]);

        if (ascii_is_digit(c))
            v = v * 16 + (uint32_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            v = v * 16 + (uint32_t)(c - 'a') + 10;
        else
            return 0xFFFD; /* also at the end of the text */
    }
    return v;
}

/* Decode the escape behind a backslash at z; its length. */
static size_t unescape(const char *z, struct buf *out)
{
    char utf8[4];
    uint32_t cp;
    size_t len = 5;

    if (z[0] != 'u') {
        buf_addc(out, z[0] == 'n' || z[0] == 'r'   ? '\n'
                      : z[0] == 't' || z[0] == 'b' ? ' '
                                                   : z[0]);
        return 1;
    }
    cp = hex4(z + 1);
    if (cp == 0xFFFD)
        return 1;
    if (cp >= 0xD800 && cp < 0xDC00 && z[5] == '\\' && z[6] == 'u') {
        uint32_t low = hex4(z + 7);

        if (low >= 0xDC00 && low < 0xE000) {
            cp = 0x10000 + ((cp - 0xD800) << 10) + (low - 0xDC00);
            len = 11;
        }
    }
    if (cp != 0)
        buf_add(out, utf8, utf8_encode(cp, utf8));
    return len;
}

/* The string behind "articleBody": in z. */
static void read_body(const char *z, struct buf *out)
{
    static const char key[] = "\"articleBody\"";
    const char *at = strstr(z, key);

    if (at == NULL)
        return;
    at += sizeof key - 1;
    while (ascii_is_space(*at) || *at == ':')
        at++;
    if (*at++ != '"')
        return;
    while (*at != '\0' && *at != '"' && buf_err(out) == ERR_OK) {
        if (*at != '\\')
            buf_addc(out, *at++);
        else if (*++at != '\0')
            at += unescape(at, out);
    }
}

static size_t text_bytes(const struct page_doc *doc)
{
    size_t n = 0;

    for (size_t i = 0; i < doc->block_count && n < SHORT_BYTES; i++)
        n += strlen(doc->blocks[i].text);
    return n;
}

/* Lines as paragraphs instead of what was there. */
static enum err put_lines(const struct buf *body, struct arena *a,
                          struct page_doc *out)
{
    struct block_list list = {.a = a};
    const char *p = buf_str(body), *end = p + body->len;

    while (p < end) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        const char *text;

        if (stop == NULL)
            stop = end;
        text = html_fragment_text(p, (size_t)(stop - p), a);
        if (text[0] != '\0')
            block_list_add(&list, BLOCK_PARA, 0, text, strlen(text));
        p = stop + 1;
    }
    if (list.failed || arena_failed(a))
        return ERR_NOMEM;
    out->blocks = list.list;
    out->block_count = list.count;
    return ERR_OK;
}

enum err html_ld_take(const struct dom *d, struct arena *a,
                      struct page_doc *out)
{
    size_t visible = text_bytes(out);
    struct buf body;
    enum err e = ERR_OK;

    if (visible >= SHORT_BYTES)
        return ERR_OK;
    buf_init(&body, BODY_BYTES_MAX);
    for (uint32_t i = dom_find(d, 0, GUMBO_TAG_SCRIPT);
         i < d->count && body.len == 0;
         i = dom_find(d, i + 1, GUMBO_TAG_SCRIPT)) {
        const struct node *x = &d->nodes[i];

        if (dom_attr_is(x, "type", "application/ld+json") && x->end > i + 1 &&
            x[1].is_text)
            read_body(x[1].g->v.text.text, &body);
    }
    /* A body longer than its cap is not taken in part. */
    if (buf_err(&body) == ERR_OK && body.len > visible * MUCH_LONGER &&
        body.len > 200)
        e = put_lines(&body, a, out);
    buf_fini(&body);
    return e;
}
