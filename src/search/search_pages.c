/* The last look at sources and images; see search_pages.h. Called by
 * search.c. */
#include "search/search_pages.h"

#include "base/str.h"

#include <string.h>

static bool snippet_holds(const struct source *s, const struct ranked *ranked,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct candidate *c = &ranked[i].c;

        if (strcmp(c->url, s->url) == 0 &&
            mem_find(c->text, strlen(c->text), s->snippet) != NULL)
            return true;
    }
    return ranked == NULL;
}

enum err sources_check(const struct search_result *res,
                       const struct index_filter *f,
                       const struct ranked *ranked, size_t count,
                       struct arena *a, struct errctx *ec)
{
    for (size_t i = 0; i < res->source_count; i++) {
        const struct source *s = &res->sources[i];
        struct url u;
        enum err e = url_parse(s->url, strlen(s->url), NULL, a, &u, NULL);

        if (e == ERR_NOMEM)
            return e;
        if (e != ERR_OK || !rank_allows(f, &u, s->day))
            return err_set(ec, ERR_INTERNAL, "source %zu is outside the filter",
                           i + 1);
        if (!snippet_holds(s, ranked, count))
            return err_set(ec, ERR_INTERNAL,
                           "the snippet of source %zu is not in its page",
                           i + 1);
    }
    return ERR_OK;
}

static bool has_image(const struct search_result *res, const char *url)
{
    for (size_t i = 0; i < res->image_count; i++)
        if (strcmp(res->images[i].url, url) == 0)
            return true;
    return false;
}

static enum err page_images(const struct page *p, struct search_result *res,
                            const struct index_filter *f, struct arena *a)
{
    for (size_t i = 0; i < p->image_count && res->image_count < IMAGES_MAX;
         i++) {
        const char *z = p->images[i].url;
        struct url u;
        enum err e = url_parse(z, strlen(z), NULL, a, &u, NULL);

        if (e == ERR_NOMEM)
            return e;
        if (e != ERR_OK || !rank_allows(f, &u, p->day) || has_image(res, z))
            continue;
        res->images[res->image_count++] = p->images[i];
    }
    return ERR_OK;
}

enum err images_collect(struct db *index, struct search_result *res,
                        const struct index_filter *f, struct arena *a,
                        struct errctx *ec)
{
    res->images = arena_array(a, IMAGES_MAX, sizeof(*res->images));
    if (res->images == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < res->source_count; i++) {
        struct page p;
        enum err e;

        if (res->sources[i].page == 0)
            continue;
        e = page_get(index, res->sources[i].page, a, &p, ec);
        /* Removed since it was found: its text stands, its images do not. */
        if (e == ERR_NOT_FOUND)
            continue;
        if (e == ERR_OK)
            e = page_images(&p, res, f, a);
        if (e != ERR_OK)
            return e;
    }
    return ERR_OK;
}
