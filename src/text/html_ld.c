/*
 * JSON-LD: the article's text ("articleBody"), for pages whose visible text
 * only a script would write, and names; see html_parts.h. Reads strings, not
 * JSON: the decoder below knows escapes, brackets and nothing else.
 */
#include "base/buf.h"
#include "text/block_list.h"
#include "text/html_parts.h"

#include <string.h>

enum {
    BODY_BYTES_MAX = 1024 * 1024,
    NAMES_BYTES_MAX = 4000, /* of a value that is looked at */
    SHORT_BYTES = 1500, /* of visible text: only then is the body looked for */
    MUCH_LONGER = 3
};

/* Decode the escape behind a backslash at z; its length. */
static size_t unescape(const char *z, struct buf *out)
{
    char utf8[4];
    uint32_t cp, low;
    size_t len = 5;

    if (z[0] != 'u') {
        buf_addc(out, z[0] == 'n' || z[0] == 'r'   ? '\n'
                      : z[0] == 't' || z[0] == 'b' ? ' '
                                                   : z[0]);
        return 1;
    }
    if (!hex_read(z + 1, 4, &cp) || cp == 0xFFFD)
        return 1;
    if (cp >= 0xD800 && cp < 0xDC00 && z[5] == '\\' && z[6] == 'u' &&
        hex_read(z + 7, 4, &low) && low >= 0xDC00 && low < 0xE000) {
        cp = 0x10000 + ((cp - 0xD800) << 10) + (low - 0xDC00);
        len = 11;
    }
    if (cp != 0)
        buf_add(out, utf8, utf8_encode(cp, utf8));
    return len;
}

/* The string whose text begins at z; where it ends, behind its quote. */
static const char *read_string(const char *z, struct buf *out)
{
    while (*z != '\0' && *z != '"' && buf_err(out) == ERR_OK) {
        if (*z != '\\')
            buf_addc(out, *z++);
        else if (*++z != '\0')
            z += unescape(z, out);
    }
    return z + (*z == '"');
}

/* What stands behind the key in z, NULL when it is not there. */
static const char *value_of(const char *z, const char *key)
{
    const char *at = strstr(z, key);

    if (at == NULL)
        return NULL;
    at += strlen(key);
    return at + strspn(at, " \t\r\n:");
}

/* The string behind "articleBody": in z. */
static void read_body(const char *z, struct buf *out)
{
    const char *at = value_of(z, "\"articleBody\"");

    if (at != NULL && *at == '"')
        read_string(at + 1, out);
}

/* The names in the value at z: a string, an object with a "name", or several
 * in an array; with commas between. */
static void read_names(const char *z, struct buf *out)
{
    const char *end = z + strnlen(z, NAMES_BYTES_MAX);
    int depth = 0, at = *z == '[' ? 2 : 1;
    bool named = *z != '{';
    struct buf s;

    buf_init(&s, NAMES_BYTES_MAX);
    while (z < end && buf_err(&s) == ERR_OK) {
        if (*z != '"') {
            depth += (*z == '{' || *z == '[') - (*z == '}' || *z == ']');
            if (depth <= 0)
                break;
            named = named && *z != '{';
            z++;
            continue;
        }
        buf_reset(&s);
        z = read_string(z + 1, &s);
        z += strspn(z, " \t\r\n");
        if (*z == ':') {
            named = depth == at && strcmp(buf_str(&s), "name") == 0;
            continue;
        }
        if (named && s.len > 0)
            buf_addf(out, "%s%s", out->len > 0 ? ", " : "", buf_str(&s));
        named = named && depth < at;
        if (depth == 0)
            break;
    }
    buf_fini(&s);
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

/* The text of the next JSON-LD script from *i on, NULL when there is none. */
static const char *next_script(const struct dom *d, uint32_t *i)
{
    while ((*i = dom_find(d, *i, TAG_SCRIPT)) < d->count) {
        const struct node *x = &d->nodes[(*i)++];

        if (dom_attr_is(x, "type", "application/ld+json") && x->end > *i &&
            x[1].is_text)
            return x[1].data;
    }
    return NULL;
}

const char *html_ld_names(const struct dom *d, const char *key, struct arena *a)
{
    struct buf names;
    const char *z, *found = NULL;
    uint32_t i = 0;

    buf_init(&names, NAMES_BYTES_MAX);
    while (names.len == 0 && (z = next_script(d, &i)) != NULL) {
        z = value_of(z, key);
        if (z != NULL)
            read_names(z, &names);
    }
    if (buf_err(&names) == ERR_OK && names.len > 0)
        found = arena_strndup(a, names.data, names.len);
    buf_fini(&names);
    return found;
}

enum err html_ld_take(const struct dom *d, struct arena *a,
                      struct page_doc *out)
{
    size_t visible = text_bytes(out);
    uint32_t i = 0;
    const char *z;
    struct buf body;
    enum err e = ERR_OK;

    if (visible >= SHORT_BYTES)
        return ERR_OK;
    buf_init(&body, BODY_BYTES_MAX);
    while (body.len == 0 && (z = next_script(d, &i)) != NULL)
        read_body(z, &body);
    /* A body longer than its cap is not taken in part. */
    if (buf_err(&body) == ERR_OK && body.len > visible * MUCH_LONGER &&
        body.len > 200)
        e = put_lines(&body, a, out);
    buf_fini(&body);
    return e;
}
