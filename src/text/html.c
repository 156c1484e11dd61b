/*
 * html_parse: the steps in order; see html.h. The tree lives in memory of its
 * own and is gone when this returns; what is found lives in the arena.
 */
#include "text/html.h"

#include "base/date.h"
#include "text/html_parts.h"
#include "text/terms.h"

#include <string.h>

/* The address relative links are meant from: <base href> when it holds. */
static struct url page_base(const struct dom *d, const struct url *base,
                            struct arena *a)
{
    uint32_t i = dom_find(d, 0, TAG_BASE);
    const char *href = i < d->count ? dom_attr(&d->nodes[i], "href") : NULL;
    struct url u;

    if (href != NULL && strlen(href) <= URL_MAX &&
        url_parse(href, strlen(href), base, a, &u, NULL) == ERR_OK)
        return u;
    return *base;
}

/* The language of the text, for pages that do not name it. */
static const char *language_of(const struct page_doc *doc)
{
    const char *best = "";
    size_t most = 0;

    for (size_t i = 0; i < doc->block_count; i++) {
        size_t n = strlen(doc->blocks[i].text);

        if (n > most && doc->blocks[i].kind != BLOCK_CODE) {
            most = n;
            best = doc->blocks[i].text;
        }
    }
    return text_language(best, most);
}

enum err html_parse(const char *p, size_t n, const struct url *base,
                    struct arena *a, struct page_doc *out, struct errctx *ec)
{
    struct page_doc doc = {.day = DAY_NONE};
    struct url links_from;
    struct dom d;
    enum err e = dom_parse(&d, p, n, ec);

    if (e != ERR_OK)
        goto out;
    doc.cut = d.cut;
    links_from = page_base(&d, base, a);
    html_main_mark(&d);
    e = html_blocks_take(&d, a, &doc);
    if (e == ERR_OK)
        e = html_ld_take(&d, a, &doc);
    if (e == ERR_OK)
        e = html_meta_take(&d, &links_from, a, &doc);
    if (e == ERR_OK)
        e = html_author_take(&d, a, &doc);
    if (e == ERR_OK)
        e = html_links_take(&d, &links_from, a, &doc);
    if (e == ERR_OK && doc.lang[0] == '\0')
        doc.lang = language_of(&doc);
    if (e == ERR_OK)
        *out = doc;
    else
        err_set(ec, e, "no memory for the page's text");
out:
    dom_fini(&d);
    return e;
}

enum err html_fragment_blocks(const char *p, size_t n, struct arena *a,
                              struct page_doc *out)
{
    struct dom d;
    enum err e = dom_parse(&d, p, n, NULL);

    if (e == ERR_OK) {
        html_main_keep(&d);
        e = html_blocks_take(&d, a, out);
    }
    dom_fini(&d);
    return e;
}

const char *html_fragment_text(const char *p, size_t n, struct arena *a)
{
    enum { FRAGMENT_BYTES = 64 * 1024 };
    struct dom d;
    const char *text = NULL;

    if (n == 0)
        return "";
    n = utf8_cut(p, n, FRAGMENT_BYTES);
    if (memchr(p, '<', n) == NULL && memchr(p, '&', n) == NULL &&
        n < FRAGMENT_BYTES) {
        char *z = arena_alloc(a, n + 1);
        size_t k = 0;

        for (size_t i = 0; z != NULL && i < n; i++) {
            if (!ascii_is_space(p[i]) && p[i] != '\0')
                z[k++] = p[i];
            else if (k > 0 && z[k - 1] != ' ')
                z[k++] = ' ';
        }
        if (z != NULL)
            z[k > 0 && z[k - 1] == ' ' ? k - 1 : k] = '\0';
        return z == NULL ? "" : z;
    }
    if (dom_parse(&d, p, n, NULL) == ERR_OK)
        text = dom_text(&d, 0, FRAGMENT_BYTES, false, a);
    dom_fini(&d);
    return text == NULL ? "" : text;
}
