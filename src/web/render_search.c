/* A search's result as JSON; see render.h. Every string a client may
 * require is always there, "" when there is nothing to say. */
#include "web/render.h"

#include "base/date.h"

#include <string.h>

static void put(struct json_out *w, const char *name, const char *value)
{
    jw_kstring(w, name, value == NULL ? "" : value);
}

/* An image's name: its description, else the last part of its address. */
static const char *image_name(const struct image *m)
{
    const char *slash;

    if (m->alt != NULL && *m->alt != '\0')
        return m->alt;
    slash = m->url == NULL ? NULL : strrchr(m->url, '/');
    return slash == NULL ? m->url : slash + 1;
}

static void answer_source(struct json_out *w, const struct source *s)
{
    jw_object(w);
    put(w, "name", s->name);
    put(w, "url", s->url);
    put(w, "snippet", s->snippet);
    put(w, "favicon", s->favicon);
    jw_object_end(w);
}

static void answer_image(struct json_out *w, const struct image *m)
{
    jw_object(w);
    put(w, "name", image_name(m));
    put(w, "url", m->url);
    put(w, "snippet", "");
    put(w, "favicon", "");
    jw_object_end(w);
}

static void result_text(struct json_out *w, const struct source *s)
{
    char day[DATE_LEN + 1];

    jw_object(w);
    put(w, "type", "text");
    put(w, "name", s->name);
    put(w, "url", s->url);
    put(w, "content", s->snippet);
    put(w, "favicon", s->favicon);
    if (s->day != DAY_NONE) {
        date_format(s->day, day);
        put(w, "date", day);
    }
    jw_object_end(w);
}

static void result_image(struct json_out *w, const struct image *m)
{
    jw_object(w);
    put(w, "type", "image");
    put(w, "name", image_name(m));
    put(w, "url", m->url);
    jw_object_end(w);
}

static void results(struct json_out *w, const char *name, bool images,
                    const struct search_result *r)
{
    jw_karray(w, name);
    for (size_t i = 0; i < r->source_count; i++)
        result_text(w, &r->sources[i]);
    for (size_t i = 0; images && i < r->image_count; i++)
        result_image(w, &r->images[i]);
    jw_array_end(w);
}

static void evidence(struct json_out *w, const struct search_result *r)
{
    put(w, "writer", r->by_model ? "model" : "sentences");
    put(w, "directness", r->related ? "related" : "direct");
    jw_karray(w, "evidence");
    for (size_t i = 0; i < r->evidence_count; i++) {
        const struct answer_evidence *x = &r->evidence[i];

        jw_object(w);
        put(w, "text", x->text);
        jw_kint(w, "source", (int64_t)x->source);
        put(w, "url", r->sources[x->source - 1].url);
        put(w, "quote", x->quote);
        if (x->stored) {
            jw_kint(w, "start", (int64_t)x->start);
            jw_kint(w, "end", (int64_t)x->end);
        }
        put(w, "kind", x->quoted ? "quoted" : "supported");
        jw_object_end(w);
    }
    jw_array_end(w);
}

static void sourced(struct json_out *w, const struct search_params *p,
                    const struct search_result *r)
{
    bool images = p->images;

    jw_object(w);
    put(w, "answer", r->answer);
    jw_karray(w, "sources");
    for (size_t i = 0; i < r->source_count; i++)
        answer_source(w, &r->sources[i]);
    for (size_t i = 0; images && i < r->image_count; i++)
        answer_image(w, &r->images[i]);
    jw_array_end(w);
    if (p->evidence)
        evidence(w, r);
    jw_object_end(w);
}

static void structured(struct json_out *w, const struct search_params *p,
                       const struct search_result *r)
{
    /* Never an empty success: the caller sees an error instead. */
    if (r->object == NULL) {
        w->b->err = ERR_INTERNAL;
        return;
    }
    if (!p->sources) {
        jw_raw(w, r->object);
        return;
    }
    jw_object(w);
    jw_kraw(w, "data", r->object);
    results(w, "sources", p->images, r);
    jw_object_end(w);
}

void render_search(const struct search_params *p, const struct search_result *r,
                   struct buf *out)
{
    struct json_out w;

    jw_init(&w, out);
    switch (p->output) {
    case OUTPUT_SOURCED:
        sourced(&w, p, r);
        break;
    case OUTPUT_RESULTS:
        jw_object(&w);
        results(&w, "results", p->images, r);
        jw_object_end(&w);
        break;
    case OUTPUT_STRUCTURED:
        structured(&w, p, r);
        break;
    }
}
