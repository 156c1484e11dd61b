/*
 * Who wrote a page, and whose it is: what it declares to machines, then what
 * it marks as such; html_author_take of html_parts.h.
 */
#include "text/html_parts.h"

#include <string.h>

enum { NAME_BYTES = 100, NODES_MAX = 40 };

/* What is written in front of a name, lower case; of two words first. */
static const char *const leads[] = {
    "written by", "posted by", "published by", "author", "autor", "by",
    "von",        "par",       "por",          "door",   "di",    "af",
};

static size_t lead_at(const char *z)
{
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        size_t n = strlen(leads[i]);

        if (ascii_starts_i(z, leads[i]) && (z[n] == ' ' || z[n] == ':'))
            return n + 1;
    }
    return 0;
}

/* A name without "By" in front and a date behind; "" where it is none. */
static const char *tidy(const char *z, struct arena *a)
{
    struct date_text date;
    struct str s;
    char *name;

    z = z == NULL ? "" : html_fragment_text(z, strlen(z), a);
    for (size_t n; (n = lead_at(z)) > 0;)
        z += n + strspn(z + n, " ");
    s = str_of(z);
    if (date_text_next(z, s.n, 0, false, INT32_MAX, &date))
        s.n = date.from;
    for (size_t i = 1; i + 2 < s.n; i++)
        if (memcmp(z + i, " | ", 3) == 0 || memcmp(z + i, " - ", 3) == 0 ||
            memcmp(z + i, " (", 2) == 0)
            s.n = i;
    s = str_trim(s);
    while (s.n > 0 && strchr(",|:-", s.p[s.n - 1]) != NULL)
        s = str_trim((struct str){s.p, s.n - 1});
    if (s.n < 2 || s.n > NAME_BYTES || mem_find(s.p, s.n, "://") != NULL ||
        memchr(s.p, '@', s.n) != NULL || ascii_is_digit(s.p[0]))
        return "";
    name = arena_strndup(a, s.p, s.n);
    return name == NULL ? "" : name;
}

/* What all of the first name say that says something. */
static const char *from_metas(const struct dom *d, const char *const *names,
                              size_t count, struct arena *a)
{
    const char *all = "", *z;

    for (size_t k = 0; k < count && *all == '\0'; k++)
        for (uint32_t i = 0; all != NULL && strlen(all) < NAME_BYTES &&
                             (z = html_meta_next(d, names[k], &i)) != NULL;) {
            z = tidy(z, a);
            if (*z != '\0' && strstr(all, z) == NULL)
                all = *all == '\0' ? z : arena_printf(a, "%s, %s", all, z);
        }
    return all == NULL ? "" : all;
}

static bool is_author(const struct node *x)
{
    static const char *const parts[] = {
        "article-author", "author-link",  "author-name",
        "author__name",   "author_name",  "authorname",
        "byline",         "entry-author", "post-author"};
    const size_t count = sizeof parts / sizeof parts[0];

    return dom_attr_is(x, "rel", "author") ||
           dom_attr_is(x, "itemprop", "author") ||
           html_name_has(dom_attr(x, "class"), parts, count) ||
           html_name_has(dom_attr(x, "id"), parts, count);
}

/* The name in an element that is marked as the author's. */
static const char *from_elements(const struct dom *d, struct arena *a)
{
    const char *name = "";

    for (uint32_t i = 1; i < d->count && *name == '\0'; i++) {
        uint32_t at = i, end = d->nodes[i].end;

        if (d->nodes[i].is_text || d->nodes[i].tag == TAG_META ||
            end - i > NODES_MAX || !is_author(&d->nodes[i]))
            continue;
        for (uint32_t k = i; k < end; k++)
            if (dom_attr_is(&d->nodes[k], "itemprop", "name"))
                at = k;
        name = dom_attr(&d->nodes[at], "content");
        if (name == NULL)
            name = dom_text(d, at, 2 * NAME_BYTES, false, a);
        name = tidy(name, a);
        i = end - 1;
    }
    return name;
}

enum err html_author_take(const struct dom *d, struct arena *a,
                          struct page_doc *out)
{
    static const char *const authors[] = {
        "dc.creator",      "dc:creator",
        "dcterms.creator", "dcterm:creator",
        "author",          "parsely-author",
        "article:author",  "sailthru.author",
        "citation_author", "byl",
    };
    static const char *const sites[] = {"og:site_name", "application-name"};

    out->author = tidy(html_ld_names(d, "\"author\"", a), a);
    if (*out->author == '\0')
        out->author =
            from_metas(d, authors, sizeof authors / sizeof authors[0], a);
    if (*out->author == '\0')
        out->author = from_elements(d, a);
    out->site = from_metas(d, sites, 1, a);
    if (*out->site == '\0')
        out->site = tidy(html_ld_names(d, "\"publisher\"", a), a);
    if (*out->site == '\0')
        out->site = from_metas(d, sites + 1, 1, a);
    return arena_failed(a) ? ERR_NOMEM : ERR_OK;
}
