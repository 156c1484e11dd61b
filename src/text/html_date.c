/*
 * When a page was published: what it declares to machines first, then its
 * address, then what it shows to readers; html_date_find of html_parts.h.
 */
#include "base/date.h"
#include "text/html_parts.h"

#include <string.h>

enum {
    VALUE_BYTES = 200,    /* of a value or a text that may hold a date */
    BARE_REST_BYTES = 40, /* beside figures that may be a version */
    SCRIPT_BYTES = 200000
};

struct finder {
    const struct dom *d;
    const struct url *base;
    const char *canonical;
    bool month_first;
    int32_t latest;
};

static bool from_value(const struct finder *f, const char *z, int32_t *day)
{
    size_t n = z == NULL ? 0 : strlen(z);

    return n > 0 && n <= VALUE_BYTES &&
           date_text_find(z, n, f->month_first, f->latest, day);
}

/* A text that is about a date, and short where it could be a version. */
static bool from_words(const struct finder *f, const char *z, int32_t *day)
{
    size_t n = z == NULL ? 0 : strlen(z);
    struct date_text date = {.to = 0};

    while (n <= VALUE_BYTES &&
           date_text_next(z, n, date.to, f->month_first, f->latest, &date)) {
        if (html_date_is_version(z, &date) ||
            (date.form == DATE_BARE &&
             n - (date.to - date.from) > BARE_REST_BYTES))
            continue;
        *day = date.day;
        return true;
    }
    return false;
}

/* The string behind the key in JSON or a script, wherever it stands. */
static bool from_json(const struct finder *f, const char *z, size_t n,
                      const char *key, int32_t *day)
{
    size_t len = strlen(key);
    const char *end = z + (n < SCRIPT_BYTES ? n : SCRIPT_BYTES), *at = z;

    while ((at = mem_find(at, (size_t)(end - at), key)) != NULL) {
        const char *from = at + len, *to;

        at = from;
        while (from < end &&
               (ascii_is_space(*from) || strchr(":=\"'[\\", *from) != NULL))
            from++;
        to = from;
        while (to < end && *to != '"' && *to != '\'' && to - from < 40)
            to++;
        if (date_text_find(from, (size_t)(to - from), f->month_first, f->latest,
                           day))
            return true;
    }
    return false;
}

static bool from_scripts(const struct finder *f, const char *key, int32_t *day)
{
    const struct dom *d = f->d;

    for (uint32_t i = 0; i < d->count; i++) {
        const char *type;

        if (d->nodes[i].tag != TAG_SCRIPT || d->nodes[i].end <= i + 1 ||
            !d->nodes[i + 1].is_text)
            continue;
        type = dom_attr(&d->nodes[i], "type");
        if (type != NULL && mem_find_i(type, strlen(type), "json") != NULL &&
            from_json(f, d->nodes[i + 1].data,
                      strlen(d->nodes[i + 1].data), key, day))
            return true;
    }
    return false;
}

/* What scripts of any type call the date, as the page came. */
static bool from_source(const struct finder *f, int32_t *day)
{
    static const char *const keys[] = {
        "publication_date", "publicationDate", "publish_date",
        "publishDate",      "publishdate",     "published_at",
        "publishedAt",      "publishedDate",   "createdAt"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (from_json(f, f->d->source.p, f->d->source.n, keys[i], day))
            return true;
    return false;
}

static bool from_metas(const struct finder *f, const char *const *names,
                       size_t count, int32_t *day)
{
    for (size_t i = 0; i < count; i++)
        if (from_value(f, html_meta_value(f->d, names[i]), day))
            return true;
    return false;
}

static bool is_code(const struct dom *d, uint32_t i)
{
    return dom_within(d, i, TAG_PRE) || dom_within(d, i, TAG_CODE);
}

/* The text below node i up to a line's length. */
static bool from_text(const struct finder *f, uint32_t i, int32_t *day)
{
    struct arena scratch;
    const char *z;
    bool found = false;

    if (f->d->nodes[i].end - i > 40 || is_code(f->d, i))
        return false;
    arena_init(&scratch, 64 * 1024);
    z = dom_text(f->d, i, VALUE_BYTES, false, &scratch);
    if (z != NULL)
        found = from_words(f, z, day);
    arena_fini(&scratch);
    return found;
}

static bool is_published_name(const struct node *x)
{
    static const char *const parts[] = {
        "article-date", "article__date", "created",
        "entry-date",   "post-date",     "postdate",
        "posted",       "publi",         "veroeffentlich"};
    const char *class_names = dom_attr(x, "class");

    return html_name_has(class_names, parts, sizeof parts / sizeof parts[0]) ||
           html_name_has(dom_attr(x, "id"), parts,
                         sizeof parts / sizeof parts[0]) ||
           dom_attr_is(x, "itemprop", "datePublished") ||
           dom_attr_is(x, "itemprop", "dateCreated");
}

static bool is_date_name(const struct node *x)
{
    static const char *const parts[] = {
        "author", "byline", "date",         "dateline", "datum", "fecha",
        "info",   "meta",   "post-details", "stamp",    "time"};
    static const char *const not_parts[] = {"comment", "footer",  "modif",
                                            "related", "sidebar", "update"};
    const char *c = dom_attr(x, "class"), *id = dom_attr(x, "id");

    if (html_name_has(c, not_parts, sizeof not_parts / sizeof not_parts[0]))
        return false;
    return html_name_has(c, parts, sizeof parts / sizeof parts[0]) ||
           html_name_has(id, parts, sizeof parts / sizeof parts[0]);
}

static bool is_modified(const struct node *x)
{
    static const char *const parts[] = {"modif", "update"};

    return html_name_has(dom_attr(x, "class"), parts, 2) ||
           html_name_has(dom_attr(x, "itemprop"), parts, 2);
}

/* What an element carries in an attribute or as its text. */
static bool from_element(const struct finder *f, uint32_t i, int32_t *day)
{
    static const char *const names[] = {"datetime", "content", "title"};

    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (from_value(f, dom_attr(&f->d->nodes[i], names[k]), day))
            return true;
    return from_text(f, i, day);
}

/* Elements named as the place of the date; <time> of the main text. */
static bool from_published(const struct finder *f, int32_t *day)
{
    const struct dom *d = f->d;

    for (uint32_t i = 0; i < d->count; i++) {
        const struct node *x = &d->nodes[i];

        if (x->is_text || x->tag == TAG_META ||
            x->tag == TAG_SCRIPT)
            continue;
        if ((is_published_name(x) || dom_attr(x, "pubdate") != NULL) &&
            !is_modified(x) && from_element(f, i, day))
            return true;
    }
    return false;
}

static bool from_times(const struct finder *f, bool kept, int32_t *day)
{
    const struct dom *d = f->d;

    for (uint32_t i = 0; i < d->count; i++) {
        const struct node *x = &d->nodes[i];

        if (x->tag == TAG_TIME && (!kept || x->keep) && !is_modified(x) &&
            from_element(f, i, day))
            return true;
    }
    return false;
}

static bool from_named(const struct finder *f, int32_t *day)
{
    const struct dom *d = f->d;

    for (uint32_t i = 0; i < d->count; i++)
        if (!d->nodes[i].is_text && d->nodes[i].tag != TAG_META &&
            d->nodes[i].tag != TAG_BODY && is_date_name(&d->nodes[i]) &&
            from_element(f, i, day))
            return true;
    return false;
}

/* "/2024/05/17/" or "2024-05-17" in the path; of an archive's copy, in that
 * of the original address. */
static bool from_path(const struct finder *f, const char *path, int32_t *day)
{
    const char *original = strstr(path, "/http");
    struct date_text date = {.to = 0};

    if (original != NULL)
        path = original;
    while (date_text_next(path, strlen(path), date.to, false, f->latest, &date))
        if (date.form == DATE_YEAR_FIRST) {
            *day = date.day;
            return true;
        }
    return false;
}

static bool from_address(const struct finder *f, int32_t *day)
{
    return (f->base != NULL && from_path(f, f->base->path, day)) ||
           from_path(f, f->canonical, day);
}

/* Elements and pictures that are of the day the page last changed. */
static bool from_leftovers(const struct finder *f, int32_t *day)
{
    const struct dom *d = f->d;
    const char *image = html_meta_value(d, "og:image");

    for (uint32_t i = 0; i < d->count; i++)
        if (!d->nodes[i].is_text && is_modified(&d->nodes[i]) &&
            from_element(f, i, day))
            return true;
    return image != NULL && from_path(f, image, day);
}

static bool from_lines(const struct finder *f, enum date_line which,
                       int32_t *day)
{
    return html_date_line(f->d, which, f->month_first, f->latest, day);
}

#define METAS(f, list, day)                                                    \
    from_metas(f, list, sizeof(list) / sizeof(list)[0], day)

static bool find(const struct finder *f, int32_t *day)
{
    static const char *const published[] = {
        "article:published_time",
        "datePublished",
        "og:published_time",
        "publishdate",
        "publish-date",
        "publish_date",
        "pubdate",
        "pdate",
        "published_time",
        "publication_date",
        "sailthru.date",
        "parsely-pub-date",
        "citation_publication_date",
        "citation_date",
        "dc.date.issued",
        "dcterms.issued",
        "dc.date.created",
        "dcterms.created",
        "dc.created",
        "article.published",
        "article_date_original",
        "originalpublicationdate",
        "cxenseparse:recs:publishtime",
        "rnews:datepublished",
        "dcsext.articlefirstpublished",
        "date_published",
        "bt:pubdate",
        "date",
        "dc.date",
        "dcterms.date",
        "created",
        "datecreated",
        "uploaddate",
        "timestamp",
        "analyticsattributes.articledate",
    };
    static const char *const modified[] = {
        "article:modified_time",
        "og:updated_time",
        "datemodified",
        "last-modified",
        "dcterms.modified",
        "dc.date.modified",
        "lastmod",
        "revision_date",
        "modified",
    };

    return from_scripts(f, "\"datePublished\"", day) ||
           METAS(f, published, day) || from_address(f, day) ||
           from_published(f, day) || from_times(f, true, day) ||
           from_times(f, false, day) || from_named(f, day) ||
           from_lines(f, LINE_PUBLISHED, day) || from_source(f, day) ||
           from_scripts(f, "\"dateCreated\"", day) ||
           from_scripts(f, "\"uploadDate\"", day) ||
           from_scripts(f, "\"dateModified\"", day) ||
           METAS(f, modified, day) || from_lines(f, LINE_UPDATED, day) ||
           from_lines(f, LINE_ALONE, day) || from_leftovers(f, day);
}

int32_t html_date_find(const struct dom *d, const struct url *base,
                       const char *canonical, const char *lang, int32_t latest)
{
    struct finder f = {d, base, canonical, false, latest};
    int32_t day = DAY_NONE, local;

    /* Only American English puts the month first. */
    f.month_first =
        lang != NULL && (strcmp(lang, "en-us") == 0 || strcmp(lang, "en") == 0);
    if (!find(&f, &day))
        return DAY_NONE;
    /* A neighbouring day in the address is the author's own, where the
     * declared one was turned into UTC. */
    if (from_address(&f, &local) && (local == day + 1 || local + 1 == day))
        return local;
    return day;
}
