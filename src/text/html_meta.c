/*
 * What a page says about itself: title, language, icon, canonical address,
 * robots; see html_parts.h. Trusts nothing: every value is folded, cut and,
 * where it is an address, parsed.
 */
#include "base/clock.h"
#include "text/html_parts.h"

#include <string.h>

enum { TITLE_BYTES = 300, ROBOTS_BYTES = 500 };

/* Is the word among those that commas or spaces separate? */
static bool has_directive(const char *z, const char *word)
{
    while (*z != '\0') {
        size_t n = strcspn(z, ", \t\r\n");
        struct str one = {z, n};

        if (str_ieq(one, word))
            return true;
        z += n;
        z += strspn(z, ", \t\r\n");
    }
    return false;
}

/* What the <meta> at node i says, when it is of that name. */
static const char *content_of(const struct node *x, const char *name)
{
    static const char *const keys[] = {"name", "property", "itemprop"};

    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        const char *key = dom_attr(x, keys[k]);
        const char *content = dom_attr(x, "content");

        if (key != NULL && has_directive(key, name) && content != NULL &&
            str_trim(str_of(content)).n > 0)
            return content;
    }
    return NULL;
}

const char *html_meta_next(const struct dom *d, const char *name, uint32_t *i)
{
    const char *content = NULL;

    while (content == NULL && (*i = dom_find(d, *i, TAG_META)) < d->count)
        content = content_of(&d->nodes[(*i)++], name);
    return content;
}

const char *html_meta_value(const struct dom *d, const char *name)
{
    uint32_t i = 0;

    return html_meta_next(d, name, &i);
}

/* --- title ------------------------------------------------------------- */

static const char *fold_title(const char *z, struct arena *a)
{
    size_t n = z == NULL ? 0 : strlen(z), k = 0;
    char *out = arena_alloc(a, n + 1);

    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        if (!ascii_is_space(z[i]))
            out[k++] = z[i];
        else if (k > 0 && out[k - 1] != ' ')
            out[k++] = ' ';
    }
    k = utf8_cut(out, k, TITLE_BYTES);
    while (k > 0 && out[k - 1] == ' ')
        k--;
    out[k] = '\0';
    return out;
}

/* The separator between page and site at z: its length, or 0. */
static size_t separator_at(const char *z)
{
    static const char *const marks[] = {
        " | ",        " - ",        " \xE2\x80\x93 ", " \xE2\x80\x94 ", " :: ",
        " \xC2\xBB ", " \xC2\xB7 ", " \xE2\x80\xA2 ", " \xC2\xAB ",     " / ",
        " < ",        " > ",
    };

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (strncmp(z, marks[i], strlen(marks[i])) == 0)
            return strlen(marks[i]);
    return 0;
}

static size_t word_count(const char *z, size_t n)
{
    size_t words = 0;

    for (size_t i = 0; i < n; i++)
        words += !ascii_is_space(z[i]) && (i == 0 || ascii_is_space(z[i - 1]));
    return words;
}

/* Is the part the site's name: as og:site_name or the host say? */
static bool names_site(const char *part, size_t n, const char *site,
                       const struct url *base)
{
    struct str s = str_trim((struct str){part, n});
    char squeezed[64];
    size_t k = 0;

    if (site != NULL && str_ieq(s, site))
        return true;
    for (size_t i = 0; i < s.n && k + 1 < sizeof squeezed; i++)
        if (ascii_is_alnum(s.p[i]) || s.p[i] == '.')
            squeezed[k++] = ascii_lower(s.p[i]);
    squeezed[k] = '\0';
    return k >= 3 && base != NULL && strstr(base->host, squeezed) != NULL;
}

/* The title without the site's name behind or before it. */
static const char *strip_site(const char *title, const char *site,
                              const struct url *base, struct arena *a)
{
    size_t n = strlen(title), last = 0, last_len = 0, first = 0, first_len = 0;

    for (size_t i = 1; i < n; i++) {
        size_t len = separator_at(title + i);

        if (len == 0)
            continue;
        if (first == 0) {
            first = i;
            first_len = len;
        }
        last = i;
        last_len = len;
    }
    if (last == 0)
        return title;
    if (names_site(title + last + last_len, n - last - last_len, site, base))
        return arena_strndup(a, title, last);
    if (names_site(title, first, site, base))
        return arena_strdup(a, title + first + first_len);
    /* An unknown name: a short end behind a longer beginning. */
    if (strncmp(title + last, " | ", 3) == 0 &&
        word_count(title + last + last_len, n - last - last_len) <= 4 &&
        word_count(title, last) >= 3)
        return arena_strndup(a, title, last);
    return title;
}

static const char *first_heading(const struct page_doc *doc, int level)
{
    for (size_t i = 0; i < doc->block_count; i++)
        if (doc->blocks[i].kind == BLOCK_HEADING &&
            doc->blocks[i].level == level)
            return doc->blocks[i].text;
    return "";
}

/* The text of the page's only h1, "" when there is none or several. */
static const char *only_h1(const struct dom *d, struct arena *a)
{
    uint32_t i = dom_find(d, 0, TAG_H1);

    if (i == d->count || dom_find(d, i + 1, TAG_H1) != d->count)
        return "";
    return dom_text(d, i, TITLE_BYTES, false, a);
}

/* The text's first heading but h1, where the title begins with it and h1, which
 * stands behind it there, is the site's: "Heading - Site". */
static const char *leading_heading(const struct page_doc *doc,
                                   const char *title, const char *h1)
{
    size_t i = 0, n;

    while (i < doc->block_count && (doc->blocks[i].kind != BLOCK_HEADING ||
                                    strcmp(doc->blocks[i].text, h1) == 0))
        i++;
    if (i == doc->block_count || ascii_starts_i(title, h1))
        return NULL;
    n = strlen(doc->blocks[i].text);
    return ascii_starts_i(title, doc->blocks[i].text) &&
                   !ascii_is_alnum(title[n])
               ? doc->blocks[i].text
               : NULL;
}

static const char *title_of(const struct dom *d, const struct url *base,
                            struct arena *a, const struct page_doc *doc)
{
    const char *site = html_meta_value(d, "og:site_name");
    const char *og = html_meta_value(d, "og:title"), *title = "", *h1;
    uint32_t i = dom_find(d, 0, TAG_TITLE);

    if (og != NULL && site != NULL && i < d->count && d->nodes[i].end > i + 1 &&
        str_ieq(str_trim(str_of(og)), site))
        og = NULL; /* each of the site's pages has it */
    if (og != NULL) {
        og = fold_title(og, a);
        return og == NULL ? NULL : strip_site(og, site, base, a);
    }
    if (i < d->count)
        title = dom_text(d, i, TITLE_BYTES, false, a);
    h1 = only_h1(d, a);
    if (title == NULL || h1 == NULL)
        return NULL;
    if (title[0] == '\0')
        return h1[0] != '\0' ? h1 : first_heading(doc, 1);
    /* A title that holds the heading and more: the rest is the site. */
    if (strlen(h1) > 8 && strlen(h1) < strlen(title) &&
        mem_find_i(title, strlen(title), h1) != NULL) {
        const char *leading = leading_heading(doc, title, h1);

        return leading != NULL ? leading : h1;
    }
    return strip_site(title, site, base, a);
}

/* --- the rest ---------------------------------------------------------- */

/* A BCP 47 tag in lower case without anything odd; "" otherwise. */
static const char *lang_tag(const char *z, struct arena *a)
{
    struct str s = str_trim(str_of(z));
    char *out;

    if (s.n < 2 || s.n > 20)
        return "";
    out = arena_strndup(a, s.p, s.n);
    for (size_t i = 0; out != NULL && i < s.n; i++) {
        if (out[i] == '_')
            out[i] = '-';
        if (!ascii_is_alnum(out[i]) && out[i] != '-')
            return "";
        out[i] = ascii_lower(out[i]);
    }
    return out;
}

static const char *lang_of(const struct dom *d, struct arena *a)
{
    static const char *const names[] = {"og:locale", "dc.language", "language",
                                        "inlanguage"};
    uint32_t html = dom_find(d, 0, TAG_HTML);
    const char *z = NULL;

    if (html < d->count) {
        z = dom_attr(&d->nodes[html], "lang");
        if (z == NULL || *z == '\0')
            z = dom_attr(&d->nodes[html], "xml:lang");
    }
    for (size_t i = 0;
         (z == NULL || *z == '\0') && i < sizeof names / sizeof names[0]; i++)
        z = html_meta_value(d, names[i]);
    for (uint32_t i = 0; z == NULL && i < d->count; i++)
        if (d->nodes[i].tag == TAG_META &&
            dom_attr_is(&d->nodes[i], "http-equiv", "content-language"))
            z = dom_attr(&d->nodes[i], "content");
    return lang_tag(z, a);
}

/* How well a <link> names the page's icon; 0 when it does not. */
static int icon_worth(const struct node *x)
{
    const char *rel = dom_attr(x, "rel");
    size_t n = rel == NULL ? 0 : strlen(rel);

    if (x->tag != TAG_LINK || n == 0)
        return 0;
    if (mem_find_i(rel, n, "mask-icon") != NULL)
        return 0;
    if (mem_find_i(rel, n, "apple-touch-icon") != NULL)
        return 1;
    if (str_ieq(str_trim(str_of(rel)), "icon") ||
        str_ieq(str_trim(str_of(rel)), "shortcut icon"))
        return 2;
    return 0;
}

static const char *absolute(const char *href, const struct url *base,
                            struct arena *a)
{
    struct str s = str_trim(str_of(href));
    struct url u;

    if (s.n == 0 || s.n > URL_MAX ||
        url_parse(s.p, s.n, base, a, &u, NULL) != ERR_OK)
        return "";
    return u.href;
}

static void take_addresses(const struct dom *d, const struct url *base,
                           struct arena *a, struct page_doc *out)
{
    int worth = 0;

    for (uint32_t i = 0; i < d->count; i++) {
        const struct node *x = &d->nodes[i];
        int w;

        if (x->tag != TAG_LINK)
            continue;
        if (out->canonical[0] == '\0' && dom_attr_is(x, "rel", "canonical"))
            out->canonical = absolute(dom_attr(x, "href"), base, a);
        w = icon_worth(x);
        if (w > worth) {
            const char *url = absolute(dom_attr(x, "href"), base, a);

            if (url[0] != '\0') {
                out->favicon = url;
                worth = w;
            }
        }
    }
}

static void take_robots(const struct dom *d, struct page_doc *out)
{
    for (uint32_t i = 0; i < d->count; i++) {
        const struct node *x = &d->nodes[i];
        const char *z;

        if (x->tag != TAG_META || (!dom_attr_is(x, "name", "robots") &&
                                   !dom_attr_is(x, "name", "cited")))
            continue;
        z = dom_attr(x, "content");
        if (z == NULL || strlen(z) > ROBOTS_BYTES)
            continue;
        if (has_directive(z, "noindex") || has_directive(z, "none"))
            out->noindex = true;
        if (has_directive(z, "nofollow") || has_directive(z, "none"))
            out->nofollow = true;
    }
}

enum err html_meta_take(const struct dom *d, const struct url *base,
                        struct arena *a, struct page_doc *out)
{
    int32_t tomorrow = (int32_t)(clock_now_ms() / 86400000) + 1;

    out->favicon = out->canonical = "";
    out->lang = lang_of(d, a);
    out->title = title_of(d, base, a, out);
    take_addresses(d, base, a, out);
    take_robots(d, out);
    out->day = html_date_find(d, base, out->canonical, out->lang, tomorrow);
    return arena_failed(a) || out->title == NULL || out->lang == NULL
               ? ERR_NOMEM
               : ERR_OK;
}
