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

/* Add an image if the filter lets it through; day is its page's. */
static enum err image_take(struct image im, int32_t day,
                           struct search_result *res,
                           const struct index_filter *f, struct arena *a)
{
    struct url u;
    enum err e = url_parse(im.url, strlen(im.url), NULL, a, &u, NULL);

    if (e == ERR_NOMEM)
        return e;
    if (e == ERR_OK && res->image_count < IMAGES_MAX &&
        rank_allows(f, &u, day) && !has_image(res, im.url))
        res->images[res->image_count++] = im;
    return ERR_OK;
}

static enum err source_images(struct db *index, const struct source *s,
                              struct search_result *res,
                              const struct index_filter *f, struct arena *a,
                              struct errctx *ec)
{
    struct page p;
    enum err e;

    if (s->page == 0 || index == NULL)
        return ERR_OK;
    e = page_get(index, s->page, a, &p, ec);
    /* Removed since it was found: its text stands, its images do not. */
    if (e == ERR_NOT_FOUND)
        return ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < p.image_count; i++)
        e = image_take(p.images[i], p.day, res, f, a);
    return e;
}

static bool is_source(const struct search_result *res, const char *url)
{
    for (size_t i = 0; i < res->source_count; i++)
        if (strcmp(res->sources[i].url, url) == 0)
            return true;
    return false;
}

/* What a provider sent along: images of pages that are sources, and those of
 * no page. */
static enum err provider_images(const struct provider_answer *pa,
                                struct search_result *res,
                                const struct index_filter *f, struct arena *a)
{
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < pa->image_count; i++) {
        const struct provider_image *im = &pa->images[i];

        if (im->page[0] == '\0' || is_source(res, im->page))
            e = image_take((struct image){im->url, im->alt}, im->day, res, f,
                           a);
    }
    return e;
}

enum err images_collect(struct db *index, const struct provider_answer *answers,
                        size_t count, struct search_result *res,
                        const struct index_filter *f, struct arena *a,
                        struct errctx *ec)
{
    enum err e = ERR_OK;

    res->images = arena_array(a, IMAGES_MAX, sizeof(*res->images));
    if (res->images == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; e == ERR_OK && i < res->source_count; i++)
        e = source_images(index, &res->sources[i], res, f, a, ec);
    for (size_t i = 0; e == ERR_OK && i < count; i++)
        e = provider_images(&answers[i], res, f, a);
    return e;
}
