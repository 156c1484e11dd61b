/* Links and images of a page as absolute URLs; see html_parts.h. */
#include "text/html_parts.h"

#include <string.h>

enum {
    LINKS_MAX = 10000,
    IMAGES_MAX = 32,
    LINK_TEXT_BYTES = 200,
    SIDE_MIN = 60 /* pixels: smaller images are ornaments */
};

const char *html_address(const char *href, const struct url *base,
                         struct arena *a)
{
    struct str s = str_trim(str_of(href));
    struct url u;

    if (s.n == 0 || s.p[0] == '#' || s.n > URL_MAX)
        return NULL;
    if (url_parse(s.p, s.n, base, a, &u, NULL) != ERR_OK)
        return NULL;
    return u.href;
}

static bool has_rel(const struct node *x, const char *word)
{
    const char *rel = dom_attr(x, "rel");

    while (rel != NULL && *rel != '\0') {
        size_t n = strcspn(rel, " \t\r\n\f,");
        struct str one = {rel, n};

        if (str_ieq(one, word))
            return true;
        rel += n;
        rel += strspn(rel, " \t\r\n\f,");
    }
    return false;
}

static enum err take_links(const struct dom *d, const struct url *base,
                           struct arena *a, struct page_doc *out)
{
    size_t count = 0;

    for (uint32_t i = 0; i < d->count && count < LINKS_MAX; i++)
        count += d->nodes[i].tag == TAG_A;
    out->links = arena_array(a, count, sizeof *out->links);
    if (out->links == NULL)
        return ERR_NOMEM;
    for (uint32_t i = 0; i < d->count && count > 0; i++) {
        const struct node *x = &d->nodes[i];
        const char *href, *url;
        struct link *l = &out->links[out->link_count];

        if (x->tag != TAG_A || (href = dom_attr(x, "href")) == NULL)
            continue;
        url = html_address(href, base, a);
        if (url != NULL) {
            l->url = url;
            l->text = dom_text(d, i, LINK_TEXT_BYTES, false, a);
            l->nofollow = has_rel(x, "nofollow");
            out->link_count++;
            count--;
        }
        if (arena_failed(a))
            return ERR_NOMEM;
    }
    return ERR_OK;
}

/* --- images ------------------------------------------------------------ */

static bool is_small(const struct node *x)
{
    static const char *const sides[] = {"width", "height"};

    for (size_t i = 0; i < 2; i++) {
        const char *z = dom_attr(x, sides[i]);
        int64_t side;

        if (z != NULL && parse_int(z, 0, 100000, &side) && side < SIDE_MIN)
            return true;
    }
    return false;
}

static bool is_ornament(const char *url)
{
    static const char *const parts[] = {
        "logo",    "icon",   "avatar",  "sprite",   "pixel",    "spacer",
        "blank.",  "button", "badge",   "tracking", "gravatar", "emoji",
        "loading", "1x1",    "counter", "smil",
    };
    size_t n = strlen(url);

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (mem_find_i(url, n, parts[i]) != NULL)
            return true;
    return false;
}

/* Where the picture is: lazy loaders keep it in data attributes. */
static const char *source_of(const struct node *x)
{
    static const char *const names[] = {"data-src", "data-original",
                                        "data-lazy-src", "src"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *z = dom_attr(x, names[i]);

        if (z != NULL && *z != '\0' && !ascii_starts_i(z, "data:"))
            return z;
    }
    return NULL;
}

static void add_image(struct page_doc *out, const char *url, const char *alt)
{
    if (url == NULL || alt == NULL || out->image_count == IMAGES_MAX)
        return;
    for (size_t i = 0; i < out->image_count; i++)
        if (strcmp(out->images[i].url, url) == 0) {
            if (out->images[i].alt[0] == '\0')
                out->images[i].alt = alt;
            return;
        }
    out->images[out->image_count].url = url;
    out->images[out->image_count].alt = alt;
    out->image_count++;
}

static enum err take_images(const struct dom *d, const struct url *base,
                            struct arena *a, struct page_doc *out)
{
    const char *lead = html_meta_value(d, "og:image");

    out->images = arena_array(a, IMAGES_MAX, sizeof *out->images);
    if (out->images == NULL)
        return ERR_NOMEM;
    if (lead != NULL)
        add_image(out, html_address(lead, base, a), "");
    for (uint32_t i = 0; i < d->count && out->image_count < IMAGES_MAX; i++) {
        const struct node *x = &d->nodes[i];
        const char *source, *url, *alt;

        if (x->dropped) {
            i = x->end - 1;
            continue;
        }
        if (!x->keep || x->tag != TAG_IMG || is_small(x) ||
            (source = source_of(x)) == NULL)
            continue;
        url = html_address(source, base, a);
        alt = dom_attr(x, "alt");
        if (url != NULL && !is_ornament(url))
            add_image(out, url,
                      html_fragment_text(alt == NULL ? "" : alt,
                                         alt == NULL ? 0 : strlen(alt), a));
    }
    return arena_failed(a) ? ERR_NOMEM : ERR_OK;
}

enum err html_links_take(const struct dom *d, const struct url *base,
                         struct arena *a, struct page_doc *out)
{
    enum err e = take_links(d, base, a, out);

    return e == ERR_OK ? take_images(d, base, a, out) : e;
}
